/*
 * Instruction fetch and the first read of constants. An SM's first fetch of an
 * instruction line comes from afar and brings the next lines along; so does its
 * first constant. Constants then stay; of the lines, if there is room for some
 * only, the least recently fetched goes, and comes back from nearer by.
 *
 * With sm.fetch_next_cycles the next lines follow as a stream: straight code runs
 * at its pace at most, code that waits for other things does not notice it, and
 * a jump pays for the first line again. Left out: the cache of each scheduler,
 * which only jumps within L1 notice, and levels beyond that of sm.icache_lines.
 */
#ifndef SLUICE_SM_IFETCH_H
#define SLUICE_SM_IFETCH_H

#include "machine/machine.h"
#include "sm/ready.h"

struct ifetch {
	const struct machine *machine;
	ready_t *line;   /* per instruction line: when it is here; 0: it is not; owned */
	ready_t *coming; /* when it will be, if it was asked for and not used yet; owned */
	uint64_t *used;  /* when it was last fetched; 0: never; owned */
	uint64_t fetches;
	uint32_t lines, capacity, present;
	ready_t constants; /* likewise */
};

void ifetch_free(struct ifetch *ifetch);
/* A launch of `lines` instruction lines begins: nothing is here. */
void ifetch_begin_launch(struct ifetch *ifetch, uint32_t lines);
/* The line is not here: asks for it and, the first time, for those after it. */
void ifetch_miss(struct ifetch *ifetch, uint32_t line, cycle_t now);

/* When the line is here. */
static inline ready_t ifetch_line(struct ifetch *ifetch, uint32_t line, cycle_t now)
{
	if (__builtin_expect(!ifetch->line[line], 0))
		ifetch_miss(ifetch, line, now);
	if (__builtin_expect(ifetch->machine->sm_icache_lines, 0))
		ifetch->used[line] = ++ifetch->fetches;
	return ifetch->line[line];
}

/* When constants are here, at the soonest `ready`. */
static inline ready_t ifetch_constant(struct ifetch *ifetch, ready_t ready, cycle_t now)
{
	if (!ifetch->constants)
		ifetch->constants = ready_at(now + ifetch->machine->sm_const_cold_cycles, STALL_CONSTANT);
	return ready_later(ready, ifetch->constants);
}

#endif
