/* Points feature by feature for coalescing, centers in constant memory, points that moved counted by ballots. */
#include "kmeans.h"
#include "verify.h"
#include <float.h>

__constant__ float c_clusters[MAX_CLUSTERS * MAX_FEATURES];

static float *d_points, *d_features;
static int *d_membership, *d_changed;

__global__ void invert_mapping(const float *input, float *output, int npoints, int nfeatures)
{
	int point_id = threadIdx.x + blockDim.x * blockIdx.x;
	if (point_id < npoints)
		for (int i = 0; i < nfeatures; i++)
			output[point_id + npoints * i] = input[point_id * nfeatures + i];
}

__global__ void kmeansPoint(const float *features, int nfeatures, int npoints, int nclusters, int *membership,
                            int *changed)
{
	int id = blockIdx.x * blockDim.x + threadIdx.x, index = -1;
	bool moved = false;
	if (id < npoints) {
		float min_dist = FLT_MAX;
		for (int i = 0; i < nclusters; i++) {
			float ans = 0;
			for (int j = 0; j < nfeatures; j++) {
				float diff = features[id + j * npoints] - c_clusters[i * nfeatures + j];
				ans += diff * diff;
			}
			if (ans < min_dist) {
				min_dist = ans;
				index = i;
			}
		}
		moved = membership[id] != index;
		membership[id] = index;
	}
	unsigned votes = __ballot_sync(0xffffffff, moved);
	if ((threadIdx.x & 31) == 0)
		atomicAdd(changed, __popc(votes));
}

void cluster_setup(const float *points, const struct options *o)
{
	size_t bytes = sizeof(float) * o->points * o->features;
	CHECK_CUDA(cudaMalloc((void **)&d_points, bytes));
	CHECK_CUDA(cudaMalloc((void **)&d_features, bytes));
	CHECK_CUDA(cudaMalloc((void **)&d_membership, sizeof(int) * o->points));
	CHECK_CUDA(cudaMalloc((void **)&d_changed, sizeof(int)));
	CHECK_CUDA(cudaMemset(d_membership, 0xff, sizeof(int) * o->points));
	CHECK_CUDA(cudaMemcpy(d_points, points, bytes, cudaMemcpyHostToDevice));
	invert_mapping<<<(o->points + 255) / 256, 256>>>(d_points, d_features, o->points, o->features);
	CHECK_CUDA(cudaGetLastError());
}

int cluster_assign(const float *centers, int *membership, const struct options *o)
{
	int changed = 0;
	CHECK_CUDA(cudaMemcpyToSymbol(c_clusters, centers, sizeof(float) * o->clusters * o->features));
	CHECK_CUDA(cudaMemcpy(d_changed, &changed, sizeof changed, cudaMemcpyHostToDevice));
	kmeansPoint<<<(o->points + 255) / 256, 256>>>(d_features, o->features, o->points, o->clusters,
	                                              d_membership, d_changed);
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaMemcpy(membership, d_membership, sizeof(int) * o->points, cudaMemcpyDeviceToHost));
	return changed;
}

void cluster_finish(void)
{
	CHECK_CUDA(cudaFree(d_points));
	CHECK_CUDA(cudaFree(d_features));
	CHECK_CUDA(cudaFree(d_membership));
	CHECK_CUDA(cudaFree(d_changed));
}
