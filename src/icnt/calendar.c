#include "icnt/calendar.h"

#include <stdlib.h>
#include <string.h>

void calendar_free(struct calendar *calendar)
{
	for (uint32_t i = 0; i < CALENDAR_SLOTS; i++)
		free(calendar->page[i].item);
	free(calendar->far.item);
}

void calendar_reset(struct calendar *calendar)
{
	for (uint32_t i = 0; i < CALENDAR_SLOTS; i++)
		calendar->page[i].count = 0;
	calendar->far.count = 0;
	calendar->base = 0;
	calendar->far_soonest = CYCLE_NEVER;
	memset(calendar->occupied, 0, sizeof calendar->occupied);
}

cycle_t calendar_next(const struct calendar *calendar)
{
	uint32_t start = (uint32_t)calendar->base % CALENDAR_SLOTS;
	uint32_t ahead = bits_ring_next(calendar->occupied, CALENDAR_WORDS, start);
	cycle_t near = ahead < CALENDAR_SLOTS ? calendar->base + ahead : CYCLE_NEVER;
	return near < calendar->far_soonest ? near : calendar->far_soonest;
}

static void admit(struct calendar *calendar)
{
	uint32_t count = calendar->far.count;
	calendar->far.count = 0;
	calendar->far_soonest = CYCLE_NEVER;
	for (uint32_t i = 0; i < count; i++) {
		struct packet packet = calendar->far.item[i];
		if (packet.when - calendar->base < CALENDAR_SLOTS) {
			uint32_t slot = (uint32_t)packet.when % CALENDAR_SLOTS;
			calendar->occupied[slot / 64] |= (uint64_t)1 << slot % 64;
			*packet_box_push(&calendar->page[slot]) = packet;
			continue;
		}
		calendar->far.item[calendar->far.count++] = packet;
		if (packet.when < calendar->far_soonest)
			calendar->far_soonest = packet.when;
	}
}

struct packet_box *calendar_open(struct calendar *calendar, cycle_t when)
{
	calendar->base = when;
	if (calendar->far_soonest != CYCLE_NEVER && calendar->far_soonest - when < CALENDAR_SLOTS)
		admit(calendar);
	return &calendar->page[when % CALENDAR_SLOTS];
}

void calendar_close(struct calendar *calendar, cycle_t when)
{
	uint32_t slot = (uint32_t)when % CALENDAR_SLOTS;
	calendar->page[slot].count = 0;
	calendar->occupied[slot / 64] &= ~((uint64_t)1 << slot % 64);
	calendar->base = when + 1;
}
