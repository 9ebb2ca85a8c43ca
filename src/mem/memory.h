/*
 * The memory side: partitions of L2 slices, an optional L3 and a DRAM channel.
 *
 * A partition exchanges time-stamped packets with SMs and other partitions only through boxes, one per receiving worker, so
 * partitions run in parallel. A worker owns some partitions and drives them with one calendar of events.
 *
 * A read goes to a slice of the L2 partition near the reader. If the line's home is the other partition, the data are
 * fetched over the fabric and copied. Writes and atomics are performed at home. Left out: invalidation of copies on a write
 * (a timing model shows no stale data; only the refetch is missing).
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
	fine_t free; /* when the pipe accepts the next request */
	uint16_t id;
	uint8_t local; /* its number in the partition */
	uint8_t l2_partition;
	uint32_t dirty_sectors; /* in all its lines */
	uint64_t last_partial;  /* 1 + line of the last store that filled a sector in part; 0: none */
	uint32_t clean_next;    /* entry at which the search for a line to write back begins */
	bool *left;             /* per set: its lines of other programs are not installed yet; owned */
	bool blocked;           /* the first of `waiting` lacks an MSHR, or a line to reserve */
	cycle_t blocked_since;
	/* Requests over the fabric have their own queue and MSHRs. They depend only on DRAM, so there is no deadlock. */
	struct packet_ring waiting, fabric_waiting;
	struct read_merger merger;
};

/* A DRAM channel with its slices. */
struct partition {
	uint32_t id;
	uint32_t word;       /* index into memory_worker.sent */
	uint64_t bit;        /* of that word */
	struct slice *slice; /* its first slice; the others follow */
	struct dram dram;
	struct tags l3;
	cycle_t dram_event; /* cycle of the scheduled decision; CYCLE_NEVER: none */
	cycle_t last_write; /* when the latest write or reduction is done */
	fine_t busy;        /* slice time used, for policies */
	struct counters counters;
	struct reply_box *replies; /* per worker that owns the SM */
	struct packet_box *fabric; /* per worker of the receiving slices: of even steps, then of odd ones */
	struct performed_box performed; /* writes that SMs are to be told of; the GPU empties it */
};

/* Shared by all partitions; constant during a launch. */
struct memory {
	const struct machine *machine;
	const struct crossbar *crossbar;
	const struct chain *chain;
	bool asks; /* a policy answers questions of the memory side */
	uint32_t sector_bytes, sectors_per_fetch, sectors_per_line;
	bool allocates_on_miss, fetches_on_write;
	uint32_t merges_reads; /* reads that may be merged into one; 0: none */
	struct {
		cycle_t latency, partition, reply, credit;
	} cycles;                          /* of the machine's l2.latency_cycles and so on */
	uint32_t kept_mshrs;               /* of a slice, reserved for the other L2 partition */
	uint32_t dirty_limit;              /* sectors of a slice; UINT32_MAX: none */
	uint32_t left_lines, left_dirty;   /* lines of other programs in an emptied slice; of those, dirty */
	struct reply_switch *reply_switch; /* NULL: replies do not pass a switch; owned */
	uint32_t read_fine, write_fine;    /* slice time of a sector */
	uint32_t request_fine, partial_fine; /* least of a read; added for a store to part of a sector */
	uint32_t refresh_period;             /* cycles from one refresh of a bank to the next; 0: none */
	struct {
		uint32_t sector, lane, pass, result;
	} atomic_fine;        /* slice time of atomics */
	double dram_per_core; /* DRAM clocks per core cycle */
	struct index l2_index, l3_index;
	struct partition *partition;
	struct slice *slice;
};

/* The tags of slices lie in `region`, which must outlive it. */
bool memory_init(struct memory *memory, const struct crossbar *crossbar, const struct chain *chain,
                 struct region *region, struct error *err);
void memory_free(struct memory *memory);
/* Between launches: time starts again at 0. The caches keep their lines unless `flush`. */
void memory_reset(struct memory *memory, bool flush);

/* What L2 and L3 held before a launch, for launches that are simulated more than once. The caller frees it. */
struct snapshot *snapshot_take(struct memory *memory);
void snapshot_restore(const struct snapshot *snapshot, struct memory *memory);
void snapshot_free(struct snapshot *snapshot);

#endif
