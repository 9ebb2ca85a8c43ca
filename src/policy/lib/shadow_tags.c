#include "policy/lib/shadow_tags.h"

#include <string.h>

size_t shadow_tags_bytes(uint32_t sets, uint32_t ways)
{
	return sizeof(struct shadow_tags) + (size_t)sets * ways * sizeof(uint64_t);
}

void shadow_tags_init(struct shadow_tags *tags, uint32_t sets, uint32_t ways)
{
	tags->sets = sets;
	tags->ways = ways;
	memset(tags->line, 0, (size_t)sets * ways * sizeof *tags->line);
}

bool shadow_tags_access(struct shadow_tags *tags, uint32_t set, uint64_t line)
{
	uint64_t *way = &tags->line[(size_t)(set % tags->sets) * tags->ways];
	uint32_t at = 0;
	while (at < tags->ways - 1 && way[at] != line + 1)
		at++;
	bool hit = way[at] == line + 1;
	memmove(way + 1, way, at * sizeof *way);
	way[0] = line + 1;
	return hit;
}
