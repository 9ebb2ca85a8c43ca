#include "icnt/credits.h"

#include <string.h>

enum { BLOCK = 64 }; /* slots emptied together; CREDIT_SLOTS is a multiple */

/* The credits of a block, four slots at a time: all that are in flight to one port fit into a slot's 16 bits. */
static uint32_t sum_block(const uint16_t *slot)
{
	uint64_t sum = 0;
	for (uint32_t i = 0; i < BLOCK; i += 4) {
		uint64_t four;
		memcpy(&four, slot + i, sizeof four);
		sum += four;
	}
	sum = (sum & 0x0000ffff0000ffff) + (sum >> 16 & 0x0000ffff0000ffff);
	return (uint32_t)(sum + (sum >> 32));
}

uint32_t credits_collect(struct credit_ring *ring, cycle_t now)
{
	uint32_t total = 0;
	while (ring->coming && ring->collected < now) {
		uint16_t *slot = &ring->slot[(ring->collected + 1) % CREDIT_SLOTS];
		uint32_t sum = *slot, slots = 1;
		if ((ring->collected + 1) % BLOCK == 0 && now - ring->collected >= BLOCK) {
			sum = sum_block(slot);
			slots = BLOCK;
			if (sum)
				memset(slot, 0, BLOCK * sizeof *slot);
		}
		*slot = 0;
		total += sum;
		ring->coming -= sum;
		ring->collected += slots;
	}
	if (ring->collected < now)
		ring->collected = now;
	return total;
}

cycle_t credits_next(const struct credit_ring *ring)
{
	cycle_t when = ring->collected + 1;
	if (!ring->coming)
		return CYCLE_NEVER;
	while (!ring->slot[when % CREDIT_SLOTS])
		when++;
	return when;
}

void credits_reset(struct credit_ring *ring)
{
	if (ring->coming)
		memset(ring->slot, 0, sizeof ring->slot);
	ring->coming = 0;
	ring->collected = 0;
}
