#include "sm/l1.h"

#include <stdlib.h>

#include "base/memory.h"
#include "sm/aux_cache.h"
#include "sm/l1_internal.h"

/* ---- questions to policies -------------------------------------------------------------------------------------- */

static struct l1_request question(const struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now)
{
	const struct decoded *insn = &l1->launch->insn[mem->insn];
	return (struct l1_request){.cycle = now,
	                           .line = request->line,
	                           .pc = insn->pc,
	                           .sm = l1->sm,
	                           .warp = mem->warp,
	                           .cta = warps_cta_slot(l1->warps, mem->warp),
	                           .set = l1_set(l1, request->line, mem->warp),
	                           .index = request->index,
	                           .count = mem->lines,
	                           .space = mem->space == SPACE_LOCAL    ? POLICY_LOCAL
	                                    : mem->space == SPACE_SHARED ? POLICY_SHARED
	                                                                 : POLICY_GLOBAL,
	                           .is_store = insn->op == OP_STORE,
	                           .is_atomic = insn->op == OP_ATOMIC || insn->op == OP_REDUCE};
}

uint8_t l1_feedback(const struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                    cycle_t now)
{
	if (!hooks_has_l1_feedback(l1->hooks))
		return 0;
	struct l1_request about = question(l1, mem, request, now);
	return hooks_l1_feedback(l1->hooks, &about);
}

enum smem_route l1_ask_smem_route(const struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, cycle_t now)
{
	struct l1_request about = question(l1, mem, request, now);
	return hooks_smem_route(l1->hooks, &about);
}

enum l1_route l1_ask_route(const struct l1 *l1, const struct mem_insn *mem,
                           const struct line_request *request, enum l1_presence presence, enum l1_fail fail,
                           cycle_t now)
{
	struct l1_request about = question(l1, mem, request, now);
	about.presence = (uint8_t)presence;
	enum l1_route answer = hooks_l1_route(l1->hooks, &about, fail);
	return answer == L1_ROUTE_NONE ? L1_ROUTE_CACHE : answer;
}

enum l1_fail l1_send_bypass(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                            enum packet_op op, cycle_t now)
{
	if (!port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	l1_send_of(l1, mem, op, request, request->sectors, TOKEN_LOAD | mem->load,
	           l1_feedback(l1, mem, request, now), now);
	if (op != PACKET_REDUCE)
		loads_wait(l1->loads, mem->load, bits_count(request->sectors));
	return L1_FAIL_NONE;
}

void l1_tell_origin(const struct l1 *l1, const struct mem_insn *mem, struct line_packet *packet)
{
	const struct mshr *mshr = mem || packet->op != PACKET_READ ? NULL : &l1->mshrs.entry[packet->token];
	if (!mem && !mshr)
		return;
	uint32_t warp = mem ? mem->warp : mshr->owner;
	packet->pc = (uint32_t)l1->launch->insn[mem ? mem->insn : mshr->insn].pc;
	packet->warp = (uint16_t)warp;
	packet->cta = (uint8_t)warps_cta_slot(l1->warps, warp);
	packet->kind = packet->op == PACKET_WRITE            ? L2_STORE
	               : packet->op != PACKET_READ           ? L2_ATOMIC
	               : mshr && mshr->flags & MSHR_PREFETCH ? L2_PREFETCH
	                                                     : L2_LOAD;
}

/* ---- replacement ------------------------------------------------------------------------------------------------ */

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
		event.dirty = tag->dirty;
		event.unused = (tag->state & TAG_PREFETCHED) != 0;
		if (l1->notes) {
			event.owner_pc = l1->notes[entry].pc;
			event.owner_cta = l1->notes[entry].cta;
			event.uses = l1->notes[entry].uses;
		}
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
		                              .kept = present && tag->state & TAG_PROTECTED,
		                              .unused = present && tag->state & TAG_PREFETCHED};
		if (l1->notes && tags == &l1->tags && present) {
			ways[i].owner_pc = l1->notes[first + i].pc;
			ways[i].uses = l1->notes[first + i].uses;
		}
	}
	struct l1_request request = {.cycle = cause->cycle,
	                             .line = cause->line,
	                             .pc = cause->pc,
	                             .sm = l1->sm,
	                             .warp = cause->warp,
	                             .cta = cause->cta,
	                             .set = set,
	                             .aux = cause->aux,
	                             .prefetch = cause->prefetch,
	                             .space = cause->shared ? POLICY_SHARED : POLICY_GLOBAL,
	                             .is_store = cause->is_store};
	uint32_t way = hooks_l1_victim(l1->hooks, &request, ways, count);
	return way < count ? first + way : TAG_NONE;
}

