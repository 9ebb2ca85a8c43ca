/* The host in old C: definitions without prototypes, a common block, a file written and read back. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

int total; /* also in file.c, as a common symbol */
extern void run_stencil();
extern int write_volume(), read_volume();

static int reference(a, b, nx, ny, nz, steps)
float *a, *b;
int nx, ny, nz, steps;
{
	int x, y, z, t;
	float *swap;
	for (t = 0; t < steps; t++) {
		for (z = 1; z < nz - 1; z++)
			for (y = 1; y < ny - 1; y++)
				for (x = 1; x < nx - 1; x++) {
					float *c = a + (z * ny + y) * nx + x;
					b[(z * ny + y) * nx + x] = 0.1f * (c[1] + c[-1] + c[nx] + c[-nx] +
					                                   c[nx * ny] + c[-nx * ny]) +
					                           0.4f * c[0];
				}
		swap = a;
		a = b;
		b = swap;
	}
	return 0;
}

int main(argc, argv)
int argc;
char **argv;
{
	int nx = 34, ny = 18, nz = 12, steps = 4, i, wrong = 0;
	float *a, *b, *c;
	if (argc > 1)
		steps = atoi(argv[1]);
	total = nx * ny * nz;
	a = (float *)malloc(total * sizeof(float));
	b = (float *)malloc(total * sizeof(float));
	c = (float *)malloc(total * sizeof(float));
	for (i = 0; i < total; i++)
		c[i] = (float)((i * 7919) % 1000) / 100.0f;
	if (write_volume("volume.bin", c) || read_volume("volume.bin", a))
		return 1;
	for (i = 0; i < total; i++)
		b[i] = a[i];
	run_stencil(c, nx, ny, nz, steps);
	reference(a, b, nx, ny, nz, steps);
	if (steps & 1)
		a = b;
	for (i = 0; i < total; i++)
		if (fabs(a[i] - c[i]) > 1e-4)
			wrong++;
	remove("volume.bin");
	printf("stencil3d %s\n", wrong ? "FAIL" : "PASS");
	return wrong != 0;
}
