/*
 * Tags without data: a set-associative LRU cache that only says whether a line
 * would have hit. DBSA keeps measuring the miss rate of a disabled cache with
 * them. They lie inside a policy's block; a miss takes the line in at once.
 */
#ifndef SLUICE_POLICY_LIB_SHADOW_TAGS_H
#define SLUICE_POLICY_LIB_SHADOW_TAGS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct shadow_tags {
	uint32_t sets, ways;
	uint64_t line[]; /* per set, most recent first; line number + 1, 0: empty */
};

/* A multiple of 8. */
size_t shadow_tags_bytes(uint32_t sets, uint32_t ways);
/* Empties them, too. */
void shadow_tags_init(struct shadow_tags *tags, uint32_t sets, uint32_t ways);
/* Was the line there? It is the set's most recent afterwards. */
bool shadow_tags_access(struct shadow_tags *tags, uint32_t set, uint64_t line);

#endif
