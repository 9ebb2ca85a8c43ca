/*
 * The SM's port into the interconnect: bandwidth, credits, and the miss queue
 * in front of it.
 *
 * A packet leaves in order, when the port is free and a credit is at hand; its
 * stamp is exact, so it may be handed over ahead of time. Credits come back
 * with exact times too and are kept by cycle.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/sm.h"

enum { UNLIMITED_QUEUE = 4096 };

static void collect_credits(struct sm *sm, cycle_t now)
{
	for (uint32_t w = 0; w < sm->memory->workers; w++) {
		struct credit_ring *ring = &sm->credit[w];
		while (ring->coming && ring->drained < now) {
			uint16_t *slot = &ring->slot[++ring->drained % CREDIT_SLOTS];
			sm->credits += *slot;
			ring->coming -= *slot;
			*slot = 0;
		}
		if (ring->drained < now)
			ring->drained = now;
	}
}

static cycle_t next_credit(const struct credit_ring *ring)
{
	cycle_t when = ring->drained + 1;
	if (!ring->coming)
		return CYCLE_NEVER;
	while (!ring->slot[when % CREDIT_SLOTS])
		when++;
	return when;
}

cycle_t port_next_credit(struct sm *sm, cycle_t now)
{
	collect_credits(sm, now);
	if (sm->credits)
		return now;
	cycle_t when = CYCLE_NEVER;
	for (uint32_t w = 0; w < sm->memory->workers; w++) {
		cycle_t next = next_credit(&sm->credit[w]);
		when = next < when ? next : when;
	}
	return when;
}

void port_reset(struct sm *sm)
{
	sm->port_free = 0;
	sm->credits = sm->machine->icnt_credits;
	sm->departure_count = 0;
	for (uint32_t w = 0; w < sm->memory->workers; w++) {
		struct credit_ring *ring = &sm->credit[w];
		if (ring->coming)
			memset(ring->slot, 0, sizeof ring->slot);
		ring->coming = 0;
		ring->drained = 0;
	}
}

/* Keeps the rings from running over: called once per quantum. */
void port_collect(struct sm *sm, cycle_t now)
{
	collect_credits(sm, now);
}

static void depart(struct sm *sm, struct packet packet, cycle_t now)
{
	const struct machine *m = sm->machine;
	fine_t cost = packet.op == PACKET_READ ? sm->header_fine : bits_count(packet.sectors) * sm->sector_fine;
	fine_t start = fine_of(now) > sm->port_free ? fine_of(now) : sm->port_free;
	sm->port_free = start + cost;
	cycle_t left = cycle_of(start);
	packet.when = left + m->icnt_request_cycles + memory_path(sm->memory, sm->id, packet.slice);
	*packet_box_push(&sm->out[sm->memory->slice_worker[packet.slice]]) = packet;
	sm->credits--;
	count(sm, COUNT_icnt_requests, 1);
	if (m->l1d_miss_queue < UNLIMITED_QUEUE)
		sm->departures[(sm->departure_head + sm->departure_count++) % UNLIMITED_QUEUE] = left;
}

static void forget_departed(struct sm *sm, cycle_t now)
{
	while (sm->departure_count && sm->departures[sm->departure_head] <= now) {
		sm->departure_head = (sm->departure_head + 1) % UNLIMITED_QUEUE;
		sm->departure_count--;
	}
}

bool port_has_room(struct sm *sm, cycle_t now)
{
	if (sm->machine->l1d_miss_queue >= UNLIMITED_QUEUE)
		return true;
	forget_departed(sm, now);
	return sm->departure_count + sm->waiting_count < sm->machine->l1d_miss_queue;
}

/* When a full miss queue will have room; CYCLE_NEVER: when a credit comes. */
cycle_t port_room_at(struct sm *sm)
{
	return sm->departure_count ? sm->departures[sm->departure_head] : CYCLE_NEVER;
}

static void hold(struct sm *sm, const struct packet *packet)
{
	if (sm->waiting_count == sm->waiting_capacity) {
		uint32_t old = sm->waiting_capacity;
		struct packet *bigger = memory_grow(NULL, old * 2, sizeof *bigger);
		for (uint32_t i = 0; i < old; i++)
			bigger[i] = sm->waiting[(sm->waiting_head + i) % old];
		free(sm->waiting);
		sm->waiting = bigger;
		sm->waiting_head = 0;
		sm->waiting_capacity = old * 2;
	}
	sm->waiting[(sm->waiting_head + sm->waiting_count++) % sm->waiting_capacity] = *packet;
}

void port_send(struct sm *sm, const struct packet *packet, cycle_t now)
{
	if (!sm->waiting_count) {
		if (!sm->credits)
			collect_credits(sm, now);
		if (sm->credits) {
			depart(sm, *packet, now);
			return;
		}
	}
	struct packet held = *packet;
	held.when = now;
	hold(sm, &held);
}

void port_drain(struct sm *sm, cycle_t now)
{
	collect_credits(sm, now);
	while (sm->waiting_count && sm->credits) {
		struct packet packet = sm->waiting[sm->waiting_head];
		sm->waiting_head = (sm->waiting_head + 1) % sm->waiting_capacity;
		sm->waiting_count--;
		count(sm, COUNT_icnt_credit_wait, now - packet.when);
		depart(sm, packet, now);
	}
}
