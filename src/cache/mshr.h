/*
 * Miss-status holding registers: outstanding lines and who waits for them.
 *
 * Entries are found by line through an open-addressed table; waiters are
 * nodes of a fixed pool, chained in order of arrival. Everything is sized at
 * the start like the hardware it stands for.
 */
#ifndef SLUICE_MEM_MSHR_H
#define SLUICE_MEM_MSHR_H

#include <stdbool.h>
#include <stdint.h>

#include "base/cycle.h"

#define MSHR_NONE UINT32_MAX

struct waiter {
	uint32_t who; /* the owner's name for the waiting request */
	uint32_t next;
	uint16_t from;
	uint8_t sectors; /* still missing */
	uint8_t feedback;
};

struct mshr {
	uint64_t line;
	cycle_t since;
	uint32_t first, last; /* waiters */
	uint32_t waiters;
	uint32_t frame; /* tag entry reserved for the fill; TAG_NONE: chosen when it comes */
	uint16_t owner; /* warp that missed first (L1) */
	uint16_t cta;
	uint8_t pending;  /* sectors on their way */
	uint8_t flags;    /* the owner's */
	uint8_t feedback; /* L2: bits of the request that missed first */
	uint32_t insn;    /* L1: instruction that missed first */
};

struct mshrs {
	struct mshr *entry;
	struct waiter *waiter;
	uint32_t *table; /* line hash -> entry */
	uint32_t *free_entry;
	uint32_t table_mask;
	uint32_t entries, free_entries, used_entries;
	uint32_t waiters, free_waiters,
	    used_waiters;     /* used: touched so far; the rest is free without a chain */
	uint32_t free_waiter; /* chain of nodes given back */
};

void mshrs_init(struct mshrs *mshrs, uint32_t entries, uint32_t waiters);
void mshrs_free(struct mshrs *mshrs);

/* Entry of an outstanding line, or MSHR_NONE. */
uint32_t mshrs_find(const struct mshrs *mshrs, uint64_t line);
/* Takes an entry for `line`, which must not be outstanding; free_entries must not be 0. */
uint32_t mshrs_take(struct mshrs *mshrs, uint64_t line);
/* Gives an entry back; it must have no waiters. */
void mshrs_give(struct mshrs *mshrs, uint32_t entry);

/* Appends a waiter; free_waiters must not be 0. */
static inline struct waiter *mshrs_wait(struct mshrs *mshrs, uint32_t entry)
{
	struct mshr *mshr = &mshrs->entry[entry];
	uint32_t node = mshrs->free_waiter;
	if (node == MSHR_NONE)
		node = mshrs->used_waiters++;
	else
		mshrs->free_waiter = mshrs->waiter[node].next;
	mshrs->free_waiters--;
	mshrs->waiter[node].next = MSHR_NONE;
	if (mshr->waiters++)
		mshrs->waiter[mshr->last].next = node;
	else
		mshr->first = node;
	mshr->last = node;
	return &mshrs->waiter[node];
}

/*
 * Sectors came: calls serve(user, waiter, got) for every waiter that missed
 * some of them, in order of arrival; waiter->sectors is what it still misses.
 * Those who miss nothing more leave the list. serve must not touch the list.
 */
static inline void mshrs_serve(struct mshrs *mshrs, struct mshr *mshr, uint8_t sectors,
                               void (*serve)(void *user, const struct waiter *waiter, uint8_t got),
                               void *user)
{
	uint32_t *next = &mshr->first, previous = MSHR_NONE;
	for (uint32_t left = mshr->waiters; left; left--) {
		uint32_t node = *next;
		struct waiter *waiter = &mshrs->waiter[node];
		uint8_t got = waiter->sectors & sectors;
		waiter->sectors &= (uint8_t)~sectors;
		if (got)
			serve(user, waiter, got);
		if (waiter->sectors) {
			previous = node;
			next = &waiter->next;
			continue;
		}
		*next = waiter->next;
		waiter->next = mshrs->free_waiter;
		mshrs->free_waiter = node;
		mshrs->free_waiters++;
		mshr->waiters--;
	}
	mshr->last = previous;
}

#endif
