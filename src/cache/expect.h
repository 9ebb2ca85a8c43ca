/*
 * What a look-up will read, fetched by the host ahead of it: tags and MSHRs of a large GPU do not fit into a host's caches
 * (cpu_fetch()).
 */
#ifndef SLUICE_CACHE_EXPECT_H
#define SLUICE_CACHE_EXPECT_H

#include "base/cpu.h"
#include "cache/mshr.h"
#include "cache/tags.h"

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