/* Return the entry to evict, or TAG_NONE if every way is reserved. */
static uint32_t victim_of(const struct l1 *l1, uint32_t set, const struct l1_event *cause)
{
	return hooks_has_l1_victim(l1->hooks) ? l1_ask_victim(l1, &l1->tags, set, cause)
	                                      : tags_victim_among(&l1->tags, set, ways_of(l1, set));
}

/* Make `entry`, which victim_of() gave, hold cause->line. */
static void install(struct l1 *l1, uint32_t entry, const struct l1_event *cause, cycle_t now)
{
	if (tag_present(&l1->tags, &l1->tags.entries[entry]))
		evict(l1, entry, cause, now);
	else if (array_full(l1))
		reclaim(l1, cause, now);
	if (__builtin_expect(l1->hooks->hit_watch != NULL, 0))
		hit_watch_replace(l1->hooks->hit_watch, entry);
	tags_install(&l1->tags, entry, cause->line);
	l1->tags.entries[entry].owner = (uint8_t)cause->warp;
	if (__builtin_expect(l1->notes != NULL, 0))
		l1->notes[entry] = (struct frame_note){cause->pc, (uint16_t)cause->cta, 0};
	l1->lines++;
}

uint32_t l1_allocate(struct l1 *l1, uint32_t set, const struct l1_event *cause, cycle_t now)
{
	uint32_t entry = victim_of(l1, set, cause);
	if (entry != TAG_NONE)
		install(l1, entry, cause, now);
	return entry;
}

/* ---- set-up and launches ---------------------------------------------------------------------------------------- */

void l1_init(struct l1 *l1, const struct machine *m, const struct hooks *hooks, const struct index *index,
             struct region *region, uint32_t sm)
{
	l1->machine = m;
	l1->sm = sm;
	l1->index = index;
	l1->sets = m->l1d_sets;
	tags_init_in(&l1->tags, m->l1d_sets, m->l1d_ways, index, region);
	if (m->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK || chain_smem_routers(hooks->chain))
		l1->bytes =
		    region_take(region, (size_t)m->l1d_sets * m->l1d_ways * LINE_CHUNKS, sizeof *l1->bytes);
	l1->found = region_take(region, (size_t)1 << FOUND_BITS, sizeof *l1->found);
	for (uint32_t i = 0; i < hooks->chain->count; i++)
		l1->origin |= hooks->chain->link[i].policy.l2_origin;
	for (uint32_t i = 0; i < hooks->chain->count && !l1->notes; i++)
		if (hooks->chain->link[i].policy.frame_history)
			l1->notes = region_take(region, (size_t)m->l1d_sets * m->l1d_ways, sizeof *l1->notes);
	if (m->l1d_carved == CARVED_SETS)
		l1->fewer = region_take(region, 1, sizeof *l1->fewer);
	l1->tags.protected_ways = m->l1d_segmented ? m->l1d_ways / 2 : 0;
	l1->sector_chunks = m->l1d_sector_bytes / CHUNK_BYTES;
	l1->fetch_sectors = m->l1d_fetch_bytes / m->l1d_sector_bytes;
	link_init(&l1->fill_link, m, m->l1d_fill_bytes_per_cycle);
	uint32_t merge = m->l1d_mshr_merge > 32 ? 32 : m->l1d_mshr_merge;
	mshr_table_init(&l1->mshrs, region, m->l1d_mshr_entries, m->l1d_mshr_entries * merge,
	                m->l1d_mshr_merge);
}

void l1_free(struct l1 *l1)
{
	mshr_table_free(&l1->mshrs);
}

/* Whether the fast path may be taken: no policy of this launch asks or hears of hits, but for observers. */
static bool hits_are_silent(const struct hooks *h)
{
	uint32_t silent = h->chain->watching | h->idle;
	uint32_t asks =
	    h->has_l1_route | h->has_set_index | h->has_l1_victim | h->has_aux_cache | h->has_prefetch;
	uint32_t hears = h->has_on_l1_hit | h->has_on_l1_miss | h->has_on_l1_pending | h->has_on_l1_evict |
	                 h->has_l1_feedback | h->has_smem_route;
	bool only_watch = h->hit_watch && __builtin_popcount(h->has_on_l1_hit) == 1;
	return !(asks & ~h->idle) && !(hears & ~silent) && (only_watch || !h->has_on_l1_hit);
}

