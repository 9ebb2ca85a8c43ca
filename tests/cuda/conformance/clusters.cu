/* Clusters: ranks, shared memory of the other CTAs by load, store and atomic, and the cluster's barrier. */
#include "check.h"

enum { CLUSTER = 4, CTAS = 16, THREADS = 64 };

__device__ static uint32_t rank_here()
{
	uint32_t r;
	asm volatile("mov.u32 %0, %%cluster_ctarank;" : "=r"(r));
	return r;
}
__device__ static uint32_t in_rank(uint32_t address, uint32_t rank)
{
	uint32_t there;
	asm volatile("mapa.shared::cluster.u32 %0, %1, %2;" : "=r"(there) : "r"(address), "r"(rank));
	return there;
}
__device__ static void cluster_sync()
{
	asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
	asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
}

__global__ void ring(const uint32_t *in, uint32_t *out)
{
	__shared__ uint32_t own[THREADS], given[THREADS], sum;
	uint32_t t = threadIdx.x, rank = rank_here(), id, count, value;
	asm volatile("mov.u32 %0, %%clusterid.x;" : "=r"(id));
	asm volatile("mov.u32 %0, %%cluster_nctarank;" : "=r"(count));
	own[t] = in[blockIdx.x * THREADS + t];
	if (t == 0)
		sum = 0;
	cluster_sync();
	uint32_t next = (rank + 1) % CLUSTER, *slot = &out[(blockIdx.x * THREADS + t) * 4];
	asm volatile("ld.shared::cluster.u32 %0, [%1];"
	             : "=r"(value)
	             : "r"(in_rank(shared_address(&own[THREADS - 1 - t]), next))
	             : "memory");
	asm volatile("st.shared::cluster.u32 [%0], %1;" ::"r"(in_rank(shared_address(&given[t]), next)),
	             "r"(value * 3)
	             : "memory");
	asm volatile(
	    "red.relaxed.cluster.shared::cluster.add.u32 [%0], %1;" ::"r"(in_rank(shared_address(&sum), 0)),
	    "r"(own[t] & 0xffff)
	    : "memory");
	cluster_sync();
	slot[0] = value;
	slot[1] = given[t];
	slot[2] = rank == 0 ? sum : 0;
	slot[3] = id * 100 + rank * 10 + count;
	cluster_sync();
}

int main(void)
{
	static uint32_t in[CTAS][THREADS], want[CTAS][THREADS][4];
	for (int i = 0; i < CTAS * THREADS; i++)
		in[i / THREADS][i % THREADS] = (uint32_t)check_random();
	for (int b = 0; b < CTAS; b++) {
		int first = b / CLUSTER * CLUSTER, rank = b % CLUSTER;
		int next = first + (rank + 1) % CLUSTER;
		uint32_t sum = 0;
		for (int i = 0; i < CLUSTER * THREADS; i++)
			sum += in[first + i / THREADS][i % THREADS] & 0xffff;
		for (int t = 0; t < THREADS; t++) {
			want[b][t][0] = in[next][THREADS - 1 - t];
			/* The one before read our row and gave us its product. */
			want[b][t][1] = in[b][THREADS - 1 - t] * 3;
			want[b][t][2] = rank == 0 ? sum : 0;
			want[b][t][3] = (uint32_t)(b / CLUSTER * 100 + rank * 10 + CLUSTER);
		}
	}
	cudaLaunchConfig_t config = {};
	cudaLaunchAttribute attribute;
	attribute.id = cudaLaunchAttributeClusterDimension;
	attribute.val.clusterDim.x = CLUSTER;
	attribute.val.clusterDim.y = attribute.val.clusterDim.z = 1;
	config.gridDim = dim3(CTAS);
	config.blockDim = dim3(THREADS);
	config.attrs = &attribute;
	config.numAttrs = 1;
	const uint32_t *d = to_device(in);
	check_run("ring", want, [&](uint32_t *out) { CUDA(cudaLaunchKernelEx(&config, ring, d, out)); });
	return check_finish("clusters");
}
