/*
 * Electrostatic potential on a lattice of points: each atom acts up to a cut-off, where its potential fades to zero.
 * A CTA owns a cube of 8x8x8 points, four per thread; it stages the atoms of the bins around in shared memory, a few
 * bins at a time, and every thread walks over all that are staged.
 */
#include "../common/workload.h"

/* Lengths in angstrom. A bin is as large as the cube of a CTA; margins of empty bins spare tests at the edges. */
enum { POINTS = 8, THREADS_Y = 2, BIN_ATOMS = 8, REACH = 3, STAGED_BINS = 16, MAX_NEIGHBOURS = 343 };
#define BIN_EDGE 4.0f
#define SPACING (BIN_EDGE / POINTS)
#define CUTOFF (BIN_EDGE * REACH)

static struct workload_param param[] = {
	{"bins", "bins of 4 angstrom along each edge", 2, 4, 10, 1, 64},
};

/* Where the bins lie that the cut-off reaches, relative to the CTA's own. */
__constant__ int neighbour[MAX_NEIGHBOURS];

__device__ static void add_atom(float potential[4], float4 atom, float x, float y, float z)
{
	float dx = atom.x - x, dz = atom.z - z, plane = dx * dx + dz * dz;
#pragma unroll
	for (int i = 0; i < 4; i++) {
		float dy = atom.y - (y + i * THREADS_Y * SPACING), square = plane + dy * dy;
		if (square < CUTOFF * CUTOFF) {
			float fade = 1 - square / (CUTOFF * CUTOFF);
			potential[i] += atom.w * rsqrtf(square) * fade * fade;
		}
	}
}

/* The lattice of `edge` points; bins are REACH more on every side, `bins_edge` in all. */
__global__ void sum_potential(const float4 *bins, float *lattice, int bins_edge, int edge, int neighbours)
{
	__shared__ float4 staged[STAGED_BINS * BIN_ATOMS];
	int home = ((blockIdx.z + REACH) * bins_edge + blockIdx.y + REACH) * bins_edge + blockIdx.x + REACH;
	int thread = (threadIdx.z * THREADS_Y + threadIdx.y) * POINTS + threadIdx.x;
	int x = blockIdx.x * POINTS + threadIdx.x, y = blockIdx.y * POINTS + threadIdx.y;
	int z = blockIdx.z * POINTS + threadIdx.z;
	float potential[4] = {0, 0, 0, 0};

	for (int first = 0; first < neighbours; first += STAGED_BINS) {
		int bins_now = min(STAGED_BINS, neighbours - first);
		__syncthreads();
		if (thread < bins_now * BIN_ATOMS)
			staged[thread] = bins[(home + neighbour[first + thread / BIN_ATOMS]) * BIN_ATOMS + thread % BIN_ATOMS];
		__syncthreads();
		for (int bin = 0; bin < bins_now; bin++) {
#pragma unroll 1
			for (int i = 0; i < BIN_ATOMS; i++) {
				float4 atom = staged[bin * BIN_ATOMS + i];
				if (atom.w == 0)
					break; /* a bin is filled from the front */
				add_atom(potential, atom, x * SPACING, y * SPACING, z * SPACING);
			}
		}
	}
	for (int i = 0; i < 4; i++)
		lattice[((size_t)z * edge + y + i * THREADS_Y) * edge + x] = potential[i];
}

/* Atoms sit one in each of the eight octants of a bin at most: as dense as water, and no bin overflows. */
static void make_bins(struct workload *w, float4 *bins, int bins_edge)
{
	for (int z = REACH; z < bins_edge - REACH; z++)
		for (int y = REACH; y < bins_edge - REACH; y++)
			for (int x = REACH; x < bins_edge - REACH; x++) {
				float4 *bin = bins + ((size_t)(z * bins_edge + y) * bins_edge + x) * BIN_ATOMS;
				for (int i = 0; i < BIN_ATOMS; i++) {
					if (workload_unit(w) > 0.8f)
						continue;
					/* 0.013: off the points of the lattice, where the potential is infinite. */
					bin->x = (x - REACH) * BIN_EDGE + (i % 2 + 0.013f + 0.9f * workload_unit(w)) * BIN_EDGE / 2;
					bin->y = (y - REACH) * BIN_EDGE + (i / 2 % 2 + 0.013f + 0.9f * workload_unit(w)) * BIN_EDGE / 2;
					bin->z = (z - REACH) * BIN_EDGE + (i / 4 + 0.013f + 0.9f * workload_unit(w)) * BIN_EDGE / 2;
					bin++->w = workload_unit(w) + 0.1f;
				}
			}
}

