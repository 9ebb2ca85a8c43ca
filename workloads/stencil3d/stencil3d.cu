/*
 * Heat in a box: every cell moves towards the mean of its six neighbours, once per step.
 * A thread owns a column of cells and climbs along z; a CTA covers 64 x 8 columns. Only caches share neighbours.
 */
#include "../common/workload.h"

enum { COLUMNS_X = 64, COLUMNS_Y = 8 };

static const float WEIGHT_CELL = 0.25f, WEIGHT_NEIGHBOUR = 0.125f;

static struct workload_param param[] = {
	{"nx", "cells along x, neighbours in memory", 64, 512, 512, 3, 1024},
	{"ny", "cells along y", 64, 64, 512, 3, 1024},
	{"nz", "cells along z", 8, 64, 64, 3, 1024},
	{"steps", "time steps", 2, 2, 5, 1, 1000},
};

/* Cells of the surface keep their value. */
__global__ void step(const float *in, float *out, int nx, int ny, int nz)
{
	int x = blockIdx.x * COLUMNS_X + threadIdx.x, y = blockIdx.y * COLUMNS_Y + threadIdx.y;
	if (x == 0 || y == 0 || x >= nx - 1 || y >= ny - 1)
		return;
	int plane = nx * ny;
#pragma unroll 1
	for (int z = 1; z < nz - 1; z++) {
		int i = z * plane + y * nx + x;
		float around = in[i - plane] + in[i + plane] + in[i - nx] + in[i + nx] + in[i - 1] + in[i + 1];
		out[i] = WEIGHT_CELL * in[i] + WEIGHT_NEIGHBOUR * around;
	}
}

static void reference_step(const float *in, float *out, size_t nx, size_t ny, size_t nz)
{
	for (size_t z = 1; z < nz - 1; z++)
		for (size_t y = 1; y < ny - 1; y++) {
			size_t first = (z * ny + y) * nx;
			const float *row = in + first, *north = row - nx, *south = row + nx;
			const float *below = row - ny * nx, *above = row + ny * nx;
			for (size_t x = 1; x < nx - 1; x++) {
				float sides = row[x - 1] + row[x + 1] + north[x] + south[x];
				float around = sides + below[x] + above[x];
				out[first + x] = WEIGHT_CELL * row[x] + WEIGHT_NEIGHBOUR * around;
			}
		}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("stencil3d", "7-point stencil on a 3-D grid", param, 4, argc, argv);
	int nx = (int)workload_value(&w, "nx"), ny = (int)workload_value(&w, "ny"), nz = (int)workload_value(&w, "nz");
	int steps = (int)workload_value(&w, "steps");
	size_t cells = (size_t)nx * ny * nz, bytes = cells * sizeof(float);
	float *host[2] = {WORKLOAD_HOST(float, cells), WORKLOAD_HOST(float, cells)};
	float *device[2] = {WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells)};
	float *got = WORKLOAD_HOST(float, cells);
	for (size_t i = 0; i < cells; i++)
		host[0][i] = host[1][i] = workload_unit(&w);
	for (int i = 0; i < 2; i++)
		WORKLOAD_CUDA(cudaMemcpy(device[i], host[i], bytes, cudaMemcpyHostToDevice));

	dim3 block(COLUMNS_X, COLUMNS_Y), grid((nx + COLUMNS_X - 1) / COLUMNS_X, (ny + COLUMNS_Y - 1) / COLUMNS_Y);
	workload_start(&w);
	for (int t = 0; t < steps; t++)
		step<<<grid, block>>>(device[t % 2], device[(t + 1) % 2], nx, ny, nz);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device[steps % 2], bytes, cudaMemcpyDeviceToHost));
	for (int t = 0; t < steps; t++)
		reference_step(host[t % 2], host[(t + 1) % 2], nx, ny, nz);
	return workload_close(&w, workload_same_floats("cell", got, host[steps % 2], cells, 1e-4));
}
