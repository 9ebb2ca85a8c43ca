/*
 * cuda::thread_scope and cuda::aligned_size_t: those of libcu++ where a program
 * has included it, or cc says that it may be (SLUICE_LIBCUDACXX), else our own.
 */
#ifndef SLUICE_THREAD_SCOPE_H
#define SLUICE_THREAD_SCOPE_H

#include <cstddef>

#if defined(SLUICE_LIBCUDACXX)
#include <cuda/std/atomic>
#endif

namespace cuda
{

#if !defined(_CUDA_ATOMIC) && !defined(_CUDA_STD_ATOMIC) && !defined(SLUICE_LIBCUDACXX)
enum thread_scope { thread_scope_system, thread_scope_device, thread_scope_block, thread_scope_thread = 10 };
#endif

template <size_t Alignment> struct aligned_size_t {
	static constexpr size_t align = Alignment;
	size_t value;
	__host__ __device__ explicit constexpr aligned_size_t(size_t bytes) : value(bytes)
	{
	}
	__host__ __device__ constexpr operator size_t() const
	{
		return value;
	}
};

} // namespace cuda

#endif
