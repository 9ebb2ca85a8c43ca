/* What an L2 slice sends: replies to SMs, credits, and packets to the other L2 partition. */
#ifndef SLUICE_MEM_ANSWER_H
#define SLUICE_MEM_ANSWER_H

#include "mem/worker.h"

/* waiter.from, beside the number of an SM */
enum {
	FROM_FABRIC = 0x8000, /* a slice of the other side, not an SM */
	FROM_NONE = 0x7fff,   /* nobody: a reduction */
};

/* There are replies in the partition's boxes. */
static inline void note_sent(struct mem_event *ev)
{
	ev->worker->sent[ev->partition->word] |= ev->partition->bit;
}

/* The slice has taken a request of the SM: its port gets the credit back. */
static inline void slice_send_credit(struct mem_event *ev, uint32_t sm, cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	credits_add(crossbar_credits(crossbar, sm, crossbar->slice_worker[ev->slice->id]),
	            when + ev->memory->cycles.credit);
}

/* Written where it goes: there is one for every request. */
static inline void send_reply(struct mem_event *ev, const struct waiter *waiter, uint64_t line,
                              uint8_t sectors, cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	uint32_t sm = waiter->from;
	struct reply held, *reply = &held;
	if (__builtin_expect(!ev->memory->reply_switch, 1)) {
		reply = reply_box_push(&ev->partition->replies[crossbar->sm_worker[sm]]);
		note_sent(ev);
	}
	reply->when = when + ev->memory->cycles.reply + crossbar_path(crossbar, sm, ev->slice->id);
	reply->line = line;
	reply->token = waiter->who;
	reply->sm = (uint16_t)sm;
	reply->sectors = sectors;
	reply->feedback = waiter->feedback;
	mem_count(ev, COUNT_icnt_replies, 1);
	if (reply == &held)
		reply_switch_push(ev->memory->reply_switch, ev->slice->id, &held);
}

/* A packet about `line` to a slice of the other L2 partition; what it asks or answers is the caller's to set. */
static inline struct packet *send_fabric(struct mem_event *ev, uint32_t slice, uint64_t line, uint8_t sectors,
                                         cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	uint32_t parity = ev->worker->step & 1;
	struct packet *packet = packet_box_push(
	    &ev->partition->fabric[parity * crossbar->workers + crossbar->slice_worker[slice]]);
	*packet = (struct packet){.flags = PACKET_FABRIC};
	packet->when = when + ev->memory->cycles.partition;
	packet->line = line;
	packet->slice = (uint16_t)slice;
	packet->sectors = sectors;
	ev->worker->crossed[parity][ev->partition->word] |= ev->partition->bit;
	mem_count(ev, COUNT_l2_fabric_sectors, bits_count(sectors));
	return packet;
}

static inline void answer_waiter(struct mem_event *ev, const struct waiter *waiter, uint64_t line,
                                 uint8_t sectors, cycle_t when)
{
	if (waiter->from == FROM_NONE)
		return;
	if (!(waiter->from & FROM_FABRIC)) {
		send_reply(ev, waiter, line, sectors, when);
		return;
	}
	struct packet *packet = send_fabric(ev, waiter->from & (uint32_t)~FROM_FABRIC, line, sectors, when);
	packet->token = waiter->who;
	packet->op = PACKET_FABRIC_REPLY;
}

#endif
