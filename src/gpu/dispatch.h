/*
 * CTA dispatch. The first fill spreads a small grid over GPCs and TPCs, and a large one over all SMs in order, round after
 * round. Later a CTA replaces one that ended, oldest end first, no faster than the rate of the front end.
 */
#ifndef SLUICE_GPU_DISPATCH_H
#define SLUICE_GPU_DISPATCH_H

#include "base/cycle.h"
#include "machine/machine.h"

struct gpu;

/* CTAs that have not started, and where they go. */
struct dispatcher {
	uint64_t next, total;
	fine_t retire_free; /* when the front end can notice the next CTA's end */
	cycle_t last_retired;
	uint32_t *plan;  /* SMs of the first CTAs, in order */
	uint32_t *given; /* per SM: CTAs that the plan has given it */
	struct ended {
		cycle_t when;
		uint32_t sm;
	} * ended;
	uint32_t ended_count;
	/* With a policy that orders CTAs: a bit per CTA that has been given; owned, grown as needed. */
	uint64_t *taken;
	uint64_t taken_words;
};

void dispatch_free(struct dispatcher *d);

/* Start the first CTAs of a launch. */
void dispatch_begin(struct gpu *gpu);
/* At an exchange: replace CTAs that ended. */
void dispatch_refill(struct gpu *gpu);

/*
 * Fill in `sm`, one SM per CTA, and return the number of entries: at most `slots` per SM of the machine, for which there must
 * be room. Where GPCs take turns, the number does not depend on the grid: an SM may refuse a CTA, and the next SM gets it.
 */
uint32_t placement_plan(const struct machine *machine, uint64_t ctas, uint32_t slots, uint32_t *sm);

#endif
