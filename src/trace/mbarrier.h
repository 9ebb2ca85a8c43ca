/*
 * What recordings say of mbarriers. Traces hold no values, so a recording says what a wait waited for, and to which
 * mbarrier a bulk copy reports, in bits that addresses do not need. They are the same in all lanes, and so stand in the
 * base of an address record alone; 0 says nothing, as in traces that were not recorded by us.
 *
 * A wait (INSN_PHASE_WAIT), from bit 32: how often lanes of the CTA had changed the mbarrier (every operation of theirs
 * but a wait) when the phase ended, and from bit 48 how many pieces of the CTA's bulk copies had reported to it; both
 * modulo 2^16. What other CTAs of a cluster do is in neither, so that nobody waits for a CTA that has not started.
 *
 * A piece of a bulk copy (INSN_BULK), from bit 48: 1 + an eighth of the mbarrier's address in the CTA's shared memory.
 */
#ifndef SLUICE_TRACE_MBARRIER_H
#define SLUICE_TRACE_MBARRIER_H

#include "trace/trace.h"

enum { PHASE_COUNTS_SHIFT = 32, PHASE_PIECES_SHIFT = 48, BULK_OBJECT_SHIFT = 48, MBARRIER_BYTES = 8 };

struct phase_counts {
	uint16_t changes, pieces;
};

static inline uint64_t address_with_phase(uint64_t address, struct phase_counts counts)
{
	return address | (uint64_t)counts.changes << PHASE_COUNTS_SHIFT |
	       (uint64_t)counts.pieces << PHASE_PIECES_SHIFT;
}

/* `object`: 1 + its number in shared memory, 0: none, or one that is too far away to be named. */
static inline uint64_t address_with_object(uint64_t address, uint64_t object)
{
	return address | (object <= UINT16_MAX ? object : 0) << BULK_OBJECT_SHIFT;
}

/* The bits above the addresses, which are then those that were accessed. `flags` of the step's instruction. */
static inline uint64_t step_take_mark(struct warp_step *step, uint32_t flags)
{
	if (!(flags & (INSN_BULK | INSN_PHASE_WAIT)) || step->kind == ADDR_NONE)
		return 0;
	unsigned shift = flags & INSN_BULK ? BULK_OBJECT_SHIFT : PHASE_COUNTS_SHIFT;
	uint64_t mark = step->base >> shift;
	step->base &= (UINT64_C(1) << shift) - 1;
	return mark;
}

/* Of a wait's mark. */
static inline struct phase_counts mark_counts(uint64_t mark)
{
	return (struct phase_counts){.changes = (uint16_t)mark,
	                             .pieces = (uint16_t)(mark >> (PHASE_PIECES_SHIFT - PHASE_COUNTS_SHIFT))};
}

#endif
