/*
 * Names in scopes: a hash table whose entries come and go like a stack.
 *
 * The innermost entry of a name is found first. An entry may be added later
 * than its scope was opened (a register of a range, on its first use): it
 * carries the depth it belongs to and outlives deeper scopes.
 */
#ifndef SLUICE_PTX_NAMES_H
#define SLUICE_PTX_NAMES_H

#include <stddef.h>
#include <stdint.h>

struct name {
	const char *text; /* not copied: must outlive the entry */
	uint32_t length, hash, next;
	uint32_t depth;
	uint32_t kind, index; /* the owner's */
};

struct names {
	struct name *entries;
	uint32_t *heads;
	uint32_t count, capacity, head_count;
};

void names_release(struct names *names);
/* The innermost entry, NULL if there is none. Valid until the next names_add() or names_close(). */
const struct name *names_find(const struct names *names, const char *text, size_t length);
void names_add(struct names *names, struct name name);
/* Leaves a scope: entries from position `from` on that are deeper than `depth` are dropped. */
void names_close(struct names *names, uint32_t from, uint32_t depth);

#endif
