/*
 * The auxiliary cache: a second cache next to L1, as a policy's aux_cache
 * describes it (CIAO's unused shared memory, OSM's small cache); and shared
 * memory that lies in DRAM behind that cache, or behind L1.
 *
 * It exists only if a policy has aux_cache or smem_route. Its shape may change
 * with the CTAs of the SM, which empties it. A line is taken when the data
 * come: nothing of it is reserved while a fill is in flight. It is
 * a part of L1: it shares L1's look-up, MSHRs, fill port and port, and lines move between their tags.
 */
#ifndef SLUICE_SM_AUX_CACHE_H
#define SLUICE_SM_AUX_CACHE_H

#include "sm/l1.h"

struct aux_cache {
	struct aux_shape shape; /* sets 0: none at the moment */
	struct tags tags;
	uint32_t *bytes;         /* bytes valid per chunk of partial lines; owned */
	uint32_t bytes_capacity; /* lines */
	uint64_t window;         /* first line of this SM's shared memory in DRAM */
	uint32_t window_lines;   /* of a CTA */
	struct line_request
	    *lines;    /* of shared accesses, COALESCE_MAX for each place in the LSU queue; owned */
	uint64_t *cta; /* whose they are */
	struct l1 *l1; /* wiring, for all that both need */
};

/* NULL if no policy asks for one. `queue`: places in the LSU queue. */
struct aux_cache *aux_new(const struct chain *chain, struct l1 *l1, uint32_t queue);
void aux_free(struct aux_cache *aux);
/* At the start of a launch, after the policies' own: empty, and of the shape that an SM without CTAs has. */
void aux_begin_launch(struct aux_cache *aux, const struct sm_view *view);
/* A CTA began, or the one in `cta_slot` ended: the shape may change. `view`: what policies see of the SM now. */
void aux_cta_began(struct aux_cache *aux, const struct sm_view *view);
void aux_cta_ended(struct aux_cache *aux, uint32_t cta_slot, const struct sm_view *view);

/* ---- global memory ------------------------------------------------------------------------------------------ */

static inline bool aux_is_open(const struct aux_cache *aux)
{
	return aux && aux->shape.sets;
}

/* A load that a policy sends to the auxiliary cache; `in_l1` is what L1 holds of the line. */
enum l1_fail aux_load(struct aux_cache *aux, const struct mem_insn *mem, const struct line_request *request,
                      const struct lookup *in_l1, cycle_t now);
/* A global store passes: keep or drop the copy here, as the write policy says. Return whether there was one. */
bool aux_store(struct aux_cache *aux, uint64_t line, enum write_hit policy);
void aux_drop(struct aux_cache *aux, uint64_t line);
/* A fence: global lines go, in L1 too; those of shared memory stay. */
void aux_flush(struct aux_cache *aux);
/* A reply for an MSHR with MSHR_AUX or MSHR_SHARED. */
void aux_fill(struct aux_cache *aux, const struct mshr *mshr, const struct reply *reply, cycle_t now);
/* A line of the auxiliary cache, or of shared memory in L1 (`tags`), is evicted. */
void aux_evict(struct aux_cache *aux, struct tags *tags, uint32_t entry, const struct l1_event *cause,
               cycle_t now);

/* ---- shared memory behind a cache ----------------------------------------------------------------------------- */

/* The lines of a queued instruction. */
static inline struct line_request *aux_lines(const struct aux_cache *aux, uint32_t place)
{
	return aux->lines + (size_t)place * COALESCE_MAX;
}
/* From the offsets of a shared access to `count` lines of the CTA's memory in DRAM. */
void aux_place_lines(struct aux_cache *aux, uint32_t place, uint32_t cta_slot, uint64_t cta, uint32_t count);
/* Return whether a policy puts this access behind a cache. */
bool aux_is_cached(struct aux_cache *aux, const struct mem_insn *mem, uint32_t place, cycle_t now);
/* The next line of a shared load, store or atomic. */
enum l1_fail aux_shared(struct aux_cache *aux, const struct mem_insn *mem, uint32_t place, cycle_t now);

#endif
