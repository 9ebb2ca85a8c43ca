/*
 * One worker's event loop over its partitions: a calendar of what comes to them and of what happens in them.
 */
#ifndef SLUICE_MEM_WORKER_H
#define SLUICE_MEM_WORKER_H

#include "icnt/calendar.h"
#include "icnt/order.h"
#include "mem/memory.h"

struct memory_worker {
	struct memory *memory;
	struct hooks hooks; /* whose errors go where the owner says */
	struct calendar calendar;
	uint64_t sent[PARTITION_WORDS];       /* own partitions that have replies in their boxes */
	uint32_t step;                        /* of memory; the same for all workers */
	uint64_t crossed[2][PARTITION_WORDS]; /* own partitions with fabric packets of even, of odd steps */
	struct order order;
};

void memory_worker_init(struct memory_worker *worker, struct memory *memory);
void memory_worker_free(struct memory_worker *worker);
void memory_worker_reset(struct memory_worker *worker);
/* Takes a packet from outside over; it is handled at packet->when. */
static inline void memory_worker_accept(struct memory_worker *worker, const struct packet *packet)
{
	calendar_push(&worker->calendar, packet);
}
/* All packets of a box, which is empty then. */
static inline void memory_worker_accept_box(struct memory_worker *worker, struct packet_box *box)
{
	if (box->count)
		calendar_push_box(&worker->calendar, box);
}
/* Between two quanta, the last of which ended at `end`: replies go on to the SMs. False: there are none to wait for. */
bool memory_pass_replies(struct memory *memory, struct memory_worker *first, cycle_t end);
/*
 * Memory runs in steps that are no longer than the way over the fabric: what is sent in one is taken in the next. A box
 * is filled in steps of one parity and emptied in those of the other, by whoever owns the packets' slices.
 */
void memory_worker_begin_step(struct memory_worker *worker);
/* What `other` sent over the fabric in the step before, for slices of worker number `id`. */
void memory_worker_accept_fabric(struct memory_worker *worker, const struct memory_worker *other,
                                 uint32_t id);
/* Has it sent something in the last step? */
bool memory_worker_crossed(const struct memory_worker *worker);
/* Handles all events before `until`. */
void memory_worker_run(struct memory_worker *worker, cycle_t until);
cycle_t memory_worker_next(struct memory_worker *worker);

/* ---- one event ---------------------------------------------------------------------------------------------- */

/* Where it happens and when. */
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
