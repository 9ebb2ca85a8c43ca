/* The way out of the SM, inlined: most packets find a credit at hand. */
#ifndef SLUICE_SM_PORT_H
#define SLUICE_SM_PORT_H

#include "sm/sm.h"

enum { UNLIMITED_QUEUE = 4096 }; /* a miss queue of this size is never full */

/* Takes the port and a credit for a packet; returns when it reaches its slice. */
static inline cycle_t port_depart(struct sm *sm, const struct packet *packet, cycle_t now)
{
	const struct machine *m = sm->machine;
	fine_t cost =
	    packet->op == PACKET_READ ? sm->header_fine : bits_count(packet->sectors) * sm->sector_fine;
	fine_t start = fine_of(now) > sm->port_free ? fine_of(now) : sm->port_free;
	cycle_t left = cycle_of(start);
	sm->port_free = start + cost;
	sm->credits--;
	count(sm, COUNT_icnt_requests, 1);
	if (m->l1d_miss_queue < UNLIMITED_QUEUE)
		sm->departures[(sm->departure_head + sm->departure_count++) % UNLIMITED_QUEUE] = left;
	cycle_t when = left + m->icnt_request_cycles + memory_path(sm->memory, sm->id, packet->slice);
	return packet->flags & PACKET_CROSSES && packet->op != PACKET_READ ? when + m->l2_partition_cycles
	                                                                   : when;
}

/* Keeps a packet until a credit comes. */
void port_hold(struct sm *sm, const struct packet *packet, cycle_t now);

static inline void port_send(struct sm *sm, const struct packet *packet, cycle_t now)
{
	if (__builtin_expect(sm->waiting.count || (!sm->credits && port_next_credit(sm, now) > now), 0)) {
		port_hold(sm, packet, now);
		return;
	}
	struct packet *out = packet_box_push(&sm->out[sm->memory->slice_worker[packet->slice]]);
	*out = *packet;
	out->when = port_depart(sm, packet, now);
}

#endif
