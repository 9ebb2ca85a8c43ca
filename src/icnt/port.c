/*
 * The SM's port into the interconnect: bandwidth, credits, and the miss queue
 * in front of it.
 *
 * A packet leaves in order, when the port is free and a credit is at hand; its
 * stamp is exact, so it may be handed over ahead of time. Credits come back
 * with exact times too and are kept by cycle.
 */
#include <string.h>

#include "icnt/port.h"

enum { BLOCK = 64 }; /* slots emptied together; CREDIT_SLOTS is a multiple */

static void collect_ring(struct sm *sm, struct credit_ring *ring, cycle_t now)
{
	while (ring->coming && ring->drained < now) {
		uint16_t *slot = &ring->slot[(ring->drained + 1) % CREDIT_SLOTS];
		uint32_t sum = 0, slots = 1;
		if ((ring->drained + 1) % BLOCK == 0 && now - ring->drained >= BLOCK) {
			for (uint32_t i = 0; i < BLOCK; i++)
				sum += slot[i];
			slots = BLOCK;
		} else {
			sum = *slot;
		}
		if (sum)
			memset(slot, 0, slots * sizeof *slot);
		sm->credits += sum;
		ring->coming -= sum;
		ring->drained += slots;
	}
	if (ring->drained < now)
		ring->drained = now;
}

static void collect_credits(struct sm *sm, cycle_t now)
{
	for (uint32_t w = 0; w < sm->memory->owners; w++)
		collect_ring(sm, &sm->credit[w], now);
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
	for (uint32_t w = 0; w < sm->memory->owners; w++) {
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
	return sm->departure_count + sm->waiting.count < sm->machine->l1d_miss_queue;
}

/* When a full miss queue will have room; CYCLE_NEVER: when a credit comes. */
cycle_t port_room_at(struct sm *sm)
{
	return sm->departure_count ? sm->departures[sm->departure_head] : CYCLE_NEVER;
}

void port_hold(struct sm *sm, const struct packet *packet, cycle_t now)
{
	struct packet held = *packet;
	held.when = now;
	packet_ring_push(&sm->waiting, &held);
}

void port_drain(struct sm *sm, cycle_t now)
{
	collect_credits(sm, now);
	while (sm->waiting.count && sm->credits) {
		struct packet packet = *packet_ring_first(&sm->waiting);
		packet_ring_drop(&sm->waiting);
		count(sm, COUNT_icnt_credit_wait, now - packet.when);
		packet.when = port_depart(sm, &packet, now);
		*packet_box_push(&sm->out[sm->memory->slice_worker[packet.slice]]) = packet;
	}
}
