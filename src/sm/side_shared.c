/*
 * Shared memory that lies in DRAM, behind the side cache or behind L1 (Darabi et al., TPDS 2022).
 *
 * Every SM has a window of device memory of its own, every CTA slot a part of it that begins at a line, so that no
 * line belongs to two CTAs. A store takes a line without fetching it and marks the bytes that it wrote; a load that
 * finds a byte missing fetches what the line lacks. Bank conflicts cost what they cost on chip. An atomic is a load
 * and a store. Left out: the order of a CTA's accesses to one line while a fetch is on its way (a load that comes
 * after a store waits for the fetch only if it wants other bytes).
 */
#include "sm/side.h"

void side_place_lines(struct sm *sm, const struct mem_insn *mem, uint32_t cta_slot, uint32_t count)
{
	enum { GENERIC_WINDOW = 1 << 24 }; /* generic addresses of shared memory have its offset below */
	const struct side *side = sm->side;
	struct line_request *request = side_lines(sm, mem);
	side->cta[mem - sm->queue] = sm->cta[cta_slot].id;
	uint64_t first = side->window + (uint64_t)cta_slot * side->window_lines;
	uint64_t mask = GENERIC_WINDOW / sm->machine->l1d_line_bytes - 1;
	for (uint32_t i = 0; i < count; i++)
		request[i].line = first + (request[i].line & mask) % side->window_lines;
}

static struct place place_of(struct sm *sm)
{
	if (sm->side->shape.sets)
		return (struct place){&sm->side->tags, sm->side->bytes, true};
	return (struct place){&sm->l1, sm->l1_bytes, false};
}

static struct l1_event event_of(const struct sm *sm, const struct mem_insn *mem,
                                const struct line_request *request, const struct side_lookup *look,
                                cycle_t now)
{
	struct l1_event event = l1d_event(sm, mem, request->line, look->entry, now);
	event.side = look->place.side;
	event.shared = true;
	event.cta = side_cta_slot(sm, request->line);
	event.cta_line = side_cta_line(sm, request->line);
	return event;
}

/* When the data of an access that finds all it needs are there. */
static void access_done(struct sm *sm, const struct mem_insn *mem, cycle_t latency, cycle_t now)
{
	const struct machine *m = sm->machine;
	uint8_t op = sm->launch->insn[mem->insn].op;
	if (op == OP_ATOMIC || op == OP_REDUCE)
		latency += m->smem_atomic_cycles > m->smem_latency_cycles
		               ? m->smem_atomic_cycles - m->smem_latency_cycles
		               : 0;
	latency += (cycle_t)(mem->passes - 1) * m->smem_wavefront_cycles;
	latency -= latency > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0;
	struct load *load = &sm->loads[mem->load];
	if (now + latency > load->done)
		load->done = now + latency;
}

/* Asks for the sectors, past L2 or through it. */
static void ask_memory(struct sm *sm, const struct line_request *request, uint8_t sectors, uint32_t mshr,
                       cycle_t now)
{
	if (sm->side->shape.past_l2 || !sm->side->shape.sets)
		side_send_to_dram(sm, PACKET_READ, request->line, sectors, mshr, now);
	else
		l1d_send(sm, PACKET_READ, request, sectors, mshr, 0, now);
}

/* All of the line that is neither here nor on its way. */
static uint8_t rest_of_line(const struct sm *sm, const struct side_lookup *look)
{
	uint32_t sectors = (1u << sm->machine->l1d_line_bytes / sm->machine->l1d_sector_bytes) - 1;
	if (look->entry != TAG_NONE)
		sectors &= ~(uint32_t)look->place.tags->entries[look->entry].valid;
	if (look->mshr != MSHR_NONE)
		sectors &= ~(uint32_t)sm->mshrs.entry[look->mshr].pending;
	return (uint8_t)sectors;
}

