/* The auxiliary cache: its shape, what global loads do there, and fills. */
#include "sm/aux_cache.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/l1_internal.h"

/* Where shared memory lies in DRAM: far above all addresses that programs use. */
#define WINDOW_BASE ((uint64_t)1 << 56)

/* Where lines lie: in the auxiliary cache or in L1. */
struct place {
	struct tags *tags;
	uint32_t *bytes;
	bool aux;
};

static struct place aux_place(struct aux_cache *aux)
{
	return (struct place){&aux->tags, aux->bytes, true};
}
static struct place l1_place(struct aux_cache *aux)
{
	return (struct place){&aux->l1->tags, aux->l1->bytes, false};
}

static uint32_t cta_slot_of(const struct aux_cache *aux, uint64_t line)
{
	return (uint32_t)((line - aux->window) / aux->window_lines);
}
static uint32_t cta_line_of(const struct aux_cache *aux, uint64_t line)
{
	return (uint32_t)((line - aux->window) % aux->window_lines);
}

/* ---- replacement ------------------------------------------------------------------------------------------------ */

static void send(struct aux_cache *aux, enum packet_op op, uint64_t line, uint8_t sectors, uint32_t token,
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

static void invalidate(struct aux_cache *aux, struct tags *tags, uint32_t entry)
{
	if (tags == &aux->l1->tags)
		l1_invalidate(aux->l1, entry);
	else
		tags_invalidate(tags, entry);
}

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
	event.cta_line = event.shared ? cta_line_of(aux, tag->line) : 0;
	count(aux->l1->account, COUNT_aux_evictions, 1);
	hooks_on_l1_evict(aux->l1->hooks, &event);
	/* Dead data stay unwritten, if a policy knows them. */
	if (tag->dirty && !hooks_smem_dead(aux->l1->hooks, &event)) {
		count(aux->l1->account, COUNT_aux_writebacks, 1);
		send(aux, PACKET_WRITE, tag->line, tag->dirty, 0, now);
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

static uint32_t allocate(struct aux_cache *aux, struct place place, uint32_t set,
                         const struct l1_event *cause, cycle_t now)
{
	uint32_t entry =
	    place.aux ? allocate_own(aux, set, cause, now) : l1_allocate(aux->l1, set, cause, now);
	if (entry != TAG_NONE && cause->shared)
		place.tags->entries[entry].state |= TAG_SHARED;
	return entry;
}

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
			send(aux, PACKET_WRITE, tags->entries[i].line, tags->entries[i].dirty, 0, now);
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

/* The lines of a CTA that has ended, unwritten. */
static void drop_cta(struct aux_cache *aux, struct tags *tags, uint32_t cta_slot, cycle_t now)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++) {
		const struct tag *tag = &tags->entries[i];
		if (!tag_present(tags, tag) || !(tag->state & TAG_SHARED) ||
		    cta_slot_of(aux, tag->line) != cta_slot)
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
		                         .cta_line = cta_line_of(aux, tag->line)};
		hooks_on_l1_evict(aux->l1->hooks, &event);
		invalidate(aux, tags, i);
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

static uint32_t find_entry(struct aux_cache *aux, struct place place, uint64_t line, uint32_t warp,
                           uint32_t *set)
{
	if (!place.tags->sets)
		return TAG_NONE;
	*set = set_of(aux, place, line, warp);
	return tags_find(place.tags, *set, line);
}

static struct lookup look_up(struct aux_cache *aux, struct place place, const struct line_request *request,
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

static enum l1_fail wait_for(struct aux_cache *aux, const struct mem_insn *mem,
                             const struct line_request *request, struct lookup *look, uint8_t flags,
                             uint8_t wanted, cycle_t now)
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
	uint32_t set = 0, entry = find_entry(aux, to, tag->line, mem->warp, &set);
	struct l1_event event = l1_event(l1, mem, tag->line, TAG_NONE, now);
	event.aux = true;
	if (tag->dirty) {
		struct line_request back = {.line = tag->line, .full = tag->dirty & tag->valid};
		count(l1->account, COUNT_l1_writebacks, 1);
		l1_send(l1, PACKET_WRITE, &back, tag->dirty, 0, 0, now);
	}
	if (entry == TAG_NONE && to.tags->sets)
		entry = allocate(aux, to, set, &event, now);
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

enum l1_fail aux_load(struct aux_cache *aux, const struct mem_insn *mem, const struct line_request *request,
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
	struct lookup look = look_up(aux, aux_place(aux), request, mem->warp);
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
	enum l1_fail fail = wait_for(aux, mem, request, &look, MSHR_AUX, asked, now);
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
	uint32_t set, entry = find_entry(aux, place, line, 0, &set);
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
	uint32_t set, entry = find_entry(aux, place, line, 0, &set);
	if (entry != TAG_NONE)
		tags_invalidate(place.tags, entry);
}

static void drop_global(struct aux_cache *aux, struct tags *tags)
{
	for (uint32_t i = 0; i < tags->sets * tags->ways; i++)
		if (tag_present(tags, &tags->entries[i]) && !(tags->entries[i].state & TAG_SHARED))
			invalidate(aux, tags, i);
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
	uint32_t set = 0, entry = find_entry(aux, place, reply->line, mshr->owner, &set);
	struct l1_event event = l1_fill_event(aux->l1, mshr, reply, entry, now);
	event.aux = place.aux;
	event.shared = (mshr->flags & MSHR_SHARED) != 0;
	if (event.shared) {
		event.cta = cta_slot_of(aux, reply->line);
		event.cta_line = cta_line_of(aux, reply->line);
	}
	if (entry == TAG_NONE && place.tags->sets)
		entry = allocate(aux, place, set, &event, now);
	if (entry == TAG_NONE)
		return;
	event.frame = entry;
	place.tags->entries[entry].valid |= reply->sectors;
	count(aux->l1->account, COUNT_aux_fills, 1);
	count(aux->l1->account, COUNT_aux_fill_sectors, bits_count(reply->sectors));
	hooks_on_l1_fill(aux->l1->hooks, &event);
}

/* ---- shared memory behind a cache ------------------------------------------------------------------------------- */

void aux_place_lines(struct aux_cache *aux, uint32_t place, uint32_t cta_slot, uint64_t cta, uint32_t count)
{
	enum { GENERIC_WINDOW = 1 << 24 }; /* generic addresses of shared memory have its offset below */
	struct line_request *request = aux_lines(aux, place);
	aux->cta[place] = cta;
	uint64_t first = aux->window + (uint64_t)cta_slot * aux->window_lines;
	uint64_t mask = GENERIC_WINDOW / aux->l1->machine->l1d_line_bytes - 1;
	for (uint32_t i = 0; i < count; i++)
		request[i].line = first + (request[i].line & mask) % aux->window_lines;
}

bool aux_is_cached(struct aux_cache *aux, const struct mem_insn *mem, uint32_t place, cycle_t now)
{
	return l1_ask_smem_route(aux->l1, mem, aux_lines(aux, place), now) == SMEM_ROUTE_CACHED;
}

static struct place place_of(struct aux_cache *aux)
{
	return aux->shape.sets ? aux_place(aux) : l1_place(aux);
}

static struct l1_event event_of(const struct aux_cache *aux, const struct mem_insn *mem,
                                const struct line_request *request, const struct lookup *look, cycle_t now)
{
	struct l1_event event = l1_event(aux->l1, mem, request->line, look->entry, now);
	event.aux = aux->shape.sets != 0;
	event.shared = true;
	event.cta = cta_slot_of(aux, request->line);
	event.cta_line = cta_line_of(aux, request->line);
	return event;
}

/* When the data of an access that finds all it needs are there. */
static void access_done(struct aux_cache *aux, const struct mem_insn *mem, cycle_t latency, cycle_t now)
{
	const struct machine *m = aux->l1->machine;
	uint8_t op = aux->l1->launch->insn[mem->insn].op;
	if (op == OP_ATOMIC || op == OP_REDUCE)
		latency += m->smem_atomic_cycles > m->smem_latency_cycles
		               ? m->smem_atomic_cycles - m->smem_latency_cycles
		               : 0;
	latency += (cycle_t)(mem->wavefronts - 1) * m->smem_wavefront_cycles;
	latency -= latency > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0;
	loads_hit(aux->l1->loads, mem->load, now + latency);
}

static uint8_t all_sectors(const struct machine *m)
{
	return (uint8_t)((1u << m->l1d_line_bytes / m->l1d_sector_bytes) - 1);
}

/* All of the line that is neither here nor in flight. */
static uint8_t rest_of_line(struct aux_cache *aux, const struct lookup *look)
{
	uint8_t sectors = all_sectors(aux->l1->machine);
	if (look->entry != TAG_NONE)
		sectors &= (uint8_t)~place_of(aux).tags->entries[look->entry].valid;
	if (look->mshr != MSHR_NONE)
		sectors &= (uint8_t)~aux->l1->mshrs.entry[look->mshr].pending;
	return sectors;
}

static enum l1_fail load(struct aux_cache *aux, const struct mem_insn *mem,
                         const struct line_request *request, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	struct place place = place_of(aux);
	struct lookup look = look_up(aux, place, request, mem->warp);
	struct l1_event event = event_of(aux, mem, request, &look, now);
	if (!look.missing) {
		count(l1->account, COUNT_aux_accesses, 1);
		count(l1->account, COUNT_aux_hits, 1);
		access_done(aux, mem, place.aux ? aux->shape.hit_cycles : l1->machine->l1d_hit_cycles, now);
		tags_touch(place.tags, look.entry);
		hooks_on_l1_hit(l1->hooks, &event);
		return L1_FAIL_NONE;
	}
	uint8_t flags = MSHR_SHARED | (place.aux ? MSHR_AUX : 0), wanted = look.fresh;
	enum l1_fail fail = wait_for(aux, mem, request, &look, flags, wanted, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (wanted)
		send(aux, PACKET_READ, request->line, wanted, look.mshr, now);
	count(l1->account, COUNT_aux_accesses, 1);
	count(l1->account, wanted ? COUNT_aux_misses : COUNT_aux_pending_hits, 1);
	if (wanted)
		hooks_on_l1_miss(l1->hooks, &event);
	else
		hooks_on_l1_pending(l1->hooks, &event);
	return L1_FAIL_NONE;
}

/* Fetch what a store to a new line did not write. No request waits for it; without a free MSHR it is not fetched. */
static void fetch_rest(struct aux_cache *aux, const struct mem_insn *mem, const struct line_request *request,
                       const struct lookup *look, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	uint8_t rest = rest_of_line(aux, look);
	if (!rest || !l1->mshrs.free_entries || mshr_find(&l1->mshrs, request->line) != MSHR_NONE)
		return;
	uint32_t index = l1_allocate_mshr(l1, mem, request->line, now);
	l1->mshrs.entry[index].pending = rest;
	l1->mshrs.entry[index].flags = MSHR_SHARED | (aux->shape.sets ? MSHR_AUX : 0);
	send(aux, PACKET_READ, request->line, rest, index, now);
}

/* The bytes are in the line; a store that finds no line to take goes on to memory. */
static void write_line(struct aux_cache *aux, const struct mem_insn *mem, const struct line_request *request,
                       struct lookup *look, struct l1_event *event, cycle_t now)
{
	struct place place = place_of(aux);
	bool absent = look->entry == TAG_NONE;
	if (absent)
		look->entry = allocate(aux, place, look->set, event, now);
	event->frame = look->entry;
	if (look->entry == TAG_NONE) {
		send(aux, PACKET_WRITE, request->line, request->sectors, 0, now);
		return;
	}
	struct tag *tag = &place.tags->entries[look->entry];
	l1_store_bytes(aux->l1, place.tags, place.bytes, look->entry, request);
	tags_touch(place.tags, look->entry);
	if (place.aux && !aux->shape.write_back)
		send(aux, PACKET_WRITE, request->line, request->sectors, 0, now);
	else
		tag->dirty |= request->sectors;
	if (absent && aux->shape.fetch_on_store_miss)
		fetch_rest(aux, mem, request, look, now);
}

static void store(struct aux_cache *aux, const struct mem_insn *mem, const struct line_request *request,
                  cycle_t now)
{
	struct l1 *l1 = aux->l1;
	struct lookup look = look_up(aux, place_of(aux), request, mem->warp);
	bool present = look.entry != TAG_NONE;
	struct l1_event event = event_of(aux, mem, request, &look, now);
	event.is_store = true;
	event.whole = request->full == all_sectors(l1->machine);
	write_line(aux, mem, request, &look, &event, now);
	count(l1->account, COUNT_aux_stores, 1);
	count(l1->account, COUNT_aux_store_hits, present);
	if (present)
		hooks_on_l1_hit(l1->hooks, &event);
	else
		hooks_on_l1_miss(l1->hooks, &event);
}

enum l1_fail aux_shared(struct aux_cache *aux, const struct mem_insn *mem, uint32_t place, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	const struct line_request *request = aux_lines(aux, place) + mem->next_line;
	uint8_t op = l1->launch->insn[mem->insn].op;
	bool stores = op != OP_LOAD, loads = op != OP_STORE;
	/* The last stores of a CTA may come after its end: its lines are gone, and no access will read them. */
	if (!warps_cta_is(l1->warps, cta_slot_of(aux, request->line), aux->cta[place])) {
		count(l1->account, COUNT_aux_accesses, loads);
		count(l1->account, COUNT_aux_hits, loads);
		count(l1->account, COUNT_aux_stores, stores);
		return L1_FAIL_NONE;
	}
	/* Whatever a store evicts needs a place in the miss queue. */
	if (stores && !port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	enum l1_fail fail = loads ? load(aux, mem, request, now) : L1_FAIL_NONE;
	if (fail == L1_FAIL_NONE && stores)
		store(aux, mem, request, now);
	return fail;
}
