/*
 * cuda::thread_scope: that of libcu++ where it is installed, since programs use
 * both together, else our own; and cuda::aligned_size_t.
 */
#ifndef SLUICE_THREAD_SCOPE_H
#define SLUICE_THREAD_SCOPE_H

#include <cstddef>

#if __has_include(<cuda/std/atomic>)
#include <cuda/std/atomic>
#endif

namespace cuda
{

#if !__has_include(<cuda/std/atomic>)
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
