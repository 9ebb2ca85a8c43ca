/*
 * What travels between SMs and memory: time-stamped packets, in boxes.
 *
 * A box is filled by one component during a phase and read by another in the
 * next; it keeps its capacity, so that growth ends after the first quanta.
 */
#ifndef SLUICE_ICNT_PACKET_H
#define SLUICE_ICNT_PACKET_H

#include <stdint.h>

#include "base/cycle.h"

enum packet_op {
	PACKET_READ,
	PACKET_WRITE,
	PACKET_ATOMIC,
	PACKET_REDUCE,
	PACKET_FABRIC_REPLY,
};

enum packet_flag {
	PACKET_FABRIC = 1,    /* sent by a slice of the other L2 partition, not by an SM */
	PACKET_CROSSES = 2,   /* the line's home is not the L2 partition near the SM */
	PACKET_BYPASS_L2 = 4, /* from and to DRAM; the slice only passes it on */
	PACKET_NO_REPLY = 8,  /* of a read: a prefetch into L2 */
	PACKET_ALONE =
	    16, /* a read that is not merged with those of other SMs: an asynchronous copy past L1 */
};

/* A request to an L2 slice. */
struct packet {
	union {
		cycle_t when; /* on its way: arrival at the slice */
		uint32_t set; /* there: where the slice looks for the line */
	};
	uint64_t line;  /* line number */
	uint32_t token; /* the sender's name for the request, returned in the reply */
	union {
		uint16_t from;   /* of a packet between slices: the sending slice */
		uint16_t notice; /* of one from an SM: what is to be told when it is performed; 0: nothing */
	};
	uint16_t slice; /* destination */
	uint8_t op;
	uint8_t sectors;
	union {
		uint8_t full;   /* of a write: sectors wholly written */
		uint8_t passes; /* of an atomic: most lanes on one word */
	};
	uint8_t lanes;    /* of an atomic: most lanes on one word, summed over 32 B chunks */
	uint8_t flags;    /* enum packet_flag */
	uint8_t feedback; /* policy bits that ride along */
	uint16_t sm;      /* SM that began it all */
	/* For policies with l2_origin, else 0. */
	uint32_t pc;
	uint16_t warp;
	uint8_t cta, kind;
};

/* The answer to a read or atomic. */
struct reply {
	cycle_t when; /* arrival at the SM's port */
	uint64_t line;
	uint32_t token;
	uint16_t sm;
	uint8_t sectors;
	uint8_t feedback;
};

/* A write of which its SM is to be told has been performed. */
struct performed {
	cycle_t when;
	uint16_t sm, notice;
};

#define BOX(type)                                                                                            \
	struct type##_box {                                                                                  \
		struct type *item;                                                                           \
		uint32_t count, capacity;                                                                    \
	}
BOX(packet);
BOX(reply);
BOX(performed);
#undef BOX

/* Packets that wait, first in first out. */
struct packet_ring {
	struct packet *item;
	uint32_t head, count, capacity;
};

void packet_ring_push(struct packet_ring *ring, const struct packet *packet);
static inline struct packet *packet_ring_first(struct packet_ring *ring)
{
	return &ring->item[ring->head];
}
static inline void packet_ring_drop(struct packet_ring *ring)
{
	ring->head = ring->head + 1 == ring->capacity ? 0 : ring->head + 1;
	ring->count--;
}

void packet_box_grow(struct packet_box *box);
void reply_box_grow(struct reply_box *box);
void performed_box_push(struct performed_box *box, const struct performed *performed);

static inline struct packet *packet_box_push(struct packet_box *box)
{
	if (__builtin_expect(box->count == box->capacity, 0))
		packet_box_grow(box);
	return &box->item[box->count++];
}
static inline struct reply *reply_box_push(struct reply_box *box)
{
	if (__builtin_expect(box->count == box->capacity, 0))
		reply_box_grow(box);
	return &box->item[box->count++];
}
#endif
