/* The first part of cuda_runtime.h for CUDA C++: macros and the standard headers that must come early. */
#ifndef SLUICE_CUDA_DEVICE_BEGIN_H
#define SLUICE_CUDA_DEVICE_BEGIN_H

#include <__clang_cuda_math_forward_declares.h>

/* libstdc++ leaves __float128 out when it sees __CUDACC__: device code has none. */
#ifndef __CUDACC__
#define __CUDACC__
#endif
#ifndef __NVCC__
#define __NVCC__
#endif
#define __CUDACC_VER_MAJOR__ 12
#define __CUDACC_VER_MINOR__ 0
#define __CUDACC_VER_BUILD__ 140
#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif

#include <cmath>
#include <cstdlib>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
/* libstdc++ says __attribute__((__noinline__)), which the macro below would spoil. */
#if !__has_feature(cuda_noinline_keyword)
#include <memory>
#endif

#include "../host_defines.h"

#if !__has_feature(cuda_noinline_keyword)
#define __noinline__ __attribute__((noinline))
#endif

#endif
