/* __mbarrier_*(): barriers in shared memory, by the names of CUDA's C interface. */
#ifndef _CUDA_AWBARRIER_PRIMITIVES_H_
#define _CUDA_AWBARRIER_PRIMITIVES_H_

#include "sluice/async_copy.h"

#if defined(__cplusplus)

typedef unsigned long long __mbarrier_t;
typedef unsigned long long __mbarrier_token_t;

SLUICE_ASYNC unsigned __mbarrier_maximum_count()
{
	return (1u << 20) - 1;
}
SLUICE_ASYNC void __mbarrier_init(__mbarrier_t *barrier, unsigned expected)
{
	sluice::barrier_init(barrier, expected);
}
SLUICE_ASYNC void __mbarrier_inval(__mbarrier_t *barrier)
{
	sluice::barrier_inval(barrier);
}
SLUICE_ASYNC __mbarrier_token_t __mbarrier_arrive(__mbarrier_t *barrier)
{
	return sluice::barrier_arrive(barrier, 1);
}
SLUICE_ASYNC __mbarrier_token_t __mbarrier_arrive_and_drop(__mbarrier_t *barrier)
{
	return sluice::barrier_drop(barrier, 1);
}
SLUICE_ASYNC bool __mbarrier_test_wait(__mbarrier_t *barrier, __mbarrier_token_t token)
{
	return sluice::barrier_try_wait(barrier, token);
}
SLUICE_ASYNC bool __mbarrier_try_wait(__mbarrier_t *barrier, __mbarrier_token_t token, unsigned = 0)
{
	return sluice::barrier_try_wait(barrier, token);
}
SLUICE_ASYNC bool __mbarrier_test_wait_parity(__mbarrier_t *barrier, bool parity)
{
	return sluice::barrier_try_wait_parity(barrier, parity);
}
SLUICE_ASYNC bool __mbarrier_try_wait_parity(__mbarrier_t *barrier, bool parity, unsigned = 0)
{
	return sluice::barrier_try_wait_parity(barrier, parity);
}
SLUICE_ASYNC unsigned __mbarrier_token_pending_count(__mbarrier_token_t token)
{
	return sluice::barrier_pending(token);
}

#endif
#endif
