/*
 * A map from line numbers to a small number each, for oracles: it grows with the lines that a kernel touches
 * and forgets nothing until it is cleared.
 */
#ifndef SLUICE_POLICY_LIB_LINE_MAP_H
#define SLUICE_POLICY_LIB_LINE_MAP_H

#include <stddef.h>
#include <stdint.h>

struct line_map {
	struct line_entry *entry; /* a power of two of them, or NULL */
	uint32_t capacity, count;
};

/* The number of a line, or NULL if it has none. */
uint32_t *line_map_find(const struct line_map *map, uint64_t line);
/* The number of a line, 0 for a new one; valid until the next call. */
uint32_t *line_map_at(struct line_map *map, uint64_t line);
void line_map_clear(struct line_map *map);
void line_map_free(struct line_map *map);

#endif
