/* The side cache: its shape, what global loads do there, and fills. */
#include "sm/side.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

/* Where shared memory lies in DRAM: far above all addresses that programs use. */
#define WINDOW_BASE ((uint64_t)1 << 56)

/* ---- shape -------------------------------------------------------------------------------------------------- */

struct side *side_new(const struct chain *chain, uint32_t queue)
{
	if (!chain->has_side_cache && !chain_smem_routers(chain))
		return NULL;
	struct side *side = memory_zeroed(1, sizeof *side);
	if (chain_smem_routers(chain))
		side->lines = memory_zeroed((size_t)queue * COALESCE_MAX, sizeof *side->lines);
	side->cta = memory_zeroed(queue, sizeof *side->cta);
	return side;
}

void side_free(struct side *side)
{
	if (!side)
		return;
	tags_free(&side->tags);
	free(side->bytes);
	free(side->lines);
	free(side->cta);
	free(side);
}

static void reserve(struct side *side, uint32_t lines)
{
	tags_reserve(&side->tags, lines);
	if (lines <= side->bytes_capacity)
		return;
	side->bytes = memory_grow(side->bytes, (size_t)lines * LINE_CHUNKS, sizeof *side->bytes);
	side->bytes_capacity = lines;
}

/* What is dirty goes to memory: a change of shape loses nothing. */
static void write_all(struct sm *sm, cycle_t now)
{
	const struct tags *tags = &sm->side->tags;
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && tags->entries[i].dirty) {
			count(sm, COUNT_aux_writebacks, 1);
			side_write(sm, tags->entries[i].line, tags->entries[i].dirty, now);
		}
}

static bool same_shape(const struct side_cache *a, const struct side_cache *b)
{
	return a->sets == b->sets && a->ways == b->ways && a->hit_cycles == b->hit_cycles &&
	       a->write_back == b->write_back && a->fetch_on_store_miss == b->fetch_on_store_miss &&
	       a->drop_at_cta_end == b->drop_at_cta_end && a->past_l2 == b->past_l2;
}

static void ask_shape(struct sm *sm, cycle_t now)
{
	struct side *side = sm->side;
	if (!hooks_has_side_cache(&sm->hooks))
		return;
	struct sm_view view = sm_view_of(sm, now);
	struct side_cache shape = hooks_side_cache(&sm->hooks, &view);
	if (same_shape(&shape, &side->shape))
		return;
	write_all(sm, now);
	reserve(side, shape.sets * shape.ways);
	tags_reshape(&side->tags, shape.sets, shape.ways);
	side->shape = shape;
}

void side_begin_launch(struct sm *sm)
{
	struct side *side = sm->side;
	const struct machine *m = sm->machine;
	uint32_t bytes = sm->launch->kernel->shared_bytes;
	side->window_lines = bytes ? (bytes + m->l1d_line_bytes - 1) / m->l1d_line_bytes : 1;
	side->window =
	    WINDOW_BASE / m->l1d_line_bytes + (uint64_t)sm->id * sm->launch->smem_window / m->l1d_line_bytes;
	/* Room for all of shared memory, so that a change of shape need not look for any. */
	reserve(side, m->smem_bytes / m->l1d_line_bytes);
	side->shape = (struct side_cache){0};
	tags_reshape(&side->tags, 0, 0);
	ask_shape(sm, 0);
}

void side_cta_began(struct sm *sm, cycle_t now)
{
	ask_shape(sm, now);
}

static void forget(struct sm *sm, struct tags *tags, uint32_t entry)
{
	sm->l1_lines -= tags == &sm->l1;
	tags_invalidate(tags, entry);
}

/* The lines of a CTA that has ended, unwritten. */
static void drop_cta(struct sm *sm, struct tags *tags, uint32_t cta_slot, cycle_t now)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++) {
		const struct tag *tag = &tags->entries[i];
		if (!tag_present(tags, tag) || !(tag->state & TAG_SHARED) ||
		    side_cta_slot(sm, tag->line) != cta_slot)
			continue;
		struct l1_event event = {.cycle = now,
		                         .line = tag->line,
		                         .sm = sm->id,
		                         .warp = tag->owner,
		                         .cta = cta_slot,
		                         .frame = i,
		                         .owner = tag->owner,
		                         .side = tags != &sm->l1,
		                         .shared = true,
		                         .cta_ended = true,
		                         .cta_line = side_cta_line(sm, tag->line)};
		hooks_on_l1_evict(&sm->hooks, &event);
		forget(sm, tags, i);
	}
}

void side_cta_ended(struct sm *sm, uint32_t cta_slot, cycle_t now)
{
	const struct side_cache *shape = &sm->side->shape;
	if (hooks_smem_routers(&sm->hooks) && !shape->sets)
		drop_cta(sm, &sm->l1, cta_slot, now);
	else if (shape->drop_at_cta_end)
		drop_cta(sm, &sm->side->tags, cta_slot, now);
	ask_shape(sm, now);
}

