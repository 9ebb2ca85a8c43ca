/* Which instructions miss: L1 misses per static instruction, summed over the launches of a kernel. */
#ifndef SLUICE_REPORT_HOTSPOTS_H
#define SLUICE_REPORT_HOTSPOTS_H

#include "run/run.h"

struct hotspot {
	const struct trace_kernel *kernel;
	const struct trace_insn *insn;
	uint64_t missed_sectors;
};

/* The `max` instructions with the most misses, most first; the caller frees. *total: misses of all of them.
 */
struct hotspot *hotspots_find(const struct run_launch *launches, size_t count, size_t max, size_t *found,
                              uint64_t *total);

#endif
