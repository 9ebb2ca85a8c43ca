/*
 * CTA dispatch. The first fill spreads a small grid over GPCs and TPCs, a
 * large one over all SMs in order and round again; later a CTA takes the place
 * of one that ended, oldest end first, no faster than the front end's rate.
 */
#ifndef SLUICE_GPU_DISPATCH_H
#define SLUICE_GPU_DISPATCH_H

#include "base/cycle.h"

struct gpu;

/* CTAs still to start, and where. */
struct dispatcher {
	uint64_t next, total;
	fine_t retire_free; /* the front end can notice the next CTA's end */
	cycle_t last_retired;
	uint32_t *plan;  /* SMs to which the first CTAs go, one after the other */
	uint32_t *given; /* per SM: CTAs that the plan has given it */
	struct ended {
		cycle_t when;
		uint32_t sm;
	} * ended;
	uint32_t ended_count;
};

/* The first CTAs of a launch. */
void dispatch_begin(struct gpu *gpu);
/* At an exchange: replaces CTAs that ended. */
void dispatch_refill(struct gpu *gpu);

#endif
