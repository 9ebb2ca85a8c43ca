/*
 * When something can happen, with the reason for the wait, as one integer that
 * compares by time: of two, the later wins and brings its reason along.
 */
#ifndef SLUICE_SM_READY_H
#define SLUICE_SM_READY_H

#include <stdbool.h>

#include "base/cycle.h"

/* What a warp waits for. The order is that of the stall_ counters. */
enum stall {
	STALL_IDLE,
	STALL_FIXED_LATENCY,
	STALL_LONG_SCOREBOARD,
	STALL_SHORT_SCOREBOARD,
	STALL_CONSTANT,
	STALL_BRANCH_RESOLVING,
	STALL_NO_INSTRUCTION,
	STALL_BARRIER,
	STALL_MBARRIER,
	STALL_MEMBAR,
	STALL_MATH_PIPE_THROTTLE,
	STALL_LG_THROTTLE,
	STALL_POLICY_THROTTLE,
	STALL_COUNT
};

typedef uint64_t ready_t;

enum { READY_SHIFT = 4, READY_REASONS = 1 << READY_SHIFT };
/* No time is known yet: a load in flight, a barrier. */
#define READY_NEVER(stall) (~(ready_t)(READY_REASONS - 1) | (stall))

static inline ready_t ready_at(cycle_t cycle, enum stall stall)
{
	return cycle << READY_SHIFT | stall;
}
static inline bool ready_is_never(ready_t ready)
{
	return ready >= READY_NEVER(0);
}
static inline cycle_t ready_cycle(ready_t ready)
{
	return ready_is_never(ready) ? CYCLE_NEVER : ready >> READY_SHIFT;
}
static inline enum stall ready_stall(ready_t ready)
{
	return (enum stall)(ready & (READY_REASONS - 1));
}
static inline ready_t ready_later(ready_t a, ready_t b)
{
	return a > b ? a : b;
}

#endif