/*
 * What the launch leaves of a smaller data array: fewer sets, no more than are
 * needed to hold it, or all of them; the same ways in every set, and one more
 * in some if it does not come out even. Less than one way: no L1.
 */
static void set_shape(struct l1 *l1, uint32_t lines)
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

void l1_begin_launch(struct l1 *l1, const struct launch *launch)
{
	l1->launch = launch;
	tags_flush(&l1->tags);
	l1->lines = 0;
	l1->reclaim_next = 0;
	l1->fill_free = 0;
	l1->stores_out = 0;
	store_merge_reset(&l1->stores);
	set_shape(l1, launch->l1_lines);
	l1->on = l1->machine->l1d_enabled && launch->l1_lines && l1->ways;
	l1->plain = l1->on && hits_are_silent(l1->hooks);
	l1->plain_stores = l1_stores_plainly(l1);
}

void l1_flush(struct l1 *l1)
{
	if (__builtin_expect(l1->aux != NULL, 0)) {
		aux_flush(l1->aux);
		return;
	}
	tags_flush(&l1->tags);
	l1->lines = 0;
	if (l1->prefetcher)
		prefetcher_flush(l1->prefetcher);
}

/* ---- hits ---------------------------------------------------------------------------------------------------- */

void l1_hit_done(struct l1 *l1, const struct mem_insn *mem, cycle_t now)
{
	const struct decoded *insn = &l1->launch->insn[mem->insn];
	cycle_t extra =
	    mem->wavefronts > insn->least_wavefronts ? mem->wavefronts - insn->least_wavefronts : 0;
	loads_hit(l1->loads, mem->load, now + insn->hit_wait + extra * l1->machine->l1d_wavefront_cycles);
}

/* Lines that hit or wait for data in flight, and sectors that need not be asked for. */
static inline void count_lines(struct l1 *l1, const struct mem_insn *mem, uint32_t hits, uint32_t pending,
                               uint32_t sectors)
{
	count(l1->account, COUNT_l1_accesses, hits + pending);
	count(l1->account, COUNT_l1_hits, hits);
	count(l1->account, COUNT_l1_pending_hits, pending);
	count(l1->account, COUNT_l1_replies, hits);
	l1_count_hit_sectors(l1, mem, sectors);
}

/* A line hits: it is counted, and its data come with the hit latency. */
static inline void deliver_hit(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                               cycle_t now)
{
	count_lines(l1, mem, 1, 0, bits_count(request->sectors));
	l1_hit_done(l1, mem, now);
}

/* What a walk has come to, and what its observer has not heard of yet. */
struct hit_run {
	uint32_t lines;         /* that hit */
	uint32_t pending;       /* that are in flight, and nothing else had to be done for them */
	uint32_t other_sectors; /* of lines that were neither */
	uint32_t told;          /* of the lines that hit, those that it has heard of */
	uint32_t rares, *rare;  /* frames of its rare hits */
	struct hit_sums sums;
};

static inline void watch_hit(struct hit_run *run, struct hit_watch *watch, uint32_t warp, uint32_t entry)
{
	if (!hit_watch_line(&watch->last[entry], &run->sums, watch->user[warp]))
		run->rare[run->rares++] = entry;
}

/* Before anything else happens: an observer hears of things in their order. */
static void tell_hits(const struct l1 *l1, const struct mem_insn *mem, struct hit_run *run)
{
	struct hit_watch *watch = l1->hooks->hit_watch;
	if (run->lines == run->told)
		return;
	run->sums.hits = run->lines - run->told - run->rares;
	hit_watch_pc(watch, l1->launch->insn[mem->insn].pc);
	hit_watch_add(watch, &run->sums);
	for (uint32_t i = 0; i < run->rares; i++)
		watch->see_line(watch, mem->warp, l1->tags.entries[run->rare[i]].line, run->rare[i]);
	run->told = run->lines;
	run->rares = 0;
	run->sums = (struct hit_sums){0};
}

/*
 * Takes lines from `request` on that hit where they were found last; returns the first that does not. Nothing is
 * called here: most lines of most loads pass through these few instructions.
 */
