/* Occupancy: how many CTAs of a kernel an SM of the machine holds at once. */
#include "cudart/calls.h"
#include "cudart/launch.h"

#include <cuda_runtime_api.h>

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

uint32_t function_occupancy(const struct runtime *rt, const struct function *function, uint64_t threads,
                            uint64_t dynamic_shared)
{
	const struct machine *m = rt->machine;
	if (!threads || threads > function->max_threads)
		return 0;
	uint64_t warps = (threads + m->sm_warp_size - 1) / m->sm_warp_size;
	uint64_t ctas = smaller(m->sm_ctas, smaller(m->sm_warps / warps, m->sm_threads / threads));
	uint64_t register_warps = function_register_threads(rt, function->registers) / m->sm_warp_size;
	ctas = smaller(ctas, register_warps / warps);
	uint64_t shared = function->kernel->shared_bytes + dynamic_shared;
	if (shared)
		ctas = smaller(ctas, m->smem_bytes / (shared + m->smem_reserved_per_cta));
	return (uint32_t)ctas;
}

static cudaError_t active_blocks(struct runtime *rt, int *out, const void *host, int threads,
                                 size_t dynamic_shared, unsigned flags)
{
	struct function function;
	if (!out || threads <= 0 || flags & ~(unsigned)cudaOccupancyDisableCachingOverride)
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	function.max_threads =
	    (uint32_t)rt->properties.maxThreadsPerBlock; /* launch bounds do not count here */
	*out = (int)function_occupancy(rt, &function, (uint64_t)threads, dynamic_shared);
	return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *out, const void *host, int threads,
                                                          size_t dynamic_shared)
{
	RUNTIME_CALL(active_blocks(rt, out, host, threads, dynamic_shared, cudaOccupancyDefault));
}

cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *out, const void *host, int threads,
                                                                   size_t dynamic_shared, unsigned flags)
{
	RUNTIME_CALL(active_blocks(rt, out, host, threads, dynamic_shared, flags));
}

/* ---- shared memory that is left ---------------------------------------------------------------------------- */

static cudaError_t available_shared(struct runtime *rt, size_t *out, const void *host, int blocks,
                                    int threads)
{
	struct function function;
	const struct machine *m = rt->machine;
	if (!out || blocks <= 0 || threads <= 0)
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	if (function_occupancy(rt, &function, (uint64_t)threads, 0) < (uint32_t)blocks)
		return cudaErrorInvalidValue;
	enum { SHARED_UNIT = 128 }; /* CTAs get shared memory in multiples of this */
	/* As measured: what the system keeps of a CTA's share is not taken off. */
	uint64_t share = m->smem_bytes / (uint32_t)blocks / SHARED_UNIT * SHARED_UNIT;
	share = smaller(share, rt->properties.sharedMemPerBlockOptin);
	share -= smaller(share, function.kernel->shared_bytes);
	*out = smaller(share, function.max_dynamic_shared);
	return cudaSuccess;
}

cudaError_t cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *host, int blocks,
                                                      int threads)
{
	RUNTIME_CALL(available_shared(rt, bytes, host, blocks, threads));
}

/* ---- clusters ----------------------------------------------------------------------------------------------- */

enum { PORTABLE_CLUSTER = 8, LARGEST_CLUSTER = 16 };

static uint32_t largest_cluster(const struct function *function)
{
	return function->symbol->settings.allows_large_clusters ? LARGEST_CLUSTER : PORTABLE_CLUSTER;
}

static cudaError_t cluster_size(struct runtime *rt, int *out, const void *host,
                                const cudaLaunchConfig_t *config)
{
	struct function function;
	if (!out || !config)
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (!result)
		*out = (int)largest_cluster(&function);
	return result;
}

cudaError_t cudaOccupancyMaxPotentialClusterSize(int *size, const void *host,
                                                 const cudaLaunchConfig_t *config)
{
	RUNTIME_CALL(cluster_size(rt, size, host, config));
}

static struct dim3 cluster_of(const cudaLaunchConfig_t *config)
{
	struct dim3 cluster = {1, 1, 1};
	for (unsigned i = 0; i < config->numAttrs; i++)
		if (config->attrs[i].id == cudaLaunchAttributeClusterDimension)
			cluster = (struct dim3){config->attrs[i].val.clusterDim.x,
			                        config->attrs[i].val.clusterDim.y,
			                        config->attrs[i].val.clusterDim.z};
	return cluster;
}

/* CTAs of a cluster; 0: it is none, or the grid is not made of it. */
static uint64_t cluster_ctas(struct dim3 cluster, struct dim3 grid, uint32_t largest)
{
	uint64_t ctas = (uint64_t)cluster.x * cluster.y * cluster.z;
	if (!ctas || ctas > largest || grid.x % cluster.x || grid.y % cluster.y || grid.z % cluster.z)
		return 0;
	return ctas;
}

/* A cluster lives in one GPC, and GPCs differ by an SM when their number does not divide that of the SMs. */
static uint64_t clusters_of_gpcs(const struct machine *m, uint64_t resident, uint64_t ctas)
{
	uint64_t clusters = 0;
	for (uint32_t gpc = 0; gpc < m->sm_gpcs; gpc++) {
		uint64_t sms = m->sm_count / m->sm_gpcs + (gpc < m->sm_count % m->sm_gpcs);
		clusters += sms * resident / ctas;
	}
	return clusters;
}

static cudaError_t active_clusters(struct runtime *rt, int *out, const void *host,
                                   const cudaLaunchConfig_t *config)
{
	struct function function;
	if (!out || !config || (config->numAttrs && !config->attrs))
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	uint64_t ctas = cluster_ctas(cluster_of(config), config->gridDim, largest_cluster(&function));
	if (!ctas)
		return cudaErrorInvalidClusterSize;
	uint64_t threads = (uint64_t)config->blockDim.x * config->blockDim.y * config->blockDim.z;
	if (!threads)
		return cudaErrorInvalidValue;
	uint64_t resident = function_occupancy(rt, &function, threads, config->dynamicSmemBytes);
	*out = (int)clusters_of_gpcs(rt->machine, resident, ctas);
	return cudaSuccess;
}

cudaError_t cudaOccupancyMaxActiveClusters(int *clusters, const void *host, const cudaLaunchConfig_t *config)
{
	RUNTIME_CALL(active_clusters(rt, clusters, host, config));
}
