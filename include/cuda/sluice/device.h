/* The second part of cuda_runtime.h for CUDA C++: builtin variables and functions of the device. */
#ifndef SLUICE_CUDA_DEVICE_H
#define SLUICE_CUDA_DEVICE_H

/* While compiling the host's side, declare what any device has. */
#pragma push_macro("__CUDA_ARCH__")
#ifndef __CUDA_ARCH__
#define __CUDA_ARCH__ 9999
#endif
#include <__clang_cuda_builtin_vars.h>
#include <sluice/device_declares.h>

#include <sluice/device_library.h> /* of what is declared now, before it is used */

#include <__clang_cuda_device_functions.h>
#include <__clang_cuda_math.h>
#pragma pop_macro("__CUDA_ARCH__")

extern "C" {
/* System calls of PTX. */
__device__ int vprintf(const char *format, const char *arguments);
__device__ void free(void *address) __attribute__((nothrow));
__device__ void *malloc(size_t bytes) __attribute__((nothrow)) __attribute__((malloc));
__device__ void __assertfail(const char *message, const char *file, unsigned int line, const char *function,
                             size_t char_bytes);

/* clang turns it into vprintf(). */
__device__ int printf(const char *format, ...);

/* What assert() of the C library calls. */
__device__ static inline void __assert_fail(const char *message, const char *file, unsigned int line,
                                            const char *function)
{
	__assertfail(message, file, line, function, sizeof(char));
}
}

namespace std
{
__device__ static inline void free(void *address)
{
	::free(address);
}
__device__ static inline void *malloc(size_t bytes)
{
	return ::malloc(bytes);
}
using ::printf;
} // namespace std

#define SLUICE_INDEX_CONVERSIONS(type)                                                                       \
	__device__ inline type::operator dim3() const                                                        \
	{                                                                                                    \
		return dim3(x, y, z);                                                                        \
	}                                                                                                    \
	__device__ inline type::operator uint3() const                                                       \
	{                                                                                                    \
		return {x, y, z};                                                                            \
	}
SLUICE_INDEX_CONVERSIONS(__cuda_builtin_threadIdx_t)
SLUICE_INDEX_CONVERSIONS(__cuda_builtin_blockIdx_t)
SLUICE_INDEX_CONVERSIONS(__cuda_builtin_blockDim_t)
SLUICE_INDEX_CONVERSIONS(__cuda_builtin_gridDim_t)
#undef SLUICE_INDEX_CONVERSIONS

#include <__clang_cuda_cmath.h>
#include <__clang_cuda_complex_builtins.h>
#include <new>

#include "atomics.h"
#include "device_math.h"
#include "memory_ops.h"
#include "minmax.h"
#include "warp.h"

#endif
