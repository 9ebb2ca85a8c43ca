/*
 * Warp schedulers that look only at the order of warps.
 *
 * Loose round robin: the next warp after the one that issued last; a warp that cannot issue is skipped.
 * Greedy then oldest: stay with the warp that issued last while it can issue, else take the oldest that can.
 * Oldest first: always the oldest warp that can issue, by launch order.
 */
#include "base/simd.h"
#include "policy/lib/order.h"

static uint32_t lrr_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	return order_next(view, eligible);
}

const struct policy policy_lrr = {
    .abi = POLICY_ABI,
    .name = "lrr",
    .title = "loose round-robin warp scheduling",
    .citation = "baseline of M. Khairy's thesis (Cairo University, 2015), Fig. 2.5",
    .order = lrr_order,
    .order_looks_back_only = true,
};

static uint32_t gto_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	if (view->last < 64 && eligible >> view->last & 1)
		return view->last;
	if (view->resident < (uint64_t)1 << SIMD_GROUP) /* all warps that can issue are resident */
		return view->by_age[simd_first_in(view->by_age, (uint16_t)eligible)];
	return order_oldest(view, eligible);
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

static uint32_t oldest_order(void *sm, const struct sched_view *view, uint64_t eligible)
{
	(void)sm;
	return order_oldest(view, eligible);
}

const struct policy policy_oldest = {
    .abi = POLICY_ABI,
    .name = "oldest",
    .title = "oldest-first warp scheduling",
    .citation = "baseline of Y. Tian et al.: Adaptive GPU Cache Bypassing, GPGPU-8 2015",
    .order = oldest_order,
    .order_looks_back_only = true,
};
