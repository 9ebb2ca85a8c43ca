/* What a prefetcher is asked after, what it answers, and what became of it: the hooks `prefetch` and on_prefetch. */
#ifndef SLUICE_POLICY_PREFETCH_H
#define SLUICE_POLICY_PREFETCH_H

#include <stdint.h>

/* What a prefetcher is asked after; policy.prefetch_on is a mask of these. */
enum prefetch_when {
	PREFETCH_ON_HIT = 1,     /* a line of a load is present */
	PREFETCH_ON_PENDING = 2, /* it is in flight */
	PREFETCH_ON_MISS = 4,    /* it misses */
	PREFETCH_ON_BYPASS = 8,  /* it bypasses L1 */
	PREFETCH_ON_FILL = 16,   /* the last sectors that a miss waited for have come; not of prefetches */
	PREFETCH_ON_ISSUE = 32,  /* a warp issues an instruction */
	PREFETCH_ON_WARP = 64,   /* a warp of a new CTA is about to start, in the order of the CTA */
	PREFETCH_ON_ACCESS = 15, /* any of the first four */
};

struct prefetch_cause {
	uint64_t cycle;
	uint64_t line, pc; /* of an issue, there is no line (0); of a start, no PC either */
	uint64_t cta_id;   /* of the grid */
	uint32_t sm, warp, cta;
	uint32_t warp_in_cta, cta_warps; /* the warp's number in its CTA, and how many those are */
	uint16_t index, count;           /* accesses: which of how many lines of the instruction */
	uint8_t when;                    /* one value of enum prefetch_when */
	uint8_t sectors;                 /* accesses: sectors of the line that the load reads */
	uint8_t first_use;   /* hits: of a line that a prefetch brought; pending: of one that is in flight */
	uint32_t free_mshrs; /* of L1 */
};

enum prefetch_level { PREFETCH_L1, PREFETCH_L2 };
enum prefetch_priority {
	PREFETCH_LOW,  /* dropped unless half of L1's MSHRs are free */
	PREFETCH_HIGH, /* takes the last MSHR */
};

/* A line to fetch. A prefetch never waits: it is dropped if an MSHR, a frame or room in the miss queue is missing. */
struct prefetch {
	uint64_t line;
	uint8_t sectors;  /* 0: all of the line */
	uint8_t level;    /* enum prefetch_level */
	uint8_t priority; /* enum prefetch_priority */
};

enum { PREFETCH_MOST = 16 };                  /* lines of one answer */
#define PREFETCH_LINE_END ((uint64_t)1 << 42) /* lines from here on are dropped */

/* What became of a prefetch into L1; on_prefetch tells. */
enum prefetch_outcome {
	PREFETCH_ISSUED,
	PREFETCH_REDUNDANT, /* the line is present or in flight */
	PREFETCH_DROPPED,   /* a resource was missing */
	PREFETCH_ACCURATE,  /* a load hits the line for the first time */
	PREFETCH_LATE,      /* a load joins it in flight */
	PREFETCH_USELESS,   /* the line has been evicted or invalidated before any load used it */
	PREFETCH_EARLY,     /* a load misses such a line; PREFETCH_USELESS was told before */
};

#endif
