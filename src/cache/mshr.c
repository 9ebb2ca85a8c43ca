#include "cache/mshr.h"

#include <assert.h>
#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

static_assert(sizeof(struct mshr) == 64, "an index becomes an address by a shift");

void mshr_table_init(struct mshr_table *table, struct region *region, uint32_t entries, uint32_t waiters,
                     uint32_t merge)
{
	uint32_t slots = 1u << (bits_log2_up(entries) + 1);
	table->entry = region_take(region, entries, sizeof *table->entry);
	table->waiter = memory_zeroed(waiters, sizeof *table->waiter);
	table->slot = region_take(region, slots, sizeof *table->slot);
	table->slot_mask = slots - 1;
	table->entries = table->free_entries = entries;
	table->free_waiters = waiters;
	table->free_entry = table->used_entries = table->used_waiters = 0;
	table->free_waiter = MSHR_NONE;
	table->merge = merge;
}

void mshr_table_free(struct mshr_table *table)
{
	free(table->waiter);
}

uint32_t mshr_allocate(struct mshr_table *table, uint64_t line)
{
	uint32_t entry = table->free_entry ? table->free_entry - 1 : table->used_entries++;
	struct mshr *mshr = &table->entry[entry];
	if (table->free_entry)
		table->free_entry = mshr->next;
	table->free_entries--;
	uint32_t *slot = &table->slot[mshr_slot(table, line)];
	mshr->line = line;
	mshr->next = *slot;
	mshr->frame = UINT32_MAX;
	mshr->waiters = 0;
	mshr->pending = mshr->flags = mshr->feedback = 0;
	*slot = entry + 1;
	return entry;
}

void mshr_release(struct mshr_table *table, uint32_t entry)
{
	struct mshr *mshr = &table->entry[entry];
	uint32_t *link = &table->slot[mshr_slot(table, mshr->line)];
	while (*link != entry + 1)
		link = &table->entry[*link - 1].next;
	*link = mshr->next;
	mshr->next = table->free_entry;
	table->free_entry = entry + 1;
	table->free_entries++;
}

struct waiter *mshr_chain(struct mshr_table *table, struct mshr *mshr, uint8_t sectors)
{
	uint32_t node = table->free_waiter;
	if (node == MSHR_NONE)
		node = table->used_waiters++;
	else
		table->free_waiter = table->waiter[node].next;
	*(mshr->last == MSHR_NONE ? &mshr->first.next : &table->waiter[mshr->last].next) = node;
	mshr->last = node;
	table->waiter[node].sectors = sectors;
	return &table->waiter[node];
}

/* The first waiter leaves: the next one takes its place. */
static void drop_first(struct mshr_table *table, struct mshr *mshr)
{
	uint32_t node = mshr->first.next;
	table->free_waiters++;
	if (!--mshr->waiters)
		return;
	mshr->first = table->waiter[node];
	mshr->last = mshr->waiters > 1 ? mshr->last : MSHR_NONE;
	table->waiter[node].next = table->free_waiter;
	table->free_waiter = node;
}

void mshr_drop_served(struct mshr_table *table, struct mshr *mshr)
{
	while (mshr->waiters && !mshr->first.sectors)
		drop_first(table, mshr);
	uint32_t *next = &mshr->first.next, previous = MSHR_NONE;
	for (uint32_t left = mshr->waiters; left > 1; left--) {
		uint32_t node = *next;
		struct waiter *waiter = &table->waiter[node];
		if (waiter->sectors) {
			previous = node;
			next = &waiter->next;
			continue;
		}
		*next = waiter->next;
		waiter->next = table->free_waiter;
		table->free_waiter = node;
		table->free_waiters++;
		mshr->waiters--;
	}
	mshr->last = previous;
}
