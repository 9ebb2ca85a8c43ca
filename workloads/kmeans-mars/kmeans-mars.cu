/*
 * k-means as map and reduce: map, one thread per point, finds the nearest centre and counts what its CTA emits for
 * each; a scan turns the counts into places; group files the points there; reduce, one CTA per centre, averages them.
 */
#include <limits.h>

#include "../common/workload.h"

enum { THREADS = 512, WARP = 32, MOST = 64 };

static struct workload_param param[] = {
	{"points", "points", 512, 2688, 2688, MOST, 1 << 22},
	{"dimensions", "dimensions of a point", 16, 16, 16, 1, MOST},
	{"clusters", "centres", 8, 24, 24, 1, MOST},
	{"iterations", "times the centres move", 2, 5, 20, 1, 1000},
};

struct shape {
	int points, dimensions, clusters;
};

__device__ int nearest_centre(const int *point, const int *centre, struct shape s)
{
	int nearest = 0, least = INT_MAX;
	for (int c = 0; c < s.clusters; c++) {
		int distance = 0;
#pragma unroll 1
		for (int d = 0; d < s.dimensions; d++) {
			int apart = point[d] - centre[c * s.dimensions + d];
			distance += apart * apart;
		}
		if (distance < least) {
			least = distance;
			nearest = c;
		}
	}
	return nearest;
}

/* emitted[c * CTAs + CTA]: how many points of this CTA belong to c. */
__global__ void map(const int *point, const int *centre, int *nearest, int *emitted, struct shape s)
{
	__shared__ int count[MOST];
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x < MOST)
		count[threadIdx.x] = 0;
	__syncthreads();
	if (p < s.points) {
		int c = nearest_centre(point + p * s.dimensions, centre, s);
		nearest[p] = c;
		atomicAdd(&count[c], 1);
	}
	__syncthreads();
	if (threadIdx.x < s.clusters)
		emitted[threadIdx.x * gridDim.x + blockIdx.x] = count[threadIdx.x];
}

__device__ int warp_scan(int value)
{
	int lane = threadIdx.x % WARP;
	for (int step = 1; step < WARP; step *= 2) {
		int below = __shfl_up_sync(0xffffffff, value, step);
		if (lane >= step)
			value += below;
	}
	return value;
}

/* One CTA: place[i] is the sum of all counts before i, place[n] that of all. */
__global__ void scan(const int *count, int *place, int n)
{
	__shared__ int total[THREADS / WARP];
	int warp = threadIdx.x / WARP, before = 0;
	for (int base = 0; base < n; base += THREADS) {
		int i = base + threadIdx.x, own = i < n ? count[i] : 0, sum = warp_scan(own);
		if (threadIdx.x % WARP == WARP - 1)
			total[warp] = sum;
		__syncthreads();
		int chunk = 0;
		for (int k = 0; k < THREADS / WARP; k++) {
			if (k < warp)
				sum += total[k];
			chunk += total[k];
		}
		if (i < n)
			place[i] = before + sum - own;
		before += chunk;
		__syncthreads();
	}
	if (threadIdx.x == 0)
		place[n] = before;
}

/* The order within a CTA's share is left to chance; integer sums do not mind. */
__global__ void group(const int *nearest, const int *place, int *grouped, struct shape s)
{
	__shared__ int next[MOST];
	int p = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x < s.clusters)
		next[threadIdx.x] = place[threadIdx.x * gridDim.x + blockIdx.x];
	__syncthreads();
	if (p < s.points)
		grouped[atomicAdd(&next[nearest[p]], 1)] = p;
}

__global__ void reduce(const int *point, const int *grouped, const int *place, int *centre, int map_ctas,
                       struct shape s)
{
	__shared__ int sum[MOST];
	int begin = place[blockIdx.x * map_ctas], end = place[(blockIdx.x + 1) * map_ctas];
	int team = threadIdx.x / s.dimensions, teams = blockDim.x / s.dimensions,
	    d = threadIdx.x % s.dimensions;
	if (threadIdx.x < MOST)
		sum[threadIdx.x] = 0;
	__syncthreads();
	if (team < teams) {
		int own = 0;
		for (int i = begin + team; i < end; i += teams)
			own += point[grouped[i] * s.dimensions + d];
		atomicAdd(&sum[d], own);
	}
	__syncthreads();
	if (threadIdx.x < s.dimensions && end > begin)
		centre[blockIdx.x * s.dimensions + threadIdx.x] = sum[threadIdx.x] / (end - begin);
}

