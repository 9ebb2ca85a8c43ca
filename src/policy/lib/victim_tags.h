/*
 * Victim tag array: for every warp, the lines that it lost, and to which warp. CCWS (Rogers et al., MICRO 2012)
 * scores by it, CIAO (Zhang et al., IPDPS 2018, II-C) finds interfering warps with it.
 *
 * The memory belongs to the policy's block. A tag that is found is taken out, so that least recently used and
 * first in first out differ in one thing only: whether a line that is lost again while its tag is still there
 * becomes young.
 */
#ifndef SLUICE_POLICY_LIB_VICTIM_TAGS_H
#define SLUICE_POLICY_LIB_VICTIM_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct victim_tag {
	uint64_t line;
	uint64_t stamp; /* 0: empty; else larger is younger */
	uint32_t evictor;
};

enum victim_order { VICTIM_FIFO, VICTIM_LRU };

struct victim_tags {
	struct victim_tag *tag;
	uint32_t sets, ways; /* of a warp; sets: a power of two */
	enum victim_order order;
	uint64_t clock;
};

enum { VICTIM_NONE = UINT32_MAX };

size_t victim_tags_bytes(uint32_t warps, uint32_t sets, uint32_t ways);
/* Storage in hardware, with `evictor_bits` for the evicting warp; valid bits are not counted, as in the papers. */
uint64_t victim_tags_bits(uint32_t warps, uint32_t sets, uint32_t ways, uint32_t line_bits,
                          uint32_t evictor_bits);
/* `memory` holds victim_tags_bytes(), zeroed or not. */
void victim_tags_init(struct victim_tags *v, void *memory, uint32_t warps);
void victim_tags_clear(struct victim_tags *v, uint32_t warp);
/* Warp `owner` lost a line. */
void victim_tags_insert(struct victim_tags *v, uint32_t owner, uint64_t line, uint32_t evictor);
/* Takes the tag out; returns who evicted the line, or VICTIM_NONE. */
uint32_t victim_tags_take(struct victim_tags *v, uint32_t owner, uint64_t line);

#endif
