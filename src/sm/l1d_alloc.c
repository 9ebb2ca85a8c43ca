/* Replacement in L1: who gives way, and what leaving means. */
#include "sm/side.h"

static void evict(struct sm *sm, uint32_t entry, const struct l1_event *cause, cycle_t now)
{
	struct tag *tag = &sm->l1.entries[entry];
	if (__builtin_expect(tag->state & TAG_SHARED, 0)) {
		side_evict(sm, &sm->l1, entry, cause, now);
		sm->l1_lines--;
		return;
	}
	count(sm, COUNT_l1_evictions, 1);
	if (hooks_has_on_l1_evict(&sm->hooks)) {
		struct l1_event event = *cause;
		event.cycle = now;
		event.line = tag->line;
		event.frame = entry;
		event.owner = tag->owner;
		hooks_on_l1_evict(&sm->hooks, &event);
	}
	if (tag->dirty) {
		struct line_request back = {.line = tag->line, .full = tag->dirty & tag->valid};
		count(sm, COUNT_l1_writebacks, 1);
		l1d_send(sm, PACKET_WRITE, &back, tag->dirty, 0, 0, now);
	}
	sm->l1_lines--;
	tags_invalidate(&sm->l1, entry);
}

/*
 * The data array is smaller than the tags can name: the set gives up its own
 * oldest line, an empty set that of the next. (An H200 loses hits at about the
 * pace of this rule when a working set outgrows its L1.)
 */
static void reclaim(struct sm *sm, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	for (uint32_t tries = 0; tries <= sm->l1.sets; tries++) {
		uint32_t first = set * sm->l1.ways, oldest = TAG_NONE;
		for (uint32_t entry = first; entry < first + sm->l1.ways; entry++) {
			const struct tag *tag = &sm->l1.entries[entry];
			if (tag_present(&sm->l1, tag) && !(tag->state & TAG_RESERVED) &&
			    (oldest == TAG_NONE || tag->stamp < sm->l1.entries[oldest].stamp))
				oldest = entry;
		}
		if (oldest != TAG_NONE) {
			evict(sm, oldest, cause, now);
			return;
		}
		set = sm->l1_reclaim++ % sm->l1.sets;
	}
}

uint32_t l1d_ask_victim(struct sm *sm, const struct tags *tags, uint32_t set, const struct l1_event *cause)
{
	struct frame_view ways[256];
	uint32_t first = set * tags->ways;
	for (uint32_t i = 0; i < tags->ways; i++) {
		const struct tag *tag = &tags->entries[first + i];
		bool present = tag_present(tags, tag);
		ways[i] = (struct frame_view){.frame = first + i,
		                              .line = tag->line,
		                              .owner = tag->owner,
		                              .recency = tag->stamp,
		                              .valid = present,
		                              .reserved = present && tag->state & TAG_RESERVED,
		                              .dirty = present && tag->dirty,
		                              .shared = present && tag->state & TAG_SHARED};
	}
	struct l1_request request = {.cycle = cause->cycle,
	                             .line = cause->line,
	                             .pc = cause->pc,
	                             .sm = sm->id,
	                             .warp = cause->warp,
	                             .cta = cause->cta,
	                             .set = set,
	                             .side = cause->side,
	                             .space = cause->shared ? POLICY_SHARED : POLICY_GLOBAL,
	                             .is_store = cause->is_store};
	uint32_t way = hooks_l1_victim(&sm->hooks, &request, ways, tags->ways);
	return way < tags->ways ? first + way : TAG_NONE;
}

uint32_t l1d_victim(struct sm *sm, uint32_t set, const struct l1_event *cause)
{
	return hooks_has_l1_victim(&sm->hooks) ? l1d_ask_victim(sm, &sm->l1, set, cause)
	                                       : tags_victim(&sm->l1, set);
}

/* An entry for the line, evicting what must go; TAG_NONE: every way is reserved. */
uint32_t l1d_allocate(struct sm *sm, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	uint32_t entry = l1d_victim(sm, set, cause);
	if (entry == TAG_NONE)
		return TAG_NONE;
	if (tag_present(&sm->l1, &sm->l1.entries[entry]))
		evict(sm, entry, cause, now);
	else if (sm->l1_lines >= sm->launch->l1_lines)
		reclaim(sm, set, cause, now);
	if (__builtin_expect(sm->hooks.hit_watch != NULL, 0))
		hit_watch_replace(sm->hooks.hit_watch, entry);
	tags_install(&sm->l1, entry, cause->line);
	sm->l1.entries[entry].owner = (uint8_t)cause->warp;
	sm->l1_lines++;
	return entry;
}
