/*
 * Replies in flight to an SM, by the cycle of their arrival. Those of one cycle
 * come out by line, in an order that says nothing of when memory handed them
 * over, hence of the quantum; those of one line as they came.
 */
#ifndef SLUICE_ICNT_REPLIES_H
#define SLUICE_ICNT_REPLIES_H

#include "base/wheel.h"
#include "icnt/packet.h"

struct replies {
	cycle_t next; /* when the first arrives; CYCLE_NEVER: none is in flight */
	struct wheel wheel;
	struct reply *reply; /* owned */
	uint32_t *link;
	uint32_t capacity, free;
};

void replies_init(struct replies *replies);
void replies_free(struct replies *replies);
void replies_begin_launch(struct replies *replies);

void replies_grow(struct replies *replies);
/* Takes a reply over; one that is late arrives `now`. */
static inline void replies_push(struct replies *replies, const struct reply *reply, cycle_t now)
{
	if (__builtin_expect(replies->free == WHEEL_NONE, 0))
		replies_grow(replies);
	uint32_t event = replies->free;
	replies->free = replies->link[event];
	replies->reply[event] = *reply;
	cycle_t when = reply->when > now ? reply->when : now;
	wheel_push(&replies->wheel, replies->link, when, event);
	if (when < replies->next)
		replies->next = when;
}

/*
 * The replies of cycle `next`, in order: for (e = replies_first(r); e != WHEEL_NONE; ) { replies_take(r, &e, &reply); ... }
 * New ones may be pushed meanwhile. replies_done() afterwards.
 */
uint32_t replies_sort(struct replies *replies, uint32_t event);
static inline uint32_t replies_first(struct replies *replies)
{
	uint32_t event = wheel_take(&replies->wheel, replies->link, replies->next);
	return event != WHEEL_NONE && replies->link[event] != WHEEL_NONE ? replies_sort(replies, event)
	                                                                 : event;
}
static inline void replies_take(struct replies *replies, uint32_t *event, struct reply *reply)
{
	uint32_t taken = *event;
	*reply = replies->reply[taken];
	*event = replies->link[taken];
	replies->link[taken] = replies->free;
	replies->free = taken;
}
static inline void replies_done(struct replies *replies)
{
	replies->next = wheel_next(&replies->wheel);
}

/* A look ahead: the tokens of replies that arrive before `until`, or of the first `most` of them. */
uint32_t replies_before(const struct replies *replies, cycle_t until, uint32_t *token, uint32_t most);

#endif
