/*
 * Shared memory that lies in DRAM, behind the auxiliary cache or behind L1 (Darabi et al., TPDS 2022).
 *
 * Every SM has a window of device memory of its own, every CTA slot a part of it that begins at a line, so that no
 * line belongs to two CTAs. A store takes a line without fetching it and marks the bytes that it wrote; a load that
 * finds a byte missing fetches its sector: the cache has the configuration of L1 (section 3), whose sectors come alone. Bank conflicts cost what they cost on chip. An atomic is a load
 * and a store. Left out: the order of a CTA's accesses to one line while a fetch is in flight (a load that comes
 * after a store waits for the fetch only if it wants other bytes).
 */
#include "sm/aux_internal.h"

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
	event.cta = aux_cta_slot(aux, request->line);
	event.cta_line = aux_cta_line(aux, request->line);
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

static enum l1_fail load(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                         cycle_t now)
{
	struct l1 *l1 = aux->l1;
	struct place place = place_of(aux);
	struct lookup look = aux_lookup(aux, place, request, mem->warp);
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
	enum l1_fail fail = aux_wait(aux, mem, request, &look, flags, wanted, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (wanted)
		aux_send(aux, PACKET_READ, request->line, wanted, look.mshr, now);
	count(l1->account, COUNT_aux_accesses, 1);
	count(l1->account, wanted ? COUNT_aux_misses : COUNT_aux_pending_hits, 1);
	if (wanted)
		hooks_on_l1_miss(l1->hooks, &event);
	else
		hooks_on_l1_pending(l1->hooks, &event);
	return L1_FAIL_NONE;
}

/* What a store to a new line did not write; nobody waits for it, and without an MSHR it stays away. */
static void fetch_rest(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                       const struct lookup *look, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	uint8_t rest = rest_of_line(aux, look);
	if (!rest || !l1->mshrs.free_entries || mshr_find(&l1->mshrs, request->line) != MSHR_NONE)
		return;
	uint32_t index = l1_allocate_mshr(l1, mem, request->line, now);
	l1->mshrs.entry[index].pending = rest;
	l1->mshrs.entry[index].flags = MSHR_SHARED | (aux->shape.sets ? MSHR_AUX : 0);
	aux_send(aux, PACKET_READ, request->line, rest, index, now);
}

/* The bytes are in the line; a store that finds no line to take goes on to memory. */
static void write_line(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                       struct lookup *look, struct l1_event *event, cycle_t now)
{
	struct place place = place_of(aux);
	bool absent = look->entry == TAG_NONE;
	if (absent)
		look->entry = aux_allocate(aux, place, look->set, event, now);
	event->frame = look->entry;
	if (look->entry == TAG_NONE) {
		aux_send(aux, PACKET_WRITE, request->line, request->sectors, 0, now);
		return;
	}
	struct tag *tag = &place.tags->entries[look->entry];
	l1_store_bytes(aux->l1, place.tags, place.bytes, look->entry, request);
	tags_touch(place.tags, look->entry);
	if (place.aux && !aux->shape.write_back)
		aux_send(aux, PACKET_WRITE, request->line, request->sectors, 0, now);
	else
		tag->dirty |= request->sectors;
	if (absent && aux->shape.fetch_on_store_miss)
		fetch_rest(aux, mem, request, look, now);
}

static void store(struct aux_cache *aux, struct mem_insn *mem, const struct line_request *request,
                  cycle_t now)
{
	struct l1 *l1 = aux->l1;
	struct lookup look = aux_lookup(aux, place_of(aux), request, mem->warp);
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

enum l1_fail aux_shared(struct aux_cache *aux, struct mem_insn *mem, uint32_t place, cycle_t now)
{
	struct l1 *l1 = aux->l1;
	const struct line_request *request = aux_lines(aux, place) + mem->next_line;
	uint8_t op = l1->launch->insn[mem->insn].op;
	bool stores = op != OP_LOAD, loads = op != OP_STORE;
	/* The last stores of a CTA may come after its end: its lines are gone, and nobody will read them. */
	if (!warps_cta_is(l1->warps, aux_cta_slot(aux, request->line), aux->cta[place])) {
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
