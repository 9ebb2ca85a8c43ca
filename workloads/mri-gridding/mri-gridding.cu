/*
 * Gridding: samples of an MR scan, anywhere in k-space, are spread onto a regular grid with a window function.
 * Samples are first sorted into bins of 4x4x4 grid points; then a CTA gathers for the 64 points of a bin, one per
 * thread, what the samples of the 27 bins around add, staged in shared memory.
 */
#include "../common/workload.h"

enum { THREADS = 256, BIN_EDGE = 4, BIN_POINTS = BIN_EDGE * BIN_EDGE * BIN_EDGE, BATCH = 48, WINDOW_STEPS = 1024, CROWDED = 256 };
#define REACH 2.0f /* of a sample, in grid points */

struct sample {
	float x, y, z, real, imaginary;
};

static struct workload_param param[] = {
	{"bins", "bins of 4 grid points along each edge", 3, 6, 16, 1, 128},
	{"samples", "samples", 400, 6000, 131072, 1, 1 << 24},
};

__device__ __host__ static int bin_of(struct sample s, int bins)
{
	return ((int)s.z / BIN_EDGE * bins + (int)s.y / BIN_EDGE) * bins + (int)s.x / BIN_EDGE;
}

__global__ void count_samples(const struct sample *samples, unsigned *count, int n, int bins)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		atomicAdd(&count[bin_of(samples[i], bins)], 1);
}

/* One CTA: start[b] = samples in the bins before b, for b up to and with `cells`. */
__global__ void sum_counts(const unsigned *count, unsigned *start, unsigned *next, int cells)
{
	__shared__ unsigned value[THREADS];
	int thread = threadIdx.x;
	unsigned carry = 0;
	for (int first = 0; first < cells; first += THREADS) {
		int i = first + thread;
		value[thread] = i < cells ? count[i] : 0;
		__syncthreads();
		for (int distance = 1; distance < THREADS; distance *= 2) {
			unsigned other = thread >= distance ? value[thread - distance] : 0;
			__syncthreads();
			value[thread] += other;
			__syncthreads();
		}
		if (i < cells) {
			start[i + 1] = carry + value[thread];
			next[i] = carry + value[thread] - count[i];
		}
		carry += value[THREADS - 1];
		__syncthreads();
	}
	if (thread == 0)
		start[0] = 0;
}

__global__ void place_samples(const struct sample *samples, unsigned *next, int *order, int n, int bins)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		order[atomicAdd(&next[bin_of(samples[i], bins)], 1)] = i;
}

/* Which sample of a bin came first is a matter of chance: their numbers are put in order, so that sums always agree. */
__global__ void order_bins(const unsigned *start, int *order, int cells)
{
	int bin = blockIdx.x * blockDim.x + threadIdx.x;
	if (bin >= cells)
		return;
	for (unsigned i = start[bin] + 1; i < start[bin + 1]; i++) {
		int moved = order[i];
		unsigned to = i;
		for (; to > start[bin] && order[to - 1] > moved; to--)
			order[to] = order[to - 1];
		order[to] = moved;
	}
}

__global__ void reorder_samples(const struct sample *samples, const int *order, struct sample *sorted, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		sorted[i] = samples[order[i]];
}

/* What `count` staged samples add to the point. */
__device__ static float2 gather(const struct sample *staged, int count, const float *window, float x, float y, float z)
{
	float2 sum = make_float2(0, 0);
	for (int i = 0; i < count; i++) {
		struct sample s = staged[i];
		float dx = s.x - x, dy = s.y - y, dz = s.z - z, square = dx * dx + dy * dy + dz * dz;
		if (square < REACH * REACH) {
			float weight = window[(int)(square * (WINDOW_STEPS / (REACH * REACH)))];
			sum.x += weight * s.real;
			sum.y += weight * s.imaginary;
		}
	}
	return sum;
}

__global__ void grid_samples(const struct sample *sorted, const unsigned *start, const float *window, float2 *grid,
                             int bins)
{
	__shared__ struct sample staged[BATCH];
	int thread = threadIdx.x, edge = bins * BIN_EDGE;
	int x = blockIdx.x * BIN_EDGE + thread % BIN_EDGE, y = blockIdx.y * BIN_EDGE + thread / BIN_EDGE % BIN_EDGE;
	int z = blockIdx.z * BIN_EDGE + thread / (BIN_EDGE * BIN_EDGE);
	float2 sum = make_float2(0, 0);
	for (int i = 0; i < 27; i++) {
		int bin_x = blockIdx.x + i % 3 - 1, bin_y = blockIdx.y + i / 3 % 3 - 1, bin_z = blockIdx.z + i / 9 - 1;
		if (bin_x < 0 || bin_x >= bins || bin_y < 0 || bin_y >= bins || bin_z < 0 || bin_z >= bins)
			continue;
		int bin = (bin_z * bins + bin_y) * bins + bin_x;
		for (unsigned first = start[bin]; first < start[bin + 1]; first += BATCH) {
			int count = min((unsigned)BATCH, start[bin + 1] - first);
			__syncthreads();
			if (thread < count)
				staged[thread] = sorted[first + thread];
			__syncthreads();
			float2 more = gather(staged, count, window, x, y, z);
			sum.x += more.x;
			sum.y += more.y;
		}
	}
	grid[((size_t)z * edge + y) * edge + x] = sum;
}

