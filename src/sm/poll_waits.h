/* Warps at polls (sm/polls.h): they stay at the instruction until its wait is over. */
#ifndef SLUICE_SM_POLL_WAITS_H
#define SLUICE_SM_POLL_WAITS_H

#include "sm/warps.h"

/* The warp has issued a poll that waits: it does not move on. `again`: it has polled before. */
void poll_waits_begin(struct warps *warps, struct warp *warp, bool again);
/* The warp has written the word itself, and polls when that is back (polls_follow_own()). */
void poll_waits_for_own(struct warps *warps, struct warp *warp, cycle_t now);
/* The data of the warp's poll are there at `done`. */
void poll_waits_result(struct warps *warps, uint32_t slot, cycle_t done, cycle_t now);

#endif
