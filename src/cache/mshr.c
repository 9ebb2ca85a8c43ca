#include "cache/mshr.h"

#include <stdlib.h>

#include "base/bits.h"
#include "base/memory.h"

void mshrs_init(struct mshrs *mshrs, uint32_t entries, uint32_t waiters)
{
	uint32_t slots = 1u << (bits_log2_up(entries) + 1);
	mshrs->entry = memory_zeroed(entries, sizeof *mshrs->entry);
	mshrs->waiter = memory_zeroed(waiters, sizeof *mshrs->waiter);
	mshrs->table = memory_zeroed(slots, sizeof *mshrs->table); /* entry + 1; 0: empty */
	mshrs->free_entry = memory_zeroed(entries, sizeof *mshrs->free_entry);
	mshrs->table_mask = slots - 1;
	mshrs->entries = mshrs->free_entries = entries;
	mshrs->waiters = mshrs->free_waiters = waiters;
	mshrs->used_entries = mshrs->used_waiters = 0;
	mshrs->free_waiter = MSHR_NONE;
}

void mshrs_free(struct mshrs *mshrs)
{
	free(mshrs->entry);
	free(mshrs->waiter);
	free(mshrs->table);
	free(mshrs->free_entry);
}

static uint32_t line_slot(const struct mshrs *mshrs, uint64_t line)
{
	return (uint32_t)(line * 0x9e3779b97f4a7c15u >> 40) & mshrs->table_mask;
}

uint32_t mshrs_find(const struct mshrs *mshrs, uint64_t line)
{
	for (uint32_t slot = line_slot(mshrs, line);; slot = (slot + 1) & mshrs->table_mask) {
		uint32_t entry = mshrs->table[slot];
		if (!entry)
			return MSHR_NONE;
		if (mshrs->entry[entry - 1].line == line)
			return entry - 1;
	}
}

uint32_t mshrs_take(struct mshrs *mshrs, uint64_t line)
{
	/* Entries given back lie on a stack; those never used follow it. */
	uint32_t stacked = mshrs->free_entries - (mshrs->entries - mshrs->used_entries);
	uint32_t entry = stacked ? mshrs->free_entry[stacked - 1] : mshrs->used_entries++;
	mshrs->free_entries--;
	uint32_t slot = line_slot(mshrs, line);
	while (mshrs->table[slot])
		slot = (slot + 1) & mshrs->table_mask;
	mshrs->table[slot] = entry + 1;
	mshrs->entry[entry] = (struct mshr){.line = line, .frame = UINT32_MAX};
	return entry;
}

void mshrs_give(struct mshrs *mshrs, uint32_t entry)
{
	uint32_t hole = line_slot(mshrs, mshrs->entry[entry].line);
	while (mshrs->table[hole] != entry + 1)
		hole = (hole + 1) & mshrs->table_mask;
	/* Close the gap, so that no search ends early. */
	for (uint32_t slot = (hole + 1) & mshrs->table_mask; mshrs->table[slot];
	     slot = (slot + 1) & mshrs->table_mask) {
		uint32_t home = line_slot(mshrs, mshrs->entry[mshrs->table[slot] - 1].line);
		if (((slot - home) & mshrs->table_mask) >= ((slot - hole) & mshrs->table_mask)) {
			mshrs->table[hole] = mshrs->table[slot];
			hole = slot;
		}
	}
	mshrs->table[hole] = 0;
	mshrs->free_entry[mshrs->free_entries - (mshrs->entries - mshrs->used_entries)] = entry;
	mshrs->free_entries++;
}
