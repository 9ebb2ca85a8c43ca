/*
 * A calendar of packets: one growing page per cycle, read in order of arrival.
 *
 * The memory side handles tens of millions of packets a second; here each is
 * copied once into the page of its cycle and read back from there in a row.
 * Packets beyond the calendar's span wait in a list and move in, in order,
 * when their time comes near. What is pushed for the cycle being read is read
 * in the same pass.
 */
#ifndef SLUICE_ICNT_CALENDAR_H
#define SLUICE_ICNT_CALENDAR_H

#include "base/bits.h"
#include "icnt/packet.h"

enum { CALENDAR_SLOTS = 1024, CALENDAR_WORDS = CALENDAR_SLOTS / 64 };

struct calendar {
	cycle_t base; /* nothing before this cycle is in the calendar */
	cycle_t far_soonest;
	uint64_t occupied[CALENDAR_WORDS];
	struct packet_box page[CALENDAR_SLOTS];
	struct packet_box far;
};

void calendar_free(struct calendar *calendar);
/* Forgets all packets and starts again at cycle 0. */
void calendar_reset(struct calendar *calendar);
/* Cycle of the first packet; CYCLE_NEVER if there is none. Changes nothing: earlier packets may still come. */
cycle_t calendar_next(const struct calendar *calendar);
/* Opens the page of cycle `when`, which calendar_next() gave; nothing earlier may come after. */
struct packet_box *calendar_open(struct calendar *calendar, cycle_t when);
/* The page has been read. */
void calendar_close(struct calendar *calendar, cycle_t when);

/* Takes a packet over, to be read at packet->when; one that is late is read next. */
static inline void calendar_push(struct calendar *calendar, const struct packet *packet)
{
	cycle_t when = packet->when > calendar->base ? packet->when : calendar->base;
	/* Behind a far packet everything is far, so that packets of one cycle keep their order whatever the base. */
	if (__builtin_expect(when - calendar->base >= CALENDAR_SLOTS || when >= calendar->far_soonest, 0)) {
		*packet_box_push(&calendar->far) = *packet;
		calendar->far.item[calendar->far.count - 1].when = when;
		if (when < calendar->far_soonest)
			calendar->far_soonest = when;
		return;
	}
	uint32_t slot = (uint32_t)when % CALENDAR_SLOTS;
	calendar->occupied[slot / 64] |= (uint64_t)1 << slot % 64;
	*packet_box_push(&calendar->page[slot]) = *packet;
}

#endif
