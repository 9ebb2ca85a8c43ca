/*
 * Miss status holding registers (MSHRs): outstanding lines and the requests that wait for them. One
 * table serves L1 with its auxiliary cache, and each L2 slice.
 *
 * Entries are found by line through a table of short chains. The first request that waits
 * for a line is kept in its entry, the others are nodes of a fixed pool, chained
 * in order of arrival. Everything is sized at the start like the hardware it
 * stands for.
 */
#ifndef SLUICE_CACHE_MSHR_H
#define SLUICE_CACHE_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"
#include "base/region.h"

#define MSHR_NONE UINT32_MAX

struct waiter {
	uint32_t who; /* the owner's name for the waiting request */
	uint32_t next;
	uint16_t from;
	uint8_t sectors; /* still missing */
	uint8_t feedback;
};

/* 64 bytes, so that an index becomes an address by a shift. */
struct __attribute__((aligned(16))) mshr {
	uint64_t line;
	cycle_t since;
	struct waiter first; /* if there are waiters: most lines have one */
	uint32_t last;       /* node of the last waiter; MSHR_NONE: it is the first */
	uint32_t waiters;
	uint32_t next;    /* entry + 1 of the same slot, or of those that are free; 0: none */
	uint32_t set;     /* of the line, as its owner found it */
	uint32_t frame;   /* tag entry reserved for the fill; TAG_NONE: chosen when it comes */
	uint32_t insn;    /* L1: instruction that missed first */
	uint16_t owner;   /* L1: its warp */
	uint16_t cta;     /* and CTA slot */
	uint8_t pending;  /* sectors in flight */
	uint8_t flags;    /* the owner's */
	uint8_t feedback; /* L2: bits of the request that missed first */
};

struct mshr_table {
	struct mshr *entry;
	struct waiter *waiter;
	uint32_t *slot; /* line hash -> first entry + 1; 0: none */
	uint32_t slot_mask;
	uint32_t entries, free_entries;
	uint32_t free_entry, used_entries;   /* chain of those released; behind it, those never used */
	uint32_t free_waiters, used_waiters; /* used: touched so far; the rest is free without a chain */
	uint32_t free_waiter;                /* chain of nodes released */
	uint32_t merge;                      /* requests that may wait for one line */
};

/* Entries lie in `region`, which must outlive the table. */
void mshr_table_init(struct mshr_table *table, struct region *region, uint32_t entries, uint32_t waiters,
                     uint32_t merge);
void mshr_table_free(struct mshr_table *table);

static inline uint32_t mshr_slot(const struct mshr_table *table, uint64_t line)
{
	return (uint32_t)(line * 0x9e3779b97f4a7c15u >> 40) & table->slot_mask;
}

/* Entry of an outstanding line, or MSHR_NONE. */
static inline uint32_t mshr_find(const struct mshr_table *table, uint64_t line)
{
	uint32_t entry = table->slot[mshr_slot(table, line)];
	while (entry && table->entry[entry - 1].line != line)
		entry = table->entry[entry - 1].next;
	return entry - 1;
}

enum mshr_room { MSHR_ROOM, MSHR_NO_ENTRY, MSHR_NO_MERGE };
/* May a request wait for the line of `mshr`, or for a new one (MSHR_NONE) that leaves `kept` entries free? */
static inline enum mshr_room mshr_room(const struct mshr_table *table, uint32_t mshr, uint32_t kept)
{
	if (mshr == MSHR_NONE)
		return table->free_entries <= kept ? MSHR_NO_ENTRY
		       : table->free_waiters       ? MSHR_ROOM
		                                   : MSHR_NO_MERGE;
	return table->entry[mshr].waiters < table->merge && table->free_waiters ? MSHR_ROOM : MSHR_NO_MERGE;
}

/* Takes an entry for `line`, which must not be outstanding; free_entries must not be 0. */
uint32_t mshr_allocate(struct mshr_table *table, uint64_t line);
/* Gives an entry back; it must have no waiters. */
void mshr_release(struct mshr_table *table, uint32_t entry);

/* A node for one more waiter, behind the last. */
struct waiter *mshr_chain(struct mshr_table *table, struct mshr *mshr, uint8_t sectors);
/* Appends a waiter, whose `who`, `from` and `feedback` are the caller's to set; free_waiters must not be 0. */
static inline struct waiter *mshr_wait(struct mshr_table *table, uint32_t entry, uint8_t sectors)
{
	struct mshr *mshr = &table->entry[entry];
	table->free_waiters--;
	if (mshr->waiters++)
		return mshr_chain(table, mshr, sectors);
	mshr->last = MSHR_NONE;
	mshr->first.sectors = sectors;
	return &mshr->first;
}

/* Remove the waiters that miss nothing more. */
void mshr_drop_served(struct mshr_table *table, struct mshr *mshr);

/*
 * Sectors came: calls serve(user, waiter, line, got) for every waiter that missed
 * some of them, in order of arrival; waiter->sectors is what it still misses.
 * Waiters that miss nothing more leave the list, mostly all of them. serve must not
 * touch the list.
 */
static inline __attribute__((always_inline)) void
mshr_fill(struct mshr_table *table, struct mshr *mshr, uint8_t sectors,
          void (*serve)(void *user, const struct waiter *waiter, uint64_t line, uint8_t got), void *user)
{
	uint32_t waiters = mshr->waiters, missing = 0;
	uint64_t line = mshr->line;
	struct waiter *waiter = &mshr->first;
	mshr->pending &= (uint8_t)~sectors;
	for (uint32_t left = waiters; left; left--) {
		uint8_t got = waiter->sectors & sectors;
		waiter->sectors &= (uint8_t)~sectors;
		missing |= waiter->sectors;
		if (got)
			serve(user, waiter, line, got);
		waiter = &table->waiter[left > 1 ? waiter->next : 0];
	}
	if (__builtin_expect(missing, 0)) {
		mshr_drop_served(table, mshr);
		return;
	}
	if (waiters > 1) {
		table->waiter[mshr->last].next = table->free_waiter;
		table->free_waiter = mshr->first.next;
	}
	table->free_waiters += waiters;
	mshr->waiters = 0;
}

#endif
