/*
 * The memory side: partitions of L2 slices, an optional L3 and a DRAM channel.
 *
 * A partition talks to SMs and to other partitions only through boxes of
 * time-stamped packets, one box per worker on the other side, so partitions
 * run in parallel. A worker owns some partitions and drives them with one
 * timing wheel.
 *
 * A read goes to the slice of the reader's own side; with two sides, data
 * whose home is the other side is fetched over the bridge and copied. Writes
 * and atomics are performed at home. Left out: invalidation of the other
 * side's copies on a write (SMs see no stale data in a timing model; only the
 * refetch is missing).
 */
#ifndef SLUICE_MEM_PARTITION_H
#define SLUICE_MEM_PARTITION_H

#include "cache/mshr.h"
#include "cache/tags.h"
#include "icnt/address_map.h"
#include "icnt/calendar.h"
#include "icnt/order.h"
#include "icnt/packet.h"
#include "machine/machine.h"
#include "mem/dram.h"
#include "policy/hooks.h"
#include "stats/counters.h"

enum { MERGE_SLOTS = 64, PARTITION_WORDS = 2 };

/* The last read of a cluster for a line: another of the same cluster may ride along. */
struct merge_slot {
	uint64_t line;
	cycle_t until;
	uint16_t cluster;
	uint8_t sectors;
};

struct slice {
	struct partition *partition;
	struct tags tags;
	struct mshrs mshrs;
	fine_t free; /* the pipe takes the next request */
	uint16_t id;
	uint8_t side;
	bool blocked; /* the first of `waiting` found no MSHR */
	cycle_t blocked_since;
	/*
	 * Requests of the other side have a queue and some MSHRs of their own: they
	 * depend on DRAM alone, so whatever waits for them will be served.
	 */
	struct packet_ring waiting, far_waiting;
	struct merge_slot *merge;
};

struct partition {
	uint32_t id;
	struct slice *slice; /* its first; they follow one another */
	struct dram dram;
	struct tags l3;
	cycle_t dram_event; /* cycle of the scheduled decision; CYCLE_NEVER: none */
	cycle_t last_write; /* the latest write or reduction is done */
	fine_t busy;        /* slice time used, for policies */
	struct counters counters;
	struct reply_box *replies; /* per worker that owns the SM */
	struct packet_box *far;    /* per worker that owns the other partition */
};

/*
 * Credits on their way to an SM from the slices of one worker, by cycle. The
 * slices add while memory runs, the SM takes while SMs run.
 */
enum { CREDIT_SLOTS = 1024 };
struct credit_ring {
	cycle_t drained; /* slots up to here have been emptied */
	uint32_t coming;
	uint16_t slot[CREDIT_SLOTS];
};

static inline void credit_ring_add(struct credit_ring *ring, cycle_t when)
{
	if (when <= ring->drained)
		when = ring->drained + 1;
	/* Farther ahead than the ring reaches only a slice that is far behind can be. */
	if (when - ring->drained >= CREDIT_SLOTS)
		when = ring->drained + CREDIT_SLOTS - 1;
	ring->slot[when % CREDIT_SLOTS]++;
	ring->coming++;
}

/* Shared by all partitions; constant during a launch. */
struct memory {
	const struct machine *machine;
	struct address_map map;
	uint32_t workers; /* there are boxes for so many */
	uint32_t owners;  /* share slices and SMs in this launch */
	uint32_t sector_bytes, sectors_per_fetch, sectors_per_line;
	uint32_t read_fine, write_fine, atomic_sector_fine, atomic_lane_fine;
	double dram_per_core;       /* DRAM clocks per core cycle */
	uint8_t *path;              /* [cluster][slice]: cycles beyond the shortest path, each way */
	const uint16_t *sm_cluster; /* of every SM */
	const uint8_t *sm_side;
	uint16_t *slice_worker, *sm_worker; /* who owns what */
	struct credit_ring *credits;        /* [SM][worker]: what its slices give back */
	struct partition *partition;
	struct slice *slice;
	const struct chain *chain;
	bool asks; /* some policy answers questions of the memory side */
};

/* One worker's event loop over its partitions. */
struct memory_worker {
	struct memory *memory;
	struct hooks hooks; /* whose errors go where the owner says */
	struct calendar calendar;
	uint64_t sent[PARTITION_WORDS]; /* own partitions that have something in their boxes */
	struct order order;
};

bool memory_init(struct memory *memory, const struct machine *machine, const struct chain *chain,
                 uint32_t workers, const uint16_t *sm_cluster, const uint8_t *sm_side, uint32_t clusters,
                 struct error *err);
void memory_free(struct memory *memory);
/* Between launches: time starts again at 0; caches keep their lines unless `flush`. */
void memory_reset(struct memory *memory, bool flush);

/* Between launches: slices and SMs go to the first `owners` workers. */
void memory_share(struct memory *memory, uint32_t owners);

void memory_worker_init(struct memory_worker *worker, struct memory *memory);
void memory_worker_free(struct memory_worker *worker);
void memory_worker_reset(struct memory_worker *worker);
/* Takes a packet over; it is handled at packet->when. */
static inline void memory_worker_accept(struct memory_worker *worker, const struct packet *packet)
{
	calendar_push(&worker->calendar, packet);
}
void memory_worker_run(struct memory_worker *worker, cycle_t until);
cycle_t memory_worker_next(struct memory_worker *worker);

/* Shortest-path correction between an SM and a slice, one way. */
static inline cycle_t memory_path(const struct memory *memory, uint32_t sm, uint32_t slice)
{
	return memory->path[memory->sm_cluster[sm] * memory->map.slices + slice];
}

#endif