/* ---- looking up --------------------------------------------------------------------------------------------- */

static uint32_t set_of(const struct sm *sm, uint64_t line)
{
	return hooks_side_index(&sm->hooks, line, sm->side->tags.sets);
}

static struct place beside(struct sm *sm)
{
	return (struct place){&sm->side->tags, sm->side->bytes, true};
}

static uint32_t find(struct sm *sm, struct place place, uint64_t line, uint32_t warp, uint32_t *set)
{
	if (!place.tags->sets)
		return TAG_NONE;
	*set = place.side ? set_of(sm, line) : l1d_set(sm, line, warp);
	return tags_find(place.tags, *set, line);
}

struct side_lookup side_look_up(struct sm *sm, struct place place, const struct line_request *request,
                                uint32_t warp)
{
	struct side_lookup look = {.place = place, .mshr = MSHR_NONE};
	look.entry = find(sm, place, request->line, warp, &look.set);
	uint8_t held =
	    look.entry == TAG_NONE ? 0 : l1d_sectors_held(sm, place.tags, place.bytes, look.entry, request);
	look.missing = look.fresh = (uint8_t)(request->sectors & ~held);
	if (look.missing)
		look.mshr = mshrs_find(&sm->mshrs, request->line);
	if (look.mshr != MSHR_NONE)
		look.fresh &= (uint8_t)~sm->mshrs.entry[look.mshr].pending;
	return look;
}

enum l1_fail side_fetch(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                        struct side_lookup *look, uint8_t flags, uint8_t wanted, cycle_t now)
{
	bool new = look->mshr == MSHR_NONE;
	if (new && !sm->mshrs.free_entries)
		return L1_FAIL_MSHR_ENTRY;
	if (new ? !sm->mshrs.free_waiters : !l1d_can_merge(sm, look->mshr))
		return L1_FAIL_MSHR_MERGE;
	if (wanted && !port_has_room(sm, now))
		return L1_FAIL_MISS_QUEUE;
	if (new) {
		look->mshr = mshrs_take(&sm->mshrs, request->line);
		struct mshr *mshr = &sm->mshrs.entry[look->mshr];
		mshr->owner = mem->warp;
		mshr->cta = (uint16_t)sm->warp[mem->warp].cta_slot;
		mshr->since = now;
		mshr->insn = mem->insn;
		mshr->flags = flags;
	}
	l1d_wait_for(sm, look->mshr, mem, look->missing);
	sm->mshrs.entry[look->mshr].pending |= wanted;
	return L1_FAIL_NONE;
}

void side_write(struct sm *sm, uint64_t line, uint8_t sectors, cycle_t now)
{
	struct line_request whole = {.line = line, .full = sectors};
	if (sm->side->shape.past_l2 || !sm->side->shape.sets)
		side_send_to_dram(sm, PACKET_WRITE, line, sectors, 0, now);
	else
		l1d_send(sm, PACKET_WRITE, &whole, sectors, 0, 0, now);
}

/* ---- global loads ------------------------------------------------------------------------------------------- */

static void hit_done(struct sm *sm, const struct mem_insn *mem, cycle_t now)
{
	const struct machine *m = sm->machine;
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	cycle_t wait = sm->side->shape.hit_cycles, issue = m->lsu_issue_cycles;
	wait -= wait > issue ? issue : 0;
	if (mem->passes > insn->least_passes)
		wait += (cycle_t)(mem->passes - insn->least_passes) * m->l1d_wavefront_cycles;
	struct load *load = &sm->loads[mem->load];
	if (now + wait > load->done)
		load->done = now + wait;
}

/* From L1 to the side cache, with what it holds; no traffic but for what L1 had not written back. */
static void migrate(struct sm *sm, const struct mem_insn *mem, uint32_t from, cycle_t now)
{
	struct tag *tag = &sm->l1.entries[from];
	struct place to = beside(sm);
	uint32_t set = 0, entry = find(sm, to, tag->line, mem->warp, &set);
	struct l1_event event = l1d_event(sm, mem, tag->line, TAG_NONE, now);
	event.side = true;
	if (tag->dirty) {
		struct line_request back = {.line = tag->line, .full = tag->dirty & tag->valid};
		count(sm, COUNT_l1_writebacks, 1);
		l1d_send(sm, PACKET_WRITE, &back, tag->dirty, 0, 0, now);
	}
	if (entry == TAG_NONE && to.tags->sets)
		entry = side_allocate(sm, to, set, &event, now);
	if (entry != TAG_NONE) {
		struct tag *copy = &to.tags->entries[entry];
		if (tag->state & TAG_PARTIAL && !copy->valid) {
			memcpy(&to.bytes[(size_t)entry * LINE_CHUNKS],
			       &sm->l1_bytes[(size_t)from * LINE_CHUNKS], LINE_CHUNKS * sizeof *to.bytes);
			copy->state |= TAG_PARTIAL;
		}
		copy->valid |= tag->valid;
		count(sm, COUNT_aux_migrations, 1);
	}
	forget(sm, &sm->l1, from);
}

