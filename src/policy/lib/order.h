/* Warps of a scheduler by launch order and in turn: what schedulers, static limits and tokens choose from. */
#ifndef SLUICE_POLICY_LIB_ORDER_H
#define SLUICE_POLICY_LIB_ORDER_H

#include "base/bits.h"
#include "policy/policy.h"

/* Return the oldest warp of a mask that is not 0. */
static inline uint32_t order_oldest(const struct sched_view *view, uint64_t among)
{
	for (uint32_t i = 0; i < view->by_age_count; i++)
		if (among >> view->by_age[i] & 1)
			return view->by_age[i];
	return bits_lowest(among);
}

/* Return the first warp of a mask after the one that issued last, round robin. */
static inline uint32_t order_next(const struct sched_view *view, uint64_t among)
{
	uint64_t after = view->last < 63 ? among & ~(((uint64_t)2 << view->last) - 1) : 0;
	return bits_lowest(after ? after : among);
}

/* Return the warp that issued last if it is in the mask, else the oldest. */
static inline uint32_t order_greedy(const struct sched_view *view, uint64_t among)
{
	return view->last < 64 && among >> view->last & 1 ? view->last : order_oldest(view, among);
}

/*
 * Return the mask of the `n` oldest unfinished warps that do not wait at a barrier. Warps at a barrier do not
 * count: a limit could otherwise hold back the very warp that they wait for.
 */
static inline uint64_t oldest_running(const struct sched_view *view, uint32_t n)
{
	uint64_t chosen = 0;
	for (uint32_t i = 0; i < view->by_age_count && n; i++) {
		uint64_t bit = (uint64_t)1 << view->by_age[i];
		if (view->waiting_barrier & bit)
			continue;
		chosen |= bit;
		n--;
	}
	return chosen;
}

#endif