static enum l1_fail load(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	struct side_lookup look = side_look_up(sm, place_of(sm), request, mem->warp);
	struct l1_event event = event_of(sm, mem, request, &look, now);
	if (!look.missing) {
		count(sm, COUNT_aux_accesses, 1);
		count(sm, COUNT_aux_hits, 1);
		access_done(sm, mem,
		            look.place.side ? sm->side->shape.hit_cycles : sm->machine->l1d_hit_cycles, now);
		tags_touch(look.place.tags, look.entry);
		hooks_on_l1_hit(&sm->hooks, &event);
		return L1_FAIL_NONE;
	}
	uint8_t flags = MSHR_SHARED | (look.place.side ? MSHR_SIDE : 0),
	        wanted = look.fresh ? rest_of_line(sm, &look) : 0;
	enum l1_fail fail = side_fetch(sm, mem, request, &look, flags, wanted, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (wanted)
		ask_memory(sm, request, wanted, look.mshr, now);
	count(sm, COUNT_aux_accesses, 1);
	count(sm, wanted ? COUNT_aux_misses : COUNT_aux_pending_hits, 1);
	if (wanted) {
		hooks_on_l1_miss(&sm->hooks, &event);
	} else {
		hooks_on_l1_pending(&sm->hooks, &event);
	}
	return L1_FAIL_NONE;
}

/* What a store to a new line did not write; nobody waits for it, and without an MSHR it stays away. */
static void fetch_rest(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                       struct side_lookup *look, cycle_t now)
{
	uint8_t rest = rest_of_line(sm, look);
	if (!rest || !sm->mshrs.free_entries || mshrs_find(&sm->mshrs, request->line) != MSHR_NONE)
		return;
	uint32_t index = mshrs_take(&sm->mshrs, request->line);
	struct mshr *mshr = &sm->mshrs.entry[index];
	mshr->pending = rest;
	mshr->owner = mem->warp;
	mshr->cta = (uint16_t)sm->warp[mem->warp].cta_slot;
	mshr->insn = mem->insn;
	mshr->since = now;
	mshr->flags = MSHR_SHARED | (look->place.side ? MSHR_SIDE : 0);
	ask_memory(sm, request, rest, index, now);
}

/* The bytes are in the line; a store that finds no line to take goes on to memory. */
static void write_line(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                       struct side_lookup *look, struct l1_event *event, cycle_t now)
{
	const struct side *side = sm->side;
	bool absent = look->entry == TAG_NONE;
	if (absent)
		look->entry = side_allocate(sm, look->place, look->set, event, now);
	event->frame = look->entry;
	if (look->entry == TAG_NONE) {
		side_write(sm, request->line, request->sectors, now);
		return;
	}
	struct tag *tag = &look->place.tags->entries[look->entry];
	l1d_store_bytes(sm, look->place.tags, look->place.bytes, look->entry, request);
	tags_touch(look->place.tags, look->entry);
	if (look->place.side && !side->shape.write_back)
		side_write(sm, request->line, request->sectors, now);
	else
		tag->dirty |= request->sectors;
	if (absent && side->shape.fetch_on_store_miss)
		fetch_rest(sm, mem, request, look, now);
}

static void store(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	struct side_lookup look = side_look_up(sm, place_of(sm), request, mem->warp);
	bool present = look.entry != TAG_NONE;
	struct l1_event event = event_of(sm, mem, request, &look, now);
	event.is_store = true;
	event.whole =
	    request->full == (1u << sm->machine->l1d_line_bytes / sm->machine->l1d_sector_bytes) - 1;
	write_line(sm, mem, request, &look, &event, now);
	count(sm, COUNT_aux_stores, 1);
	count(sm, COUNT_aux_store_hits, present);
	if (present) {
		hooks_on_l1_hit(&sm->hooks, &event);
	} else {
		hooks_on_l1_miss(&sm->hooks, &event);
	}
}

/* The last stores of a CTA may come after its end: its lines are gone, and nobody will read them. */
static bool cta_ended(const struct sm *sm, const struct mem_insn *mem, uint64_t line)
{
	const struct cta *cta = &sm->cta[side_cta_slot(sm, line)];
	return !cta->used || cta->id != sm->side->cta[mem - sm->queue];
}

enum l1_fail side_shared(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	uint8_t op = sm->launch->insn[mem->insn].op;
	bool stores = op != OP_LOAD, loads = op != OP_STORE;
	if (cta_ended(sm, mem, request->line)) {
		count(sm, COUNT_aux_accesses, loads);
		count(sm, COUNT_aux_hits, loads);
		count(sm, COUNT_aux_stores, stores);
		return L1_FAIL_NONE;
	}
	/* Whatever a store pushes out needs a place in the miss queue. */
	if (stores && !port_has_room(sm, now))
		return L1_FAIL_MISS_QUEUE;
	enum l1_fail fail = loads ? load(sm, mem, request, now) : L1_FAIL_NONE;
	if (fail == L1_FAIL_NONE && stores)
		store(sm, mem, request, now);
	return fail;
}
