/*
 * Lane arrays on their way from and to memory: addresses with what is true of
 * all of them, and results that only some lanes take.
 */
#ifndef SLUICE_CUDA_LANES_MEMORY_H
#define SLUICE_CUDA_LANES_MEMORY_H

#include <stdbool.h>
#include <stdint.h>

enum { LANE_GROUP = 16 }; /* lanes that are looked at together */

/* `bytes`, a power of two, is what a lane accesses, and its alignment. */
struct lane_access {
	uint64_t offset;      /* added to the register */
	uint64_t first, span; /* inside: address - first and span - (address - first) are not negative */
	uint64_t mask;        /* lanes that access; not 0 */
	unsigned bytes, register_bytes, lanes;
};

/* Bit g is group g. Only if all lanes access; else no group is adjacent or same. */
struct lane_spread {
	bool is_inside;         /* all lanes of the mask, and aligned */
	uint8_t adjacent, same; /* one access lies behind the other; all are at one address */
};

struct lane_memory {
	/* Fills `address`, of `lanes` elements, which may be the register. */
	struct lane_spread (*addresses)(uint64_t *address, const void *reg, const struct lane_access *access);
	/* dst = src in the lanes of `mask`; elements of 2, 4 or 8 bytes. */
	void (*blend)(void *dst, const void *src, unsigned bytes, uint64_t mask, unsigned lanes);
};

/* The functions for this host; never NULL. */
const struct lane_memory *lane_memory(void);

#endif
