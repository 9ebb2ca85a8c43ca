/*
 * Marks of mbarriers in recordings. Traces hold no values, so a recording stores what a wait waited for, and to which
 * mbarrier a bulk copy reports, in address bits that are not needed. They are the same in all lanes and stand in the
 * base of an address record; 0 means unknown, as in imported traces.
 *
 * A wait (INSN_PHASE_WAIT) has, from bit 32, the number of operations of the CTA's lanes on the mbarrier, waits excepted,
 * before the phase ended, and from bit 48 the number of pieces of the CTA's bulk copies that had reported to it, both
 * modulo 2^16. Operations of other CTAs of a cluster are not counted, so that no warp waits for a CTA that has not started.
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

/* `object`: 1 + its number in shared memory; 0: none, or its number does not fit. */
static inline uint64_t address_with_object(uint64_t address, uint64_t object)
{
	return address | (object <= UINT16_MAX ? object : 0) << BULK_OBJECT_SHIFT;
}

/*
 * Return the bits above the addresses and clear them, also those of polls (trace/poll.h). `flags` are those of the step's
 * instruction.
 */
static inline uint64_t step_take_mark(struct warp_step *step, uint32_t flags)
{
	if (!(flags & (INSN_BULK | INSN_PHASE_WAIT | INSN_POLL)) || step->kind == ADDR_NONE)
		return 0;
	unsigned shift = flags & (INSN_BULK | INSN_POLL) ? BULK_OBJECT_SHIFT : PHASE_COUNTS_SHIFT;
	uint64_t mark = step->base >> shift;
	step->base &= (UINT64_C(1) << shift) - 1;
	return mark;
}

/* Return the counts of a wait's mark. */
static inline struct phase_counts mark_counts(uint64_t mark)
{
	return (struct phase_counts){.changes = (uint16_t)mark,
	                             .pieces = (uint16_t)(mark >> (PHASE_PIECES_SHIFT - PHASE_COUNTS_SHIFT))};
}

#endif
