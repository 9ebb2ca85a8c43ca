/* The auxiliary cache: its shape, what global loads do there, and fills. */
#include "sm/aux_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/aux_internal.h"

/* Where shared memory lies in DRAM: far above all addresses that programs use. */
#define WINDOW_BASE ((uint64_t)1 << 56)

/* ---- shape -------------------------------------------------------------------------------------------------- */

struct aux_cache *aux_new(const struct chain *chain, struct l1 *l1, uint32_t queue)
{
	if (!chain->has_aux_cache && !chain_smem_routers(chain))
		return NULL;
	struct aux_cache *aux = memory_zeroed(1, sizeof *aux);
	aux->l1 = l1;
	if (chain_smem_routers(chain))
		aux->lines = memory_zeroed((size_t)queue * COALESCE_MAX, sizeof *aux->lines);
	aux->cta = memory_zeroed(queue, sizeof *aux->cta);
	return aux;
}

void aux_free(struct aux_cache *aux)
{
	if (!aux)
		return;
	tags_free(&aux->tags);
	free(aux->bytes);
	free(aux->lines);
	free(aux->cta);
	free(aux);
}

static void reserve(struct aux_cache *aux, uint32_t lines)
{
	tags_reserve(&aux->tags, lines);
	if (lines <= aux->bytes_capacity)
		return;
	aux->bytes = memory_grow(aux->bytes, (size_t)lines * LINE_CHUNKS, sizeof *aux->bytes);
	aux->bytes_capacity = lines;
}

/* What is dirty goes to memory: a change of shape loses nothing. */
static void write_all(struct aux_cache *aux, cycle_t now)
{
	const struct tags *tags = &aux->tags;
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && tags->entries[i].dirty) {
			count(aux->l1->account, COUNT_aux_writebacks, 1);
			aux_send(aux, PACKET_WRITE, tags->entries[i].line, tags->entries[i].dirty, 0, now);
		}
}

static bool same_shape(const struct aux_shape *a, const struct aux_shape *b)
{
	return a->sets == b->sets && a->ways == b->ways && a->hit_cycles == b->hit_cycles &&
	       a->write_back == b->write_back && a->fetch_on_store_miss == b->fetch_on_store_miss &&
	       a->drop_at_cta_end == b->drop_at_cta_end && a->past_l2 == b->past_l2;
}

static void ask_shape(struct aux_cache *aux, const struct sm_view *view)
{
	if (!hooks_has_aux_cache(aux->l1->hooks))
		return;
	struct aux_shape shape = hooks_aux_cache(aux->l1->hooks, view);
	if (same_shape(&shape, &aux->shape))
		return;
	write_all(aux, view->cycle);
	reserve(aux, shape.sets * shape.ways);
	tags_reshape(&aux->tags, shape.sets, shape.ways);
	aux->shape = shape;
}

void aux_begin_launch(struct aux_cache *aux, const struct sm_view *view)
{
	const struct machine *m = aux->l1->machine;
	const struct launch *launch = aux->l1->launch;
	uint32_t bytes = launch->kernel->shared_bytes;
	aux->window_lines = bytes ? (bytes + m->l1d_line_bytes - 1) / m->l1d_line_bytes : 1;
	aux->window =
	    WINDOW_BASE / m->l1d_line_bytes + (uint64_t)aux->l1->sm * launch->smem_window / m->l1d_line_bytes;
	/* Room for all of shared memory, so that a change of shape need not look for any. */
	reserve(aux, m->smem_bytes / m->l1d_line_bytes);
	aux->shape = (struct aux_shape){0};
	tags_reshape(&aux->tags, 0, 0);
	ask_shape(aux, view);
}

void aux_cta_began(struct aux_cache *aux, const struct sm_view *view)
{
	ask_shape(aux, view);
}

void aux_invalidate(struct aux_cache *aux, struct tags *tags, uint32_t entry)
{
	if (tags == &aux->l1->tags)
		l1_invalidate(aux->l1, entry);
	else
		tags_invalidate(tags, entry);
}

