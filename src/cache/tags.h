/*
 * A set-associative tag array with sectors: L1, L2 slices and L3 use it.
 *
 * A set lies in consecutive entries, so that four ways share a host cache
 * line. Recency is a stamp per entry; an entry older than `flushed` is
 * invalid, which makes emptying the cache one assignment.
 */
#ifndef SLUICE_CACHE_TAGS_H
#define SLUICE_CACHE_TAGS_H

#include <stdbool.h>
#include <stdint.h>

#include "base/region.h"
#include "cache/index.h"

struct tag {
	uint64_t line; /* line number */
	uint32_t stamp;
	uint8_t valid; /* sectors present */
	uint8_t dirty; /* sectors written and not yet sent on */
	uint8_t state; /* enum tag_state */
	union {
		uint8_t owner;   /* L1: warp slot that brought the line */
		uint8_t partial; /* L2: sectors of which only some bytes were written */
	};
};

enum tag_state {
	TAG_PLAIN = 0,
	TAG_RESERVED = 1,    /* allocated on a miss, fill outstanding: no victim */
	TAG_PARTIAL = 2,     /* some sector holds only the bytes that were stored */
	TAG_SHARED = 4,      /* a line of shared memory that lies in DRAM */
	TAG_PROTECTED = 8,   /* evicted behind those that are not */
	TAG_SETTLED = 16,    /* a use makes it the most recent line, and nothing else */
	TAG_PREFETCHED = 32, /* a prefetch brought it, and no load has used it */
};

struct tags {
	struct tag *entries; /* aligned to host cache lines */
	void *block;         /* what was allocated */
	uint8_t *mark; /* per way: tag_mark() of its line, so that many are compared at once; 0: none yet */
	uint32_t sets, ways;
	uint32_t mark_ways; /* marks per set, a multiple of SIMD_GROUP; 0: with few ways, tags are compared */
	uint32_t capacity;  /* entries that there is room for */
	uint32_t stamp, flushed;   /* entries with stamp <= flushed are invalid */
	const struct index *index; /* shared by all caches of a kind; NULL: sets are the caller's */
	bool plru;                 /* victims by pseudo-LRU */
	/*
	 * Segmented LRU: a line that is used again is protected, and so many of a set are. When so many already are, each
	 * such use takes the protection of the one that was used the longest ago, which becomes the youngest of the
	 * others: even if the line that is used had it before. 0: LRU.
	 */
	uint32_t protected_ways;
};

#define TAG_NONE UINT32_MAX

/* For a cache whose shape changes: room for so many entries, and empties it. Index functions are the caller's. */
void tags_reserve(struct tags *tags, uint32_t entries);
void tags_reshape(struct tags *tags, uint32_t sets, uint32_t ways);
/* `index` must outlive the tags. */
void tags_init(struct tags *tags, uint32_t sets, uint32_t ways, const struct index *index);
/* The same in memory of `region`, which is not given back here: there is no tags_free(). */
void tags_init_in(struct tags *tags, uint32_t sets, uint32_t ways, const struct index *index,
                  struct region *region);
void tags_free(struct tags *tags);
void tags_flush(struct tags *tags);
/* Called when the stamp runs out: ranks are kept, numbers start again. */
void tags_renumber(struct tags *tags);

static inline bool tag_present(const struct tags *tags, const struct tag *tag)
{
	return tag->stamp > tags->flushed;
}

/* So many stamps may follow without a check. */
static inline void tags_make_room(struct tags *tags, uint32_t stamps)
{
	if (__builtin_expect(tags->stamp > UINT32_MAX - stamps, 0))
		tags_renumber(tags);
}

static inline void tags_touch(struct tags *tags, uint32_t entry)
{
	tags_make_room(tags, 1);
	tags->entries[entry].stamp = ++tags->stamp;
}

/* The set of a line. */
static inline uint32_t tags_set(const struct tags *tags, uint64_t line)
{
	return index_of(tags->index, line);
}

/* What tells most lines of a set apart; never 0. */
static inline uint8_t tag_mark(uint64_t line)
{
	return (uint8_t)(line * 0x9e3779b97f4a7c15u >> 57 | 0x80);
}

/*
 * Protects a line that is used and not settled. `stamp` is the last that was given; returns the last that is given then:
 * tags->stamp is the caller's to set, as is the line's.
 */
uint32_t tags_protect(const struct tags *tags, struct tag *used, uint32_t stamp);

/* A use of a line, where tags may protect some: return the last stamp given then. There must be room for two stamps. */
static inline uint32_t tags_use_after(const struct tags *tags, struct tag *tag, uint32_t stamp)
{
	if (!(tag->state & TAG_SETTLED))
		stamp = tags_protect(tags, tag, stamp);
	tag->stamp = ++stamp;
	return stamp;
}
static inline void tags_use(struct tags *tags, uint32_t entry)
{
	tags_make_room(tags, 2);
	tags->stamp = tags_use_after(tags, &tags->entries[entry], tags->stamp);
}

/* An invalid entry of the set, else the (pseudo-)least recently used that is not reserved, protected ones last, else TAG_NONE. */
uint32_t tags_victim(const struct tags *tags, uint32_t set);
/* The same of the first `ways` of the set. */
uint32_t tags_victim_among(const struct tags *tags, uint32_t set, uint32_t ways);
/* The line of the set that is evicted first, though there may be invalid entries; TAG_NONE: none may. */
uint32_t tags_oldest(const struct tags *tags, uint32_t set);

/* Makes `entry` hold `line` with nothing valid yet, most recently used. */
static inline void tags_install(struct tags *tags, uint32_t entry, uint64_t line)
{
	tags_touch(tags, entry);
	struct tag *tag = &tags->entries[entry];
	tag->line = line;
	tag->valid = tag->dirty = tag->owner = 0;
	tag->state = tags->protected_ways ? TAG_PLAIN : TAG_SETTLED;
	if (tags->mark_ways == tags->ways)
		tags->mark[entry] = tag_mark(line);
	else if (tags->mark_ways)
		tags->mark[(size_t)(entry / tags->ways) * tags->mark_ways + entry % tags->ways] =
		    tag_mark(line);
}

static inline void tags_invalidate(struct tags *tags, uint32_t entry)
{
	tags->entries[entry].stamp = 0;
	tags->entries[entry].state = TAG_PLAIN;
}

#endif
