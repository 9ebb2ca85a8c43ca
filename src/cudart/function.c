/* Kernels: found, asked for attributes, set; and how many of their CTAs an SM or a GPC of the machine holds. */
#include <string.h>

#include "base/bits.h"
#include "cudart/calls.h"
#include "cudart/function.h"
#include "cudart/launch.h"

#include <cuda_runtime_api.h>

enum { REGISTER_MAX = 255 };

static uint32_t bound_threads(const struct runtime *rt, const struct ptx_function *f)
{
	uint64_t bound = 1;
	for (unsigned i = 0; i < 3; i++)
		bound *= f->maxntid[i] ? f->maxntid[i] : 1;
	bool is_bound = f->maxntid[0] || f->maxntid[1] || f->maxntid[2];
	uint32_t most = (uint32_t)rt->properties.maxThreadsPerBlock;
	return is_bound ? (uint32_t)bits_min(bound, most) : most;
}

uint32_t function_register_threads(const struct runtime *rt, uint32_t registers)
{
	const struct machine *m = rt->machine;
	uint32_t per_warp = (registers * m->sm_warp_size + m->sm_register_unit - 1) / m->sm_register_unit *
	                    m->sm_register_unit;
	return per_warp ? m->sm_registers / per_warp * m->sm_warp_size : UINT32_MAX;
}

