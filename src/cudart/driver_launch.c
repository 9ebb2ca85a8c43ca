/* Launches and functions of the driver API, streams and events. */
#include <stdlib.h>

#include "cudart/driver.h"
#include "cudart/launch.h"

#include <cuda_runtime_api.h>

/* ---- launches -------------------------------------------------------------------------------------------------- */

struct packed_args {
	const uint8_t *bytes;
	size_t size;
	bool is_valid;
};

/* {pointer, buffer, size, &bytes, end} in any order. */
static struct packed_args read_extra(void *const *extra)
{
	struct packed_args packed = {.is_valid = true};
	for (; *extra != CU_LAUNCH_PARAM_END; extra += 2) {
		if (extra[0] == CU_LAUNCH_PARAM_BUFFER_POINTER)
			packed.bytes = extra[1];
		else if (extra[0] == CU_LAUNCH_PARAM_BUFFER_SIZE)
			packed.size = *(const size_t *)extra[1];
		else
			packed.is_valid = false;
		if (!packed.is_valid)
			break;
	}
	return packed;
}

static cudaError_t launch_packed(struct runtime *rt, struct launch *launch, void *const *extra)
{
	struct function function;
	struct packed_args packed = read_extra(extra);
	cudaError_t result = function_find(rt, launch->host, &function);
	if (result)
		return result;
	uint64_t needed = function.symbol->module->loaded->ptx->functions[function.entry].param_bytes;
	if (!packed.is_valid || (needed && !packed.bytes))
		return cudaErrorInvalidValue;
	if (packed.size != needed)
		return cudaErrorLaunchOutOfResources;
	launch->args = launch_unpack_args(&function, packed.bytes);
	result = launch_kernel(rt, launch);
	free(launch->args);
	return result;
}

static cudaError_t launch_any(struct runtime *rt, struct launch *launch, void *const *extra)
{
	if (launch->args && extra)
		return cudaErrorInvalidValue;
	return extra ? launch_packed(rt, launch, extra) : launch_kernel(rt, launch);
}

API_PART(RUNTIME_CALL, launch_function, (struct launch * launch, void *const *extra),
         launch_any(rt, launch, extra))

CUresult cuLaunchKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                        unsigned block_x, unsigned block_y, unsigned block_z, unsigned shared_bytes,
                        CUstream stream, void **args, void **extra)
{
	struct launch launch = {.host = function,
	                        .grid = {grid_x, grid_y, grid_z},
	                        .block = {block_x, block_y, block_z},
	                        .args = args,
	                        .shared_bytes = shared_bytes,
	                        .stream = stream};
	DRIVER_CALL(function ? launch_function(&launch, extra) : cudaErrorInvalidResourceHandle);
}

CUresult cuLaunchCooperativeKernel(CUfunction function, unsigned grid_x, unsigned grid_y, unsigned grid_z,
                                   unsigned block_x, unsigned block_y, unsigned block_z,
                                   unsigned shared_bytes, CUstream stream, void **args)
{
	struct launch launch = {.host = function,
	                        .grid = {grid_x, grid_y, grid_z},
	                        .block = {block_x, block_y, block_z},
	                        .args = args,
	                        .shared_bytes = shared_bytes,
	                        .stream = stream,
	                        .is_cooperative = true};
	DRIVER_CALL(function ? launch_function(&launch, NULL) : cudaErrorInvalidResourceHandle);
}

DRIVER_API(cuLaunchHostFunc, (CUstream stream, CUhostFn function, void *user),
           cudaLaunchHostFunc(stream, function, user))

/* ---- functions --------------------------------------------------------------------------------------------------- */

static int pick(const struct cudaFuncAttributes *a, CUfunction_attribute which)
{
	const int values[] = {
	    [CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK] = a->maxThreadsPerBlock,
	    [CU_FUNC_ATTRIBUTE_SHARED_SIZE_BYTES] = (int)a->sharedSizeBytes,
	    [CU_FUNC_ATTRIBUTE_CONST_SIZE_BYTES] = (int)a->constSizeBytes,
	    [CU_FUNC_ATTRIBUTE_LOCAL_SIZE_BYTES] = (int)a->localSizeBytes,
	    [CU_FUNC_ATTRIBUTE_NUM_REGS] = a->numRegs,
	    [CU_FUNC_ATTRIBUTE_PTX_VERSION] = a->ptxVersion,
	    [CU_FUNC_ATTRIBUTE_BINARY_VERSION] = a->binaryVersion,
	    [CU_FUNC_ATTRIBUTE_CACHE_MODE_CA] = a->cacheModeCA,
	    [CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES] = a->maxDynamicSharedSizeBytes,
	    [CU_FUNC_ATTRIBUTE_PREFERRED_SHARED_MEMORY_CARVEOUT] = a->preferredShmemCarveout,
	    [CU_FUNC_ATTRIBUTE_CLUSTER_SIZE_MUST_BE_SET] = a->clusterDimMustBeSet,
	    [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_WIDTH] = a->requiredClusterWidth,
	    [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_HEIGHT] = a->requiredClusterHeight,
	    [CU_FUNC_ATTRIBUTE_REQUIRED_CLUSTER_DEPTH] = a->requiredClusterDepth,
	    [CU_FUNC_ATTRIBUTE_NON_PORTABLE_CLUSTER_SIZE_ALLOWED] = a->nonPortableClusterSizeAllowed,
	    [CU_FUNC_ATTRIBUTE_CLUSTER_SCHEDULING_POLICY_PREFERENCE] = a->clusterSchedulingPolicyPreference,
	};
	return values[which];
}

