#include "ptx/symbol_table.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

enum { LIST_END = UINT32_MAX };

static uint32_t hash_name(const char *text, size_t length)
{
	uint64_t h = length;
	for (; length >= 8; text += 8, length -= 8) {
		uint64_t word;
		memcpy(&word, text, 8);
		h = bits_spread(h ^ word);
	}
	uint64_t rest = 0;
	memcpy(&rest, text, length);
	return (uint32_t)(bits_spread(h ^ rest) >> 32);
}

void symbol_table_release(struct symbol_table *table)
{
	free(table->entries);
	free(table->heads);
	*table = (struct symbol_table){0};
}

const struct symbol_entry *symbol_table_find(const struct symbol_table *table, const char *text,
                                             size_t length)
{
	if (!table->capacity)
		return NULL;
	uint32_t hash = hash_name(text, length);
	for (uint32_t i = table->heads[hash & (table->capacity - 1)]; i != LIST_END;
	     i = table->entries[i].next) {
		const struct symbol_entry *e = &table->entries[i];
		if (e->hash == hash && e->length == length && !memcmp(e->text, text, length))
			return e;
	}
	return NULL;
}

static void link_entry(struct symbol_table *table, uint32_t i)
{
	uint32_t *head = &table->heads[table->entries[i].hash & (table->capacity - 1)];
	table->entries[i].next = *head;
	*head = i;
}

static void grow(struct symbol_table *table)
{
	table->capacity = table->capacity ? table->capacity * 2 : 64;
	table->entries = memory_grow(table->entries, table->capacity, sizeof *table->entries);
	table->heads = memory_grow(table->heads, table->capacity, sizeof *table->heads);
	memset(table->heads, 0xff, table->capacity * sizeof *table->heads);
	for (uint32_t i = 0; i < table->count; i++)
		link_entry(table, i);
}

void symbol_table_add(struct symbol_table *table, struct symbol_entry entry)
{
	if (table->count == table->capacity)
		grow(table);
	entry.hash = hash_name(entry.text, entry.length);
	table->entries[table->count] = entry;
	link_entry(table, table->count++);
}

void symbol_table_close(struct symbol_table *table, uint32_t from, uint32_t depth)
{
	/* Last in, first out: every entry that is unlinked is the head of its chain. */
	for (uint32_t i = table->count; i-- > from;)
		table->heads[table->entries[i].hash & (table->capacity - 1)] = table->entries[i].next;
	uint32_t end = table->count;
	table->count = from;
	for (uint32_t i = from; i < end; i++) {
		if (table->entries[i].depth > depth)
			continue;
		table->entries[table->count] = table->entries[i];
		link_entry(table, table->count++);
	}
}
