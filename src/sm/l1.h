/*
 * The L1 data cache: tags, sectors, MSHRs, the share of the unified array that
 * the carve-out leaves it.
 *
 * A load's request finds its sectors present (hit), in flight (pending hit) or
 * asks L2 for them (miss). All resources are checked before anything changes; a
 * request that lacks one fails for exactly one cause and is tried again.
 * Requests leave through the port; the load table learns what loads wait for
 * and what has come. The auxiliary cache shares the MSHRs.
 *
 * Three paths do the same. l1_load() takes any line. l1_load_lines() takes many
 * lines of a plain L1 and l1_hits_alone() the only line of a load; they share
 * the steps of l1_load() except for finding a line: take_hits() and find_line()
 * must agree with lookup_tags(). Stores have one definition, store_line().
 * tests/unit/sm/l1.c, l1_store.c and tests/property/noop_chain.c compare the paths.
 */
#ifndef SLUICE_SM_L1_H
#define SLUICE_SM_L1_H

#include "cache/lookup.h"
#include "icnt/port.h"
#include "sm/loads.h"
#include "sm/lsu.h"
#include "sm/store_merge.h"

#define TOKEN_LOAD (1u << 31) /* the reply goes to a load, not to an MSHR */

struct aux_cache;
struct prefetcher;

/* mshr.flags */
enum {
	MSHR_AUX = 1,      /* the fill goes to the auxiliary cache */
	MSHR_SHARED = 2,   /* it is a line of shared memory */
	MSHR_PREFETCH = 4, /* a prefetch took it */
	MSHR_UNUSED = 8,   /* and no load has joined it */
};

/* The history of a line of L1. */
struct frame_note {
	uint64_t pc;
	uint16_t cta, uses;
};

struct l1 {
	struct tags tags;
	struct mshr_table mshrs;
	uint32_t *bytes; /* bytes valid per chunk of partial lines; owned; NULL: no line is partial */
	uint32_t sector_chunks;
	uint32_t fetch_sectors; /* of a block that a miss brings */
	uint32_t lines;         /* present */
	uint32_t reclaim_next;  /* set that gives up a line next when the data array is full */
	uint32_t sets;          /* in use in this launch */
	uint32_t ways, wide;    /* ways that a set has in this launch; the first `wide` sets have one more */
	bool on;           /* in this launch: the machine has one, and shared memory left something of it */
	bool plain;        /* it is on, and no policy asks or hears of hits */
	bool plain_stores; /* nor of stores, which pass at once, whatever the port does */
	uint32_t *found;   /* by a hash of the line: entry in which a hit was found last; owned */
	fine_t fill_free;  /* the fill port takes the next reply */
	struct link fill_link;
	cycle_t
	    stores_out; /* a store of several lines has left by then: nothing overtakes it on the way to L2 */
	struct store_merge stores; /* the last one waits for others, as long as the data banks are busy */
	uint32_t sm;
	/* wiring */
	const struct machine *machine;
	const struct index *index; /* of all sets */
	struct index *fewer;       /* of those that a carve-out leaves (CARVED_SETS); else NULL */
	const struct launch *launch;
	struct account *account;
	struct hooks *hooks;
	struct icnt_port *port;
	struct loads *loads;
	struct warps *warps;
	struct aux_cache *aux;         /* NULL: none */
	struct prefetcher *prefetcher; /* NULL: none */
	bool origin;                   /* requests say where they come from: a policy has l2_origin */
	struct frame_note *notes;      /* per frame, for policies with frame_history; NULL: none */
};

/* `index`: the machine's index function, which must outlive it. */
void l1_init(struct l1 *l1, const struct machine *machine, const struct hooks *hooks,
             const struct index *index, struct region *region, uint32_t sm);
void l1_free(struct l1 *l1);
/* Empty. After the policies' own start. */
void l1_begin_launch(struct l1 *l1, const struct launch *launch);

/* One line of a memory instruction; L1_FAIL_NONE: it has been served, or its data are in flight. */
enum l1_fail l1_load(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                     cycle_t now);
enum l1_fail l1_store(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                      struct store_joined *joined, cycle_t now);
/* The fast path of a plain L1: as l1_store() for all lines of a store, one after the other; l1->plain_stores. */
void l1_store_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                    struct store_joined *joined, cycle_t now);
enum l1_fail l1_atomic(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                       cycle_t now);

/* The look-ups of a load's lines, so many per cycle. */
struct l1_walk {
	cycle_t now;    /* when line `first` is looked up */
	uint32_t first; /* of the instruction's lines */
	uint32_t per_cycle;
	uint32_t last; /* set by l1_load_lines(): the line that was looked up last, served or not */
};
/* When a line is looked up. */
static inline cycle_t l1_walk_now(const struct l1_walk *walk, uint32_t line)
{
	return walk->now + (line - walk->first) / walk->per_cycle;
}
/*
 * The fast path of a plain L1: as l1_load() for the next `most` lines, one after the other, up to one that fails or
 * behind which packets wait in the port.
 */
enum l1_fail l1_load_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                           uint32_t most, struct l1_walk *walk);
/* The only line of a load in a plain L1 hits where it was found last, which is then all there is to do. */
bool l1_hits_alone(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                   cycle_t now);
/* Lines that hit at `now` are part of the load. */
void l1_hit_done(struct l1 *l1, const struct mem_insn *mem, cycle_t now);

/*
 * A load has the data banks up to `busy`. A store leaves through them: one that still waits goes on waiting for a while. (Loads
 * that bypass L1 hold nothing back: probes merge, whose loads are volatile.)
 */
static inline void l1_hold_store(struct l1 *l1, const struct mem_insn *mem, cycle_t busy)
{
	if (mem->began > l1->stores.until || l1->launch->insn[mem->insn].flags & INSN_BYPASS_L1)
		return;
	cycle_t until = busy + l1->machine->l1d_store_merge_cycles;
	cycle_t longest = l1->stores.came + l1->machine->l1d_store_hold_cycles;
	store_merge_hold(&l1->stores, until < longest ? until : longest);
}

/* A store has the data banks up to `until`, when the next may still join it. `scattered`: nothing overtakes its lines. */
static inline void l1_store_leaves(struct l1 *l1, cycle_t until, bool scattered)
{
	if (scattered)
		l1->stores_out = until;
	store_merge_hold(&l1->stores, until);
}

/* A reply arrives: fills, and gives what has come to the loads that wait for it. */
void l1_reply(struct l1 *l1, const struct reply *reply, cycle_t now);
/* Drop all lines; data in flight fill none. */
void l1_flush(struct l1 *l1);

/* The set of a line; a policy may own the index function. */
static inline uint32_t l1_set(const struct l1 *l1, uint64_t line, uint32_t warp)
{
	if (!hooks_has_set_index(l1->hooks))
		return tags_set(&l1->tags, line);
	uint32_t set = hooks_set_index(l1->hooks, line, l1->tags.sets, warp);
	return set < l1->sets ? set : set % l1->sets;
}

#endif
