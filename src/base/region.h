/*
 * A region: zeroed arrays of one owner, freed together. For megabytes that are accessed throughout a run: they are
 * contiguous and, where the host has them, in large pages, which cause fewer page faults and TLB misses. Untouched
 * pages take no memory.
 */
#ifndef SLUICE_BASE_REGION_H
#define SLUICE_BASE_REGION_H

#include <stddef.h>
#include <stdint.h>

struct region {
	struct region_chunk *chunk; /* the last of a chain */
	size_t used;                /* of it, in bytes */
};

/* Return a zeroed array, aligned to a host cache line and valid until region_free(). An empty region is all zeros. */
void *region_take(struct region *region, size_t count, size_t size);
/* Free all arrays; the region is empty afterwards. */
void region_free(struct region *region);

#endif
