#include "ptx/names.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

enum { NAMES_END = UINT32_MAX };

static uint32_t names_hash(const char *text, size_t length)
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

void names_release(struct names *names)
{
	free(names->entries);
	free(names->heads);
	*names = (struct names){0};
}

const struct name *names_find(const struct names *names, const char *text, size_t length)
{
	if (!names->head_count)
		return NULL;
	uint32_t hash = names_hash(text, length);
	for (uint32_t i = names->heads[hash & (names->head_count - 1)]; i != NAMES_END;
	     i = names->entries[i].next) {
		const struct name *e = &names->entries[i];
		if (e->hash == hash && e->length == length && !memcmp(e->text, text, length))
			return e;
	}
	return NULL;
}

static void names_link(struct names *names, uint32_t i)
{
	uint32_t *head = &names->heads[names->entries[i].hash & (names->head_count - 1)];
	names->entries[i].next = *head;
	*head = i;
}

static void names_grow(struct names *names)
{
	names->capacity = names->capacity ? names->capacity * 2 : 64;
	names->head_count = names->capacity;
	names->entries = memory_grow(names->entries, names->capacity, sizeof *names->entries);
	names->heads = memory_grow(names->heads, names->head_count, sizeof *names->heads);
	memset(names->heads, 0xff, names->head_count * sizeof *names->heads);
	for (uint32_t i = 0; i < names->count; i++)
		names_link(names, i);
}

void names_add(struct names *names, struct name name)
{
	if (names->count == names->capacity)
		names_grow(names);
	name.hash = names_hash(name.text, name.length);
	names->entries[names->count] = name;
	names_link(names, names->count++);
}

void names_close(struct names *names, uint32_t from, uint32_t depth)
{
	/* Last in, first out: whatever is unlinked is the head of its chain. */
	for (uint32_t i = names->count; i-- > from;)
		names->heads[names->entries[i].hash & (names->head_count - 1)] = names->entries[i].next;
	uint32_t end = names->count;
	names->count = from;
	for (uint32_t i = from; i < end; i++) {
		if (names->entries[i].depth > depth)
			continue;
		names->entries[names->count] = names->entries[i];
		names_link(names, names->count++);
	}
}