static inline __attribute__((always_inline)) const struct line_request *
take_hits(struct l1 *l1, const struct line_request *request, const struct line_request *end,
          struct hit_run *run, struct hit_watch *watch, uint32_t warp)
{
	struct tag *entries = l1->tags.entries;
	uint32_t *found = l1->found, flushed = l1->tags.flushed, stamp = l1->tags.stamp;
	const struct line_request *first = request;
	for (; request != end; request++) {
		struct tag *tag = (struct tag *)((char *)entries + *l1_last_found(found, request->line));
		if (tag->line != request->line || tag->stamp <= flushed || request->sectors & ~tag->valid)
			break;
		stamp = tags_use_after(&l1->tags, tag, stamp);
		if (watch)
			watch_hit(run, watch, warp, (uint32_t)(tag - entries));
	}
	l1->tags.stamp = stamp;
	run->lines += (uint32_t)(request - first);
	return request;
}

bool l1_hits_alone(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	struct tags *tags = &l1->tags;
	const struct tag *tag = l1_find_again(l1, request->line);
	if (!tag || request->sectors & ~tag->valid || l1->hooks->hit_watch)
		return false;
	tags_use(tags, (uint32_t)(tag - tags->entries));
	deliver_hit(l1, mem, request, now);
	return true;
}

/* The tags of a line that did not hit where it was found last: some of it may be there all the same. */
static inline struct lookup find_line(const struct l1 *l1, const struct line_request *request)
{
	const struct tags *tags = &l1->tags;
	const struct tag *tag = l1_find_again(l1, request->line);
	if (!tag)
		return lookup_tags(tags, tags_set(tags, request->line), request->line, request->sectors);
	uint32_t entry = (uint32_t)(tag - tags->entries);
	uint8_t missing = (uint8_t)(request->sectors & ~tag->valid);
	return (struct lookup){.set = entry / tags->ways,
	                       .entry = entry,
	                       .mshr = MSHR_NONE,
	                       .valid = tag->valid,
	                       .missing = missing,
	                       .fresh = missing};
}

/* A load has been accepted, by the slow path: note the use of its line and ask for prefetches. */
static inline void accepted(struct l1 *l1, enum prefetch_when when, const struct mem_insn *mem,
                            const struct line_request *request, uint32_t frame, uint32_t mshr, cycle_t now)
{
	if (__builtin_expect(l1->notes != NULL, 0) && frame != TAG_NONE && when != PREFETCH_ON_MISS)
		l1->notes[frame].uses =
		    (uint16_t)(l1->notes[frame].uses + (l1->notes[frame].uses < UINT16_MAX));
	if (__builtin_expect(l1->prefetcher != NULL, 0))
		prefetcher_load(l1->prefetcher, when, mem, request, frame, mshr, now);
}

/* ---- loads ---------------------------------------------------------------------------------------------------- */

