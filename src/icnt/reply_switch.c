#include "icnt/reply_switch.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

void reply_switch_init(struct reply_switch *sw, const struct machine *machine, uint32_t slices)
{
	sw->inputs = slices;
	sw->outputs = machine->sm_count;
	sw->input = memory_zeroed(slices, sizeof *sw->input);
	sw->output_free = memory_zeroed(sw->outputs, sizeof *sw->output_free);
	link_init(&sw->link, machine, machine->icnt_reply_bytes_per_cycle);
}

void reply_switch_free(struct reply_switch *sw)
{
	for (uint32_t i = 0; i < sw->inputs; i++)
		free(sw->input[i].item);
	free(sw->input);
	free(sw->output_free);
}

void reply_switch_reset(struct reply_switch *sw)
{
	for (uint32_t i = 0; i < sw->inputs; i++) {
		struct reply_queue *queue = &sw->input[i];
		queue->head = queue->count = 0;
		queue->free = 0;
	}
	memset(sw->output_free, 0, sw->outputs * sizeof *sw->output_free);
}

static void make_room(struct reply_queue *queue)
{
	if (queue->head + queue->count < queue->capacity)
		return;
	if (queue->head >= queue->count + 1) {
		memmove(queue->item, queue->item + queue->head, queue->count * sizeof *queue->item);
		queue->head = 0;
		return;
	}
	queue->capacity = queue->capacity ? 2 * queue->capacity : 64;
	queue->item = memory_grow(queue->item, queue->capacity, sizeof *queue->item);
}

void reply_switch_push(struct reply_switch *sw, uint32_t slice, const struct reply *reply)
{
	struct reply_queue *queue = &sw->input[slice];
	make_room(queue);
	/* A hit takes longer through the slice than data that come from DRAM. */
	uint32_t at = queue->head + queue->count++;
	for (; at > queue->head && queue->item[at - 1].when > reply->when; at--)
		queue->item[at] = queue->item[at - 1];
	queue->item[at] = *reply;
}

/* When the first reply of an input can arrive. */
static fine_t arrival(const struct reply_switch *sw, const struct reply_queue *queue)
{
	const struct reply *reply = &queue->item[queue->head];
	fine_t when = fine_of(reply->when);
	when = when > queue->free ? when : queue->free;
	return when > sw->output_free[reply->sm] ? when : sw->output_free[reply->sm];
}

/*
 * The input whose first reply can arrive soonest, and when; of several it is the next after one that
 * changes from cycle to cycle. `inputs`: there is none before the horizon.
 */
static uint32_t choose(const struct reply_switch *sw, fine_t horizon, fine_t *when)
{
	uint32_t best = sw->inputs, best_rank = 0;
	*when = horizon;
	for (uint32_t i = 0; i < sw->inputs; i++) {
		if (!sw->input[i].count)
			continue;
		fine_t soonest = arrival(sw, &sw->input[i]);
		if (soonest > *when)
			continue;
		uint32_t rank = (uint32_t)((i + sw->inputs - cycle_of(soonest) % sw->inputs) % sw->inputs);
		if (soonest == *when && rank >= best_rank)
			continue;
		best = i;
		best_rank = rank;
		*when = soonest;
	}
	return best;
}

void reply_switch_pass(struct reply_switch *sw, cycle_t horizon,
                       void (*send)(void *user, uint32_t slice, const struct reply *reply), void *user)
{
	fine_t when;
	for (uint32_t slice; (slice = choose(sw, fine_of(horizon), &when)) < sw->inputs;) {
		struct reply_queue *queue = &sw->input[slice];
		struct reply *reply = &queue->item[queue->head];
		fine_t end = when + sw->link.cost[bits_count(reply->sectors)];
		queue->free = sw->output_free[reply->sm] = end;
		reply->when = cycle_of(when);
		send(user, slice, reply);
		queue->head++;
		if (!--queue->count)
			queue->head = 0;
	}
}

bool reply_switch_holds(const struct reply_switch *sw)
{
	for (uint32_t i = 0; i < sw->inputs; i++)
		if (sw->input[i].count)
			return true;
	return false;
}
