#include "scene.h"
#include "verify.h"

int main(void)
{
	const int w = 80, h = 60;
	static float got[w * h];
	Sphere spheres[SPHERES];
	int wrong = 0;
	for (int i = 0; i < SPHERES; i++) {
		spheres[i].center =
		    Vec((float)(i % 3) * 1.5f - 1.5f, (float)(i / 3) * 1.4f - 0.7f, (float)(i % 2));
		spheres[i].radius = 0.6f + 0.05f * (float)i;
		spheres[i].reflection = 0.2f + 0.1f * (float)i;
	}
	render(spheres, got, w, h);
	/* Rays that graze an edge may go either way. */
	for (int y = 0; y < h; y++)
		for (int x = 0; x < w; x++)
			wrong +=
			    fabs(trace(spheres, Vec(0, 0, -4), ray_of(x, y, w, h)) - got[y * w + x]) > 1e-3f;
	printf("%d pixels differ\n", wrong);
	return verify_result("raytrace", wrong > w * h / 200);
}