/* `blind`: without a look into L1. */
static enum l1_fail bypass(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                           bool blind, cycle_t now)
{
	enum l1_fail fail = l1_send_bypass(l1, mem, request, PACKET_READ, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	count(l1->account, COUNT_l1_accesses, 1);
	count(l1->account, COUNT_l1_bypasses, 1);
	count(l1->account, COUNT_l1_blind_bypasses, blind);
	loads_bypass(l1->loads, mem->load);
	l1->account->pc_misses[mem->insn] += bits_count(request->sectors);
	accepted(l1, PREFETCH_ON_BYPASS, mem, request, TAG_NONE, MSHR_NONE, now);
	return L1_FAIL_NONE;
}

static void hit(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request, uint32_t entry,
                cycle_t now)
{
	deliver_hit(l1, mem, request, now);
	if (entry == TAG_NONE)
		return;
	tags_use(&l1->tags, entry);
	if (hooks_has_on_l1_hit(l1->hooks)) {
		struct l1_event event = l1_event(l1, mem, request->line, entry, now);
		hooks_on_l1_hit(l1->hooks, &event);
	}
	accepted(l1, PREFETCH_ON_HIT, mem, request, entry, MSHR_NONE, now);
}

/* The load waits with others for what is in flight. */
static inline void join_line(struct l1 *l1, const struct mem_insn *mem, const struct lookup *look)
{
	if (l1->machine->l1d_pending_refreshes && look->entry != TAG_NONE)
		tags_use(&l1->tags, look->entry);
	l1_wait(l1, look->mshr, mem, look->missing);
}

static __attribute__((noinline)) enum l1_fail pending_hit(struct l1 *l1, const struct mem_insn *mem,
                                                          const struct line_request *request,
                                                          const struct lookup *look, cycle_t now)
{
	if (mshr_room(&l1->mshrs, look->mshr, 0) != MSHR_ROOM)
		return L1_FAIL_MSHR_MERGE;
	join_line(l1, mem, look);
	count_lines(l1, mem, 0, 1, bits_count(request->sectors));
	if (hooks_has_on_l1_pending(l1->hooks)) {
		struct l1_event event = l1_event(l1, mem, request->line, look->entry, now);
		hooks_on_l1_pending(l1->hooks, &event);
	}
	accepted(l1, PREFETCH_ON_PENDING, mem, request, look->entry, look->mshr, now);
	return L1_FAIL_NONE;
}

/* A miss takes its line now, or when the data come; nothing has changed when it fails. */
static __attribute__((noinline)) enum l1_fail miss(struct l1 *l1, const struct mem_insn *mem,
                                                   const struct line_request *request, struct lookup *look,
                                                   bool late, cycle_t now)
{
	static const enum l1_fail fails[] = {[MSHR_ROOM] = L1_FAIL_NONE,
	                                     [MSHR_NO_ENTRY] = L1_FAIL_MSHR_ENTRY,
	                                     [MSHR_NO_MERGE] = L1_FAIL_MSHR_MERGE};
	bool on_miss = !late && l1->machine->l1d_allocate == ALLOCATE_ON_MISS &&
	               (look->mshr == MSHR_NONE || l1->mshrs.entry[look->mshr].frame != TAG_NONE);
	bool new_line = on_miss && look->entry == TAG_NONE;
	struct l1_event event = l1_event(l1, mem, request->line, look->entry, now);
	uint32_t victim = new_line ? victim_of(l1, look->set, &event) : TAG_NONE;
	if (new_line && victim == TAG_NONE)
		return L1_FAIL_LINE_ALLOC;
	enum mshr_room room = mshr_room(&l1->mshrs, look->mshr, 0);
	if (room != MSHR_ROOM)
		return fails[room];
	if (!port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	if (new_line) {
		install(l1, victim, &event, now);
		look->entry = event.frame = victim;
	} else if (look->entry != TAG_NONE) {
		tags_use(&l1->tags, look->entry);
	}
	if (look->mshr == MSHR_NONE) {
		look->mshr = l1_allocate_mshr(l1, mem, request->line, now);
		l1->mshrs.entry[look->mshr].set = look->set;
	}
	struct mshr *mshr = &l1->mshrs.entry[look->mshr];
	if (on_miss) {
		l1->tags.entries[look->entry].state |= TAG_RESERVED;
		mshr->frame = look->entry;
	}
	uint8_t asked =
	    lookup_blocks(look->fresh, l1->fetch_sectors) & (uint8_t) ~(mshr->pending | look->valid);
	mshr->pending |= asked;
	l1_wait(l1, look->mshr, mem, look->missing);
	l1_send(l1, PACKET_READ, request, asked, look->mshr, l1_feedback(l1, mem, request, now), now);
	uint32_t fresh = bits_count(look->fresh);
	count(l1->account, COUNT_l1_accesses, 1);
	count(l1->account, COUNT_l1_misses, 1);
	l1_count_hit_sectors(l1, mem, bits_count(request->sectors) - fresh);
	l1->account->pc_misses[mem->insn] += fresh;
	hooks_on_l1_miss(l1->hooks, &event);
	accepted(l1, PREFETCH_ON_MISS, mem, request, look->entry, look->mshr, now);
	return L1_FAIL_NONE;
}

/* A load that uses the cache. */
static inline __attribute__((always_inline)) enum l1_fail
cached_load(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
            struct lookup *look, bool late, cycle_t now)
{
	if (!look->missing) {
		hit(l1, mem, request, look->entry, now);
		return L1_FAIL_NONE;
	}
	/* One fill, one place: a line that is in flight to the auxiliary cache goes there. */
	if (look->mshr != MSHR_NONE && l1->mshrs.entry[look->mshr].flags & MSHR_AUX)
		return aux_load(l1->aux, mem, request, look, now);
	if (!look->fresh)
		return pending_hit(l1, mem, request, look, now);
	return miss(l1, mem, request, look, late, now);
}

/* There is an auxiliary cache, and the line is not in flight to L1, where it would have to stay. */
static bool aux_takes(const struct l1 *l1, const struct lookup *look)
{
	if (!aux_is_open(l1->aux) ||
	    (look->entry != TAG_NONE && l1->tags.entries[look->entry].state & TAG_RESERVED))
		return false;
	return look->mshr == MSHR_NONE || l1->mshrs.entry[look->mshr].flags & MSHR_AUX;
}

static enum l1_fail follow(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                           struct lookup *look, enum l1_route route, cycle_t now)
{
	if (route == L1_ROUTE_FORCE_BYPASS || (route == L1_ROUTE_BYPASS && look->missing))
		return bypass(l1, mem, request, route == L1_ROUTE_FORCE_BYPASS, now);
	if (route == L1_ROUTE_AUX && mem->space == SPACE_GLOBAL && aux_takes(l1, look))
		return aux_load(l1->aux, mem, request, look, now);
	if (route != L1_ROUTE_HIT)
		return cached_load(l1, mem, request, look, route == L1_ROUTE_LATE, now);
	hit(l1, mem, request, TAG_NONE, now);
	return L1_FAIL_NONE;
}

/* Policies choose the way; one that finds a resource missing is asked again at once, with the cause. */
static enum l1_fail routed_load(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                                struct lookup *look, cycle_t now)
{
	bool some = look->missing != request->sectors;
	enum l1_presence presence = !look->missing ? L1_WHOLE
	                            : !look->fresh ? L1_PENDING
	                            : some         ? L1_PART
	                                           : L1_ABSENT;
	enum l1_fail known = (enum l1_fail)mem->fail;
	enum l1_route route = l1_ask_route(l1, mem, request, presence, known, now);
	enum l1_fail fail = follow(l1, mem, request, look, route, now);
	if (fail == L1_FAIL_NONE || fail == known)
		return fail;
	route = l1_ask_route(l1, mem, request, presence, fail, now);
	return route == L1_ROUTE_CACHE ? fail : follow(l1, mem, request, look, route, now);
}

/* What the tags say is known: the rest of the look-up. */
static inline void finish_lookup(const struct l1 *l1, const struct line_request *request, struct lookup *look)
{
	if (look->entry != TAG_NONE && l1->tags.entries[look->entry].state & TAG_PARTIAL && look->missing)
		look->missing &=
		    (uint8_t)~l1_partial_sectors(l1, l1->bytes, look->entry, request, look->missing);
	lookup_mshrs(look, &l1->mshrs, request->line);
}

/* And what follows from it. */
static inline __attribute__((always_inline)) enum l1_fail load_at(struct l1 *l1, const struct mem_insn *mem,
                                                                  const struct line_request *request,
                                                                  struct lookup *look, cycle_t now)
{
	if (hooks_has_l1_route(l1->hooks))
		return routed_load(l1, mem, request, look, now);
	return cached_load(l1, mem, request, look, false, now);
}

enum l1_fail l1_load(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                     cycle_t now)
{
	if (l1->launch->insn[mem->insn].flags & INSN_BYPASS_L1 || !l1->on)
		return bypass(l1, mem, request, true, now);
	uint32_t set = l1_set(l1, request->line, mem->warp);
	struct lookup look = lookup_tags(&l1->tags, set, request->line, request->sectors);
	finish_lookup(l1, request, &look);
	return load_at(l1, mem, request, &look, now);
}

/* ---- many lines ----------------------------------------------------------------------------------------------- */

/* Waits with others for a line in flight, if that is all there is to do; false: nothing has been done. */
static inline bool joins_pending(struct l1 *l1, const struct mem_insn *mem, const struct lookup *look)
{
	if (look->fresh || look->mshr == MSHR_NONE || l1->mshrs.entry[look->mshr].flags & MSHR_AUX ||
	    mshr_room(&l1->mshrs, look->mshr, 0) != MSHR_ROOM || hooks_has_l1_route(l1->hooks) ||
	    hooks_has_on_l1_pending(l1->hooks))
		return false;
	join_line(l1, mem, look);
	return true;
}

/* A line that did not hit. */
static inline enum l1_fail load_other(struct l1 *l1, const struct mem_insn *mem,
                                      const struct line_request *request, struct lookup *look,
                                      struct l1_walk *walk, struct hit_run *run)
{
	finish_lookup(l1, request, look);
	if (joins_pending(l1, mem, look)) {
		run->pending++;
		return L1_FAIL_NONE;
	}
	enum l1_fail fail = load_at(l1, mem, request, look, l1_walk_now(walk, request->index));
	if (fail == L1_FAIL_NONE)
		run->other_sectors += bits_count(request->sectors);
	return fail;
}

/* Counts what a walk over [begin, end) has come to; `line` is the instruction's first. */
static void count_run(struct l1 *l1, const struct mem_insn *mem, const struct line_request *line,
                      const struct line_request *begin, const struct line_request *end,
                      const struct hit_run *run)
{
	uint32_t sectors = mem->sectors;
	if (begin != line || end != line + mem->lines) {
		sectors = 0;
		for (; begin != end; begin++)
			sectors += bits_count(begin->sectors);
	}
	count_lines(l1, mem, run->lines, run->pending, sectors - run->other_sectors);
}

static inline __attribute__((always_inline)) enum l1_fail
load_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request, uint32_t most,
           struct l1_walk *walk, struct hit_watch *watch)
{
	const struct line_request *line = request - request->index, *begin = request, *end = request + most,
	                          *last_hit = NULL;
	uint32_t rare[COALESCE_MAX];
	struct hit_run run = {.rare = rare};
	enum l1_fail fail = L1_FAIL_NONE;
	tags_make_room(&l1->tags, 2 * most);
	for (;; request++) {
		const struct line_request *behind = take_hits(l1, request, end, &run, watch, mem->warp);
		last_hit = behind != request ? behind - 1 : last_hit;
		request = behind != end ? behind : end - 1;
		if (behind == end)
			break;
		struct lookup look = find_line(l1, request);
		if (!look.missing) {
			l1_note_found(l1, request->line, look.entry);
			request--; /* which is a hit now */
			continue;
		}
		if (watch)
			tell_hits(l1, mem, &run);
		fail = load_other(l1, mem, request, &look, walk, &run);
		if (look.entry != TAG_NONE)
			l1_note_found(l1, request->line, look.entry);
		if (fail != L1_FAIL_NONE || request + 1 == end || port_waits(l1->port))
			break;
	}
	if (watch)
		tell_hits(l1, mem, &run);
	if (last_hit)
		l1_hit_done(l1, mem, l1_walk_now(walk, last_hit->index));
	walk->last = request->index;
	count_run(l1, mem, line, begin, request + (fail == L1_FAIL_NONE), &run);
	return fail;
}

/* With an observer: a function of its own, so that registers of the other are not spent on it. */
static __attribute__((noinline, nonnull)) enum l1_fail
load_watched_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                   uint32_t most, struct l1_walk *walk, struct hit_watch *watch)
{
	return load_lines(l1, mem, request, most, walk, watch);
}

