/*
 * The runtime as device code sees it: launches from kernels, and the few
 * functions that kernels may call besides. cudaDeviceSynchronize() is not among
 * them, as in CUDA 12.
 */
#ifndef __CUDA_DEVICE_RUNTIME_API_H__
#define __CUDA_DEVICE_RUNTIME_API_H__

#include "cuda_runtime_api.h"

#if defined(__CUDA__) && defined(__clang__)
#include "sluice/device_launch.h"

/* CUB and Thrust mention it in functions of both sides, and never call it on the device. */
extern "C" __device__ cudaError_t __cudaDeviceSynchronizeDeprecationAvoidance(void);
#endif
#endif
