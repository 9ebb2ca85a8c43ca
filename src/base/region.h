/*
 * A region: zeroed arrays of one owner, given back together. For megabytes that are used all over: they lie side by side,
 * in large pages where the host has them, which it hands out five hundred times as rarely and finds faster. Pages that
 * nobody touches cost nothing.
 */
#ifndef SLUICE_BASE_REGION_H
#define SLUICE_BASE_REGION_H

#include <stddef.h>
#include <stdint.h>

struct region {
	struct region_chunk *chunk; /* the last of a chain */
	size_t used;                /* of it, in bytes */
};

/* An empty region is all zeros. Aligned to a host cache line; good until region_free(). */
void *region_take(struct region *region, size_t count, size_t size);
/* Everything goes; the region is empty then. */
void region_free(struct region *region);

#endif
