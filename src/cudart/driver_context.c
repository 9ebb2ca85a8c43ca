/*
 * Contexts. The device has one address space and one set of modules here, so a
 * context is a name that threads hold on a stack; destroying one frees nothing
 * but the name. A GPU frees what was made in it.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/driver.h"

#include <cuda_runtime_api.h>

struct context {
	CUcontext handle;
	unsigned flags;
	unsigned references; /* of the primary one */
};

static struct context *context_new(struct runtime *rt, unsigned flags)
{
	struct context *context = memory_zeroed(1, sizeof *context);
	context->flags = flags;
	context->handle = handle_new(&rt->handles, HANDLE_CONTEXT, context);
	return context;
}

static struct context *primary(struct runtime *rt)
{
	if (!rt->primary_context)
		rt->primary_context = context_new(rt, 0);
	return rt->primary_context;
}

struct context *driver_current(void)
{
	struct runtime_thread *thread = runtime_thread();
	if (thread->context_count)
		return thread->contexts[thread->context_count - 1];
	if (!thread->uses_runtime)
		return NULL;
	struct runtime *rt = runtime_lock();
	struct context *context = primary(rt);
	runtime_unlock(rt);
	return context;
}

static void push(struct context *context)
{
	struct runtime_thread *thread = runtime_thread();
	thread->contexts = memory_grow(thread->contexts, thread->context_count + 1, sizeof *thread->contexts);
	thread->contexts[thread->context_count++] = context;
}

static struct context *pop(void)
{
	struct runtime_thread *thread = runtime_thread();
	struct context *context = thread->context_count ? thread->contexts[--thread->context_count] : NULL;
	if (!thread->context_count) {
		free(thread->contexts); /* threads end without telling us */
		thread->contexts = NULL;
	}
	return context;
}

static struct context *find(CUcontext handle)
{
	struct runtime *rt = runtime_lock();
	struct context *context = handle_get(&rt->handles, HANDLE_CONTEXT, handle);
	runtime_unlock(rt);
	return context;
}

static CUresult check_device(CUdevice device)
{
	struct runtime *rt = runtime_lock();
	bool is_started = rt->is_driver_started;
	runtime_unlock(rt);
	return !is_started ? CUDA_ERROR_NOT_INITIALIZED : device ? CUDA_ERROR_INVALID_DEVICE : CUDA_SUCCESS;
}

/* ---- making and choosing ---------------------------------------------------------------------------------- */

CUresult cuCtxCreate(CUcontext *out, unsigned flags, CUdevice device)
{
	CUresult result = out ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
	if (result)
		return result;
	struct runtime *rt = runtime_lock();
	struct context *context = context_new(rt, flags);
	runtime_unlock(rt);
	push(context);
	*out = context->handle;
	return CUDA_SUCCESS;
}

/* Taken off this thread's stack wherever it is; other threads that hold it would use a stale name on a GPU as well. */
CUresult cuCtxDestroy(CUcontext handle)
{
	struct runtime_thread *thread = runtime_thread();
	if (!handle)
		return CUDA_ERROR_INVALID_VALUE;
	struct runtime *rt = runtime_lock();
	struct context *context = handle_get(&rt->handles, HANDLE_CONTEXT, handle);
	bool is_primary = context == rt->primary_context;
	if (context && !is_primary)
		handle_remove(&rt->handles, HANDLE_CONTEXT, handle);
	runtime_unlock(rt);
	if (!context || is_primary)
		return CUDA_ERROR_INVALID_CONTEXT;
	unsigned kept = 0;
	for (unsigned i = 0; i < thread->context_count; i++)
		if (thread->contexts[i] != context)
			thread->contexts[kept++] = thread->contexts[i];
	thread->context_count = kept;
	free(context);
	return CUDA_SUCCESS;
}

CUresult cuCtxPushCurrent(CUcontext handle)
{
	CUresult result = check_device(0);
	if (result || !handle)
		return result ? result : CUDA_ERROR_INVALID_VALUE;
	struct context *context = find(handle);
	if (!context)
		return CUDA_ERROR_INVALID_CONTEXT;
	push(context);
	return CUDA_SUCCESS;
}

CUresult cuCtxPopCurrent(CUcontext *out)
{
	CUresult result = check_device(0);
	struct context *context = result ? NULL : pop();
	if (!context)
		return result ? result : CUDA_ERROR_INVALID_CONTEXT;
	if (out)
		*out = context->handle;
	return CUDA_SUCCESS;
}

CUresult cuCtxSetCurrent(CUcontext handle)
{
	CUresult result = check_device(0);
	struct context *context = handle ? find(handle) : NULL;
	if (result || (handle && !context))
		return result ? result : CUDA_ERROR_INVALID_CONTEXT;
	pop();
	if (context)
		push(context);
	return CUDA_SUCCESS;
}

CUresult cuCtxGetCurrent(CUcontext *out)
{
	CUresult result = out ? check_device(0) : CUDA_ERROR_INVALID_VALUE;
	if (result)
		return result;
	const struct context *context = driver_current();
	*out = context ? context->handle : NULL;
	return CUDA_SUCCESS;
}

