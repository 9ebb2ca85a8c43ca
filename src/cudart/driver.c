/* The few functions of the driver API that programs for the runtime API use beside it. */
#include <stdio.h>

#include "cudart/calls.h"
#include "cudart/state.h"

/* Error numbers of both APIs are the same. */
static CUresult driver_result(cudaError_t error)
{
	return (CUresult)error;
}

struct error_name {
	CUresult code;
	const char *name;
};

static const struct error_name names[] = {
#define X(name)                                                                                              \
	{                                                                                                    \
		name, #name                                                                                  \
	}
    X(CUDA_SUCCESS),
    X(CUDA_ERROR_INVALID_VALUE),
    X(CUDA_ERROR_OUT_OF_MEMORY),
    X(CUDA_ERROR_NOT_INITIALIZED),
    X(CUDA_ERROR_DEINITIALIZED),
    X(CUDA_ERROR_NO_DEVICE),
    X(CUDA_ERROR_INVALID_DEVICE),
    X(CUDA_ERROR_INVALID_IMAGE),
    X(CUDA_ERROR_INVALID_CONTEXT),
    X(CUDA_ERROR_INVALID_PTX),
    X(CUDA_ERROR_INVALID_HANDLE),
    X(CUDA_ERROR_NOT_FOUND),
    X(CUDA_ERROR_NOT_READY),
    X(CUDA_ERROR_ILLEGAL_ADDRESS),
    X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES),
    X(CUDA_ERROR_LAUNCH_FAILED),
    X(CUDA_ERROR_NOT_SUPPORTED),
    X(CUDA_ERROR_UNKNOWN),
#undef X
};

CUresult cuInit(unsigned flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	struct runtime *rt = runtime_enter();
	return driver_result(runtime_leave(rt, rt->start_error));
}

CUresult cuDriverGetVersion(int *version)
{
	return driver_result(cudaDriverGetVersion(version));
}

CUresult cuDeviceGetCount(int *count)
{
	return driver_result(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (ordinal)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	cudaError_t error = cudaGetDeviceProperties(&p, device);
	if (!error && (!name || bytes <= 0))
		return CUDA_ERROR_INVALID_VALUE;
	if (!error)
		snprintf(name, (size_t)bytes, "%s", p.name);
	return driver_result(error);
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
	return driver_result(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)which, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult result =
	    cuDeviceGetAttribute(major, (CUdevice_attribute)cudaDevAttrComputeCapabilityMajor, device);
	return result ? result
	              : cuDeviceGetAttribute(minor, (CUdevice_attribute)cudaDevAttrComputeCapabilityMinor,
	                                     device);
}

CUresult cuDeviceTotalMem_v2(size_t *bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	cudaError_t error = bytes ? cudaGetDeviceProperties(&p, device) : cudaErrorInvalidValue;
	if (!error)
		*bytes = p.totalGlobalMem;
	return driver_result(error);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	return cuDeviceTotalMem_v2(bytes, device);
}

CUresult cuMemGetInfo_v2(size_t *free_bytes, size_t *total)
{
	return driver_result(cudaMemGetInfo(free_bytes, total));
}

CUresult cuMemGetInfo(size_t *free_bytes, size_t *total)
{
	return cuMemGetInfo_v2(free_bytes, total);
}

CUresult cuCtxSynchronize(void)
{
	return driver_result(cudaDeviceSynchronize());
}

CUresult cuCtxGetDevice(CUdevice *device)
{
	return driver_result(cudaGetDevice(device));
}

/* The one context is the runtime itself: a handle that is not NULL, to be compared and passed back. */
CUresult cuCtxGetCurrent(CUcontext *context)
{
	if (!context)
		return CUDA_ERROR_INVALID_VALUE;
	*context = (CUcontext)runtime_thread;
	return CUDA_SUCCESS;
}

CUresult cuGetErrorName(CUresult error, const char **name)
{
	for (unsigned i = 0; name && i < sizeof names / sizeof *names; i++)
		if (names[i].code == error) {
			*name = names[i].name;
			return CUDA_SUCCESS;
		}
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	if (!text)
		return CUDA_ERROR_INVALID_VALUE;
	*text = cudaGetErrorString((cudaError_t)error);
	return CUDA_SUCCESS;
}