/* The lines of a CTA that has ended, unwritten. */
static void drop_cta(struct aux_cache *aux, struct tags *tags, uint32_t cta_slot, cycle_t now)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++) {
		const struct tag *tag = &tags->entries[i];
		if (!tag_present(tags, tag) || !(tag->state & TAG_SHARED) ||
		    aux_cta_slot(aux, tag->line) != cta_slot)
			continue;
		struct l1_event event = {.cycle = now,
		                         .line = tag->line,
		                         .sm = aux->l1->sm,
		                         .warp = tag->owner,
		                         .cta = cta_slot,
		                         .frame = i,
		                         .owner = tag->owner,
		                         .aux = tags != &aux->l1->tags,
		                         .shared = true,
		                         .cta_ended = true,
		                         .cta_line = aux_cta_line(aux, tag->line)};
		hooks_on_l1_evict(aux->l1->hooks, &event);
		aux_invalidate(aux, tags, i);
	}
}

void aux_cta_ended(struct aux_cache *aux, uint32_t cta_slot, const struct sm_view *view)
{
	if (hooks_smem_routers(aux->l1->hooks) && !aux->shape.sets)
		drop_cta(aux, &aux->l1->tags, cta_slot, view->cycle);
	else if (aux->shape.drop_at_cta_end)
		drop_cta(aux, &aux->tags, cta_slot, view->cycle);
	ask_shape(aux, view);
}

/* ---- looking up --------------------------------------------------------------------------------------------- */

static uint32_t set_of(const struct aux_cache *aux, struct place place, uint64_t line, uint32_t warp)
{
	return place.aux ? hooks_aux_index(aux->l1->hooks, line, aux->tags.sets)
	                 : l1_set(aux->l1, line, warp);
}

uint32_t aux_find(struct aux_cache *aux, struct place place, uint64_t line, uint32_t warp, uint32_t *set)
{
	if (!place.tags->sets)
		return TAG_NONE;
	*set = set_of(aux, place, line, warp);
	return tags_find(place.tags, *set, line);
}

struct lookup aux_lookup(struct aux_cache *aux, struct place place, const struct line_request *request,
                         uint32_t warp)
{
	struct lookup look = {.entry = TAG_NONE, .mshr = MSHR_NONE, .missing = request->sectors};
	if (place.tags->sets) {
		uint32_t set = set_of(aux, place, request->line, warp);
		look = lookup_tags(place.tags, set, request->line, request->sectors);
	}
	if (look.entry != TAG_NONE && place.tags->entries[look.entry].state & TAG_PARTIAL && look.missing)
		look.missing &=
		    (uint8_t)~l1_partial_sectors(aux->l1, place.bytes, look.entry, request, look.missing);
	lookup_mshrs(&look, &aux->l1->mshrs, request->line);
	return look;
}

