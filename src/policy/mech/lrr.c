/*
 * Loose round robin: the next warp after the one that issued last; a warp that
 * cannot issue is skipped, not waited for.
 */
#include "policy/policy.h"

static uint32_t lrr_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	if (view->last < 63) {
		uint64_t after = eligible & ~(((uint64_t)2 << view->last) - 1);
		if (after)
			return (uint32_t)__builtin_ctzll(after);
	}
	return (uint32_t)__builtin_ctzll(eligible);
}

const struct policy policy_lrr = {
    .abi = POLICY_ABI,
    .name = "lrr",
    .title = "loose round-robin warp scheduling",
    .citation = "baseline of M. Khairy's thesis (Cairo University, 2015), Fig. 2.5",
    .order = lrr_order,
    .order_looks_back_only = true,
};
