/* Replacement in the auxiliary cache, and of shared memory that lies in L1. */
#include "sm/aux_internal.h"

void aux_evict(struct aux_cache *aux, struct tags *tags, uint32_t entry, const struct l1_event *cause,
               cycle_t now)
{
	const struct tag *tag = &tags->entries[entry];
	struct l1_event event = *cause;
	event.cycle = now;
	event.line = tag->line;
	event.frame = entry;
	event.owner = tag->owner;
	event.aux = tags != &aux->l1->tags;
	event.shared = (tag->state & TAG_SHARED) != 0;
	event.is_store = false;
	event.cta_line = event.shared ? aux_cta_line(aux, tag->line) : 0;
	count(aux->l1->account, COUNT_aux_evictions, 1);
	hooks_on_l1_evict(aux->l1->hooks, &event);
	/* Dead data stay unwritten, if a policy knows them. */
	if (tag->dirty && !hooks_smem_dead(aux->l1->hooks, &event)) {
		count(aux->l1->account, COUNT_aux_writebacks, 1);
		aux_send(aux, PACKET_WRITE, tag->line, tag->dirty, 0, now);
	}
	tags_invalidate(tags, entry);
}

static uint32_t allocate_own(struct aux_cache *aux, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	struct tags *tags = &aux->tags;
	uint32_t entry = hooks_has_l1_victim(aux->l1->hooks) ? l1_ask_victim(aux->l1, tags, set, cause)
	                                                     : tags_victim(tags, set);
	if (entry == TAG_NONE)
		return TAG_NONE;
	if (tag_present(tags, &tags->entries[entry]))
		aux_evict(aux, tags, entry, cause, now);
	tags_install(tags, entry, cause->line);
	tags->entries[entry].owner = (uint8_t)cause->warp;
	return entry;
}

uint32_t aux_allocate(struct aux_cache *aux, struct place place, uint32_t set, const struct l1_event *cause,
                      cycle_t now)
{
	uint32_t entry =
	    place.aux ? allocate_own(aux, set, cause, now) : l1_allocate(aux->l1, set, cause, now);
	if (entry != TAG_NONE && cause->shared)
		place.tags->entries[entry].state |= TAG_SHARED;
	return entry;
}
