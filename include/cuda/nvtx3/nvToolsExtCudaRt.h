/* Names of streams, devices and events for a profiler: they have no effect. */
#ifndef NVTOOLSEXT_CUDART_H_
#define NVTOOLSEXT_CUDART_H_

#include "../cuda_runtime_api.h"
#include "nvToolsExt.h"

#define SLUICE_NVTX static __inline__ __attribute__((unused))

SLUICE_NVTX void nvtxNameCudaStreamA(cudaStream_t stream, const char *name)
{
	(void)stream, (void)name;
}

SLUICE_NVTX void nvtxNameCudaDeviceA(int device, const char *name)
{
	(void)device, (void)name;
}

SLUICE_NVTX void nvtxNameCudaEventA(cudaEvent_t event, const char *name)
{
	(void)event, (void)name;
}

#undef SLUICE_NVTX
#define nvtxNameCudaStream nvtxNameCudaStreamA
#define nvtxNameCudaDevice nvtxNameCudaDeviceA
#define nvtxNameCudaEvent nvtxNameCudaEventA

#endif
