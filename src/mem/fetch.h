/* Behind an L2 slice: the optional L3 and the DRAM channel with its clock. */
#ifndef SLUICE_MEM_FETCH_H
#define SLUICE_MEM_FETCH_H

#include "mem/worker.h"

/* Asks L3 or DRAM for sectors of an MSHR; an EVENT_FILL with its index as token follows for each block. */
void fetch_sectors(struct mem_event *ev, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when);
/* DRAM traffic that nobody waits for. */
void fetch_traffic(struct mem_event *ev, uint64_t line, uint32_t bytes, bool write, cycle_t when);
/* EVENT_DRAM: the channel serves its next request. */
void fetch_on_dram(struct mem_event *ev);

/* Misses fetch whole blocks, from DRAM and over the fabric alike. */
static inline uint8_t fetch_blocks(const struct mem_event *ev, uint8_t sectors)
{
	return lookup_blocks(sectors, ev->memory->sectors_per_fetch);
}

#endif
