/*
 * An SM's port into the crossbar: bandwidth, credits, and the miss queue in
 * front of it.
 *
 * Packets leave in order, each when the link is free and a credit is at hand;
 * its stamp is exact, so it may be handed over ahead of time. The port owns its
 * outboxes until the workers of the memory side empty them.
 */
#ifndef SLUICE_ICNT_PORT_H
#define SLUICE_ICNT_PORT_H

#include "base/bits.h"
#include "icnt/crossbar.h"
#include "icnt/link.h"
#include "icnt/packet.h"
#include "stats/counters.h"

enum { UNLIMITED_QUEUE = 4096 }; /* a miss queue of this size is never full */

struct icnt_port {
	const struct crossbar *crossbar;
	struct counters *counters;
	struct packet_box *out; /* per worker that owns the slice; owned */
	const uint8_t *path;    /* to every slice: of this SM's cluster */
	uint32_t sm, partition;
	bool bounded;     /* the miss queue may be full */
	fine_t link_free; /* the link takes the next packet */
	struct link link;
	uint32_t credits;
	struct packet_ring waiting; /* packets without a credit */
	cycle_t *departures;        /* of packets in the miss queue; owned */
	uint32_t departure_head, departure_count;
};

/* `counters`: where it counts. */
void port_init(struct icnt_port *port, const struct crossbar *crossbar, struct counters *counters,
               uint32_t sm);
void port_free(struct icnt_port *port);
void port_begin_launch(struct icnt_port *port);

/* The miss queue takes another packet. */
bool port_room_slow(struct icnt_port *port, cycle_t now);
static inline bool port_has_room(struct icnt_port *port, cycle_t now)
{
	return !port->bounded || port_room_slow(port, now);
}
/* When a full miss queue will have room; CYCLE_NEVER: when a credit comes. */
cycle_t port_room_at(const struct icnt_port *port);

/* Packets wait for credits; when the next comes, and what happens then. */
static inline bool port_waits(const struct icnt_port *port)
{
	return port->waiting.count;
}
cycle_t port_next_credit(struct icnt_port *port, cycle_t now);
void port_drain(struct icnt_port *port, cycle_t now);
/* Keeps credits in flight within their rings' reach: called once per quantum. */
void port_collect(struct icnt_port *port, cycle_t now);
/* Keeps a packet until a credit comes. */
void port_hold(struct icnt_port *port, const struct packet *packet, cycle_t now);

/* Takes the link and a credit for a packet; returns when it reaches its slice. */
static inline cycle_t port_depart(struct icnt_port *port, const struct packet *packet, cycle_t now)
{
	const struct machine *m = port->crossbar->machine;
	bool read = packet->op == PACKET_READ;
	fine_t cost = port->link.cost[read ? 0 : bits_count(packet->sectors)];
	fine_t start = fine_of(now) > port->link_free ? fine_of(now) : port->link_free;
	cycle_t left = cycle_of(start);
	port->link_free = start + cost;
	port->credits--;
	port->counters->value[COUNT_icnt_requests]++;
	if (port->bounded)
		port->departures[(port->departure_head + port->departure_count++) % UNLIMITED_QUEUE] = left;
	cycle_t when = left + m->icnt_request_cycles + port->path[packet->slice];
	return packet->flags & PACKET_CROSSES && !read ? when + m->l2_partition_cycles : when;
}

/* A packet cannot leave now: others wait, or there is no credit. */
static inline bool port_blocked(struct icnt_port *port, cycle_t now)
{
	return port->waiting.count || (!port->credits && port_next_credit(port, now) > now);
}

/* A line request to L2. Reads look at the near partition first; all else is done at the line's home. */
struct line_packet {
	uint64_t line;
	uint32_t token;
	uint8_t op, sectors, full, lanes, feedback; /* an atomic's `full` are its passes */
	uint8_t flags;                              /* PACKET_BYPASS_L2 */
	uint16_t notice;                            /* as in the packet */
	/* For policies with l2_origin, else 0. */
	uint16_t warp;
	uint8_t cta, kind;
	uint32_t pc;
};
/* Sends it to its slice, or keeps it until a credit comes. It is written where it goes: most packets of a run are. */
static inline void port_send_line(struct icnt_port *port, const struct line_packet *request, cycle_t now)
{
	const struct address_map *map = &port->crossbar->map;
	uint32_t home = map_home(map, request->line);
	bool near = request->op == PACKET_READ && !(request->flags & PACKET_BYPASS_L2);
	uint32_t slice = map_slice(map, request->line, near ? port->partition : home);
	bool blocked = __builtin_expect(port_blocked(port, now), 0);
	struct packet held, *packet = &held;
	if (!blocked)
		packet = packet_box_push(&port->out[port->crossbar->slice_worker[slice]]);
	packet->line = request->line;
	packet->token = request->token;
	packet->notice = request->notice;
	packet->slice = (uint16_t)slice;
	packet->op = request->op;
	packet->sectors = request->sectors;
	packet->full = request->full;
	packet->lanes = request->lanes;
	packet->flags = request->flags | (home != port->partition ? PACKET_CROSSES : 0);
	packet->feedback = request->feedback;
	packet->sm = (uint16_t)port->sm;
	packet->pc = request->pc;
	packet->warp = request->warp;
	packet->cta = request->cta;
	packet->kind = request->kind;
	if (blocked)
		port_hold(port, packet, now);
	else
		packet->when = port_depart(port, packet, now);
}

#endif
