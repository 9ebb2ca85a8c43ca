/* What the files of the auxiliary cache share. */
#ifndef SLUICE_SM_AUX_INTERNAL_H
#define SLUICE_SM_AUX_INTERNAL_H

#include "sm/aux_cache.h"
#include "sm/l1_internal.h"

/* Where lines lie: in the auxiliary cache or in L1. */
struct place {
	struct tags *tags;
	uint32_t *bytes;
	bool aux;
};

static inline struct place aux_place(struct aux_cache *aux)
{
	return (struct place){&aux->tags, aux->bytes, true};
}
static inline struct place l1_place(struct aux_cache *aux)
{
	return (struct place){&aux->l1->tags, aux->l1->bytes, false};
}

static inline uint32_t aux_cta_slot(const struct aux_cache *aux, uint64_t line)
{
	return (uint32_t)((line - aux->window) / aux->window_lines);
}
static inline uint32_t aux_cta_line(const struct aux_cache *aux, uint64_t line)
{
	return (uint32_t)((line - aux->window) % aux->window_lines);
}

/* The entry of a line, and its set. */
uint32_t aux_find(struct aux_cache *aux, struct place place, uint64_t line, uint32_t warp, uint32_t *set);
struct lookup aux_lookup(struct aux_cache *aux, struct place place, const struct line_request *request,
                         uint32_t warp);
/* Waits for what is missing; `wanted` of it is to be asked for. */
enum l1_fail aux_wait(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                      struct lookup *look, uint8_t flags, uint8_t wanted, cycle_t now);
/* An entry for cause->line at `place`; TAG_NONE: nothing may go. */
uint32_t aux_allocate(struct aux_cache *aux, struct place place, uint32_t set, const struct l1_event *cause,
                      cycle_t now);
void aux_invalidate(struct aux_cache *aux, struct tags *tags, uint32_t entry);

/* To and from DRAM, bypassing L2 or through it. */
void aux_send(struct aux_cache *aux, enum packet_op op, uint64_t line, uint8_t sectors, uint32_t token,
              cycle_t now);

#endif