enum l1_fail l1_load_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                           uint32_t most, struct l1_walk *walk)
{
	struct hit_watch *watch = l1->hooks->hit_watch;
	return watch ? load_watched_lines(l1, mem, request, most, walk, watch)
	             : load_lines(l1, mem, request, most, walk, NULL);
}

/* ---- replies ---------------------------------------------------------------------------------------------------- */

/* The line that was reserved for this miss is still there: no fence has emptied L1 since. */
static bool keeps_frame(const struct l1 *l1, const struct mshr *mshr)
{
	const struct tag *tag = &l1->tags.entries[mshr->frame];
	return tag_present(&l1->tags, tag) && tag->line == mshr->line;
}

/* Take a line for a fill without one. Return TAG_NONE if the data are dropped. */
static uint32_t take_line(struct l1 *l1, const struct mshr *mshr, struct l1_event *event, cycle_t now)
{
	if (hooks_l1_alloc(l1->hooks, event) == ANSWER_NO)
		return TAG_NONE;
	uint32_t entry = event->frame = l1_allocate(l1, mshr->set, event, now);
	if (entry == TAG_NONE || !l1->machine->l1d_pending_refreshes)
		return entry;
	/* Requests that came meanwhile have used it; the use counter saturates at two. */
	for (uint32_t use = 1; use < mshr->waiters && use < 3; use++)
		tags_use(&l1->tags, entry);
	return entry;
}

