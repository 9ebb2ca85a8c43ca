#include "mem/packet.h"

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
