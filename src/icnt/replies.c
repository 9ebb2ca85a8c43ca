#include "icnt/replies.h"

#include <stdlib.h>

#include "base/memory.h"

void replies_init(struct replies *replies)
{
	wheel_init(&replies->wheel);
	replies->free = WHEEL_NONE;
	replies->next = CYCLE_NEVER;
}

void replies_free(struct replies *replies)
{
	wheel_free(&replies->wheel);
	free(replies->reply);
	free(replies->link);
}

void replies_begin_launch(struct replies *replies)
{
	wheel_reset(&replies->wheel, 0);
	replies->next = CYCLE_NEVER;
}

void replies_grow(struct replies *replies)
{
	uint32_t old = replies->capacity;
	replies->capacity = old ? old * 2 : 64;
	replies->reply = memory_grow(replies->reply, replies->capacity, sizeof *replies->reply);
	replies->link = memory_grow(replies->link, replies->capacity, sizeof *replies->link);
	for (uint32_t i = old; i < replies->capacity; i++)
		replies->link[i] = i + 1 < replies->capacity ? i + 1 : WHEEL_NONE;
	replies->free = old;
}

uint32_t replies_sort(struct replies *replies, uint32_t event)
{
	uint32_t first = WHEEL_NONE;
	while (event != WHEEL_NONE) {
		uint32_t next = replies->link[event], *at = &first;
		while (*at != WHEEL_NONE && replies->reply[*at].line <= replies->reply[event].line)
			at = &replies->link[*at];
		replies->link[event] = *at;
		*at = event;
		event = next;
	}
	return first;
}

uint32_t replies_before(const struct replies *replies, cycle_t until, uint32_t *token, uint32_t most)
{
	const struct wheel *wheel = &replies->wheel;
	uint32_t count = 0;
	for (cycle_t when = wheel_near(wheel, wheel->base); when < until;
	     when = wheel_near(wheel, when + 1)) {
		uint32_t event = wheel_first(wheel, when);
		for (; event != WHEEL_NONE && count < most; event = replies->link[event])
			token[count++] = replies->reply[event].token;
		if (count == most)
			break;
	}
	return count;
}
