/*
 * A hash table of names in nested scopes.
 *
 * The entry of the innermost scope is found first. An entry may be added after inner scopes were opened (a register of
 * a range, when it is first used): it carries the depth of its own scope and outlives the inner ones.
 */
#ifndef SLUICE_PTX_SYMBOL_TABLE_H
#define SLUICE_PTX_SYMBOL_TABLE_H

#include <stddef.h>
#include <stdint.h>

struct symbol_entry {
	const char *text; /* not copied: must outlive the entry */
	uint32_t length, hash, next;
	uint32_t depth;       /* of its scope */
	uint32_t kind, index; /* free for the caller */
};

/* Starts as all zeros. */
struct symbol_table {
	struct symbol_entry *entries;
	uint32_t *heads;
	uint32_t count, capacity; /* a power of two, also of heads */
};

void symbol_table_release(struct symbol_table *table);
/* Return the innermost entry, or NULL. It is valid until the next symbol_table_add() or symbol_table_close(). */
const struct symbol_entry *symbol_table_find(const struct symbol_table *table, const char *text,
                                             size_t length);
void symbol_table_add(struct symbol_table *table, struct symbol_entry entry);
/* Leave a scope: drop the entries from position `from` on that are deeper than `depth`. */
void symbol_table_close(struct symbol_table *table, uint32_t from, uint32_t depth);

#endif
