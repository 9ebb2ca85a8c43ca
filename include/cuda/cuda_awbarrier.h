/* nvcuda::experimental::awbarrier: a barrier in shared memory at which arriving and waiting are two steps. */
#ifndef _CUDA_AWBARRIER_H_
#define _CUDA_AWBARRIER_H_

#include "cuda_awbarrier_primitives.h"

#if defined(__cplusplus)

namespace nvcuda
{
namespace experimental
{

class awbarrier
{
      public:
	typedef unsigned long long arrival_token;
	awbarrier() = default;
	__device__ arrival_token arrive()
	{
		return sluice::barrier_arrive(&state, 1);
	}
	__device__ arrival_token arrive_and_drop()
	{
		return sluice::barrier_drop(&state, 1);
	}
	__device__ bool timed_wait(arrival_token token, unsigned)
	{
		return sluice::barrier_try_wait(&state, token);
	}
	__device__ void wait(arrival_token token)
	{
		while (!sluice::barrier_try_wait(&state, token))
			;
	}
	__device__ void arrive_and_wait()
	{
		wait(arrive());
	}
	static __device__ unsigned max()
	{
		return __mbarrier_maximum_count();
	}
	friend __device__ void init(awbarrier *b, unsigned expected)
	{
		sluice::barrier_init(&b->state, expected);
	}

      private:
	unsigned long long state;
};

} // namespace experimental
} // namespace nvcuda

#endif
#endif
