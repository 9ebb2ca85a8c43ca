/* Blocks of powers of two; what is free of each size is a list. Kept outside of the guest's reach. */
#include "cuda/executor/exec_heap.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

enum { UNIT = 16, SIZES = 48 };

struct free_list {
	uint64_t *blocks;
	size_t count, capacity;
};

struct heap {
	struct device_memory *memory;
	uint64_t bytes, base, used;
	uint8_t *size_of; /* by unit: 1 + log2 of the block's units if one starts here, else 0 */
	struct free_list free[SIZES];
};

struct heap *heap_new(struct device_memory *memory, uint64_t bytes)
{
	struct heap *h = memory_zeroed(1, sizeof *h);
	h->memory = memory;
	h->bytes = bytes / UNIT * UNIT;
	return h;
}

void heap_free(struct heap *h)
{
	if (!h)
		return;
	if (h->base)
		device_memory_release(h->memory, h->base);
	for (unsigned i = 0; i < SIZES; i++)
		free(h->free[i].blocks);
	free(h->size_of);
	free(h);
}

static bool heap_start(struct heap *h)
{
	if (!h->base && h->bytes) {
		h->base = device_memory_allocate(h->memory, h->bytes);
		/* More than the device has: every malloc of the kernel gives NULL. */
		if (h->base)
			h->size_of = memory_zeroed(h->bytes / UNIT, 1);
	}
	return h->base != 0;
}

uint64_t heap_allocate(struct heap *h, uint64_t bytes)
{
	if (bytes > h->bytes || !heap_start(h))
		return 0;
	unsigned size = bits_log2_up((bytes + UNIT - 1) / UNIT);
	struct free_list *list = &h->free[size];
	uint64_t offset = h->used, block = (uint64_t)UNIT << size;
	if (list->count) {
		offset = list->blocks[--list->count];
	} else {
		if (block > h->bytes - h->used)
			return 0;
		h->used += block;
	}
	h->size_of[offset / UNIT] = (uint8_t)(1 + size);
	return h->base + offset;
}

bool heap_release(struct heap *h, uint64_t address)
{
	uint64_t offset = address - h->base;
	if (!h->base || offset >= h->used || offset % UNIT || !h->size_of[offset / UNIT])
		return false;
	struct free_list *list = &h->free[h->size_of[offset / UNIT] - 1];
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 16;
		list->blocks = memory_grow(list->blocks, list->capacity, sizeof *list->blocks);
	}
	list->blocks[list->count++] = offset;
	h->size_of[offset / UNIT] = 0;
	return true;
}
