/* The shape of L1, and replacement in it: which line is evicted, and what leaving means. */
#include "sm/aux_cache.h"
#include "sm/l1_internal.h"

void l1_set_shape(struct l1 *l1, uint32_t lines)
{
	struct tags *tags = &l1->tags;
	enum carved carved = l1->machine->l1d_carved;
	tags->index = l1->index;
	l1->sets = tags->sets;
	l1->ways = tags->ways;
	l1->wide = 0;
	if (carved == CARVED_LINES || lines >= tags->sets * tags->ways)
		return;
	if (carved == CARVED_SETS && lines) {
		l1->sets = (lines + tags->ways - 1) / tags->ways;
		l1->fewer->sets = l1->sets; /* and nothing else: line modulo sets */
		tags->index = l1->fewer;
	}
	l1->ways = lines / l1->sets;
	l1->wide = l1->ways ? lines % l1->sets : 0;
}

static void evict(struct l1 *l1, uint32_t entry, const struct l1_event *cause, cycle_t now)
{
	struct tag *tag = &l1->tags.entries[entry];
	if (__builtin_expect(tag->state & TAG_SHARED, 0)) {
		aux_evict(l1->aux, &l1->tags, entry, cause, now);
		l1->lines--;
		return;
	}
	count(l1->account, COUNT_l1_evictions, 1);
	if (hooks_has_on_l1_evict(l1->hooks)) {
		struct l1_event event = *cause;
		event.cycle = now;
		event.line = tag->line;
		event.frame = entry;
		event.owner = tag->owner;
		hooks_on_l1_evict(l1->hooks, &event);
	}
	if (tag->dirty) {
		struct line_request back = {.line = tag->line, .full = tag->dirty & tag->valid};
		count(l1->account, COUNT_l1_writebacks, 1);
		l1_send(l1, PACKET_WRITE, &back, tag->dirty, 0, 0, now);
	}
	l1_invalidate(l1, entry);
}

/*
 * The data array is full and smaller than the tags can name (CARVED_LINES): one set after the other gives up a line,
 * the one that would go if the set were full. (Seen on an H200, access by access: validation/probes/sets.cu.)
 */
static void reclaim(struct l1 *l1, const struct l1_event *cause, cycle_t now)
{
	for (uint32_t tries = 0; tries <= l1->tags.sets; tries++) {
		uint32_t entry = tags_oldest(&l1->tags, l1->reclaim_next++ % l1->tags.sets);
		if (entry != TAG_NONE) {
			evict(l1, entry, cause, now);
			return;
		}
	}
}

static uint32_t ways_of(const struct l1 *l1, uint32_t set)
{
	return l1->ways + (set < l1->wide);
}

/* Of CARVED_LINES: a new line costs an old one, whatever ways are free. */
static bool array_full(const struct l1 *l1)
{
	return l1->lines >= l1->launch->l1_lines;
}

static bool set_gives(const struct l1 *l1, uint32_t set)
{
	const struct tag *tag = &l1->tags.entries[set * l1->tags.ways];
	for (uint32_t i = 0; i < l1->tags.ways; i++)
		if (tag_present(&l1->tags, &tag[i]) && !(tag[i].state & TAG_RESERVED))
			return true;
	return false;
}

uint32_t l1_ask_victim(const struct l1 *l1, const struct tags *tags, uint32_t set,
                       const struct l1_event *cause)
{
	struct frame_view ways[256];
	uint32_t first = set * tags->ways, count = tags == &l1->tags ? ways_of(l1, set) : tags->ways;
	bool full = tags == &l1->tags && array_full(l1) && set_gives(l1, set);
	for (uint32_t i = 0; i < count; i++) {
		const struct tag *tag = &tags->entries[first + i];
		bool present = tag_present(tags, tag), blocked = full && !present;
		ways[i] = (struct frame_view){.frame = first + i,
		                              .line = tag->line,
		                              .owner = tag->owner,
		                              .recency = tag->stamp,
		                              .valid = present || blocked,
		                              .reserved = blocked || (present && tag->state & TAG_RESERVED),
		                              .dirty = present && tag->dirty,
		                              .shared = present && tag->state & TAG_SHARED,
		                              .kept = present && tag->state & TAG_PROTECTED};
	}
	struct l1_request request = {.cycle = cause->cycle,
	                             .line = cause->line,
	                             .pc = cause->pc,
	                             .sm = l1->sm,
	                             .warp = cause->warp,
	                             .cta = cause->cta,
	                             .set = set,
	                             .aux = cause->aux,
	                             .space = cause->shared ? POLICY_SHARED : POLICY_GLOBAL,
	                             .is_store = cause->is_store};
	uint32_t way = hooks_l1_victim(l1->hooks, &request, ways, count);
	return way < count ? first + way : TAG_NONE;
}

uint32_t l1_victim(const struct l1 *l1, uint32_t set, const struct l1_event *cause)
{
	return hooks_has_l1_victim(l1->hooks) ? l1_ask_victim(l1, &l1->tags, set, cause)
	                                      : tags_victim_among(&l1->tags, set, ways_of(l1, set));
}

static inline __attribute__((always_inline)) void install(struct l1 *l1, uint32_t entry,
                                                          const struct l1_event *cause, cycle_t now)
{
	if (tag_present(&l1->tags, &l1->tags.entries[entry]))
		evict(l1, entry, cause, now);
	else if (array_full(l1))
		reclaim(l1, cause, now);
	if (__builtin_expect(l1->hooks->hit_watch != NULL, 0))
		hit_watch_replace(l1->hooks->hit_watch, entry);
	tags_install(&l1->tags, entry, cause->line);
	l1->tags.entries[entry].owner = (uint8_t)cause->warp;
	l1->lines++;
}

void l1_install(struct l1 *l1, uint32_t entry, const struct l1_event *cause, cycle_t now)
{
	install(l1, entry, cause, now);
}

uint32_t l1_allocate(struct l1 *l1, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	uint32_t entry = l1_victim(l1, set, cause);
	if (entry != TAG_NONE)
		install(l1, entry, cause, now);
	return entry;
}
