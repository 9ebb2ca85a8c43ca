#include "mem/snapshot.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "mem/left.h"

struct kept_tags {
	struct tag *entries;
	uint8_t *mark;
	uint32_t stamp, flushed;
	uint32_t dirty_sectors, clean_next; /* of a slice */
};

struct snapshot {
	uint32_t count; /* slices, then partitions */
	struct kept_tags tags[];
};

static void keep(struct kept_tags *kept, const struct tags *tags)
{
	size_t entries = (size_t)tags->sets * tags->ways;
	if (!tags->entries)
		return;
	kept->entries = memory_grow(NULL, entries, sizeof *kept->entries);
	memcpy(kept->entries, tags->entries, entries * sizeof *kept->entries);
	kept->stamp = tags->stamp;
	kept->flushed = tags->flushed;
	if (!tags->mark_ways)
		return;
	kept->mark = memory_grow(NULL, tags->sets, tags->mark_ways);
	memcpy(kept->mark, tags->mark, (size_t)tags->sets * tags->mark_ways);
}

static void put_back(const struct kept_tags *kept, struct tags *tags)
{
	if (!tags->entries)
		return;
	memcpy(tags->entries, kept->entries, (size_t)tags->sets * tags->ways * sizeof *kept->entries);
	tags->stamp = kept->stamp;
	tags->flushed = kept->flushed;
	if (tags->mark_ways)
		memcpy(tags->mark, kept->mark, (size_t)tags->sets * tags->mark_ways);
}

struct snapshot *snapshot_take(struct memory *memory)
{
	uint32_t slices = memory->crossbar->map.slices, channels = memory->machine->dram_channels;
	struct snapshot *s = memory_zeroed(1, sizeof *s + (slices + channels) * sizeof *s->tags);
	s->count = slices + channels;
	for (uint32_t i = 0; i < slices; i++) {
		left_put_all(&memory->slice[i], memory);
		keep(&s->tags[i], &memory->slice[i].tags);
		s->tags[i].dirty_sectors = memory->slice[i].dirty_sectors;
		s->tags[i].clean_next = memory->slice[i].clean_next;
	}
	for (uint32_t i = 0; i < channels; i++)
		keep(&s->tags[slices + i], &memory->partition[i].l3);
	return s;
}

void snapshot_restore(const struct snapshot *s, struct memory *memory)
{
	uint32_t slices = memory->crossbar->map.slices, channels = memory->machine->dram_channels;
	for (uint32_t i = 0; i < slices; i++) {
		left_put_all(&memory->slice[i], memory);
		put_back(&s->tags[i], &memory->slice[i].tags);
		memory->slice[i].dirty_sectors = s->tags[i].dirty_sectors;
		memory->slice[i].clean_next = s->tags[i].clean_next;
	}
	for (uint32_t i = 0; i < channels; i++)
		put_back(&s->tags[slices + i], &memory->partition[i].l3);
}

void snapshot_free(struct snapshot *s)
{
	for (uint32_t i = 0; s && i < s->count; i++) {
		free(s->tags[i].entries);
		free(s->tags[i].mark);
	}
	free(s);
}