enum l1_fail aux_wait(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                      struct lookup *look, uint8_t flags, uint8_t wanted, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	enum mshr_room room = mshr_room(&l1->mshrs, look->mshr, 0);
	if (room != MSHR_ROOM)
		return room == MSHR_NO_ENTRY ? L1_FAIL_MSHR_ENTRY : L1_FAIL_MSHR_MERGE;
	if (wanted && !port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	if (look->mshr == MSHR_NONE) {
		look->mshr = l1_allocate_mshr(l1, mem, request->line, now);
		l1->mshrs.entry[look->mshr].flags = flags;
	}
	l1->mshrs.entry[look->mshr].pending |= wanted;
	l1_wait(l1, look->mshr, mem, look->missing);
	return L1_FAIL_NONE;
}

void aux_send(struct aux_cache *aux, enum packet_op op, uint64_t line, uint8_t sectors, uint32_t token,
              cycle_t now)
{
	bool bypass = aux->shape.past_l2 || !aux->shape.sets;
	struct line_packet packet = {.line = line,
	                             .token = token,
	                             .op = (uint8_t)op,
	                             .sectors = sectors,
	                             .full = sectors,
	                             .flags = bypass ? PACKET_BYPASS_L2 : 0};
	port_send_line(aux->l1->port, &packet, now);
}

/* ---- global loads ------------------------------------------------------------------------------------------- */

static void hit_done(struct aux_cache *aux, const struct mem_insn *mem, cycle_t now)
{
	const struct machine *m = aux->l1->machine;
	const struct decoded *insn = &aux->l1->launch->insn[mem->insn];
	cycle_t wait = aux->shape.hit_cycles, issue = m->lsu_issue_cycles;
	wait -= wait > issue ? issue : 0;
	if (mem->wavefronts > insn->least_wavefronts)
		wait += (cycle_t)(mem->wavefronts - insn->least_wavefronts) * m->l1d_wavefront_cycles;
	loads_hit(aux->l1->loads, mem->load, now + wait);
}

/*
 * A line that moves takes the way of a fill from L2, through the response queue; when its turn has come. What is left out:
 * the MSHR that it needs must be free, but is not kept for the cycles of the move.
 */
static cycle_t pass_response_queue(struct l1 *l1, uint8_t sectors, cycle_t now)
{
	fine_t start = fine_of(now) > l1->fill_free ? fine_of(now) : l1->fill_free;
	l1->fill_free = start + l1->fill_link.cost[bits_count(sectors)];
	return cycle_of(start);
}

/* From L1 to the auxiliary cache, with what it holds; no traffic but for what L1 had not written back. */
static void migrate(struct aux_cache *aux, const struct mem_insn *mem, uint32_t from, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	struct tag *tag = &l1->tags.entries[from];
	struct place to = aux_place(aux);
	uint32_t set = 0, entry = aux_find(aux, to, tag->line, mem->warp, &set);
	struct l1_event event = l1_event(l1, mem, tag->line, TAG_NONE, now);
	event.aux = true;
	if (tag->dirty) {
		struct line_request back = {.line = tag->line, .full = tag->dirty & tag->valid};
		count(l1->account, COUNT_l1_writebacks, 1);
		l1_send(l1, PACKET_WRITE, &back, tag->dirty, 0, 0, now);
	}
	if (entry == TAG_NONE && to.tags->sets)
		entry = aux_allocate(aux, to, set, &event, now);
	if (entry != TAG_NONE) {
		struct tag *copy = &to.tags->entries[entry];
		if (tag->state & TAG_PARTIAL && !copy->valid) {
			memcpy(&to.bytes[(size_t)entry * LINE_CHUNKS], &l1->bytes[(size_t)from * LINE_CHUNKS],
			       LINE_CHUNKS * sizeof *to.bytes);
			copy->state |= TAG_PARTIAL;
		}
		copy->valid |= tag->valid;
		count(l1->account, COUNT_aux_migrations, 1);
	}
	l1_invalidate(l1, from);
}

static void count_access(struct aux_cache *aux, enum counter l1, enum counter own, uint32_t hits)
{
	struct account *account = aux->l1->account;
	count(account, COUNT_l1_accesses, 1);
	count(account, COUNT_aux_accesses, 1);
	count(account, l1, 1);
	count(account, own, 1);
	count(account, COUNT_l1_load_hit_sectors, hits);
}

enum l1_fail aux_load(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                      const struct lookup *in_l1, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	uint32_t sectors = bits_count(request->sectors);
	bool from_l1 = !in_l1->missing;
	cycle_t moved = now;
	/* A miss may fail and be tried again; what L1 had of the line has moved by then, and changes nothing. */
	if (in_l1->entry != TAG_NONE) {
		if (mshr_room(&l1->mshrs, MSHR_NONE, 0) != MSHR_ROOM)
			return L1_FAIL_MSHR_ENTRY;
		moved = pass_response_queue(l1, l1->tags.entries[in_l1->entry].valid, now);
		migrate(aux, mem, in_l1->entry, now);
	}
	struct lookup look = aux_lookup(aux, aux_place(aux), request, mem->warp);
	struct l1_event event = l1_event(l1, mem, request->line, look.entry, now);
	event.aux = true;
	if (!look.missing || from_l1) {
		count_access(aux, COUNT_l1_hits, COUNT_aux_hits, sectors);
		count(l1->account, COUNT_l1_replies, 1);
		if (from_l1)
			l1_hit_done(l1, mem, moved);
		else
			hit_done(aux, mem, now);
		if (look.entry != TAG_NONE)
			tags_touch(&aux->tags, look.entry);
		hooks_on_l1_hit(l1->hooks, &event);
		return L1_FAIL_NONE;
	}
	uint8_t coming = look.mshr == MSHR_NONE ? 0 : l1->mshrs.entry[look.mshr].pending;
	uint8_t asked = lookup_blocks(look.fresh, l1->fetch_sectors) & (uint8_t) ~(coming | look.valid);
	enum l1_fail fail = aux_wait(aux, mem, request, &look, MSHR_AUX, asked, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (!look.fresh) {
		count_access(aux, COUNT_l1_pending_hits, COUNT_aux_pending_hits, sectors);
		hooks_on_l1_pending(l1->hooks, &event);
		return L1_FAIL_NONE;
	}
	l1_send(l1, PACKET_READ, request, asked, look.mshr, l1_feedback(l1, mem, request, now), now);
	count_access(aux, COUNT_l1_misses, COUNT_aux_misses, sectors - bits_count(look.fresh));
	l1->account->pc_misses[mem->insn] += bits_count(look.fresh);
	hooks_on_l1_miss(l1->hooks, &event);
	return L1_FAIL_NONE;
}

bool aux_store(struct aux_cache *aux, uint64_t line, enum write_hit policy)
{
	struct place place = aux_place(aux);
	uint32_t set, entry = aux_find(aux, place, line, 0, &set);
	if (entry == TAG_NONE)
		return false;
	if (policy == WRITE_HIT_EVICT)
		tags_invalidate(place.tags, entry);
	else
		tags_touch(place.tags, entry);
	return true;
}

void aux_drop(struct aux_cache *aux, uint64_t line)
{
	struct place place = aux_place(aux);
	uint32_t set, entry = aux_find(aux, place, line, 0, &set);
	if (entry != TAG_NONE)
		tags_invalidate(place.tags, entry);
}

static void drop_global(struct aux_cache *aux, struct tags *tags)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && !(tags->entries[i].state & TAG_SHARED))
			aux_invalidate(aux, tags, i);
}

