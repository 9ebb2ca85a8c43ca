/* Open addressing over an array of entries, at most half full. */
#include "policy/look/line_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

enum { FIRST_CAPACITY = 128 };

static void place(struct line_table *table, uint32_t number)
{
	uint32_t at = line_table_home(table, table->entry[number].line);
	while (table->slot[at])
		at = (at + 1) & table->mask;
	table->slot[at] = number + 1;
}

static void grow(struct line_table *table)
{
	uint32_t capacity = table->capacity ? table->capacity * 2 : FIRST_CAPACITY;
	table->capacity = capacity;
	table->entry = memory_grow(table->entry, capacity, sizeof *table->entry);
	free(table->slot);
	table->slot = memory_zeroed((size_t)capacity * 2, sizeof *table->slot);
	table->mask = capacity * 2 - 1;
	table->shift = 64 - (uint32_t)__builtin_popcount(table->mask);
	for (uint32_t i = 0; i < table->count; i++)
		place(table, i);
}

/* Few entries are taken out one by one. */
static void empty_slots(struct line_table *table)
{
	enum { SLOTS_PER_ENTRY = 16 };
	if (table->count > table->mask / SLOTS_PER_ENTRY) {
		memset(table->slot, 0, ((size_t)table->mask + 1) * sizeof *table->slot);
		return;
	}
	for (uint32_t i = 0; i < table->count; i++) {
		uint32_t at = line_table_home(table, table->entry[i].line);
		while (table->slot[at] != i + 1)
			at = (at + 1) & table->mask;
		table->slot[at] = 0;
	}
}

void line_table_clear(struct line_table *table, uint32_t most)
{
	if (table->count)
		empty_slots(table);
	table->count = 0;
	table->most = most;
}

void line_table_free(struct line_table *table)
{
	free(table->entry);
	free(table->slot);
	*table = (struct line_table){0};
}

uint32_t line_table_add(struct line_table *table, uint64_t line)
{
	uint32_t found = line_table_find(table, line);
	if (found != LINE_TABLE_NONE || table->count == table->most)
		return found;
	if (table->count == table->capacity)
		grow(table);
	table->entry[table->count] = (struct line_entry){.line = line};
	place(table, table->count);
	return table->count++;
}
