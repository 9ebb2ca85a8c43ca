/* Replacement in the side cache, and of shared memory that lies in L1. */
#include "sm/side.h"

void side_evict(struct sm *sm, struct tags *tags, uint32_t entry, const struct l1_event *cause, cycle_t now)
{
	const struct tag *tag = &tags->entries[entry];
	struct l1_event event = *cause;
	event.cycle = now;
	event.line = tag->line;
	event.frame = entry;
	event.owner = tag->owner;
	event.side = tags != &sm->l1;
	event.shared = (tag->state & TAG_SHARED) != 0;
	event.is_store = false;
	event.cta_line = event.shared ? side_cta_line(sm, tag->line) : 0;
	count(sm, COUNT_aux_evictions, 1);
	hooks_on_l1_evict(&sm->hooks, &event);
	/* Dead data stay unwritten, if a policy knows them. */
	if (tag->dirty && !hooks_smem_dead(&sm->hooks, &event)) {
		count(sm, COUNT_aux_writebacks, 1);
		side_write(sm, tag->line, tag->dirty, now);
	}
	tags_invalidate(tags, entry);
}

static uint32_t allocate_beside(struct sm *sm, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	struct tags *tags = &sm->side->tags;
	uint32_t entry =
	    hooks_has_l1_victim(&sm->hooks) ? l1d_ask_victim(sm, tags, set, cause) : tags_victim(tags, set);
	if (entry == TAG_NONE)
		return TAG_NONE;
	if (tag_present(tags, &tags->entries[entry]))
		side_evict(sm, tags, entry, cause, now);
	tags_install(tags, entry, cause->line);
	tags->entries[entry].owner = (uint8_t)cause->warp;
	return entry;
}

uint32_t side_allocate(struct sm *sm, struct place place, uint32_t set, const struct l1_event *cause,
                       cycle_t now)
{
	uint32_t entry =
	    place.side ? allocate_beside(sm, set, cause, now) : l1d_allocate(sm, set, cause, now);
	if (entry != TAG_NONE && cause->shared)
		place.tags->entries[entry].state = TAG_SHARED;
	return entry;
}
