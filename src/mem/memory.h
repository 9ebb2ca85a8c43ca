/*
 * The memory side: partitions of L2 slices, an optional L3 and a DRAM channel.
 *
 * A partition talks to SMs and to other partitions only through boxes of
 * time-stamped packets, one box per worker on the other side, so partitions
 * run in parallel. A worker owns some partitions and drives them with one
 * calendar of events.
 *
 * A read goes to a slice of the L2 partition near the reader; of two, data
 * whose home is the other are fetched over the fabric between them and copied.
 * Writes and atomics are performed at home. Left out: invalidation of the other
 * copies on a write (SMs see no stale data in a timing model; only the refetch
 * is missing).
 */
#ifndef SLUICE_MEM_MEMORY_H
#define SLUICE_MEM_MEMORY_H

#include "base/region.h"
#include "cache/lookup.h"
#include "icnt/crossbar.h"
#include "icnt/merge.h"
#include "icnt/packet.h"
#include "icnt/reply_switch.h"
#include "machine/machine.h"
#include "mem/dram.h"
#include "policy/hooks.h"
#include "stats/counters.h"

enum { PARTITION_WORDS = 2 };

/* An L2 slice (mem/slice.h). */
struct slice {
	struct partition *partition;
	struct tags tags;
	struct mshr_table mshrs;
	fine_t free; /* the pipe takes the next request */
	uint16_t id;
	uint8_t local; /* its number in the partition */
	uint8_t l2_partition;
	uint32_t dirty_sectors; /* in all its lines */
	uint64_t last_partial;  /* line of the last store that filled a sector in part */
	uint32_t clean_next;    /* entry at which the search for one to write back begins */
	bool *left;             /* per set: its lines of others are not there yet (mem/left.h); owned */
	bool blocked;           /* the first of `waiting` found no MSHR, or no line to reserve */
	cycle_t blocked_since;
	/*
	 * Requests over the fabric have a queue and some MSHRs of their own: they
	 * depend on DRAM alone, so whatever waits for them will be served.
	 */
	struct packet_ring waiting, fabric_waiting;
	struct read_merger merger;
};

/* A DRAM channel with its slices. */
struct partition {
	uint32_t id;
	uint32_t word;       /* of memory_worker.sent */
	uint64_t bit;        /* in it */
	struct slice *slice; /* its first; they follow one another */
	struct dram dram;
	struct tags l3;
	cycle_t dram_event; /* cycle of the scheduled decision; CYCLE_NEVER: none */
	cycle_t last_write; /* the latest write or reduction is done */
	fine_t busy;        /* slice time used, for policies */
	struct counters counters;
	struct reply_box *replies; /* per worker that owns the SM */
	struct packet_box *fabric; /* per worker of the other slices: of even steps, then of odd ones */
};

/* Shared by all partitions; constant during a launch. */
struct memory {
	const struct machine *machine;
	const struct crossbar *crossbar;
	const struct chain *chain;
	bool asks; /* some policy answers questions of the memory side */
	uint32_t sector_bytes, sectors_per_fetch, sectors_per_line;
	bool allocates_on_miss, fetches_on_write;
	uint32_t merges_reads; /* into one; 0: none */
	struct {
		cycle_t latency, partition, reply, credit;
	} cycles;             /* of the machine's l2.latency_cycles and so on */
	uint32_t kept_mshrs;  /* of a slice, which requests of SMs leave to the other L2 partition */
	uint32_t dirty_limit; /* sectors of a slice; UINT32_MAX: none */
	uint32_t left_lines, left_dirty;   /* of others, in a slice that was emptied; of those, dirty ones */
	struct reply_switch *reply_switch; /* NULL: nothing is in the way of a reply; owned */
	uint32_t read_fine, write_fine;    /* slice time of a sector */
	uint32_t request_fine, partial_fine; /* of a read, at least; of a store to part of a sector, beside */
	uint32_t refresh_period;             /* cycles from one refresh of a bank to the next; 0: none */
	struct {
		uint32_t sector, lane, pass, result;
	} atomic_fine;        /* likewise */
	double dram_per_core; /* DRAM clocks per core cycle */
	struct index l2_index, l3_index;
	struct partition *partition;
	struct slice *slice;
};

/* The tags of slices lie in `region`, which must outlive it. */
bool memory_init(struct memory *memory, const struct crossbar *crossbar, const struct chain *chain,
                 struct region *region, struct error *err);
void memory_free(struct memory *memory);
/* Between launches: time starts again at 0; caches keep their lines unless `flush`. */
void memory_reset(struct memory *memory, bool flush);

#endif
