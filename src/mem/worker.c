/* The loop over the events of the memory side. */
#include "mem/worker.h"

#include <string.h>

#include "mem/fetch.h"
#include "mem/slice.h"

/* ---- replies through the switch --------------------------------------------------------------------------------- */

struct passing {
	struct memory *memory;
	struct memory_worker *worker; /* it announces the filled boxes to the SMs */
};

static void put_in_box(void *user, uint32_t slice, const struct reply *reply)
{
	const struct passing *passing = user;
	const struct memory *memory = passing->memory;
	struct partition *partition = memory->slice[slice].partition;
	*reply_box_push(&partition->replies[memory->crossbar->sm_worker[reply->sm]]) = *reply;
	passing->worker->sent[partition->word] |= partition->bit;
}

bool memory_pass_replies(struct memory *memory, struct memory_worker *first, cycle_t end)
{
	if (!memory->reply_switch)
		return false;
	struct passing passing = {memory, first};
	reply_switch_pass(memory->reply_switch, end + memory->machine->icnt_reply_cycles, put_in_box,
	                  &passing);
	return reply_switch_holds(memory->reply_switch);
}

/* ---- workers -------------------------------------------------------------------------------------------------- */

void memory_worker_init(struct memory_worker *worker, struct memory *memory)
{
	memset(worker, 0, sizeof *worker);
	worker->memory = memory;
	hooks_init_gpu(&worker->hooks, memory->chain, NULL, NULL);
	calendar_reset(&worker->calendar);
}

void memory_worker_free(struct memory_worker *worker)
{
	calendar_free(&worker->calendar);
	order_free(&worker->order);
}

void memory_worker_reset(struct memory_worker *worker)
{
	calendar_reset(&worker->calendar);
	memset(worker->sent, 0, sizeof worker->sent);
	memset(worker->crossed, 0, sizeof worker->crossed);
	worker->step = 0;
}

void memory_worker_begin_step(struct memory_worker *worker)
{
	worker->step++;
	memset(worker->crossed[worker->step & 1], 0, sizeof *worker->crossed);
}

void memory_worker_accept_fabric(struct memory_worker *worker, const struct memory_worker *other, uint32_t id)
{
	const struct memory *memory = worker->memory;
	uint32_t before = (worker->step & 1) ^ 1;
	for (uint32_t word = 0; word < PARTITION_WORDS; word++)
		for (uint64_t left = other->crossed[before][word]; left; left &= left - 1) {
			struct partition *partition = &memory->partition[word * 64 + bits_lowest(left)];
			struct packet_box *box = &partition->fabric[before * memory->crossbar->workers + id];
			for (uint32_t i = 0; i < box->count; i++)
				memory_worker_accept(worker, &box->item[i]);
			box->count = 0;
		}
}

bool memory_worker_crossed(const struct memory_worker *worker)
{
	uint64_t any = 0;
	for (uint32_t word = 0; word < PARTITION_WORDS; word++)
		any |= worker->crossed[worker->step & 1][word];
	return any;
}

cycle_t memory_worker_next(struct memory_worker *worker)
{
	return calendar_next(&worker->calendar);
}

static inline void handle_event(struct mem_event *ev, struct own_event event)
{
	ev->slice = &ev->memory->slice[event.slice];
	ev->partition = ev->slice->partition;
	if (event.op == EVENT_DRAM)
		fetch_on_dram(ev);
	else
		slice_fill(ev, event.token, event.sectors & ev->slice->mshrs.entry[event.token].pending);
}

static inline void handle_packet(struct mem_event *ev, const struct packet *p)
{
	ev->slice = &ev->memory->slice[p->slice];
	ev->partition = ev->slice->partition;
	if (p->op == PACKET_FABRIC_REPLY)
		slice_fill(ev, p->token, p->sectors);
	else
		slice_request(ev, p);
}

static __attribute__((noinline)) void handle_packets(struct mem_event *ev, const struct packet_box *packets)
{
	struct order *order = &ev->worker->order;
	bool moved = order_page(order, packets);
	for (uint32_t i = 0; i < packets->count; i++)
		handle_packet(ev, &packets->item[moved ? order_index(order, i) : i]);
}

/*
 * In each cycle the partitions' own events come first, and events that are caused for the same cycle come
 * last. No packet arrives from outside meanwhile: packets of slices go into boxes.
 */
void memory_worker_run(struct memory_worker *worker, cycle_t until)
{
	struct mem_event ev = {.worker = worker, .memory = worker->memory};
	while ((ev.now = calendar_next(&worker->calendar)) < until) {
		struct calendar_page *page = calendar_open(&worker->calendar, ev.now);
		uint32_t first = page->events.count, i = 0;
		slice_expect_page(ev.memory, page);
		while (i < first)
			handle_event(&ev, page->events.item[i++]);
		if (page->packets.count == 1)
			handle_packet(&ev, page->packets.item);
		else if (page->packets.count)
			handle_packets(&ev, &page->packets);
		while (i < page->events.count)
			handle_event(&ev, page->events.item[i++]);
		calendar_close(&worker->calendar, ev.now);
	}
}
