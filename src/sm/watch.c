#include "sm/watch.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

struct watch *watch_new(const struct trace_kernel *kernel)
{
	if (!kernel->watched_count)
		return NULL;
	struct watch *watch = memory_zeroed(1, sizeof *watch);
	watch->address = kernel->watched;
	watch->words = kernel->watched_count;
	watch->word = memory_zeroed(watch->words, sizeof *watch->word);
	return watch;
}

void watch_free(struct watch *watch)
{
	for (uint32_t i = 0; watch && i < watch->words; i++)
		free(watch->word[i].when);
	if (watch)
		free(watch->word);
	free(watch);
}

uint32_t watch_find(const struct watch *watch, uint64_t address, uint32_t bytes)
{
	enum { WORD_BYTES = 4 };
	uint32_t low = 0, high = watch->words;
	/* The first word that ends behind `address`. */
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (watch->address[middle] + WORD_BYTES > address)
			high = middle;
		else
			low = middle + 1;
	}
	return low < watch->words && watch->address[low] < address + bytes ? low : WATCH_NONE;
}

void watch_add(struct watch *watch, uint32_t word, cycle_t when, uint32_t lanes)
{
	struct watched_word *w = &watch->word[word];
	while (w->capacity < w->count + lanes) {
		w->capacity = w->capacity ? 2 * w->capacity : 16;
		w->when = memory_grow(w->when, w->capacity, sizeof *w->when);
	}
	uint32_t at = w->count;
	while (at && w->when[at - 1] > when)
		at--;
	memmove(&w->when[at + lanes], &w->when[at], (w->count - at) * sizeof *w->when);
	for (uint32_t i = 0; i < lanes; i++)
		w->when[at + i] = when;
	w->count += lanes;
}

uint32_t watch_written(const struct watch *watch, uint32_t word, cycle_t when)
{
	const struct watched_word *w = &watch->word[word];
	uint32_t low = 0, high = w->count;
	while (low < high) {
		uint32_t middle = low + (high - low) / 2;
		if (w->when[middle] <= when)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}
