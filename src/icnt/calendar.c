#include "icnt/calendar.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

void calendar_free(struct calendar *calendar)
{
	for (uint32_t i = 0; i < CALENDAR_SLOTS; i++) {
		free(calendar->page[i].packets.item);
		free(calendar->page[i].events.item);
	}
	while (calendar->spares)
		free(calendar->spare[--calendar->spares].item);
	free(calendar->far.item);
	free(calendar->far_event);
}

void calendar_reset(struct calendar *calendar)
{
	for (uint32_t i = 0; i < CALENDAR_SLOTS; i++)
		calendar->page[i].packets.count = calendar->page[i].events.count = 0;
	calendar->far.count = calendar->far_events = 0;
	calendar->base = 0;
	calendar->far_soonest = CYCLE_NEVER;
	memset(calendar->occupied, 0, sizeof calendar->occupied);
}

void calendar_grow_events(struct own_event_box *box)
{
	box->capacity = box->capacity ? box->capacity * 2 : 16;
	box->item = memory_grow(box->item, box->capacity, sizeof *box->item);
}

void calendar_grow_packets(struct calendar *calendar, struct packet_box *box)
{
	if (!box->capacity && calendar->spares) {
		*box = calendar->spare[--calendar->spares];
		box->count = 0;
	} else {
		packet_box_grow(box);
	}
}

void calendar_push_far(struct calendar *calendar, const struct packet *packet, cycle_t when)
{
	struct packet *far = packet_box_push(&calendar->far);
	*far = *packet;
	far->when = when;
	if (when < calendar->far_soonest)
		calendar->far_soonest = when;
}

void calendar_push_far_event(struct calendar *calendar, cycle_t when, struct own_event event)
{
	if (calendar->far_events == calendar->far_event_capacity) {
		calendar->far_event_capacity = calendar->far_events ? 2 * calendar->far_events : 64;
		calendar->far_event = memory_grow(calendar->far_event, calendar->far_event_capacity,
		                                  sizeof *calendar->far_event);
	}
	calendar->far_event[calendar->far_events++] = (struct far_event){when, event};
	if (when < calendar->far_soonest)
		calendar->far_soonest = when;
}

void calendar_push_box(struct calendar *calendar, struct packet_box *box)
{
	const struct packet *packet = box->item, *end = packet + box->count;
	cycle_t base = calendar->base, far = base + CALENDAR_SLOTS;
	far = far < calendar->far_soonest ? far : calendar->far_soonest;
	for (; packet != end; packet++) {
		cycle_t when = packet->when > base ? packet->when : base;
		if (__builtin_expect(when >= far, 0))
			calendar_push_far(calendar, packet, when);
		else
			*calendar_push_near(calendar, when) = *packet;
	}
	box->count = 0;
}

/* Pushes everything far again: what is near by now finds its page, in the order in which it came. */
void calendar_admit(struct calendar *calendar)
{
	uint32_t packets = calendar->far.count, events = calendar->far_events;
	cycle_t soonest = CYCLE_NEVER;
	calendar->far.count = calendar->far_events = 0;
	calendar->far_soonest = CYCLE_NEVER;
	for (uint32_t i = 0; i < packets; i++) {
		struct packet packet = calendar->far.item[i];
		if (packet.when - calendar->base < CALENDAR_SLOTS) {
			calendar_push(calendar, &packet);
			continue;
		}
		calendar->far.item[calendar->far.count++] = packet;
		soonest = packet.when < soonest ? packet.when : soonest;
	}
	for (uint32_t i = 0; i < events; i++) {
		struct far_event far = calendar->far_event[i];
		if (far.when - calendar->base < CALENDAR_SLOTS) {
			calendar_push_event(calendar, far.when, far.event);
			continue;
		}
		calendar->far_event[calendar->far_events++] = far;
		soonest = far.when < soonest ? far.when : soonest;
	}
	calendar->far_soonest = soonest;
}
