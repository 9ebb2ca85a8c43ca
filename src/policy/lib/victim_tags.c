#include "policy/lib/victim_tags.h"

#include <string.h>

size_t victim_tags_bytes(uint32_t warps, uint32_t sets, uint32_t ways)
{
	return (size_t)warps * sets * ways * sizeof(struct victim_tag);
}

uint64_t victim_tags_bits(uint32_t warps, uint32_t sets, uint32_t ways, uint32_t line_bits,
                          uint32_t evictor_bits)
{
	return (uint64_t)warps * sets * ways * (line_bits + evictor_bits);
}

void victim_tags_init(struct victim_tags *v, void *memory, uint32_t warps)
{
	v->tag = memory;
	v->clock = 0;
	memset(memory, 0, victim_tags_bytes(warps, v->sets, v->ways));
}

void victim_tags_clear(struct victim_tags *v, uint32_t warp)
{
	size_t of_warp = (size_t)v->sets * v->ways;
	memset(v->tag + warp * of_warp, 0, of_warp * sizeof *v->tag);
}

static struct victim_tag *set_of(const struct victim_tags *v, uint32_t owner, uint64_t line)
{
	return v->tag + ((size_t)owner * v->sets + (line & (v->sets - 1))) * v->ways;
}

static struct victim_tag *find(struct victim_tag *set, uint32_t ways, uint64_t line)
{
	for (uint32_t i = 0; i < ways; i++)
		if (set[i].stamp && set[i].line == line)
			return &set[i];
	return NULL;
}

void victim_tags_insert(struct victim_tags *v, uint32_t owner, uint64_t line, uint32_t evictor)
{
	struct victim_tag *set = set_of(v, owner, line), *tag = find(set, v->ways, line);
	uint64_t stamp = ++v->clock;
	if (tag && v->order == VICTIM_FIFO)
		stamp = tag->stamp; /* a new evictor, its old place */
	if (!tag) {
		tag = set;
		for (uint32_t i = 1; i < v->ways; i++)
			if (set[i].stamp < tag->stamp)
				tag = &set[i];
	}
	*tag = (struct victim_tag){.line = line, .stamp = stamp, .evictor = evictor};
}

uint32_t victim_tags_take(struct victim_tags *v, uint32_t owner, uint64_t line)
{
	struct victim_tag *tag = find(set_of(v, owner, line), v->ways, line);
	if (!tag)
		return VICTIM_NONE;
	tag->stamp = 0;
	return tag->evictor;
}
