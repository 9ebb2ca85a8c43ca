#include "cache/tags.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/simd.h"

static void allocate(struct tags *tags, uint32_t entries)
{
	enum { HOST_LINE = 64 };
	tags->capacity = entries;
	tags->stamp = tags->flushed = 0;
	tags->block = memory_zeroed((size_t)entries * sizeof *tags->entries + HOST_LINE, 1);
	tags->entries = (struct tag *)(((uintptr_t)tags->block + HOST_LINE - 1) / HOST_LINE * HOST_LINE);
}

/* Marks for sets of so many ways, or none: few tags are compared as fast. */
static uint32_t mark_ways(uint32_t ways)
{
	enum { MANY_WAYS = 8 };
	return ways > MANY_WAYS ? (ways + SIMD_GROUP - 1) / SIMD_GROUP * SIMD_GROUP : 0;
}

void tags_init(struct tags *tags, uint32_t sets, uint32_t ways, const struct index *index)
{
	tags->index = index;
	tags->sets = sets;
	tags->ways = ways;
	tags->mark_ways = mark_ways(ways);
	allocate(tags, sets * ways);
	tags->mark = tags->mark_ways ? memory_zeroed(sets, tags->mark_ways) : NULL;
}

void tags_init_in(struct tags *tags, uint32_t sets, uint32_t ways, const struct index *index,
                  struct region *region)
{
	*tags = (struct tags){.index = index, .sets = sets, .ways = ways, .mark_ways = mark_ways(ways)};
	tags->capacity = sets * ways;
	tags->entries = region_take(region, tags->capacity, sizeof *tags->entries);
	tags->mark = tags->mark_ways ? region_take(region, sets, tags->mark_ways) : NULL;
}

void tags_reserve(struct tags *tags, uint32_t entries)
{
	if (entries <= tags->capacity)
		return;
	tags_free(tags);
	allocate(tags, entries);
	tags->mark = memory_zeroed(entries, 2); /* a set has less than twice as many marks as ways */
	tags->sets = tags->ways = tags->mark_ways = 0;
}

void tags_reshape(struct tags *tags, uint32_t sets, uint32_t ways)
{
	tags_reserve(tags, sets * ways);
	tags->sets = sets;
	tags->ways = ways;
	tags->mark_ways = mark_ways(ways);
	if (sets && tags->mark_ways) /* of tags that never had any, nothing is allocated */
		memset(tags->mark, 0, (size_t)sets * tags->mark_ways);
	tags_flush(tags);
}

void tags_free(struct tags *tags)
{
	free(tags->block);
	free(tags->mark);
	tags->block = tags->mark = NULL;
	tags->entries = NULL;
}

void tags_flush(struct tags *tags)
{
	tags->flushed = tags->stamp;
}

/* The most recent use of a way of [first, first + count); UINT32_MAX: none of them may go. */
static uint32_t last_use(const struct tags *tags, uint32_t set, uint32_t first, uint32_t count)
{
	const struct tag *tag = &tags->entries[set * tags->ways];
	uint32_t last = 0;
	bool goes = false;
	for (uint32_t way = first; way < first + count && way < tags->ways; way++) {
		goes |= !(tag[way].state & TAG_RESERVED);
		last = tag[way].stamp > last ? tag[way].stamp : last;
	}
	return goes ? last : UINT32_MAX;
}

/*
 * A tree of bits per set, each pointing away from the half that was used last: that is the half with the most
 * recent stamp, so the stamps tell all bits. The missing leaves of a number of ways that is no power of two are
 * cut off.
 */
static uint32_t plru_victim(const struct tags *tags, uint32_t set)
{
	uint32_t first = 0, leaves = 1;
	for (uint32_t way = 0; way < tags->ways; way++)
		if (!tag_present(tags, &tags->entries[set * tags->ways + way]))
			return set * tags->ways + way;
	while (leaves < tags->ways)
		leaves *= 2;
	if (last_use(tags, set, 0, leaves) == UINT32_MAX)
		return TAG_NONE;
	for (uint32_t half = leaves / 2; half; half /= 2)
		if (last_use(tags, set, first + half, half) < last_use(tags, set, first, half))
			first += half;
	return set * tags->ways + first;
}

