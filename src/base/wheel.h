/*
 * A timing wheel: events by cycle, first in first out within a cycle.
 *
 * Events are small integer handles; the links between them are in an array of
 * the owner, one entry per handle. Pushing and popping cost a few
 * instructions; finding the next event skips empty cycles 64 at a time. An
 * event beyond the wheel's span waits in an overflow list and moves into the
 * wheel later, keeping its order.
 */
#ifndef SLUICE_BASE_WHEEL_H
#define SLUICE_BASE_WHEEL_H

#include "base/bits.h"
#include "base/cycle.h"

enum { WHEEL_SLOTS = 1024, WHEEL_WORDS = WHEEL_SLOTS / 64 };
#define WHEEL_NONE UINT32_MAX

struct wheel_far {
	cycle_t when;
	uint32_t event;
};

struct wheel {
	cycle_t base; /* nothing before this cycle is in the wheel */
	uint64_t occupied[WHEEL_WORDS];
	struct {
		uint32_t head, tail;
	} slot[WHEEL_SLOTS];
	uint32_t far_count, far_capacity;
	cycle_t far_soonest;
	struct wheel_far *far;
};

void wheel_init(struct wheel *wheel);
void wheel_free(struct wheel *wheel);
/* Drop all events and start again at `base`. */
void wheel_reset(struct wheel *wheel, cycle_t base);
void wheel_push_far(struct wheel *wheel, cycle_t when, uint32_t event);
/* Return the cycle of the first event, or CYCLE_NEVER. Earlier events may still be pushed. */
cycle_t wheel_next(const struct wheel *wheel);
/* Move far events that now fit into the wheel, in the order in which they were pushed. */
void wheel_admit(struct wheel *wheel, uint32_t *link);

/* Push an event; one before `base` is due at `base`. */
static inline void wheel_push(struct wheel *wheel, uint32_t *link, cycle_t when, uint32_t event)
{
	if (when < wheel->base)
		when = wheel->base;
	/* Behind a far event everything is far, so that events of one cycle keep their order whatever the base. */
	if (__builtin_expect(when - wheel->base >= WHEEL_SLOTS || when >= wheel->far_soonest, 0)) {
		wheel_push_far(wheel, when, event);
		return;
	}
	uint32_t slot = (uint32_t)when % WHEEL_SLOTS;
	uint64_t bit = (uint64_t)1 << slot % 64;
	link[event] = WHEEL_NONE;
	if (wheel->occupied[slot / 64] & bit)
		link[wheel->slot[slot].tail] = event;
	else
		wheel->slot[slot].head = event;
	wheel->slot[slot].tail = event;
	wheel->occupied[slot / 64] |= bit;
}

/* Take the events of cycle `when`, which wheel_next() returned; earlier ones may not be pushed afterwards. They are linked by link[]. */
static inline uint32_t wheel_take(struct wheel *wheel, uint32_t *link, cycle_t when)
{
	uint32_t slot = (uint32_t)when % WHEEL_SLOTS;
	wheel->base = when;
	if (__builtin_expect(wheel->far_soonest != CYCLE_NEVER, 0) && wheel->far_soonest - when < WHEEL_SLOTS)
		wheel_admit(wheel, link);
	wheel->occupied[slot / 64] &= ~((uint64_t)1 << slot % 64);
	return wheel->slot[slot].head;
}

/* Return the first cycle from `from` on that has an event in the wheel, or CYCLE_NEVER; wheel_first() returns that event. */
static inline cycle_t wheel_near(const struct wheel *wheel, cycle_t from)
{
	uint32_t ahead = bits_ring_next(wheel->occupied, WHEEL_WORDS, (uint32_t)from % WHEEL_SLOTS);
	return from + ahead - wheel->base < WHEEL_SLOTS ? from + ahead : CYCLE_NEVER;
}
static inline uint32_t wheel_first(const struct wheel *wheel, cycle_t when)
{
	return wheel->slot[when % WHEEL_SLOTS].head;
}

#endif