static void fill_line(struct l1 *l1, const struct mshr *mshr, const struct reply *reply, cycle_t now)
{
	uint32_t entry = mshr->frame;
	if (entry != TAG_NONE && !keeps_frame(l1, mshr))
		return;
	if (entry == TAG_NONE)
		entry = tags_find(&l1->tags, mshr->set, reply->line);
	if (entry == TAG_NONE || hooks_has_on_l1_fill(l1->hooks)) {
		struct l1_event event = l1_fill_event(l1, mshr, reply, entry, now);
		if (entry == TAG_NONE)
			entry = take_line(l1, mshr, &event, now);
		if (entry == TAG_NONE)
			return;
		hooks_on_l1_fill(l1->hooks, &event);
	}
	l1->tags.entries[entry].valid |= reply->sectors;
	count(l1->account, COUNT_l1_fills, 1);
	count(l1->account, COUNT_l1_fill_sectors, bits_count(reply->sectors));
}

/* A fill, for the loads that wait for it. */
struct delivery {
	struct l1 *l1;
	cycle_t done, now;
	uint32_t replies; /* that count as L1's: none of shared memory */
};

static void deliver(void *user, const struct waiter *waiter, uint64_t line, uint8_t got)
{
	(void)line;
	(void)got;
	const struct delivery *delivery = user;
	if (waiter->sectors)
		return;
	count(delivery->l1->account, COUNT_l1_replies, delivery->replies);
	loads_arrive(delivery->l1->loads, waiter->who, 1, delivery->done, delivery->now);
}

