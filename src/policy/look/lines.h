/*
 * The observer of lines: the warp that touched each line of L1 last, how often it was touched, and the warp
 * that replaced it. Three looks come from it: matrix, locality, reuse.
 */
#ifndef SLUICE_POLICY_LOOK_LINES_H
#define SLUICE_POLICY_LOOK_LINES_H

#include "policy/hits.h"
#include "policy/look/line_table.h"
#include "policy/policy.h"

enum { LINES_PCS = 1024 };

/* An SM's block. */
struct look_lines {
	struct hit_watch watch;               /* the first member: L1 finds it there */
	uint32_t warps, frames;               /* slots of an SM, line frames of L1 */
	struct line_table table;              /* entry 0 is no line's */
	uint64_t misses[LOCALITY_COUNT];      /* misses to lines that the SM had touched */
	uint64_t first;                       /* accesses to lines that the SM had not touched */
	uint64_t untracked;                   /* accesses to lines that found no room */
	uint64_t evictions, unused_evictions; /* unused: no second touch */
	uint32_t next_warp, next_cta;
	uint32_t pc_count;
	bool pcs_truncated;
	uint32_t *entry;    /* per line frame of L1: entry whose last user is there; 0: none */
	uint32_t *cta_slot; /* per warp slot */
	uint32_t ctas;      /* CTA slots that were used: the first so many */
	struct look_cta {
		uint64_t since;
		uint32_t id, live;
	} * cta;           /* per CTA slot */
	uint32_t *evicted; /* warps x warps: [owner][evictor] */
	uint32_t
	    *lost; /* warps x warps: [warp][evictor], of the warp's own lines that it missed afterwards */
	uint64_t pc[LINES_PCS]; /* the last member: it need not be emptied */
};

/* The GPU's block. */
struct look_lines_gpu {
	struct line_table before; /* lines of earlier launches */
};

extern const struct policy look_lines;

/* After a launch: brings the table's entries up to date. May be called again. */
void look_lines_close(struct look_lines *lines);

/* Lines of all SMs of a launch together. */
struct look_lines_union {
	uint64_t lines;    /* distinct */
	uint64_t known;    /* of those, in an earlier launch, too */
	uint64_t sm_lines; /* summed over SMs: first touches of an SM */
	uint64_t once;     /* lines that the whole GPU touched once */
	uint64_t pcs;      /* distinct PCs of loads */
	bool truncated;
};
/*
 * After a launch; `sm` may hold NULL where an SM had no CTA. Adds the launch's lines to those of earlier
 * launches: with `gpu` once per launch, without it `known` stays 0.
 */
struct look_lines_union look_lines_join(struct look_lines_gpu *gpu, struct look_lines *const *sm,
                                        uint32_t count);

#endif
