/* What lies behind an L2 slice: the optional L3, the DRAM channel and its clock. */
#ifndef SLUICE_MEM_FETCH_H
#define SLUICE_MEM_FETCH_H

#include "mem/worker.h"

/* Fetch sectors of an MSHR from L3 or DRAM. An EVENT_FILL with the MSHR's index as token follows for each block. */
void fetch_sectors(struct mem_event *ev, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when);
/* Add DRAM traffic that no MSHR waits for. */
void fetch_traffic(struct mem_event *ev, uint64_t line, uint32_t bytes, bool write, cycle_t when);
/* Handle EVENT_DRAM: the channel serves its next request. */
void fetch_on_dram(struct mem_event *ev);

/* Round sectors up to whole fetch blocks: misses fetch those, from DRAM and over the fabric. */
static inline uint8_t fetch_blocks(const struct mem_event *ev, uint8_t sectors)
{
	return lookup_blocks(sectors, ev->memory->sectors_per_fetch);
}

#endif
