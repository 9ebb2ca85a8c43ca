/*
 * Prefetches into L1 and L2 that policies ask for (the hook `prefetch`).
 *
 * A prefetch is sent at once or dropped; it waits for nothing and no load waits for it. It takes an MSHR, a frame as the
 * machine allocates them, and its place in the miss queue and on the link, like a miss. It counts in counters of its own,
 * so that hits, pending hits, misses and bypasses remain those of loads. What became of it is known when a load finds its
 * line (accurate, late), when the line leaves unused (useless), or when a load misses that line afterwards (early).
 *
 * Left out: translation of addresses. A policy that must not cross a page checks that itself.
 */
#ifndef SLUICE_SM_PREFETCH_H
#define SLUICE_SM_PREFETCH_H

#include "sm/l1.h"

struct prefetcher;

/* Return a prefetcher for `l1`, which the caller owns, or NULL if no policy of the chain has the hook. */
struct prefetcher *prefetcher_new(const struct chain *chain, struct l1 *l1);
void prefetcher_free(struct prefetcher *prefetcher);
void prefetcher_begin_launch(struct prefetcher *prefetcher);
/* Lines that are still unused are counted as useless. */
void prefetcher_end_launch(struct prefetcher *prefetcher);
/* L1 has been emptied. */
void prefetcher_flush(struct prefetcher *prefetcher);

/* Ask the policies after a load's line: `frame` is its frame or TAG_NONE, `mshr` the MSHR that it joined or MSHR_NONE. */
void prefetcher_load(struct prefetcher *prefetcher, enum prefetch_when when, const struct mem_insn *mem,
                     const struct line_request *request, uint32_t frame, uint32_t mshr, cycle_t now);
/* Ask them after the last reply of an MSHR, before it is released; settle the MSHR if it is that of a prefetch. */
void prefetcher_filled(struct prefetcher *prefetcher, const struct mshr *mshr, cycle_t now);
/* Ask them when a warp issues an instruction (PREFETCH_ON_ISSUE) or is about to start (PREFETCH_ON_WARP). */
void prefetcher_warp(struct prefetcher *prefetcher, enum prefetch_when when, uint32_t warp, cycle_t now);
/* A frame with TAG_PREFETCHED loses its line. */
void prefetcher_lost(struct prefetcher *prefetcher, const struct tag *tag);

#endif
