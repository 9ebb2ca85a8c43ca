/*
 * Credits in flight to an SM's port, by the cycle of their arrival. A slice
 * adds one when it takes a request; the port collects those that have come.
 * There is a ring per SM and worker, so that adding (memory runs) and
 * collecting (SMs run) never meet.
 */
#ifndef SLUICE_ICNT_CREDITS_H
#define SLUICE_ICNT_CREDITS_H

#include "base/cycle.h"

enum { CREDIT_SLOTS = 1024 };

struct credit_ring {
	cycle_t collected; /* slots up to here have been emptied */
	uint32_t coming;
	uint16_t slot[CREDIT_SLOTS];
};

static inline void credits_add(struct credit_ring *ring, cycle_t when)
{
	if (when <= ring->collected)
		when = ring->collected + 1;
	/* Farther ahead than the ring reaches only a slice that is far behind can be. */
	if (when - ring->collected >= CREDIT_SLOTS)
		when = ring->collected + CREDIT_SLOTS - 1;
	ring->slot[when % CREDIT_SLOTS]++;
	ring->coming++;
}

/* Takes the credits that arrive up to `now`; returns how many. */
uint32_t credits_collect(struct credit_ring *ring, cycle_t now);
/* When the next one arrives; CYCLE_NEVER: none is in flight. */
cycle_t credits_next(const struct credit_ring *ring);
void credits_reset(struct credit_ring *ring);

#endif
