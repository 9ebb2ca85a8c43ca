/* The driver API: start, devices, errors. See driver.h. */
#include "cudart/driver.h"

#include <stdio.h>
#include <string.h>

#include <cuda_runtime_api.h>

/* ---- errors: most numbers are the same in both APIs --------------------------------------------------------- */

CUresult driver_result(cudaError_t error)
{
	switch (error) {
	case cudaErrorInvalidDeviceFunction:
		return CUDA_ERROR_INVALID_HANDLE;
	case cudaErrorMissingConfiguration:
	case cudaErrorInvalidConfiguration:
	case cudaErrorInvalidPitchValue:
	case cudaErrorInvalidHostPointer:
	case cudaErrorInvalidDevicePointer:
	case cudaErrorInvalidTexture:
	case cudaErrorInvalidTextureBinding:
	case cudaErrorInvalidChannelDescriptor:
	case cudaErrorInvalidMemcpyDirection:
	case cudaErrorInvalidFilterSetting:
	case cudaErrorInvalidNormSetting:
	case cudaErrorInvalidSurface:
		return CUDA_ERROR_INVALID_VALUE;
	default:
		return (CUresult)error;
	}
}

struct error_name {
	CUresult code;
	const char *name;
};

static const struct error_name names[] = {
#define X(name) {name, #name},
#include "cudart/driver_errors.def"
#undef X
};

CUresult cuGetErrorName(CUresult error, const char **name)
{
	for (unsigned i = 0; name && i < sizeof names / sizeof *names; i++)
		if (names[i].code == error) {
			*name = names[i].name;
			return CUDA_SUCCESS;
		}
	if (name)
		*name = NULL;
	return CUDA_ERROR_INVALID_VALUE;
}

CUresult cuGetErrorString(CUresult error, const char **text)
{
	CUresult result = cuGetErrorName(error, text);
	if (!result)
		*text = cudaGetErrorString((cudaError_t)error);
	return result;
}

/* ---- entering ------------------------------------------------------------------------------------------------ */

static bool is_started(void)
{
	struct runtime *rt = runtime_lock();
	bool answer = rt->is_driver_started;
	runtime_unlock(rt);
	return answer;
}

static void begin(void)
{
	struct runtime_thread *thread = runtime_thread();
	thread->in_driver++;
	thread->kept_error = thread->last_error;
}

CUresult driver_enter(void)
{
	if (!is_started())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!driver_current())
		return CUDA_ERROR_INVALID_CONTEXT;
	begin();
	return CUDA_SUCCESS;
}

CUresult driver_leave(cudaError_t result)
{
	struct runtime_thread *thread = runtime_thread();
	thread->in_driver--;
	thread->last_error = thread->kept_error;
	return driver_result(result);
}

/* Questions that need no context, but the start. */
#define DRIVER_QUESTION(call)                                                                                \
	if (!is_started())                                                                                   \
		return CUDA_ERROR_NOT_INITIALIZED;                                                           \
	begin();                                                                                             \
	return driver_leave(call)

CUresult cuInit(unsigned flags)
{
	if (flags)
		return CUDA_ERROR_INVALID_VALUE;
	begin();
	struct runtime *rt = runtime_enter();
	rt->is_driver_started = true;
	return driver_leave(runtime_leave(rt, rt->start_error));
}

/* ---- devices ------------------------------------------------------------------------------------------------- */

CUresult cuDriverGetVersion(int *version)
{
	begin();
	return driver_leave(cudaDriverGetVersion(version)); /* without the start, too */
}

CUresult cuDeviceGetCount(int *count)
{
	DRIVER_QUESTION(cudaGetDeviceCount(count));
}

CUresult cuDeviceGet(CUdevice *device, int ordinal)
{
	if (!is_started())
		return CUDA_ERROR_NOT_INITIALIZED;
	if (!device)
		return CUDA_ERROR_INVALID_VALUE;
	if (ordinal)
		return CUDA_ERROR_INVALID_DEVICE;
	*device = 0;
	return CUDA_SUCCESS;
}

static CUresult properties(struct cudaDeviceProp *out, CUdevice device)
{
	DRIVER_QUESTION(cudaGetDeviceProperties(out, device));
}

CUresult cuDeviceGetName(char *name, int bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult error = name && bytes > 0 ? properties(&p, device) : CUDA_ERROR_INVALID_VALUE;
	if (!error)
		snprintf(name, (size_t)bytes, "%s", p.name);
	return error;
}

CUresult cuDeviceGetUuid(CUuuid *uuid, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult error = uuid ? properties(&p, device) : CUDA_ERROR_INVALID_VALUE;
	if (!error)
		memcpy(uuid, &p.uuid, sizeof *uuid);
	return error;
}

CUresult cuDeviceGetAttribute(int *value, CUdevice_attribute which, CUdevice device)
{
	DRIVER_QUESTION(cudaDeviceGetAttribute(value, (enum cudaDeviceAttr)which, device));
}

CUresult cuDeviceComputeCapability(int *major, int *minor, CUdevice device)
{
	CUresult result = cuDeviceGetAttribute(major, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device);
	return result ? result
	              : cuDeviceGetAttribute(minor, CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device);
}

CUresult cuDeviceTotalMem(size_t *bytes, CUdevice device)
{
	struct cudaDeviceProp p;
	CUresult error = bytes ? properties(&p, device) : CUDA_ERROR_INVALID_VALUE;
	if (!error)
		*bytes = p.totalGlobalMem;
	return error;
}

CUresult cuDeviceGetProperties(CUdevprop *out, CUdevice device)
{
	struct cudaDeviceProp p;
	int clock = 0;
	CUresult error = out ? properties(&p, device) : CUDA_ERROR_INVALID_VALUE;
	if (!error)
		error = cuDeviceGetAttribute(&clock, CU_DEVICE_ATTRIBUTE_CLOCK_RATE, device);
	if (error)
		return error;
	*out = (CUdevprop){.maxThreadsPerBlock = p.maxThreadsPerBlock,
	                   .sharedMemPerBlock = (int)p.sharedMemPerBlock,
	                   .totalConstantMemory = (int)p.totalConstMem,
	                   .SIMDWidth = p.warpSize,
	                   .memPitch = (int)p.memPitch,
	                   .regsPerBlock = p.regsPerBlock,
	                   .clockRate = clock,
	                   .textureAlign = (int)p.textureAlignment};
	for (int i = 0; i < 3; i++) {
		out->maxThreadsDim[i] = p.maxThreadsDim[i];
		out->maxGridSize[i] = p.maxGridSize[i];
	}
	return CUDA_SUCCESS;
}

CUresult cuDeviceGetPCIBusId(char *id, int length, CUdevice device)
{
	DRIVER_QUESTION(cudaDeviceGetPCIBusId(id, length, device));
}

CUresult cuDeviceGetByPCIBusId(CUdevice *device, const char *id)
{
	DRIVER_QUESTION(cudaDeviceGetByPCIBusId(device, id));
}

CUresult cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer)
{
	DRIVER_QUESTION(cudaDeviceCanAccessPeer(can, device, peer));
}

DRIVER_ALIAS(cuDeviceTotalMem_v2, cuDeviceTotalMem);
DRIVER_ALIAS(cuDeviceGetUuid_v2, cuDeviceGetUuid);
