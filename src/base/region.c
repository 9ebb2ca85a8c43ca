#include "base/region.h"

#include <stdlib.h>
#include <sys/mman.h>

#include "base/bits.h"
#include "base/memory.h"

/* With AddressSanitizer each array is a chunk of its own, so that it sees their ends. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define APART 1
#endif
#elif defined(__SANITIZE_ADDRESS__)
#define APART 1
#endif
#ifndef APART
#define APART 0
#endif

enum { HOST_LINE = 64, LARGE_PAGE = 2 << 20, CHUNK = 4 * LARGE_PAGE };

struct region_chunk {
	struct region_chunk *before;
	uint8_t *memory;
	size_t bytes;
};

/* Large pages are aligned to their size: map one more and unmap both ends. */
static uint8_t *map(size_t bytes)
{
	uint8_t *all =
	    mmap(NULL, bytes + LARGE_PAGE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	if (all == MAP_FAILED)
		memory_exhausted(bytes, 1);
	size_t before = -(uintptr_t)all % LARGE_PAGE;
	if (before)
		munmap(all, before);
	munmap(all + before + bytes, LARGE_PAGE - before);
	madvise(all + before, bytes, MADV_HUGEPAGE); /* may fail: then pages are small */
	return all + before;
}

static void add_chunk(struct region *region, size_t bytes)
{
	struct region_chunk *chunk = memory_zeroed(1, sizeof *chunk);
	chunk->before = region->chunk;
	chunk->bytes = APART ? bytes : bits_round_up(bytes, CHUNK);
	chunk->memory = APART ? memory_zeroed(bytes, 1) : map(chunk->bytes);
	region->chunk = chunk;
	region->used = 0;
}

void *region_take(struct region *region, size_t count, size_t size)
{
	size_t bytes;
	if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
		memory_exhausted(count, size);
	bytes = bits_round_up(bytes, HOST_LINE);
	if (!region->chunk || region->used + bytes > region->chunk->bytes)
		add_chunk(region, bytes);
	void *array = region->chunk->memory + region->used;
	region->used += bytes;
	return array;
}

void region_free(struct region *region)
{
	while (region->chunk) {
		struct region_chunk *chunk = region->chunk;
		region->chunk = chunk->before;
		if (APART)
			free(chunk->memory);
		else
			munmap(chunk->memory, chunk->bytes);
		free(chunk);
	}
	region->used = 0;
}
