/*
 * Which SMs the first CTAs of a launch go to, until all have as many as fit: a small grid is spread over GPCs and TPCs, a
 * large one goes through all SMs and round again.
 */
#ifndef SLUICE_GPU_PLACEMENT_H
#define SLUICE_GPU_PLACEMENT_H

#include "machine/machine.h"

/*
 * Fills in `sm`, one SM per CTA, and returns how many there are: no more than `slots` for each SM of the machine, for which
 * there must be room. Where GPCs take turns there are as many whatever the grid is: SMs may refuse a CTA, which is the next
 * one's then.
 */
uint32_t placement_plan(const struct machine *machine, uint64_t ctas, uint32_t slots, uint32_t *sm);

#endif
