/*
 * Hits in L1 as the observer of lines counts them. There are so many that L1
 * does this part itself, without a call, where nobody but observers hears of
 * hits.
 */
#ifndef SLUICE_POLICY_LOOK_HITS_H
#define SLUICE_POLICY_LOOK_HITS_H

#include <stdint.h>

/* Where an access finds its line's last user; relative to the same SM. */
enum hit_locality { LOCALITY_WARP, LOCALITY_BLOCK, LOCALITY_CORE, LOCALITY_COUNT };

/*
 * A line frame of L1 whose line has an entry in the observer's table. What is
 * here is newer than that; at most one record is a line's.
 */
struct hit_frame {
	uint64_t not_line; /* ~line: an empty record is no line's */
	uint64_t last; /* user */
	uint32_t hits;  /* that the entry does not know of */
	uint32_t entry; /* 0: none */
};

struct hit_watch {
	struct hit_frame *frame;       /* per line frame of L1 */
	uint64_t *user;                /* per warp slot: number of its warp, above that of the CTA; as they start, from 1 */
	uint64_t hits[LOCALITY_COUNT]; /* hits and pending hits */
	uint64_t last_pc;              /* + 1 */
	/* The rare cases: a hit of a line that has no record here; another instruction than the last. */
	void (*see_line)(struct hit_watch *watch, uint32_t warp, uint64_t line, uint32_t frame);
	void (*see_pc)(struct hit_watch *watch, uint64_t pc);
};

/* Of the hits of one instruction, those that found another warp as the last user, and of those, of another CTA. */
struct hit_others {
	uint32_t warps, ctas;
};

static inline void hit_watch_line(struct hit_watch *watch, struct hit_others *others, uint32_t warp, uint64_t user,
                                  uint64_t line, uint32_t frame)
{
	struct hit_frame *record = &watch->frame[frame];
	if (__builtin_expect(record->not_line != ~line, 0)) {
		watch->hits[LOCALITY_WARP]--; /* it counts by itself */
		watch->see_line(watch, warp, line, frame);
		return;
	}
	record->hits++;
	uint64_t differs = record->last ^ user;
	if (!differs)
		return;
	record->last = user;
	others->warps++;
	if (differs >> 32)
		others->ctas++;
}

/* All `count` hits of the instruction have been seen. */
static inline void hit_watch_end(struct hit_watch *watch, const struct hit_others *others, uint64_t pc, uint32_t count)
{
	watch->hits[LOCALITY_WARP] += count - others->warps;
	watch->hits[LOCALITY_BLOCK] += others->warps - others->ctas;
	watch->hits[LOCALITY_CORE] += others->ctas;
	if (watch->last_pc != pc + 1)
		watch->see_pc(watch, pc);
}

#endif
