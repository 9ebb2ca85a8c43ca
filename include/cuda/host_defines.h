/* Execution-space and storage attributes of CUDA C++, and nothing else. Plain C host files may include it. */
#ifndef __HOST_DEFINES_H__
#define __HOST_DEFINES_H__

#define CUDARTAPI
#define CUDAAPI
#define CUDARTAPI_CDECL
#define CUDA_CB
#define CUDART_CB

#define __align__(n) __attribute__((aligned(n)))
#define __device_builtin__
#define __cudart_builtin__
#define __device_builtin_texture_type__ __attribute__((device_builtin_texture_type))

#if defined(__CUDA__) && defined(__clang__)

#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __grid_constant__
#define __tile_static__ __shared__

/* One variable at one address for both sides: sluice/managed.h. */
#define __managed__ __device__ __attribute__((section("sluice_managed")))
#define __cluster_dims__(...) _Pragma("GCC error \"thread block clusters are not supported\"")

#else

#define __host__
#define __device__
#define __global__
#define __shared__
#define __constant__
#define __managed__
#define __launch_bounds__(...)
#define __grid_constant__

#endif

#define __forceinline__ __inline__ __attribute__((always_inline))
#ifndef __restrict__
#define __restrict__ __restrict
#endif

#endif
