/* One worker's event loop over its partitions: a calendar of the packets that arrive and of their own events. */
#ifndef SLUICE_MEM_WORKER_H
#define SLUICE_MEM_WORKER_H

#include "icnt/calendar.h"
#include "icnt/order.h"
#include "mem/memory.h"

struct memory_worker {
	struct memory *memory;
	struct hooks hooks; /* the owner says where errors go */
	struct calendar calendar;
	uint64_t sent[PARTITION_WORDS];       /* own partitions that have replies in their boxes */
	uint32_t step;                        /* of memory; the same for all workers */
	uint64_t crossed[2][PARTITION_WORDS]; /* own partitions with fabric packets of even, of odd steps */
	struct order order;
	struct l2_request cause; /* for policies: the request, or the miss, that the slice deals with */
};

void memory_worker_init(struct memory_worker *worker, struct memory *memory);
void memory_worker_free(struct memory_worker *worker);
void memory_worker_reset(struct memory_worker *worker);
/* Accept a packet from outside; it is handled at packet->when. */
static inline void memory_worker_accept(struct memory_worker *worker, const struct packet *packet)
{
	calendar_push(&worker->calendar, packet);
}
/* Accept all packets of a box and empty it. */
static inline void memory_worker_accept_box(struct memory_worker *worker, struct packet_box *box)
{
	if (box->count)
		calendar_push_box(&worker->calendar, box);
}
/* Between two quanta, the first of which ended at `end`: pass replies on to the SMs; return whether some are held. */
bool memory_pass_replies(struct memory *memory, struct memory_worker *first, cycle_t end);
/*
 * Memory runs in steps no longer than the latency of the fabric: what one step sends, the next accepts. A box is filled in
 * steps of one parity, and the worker that owns the packets' slices empties it in steps of the other.
 */
void memory_worker_begin_step(struct memory_worker *worker);
/* Accept what `other` sent over the fabric in the step before to slices of worker number `id`. */
void memory_worker_accept_fabric(struct memory_worker *worker, const struct memory_worker *other,
                                 uint32_t id);
/* Whether it has sent something over the fabric in the last step. */
bool memory_worker_crossed(const struct memory_worker *worker);
/* Handle all events before `until`. */
void memory_worker_run(struct memory_worker *worker, cycle_t until);
cycle_t memory_worker_next(struct memory_worker *worker);

/* An event: where it happens and when. */
struct mem_event {
	struct memory_worker *worker;
	struct memory *memory;
	struct partition *partition;
	struct slice *slice;
	cycle_t now;
};

static inline void mem_count(struct mem_event *ev, enum counter counter, uint64_t n)
{
	ev->partition->counters.value[counter] += n;
}

#endif
