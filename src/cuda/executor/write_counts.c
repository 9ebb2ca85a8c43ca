/* Pages of counts in a hash table with open addressing. The page that was used last is looked at first. */
#include "cuda/executor/write_counts.h"

#include <stdlib.h>

#include "base/memory.h"

static size_t slot_of(const struct write_counts *c, uint64_t number)
{
	size_t slot = (size_t)(number * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (c->capacity - 1);
	while (c->pages[slot] && c->pages[slot]->number != number)
		slot = (slot + 1) & (c->capacity - 1);
	return slot;
}

static void grow(struct write_counts *c)
{
	enum { LEAST = 64 };
	struct write_counts wider = {.capacity = c->capacity ? 2 * c->capacity : LEAST};
	wider.pages = memory_zeroed(wider.capacity, sizeof *wider.pages);
	for (size_t i = 0; i < c->capacity; i++)
		if (c->pages[i])
			wider.pages[slot_of(&wider, c->pages[i]->number)] = c->pages[i];
	free(c->pages);
	c->pages = wider.pages;
	c->capacity = wider.capacity;
}

static uint32_t *word_of(struct count_page *page, uint64_t address)
{
	return &page->words[address >> COUNT_WORD_SHIFT & (COUNT_PAGE_WORDS - 1)];
}

uint32_t *write_counts_at(struct write_counts *c, uint64_t address)
{
	uint64_t number = address >> COUNT_PAGE_SHIFT;
	if (c->last && c->last->number == number)
		return word_of(c->last, address);
	if (2 * (c->count + 1) > c->capacity)
		grow(c);
	struct count_page **page = &c->pages[slot_of(c, number)];
	if (!*page) {
		*page = memory_zeroed(1, sizeof **page);
		(*page)->number = number;
		c->count++;
	}
	c->last = *page;
	return word_of(*page, address);
}

uint32_t write_counts_get(const struct write_counts *c, uint64_t address)
{
	struct count_page *page = c->capacity ? c->pages[slot_of(c, address >> COUNT_PAGE_SHIFT)] : NULL;
	return page ? *word_of(page, address) : 0;
}

void write_counts_free(struct write_counts *c)
{
	for (size_t i = 0; i < c->capacity; i++)
		free(c->pages[i]);
	free(c->pages);
}
