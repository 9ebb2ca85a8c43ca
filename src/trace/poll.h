/*
 * Polls: global loads and atomics of loops that wait until another warp has written a word of memory. A trace holds one
 * round of such a loop, the one that ended the wait, and marks its poll with INSN_POLL. The addresses that polls of a
 * launch wait for are the launch's watched words.
 *
 * In bits 48 to 63 of the base of its address record, the same in all lanes, a poll says how many writes of the polled
 * word end the wait: those performed since the launch began, modulo 2^16. Each lane that writes the word with a store or
 * an atomic counts one; a compare-and-swap counts if it succeeds. 0: nothing is known, and the poll is an ordinary load.
 */
#ifndef SLUICE_TRACE_POLL_H
#define SLUICE_TRACE_POLL_H

#include "trace/mbarrier.h"

enum { POLL_NEEDED_SHIFT = 48, POLL_WORD_BYTES = 4 };

/* Return the address with `needed` writes above it. A multiple of 2^16 stands as 0: callers avoid it, see poll_needed(). */
static inline uint64_t address_with_needed(uint64_t address, uint16_t needed)
{
	return (address & ((UINT64_C(1) << POLL_NEEDED_SHIFT) - 1)) | (uint64_t)needed << POLL_NEEDED_SHIFT;
}

/* Return what a poll stores for so many writes: modulo 2^16, but not 0 if there was any; one less then. */
static inline uint16_t poll_needed(uint64_t writes)
{
	uint16_t needed = (uint16_t)writes;
	return writes && !needed ? UINT16_MAX : needed;
}

/* Return the writes that a poll needs and clear them in its base. `flags` are those of the step's instruction. */
static inline uint16_t step_take_needed(struct warp_step *step, uint32_t flags)
{
	return flags & INSN_POLL ? (uint16_t)step_take_mark(step, flags) : 0;
}

/*
 * Return how many writes those are, given how many have been performed: the number closest to `performed` that is
 * `needed` modulo 2^16.
 */
static inline uint64_t poll_writes(uint16_t needed, uint64_t performed)
{
	int64_t distance = (int16_t)(uint16_t)(needed - (uint16_t)performed);
	return distance < 0 && (uint64_t)-distance > performed ? needed : performed + (uint64_t)distance;
}

#endif
