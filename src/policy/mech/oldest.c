/* Oldest first: always the oldest warp that can issue, by launch order. */
#include "policy/policy.h"

static uint32_t oldest_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	for (uint32_t i = 0; i < view->by_age_count; i++)
		if (eligible >> view->by_age[i] & 1)
			return view->by_age[i];
	return (uint32_t)__builtin_ctzll(eligible);
}

const struct policy policy_oldest = {
    .abi = POLICY_ABI,
    .name = "oldest",
    .title = "oldest-first warp scheduling",
    .citation = "baseline of Y. Tian et al.: Adaptive GPU Cache Bypassing, GPGPU-8 2015",
    .order = oldest_order,
    .order_looks_back_only = true,
};