CUresult cuFuncGetAttribute(int *value, CUfunction_attribute which, CUfunction function)
{
	struct cudaFuncAttributes attributes;
	CUresult ready = driver_enter();
	if (ready)
		return ready;
	cudaError_t result = value && (unsigned)which < CU_FUNC_ATTRIBUTE_MAX
	                         ? cudaFuncGetAttributes(&attributes, function)
	                         : cudaErrorInvalidValue;
	if (!result)
		*value = pick(&attributes, which);
	return driver_leave(result);
}

DRIVER_API(cuFuncSetAttribute, (CUfunction function, CUfunction_attribute which, int value),
           cudaFuncSetAttribute(function, (enum cudaFuncAttribute)which, value))
DRIVER_API(cuFuncSetCacheConfig, (CUfunction function, CUfunc_cache config),
           cudaFuncSetCacheConfig(function, (enum cudaFuncCache)config))
DRIVER_API(cuFuncSetSharedMemConfig, (CUfunction function, CUsharedconfig config),
           cudaFuncSetSharedMemConfig(function, (enum cudaSharedMemConfig)config))
DRIVER_API(cuFuncGetName, (const char **name, CUfunction function), cudaFuncGetName(name, function))
DRIVER_API(cuFuncGetParamInfo, (CUfunction function, size_t index, size_t *offset, size_t *bytes),
           cudaFuncGetParamInfo(function, index, offset, bytes))

static cudaError_t module_of(struct runtime *rt, CUmodule *out, CUfunction function)
{
	struct symbol *symbol;
	uint32_t entry;
	if (!out || !function)
		return cudaErrorInvalidValue;
	cudaError_t result = registry_kernel(rt, function, &symbol, &entry);
	if (!result)
		*out = (CUmodule)symbol->module;
	return result;
}

API_PART(RUNTIME_CALL, function_module, (CUmodule * out, CUfunction function), module_of(rt, out, function))
DRIVER_API(cuFuncGetModule, (CUmodule * module, CUfunction function), function_module(module, function))
DRIVER_API(cuOccupancyMaxActiveBlocksPerMultiprocessor,
           (int *blocks, CUfunction function, int threads, size_t shared_bytes),
           cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, function, threads, shared_bytes))
DRIVER_API(cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags,
           (int *blocks, CUfunction function, int threads, size_t shared_bytes, unsigned flags),
           cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, function, threads, shared_bytes,
                                                                  flags))

CUresult cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                          CUoccupancyB2DSize shared, size_t shared_bytes, int limit)
{
	int most = 0, sms = 0, best = 0, blocks = 0;
	CUresult result = grid && block
	                      ? cuFuncGetAttribute(&most, CU_FUNC_ATTRIBUTE_MAX_THREADS_PER_BLOCK, function)
	                      : CUDA_ERROR_INVALID_VALUE;
	if (!result)
		result = cuDeviceGetAttribute(&sms, CU_DEVICE_ATTRIBUTE_MULTIPROCESSOR_COUNT, 0);
	most = limit > 0 && limit < most ? limit : most;
	for (int threads = (most + 31) / 32 * 32; !result && threads > 0; threads -= 32) {
		int size = threads < most ? threads : most;
		result = cuOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, size,
		                                                     shared ? shared(size) : shared_bytes);
		if (blocks * size > best) {
			best = blocks * size;
			*block = size;
			*grid = blocks * sms;
		}
	}
	return result;
}

/* ---- streams and events -------------------------------------------------------------------------------------------- */

DRIVER_API(cuStreamCreate, (CUstream * stream, unsigned flags), cudaStreamCreateWithFlags(stream, flags))
DRIVER_API(cuStreamCreateWithPriority, (CUstream * stream, unsigned flags, int priority),
           cudaStreamCreateWithPriority(stream, flags, priority))
DRIVER_API(cuStreamDestroy, (CUstream stream), cudaStreamDestroy(stream))
DRIVER_API(cuStreamSynchronize, (CUstream stream), cudaStreamSynchronize(stream))
DRIVER_API(cuStreamQuery, (CUstream stream), cudaStreamQuery(stream))
DRIVER_API(cuStreamWaitEvent, (CUstream stream, CUevent event, unsigned flags),
           cudaStreamWaitEvent(stream, event, flags))

CUresult cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user, unsigned flags)
{
	CUresult result = callback && !flags ? cuStreamSynchronize(stream) : CUDA_ERROR_INVALID_VALUE;
	if (!result)
		callback(stream, CUDA_SUCCESS, user);
	return result;
}

DRIVER_API(cuStreamGetFlags, (CUstream stream, unsigned *flags), cudaStreamGetFlags(stream, flags))
DRIVER_API(cuStreamGetPriority, (CUstream stream, int *priority), cudaStreamGetPriority(stream, priority))
DRIVER_API(cuEventCreate, (CUevent * event, unsigned flags), cudaEventCreateWithFlags(event, flags))
DRIVER_API(cuEventDestroy, (CUevent event), cudaEventDestroy(event))
DRIVER_API(cuEventRecord, (CUevent event, CUstream stream), cudaEventRecord(event, stream))
DRIVER_API(cuEventSynchronize, (CUevent event), cudaEventSynchronize(event))
DRIVER_API(cuEventQuery, (CUevent event), cudaEventQuery(event))
DRIVER_API(cuEventElapsedTime, (float *milliseconds, CUevent start, CUevent end),
           cudaEventElapsedTime(milliseconds, start, end))

DRIVER_ALIAS(cuStreamDestroy_v2, cuStreamDestroy);
DRIVER_ALIAS(cuEventDestroy_v2, cuEventDestroy);
DRIVER_ALIAS(cuEventElapsedTime_v2, cuEventElapsedTime);
