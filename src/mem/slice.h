/* One event of the memory side: where it happens and when; shared by slice.c and fetch.c. */
#ifndef SLUICE_MEM_SLICE_H
#define SLUICE_MEM_SLICE_H

#include "mem/partition.h"

#define FILL_TRAFFIC UINT32_MAX /* DRAM request that nobody waits for */

struct context {
	struct memory_worker *worker;
	struct memory *memory;
	struct partition *partition;
	struct slice *slice;
	cycle_t now;
};

static inline uint64_t *slice_counter(struct context *x, enum counter c)
{
	return &x->partition->counters.value[c];
}

/* Asks L3 or DRAM for sectors of an MSHR; an EVENT_FILL with its index as token follows for each block. */
void fetch_sectors(struct context *x, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when);
/* DRAM traffic that nobody waits for. */
void fetch_traffic(struct context *x, uint64_t line, uint32_t bytes, bool write, cycle_t when);
/* EVENT_DRAM: the channel serves its next request. */
void fetch_on_dram(struct context *x);

#endif
