#include "policy/lib/line_map.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"

struct line_entry {
	uint64_t line;
	uint32_t value, used;
};

/* Where the line is, or where it would go. */
static struct line_entry *place(const struct line_map *map, uint64_t line)
{
	uint32_t at = (uint32_t)(bits_spread(line) >> 32) & (map->capacity - 1);
	while (map->entry[at].used && map->entry[at].line != line)
		at = (at + 1) & (map->capacity - 1);
	return &map->entry[at];
}

static void grow(struct line_map *map)
{
	struct line_map larger = {.capacity = map->capacity ? 2 * map->capacity : 256, .count = map->count};
	larger.entry = memory_zeroed(larger.capacity, sizeof *larger.entry);
	for (uint32_t i = 0; i < map->capacity; i++)
		if (map->entry[i].used)
			*place(&larger, map->entry[i].line) = map->entry[i];
	free(map->entry);
	*map = larger;
}

uint32_t *line_map_find(const struct line_map *map, uint64_t line)
{
	struct line_entry *entry = map->capacity ? place(map, line) : NULL;
	return entry && entry->used ? &entry->value : NULL;
}

uint32_t *line_map_at(struct line_map *map, uint64_t line)
{
	if (4 * (map->count + 1) > 3 * map->capacity)
		grow(map);
	struct line_entry *entry = place(map, line);
	if (!entry->used) {
		*entry = (struct line_entry){line, 0, 1};
		map->count++;
	}
	return &entry->value;
}

void line_map_clear(struct line_map *map)
{
	if (map->count)
		memset(map->entry, 0, map->capacity * sizeof *map->entry);
	map->count = 0;
}

void line_map_free(struct line_map *map)
{
	free(map->entry);
	*map = (struct line_map){0};
}
