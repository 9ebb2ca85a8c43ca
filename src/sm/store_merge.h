/*
 * Stores that wait to leave an SM, the last of each scheduler: the next one, of whichever warp, joins them line by line,
 * and what both write leaves once. A store that comes later, or after another of its scheduler, finds them gone.
 *
 * Measured on an H200 (probes words): the words of a struct, stored one directly after the other, leave as if they were one
 * store. All that wait have 24 lines at most: four warps that store to six lines each still merge, four with eight lines
 * or two with sixteen do not. They leave when the data banks pause; loads that follow each other without a pause hold
 * them back, but not for long (probes weak: with a store every 34 cycles a line leaves once in hundreds of stores, with
 * stores 128 cycles apart, each time).
 */
#ifndef SLUICE_SM_STORE_MERGE_H
#define SLUICE_SM_STORE_MERGE_H

#include <stdint.h>

#include "base/cycle.h"
#include "sm/lsu.h"

enum { STORE_MERGE_LINES = 24 };

struct store_lines {
	uint64_t line[STORE_MERGE_LINES];
	uint8_t sectors[STORE_MERGE_LINES];
	uint32_t count;
	uint64_t number; /* of the store: the lowest is the oldest */
};

struct store_merge {
	struct store_lines store[SCHED_MAX + 1];
	uint8_t last[SCHED_MAX]; /* per scheduler: its last store */
	uint8_t newest;          /* the one that is being looked up */
	uint8_t scheduler;       /* whose it is */
	uint32_t warp;
	uint32_t lines; /* of all stores that wait */
	cycle_t began;
	cycle_t came;  /* the last of them */
	cycle_t until; /* they wait for others to join */
	uint64_t stores;
};

void store_merge_reset(struct store_merge *merge);
/* All that wait leave. */
void store_merge_leave(struct store_merge *merge);
/* A line of the store that `mem` is, looked up at `now`: its sectors that are on their way already. */
uint8_t store_merge_join(struct store_merge *merge, const struct mem_insn *mem, uint64_t line,
                         uint8_t sectors, cycle_t now);

/* They wait until `until`. */
static inline void store_merge_hold(struct store_merge *merge, cycle_t until)
{
	if (until > merge->until)
		merge->until = until;
}

#endif
