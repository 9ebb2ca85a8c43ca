/*
 * A table of a policy's own entries, found by a key that is made of a PC, or of a PC and a warp: fully associative, the
 * entry that was used the longest ago is replaced. Hardware keeps such tables small, and so does this: a search looks at all.
 *
 * The entries are the caller's: an array of structs whose first member is a struct pc_key. Zeroed memory is an empty table.
 */
#ifndef SLUICE_POLICY_LIB_PC_TABLE_H
#define SLUICE_POLICY_LIB_PC_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct pc_key {
	uint64_t key;
	uint64_t used; /* 0: the entry is empty; else larger is more recent */
};

struct pc_table {
	void *entry;
	size_t size;    /* of an entry */
	uint32_t count; /* of entries, at least 1 */
	uint64_t clock;
};

/* A key of a PC and a warp's slot. */
static inline uint64_t pc_key_of(uint64_t pc, uint32_t warp)
{
	return pc << 8 | (warp & 0xff);
}

/* Return the entry of a key, or NULL. It is not made younger. */
static inline void *pc_table_find(const struct pc_table *table, uint64_t key)
{
	char *at = table->entry;
	for (uint32_t i = 0; i < table->count; i++, at += table->size) {
		const struct pc_key *entry = (const struct pc_key *)(const void *)at;
		if (entry->used && entry->key == key)
			return at;
	}
	return NULL;
}

/* Return the entry of a key, which becomes the youngest. A new one is zeroed and takes the oldest's place: *is_new. */
static inline void *pc_table_use(struct pc_table *table, uint64_t key, bool *is_new)
{
	struct pc_key *found = pc_table_find(table, key);
	*is_new = !found;
	if (!found) {
		char *at = table->entry;
		for (uint32_t i = 0; i < table->count; i++, at += table->size) {
			struct pc_key *entry = (struct pc_key *)(void *)at;
			if (!found || entry->used < found->used)
				found = entry;
		}
		memset(found, 0, table->size);
		found->key = key;
	}
	found->used = ++table->clock;
	return found;
}

#endif
