#include "icnt/port.h"

#include <stdlib.h>

#include "base/memory.h"

void port_init(struct icnt_port *port, const struct crossbar *crossbar, struct counters *counters,
               uint32_t sm)
{
	const struct machine *m = crossbar->machine;
	port->crossbar = crossbar;
	port->counters = counters;
	port->sm = sm;
	port->partition = crossbar->sm_partition[sm];
	port->path = &crossbar->path[crossbar->sm_cluster[sm] * crossbar->map.slices];
	port->out = memory_zeroed(crossbar->workers, sizeof *port->out);
	port->bounded = m->l1d_miss_queue < UNLIMITED_QUEUE;
	port->departures = memory_zeroed(UNLIMITED_QUEUE, sizeof *port->departures);
	link_init(&port->link, m, m->icnt_request_bytes_per_cycle);
}

void port_free(struct icnt_port *port)
{
	for (uint32_t i = 0; port->out && i < port->crossbar->workers; i++)
		free(port->out[i].item);
	free(port->out);
	free(port->waiting.item);
	free(port->departures);
}

void port_begin_launch(struct icnt_port *port)
{
	port->link_free = 0;
	port->credits = port->crossbar->machine->icnt_credits;
	port->departure_count = 0;
	for (uint32_t w = 0; w < port->crossbar->workers; w++)
		credits_reset(crossbar_credits(port->crossbar, port->sm, w));
}

void port_collect(struct icnt_port *port, cycle_t now)
{
	for (uint32_t w = 0; w < port->crossbar->owners; w++)
		port->credits += credits_collect(crossbar_credits(port->crossbar, port->sm, w), now);
}

cycle_t port_next_credit(struct icnt_port *port, cycle_t now)
{
	port_collect(port, now);
	if (port->credits)
		return now;
	cycle_t when = CYCLE_NEVER;
	for (uint32_t w = 0; w < port->crossbar->owners; w++) {
		cycle_t next = credits_next(crossbar_credits(port->crossbar, port->sm, w));
		when = next < when ? next : when;
	}
	return when;
}

bool port_room_slow(struct icnt_port *port, cycle_t now)
{
	while (port->departure_count && port->departures[port->departure_head] <= now) {
		port->departure_head = (port->departure_head + 1) % UNLIMITED_QUEUE;
		port->departure_count--;
	}
	return port->departure_count + port->waiting.count < port->crossbar->machine->l1d_miss_queue;
}

cycle_t port_room_at(const struct icnt_port *port)
{
	return port->departure_count ? port->departures[port->departure_head] : CYCLE_NEVER;
}

void port_hold(struct icnt_port *port, const struct packet *packet, cycle_t now)
{
	struct packet held = *packet;
	held.when = now;
	packet_ring_push(&port->waiting, &held);
}

void port_drain(struct icnt_port *port, cycle_t now)
{
	port_collect(port, now);
	while (port->waiting.count && port->credits) {
		struct packet packet = *packet_ring_first(&port->waiting);
		packet_ring_drop(&port->waiting);
		port->counters->value[COUNT_icnt_credit_wait] += now - packet.when;
		packet.when = port_depart(port, &packet, now);
		*packet_box_push(&port->out[port->crossbar->slice_worker[packet.slice]]) = packet;
	}
}
