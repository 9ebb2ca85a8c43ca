/* Kernels as the API sees them: attributes, settings, occupancy. */
#include "cudart/function.h"

#include <string.h>

#include "cudart/calls.h"

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

/* As many threads as the register file holds, in whole warps. */
static uint32_t register_threads(const struct runtime *rt, uint32_t registers)
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
		return cudaErrorInvalidDeviceFunction;
	}
	function->registers = (uint32_t)smaller(function->kernel->registers, REGISTER_MAX);
	if (rt->register_limit && function->registers > rt->register_limit)
		function->registers = rt->register_limit;
	uint32_t bound = bound_threads(rt, &loaded->ptx->functions[function->entry]);
	function->max_threads = (uint32_t)smaller(bound, register_threads(rt, function->registers));
	uint64_t allowed = rt->properties.sharedMemPerBlock -
	                   smaller(rt->properties.sharedMemPerBlock, function->kernel->shared_bytes);
	function->max_dynamic_shared =
	    function->symbol->max_dynamic_shared ? function->symbol->max_dynamic_shared : (uint32_t)allowed;
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
	*out = (struct cudaFuncAttributes){.sharedSizeBytes = function.kernel->shared_bytes,
	                                   .constSizeBytes = const_bytes(ptx),
	                                   .localSizeBytes = local,
	                                   .maxThreadsPerBlock = (int)function.max_threads,
	                                   .numRegs = (int)function.registers,
	                                   .ptxVersion = (int)ptx->target,
	                                   .binaryVersion = 10 * rt->properties.major + rt->properties.minor,
	                                   .maxDynamicSharedSizeBytes = (int)function.max_dynamic_shared,
	                                   .preferredShmemCarveout = cudaSharedmemCarveoutDefault};
	return cudaSuccess;
}

cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *out, const void *host)
{
	RUNTIME_CALL(attributes(rt, out, host));
}

static cudaError_t set_attribute(struct runtime *rt, const void *host, enum cudaFuncAttribute attribute,
                                 int value)
{
	struct function function;
	cudaError_t result = function_find(rt, host, &function);
	if (result)
		return result;
	if (attribute == cudaFuncAttributePreferredSharedMemoryCarveout)
		return value >= -1 && value <= 100 ? cudaSuccess : cudaErrorInvalidValue; /* a hint */
	uint64_t optin = rt->properties.sharedMemPerBlockOptin;
	if (attribute != cudaFuncAttributeMaxDynamicSharedMemorySize || value < 0 ||
	    (uint64_t)value + function.kernel->shared_bytes > optin)
		return cudaErrorInvalidValue;
	function.symbol->max_dynamic_shared = (uint32_t)value;
	return cudaSuccess;
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

/* ---- occupancy ------------------------------------------------------------------------------------------ */

uint32_t function_occupancy(const struct runtime *rt, const struct function *function, uint64_t threads,
                            uint64_t dynamic_shared)
{
	const struct machine *m = rt->machine;
	if (!threads || threads > function->max_threads)
		return 0;
	uint64_t warps = (threads + m->sm_warp_size - 1) / m->sm_warp_size;
	uint64_t ctas = smaller(m->sm_ctas, smaller(m->sm_warps / warps, m->sm_threads / threads));
	uint64_t register_warps = register_threads(rt, function->registers) / m->sm_warp_size;
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
