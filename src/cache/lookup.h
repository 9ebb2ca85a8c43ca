/*
 * The one sectored look-up, of L1, the auxiliary cache and L2 slices: what of a
 * request is present, what is in flight, what must be asked for.
 */
#ifndef SLUICE_CACHE_LOOKUP_H
#define SLUICE_CACHE_LOOKUP_H

#include "base/cpu.h"
#include "cache/mshr.h"
#include "cache/tags_find.h"

struct lookup {
	uint32_t set, entry,
	    mshr;        /* TAG_NONE, MSHR_NONE: there is none; no MSHR is looked for if nothing is missing */
	uint8_t valid;   /* sectors of the line that are present */
	uint8_t missing; /* sectors asked for that are not */
	uint8_t fresh;   /* of those, not in flight either */
};

/* What an entry, or the lack of one, says about the sectors. */
static inline struct lookup lookup_entry(const struct tags *tags, uint32_t set, uint32_t entry,
                                         uint8_t sectors)
{
	struct lookup look = {.set = set, .entry = entry, .mshr = MSHR_NONE};
	look.valid = entry == TAG_NONE ? 0 : tags->entries[entry].valid;
	look.missing = look.fresh = (uint8_t)(sectors & ~look.valid);
	return look;
}

static inline struct lookup lookup_tags(const struct tags *tags, uint32_t set, uint64_t line, uint8_t sectors)
{
	return lookup_entry(tags, set, tags_find(tags, set, line), sectors);
}

/* The rest of it, once `missing` is settled. */
static inline void lookup_mshrs(struct lookup *look, const struct mshr_table *mshrs, uint64_t line)
{
	look->fresh = look->missing;
	if (look->missing)
		look->mshr = mshr_find(mshrs, line);
	if (look->mshr != MSHR_NONE)
		look->fresh &= (uint8_t)~mshrs->entry[look->mshr].pending;
}

/* The sectors that come along where a fetch brings aligned blocks of `per` sectors. */
static inline uint8_t lookup_blocks(uint8_t sectors, uint32_t per)
{
	if (per == 1)
		return sectors;
	if (__builtin_expect(per == 2, 1))
		return (uint8_t)(((sectors | sectors >> 1) & 0x55) * 3);
	uint32_t blocks = 0;
	for (uint32_t mask = (1u << per) - 1; mask <= UINT8_MAX; mask <<= per)
		blocks |= sectors & mask ? mask : 0;
	return (uint8_t)blocks;
}

/* ---- ahead of a look-up ------------------------------------------------------------------------------------------ */

/* Tags and MSHRs of a large GPU do not fit into the host's caches: these fetch what a look-up will read (cpu_fetch()). */

/* A line will be looked for in the set. */
static inline void tags_expect(const struct tags *tags, uint32_t set)
{
	cpu_fetch(tags->mark_ways ? (const void *)&tags->mark[(size_t)set * tags->mark_ways]
	                          : &tags->entries[(size_t)set * tags->ways]);
}

/* And one may have to go: all are compared then. */
static inline void tags_expect_victim(const struct tags *tags, uint32_t set)
{
	enum { TAGS_PER_LINE = 4 };
	const struct tag *tag = &tags->entries[(size_t)set * tags->ways], *end = tag + tags->ways;
	for (; tag < end; tag += TAGS_PER_LINE)
		cpu_fetch(tag);
}

/* The line's MSHR will be looked for. */
static inline void mshr_expect(const struct mshr_table *table, uint64_t line)
{
	cpu_fetch(&table->slot[mshr_slot(table, line)]);
}

#endif