static void count_access(struct sm *sm, enum counter l1, enum counter side, uint32_t hits)
{
	count(sm, COUNT_l1_accesses, 1);
	count(sm, COUNT_aux_accesses, 1);
	count(sm, l1, 1);
	count(sm, side, 1);
	count(sm, COUNT_l1_load_hit_sectors, hits);
}

enum l1_fail side_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                       const struct l1_lookup *l1, cycle_t now)
{
	uint32_t sectors = bits_count(request->sectors);
	bool from_l1 = !l1->missing;
	/* A miss may fail and be tried again; what L1 had of the line has moved by then, and changes nothing. */
	if (l1->entry != TAG_NONE)
		migrate(sm, mem, l1->entry, now);
	struct side_lookup look = side_look_up(sm, beside(sm), request, mem->warp);
	struct l1_event event = l1d_event(sm, mem, request->line, look.entry, now);
	event.side = true;
	if (!look.missing || from_l1) {
		count_access(sm, COUNT_l1_hits, COUNT_aux_hits, sectors);
		count(sm, COUNT_l1_replies, 1);
		if (from_l1)
			l1d_hit_done(sm, mem, now);
		else
			hit_done(sm, mem, now);
		if (look.entry != TAG_NONE)
			tags_touch(&sm->side->tags, look.entry);
		hooks_on_l1_hit(&sm->hooks, &event);
		return L1_FAIL_NONE;
	}
	enum l1_fail fail = side_fetch(sm, mem, request, &look, MSHR_SIDE, look.fresh, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (!look.fresh) {
		count_access(sm, COUNT_l1_pending_hits, COUNT_aux_pending_hits, sectors);
		hooks_on_l1_pending(&sm->hooks, &event);
		return L1_FAIL_NONE;
	}
	l1d_send(sm, PACKET_READ, request, look.fresh, look.mshr, l1d_feedback(sm, mem, request, now), now);
	count_access(sm, COUNT_l1_misses, COUNT_aux_misses, sectors - bits_count(look.fresh));
	sm->pc_misses[mem->insn] += bits_count(look.fresh);
	hooks_on_l1_miss(&sm->hooks, &event);
	return L1_FAIL_NONE;
}

bool side_store(struct sm *sm, uint64_t line, enum write_hit policy)
{
	struct place place = beside(sm);
	uint32_t set, entry = find(sm, place, line, 0, &set);
	if (entry == TAG_NONE)
		return false;
	if (policy == WRITE_HIT_EVICT)
		tags_invalidate(place.tags, entry);
	else
		tags_touch(place.tags, entry);
	return true;
}

void side_drop(struct sm *sm, uint64_t line)
{
	struct place place = beside(sm);
	uint32_t set, entry = find(sm, place, line, 0, &set);
	if (entry != TAG_NONE)
		tags_invalidate(place.tags, entry);
}

static void drop_global(struct sm *sm, struct tags *tags)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && !(tags->entries[i].state & TAG_SHARED))
			forget(sm, tags, i);
}

void side_flush(struct sm *sm)
{
	drop_global(sm, &sm->l1);
	drop_global(sm, &sm->side->tags);
}

/* ---- fills ---------------------------------------------------------------------------------------------------- */

void side_fill(struct sm *sm, const struct mshr *mshr, const struct reply *reply, cycle_t now)
{
	struct place place =
	    mshr->flags & MSHR_SIDE ? beside(sm) : (struct place){&sm->l1, sm->l1_bytes, false};
	uint32_t set = 0, entry = find(sm, place, reply->line, mshr->owner, &set);
	struct l1_event event = {.cycle = now,
	                         .line = reply->line,
	                         .pc = sm->launch->insn[mshr->insn].pc,
	                         .sm = sm->id,
	                         .warp = mshr->owner,
	                         .cta = mshr->cta,
	                         .owner = mshr->owner,
	                         .feedback = reply->feedback,
	                         .side = place.side,
	                         .shared = (mshr->flags & MSHR_SHARED) != 0};
	if (event.shared) {
		event.cta = side_cta_slot(sm, reply->line);
		event.cta_line = side_cta_line(sm, reply->line);
	}
	if (entry == TAG_NONE && place.tags->sets)
		entry = side_allocate(sm, place, set, &event, now);
	if (entry == TAG_NONE)
		return;
	event.frame = entry;
	place.tags->entries[entry].valid |= reply->sectors;
	count(sm, COUNT_aux_fills, 1);
	hooks_on_l1_fill(&sm->hooks, &event);
}
