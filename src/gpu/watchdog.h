/* What a deadlocked launch looks like. */
#ifndef SLUICE_GPU_WATCHDOG_H
#define SLUICE_GPU_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"

struct gpu;

/* Who waits for what, and how full the queues are, as text; the caller owns it. NULL: no memory. */
/* What a launch had done when it was last seen to go on. */
struct watchdog {
	cycle_t since;
	uint64_t insns, dram_bytes;
};

/*
 * Nothing has gone on for sim.watchdog_cycles: no instruction, as `progress` counts them, and nothing that
 * DRAM served (all who wait for a slow one may wait for longer than that).
 */
bool watchdog_expired(struct watchdog *watchdog, const struct gpu *gpu, uint64_t progress);

char *watchdog_report(struct gpu *gpu, cycle_t now);

#endif
