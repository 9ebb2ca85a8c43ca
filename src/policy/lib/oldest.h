/* The n oldest warps of a scheduler that could run: what static limits and tokens are given to. */
#ifndef SLUICE_POLICY_LIB_OLDEST_H
#define SLUICE_POLICY_LIB_OLDEST_H

#include "policy/policy.h"

/*
 * The mask of the `n` oldest unfinished warps that do not wait at a barrier.
 * Those that wait do not count: else a limit could hold back the very warp
 * that they wait for.
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
