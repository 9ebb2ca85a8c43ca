/* What a deadlocked launch looks like. */
#ifndef SLUICE_GPU_WATCHDOG_H
#define SLUICE_GPU_WATCHDOG_H

#include "base/cycle.h"

struct gpu;

/* Who waits for what, and how full the queues are, as text; the caller owns it. NULL: no memory. */
char *watchdog_report(struct gpu *gpu, cycle_t now);

#endif
