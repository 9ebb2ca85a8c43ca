/*
 * Looking for a line in its set, which is done more often than anything else with tags: many ways are compared by their
 * marks, a group at a time, few ways one after the other without a loop.
 */
#ifndef SLUICE_CACHE_TAGS_FIND_H
#define SLUICE_CACHE_TAGS_FIND_H

#include "base/bits.h"
#include "base/simd.h"
#include "cache/tags.h"

static inline bool tag_holds(const struct tags *tags, const struct tag *tag, uint64_t line)
{
	return tag->line == line && tag_present(tags, tag);
}

/* Of a set that begins with entry `first` and has few ways, mostly four. */
static inline uint32_t tags_find_few(const struct tags *tags, uint32_t first, uint64_t line)
{
	const struct tag *tag = &tags->entries[first];
	uint32_t way = 0;
	for (; way + 4 <= tags->ways; way += 4, tag += 4) {
		if (tag_holds(tags, &tag[0], line))
			return first + way;
		if (tag_holds(tags, &tag[1], line))
			return first + way + 1;
		if (tag_holds(tags, &tag[2], line))
			return first + way + 2;
		if (tag_holds(tags, &tag[3], line))
			return first + way + 3;
	}
	for (; way < tags->ways; way++, tag++)
		if (tag_holds(tags, tag, line))
			return first + way;
	return TAG_NONE;
}

/* Entry that holds `line` in `set`, or TAG_NONE. */
static inline uint32_t tags_find(const struct tags *tags, uint32_t set, uint64_t line)
{
	uint32_t first = set * tags->ways;
	if (!tags->mark_ways)
		return tags_find_few(tags, first, line);
	const uint8_t *mark = &tags->mark[(size_t)set * tags->mark_ways];
	uint32_t way = 0;
	do {
		uint32_t alike = simd_u8_is(mark + way, tag_mark(line));
		for (; alike; alike &= alike - 1) {
			uint32_t entry = first + way + bits_lowest(alike);
			if (tag_holds(tags, &tags->entries[entry], line))
				return entry;
		}
	} while (__builtin_expect((way += SIMD_GROUP) < tags->mark_ways, 0));
	return TAG_NONE;
}

#endif
