/*
 * The runtime as device code sees it: launches from kernels. Headers that
 * offer both sides mention these functions; the runtime has to have them for a
 * kernel that calls one.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__clang__)

extern "C" {
extern __device__ void *cudaGetParameterBuffer(size_t alignment, size_t bytes);
extern __device__ cudaError_t cudaLaunchDevice(void *function, void *parameters, dim3 grid, dim3 block,
                                               unsigned int shared_bytes, cudaStream_t stream);
extern __device__ void *cudaGetParameterBufferV2(void *function, dim3 grid, dim3 block,
                                                 unsigned int shared_bytes);
extern __device__ cudaError_t cudaLaunchDeviceV2(void *parameters, cudaStream_t stream);
extern __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
}

#endif
#endif
