/*
 * k-means: one thread per point finds the nearest centre, the host moves the centres. The features of a point lie
 * together, so each thread walks a row of its own and a warp touches a line per thread at every step.
 */
#include <float.h>

#include "../common/workload.h"

enum { THREADS = 256, MOST_FEATURES = 256, MOST_CLUSTERS = 32 };

static struct workload_param param[] = {
	{"points", "points", 2048, 65536, 778752, 32, 1 << 22},
	{"features", "features of a point", 34, 34, 34, 1, MOST_FEATURES},
	{"clusters", "centres", 5, 5, 5, 1, MOST_CLUSTERS},
	{"iterations", "times the centres move", 2, 2, 1, 1, 100},
	{"inverted", "1: walk a feature-major copy", 0, 0, 0, 0, 1},
};

struct shape {
	int points, features, clusters;
	int point_step, feature_step; /* between neighbours in the array that is walked */
};

__constant__ float device_centre[MOST_CLUSTERS * MOST_FEATURES];

__global__ void invert(const float *by_point, float *by_feature, int points, int features)
{
	int point = blockIdx.x * blockDim.x + threadIdx.x;
	if (point >= points)
		return;
	for (int f = 0; f < features; f++)
		by_feature[f * points + point] = by_point[point * features + f];
}

__device__ int nearest_centre(const float *feature, struct shape s)
{
	int nearest = 0;
	float least = FLT_MAX;
	for (int c = 0; c < s.clusters; c++) {
		float distance = 0;
#pragma unroll 1
		for (int f = 0; f < s.features; f++) {
			float d = feature[f * s.feature_step] - device_centre[c * s.features + f];
			distance += d * d;
		}
		if (distance < least) {
			least = distance;
			nearest = c;
		}
	}
	return nearest;
}

/* Counts the points that change cluster as well: the clustering is done when none does. */
__global__ void assign(const float *feature, int *member, int *moved, struct shape s)
{
	int point = blockIdx.x * blockDim.x + threadIdx.x;
	bool changed = false;
	if (point < s.points) {
		int nearest = nearest_centre(feature + point * s.point_step, s);
		changed = member[point] != nearest;
		member[point] = nearest;
	}
	int count = __syncthreads_count(changed);
	if (threadIdx.x == 0)
		atomicAdd(moved, count);
}

static void move_centres(const float *feature, const int *member, float *centre, struct shape s)
{
	double *sum = WORKLOAD_HOST(double, s.clusters * s.features);
	int *size = WORKLOAD_HOST(int, s.clusters);
	for (int p = 0; p < s.points; p++) {
		size[member[p]]++;
		for (int f = 0; f < s.features; f++)
			sum[member[p] * s.features + f] += feature[p * s.features + f];
	}
	for (int c = 0; c < s.clusters; c++)
		for (int f = 0; size[c] && f < s.features; f++)
			centre[c * s.features + f] = (float)(sum[c * s.features + f] / size[c]);
	free(sum);
	free(size);
}

/* A point between two centres may go to either: what counts is that no centre is clearly nearer. */
static bool assigned_well(const float *feature, const int *member, const float *centre, struct shape s)
{
	for (int p = 0; p < s.points; p++) {
		double least = DBL_MAX, chosen = DBL_MAX;
		for (int c = 0; c < s.clusters; c++) {
			double distance = 0;
			for (int f = 0; f < s.features; f++) {
				double d = (double)feature[p * s.features + f] - centre[c * s.features + f];
				distance += d * d;
			}
			least = distance < least ? distance : least;
			if (c == member[p])
				chosen = distance;
		}
		if (!(chosen <= least * (1 + 1e-5) + 1e-6)) {
			fprintf(stderr, "point %d is in cluster %d, at %g and not %g\n", p, member[p], chosen,
			        least);
			return false;
		}
	}
	return true;
}

static bool moved_so(const int *was, const int *is, int points, int moved)
{
	int want = 0;
	for (int p = 0; p < points; p++)
		want += was[p] != is[p];
	if (moved != want)
		fprintf(stderr, "%d points changed cluster, not %d\n", moved, want);
	return moved == want;
}

struct device {
	float *feature; /* in the order in which it is walked */
	int *member, *moved;
};

static struct device new_device(struct workload *w, const float *feature, const int *member, struct shape s,
                                bool inverted)
{
	size_t floats = (size_t)s.points * s.features;
	struct device d = {WORKLOAD_DEVICE(float, floats), WORKLOAD_DEVICE(int, s.points),
	                   WORKLOAD_DEVICE(int, 1)};
	WORKLOAD_CUDA(cudaMemcpy(d.feature, feature, floats * sizeof *feature, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.member, member, s.points * sizeof *member, cudaMemcpyHostToDevice));
	if (inverted) {
		float *by_point = d.feature;
		d.feature = WORKLOAD_DEVICE(float, floats);
		workload_start(w);
		invert<<<(s.points + THREADS - 1) / THREADS, THREADS>>>(by_point, d.feature, s.points,
		                                                        s.features);
		workload_stop(w);
	}
	return d;
}

/* Returns how many points changed cluster. */
static int assign_all(struct workload *w, struct device *d, const float *centre, int *member, struct shape s)
{
	int moved;
	WORKLOAD_CUDA(
	    cudaMemcpyToSymbol(device_centre, centre, (size_t)s.clusters * s.features * sizeof *centre));
	WORKLOAD_CUDA(cudaMemset(d->moved, 0, sizeof(int)));
	workload_start(w);
	assign<<<(s.points + THREADS - 1) / THREADS, THREADS>>>(d->feature, d->member, d->moved, s);
	workload_stop(w);
	WORKLOAD_CUDA(cudaMemcpy(member, d->member, s.points * sizeof *member, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(&moved, d->moved, sizeof moved, cudaMemcpyDeviceToHost));
	return moved;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("kmeans-rodinia", "k-means clustering", param, 5, argc, argv);
	struct shape s = {(int)workload_value(&w, "points"), (int)workload_value(&w, "features"),
	                  (int)workload_value(&w, "clusters")};
	int iterations = (int)workload_value(&w, "iterations"),
	    inverted = (int)workload_value(&w, "inverted");
	s.point_step = inverted ? 1 : s.features;
	s.feature_step = inverted ? s.points : 1;
	size_t floats = (size_t)s.points * s.features;
	float *feature = WORKLOAD_HOST(float, floats), *centre = WORKLOAD_HOST(float, s.clusters * s.features);
	int *member = WORKLOAD_HOST(int, s.points), *before = WORKLOAD_HOST(int, s.points);
	for (size_t i = 0; i < floats; i++)
		feature[i] = workload_unit(&w);
	memcpy(centre, feature, (size_t)s.clusters * s.features * sizeof *centre);
	memset(member, -1, s.points * sizeof *member);
	struct device d = new_device(&w, feature, member, s, inverted);
	bool pass = true;
	for (int i = 0; pass && i < iterations; i++) {
		memcpy(before, member, s.points * sizeof *member);
		int moved = assign_all(&w, &d, centre, member, s);
		pass = assigned_well(feature, member, centre, s) && moved_so(before, member, s.points, moved);
		if (pass)
			move_centres(feature, member, centre, s);
	}
	return workload_close(&w, pass);
}
