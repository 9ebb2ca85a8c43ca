/*
 * A calendar of what comes to the memory side: one growing page per cycle, of
 * packets and of events inside a partition, each in order of arrival.
 *
 * The memory side handles tens of millions of packets a second; here each is
 * copied once into the page of its cycle and read back from there in a row.
 * What lies beyond the calendar's span waits in a list and moves in, in order,
 * when its time comes near. An event that is pushed for the cycle being read is
 * on the open page.
 */
#ifndef SLUICE_ICNT_CALENDAR_H
#define SLUICE_ICNT_CALENDAR_H

#include "base/bits.h"
#include "icnt/packet.h"

enum { CALENDAR_SLOTS = 1024, CALENDAR_WORDS = CALENDAR_SLOTS / 64 };

/* Something that happens inside a partition; small, for there is one or two of them for every packet that misses. */
struct own_event {
	uint32_t token; /* of a fill: the MSHR */
	uint16_t slice;
	uint8_t op;
	uint8_t sectors;
};
enum own_event_op { EVENT_FILL, EVENT_DRAM };

struct own_event_box {
	struct own_event *item;
	uint32_t count, capacity;
};

struct calendar_page {
	struct packet_box packets;
	struct own_event_box events;
};

/* Beyond the span: a packet or an event. */
struct far_event {
	cycle_t when;
	struct own_event event;
};

struct calendar {
	cycle_t base; /* nothing before this cycle is in the calendar */
	cycle_t far_soonest;
	uint32_t spares;
	struct packet_box
	    spare[CALENDAR_SLOTS]; /* of pages that were read; the last one is still in the host's caches */
	uint64_t occupied[CALENDAR_WORDS];
	struct calendar_page page[CALENDAR_SLOTS];
	struct packet_box far;
	struct far_event *far_event;
	uint32_t far_events, far_event_capacity;
};

void calendar_free(struct calendar *calendar);
/* Forgets everything and starts again at cycle 0. */
void calendar_reset(struct calendar *calendar);
/* The slow halves of the functions below. */
void calendar_grow_events(struct own_event_box *box);
void calendar_grow_packets(struct calendar *calendar, struct packet_box *box);
void calendar_push_far(struct calendar *calendar, const struct packet *packet, cycle_t when);
void calendar_push_far_event(struct calendar *calendar, cycle_t when, struct own_event event);
void calendar_admit(struct calendar *calendar);

/* Cycle of the first page; CYCLE_NEVER if there is none. Changes nothing: earlier packets may still come. */
static inline cycle_t calendar_next(const struct calendar *calendar)
{
	uint32_t start = (uint32_t)calendar->base % CALENDAR_SLOTS;
	uint32_t ahead = bits_ring_next(calendar->occupied, CALENDAR_WORDS, start);
	cycle_t near = ahead < CALENDAR_SLOTS ? calendar->base + ahead : CYCLE_NEVER;
	return near < calendar->far_soonest ? near : calendar->far_soonest;
}

/* Opens the page of cycle `when`, which calendar_next() gave; nothing earlier may come after. */
static inline struct calendar_page *calendar_open(struct calendar *calendar, cycle_t when)
{
	calendar->base = when;
	if (__builtin_expect(calendar->far_soonest - when < CALENDAR_SLOTS, 0))
		calendar_admit(calendar);
	return &calendar->page[when % CALENDAR_SLOTS];
}

/* The page has been read. */
static inline void calendar_close(struct calendar *calendar, cycle_t when)
{
	uint32_t slot = (uint32_t)when % CALENDAR_SLOTS;
	struct calendar_page *page = &calendar->page[slot];
	if (page->packets.count) {
		calendar->spare[calendar->spares++] = page->packets;
		page->packets = (struct packet_box){0};
	}
	page->events.count = 0;
	calendar->occupied[slot / 64] &= ~((uint64_t)1 << slot % 64);
	calendar->base = when + 1;
}

/* Behind something far everything is far, so that what comes in one cycle keeps its order whatever the base. */
static inline bool calendar_is_far(const struct calendar *calendar, cycle_t when)
{
	return when - calendar->base >= CALENDAR_SLOTS || when >= calendar->far_soonest;
}

/* The page of a near cycle, which has something on it now. */
static inline struct calendar_page *calendar_page(struct calendar *calendar, cycle_t when)
{
	uint32_t slot = (uint32_t)when % CALENDAR_SLOTS;
	calendar->occupied[slot / 64] |= (uint64_t)1 << slot % 64;
	return &calendar->page[slot];
}

static inline struct packet *calendar_push_near(struct calendar *calendar, cycle_t when)
{
	struct packet_box *box = &calendar_page(calendar, when)->packets;
	if (__builtin_expect(box->count == box->capacity, 0))
		calendar_grow_packets(calendar, box);
	return &box->item[box->count++];
}

/* Takes a packet over, to be read at packet->when; one that is late is read next. */
static inline void calendar_push(struct calendar *calendar, const struct packet *packet)
{
	cycle_t when = packet->when > calendar->base ? packet->when : calendar->base;
	if (__builtin_expect(calendar_is_far(calendar, when), 0)) {
		calendar_push_far(calendar, packet, when);
		return;
	}
	*calendar_push_near(calendar, when) = *packet;
}

/* Takes over all packets of a box, which is empty then. */
void calendar_push_box(struct calendar *calendar, struct packet_box *box);

/* Likewise an event. */
static inline void calendar_push_event(struct calendar *calendar, cycle_t when, struct own_event event)
{
	when = when > calendar->base ? when : calendar->base;
	if (__builtin_expect(calendar_is_far(calendar, when), 0)) {
		calendar_push_far_event(calendar, when, event);
		return;
	}
	struct own_event_box *box = &calendar_page(calendar, when)->events;
	if (__builtin_expect(box->count == box->capacity, 0))
		calendar_grow_events(box);
	box->item[box->count++] = event;
}

#endif
