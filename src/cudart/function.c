/* Kernels as the API sees them: attributes, settings, occupancy. */
#include "cudart/function.h"

#include <string.h>

#include "cudart/calls.h"

#include <cuda_runtime_api.h>

enum { REGISTER_MAX = 255 };

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

static uint32_t bound_threads(const struct runtime *rt, const struct ptx_function *f)
{
	uint64_t bound = 1;
	for (unsigned i = 0; i < 3; i++)
		bound *= f->maxntid[i] ? f->maxntid[i] : 1;
	bool is_bound = f->maxntid[0] || f->maxntid[1] || f->maxntid[2];
	uint32_t most = (uint32_t)rt->properties.maxThreadsPerBlock;
	return is_bound ? (uint32_t)smaller(bound, most) : most;
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
	function->registers = (uint32_t)smaller(function->kernel->registers, REGISTER_MAX);
	if (rt->register_limit && function->registers > rt->register_limit)
		function->registers = rt->register_limit;
	uint32_t bound = bound_threads(rt, &loaded->ptx->functions[function->entry]);
	function->max_threads = (uint32_t)smaller(bound, function_register_threads(rt, function->registers));
	uint64_t allowed = rt->properties.sharedMemPerBlock -
	                   smaller(rt->properties.sharedMemPerBlock, function->kernel->shared_bytes);
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

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *host)
{
	RUNTIME_CALL(attributes(rt, out, host));
}

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

cudaError_t cudaFuncSetAttribute(const void *host, enum cudaFuncAttribute attribute, int value)
{
	RUNTIME_CALL(set_attribute(rt, host, attribute, value));
}

/* Preferences that the machine decides by itself: checked, and nothing changes. */
static cudaError_t check_preference(struct runtime *rt, const void *host, bool is_valid)
{
	struct function function;
	return is_valid ? function_find(rt, host, &function) : cudaErrorInvalidValue;
}

cudaError_t cudaFuncSetCacheConfig(const void *host, enum cudaFuncCache config)
{
	RUNTIME_CALL(check_preference(rt, host, (unsigned)config <= cudaFuncCachePreferEqual));
}

cudaError_t cudaFuncSetSharedMemConfig(const void *host, enum cudaSharedMemConfig config)
{
	RUNTIME_CALL(check_preference(rt, host, (unsigned)config <= cudaSharedMemBankSizeEightByte));
}

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

cudaError_t cudaFuncGetName(const char **name, const void *host)
{
	RUNTIME_CALL(name_of(rt, name, host));
}

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

cudaError_t cudaFuncGetParamInfo(const void *host, size_t index, size_t *offset, size_t *bytes)
{
	RUNTIME_CALL(parameter(rt, host, index, offset, bytes));
}

/* A function of the driver API is the kernel's entry in the registry; see driver_module.c. */
static cudaError_t handle_of(struct runtime *rt, struct symbol **out, const void *host)
{
	uint32_t entry;
	return out ? registry_kernel(rt, host, out, &entry) : cudaErrorInvalidValue;
}

cudaError_t cudaGetFuncBySymbol(cudaFunction_t *function, const void *host)
{
	RUNTIME_CALL(handle_of(rt, (struct symbol **)(void *)function, host));
}

cudaError_t cudaGetKernel(cudaKernel_t *kernel, const void *host)
{
	RUNTIME_CALL(handle_of(rt, (struct symbol **)(void *)kernel, host));
}
