#include "icnt/packet.h"

#include "base/memory.h"

static uint32_t box_next_capacity(uint32_t capacity)
{
	return capacity ? capacity * 2 : 64;
}

void packet_box_grow(struct packet_box *box)
{
	box->capacity = box_next_capacity(box->capacity);
	box->item = memory_grow(box->item, box->capacity, sizeof *box->item);
}

void reply_box_grow(struct reply_box *box)
{
	box->capacity = box_next_capacity(box->capacity);
	box->item = memory_grow(box->item, box->capacity, sizeof *box->item);
}

void performed_box_push(struct performed_box *box, const struct performed *performed)
{
	if (box->count == box->capacity) {
		box->capacity = box_next_capacity(box->capacity);
		box->item = memory_grow(box->item, box->capacity, sizeof *box->item);
	}
	box->item[box->count++] = *performed;
}

void packet_ring_push(struct packet_ring *ring, const struct packet *packet)
{
	if (ring->count == ring->capacity) {
		uint32_t old = ring->capacity;
		ring->capacity = box_next_capacity(old);
		ring->item = memory_grow(ring->item, ring->capacity, sizeof *ring->item);
		/* The part that had wrapped around moves behind the old end; the ring at least doubles. */
		for (uint32_t i = 0; i < ring->head; i++)
			ring->item[old + i] = ring->item[i];
	}
	uint32_t at = ring->head + ring->count++;
	ring->item[at < ring->capacity ? at : at - ring->capacity] = *packet;
}