/* Modified Bessel function of order zero, by its series. */
static double bessel_i0(double x)
{
	double sum = 1, term = 1;
	for (int k = 1; k < 40; k++) {
		term *= x / (2 * k) * (x / (2 * k));
		sum += term;
	}
	return sum;
}

/* Kaiser-Bessel, by the square of the distance. */
static void make_window(float *window)
{
	const double beta = 8.5;
	for (int i = 0; i < WINDOW_STEPS; i++)
		window[i] = (float)(bessel_i0(beta * sqrt(1 - (i + 0.5) / WINDOW_STEPS)) / bessel_i0(beta));
}

/* Dense in the middle, as trajectories through the centre of k-space are; multiples of 1/64 make distances exact. */
static void make_samples(struct workload *w, struct sample *samples, int n, int edge)
{
	uint32_t steps = (uint32_t)edge * 32;
	for (int i = 0; i < n; i++) {
		samples[i].x = (float)(workload_below(w, steps) + workload_below(w, steps)) / 64;
		samples[i].y = (float)(workload_below(w, steps) + workload_below(w, steps)) / 64;
		samples[i].z = (float)(workload_below(w, steps) + workload_below(w, steps)) / 64;
		samples[i].real = workload_unit(w) - 0.5f;
		samples[i].imaginary = workload_unit(w) - 0.5f;
	}
}

/* Scatters sample by sample, without bins. */
static void reference(const struct sample *samples, const float *window, double *sum, int n, int edge)
{
	for (int i = 0; i < n; i++) {
		struct sample s = samples[i];
		for (int z = (int)s.z - 2; z <= (int)s.z + 2; z++)
			for (int y = (int)s.y - 2; y <= (int)s.y + 2; y++)
				for (int x = (int)s.x - 2; x <= (int)s.x + 2; x++) {
					double square = pow(s.x - x, 2) + pow(s.y - y, 2) + pow(s.z - z, 2);
					if (x < 0 || y < 0 || z < 0 || x >= edge || y >= edge || z >= edge || square >= REACH * REACH)
						continue;
					double *point = sum + 2 * (((size_t)z * edge + y) * edge + x);
					double weight = window[(int)(square * (WINDOW_STEPS / (REACH * REACH)))];
					point[0] += weight * s.real;
					point[1] += weight * s.imaginary;
				}
	}
}

static void run(struct workload *w, const struct sample *samples, int n, const float *window, float2 *grid, int bins)
{
	int cells = bins * bins * bins, blocks = (n + THREADS - 1) / THREADS;
	struct sample *sorted = WORKLOAD_DEVICE(struct sample, n);
	unsigned *count = WORKLOAD_DEVICE(unsigned, cells), *start = WORKLOAD_DEVICE(unsigned, cells + 1);
	unsigned *next = WORKLOAD_DEVICE(unsigned, cells);
	int *order = WORKLOAD_DEVICE(int, n);
	WORKLOAD_CUDA(cudaMemset(count, 0, cells * sizeof *count));

	workload_start(w);
	count_samples<<<blocks, THREADS>>>(samples, count, n, bins);
	sum_counts<<<1, THREADS>>>(count, start, next, cells);
	place_samples<<<blocks, THREADS>>>(samples, next, order, n, bins);
	order_bins<<<(cells + THREADS - 1) / THREADS, THREADS>>>(start, order, cells);
	reorder_samples<<<blocks, THREADS>>>(samples, order, sorted, n);
	grid_samples<<<dim3(bins, bins, bins), BIN_POINTS>>>(sorted, start, window, grid, bins);
	workload_stop(w);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("mri-gridding", "MR samples onto a grid", param, 2, argc, argv);
	int bins = (int)workload_value(&w, "bins"), n = (int)workload_value(&w, "samples"), edge = bins * BIN_EDGE;
	if (n / CROWDED > bins * bins * bins) {
		fprintf(stderr, "mri-gridding: --samples %d: at most %d per bin, else sorting them takes forever\n", n, CROWDED);
		return WORKLOAD_BAD_INPUT;
	}
	size_t values = (size_t)edge * edge * edge * 2;
	struct sample *samples = WORKLOAD_HOST(struct sample, n), *device_samples = WORKLOAD_DEVICE(struct sample, n);
	float window[WINDOW_STEPS], *device_window = WORKLOAD_DEVICE(float, WINDOW_STEPS);
	float *got = WORKLOAD_HOST(float, values), *want = WORKLOAD_HOST(float, values);
	float *device_grid = WORKLOAD_DEVICE(float, values);
	double *sum = WORKLOAD_HOST(double, values);
	make_samples(&w, samples, n, edge);
	make_window(window);
	WORKLOAD_CUDA(cudaMemcpy(device_samples, samples, n * sizeof *samples, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_window, window, sizeof window, cudaMemcpyHostToDevice));
	run(&w, device_samples, n, device_window, (float2 *)device_grid, bins);
	WORKLOAD_CUDA(cudaMemcpy(got, device_grid, values * sizeof *got, cudaMemcpyDeviceToHost));
	reference(samples, window, sum, n, edge);
	for (size_t i = 0; i < values; i++)
		want[i] = (float)sum[i];
	return workload_close(&w, workload_same_floats("grid", got, want, values, 1e-3));
}
