/*
 * Greedy then oldest: stay with the warp that issued last while it can issue,
 * else take the oldest that can, which becomes the greedy one.
 */
#include "base/simd.h"
#include "policy/policy.h"

static uint32_t gto_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	if (view->last < 64 && eligible >> view->last & 1)
		return view->last;
	if (view->resident < (uint64_t)1 << SIMD_GROUP) /* whoever can issue is among the resident */
		return view->by_age[simd_first_in(view->by_age, (uint16_t)eligible)];
	for (uint32_t i = 0; i < view->by_age_count; i++)
		if (eligible >> view->by_age[i] & 1)
			return view->by_age[i];
	return (uint32_t)__builtin_ctzll(eligible);
}

const struct policy policy_gto = {
    .abi = POLICY_ABI,
    .name = "gto",
    .title = "greedy-then-oldest warp scheduling",
    .citation = "T. G. Rogers, M. O'Connor, T. M. Aamodt: Cache-Conscious Wavefront Scheduling, MICRO 2012",
    .order = gto_order,
    .order_keeps_last = true,
    .order_looks_back_only = true,
};
