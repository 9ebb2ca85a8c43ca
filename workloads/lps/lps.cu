/*
 * Laplace's equation by Jacobi sweeps: every inner cell becomes the mean of its six neighbours.
 * A CTA owns 32 x 4 columns and climbs along z with three planes, the one it computes and those around it, and their
 * rim in shared memory: every cell is read from memory once per CTA that needs it.
 */
#include "../common/workload.h"

enum { TILE_X = 32, TILE_Y = 4, PITCH = TILE_X + 2, ROWS = TILE_Y + 2, PLANES = 3 };

static struct workload_param param[] = {
	{"nx", "cells along x, neighbours in memory", 64, 100, 100, 3, 1024},
	{"ny", "cells along y", 24, 100, 100, 3, 1024},
	{"nz", "cells along z", 12, 60, 100, 3, 1024},
	{"sweeps", "Jacobi sweeps", 2, 2, 1, 1, 1000},
};

enum { PLANE = ROWS * PITCH, NOTHING = -1 };

struct grid {
	int nx, ny, nz;
};

/* A cell that a thread brings plane after plane: its place in memory, or NOTHING, and in the plane. */
struct errand {
	int from, to;
};

__device__ static struct errand errand_to(struct grid g, int x, int y, int column, int row)
{
	bool exists = x >= 0 && y >= 0 && x < g.nx && y < g.ny;
	struct errand e = {exists ? y * g.nx + x : NOTHING, row * PITCH + column};
	return e;
}

/* The first two warps bring the rows beyond the tile, a few threads more the columns. */
__device__ static struct errand rim_errand(struct grid g)
{
	int x0 = blockIdx.x * TILE_X - 1, y0 = blockIdx.y * TILE_Y - 1, thread = threadIdx.y * TILE_X + threadIdx.x;
	int column = threadIdx.x + 1, row = thread < TILE_X ? 0 : ROWS - 1, i = thread - 2 * TILE_X;
	if (i >= 2 * TILE_Y) {
		struct errand none = {NOTHING, 0};
		return none;
	}
	if (i >= 0) {
		column = i < TILE_Y ? 0 : PITCH - 1;
		row = i % TILE_Y + 1;
	}
	return errand_to(g, x0 + column, y0 + row, column, row);
}

__device__ static void bring(float *plane, const float *in, struct errand e)
{
	if (e.from != NOTHING)
		plane[e.to] = in[e.from];
}

/* Cells of the surface keep their value. */
__global__ void sweep(const float *in, float *out, struct grid g)
{
	__shared__ float plane[PLANES * PLANE];
	int x = blockIdx.x * TILE_X + threadIdx.x, y = blockIdx.y * TILE_Y + threadIdx.y, layer = g.nx * g.ny;
	struct errand cell = errand_to(g, x, y, threadIdx.x + 1, threadIdx.y + 1), rim = rim_errand(g);
	bool inner = x > 0 && y > 0 && x < g.nx - 1 && y < g.ny - 1;
	float *below = plane, *here = plane + PLANE, *above = plane + 2 * PLANE;
	bring(below, in, cell);
	bring(below, in, rim);
	bring(here, in + layer, cell);
	bring(here, in + layer, rim);
#pragma unroll 1
	for (int z = 1; z < g.nz - 1; z++) {
		in += layer;
		out += layer;
		bring(above, in + layer, cell);
		bring(above, in + layer, rim);
		__syncthreads();
		if (inner) {
			const float *p = here + cell.to;
			float around = p[-1] + p[1] + p[-PITCH] + p[PITCH] + below[cell.to] + above[cell.to];
			out[cell.from] = around * (1.0f / 6.0f);
		}
		/* The lowest plane is overwritten next. */
		__syncthreads();
		float *lowest = below;
		below = here, here = above, above = lowest;
	}
}

static void reference_sweep(const float *in, float *out, size_t nx, size_t ny, size_t nz)
{
	for (size_t i = nx * ny; i < nx * ny * (nz - 1); i++) {
		size_t x = i % nx, y = i / nx % ny;
		if (x == 0 || y == 0 || x == nx - 1 || y == ny - 1)
			continue;
		float sum = in[i - 1] + in[i + 1] + in[i - nx] + in[i + nx] + in[i - nx * ny] + in[i + nx * ny];
		out[i] = sum / 6;
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("lps", "Laplace solver on a 3-D grid", param, 4, argc, argv);
	struct grid g = {(int)workload_value(&w, "nx"), (int)workload_value(&w, "ny"), (int)workload_value(&w, "nz")};
	int sweeps = (int)workload_value(&w, "sweeps");
	size_t cells = (size_t)g.nx * g.ny * g.nz, bytes = cells * sizeof(float);
	float *host[2] = {WORKLOAD_HOST(float, cells), WORKLOAD_HOST(float, cells)};
	float *device[2] = {WORKLOAD_DEVICE(float, cells), WORKLOAD_DEVICE(float, cells)};
	float *got = WORKLOAD_HOST(float, cells);
	for (size_t i = 0; i < cells; i++)
		host[0][i] = host[1][i] = workload_unit(&w);
	for (int i = 0; i < 2; i++)
		WORKLOAD_CUDA(cudaMemcpy(device[i], host[i], bytes, cudaMemcpyHostToDevice));

	dim3 block(TILE_X, TILE_Y), grid((g.nx + TILE_X - 1) / TILE_X, (g.ny + TILE_Y - 1) / TILE_Y);
	workload_start(&w);
	for (int t = 0; t < sweeps; t++)
		sweep<<<grid, block>>>(device[t % 2], device[(t + 1) % 2], g);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device[sweeps % 2], bytes, cudaMemcpyDeviceToHost));
	for (int t = 0; t < sweeps; t++)
		reference_sweep(host[t % 2], host[(t + 1) % 2], g.nx, g.ny, g.nz);
	return workload_close(&w, workload_same_floats("cell", got, host[sweeps % 2], cells, 1e-4));
}