static int list_neighbours(int *list, int bins_edge)
{
	int count = 0;
	for (int z = -REACH; z <= REACH; z++)
		for (int y = -REACH; y <= REACH; y++)
			for (int x = -REACH; x <= REACH; x++) {
				int gap_x = abs(x) > 1 ? abs(x) - 1 : 0, gap_y = abs(y) > 1 ? abs(y) - 1 : 0;
				int gap_z = abs(z) > 1 ? abs(z) - 1 : 0;
				if (gap_x * gap_x + gap_y * gap_y + gap_z * gap_z < REACH * REACH)
					list[count++] = (z * bins_edge + y) * bins_edge + x;
			}
	return count;
}

/* Atom by atom onto the points around it, in doubles. */
static void reference(const float4 *atoms, size_t slots, double *lattice, int edge)
{
	for (size_t a = 0; a < slots; a++) {
		if (atoms[a].w == 0)
			continue;
		double at[3] = {atoms[a].x, atoms[a].y, atoms[a].z};
		int from[3], to[3];
		for (int k = 0; k < 3; k++) {
			from[k] = (int)fmax(0, ceil((at[k] - CUTOFF) / SPACING));
			to[k] = (int)fmin(edge - 1, floor((at[k] + CUTOFF) / SPACING));
		}
		for (int z = from[2]; z <= to[2]; z++)
			for (int y = from[1]; y <= to[1]; y++) {
				double dz = z * SPACING - at[2], dy = y * SPACING - at[1];
				for (int x = from[0]; x <= to[0]; x++) {
					double dx = x * SPACING - at[0], square = dx * dx + dy * dy + dz * dz;
					double fade = 1 - square / (CUTOFF * CUTOFF);
					if (square < CUTOFF * CUTOFF)
						lattice[((size_t)z * edge + y) * edge + x] += atoms[a].w / sqrt(square) * fade * fade;
				}
			}
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("cutcp", "Coulomb potential with a cut-off", param, 1, argc, argv);
	int cubes = (int)workload_value(&w, "bins"), bins_edge = cubes + 2 * REACH, edge = cubes * POINTS;
	size_t points = (size_t)edge * edge * edge, slots = (size_t)bins_edge * bins_edge * bins_edge * BIN_ATOMS;
	float4 *bins = WORKLOAD_HOST(float4, slots), *device_bins = WORKLOAD_DEVICE(float4, slots);
	float *got = WORKLOAD_HOST(float, points), *want = WORKLOAD_HOST(float, points);
	float *device_lattice = WORKLOAD_DEVICE(float, points);
	double *sum = WORKLOAD_HOST(double, points);
	int list[MAX_NEIGHBOURS], neighbours = list_neighbours(list, bins_edge);
	make_bins(&w, bins, bins_edge);
	WORKLOAD_CUDA(cudaMemcpy(device_bins, bins, slots * sizeof *bins, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpyToSymbol(neighbour, list, sizeof list));

	workload_start(&w);
	dim3 grid(cubes, cubes, cubes), block(POINTS, THREADS_Y, POINTS);
	sum_potential<<<grid, block>>>(device_bins, device_lattice, bins_edge, edge, neighbours);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_lattice, points * sizeof *got, cudaMemcpyDeviceToHost));
	reference(bins, slots, sum, edge);
	for (size_t i = 0; i < points; i++)
		want[i] = (float)sum[i];
	return workload_close(&w, workload_same_floats("potential", got, want, points, 1e-4));
}