cudaError_t function_find(struct runtime *rt, const void *host, struct function *function)
{
	struct error err = {0};
	memset(function, 0, sizeof *function);
	cudaError_t result = registry_kernel(rt, host, &function->symbol, &function->entry);
	if (result)
		return result;
	struct loaded_module *loaded = function->symbol->module->loaded;
	function->kernel = exec_kernel_facts(rt->exec, loaded, function->entry, &err);
	if (!function->kernel) {
		runtime_say("%s", err.text);
		return cudaErrorNotSupported;
	}
	function->registers = (uint32_t)bits_min(function->kernel->registers, REGISTER_MAX);
	if (rt->register_limit && function->registers > rt->register_limit)
		function->registers = rt->register_limit;
	uint32_t bound = bound_threads(rt, &loaded->ptx->functions[function->entry]);
	function->max_threads = (uint32_t)bits_min(bound, function_register_threads(rt, function->registers));
	uint64_t allowed = rt->properties.sharedMemPerBlock -
	                   bits_min(rt->properties.sharedMemPerBlock, function->kernel->shared_bytes);
	const struct function_settings *settings = &function->symbol->settings;
	function->max_dynamic_shared =
	    settings->has_max_dynamic_shared ? settings->max_dynamic_shared : (uint32_t)allowed;
	return cudaSuccess;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static uint64_t const_bytes(const struct ptx_module *ptx)
{
	uint64_t bytes = 0;
	for (uint32_t i = 0; i < ptx->variable_count; i++)
		if (ptx->variables[i].space == PTX_SPACE_const)
			bytes += ptx->variables[i].bytes;
	return bytes;
}

static cudaError_t attributes(struct runtime *rt, struct cudaFuncAttributes *out, const void *host)
{
	struct function function;
	if (!out)
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	const struct ptx_module *ptx = function.symbol->module->loaded->ptx;
	uint64_t local = 0;
	for (uint32_t i = 0; i < function.kernel->function_count; i++)
		local += ptx->functions[function.kernel->functions[i]].local_bytes;
	const struct function_settings *settings = &function.symbol->settings;
	const uint32_t *compiled = ptx->functions[function.entry].cluster;
	*out = (struct cudaFuncAttributes){
	    .sharedSizeBytes = function.kernel->shared_bytes,
	    .constSizeBytes = const_bytes(ptx),
	    .localSizeBytes = local,
	    .maxThreadsPerBlock = (int)function.max_threads,
	    .numRegs = (int)function.registers,
	    .ptxVersion = (int)ptx->target,
	    .binaryVersion = 10 * rt->properties.major + rt->properties.minor,
	    .maxDynamicSharedSizeBytes = (int)function.max_dynamic_shared,
	    .preferredShmemCarveout =
	        settings->has_carveout ? settings->carveout : (int)cudaSharedmemCarveoutDefault,
	    .clusterDimMustBeSet = compiled[0] != 0,
	    .requiredClusterWidth = (int)compiled[0],
	    .requiredClusterHeight = (int)compiled[1],
	    .requiredClusterDepth = (int)compiled[2],
	    .clusterSchedulingPolicyPreference = settings->cluster_policy,
	    .nonPortableClusterSizeAllowed = settings->allows_large_clusters,
	};
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaFuncGetAttributes, (struct cudaFuncAttributes * out, const void *host),
    attributes(rt, out, host))

/* A wish, as the driver takes it: any percentage, or none. */
static cudaError_t set_carveout(struct function_settings *settings, int value)
{
	if (value < -1 || value > 100)
		return cudaErrorInvalidValue;
	settings->has_carveout = true;
	settings->carveout = value;
	return cudaSuccess;
}

static cudaError_t set_attribute(struct runtime *rt, const void *host, enum cudaFuncAttribute attribute,
                                 int value)
{
	struct function function;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	struct function_settings *settings = &function.symbol->settings;
	switch (attribute) {
	case cudaFuncAttributeMaxDynamicSharedMemorySize:
		if (value < 0 ||
		    (uint64_t)value + function.kernel->shared_bytes > rt->properties.sharedMemPerBlockOptin)
			return cudaErrorInvalidValue;
		settings->has_max_dynamic_shared = true;
		settings->max_dynamic_shared = (uint32_t)value;
		return cudaSuccess;
	case cudaFuncAttributePreferredSharedMemoryCarveout:
		return set_carveout(settings, value);
	case cudaFuncAttributeNonPortableClusterSizeAllowed:
		settings->allows_large_clusters = value != 0;
		return cudaSuccess;
	case cudaFuncAttributeClusterSchedulingPolicyPreference:
		if (value < cudaClusterSchedulingPolicyDefault ||
		    value > cudaClusterSchedulingPolicyLoadBalancing)
			return cudaErrorInvalidValue;
		settings->cluster_policy = value;
		return cudaSuccess;
	default: /* what the kernel was compiled with cannot be set */
		return cudaErrorInvalidValue;
	}
}

API(RUNTIME_CALL, cudaFuncSetAttribute, (const void *host, enum cudaFuncAttribute attribute, int value),
    set_attribute(rt, host, attribute, value))

/* Preferences that the machine decides by itself: checked, and nothing changes. */
static cudaError_t check_preference(struct runtime *rt, const void *host, bool is_valid)
{
	struct function function;
	return is_valid ? function_find(rt, host, &function) : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaFuncSetCacheConfig, (const void *host, enum cudaFuncCache config),
    check_preference(rt, host, (unsigned)config <= cudaFuncCachePreferEqual))
API(RUNTIME_CALL, cudaFuncSetSharedMemConfig, (const void *host, enum cudaSharedMemConfig config),
    check_preference(rt, host, (unsigned)config <= cudaSharedMemBankSizeEightByte))

/* ---- names and parameters ------------------------------------------------------------------------------- */

static cudaError_t name_of(struct runtime *rt, const char **name, const void *host)
{
	struct function function;
	if (!name)
		return cudaErrorInvalidValue;
	cudaError_t result = function_find(rt, host, &function);
	if (!result)
		*name = function.symbol->name;
	return result;
}

API(RUNTIME_CALL, cudaFuncGetName, (const char **name, const void *host), name_of(rt, name, host))

static cudaError_t parameter(struct runtime *rt, const void *host, size_t index, size_t *offset,
                             size_t *bytes)
{
	struct function function;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	const struct ptx_module *ptx = function.symbol->module->loaded->ptx;
	const struct ptx_function *f = &ptx->functions[function.entry];
	if (!offset || index >= f->param_count)
		return cudaErrorInvalidValue;
	*offset = ptx_param_offset(ptx, f, (uint32_t)index);
	if (bytes)
		*bytes = ptx->variables[f->params[index]].bytes;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaFuncGetParamInfo, (const void *host, size_t index, size_t *offset, size_t *bytes),
    parameter(rt, host, index, offset, bytes))

/* A function of the driver API is the kernel's entry in the registry; see driver_module.c. */
static cudaError_t handle_of(struct runtime *rt, struct symbol **out, const void *host)
{
	uint32_t entry;
	return out ? registry_kernel(rt, host, out, &entry) : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaGetFuncBySymbol, (cudaFunction_t * function, const void *host),
    handle_of(rt, (struct symbol **)(void *)function, host))
API(RUNTIME_CALL, cudaGetKernel, (cudaKernel_t * kernel, const void *host),
    handle_of(rt, (struct symbol **)(void *)kernel, host))

/* ---- occupancy ----------------------------------------------------------------------------------------------- */

uint32_t function_occupancy(const struct runtime *rt, const struct function *function, uint64_t threads,
                            uint64_t dynamic_shared)
{
	const struct machine *m = rt->machine;
	if (!threads || threads > function->max_threads)
		return 0;
	uint64_t warps = (threads + m->sm_warp_size - 1) / m->sm_warp_size;
	uint64_t ctas = bits_min(m->sm_ctas, bits_min(m->sm_warps / warps, m->sm_threads / threads));
	uint64_t register_warps = function_register_threads(rt, function->registers) / m->sm_warp_size;
	ctas = bits_min(ctas, register_warps / warps);
	uint64_t shared = function->kernel->shared_bytes + dynamic_shared;
	if (shared)
		ctas = bits_min(ctas, m->smem_bytes / (shared + m->smem_reserved_per_cta));
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

API(RUNTIME_CALL, cudaOccupancyMaxActiveBlocksPerMultiprocessor,
    (int *out, const void *host, int threads, size_t dynamic_shared),
    active_blocks(rt, out, host, threads, dynamic_shared, cudaOccupancyDefault))
API(RUNTIME_CALL, cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
    (int *out, const void *host, int threads, size_t dynamic_shared, unsigned flags),
    active_blocks(rt, out, host, threads, dynamic_shared, flags))

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
	share = bits_min(share, rt->properties.sharedMemPerBlockOptin);
	share -= bits_min(share, function.kernel->shared_bytes);
	*out = bits_min(share, function.max_dynamic_shared);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaOccupancyAvailableDynamicSMemPerBlock,
    (size_t * bytes, const void *host, int blocks, int threads),
    available_shared(rt, bytes, host, blocks, threads))

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

API(RUNTIME_CALL, cudaOccupancyMaxPotentialClusterSize,
    (int *size, const void *host, const cudaLaunchConfig_t *config), cluster_size(rt, size, host, config))

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

API(RUNTIME_CALL, cudaOccupancyMaxActiveClusters,
    (int *clusters, const void *host, const cudaLaunchConfig_t *config),
    active_clusters(rt, clusters, host, config))