static void tell_reply(struct l1 *l1, const struct reply *reply, cycle_t now)
{
	struct l1_event event = {
	    .cycle = now, .line = reply->line, .sm = l1->sm, .feedback = reply->feedback, .frame = TAG_NONE};
	if (reply->token & TOKEN_LOAD) {
		const struct load *load = loads_get(l1->loads, reply->token & ~TOKEN_LOAD);
		event.warp = event.owner = load->warp;
		event.pc = l1->launch->insn[load->insn].pc;
	} else {
		const struct mshr *mshr = &l1->mshrs.entry[reply->token];
		event.warp = event.owner = mshr->owner;
		event.cta = mshr->cta;
		event.pc = l1->launch->insn[mshr->insn].pc;
		event.aux = mshr->flags & MSHR_AUX;
		event.shared = (mshr->flags & MSHR_SHARED) != 0;
	}
	hooks_on_reply(l1->hooks, &event);
}

/* If it is a poll's: what it read is judged when all is there, and only then there may be progress. */
static void hear_poll(struct l1 *l1, const struct reply *reply)
{
	const struct load *load = loads_get(l1->loads, reply->token & ~TOKEN_LOAD);
	if (load->dst_span != POLL_SPAN)
		return;
	polls_reply(&l1->warps->polls, load->warp, l1->launch->insn[load->insn].op == OP_ATOMIC, reply);
	l1->account->progress--;
}

void l1_reply(struct l1 *l1, const struct reply *reply, cycle_t now)
{
	const struct machine *m = l1->machine;
	uint32_t sectors = bits_count(reply->sectors);
	fine_t start = fine_of(now) > l1->fill_free ? fine_of(now) : l1->fill_free;
	l1->fill_free = start + l1->fill_link.cost[sectors];
	cycle_t done = cycle_of(start) + m->l1d_hit_cycles -
	               (m->l1d_hit_cycles > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0);
	l1->account->progress++;
	if (hooks_has_on_reply(l1->hooks))
		tell_reply(l1, reply, now);
	if (reply->token & TOKEN_LOAD) {
		if (__builtin_expect(l1->launch->watch != NULL, 0))
			hear_poll(l1, reply);
		loads_arrive(l1->loads, reply->token & ~TOKEN_LOAD, sectors, done, now);
		return;
	}
	struct mshr *mshr = &l1->mshrs.entry[reply->token];
	if (__builtin_expect(mshr->flags & (MSHR_AUX | MSHR_SHARED), 0))
		aux_fill(l1->aux, mshr, reply, now);
	else
		fill_line(l1, mshr, reply, now);
	struct delivery delivery = {l1, done, now, !(mshr->flags & MSHR_SHARED)};
	mshr_fill(&l1->mshrs, mshr, reply->sectors, deliver, &delivery);
	if (mshr->pending)
		return;
	if (mshr->frame != TAG_NONE && keeps_frame(l1, mshr))
		l1->tags.entries[mshr->frame].state &= (uint8_t)~TAG_RESERVED;
	if (__builtin_expect(l1->prefetcher != NULL, 0))
		prefetcher_filled(l1->prefetcher, mshr, now);
	if (!(mshr->flags & (MSHR_SHARED | MSHR_PREFETCH))) {
		l1->account->miss_cycles += now - mshr->since;
		l1->account->misses++;
	}
	mshr_release(&l1->mshrs, reply->token);
}