void aux_flush(struct aux_cache *aux)
{
	drop_global(aux, &aux->l1->tags);
	drop_global(aux, &aux->tags);
}

/* ---- fills ---------------------------------------------------------------------------------------------------- */

void aux_fill(struct aux_cache *aux, const struct mshr *mshr, const struct reply *reply, cycle_t now)
{
	struct place place = mshr->flags & MSHR_AUX ? aux_place(aux) : l1_place(aux);
	uint32_t set = 0, entry = aux_find(aux, place, reply->line, mshr->owner, &set);
	struct l1_event event = l1_fill_event(aux->l1, mshr, reply, entry, now);
	event.aux = place.aux;
	event.shared = (mshr->flags & MSHR_SHARED) != 0;
	if (event.shared) {
		event.cta = aux_cta_slot(aux, reply->line);
		event.cta_line = aux_cta_line(aux, reply->line);
	}
	if (entry == TAG_NONE && place.tags->sets)
		entry = aux_allocate(aux, place, set, &event, now);
	if (entry == TAG_NONE)
		return;
	event.frame = entry;
	place.tags->entries[entry].valid |= reply->sectors;
	count(aux->l1->account, COUNT_aux_fills, 1);
	count(aux->l1->account, COUNT_aux_fill_sectors, bits_count(reply->sectors));
	hooks_on_l1_fill(aux->l1->hooks, &event);
}
