/*
 * Angular correlation of galaxies: histograms of the angles between all pairs of observed points (DD), between observed
 * and random points (DR) and among random points (RR), for many random sets.
 * A CTA makes one histogram; its points pass through shared memory in tiles, where every thread keeps a histogram of
 * its own.
 */
#include "../common/workload.h"

enum { THREADS = 256, BINS = 20, LIMITS = 31 };

struct point {
	float x, y, z; /* on the unit sphere */
};

static struct workload_param param[] = {
	{"points", "points of each set", 128, 487, 487, 1, 32768},
	{"sets", "random sets", 2, 10, 100, 1, 1000},
};

/* Cosines between the bins, falling; what follows them lies below every cosine. */
__constant__ float limit[LIMITS];

__device__ static float cosine(struct point a, struct point b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}

/* By bisection, in which every lane takes the same steps: the number of limits above the cosine. */
__device__ static int bin_of(float c)
{
	int low = 0;
#pragma unroll
	for (int step = (LIMITS + 1) / 2; step > 0; step /= 2)
		low += c < limit[low + step - 1] ? step : 0;
	return low;
}

/* Adds all pairs of `own` with staged points from `from` on. Bins of a thread are THREADS apart: no bank conflicts. */
__device__ static void count_pairs(unsigned *count, struct point own, const struct point *tile, int from, int to)
{
#pragma unroll 1
	for (; from < to; from++)
		count[bin_of(cosine(own, tile[from])) * THREADS]++;
}

/* Set 0 is observed. CTA 0 makes DD, CTA s DR of set s, CTA sets + s RR of set s: there each pair counts once. */
__global__ void correlate(const struct point *set, unsigned *histogram, int points, int sets)
{
	__shared__ unsigned count[BINS][THREADS];
	__shared__ struct point tile[THREADS];
	int thread = threadIdx.x, cta = blockIdx.x;
	bool same = cta == 0 || cta > sets;
	int other = (cta > sets ? cta - sets : cta) * points, one = same ? other : 0;
	for (int bin = 0; bin < BINS; bin++)
		count[bin][thread] = 0;
	for (int first = 0; first < points; first += THREADS) {
		__syncthreads();
		if (first + thread < points)
			tile[thread] = set[other + first + thread];
		__syncthreads();
		int staged = points - first < THREADS ? points - first : THREADS;
		for (int i = thread; i < points; i += THREADS)
			count_pairs(&count[0][thread], set[one + i], tile, same && i >= first ? i - first + 1 : 0, staged);
	}
	__syncthreads();
#pragma unroll 1
	for (int half = THREADS / 2; half > 0; half /= 2) {
#pragma unroll 1
		for (int bin = 0; bin < BINS && thread < half; bin++)
			count[bin][thread] += count[bin][thread + half];
		__syncthreads();
	}
	if (thread < BINS)
		histogram[cta * BINS + thread] = count[thread][0];
}

/* In doubles. A cosine so near to a limit that floats may put it on either side counts as doubtful in both bins. */
static void reference(const struct point *one, const struct point *other, int *histogram, int *doubtful,
                      const float *limits, int points)
{
	const double error = 2e-7;
	for (int i = 0; i < points; i++)
		for (int j = one == other ? i + 1 : 0; j < points; j++) {
			double c = (double)one[i].x * other[j].x + (double)one[i].y * other[j].y + (double)one[i].z * other[j].z;
			int bin = 0;
			while (bin < BINS - 1 && c < limits[bin])
				bin++;
			histogram[bin]++;
			for (int b = 0; b < BINS - 1; b++)
				if (fabs(c - limits[b]) < error) {
					doubtful[b]++;
					doubtful[b + 1]++;
				}
		}
}

static bool check(const int *got, const struct point *set, const float *limits, int points, int sets)
{
	for (int cta = 0; cta < 2 * sets + 1; cta++) {
		int want[BINS] = {}, doubtful[BINS] = {};
		const struct point *other = set + (size_t)(cta > sets ? cta - sets : cta) * points;
		reference(cta > sets ? other : set, other, want, doubtful, limits, points);
		for (int bin = 0; bin < BINS; bin++)
			if (abs(got[cta * BINS + bin] - want[bin]) > doubtful[bin]) {
				fprintf(stderr, "histogram %d: bin %d is %d, not %d\n", cta, bin, got[cta * BINS + bin], want[bin]);
				return false;
			}
	}
	return true;
}

/* Uniform on the sphere. */
static void make_points(struct workload *w, struct point *p, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		double z = 2 * workload_unit(w) - 1.0, angle = 6.283185307179586 * workload_unit(w), r = sqrt(1 - z * z);
		p[i].x = (float)(r * cos(angle));
		p[i].y = (float)(r * sin(angle));
		p[i].z = (float)z;
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("tpacf", "angular correlation of points", param, 2, argc, argv);
	int points = (int)workload_value(&w, "points"), sets = (int)workload_value(&w, "sets"), ctas = 2 * sets + 1;
	size_t all = (size_t)(sets + 1) * points;
	struct point *set = WORKLOAD_HOST(struct point, all), *device_set = WORKLOAD_DEVICE(struct point, all);
	int *got = WORKLOAD_HOST(int, ctas *BINS);
	unsigned *device_histogram = WORKLOAD_DEVICE(unsigned, ctas *BINS);
	float limits[LIMITS];
	/* Five bins per decade from one arc minute on. */
	for (int i = 0; i < LIMITS; i++)
		limits[i] = i < BINS - 1 ? (float)cos(pow(10, i / 5.0) / 60 * 3.141592653589793 / 180) : -2;
	make_points(&w, set, all);
	WORKLOAD_CUDA(cudaMemcpyToSymbol(limit, limits, sizeof limits));
	WORKLOAD_CUDA(cudaMemcpy(device_set, set, all * sizeof *set, cudaMemcpyHostToDevice));

	workload_start(&w);
	correlate<<<ctas, THREADS>>>(device_set, device_histogram, points, sets);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_histogram, ctas * BINS * sizeof *got, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(got, set, limits, points, sets));
}
