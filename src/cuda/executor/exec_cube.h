/* Directions in a cube map. */
#ifndef SLUICE_CUDA_EXEC_CUBE_H
#define SLUICE_CUDA_EXEC_CUBE_H

struct cube_place {
	unsigned face; /* +x, -x, +y, -y, +z, -z */
	float s, t;    /* on the face, in [0, 1] */
};
struct cube_place cube_find(float x, float y, float z);

#endif
