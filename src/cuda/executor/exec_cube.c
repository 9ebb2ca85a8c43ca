/*
 * Cube maps: a direction becomes one of six faces and a place on it, by the
 * table of the CUDA programming guide. Left out: filters that reach over an
 * edge into the next face.
 */
#include "cuda/executor/exec_cube.h"

#include <math.h>

struct cube_place cube_find(float x, float y, float z)
{
	float ax = fabsf(x), ay = fabsf(y), az = fabsf(z);
	struct cube_place at;
	float major, s, t;
	if (ax >= ay && ax >= az) {
		at.face = x >= 0 ? 0 : 1;
		major = ax;
		s = x >= 0 ? -z : z;
		t = -y;
	} else if (ay >= az) {
		at.face = y >= 0 ? 2 : 3;
		major = ay;
		s = x;
		t = y >= 0 ? z : -z;
	} else {
		at.face = z >= 0 ? 4 : 5;
		major = az;
		s = z >= 0 ? x : -x;
		t = -y;
	}
	at.s = (s / major + 1.0f) / 2.0f;
	at.t = (t / major + 1.0f) / 2.0f;
	return at;
}
