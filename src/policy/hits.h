/* Hits in L1 as the observer of lines counts them. They are frequent, so L1 counts them inline where only observers want them. */
#ifndef SLUICE_POLICY_HITS_H
#define SLUICE_POLICY_HITS_H

#include <stdbool.h>
#include <stdint.h>

/* The last user of an accessed line, relative to the accessing warp on the same SM. */
enum hit_locality { LOCALITY_WARP, LOCALITY_BLOCK, LOCALITY_CORE, LOCALITY_COUNT };

/* A bit of every user. The last user lacks it if the line has not been touched since it was filled. */
#define HIT_USER ((uint64_t)1 << 63)

enum { HIT_PCS = 256 };

struct hit_watch {
	/* Per frame of L1, the last user of its line, newer than in the observer's table; 0: the line has no entry there. */
	uint64_t *last;
	uint64_t *user; /* per warp slot: number of its warp, above that of the CTA; as they start, from 1 */
	uint64_t hits[LOCALITY_COUNT]; /* hits and pending hits */
	uint64_t pc[HIT_PCS];          /* 1 + PC of instructions that have been seen, each at its place */
	/* Rare cases: the first hit of a line, or a line without an entry; an instruction that is not at its place. */
	void (*see_line)(struct hit_watch *watch, uint32_t warp, uint64_t line, uint32_t frame);
	void (*see_pc)(struct hit_watch *watch, uint64_t pc);
	/* A frame that has a last user gets another line. */
	void (*leave)(struct hit_watch *watch, uint32_t frame);
};

static inline uint64_t *hit_watch_place(struct hit_watch *watch, uint64_t pc)
{
	return &watch->pc[pc / 8 % HIT_PCS];
}

static inline void hit_watch_pc(struct hit_watch *watch, uint64_t pc)
{
	if (__builtin_expect(*hit_watch_place(watch, pc) != pc + 1, 0))
		watch->see_pc(watch, pc);
}

/* Hits of one instruction. */
struct hit_sums {
	uint32_t hits, own, foreign; /* without rare cases; by the last user; by a warp of another CTA */
};

/* Count one hit; `last` is its frame's. Return false for a rare case, which is left to see_line. */
static inline bool hit_watch_line(uint64_t *last, struct hit_sums *sums, uint64_t user)
{
	uint64_t differs = *last ^ user;
	if ((int64_t)differs <= 0) {
		sums->own += !differs;
		return !differs;
	}
	*last = user;
	if (__builtin_expect(differs >> 32 != 0, 0))
		sums->foreign++;
	return true;
}

static inline void hit_watch_add(struct hit_watch *watch, const struct hit_sums *sums)
{
	watch->hits[LOCALITY_WARP] += sums->own;
	watch->hits[LOCALITY_BLOCK] += sums->hits - sums->own - sums->foreign;
	watch->hits[LOCALITY_CORE] += sums->foreign;
}

/* Note that a frame gets another line. */
static inline void hit_watch_replace(struct hit_watch *watch, uint32_t frame)
{
	if (watch->last[frame])
		watch->leave(watch, frame);
}

#endif
