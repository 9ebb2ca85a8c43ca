/* Detection and report of a launch that makes no progress. */
#ifndef SLUICE_GPU_WATCHDOG_H
#define SLUICE_GPU_WATCHDOG_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"

struct gpu;

/* What a launch had done when it last made progress. */
struct watchdog {
	cycle_t since;
	uint64_t insns, dram_bytes;
};

/*
 * Return whether there was no progress for sim.watchdog_cycles: no instruction, as `progress` counts them,
 * and no DRAM access (warps may wait longer than that for a slow DRAM).
 */
bool watchdog_expired(struct watchdog *watchdog, const struct gpu *gpu, uint64_t progress);

/* Describe what every warp waits for and how full the queues are; the caller frees the text. NULL: out of memory. */
char *watchdog_report(struct gpu *gpu, cycle_t now);

#endif
