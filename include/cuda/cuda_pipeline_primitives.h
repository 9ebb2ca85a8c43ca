/* __pipeline_*(): groups of asynchronous copies of one thread, by the names of CUDA's C interface. */
#ifndef _CUDA_PIPELINE_PRIMITIVES_H_
#define _CUDA_PIPELINE_PRIMITIVES_H_

#include "cuda_awbarrier_primitives.h"
#include "sluice/async_copy.h"

#if defined(__cplusplus)

/* `bytes` is 4, 8 or 16; the last `zeros` of them are zeros instead of copies. */
SLUICE_ASYNC void __pipeline_memcpy_async(void *__restrict__ to, const void *__restrict__ from, size_t bytes,
                                          size_t zeros = 0)
{
	sluice::copy_async(to, from, bytes, bytes - zeros);
}
SLUICE_ASYNC void __pipeline_commit()
{
	sluice::copy_commit();
}
SLUICE_ASYNC void __pipeline_wait_prior(size_t left)
{
	sluice::copy_wait((unsigned)left);
}
SLUICE_ASYNC void __pipeline_arrive_on(__mbarrier_t *barrier)
{
	sluice::copy_arrive(barrier);
}

#endif
#endif