DRIVER_API(cuCtxGetDevice, (CUdevice * device), cudaGetDevice(device))

CUresult cuCtxGetFlags(unsigned *flags)
{
	CUresult ready = driver_enter();
	if (ready)
		return ready;
	if (flags)
		*flags = driver_current()->flags;
	return driver_leave(flags ? cudaSuccess : cudaErrorInvalidValue);
}

CUresult cuCtxGetApiVersion(CUcontext handle, unsigned *version)
{
	if (!version)
		return CUDA_ERROR_INVALID_VALUE;
	if (!(handle ? find(handle) : driver_current()))
		return CUDA_ERROR_INVALID_CONTEXT;
	*version = 3020; /* of the interface of contexts, as every driver says */
	return CUDA_SUCCESS;
}

/* ---- the primary context ------------------------------------------------------------------------------------ */

CUresult cuDevicePrimaryCtxRetain(CUcontext *out, CUdevice device)
{
	CUresult result = out ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
	if (result)
		return result;
	struct runtime *rt = runtime_lock();
	struct context *context = primary(rt);
	context->references++;
	*out = context->handle;
	runtime_unlock(rt);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxRelease(CUdevice device)
{
	CUresult result = check_device(device);
	if (result)
		return result;
	struct runtime *rt = runtime_lock();
	struct context *context = primary(rt);
	bool was_held = context->references > 0;
	context->references -= was_held;
	runtime_unlock(rt);
	return was_held ? CUDA_SUCCESS : CUDA_ERROR_INVALID_CONTEXT;
}

CUresult cuDevicePrimaryCtxReset(CUdevice device)
{
	CUresult result = check_device(device);
	return result ? result : driver_result(cudaDeviceReset());
}

CUresult cuDevicePrimaryCtxGetState(CUdevice device, unsigned *flags, int *is_active)
{
	CUresult result = flags && is_active ? check_device(device) : CUDA_ERROR_INVALID_VALUE;
	if (result)
		return result;
	struct runtime *rt = runtime_lock();
	*flags = rt->primary_context ? rt->primary_context->flags : 0;
	*is_active =
	    rt->primary_context && (rt->primary_context->references || runtime_thread()->uses_runtime);
	runtime_unlock(rt);
	return CUDA_SUCCESS;
}

CUresult cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned flags)
{
	CUresult result = check_device(device);
	if (result)
		return result;
	struct runtime *rt = runtime_lock();
	primary(rt)->flags = flags;
	runtime_unlock(rt);
	return CUDA_SUCCESS;
}

/* ---- settings and waiting ------------------------------------------------------------------------------------ */

DRIVER_API(cuCtxSynchronize, (void), cudaDeviceSynchronize())
DRIVER_API(cuCtxSetLimit, (CUlimit limit, size_t value), cudaDeviceSetLimit((enum cudaLimit)limit, value))
DRIVER_API(cuCtxGetLimit, (size_t * value, CUlimit limit), cudaDeviceGetLimit(value, (enum cudaLimit)limit))
DRIVER_API(cuCtxSetCacheConfig, (CUfunc_cache config), cudaDeviceSetCacheConfig((enum cudaFuncCache)config))
DRIVER_API(cuCtxGetCacheConfig, (CUfunc_cache * config),
           cudaDeviceGetCacheConfig((enum cudaFuncCache *)(void *)config))
DRIVER_API(cuCtxGetStreamPriorityRange, (int *least, int *greatest),
           cudaDeviceGetStreamPriorityRange(least, greatest))
DRIVER_API(cuProfilerStart, (void), cudaProfilerStart())
DRIVER_API(cuProfilerStop, (void), cudaProfilerStop())

DRIVER_ALIAS(cuCtxCreate_v2, cuCtxCreate);
/* Affinity and shared work with graphics are for what sluice does not have: other processes, and graphics. */
CUresult cuCtxCreate_v4(CUcontext *out, CUctxCreateParams *parameters, unsigned flags, CUdevice device)
{
	if (parameters && (parameters->numExecAffinityParams || parameters->cigParams))
		return CUDA_ERROR_NOT_SUPPORTED;
	return cuCtxCreate(out, flags, device);
}
DRIVER_ALIAS(cuCtxDestroy_v2, cuCtxDestroy);
DRIVER_ALIAS(cuCtxPushCurrent_v2, cuCtxPushCurrent);
DRIVER_ALIAS(cuCtxPopCurrent_v2, cuCtxPopCurrent);
DRIVER_ALIAS(cuDevicePrimaryCtxRelease_v2, cuDevicePrimaryCtxRelease);
DRIVER_ALIAS(cuDevicePrimaryCtxReset_v2, cuDevicePrimaryCtxReset);
DRIVER_ALIAS(cuDevicePrimaryCtxSetFlags_v2, cuDevicePrimaryCtxSetFlags);
