/* nvcuda::experimental::pipeline: groups of asynchronous copies of one thread; and __pipeline_*(). */
#ifndef _CUDA_PIPELINE_H_
#define _CUDA_PIPELINE_H_

#include "cuda_awbarrier.h"
#include "cuda_pipeline_primitives.h"

#if defined(__cplusplus)

namespace nvcuda
{
namespace experimental
{

class pipeline
{
      public:
	pipeline() = default;
	pipeline(const pipeline &) = delete;
	__device__ size_t commit()
	{
		sluice::copy_commit();
		return count++;
	}
	__device__ void commit_and_wait()
	{
		commit();
		sluice::copy_wait(0);
	}
	__device__ void wait(size_t batch)
	{
		sluice::copy_wait((unsigned)(count - batch - 1));
	}
	template <unsigned left> __device__ void wait_prior()
	{
		sluice::copy_wait(left);
	}

      private:
	size_t count = 0;
};

template <typename T> __device__ inline void memcpy_async(T &to, const T &from, pipeline &)
{
	sluice::copy_any(&to, &from, sizeof(T), 0, 1);
}
template <typename T> __device__ inline void memcpy_async(T *to, const T *from, size_t bytes, pipeline &)
{
	sluice::copy_any(to, from, bytes, 0, 1);
}

} // namespace experimental
} // namespace nvcuda

#endif
#endif