uint32_t tags_victim(const struct tags *tags, uint32_t set)
{
	return tags->plru ? plru_victim(tags, set) : tags_victim_among(tags, set, tags->ways);
}

uint32_t tags_protect(const struct tags *tags, struct tag *used, uint32_t stamp)
{
	uint32_t entry = (uint32_t)(used - tags->entries), flushed = tags->flushed, count = 0, others = 0;
	struct tag *set = &tags->entries[entry - entry % tags->ways], *end = set + tags->ways, *oldest = used;
	for (struct tag *tag = set; tag != end; tag++) {
		if (!(tag->state & TAG_PROTECTED) || tag->stamp <= flushed)
			continue;
		tag->state &= (uint8_t)~TAG_SETTLED; /* it is not alone any more, or settled again below */
		oldest = !count++ || tag->stamp < oldest->stamp ? tag : oldest;
		others += tag != used;
	}
	if (count == tags->protected_ways) {
		oldest->state &= (uint8_t)~TAG_PROTECTED;
		oldest->stamp = ++stamp;
		others -= oldest != used;
	}
	used->state |= others ? TAG_PROTECTED : TAG_PROTECTED | TAG_SETTLED;
	return stamp;
}

/*
 * The line of the set's first `ways` that is evicted first: one that is not protected before one that is, then the older;
 * TAG_NONE: none may. With `free`, an invalid entry before all of them.
 */
static inline __attribute__((always_inline)) uint32_t first_to_go(const struct tags *tags, uint32_t set,
                                                                  uint32_t ways, bool free)
{
	uint32_t first = set * tags->ways, flushed = tags->flushed, oldest = TAG_NONE;
	uint64_t least = UINT64_MAX; /* a stamp; those of protected lines come behind all others */
	const struct tag *tag = &tags->entries[first];
	for (uint32_t entry = first; entry < first + ways; entry++, tag++) {
		uint64_t rank = (uint64_t)(tag->state & TAG_PROTECTED) << 32 | tag->stamp;
		if (tag->stamp <= flushed && free)
			return entry;
		if (tag->stamp > flushed && rank < least && !(tag->state & TAG_RESERVED)) {
			oldest = entry;
			least = rank;
		}
	}
	return oldest;
}

uint32_t tags_oldest(const struct tags *tags, uint32_t set)
{
	return first_to_go(tags, set, tags->ways, false);
}

uint32_t tags_victim_among(const struct tags *tags, uint32_t set, uint32_t ways)
{
	if (tags->protected_ways)
		return first_to_go(tags, set, ways, true);
	uint32_t first = set * tags->ways, oldest = TAG_NONE;
	for (uint32_t entry = first; entry < first + ways; entry++) {
		const struct tag *tag = &tags->entries[entry];
		if (!tag_present(tags, tag))
			return entry;
		if (tag->state & TAG_RESERVED)
			continue;
		if (oldest == TAG_NONE || tag->stamp < tags->entries[oldest].stamp)
			oldest = entry;
	}
	return oldest;
}

static int tag_by_stamp(const void *a, const void *b)
{
	const struct tag *x = *(struct tag *const *)a, *y = *(struct tag *const *)b;
	return (x->stamp > y->stamp) - (x->stamp < y->stamp);
}

void tags_renumber(struct tags *tags)
{
	size_t total = (size_t)tags->sets * tags->ways;
	struct tag **order = memory_grow(NULL, total, sizeof *order);
	for (size_t i = 0; i < total; i++) {
		order[i] = &tags->entries[i];
		if (!tag_present(tags, order[i]))
			order[i]->stamp = 0;
	}
	qsort(order, total, sizeof *order, tag_by_stamp);
	uint32_t next = 0;
	for (size_t i = 0; i < total; i++)
		if (order[i]->stamp)
			order[i]->stamp = ++next;
	free(order);
	tags->flushed = 0;
	tags->stamp = next;
}
