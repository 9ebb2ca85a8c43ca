/* A handle is generation, slot and kind in one number; see handle.h. */
#include "cudart/handle.h"

#include <stdlib.h>

#include "base/memory.h"

enum { KIND_BITS = 4, SLOT_BITS = 24 };

struct handle_slot {
	void *object; /* NULL: free */
	uint32_t generation;
	uint32_t next_free;
	enum handle_kind kind;
};

static void *encode(uint32_t slot, uint32_t generation, enum handle_kind kind)
{
	uint64_t value = (uint64_t)generation << (SLOT_BITS + KIND_BITS) | (uint64_t)slot << KIND_BITS | kind;
	return (void *)(uintptr_t)value;
}

static struct handle_slot *find(const struct handle_table *table, enum handle_kind kind, const void *handle)
{
	uint32_t slot = (uint32_t)((uintptr_t)handle >> KIND_BITS) & ((1u << SLOT_BITS) - 1);
	if (slot >= table->count || !table->slots[slot].object)
		return NULL;
	return encode(slot, table->slots[slot].generation, kind) == handle && table->slots[slot].kind == kind
	           ? &table->slots[slot]
	           : NULL;
}

static uint32_t take_slot(struct handle_table *table)
{
	if (table->free) {
		uint32_t slot = table->free - 1;
		table->free = table->slots[slot].next_free;
		return slot;
	}
	if (table->count == table->capacity) {
		table->capacity = table->capacity ? 2 * table->capacity : 64;
		table->slots = memory_grow(table->slots, table->capacity, sizeof *table->slots);
	}
	/* From 1 on: CUDA keeps the small numbers for its default streams. */
	table->slots[table->count] = (struct handle_slot){.generation = 1};
	return table->count++;
}

void *handle_new(struct handle_table *table, enum handle_kind kind, void *object)
{
	uint32_t slot = take_slot(table);
	table->slots[slot].object = object;
	table->slots[slot].kind = kind;
	return encode(slot, table->slots[slot].generation, kind);
}

void *handle_get(const struct handle_table *table, enum handle_kind kind, const void *handle)
{
	const struct handle_slot *slot = find(table, kind, handle);
	return slot ? slot->object : NULL;
}

void *handle_remove(struct handle_table *table, enum handle_kind kind, const void *handle)
{
	struct handle_slot *slot = find(table, kind, handle);
	if (!slot)
		return NULL;
	void *object = slot->object;
	slot->object = NULL;
	slot->generation++;
	slot->next_free = table->free;
	table->free = (uint32_t)(slot - table->slots) + 1;
	return object;
}

void *handle_next(const struct handle_table *table, enum handle_kind kind, uint32_t *at)
{
	while (*at < table->count) {
		uint32_t slot = (*at)++;
		if (table->slots[slot].object && table->slots[slot].kind == kind)
			return encode(slot, table->slots[slot].generation, kind);
	}
	return NULL;
}

void handle_clear(struct handle_table *table)
{
	for (uint32_t i = 0; i < table->count; i++) {
		struct handle_slot *slot = &table->slots[i];
		if (slot->object && slot->kind != HANDLE_CONTEXT)
			free(handle_remove(table, slot->kind, encode(i, slot->generation, slot->kind)));
	}
}
