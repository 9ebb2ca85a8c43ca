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

static inline void slice_send_credit(struct context *x, uint32_t sm, cycle_t when)
{
	struct credit_ring *ring =
	    &x->memory->credits[sm * x->memory->workers + x->memory->slice_worker[x->slice->id]];
	credit_ring_add(ring, when + x->memory->machine->icnt_credit_cycles);
}

/* Misses fetch whole blocks, from DRAM and from the other side alike. */
static inline uint8_t slice_fetch_blocks(const struct context *x, uint8_t sectors)
{
	uint32_t per = x->memory->sectors_per_fetch;
	uint8_t blocks = 0;
	for (uint32_t b = 0; b * per < x->memory->sectors_per_line; b++) {
		uint8_t mask = (uint8_t)(((1u << per) - 1) << b * per);
		if (sectors & mask)
			blocks |= mask;
	}
	return blocks;
}

/* A packet with PACKET_PAST_L2. False when it lacks an MSHR: nothing has changed then. */
bool past_serve(struct context *x, const struct packet *p);

/* Asks L3 or DRAM for sectors of an MSHR; an EVENT_FILL with its index as token follows for each block. */
void fetch_sectors(struct context *x, uint64_t line, uint32_t mshr, uint8_t sectors, cycle_t when);
/* DRAM traffic that nobody waits for. */
void fetch_traffic(struct context *x, uint64_t line, uint32_t bytes, bool write, cycle_t when);
/* EVENT_DRAM: the channel serves its next request. */
void fetch_on_dram(struct context *x);

#endif
