/* What one static instruction cost, summed over the warps that executed it. */
#ifndef SLUICE_STATS_PROFILE_H
#define SLUICE_STATS_PROFILE_H

#include <stdint.h>

#include "stats/counters.h"

/*
 * Reasons of a wait, in the order of the stall_ counters. In place of stall_idle, which no warp has, PROFILE_NOT_SELECTED
 * counts cycles in which the warp was ready and its scheduler issued another.
 */
enum {
	PROFILE_NOT_SELECTED,
	PROFILE_REASONS = COUNT_stall_policy_throttle - COUNT_stall_idle + 1,
};

struct profile_insn {
	uint64_t issued, lanes;           /* warp instructions; their active lanes */
	uint64_t requests, sectors;       /* of global and local memory */
	uint64_t waited[PROFILE_REASONS]; /* warp-cycles from the warp's instruction before it to its issue */
};

/* The counter whose definition a reason has, or COUNTER_COUNT for PROFILE_NOT_SELECTED. */
static inline enum counter profile_counter(uint32_t reason)
{
	return reason == PROFILE_NOT_SELECTED ? COUNTER_COUNT : (enum counter)(COUNT_stall_idle + reason);
}

#endif
