/* The observer of shared memory: how long its lines live, how often they are read, how long a cache keeps them. */
#ifndef SLUICE_POLICY_LOOK_SHARED_H
#define SLUICE_POLICY_LOOK_SHARED_H

#include "policy/chain.h"

enum { SHARED_BINS = 6 };
extern const char *const look_shared_bins[SHARED_BINS];

/* One line of a CTA's shared memory. */
struct shared_line {
	uint64_t number;      /* + 1; 0: free */
	uint64_t key;         /* the number in its CTA; above, the CTA's, from 1 */
	uint64_t first_write; /* + 1; 0: not written yet */
	uint64_t last_read;
	uint64_t entered; /* + 1: the cache that holds shared memory; 0: not there */
	uint64_t left;    /* + 1: that cache, for the first time in this live range; 0: not yet */
	uint64_t reads;   /* since the last write that ended a range */
};

/* An SM's block; slots follow. */
struct look_shared {
	uint64_t accesses, reads, writes;
	uint64_t ranges, unread; /* live ranges that ended; of those, never read */
	uint64_t lifetime, longest;
	uint64_t bin[SHARED_BINS]; /* ranges by number of reads */
	uint64_t stays, residency; /* lines that left the cache; their cycles there */
	uint64_t evicted_ranges, evicted_residency, evicted_lifetime; /* of ranges whose line was replaced */
	uint64_t ctas, cta_cycles;                                    /* that ended */
	uint64_t dropped;                                             /* accesses that found no room */
	uint32_t warps, slots, used, next_cta;
	uint32_t cta_slots; /* CTA slots that were used: the first so many */
	uint32_t *cta_slot; /* per warp slot */
	uint32_t *taken;    /* places of the lines, in the order of their first access */
	struct shared_cta {
		uint64_t since, ended; /* + 1; ended: the one before */
		uint32_t id, live;
		uint32_t start; /* place of its first line */
	} * cta;                /* per CTA slot */
	struct shared_line line[];
};

extern const struct policy look_shared;
/* The short way for accesses on chip. */
void look_shared_lines(void *sm, uint64_t line, uint32_t count, uint32_t what, uint64_t cycle);

/* Ends what lives at the launch's end. */
void look_shared_close(struct look_shared *shared);

#endif
