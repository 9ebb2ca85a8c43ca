/* Stores and atomics at L1: write policies, lines that hold only stored bytes. */
#include "sm/side.h"

void l1d_store_bytes(struct sm *sm, struct tags *tags, uint32_t *bytes, uint32_t entry,
                     const struct line_request *request)
{
	struct tag *tag = &tags->entries[entry];
	if (!(request->sectors & ~tag->valid))
		return;
	bytes += (size_t)entry * LINE_CHUNKS;
	uint8_t whole = request->full;
	if (!(tag->state & TAG_PARTIAL)) {
		tag->state |= TAG_PARTIAL;
		bytes[0] = bytes[1] = bytes[2] = bytes[3] = 0;
	}
	uint32_t chunks = sm->sector_chunks;
	for (uint32_t open = request->sectors & ~(uint32_t)(tag->valid | whole); open; open &= open - 1) {
		uint32_t s = bits_lowest(open), c = s * chunks, all = bytes[c] |= request->bytes[c];
		while (++c < (s + 1) * chunks)
			all &= bytes[c] |= request->bytes[c];
		whole |= (uint8_t)((all == UINT32_MAX) << s);
	}
	tag->valid |= whole & request->sectors;
}

static void store_bytes(struct sm *sm, uint32_t entry, const struct line_request *request)
{
	l1d_store_bytes(sm, &sm->l1, sm->l1_bytes, entry, request);
}

static void store_present(struct sm *sm, uint32_t entry, const struct line_request *request,
                          enum write_hit policy)
{
	count(sm, COUNT_l1_store_hits, 1);
	if (policy == WRITE_HIT_EVICT) {
		if (!(sm->l1.entries[entry].state & TAG_RESERVED)) {
			sm->l1_lines--;
			tags_invalidate(&sm->l1, entry);
		}
		return;
	}
	tags_touch(&sm->l1, entry);
	if (sm->machine->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK)
		store_bytes(sm, entry, request);
}

/* What a store to a new line did not write comes from L2, and nobody waits for it; without an MSHR it stays away. */
static void fetch_rest(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                       uint32_t entry, cycle_t now)
{
	uint32_t sectors = sm->machine->l1d_line_bytes / sm->machine->l1d_sector_bytes;
	uint8_t rest = (uint8_t)(((1u << sectors) - 1) & ~(uint32_t)request->full);
	sm->l1.entries[entry].valid |= request->full;
	if (!rest || !sm->mshrs.free_entries || mshrs_find(&sm->mshrs, request->line) != MSHR_NONE)
		return;
	uint32_t index = mshrs_take(&sm->mshrs, request->line);
	struct mshr *mshr = &sm->mshrs.entry[index];
	mshr->pending = rest;
	mshr->owner = mem->warp;
	mshr->cta = (uint16_t)sm->warp[mem->warp].cta_slot;
	mshr->insn = mem->insn;
	mshr->since = now;
	mshr->frame = entry;
	sm->l1.entries[entry].state |= TAG_RESERVED;
	l1d_send(sm, PACKET_READ, request, rest, index, 0, now);
}

/*
 * Keeps a store that write-back need not send on: the line is there, and of
 * what it lacks the store writes whole sectors, or single bytes are kept.
 */
static bool keep_store(struct sm *sm, uint32_t entry, const struct line_request *request)
{
	struct tag *tag = &sm->l1.entries[entry];
	bool masks = sm->machine->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK;
	if (tag->state & TAG_RESERVED ||
	    (!masks && request->sectors & ~(uint32_t)(tag->valid | request->full)))
		return false;
	if (masks)
		store_bytes(sm, entry, request);
	tag->valid |= request->full;
	tag->dirty |= request->sectors;
	tags_touch(&sm->l1, entry);
	return true;
}

/* A store to a line that is not there; returns the line it took, or TAG_NONE. */
static uint32_t store_absent(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                             uint32_t set, cycle_t now)
{
	const struct machine *m = sm->machine;
	if (!sm->l1_on || m->l1d_write_miss == WRITE_MISS_NO_ALLOCATE)
		return TAG_NONE;
	if (hooks_has_l1_route(&sm->hooks) &&
	    l1d_ask_route(sm, mem, request, L1_ABSENT, L1_FAIL_NONE, now) != L1_ROUTE_CACHE)
		return TAG_NONE;
	struct l1_event event = l1d_event(sm, mem, request->line, TAG_NONE, now);
	uint32_t entry = l1d_allocate(sm, set, &event, now);
	if (entry == TAG_NONE)
		return TAG_NONE;
	if (m->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK)
		store_bytes(sm, entry, request);
	else
		fetch_rest(sm, mem, request, entry, now);
	return entry;
}

enum l1_fail l1d_store(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	const struct machine *m = sm->machine;
	enum write_hit policy = mem->space == SPACE_LOCAL ? m->l1d_local_write : m->l1d_write_hit;
	uint32_t set = l1d_set(sm, request->line, mem->warp);
	uint32_t entry = tags_find(&sm->l1, set, request->line);
	bool back = policy == WRITE_HIT_BACK;
	if (back && entry != TAG_NONE && keep_store(sm, entry, request)) {
		count(sm, COUNT_l1_stores, 1);
		count(sm, COUNT_l1_store_hits, 1);
		return L1_FAIL_NONE;
	}
	if (m->l1d_miss_queue < UNLIMITED_QUEUE && !port_has_room(sm, now))
		return L1_FAIL_MISS_QUEUE;
	count(sm, COUNT_l1_stores, 1);
	bool beside = side_open(sm) && side_store(sm, request->line, policy);
	if (entry != TAG_NONE)
		store_present(sm, entry, request, policy);
	else if (!beside)
		entry = store_absent(sm, mem, request, set, now);
	if (back && entry != TAG_NONE && keep_store(sm, entry, request))
		return L1_FAIL_NONE;
	l1d_send(sm, PACKET_WRITE, request, request->sectors, 0, l1d_feedback(sm, mem, request, now), now);
	return L1_FAIL_NONE;
}

enum l1_fail l1d_atomic(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	bool returns = sm->launch->insn[mem->insn].op == OP_ATOMIC;
	enum l1_fail fail = l1d_send_past(sm, mem, request, returns ? PACKET_ATOMIC : PACKET_REDUCE, now);
	if (fail != L1_FAIL_NONE || !sm->machine->l1d_atomic_invalidates_line)
		return fail;
	if (side_open(sm))
		side_drop(sm, request->line);
	uint32_t entry = tags_find(&sm->l1, l1d_set(sm, request->line, mem->warp), request->line);
	if (entry != TAG_NONE && !(sm->l1.entries[entry].state & TAG_RESERVED)) {
		sm->l1_lines--;
		tags_invalidate(&sm->l1, entry);
	}
	return fail;
}