static int squared_distance(const int *a, const int *b, int dimensions)
{
	int sum = 0;
	for (int d = 0; d < dimensions; d++)
		sum += (a[d] - b[d]) * (a[d] - b[d]);
	return sum;
}

static void reference(const int *point, int *centre, int *nearest, struct shape s)
{
	int *sum = WORKLOAD_HOST(int, s.clusters * s.dimensions), *size = WORKLOAD_HOST(int, s.clusters);
	for (int p = 0; p < s.points; p++) {
		const int *at = point + p * s.dimensions;
		int best = 0;
		for (int c = 1; c < s.clusters; c++)
			if (squared_distance(at, centre + c * s.dimensions, s.dimensions) <
			    squared_distance(at, centre + best * s.dimensions, s.dimensions))
				best = c;
		nearest[p] = best;
		size[best]++;
		for (int d = 0; d < s.dimensions; d++)
			sum[best * s.dimensions + d] += at[d];
	}
	for (int c = 0; c < s.clusters; c++)
		for (int d = 0; size[c] && d < s.dimensions; d++)
			centre[c * s.dimensions + d] = sum[c * s.dimensions + d] / size[c];
	free(sum);
	free(size);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("kmeans-mars", "k-means as map and reduce", param, 4, argc, argv);
	struct shape s = {(int)workload_value(&w, "points"), (int)workload_value(&w, "dimensions"),
	                  (int)workload_value(&w, "clusters")};
	int iterations = (int)workload_value(&w, "iterations"), ctas = (s.points + THREADS - 1) / THREADS;
	int values = s.points * s.dimensions, centre_values = s.clusters * s.dimensions,
	    counts = s.clusters * ctas;
	int *point = WORKLOAD_HOST(int, values), *centre = WORKLOAD_HOST(int, centre_values);
	int *nearest = WORKLOAD_HOST(int, s.points), *want_nearest = WORKLOAD_HOST(int, s.points);
	int *want_centre = WORKLOAD_HOST(int, centre_values);
	int *device_point = WORKLOAD_DEVICE(int, values),
	    *device_centre = WORKLOAD_DEVICE(int, centre_values);
	int *device_nearest = WORKLOAD_DEVICE(int, s.points),
	    *device_grouped = WORKLOAD_DEVICE(int, s.points);
	int *device_emitted = WORKLOAD_DEVICE(int, counts), *device_place = WORKLOAD_DEVICE(int, counts + 1);
	for (int i = 0; i < values; i++)
		point[i] = (int)workload_below(&w, 256);
	memcpy(want_centre, point, centre_values * sizeof *point);
	WORKLOAD_CUDA(cudaMemcpy(device_point, point, values * sizeof *point, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(
	    cudaMemcpy(device_centre, point, centre_values * sizeof *point, cudaMemcpyHostToDevice));

	workload_start(&w);
	for (int i = 0; i < iterations; i++) {
		map<<<ctas, THREADS>>>(device_point, device_centre, device_nearest, device_emitted, s);
		scan<<<1, THREADS>>>(device_emitted, device_place, counts);
		group<<<ctas, THREADS>>>(device_nearest, device_place, device_grouped, s);
		reduce<<<s.clusters, THREADS>>>(device_point, device_grouped, device_place, device_centre,
		                                ctas, s);
	}
	workload_stop(&w);

	WORKLOAD_CUDA(
	    cudaMemcpy(nearest, device_nearest, s.points * sizeof *nearest, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(
	    cudaMemcpy(centre, device_centre, centre_values * sizeof *centre, cudaMemcpyDeviceToHost));
	for (int i = 0; i < iterations; i++)
		reference(point, want_centre, want_nearest, s);
	return workload_close(&w, workload_same_ints("nearest", nearest, want_nearest, s.points) &&
	                              workload_same_ints("centre", centre, want_centre, centre_values));
}
