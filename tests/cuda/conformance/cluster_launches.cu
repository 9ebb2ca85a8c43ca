/* Launches of clusters: cudaLaunchKernelEx with a cluster's size, ranks, shared memory of neighbours, refusals. */
#include "check.h"

enum { BLOCKS = 16 };

__global__ void neighbours(int *out)
{
	__shared__ int mine;
	unsigned rank, size, neighbour;
	int value;
	asm("mov.u32 %0, %%cluster_ctarank;" : "=r"(rank));
	asm("mov.u32 %0, %%cluster_nctarank;" : "=r"(size));
	if (threadIdx.x == 0)
		mine = 10 * blockIdx.x + 1;
	asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
	unsigned at = (unsigned)__cvta_generic_to_shared(&mine);
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
	             : "=r"(neighbour)
	             : "r"(at), "r"((rank + 1) % size));
	asm volatile("ld.shared::cluster.u32 %0, [%1];" : "=r"(value) : "r"(neighbour) : "memory");
	if (threadIdx.x == 0) {
		out[blockIdx.x] = value;
		out[BLOCKS + blockIdx.x] = (int)(100 * size + rank);
	}
	asm volatile("barrier.cluster.arrive.aligned;\n\tbarrier.cluster.wait.aligned;" ::: "memory");
}

static cudaError_t launch(int *out, int blocks, int cluster)
{
	cudaLaunchAttribute attribute[1];
	cudaLaunchConfig_t config = {};
	memset(attribute, 0, sizeof attribute);
	attribute[0].id = cudaLaunchAttributeClusterDimension;
	attribute[0].val.clusterDim.x = cluster;
	attribute[0].val.clusterDim.y = 1;
	attribute[0].val.clusterDim.z = 1;
	config.gridDim = dim3(blocks);
	config.blockDim = dim3(64);
	config.attrs = attribute;
	config.numAttrs = 1;
	return cudaLaunchKernelEx(&config, neighbours, out);
}

int main(void)
{
	static int want[2 * BLOCKS];
	int *out = zeros_like(want), supported = 0;
	CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrClusterLaunch, 0));
	check_equal("clusters can be launched", supported, 1);
	for (int cluster = 1; cluster <= 8; cluster *= 2) {
		CUDA(launch(out, BLOCKS, cluster));
		for (int i = 0; i < BLOCKS; i++) {
			int first = i / cluster * cluster;
			want[i] = 10 * (first + (i - first + 1) % cluster) + 1;
			want[BLOCKS + i] = 100 * cluster + i - first;
		}
		check_kept("a cluster", out, want);
	}
	check_equal("a grid that is not whole clusters", launch(out, 15, 2), cudaErrorInvalidClusterSize);
	check_equal("a cluster too large", launch(out, 16, 16), cudaErrorInvalidClusterSize);
	cudaGetLastError();
	CUDA(cudaFuncSetAttribute(neighbours, cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
	struct cudaFuncAttributes attributes;
	CUDA(cudaFuncGetAttributes(&attributes, neighbours));
	check_equal("unless the kernel may", attributes.nonPortableClusterSizeAllowed, 1);
	check_equal("so it runs", launch(out, 16, 16), cudaSuccess);
	SYNC();
	CUDA(cudaFree(out));
	return check_finish("cluster_launches");
}
