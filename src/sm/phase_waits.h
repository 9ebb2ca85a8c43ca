/*
 * Warps that wait for phases of mbarriers. The warps know which of them wait; sm/mbarriers.h knows for what, and whether it
 * has happened. This part connects the two. To results and policies such a warp is at a barrier.
 */
#ifndef SLUICE_SM_PHASE_WAITS_H
#define SLUICE_SM_PHASE_WAITS_H

#include "sm/warps.h"

/*
 * A wait for a phase issues: READY_NEVER(STALL_MBARRIER) if it is not over, or else when the warp's next instruction may
 * issue. If never, phase_waits_begin() comes next, once the warp has advanced.
 */
ready_t phase_waits_ready(struct warps *warps, uint32_t slot, cycle_t now);
void phase_waits_begin(struct warps *warps, uint32_t slot, cycle_t now);

/* Lanes of the warp's instruction change mbarriers, now or when its copies are there. */
void phase_waits_change(struct warps *warps, uint32_t slot, cycle_t now);
/* A copy of the warp is there at `done`; `copy`: its group and, above COPY_GROUPS, its stage. */
void phase_waits_copied(struct warps *warps, uint32_t slot, uint32_t copy, cycle_t done, cycle_t now);
/* A piece of a bulk copy is there at `done` (mbarriers_land()). */
void phase_waits_landed(struct warps *warps, uint32_t cta_slot, uint32_t generation, uint32_t mbarrier,
                        cycle_t done, cycle_t now);
/* The warp ends, in a launch with waits. */
void phase_waits_end_warp(struct warps *warps, uint32_t slot, cycle_t now);

#endif
