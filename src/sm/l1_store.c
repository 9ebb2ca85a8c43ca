/* Stores and atomics at L1: write policies, lines that hold only stored bytes. */
#include "sm/aux_cache.h"
#include "sm/l1_internal.h"

uint8_t l1_partial_sectors(const struct l1 *l1, const uint32_t *bytes, uint32_t entry,
                           const struct line_request *request, uint8_t missing)
{
	bytes += (size_t)entry * LINE_CHUNKS;
	uint32_t chunks = l1->sector_chunks;
	uint8_t held = 0;
	for (uint32_t rest = missing; rest; rest &= rest - 1) {
		uint32_t lacks = 0, first = bits_lowest(rest) * chunks;
		for (uint32_t c = first; c < first + chunks; c++)
			lacks |= request->bytes[c] & ~bytes[c];
		if (!lacks)
			held |= (uint8_t)(rest & -rest);
	}
	return held;
}

/* Adds the stored bytes of some sectors to those that are there; returns the sectors that are whole now. */
static inline __attribute__((always_inline)) uint8_t add_bytes(uint32_t *bytes, const uint32_t *stored,
                                                               uint32_t sectors, uint32_t chunks)
{
	uint32_t whole = 0;
	for (; sectors; sectors &= sectors - 1) {
		uint32_t s = bits_lowest(sectors), c = s * chunks, all = bytes[c] |= stored[c];
		while (++c < (s + 1) * chunks)
			all &= bytes[c] |= stored[c];
		whole |= (uint32_t)(all == UINT32_MAX) << s;
	}
	return (uint8_t)whole;
}

void l1_store_bytes(const struct l1 *l1, struct tags *tags, uint32_t *bytes, uint32_t entry,
                    const struct line_request *request)
{
	struct tag *tag = &tags->entries[entry];
	if (!(request->sectors & ~tag->valid))
		return;
	bytes += (size_t)entry * LINE_CHUNKS;
	if (!(tag->state & TAG_PARTIAL)) {
		tag->state |= TAG_PARTIAL;
		bytes[0] = bytes[1] = bytes[2] = bytes[3] = 0;
	}
	uint32_t chunks = l1->sector_chunks,
	         open = request->sectors & ~(uint32_t)(tag->valid | request->full);
	uint8_t whole = chunks == 1 ? add_bytes(bytes, request->bytes, open, 1)
	                            : add_bytes(bytes, request->bytes, open, chunks);
	tag->valid |= (whole | request->full) & request->sectors;
}

/* A store that goes on to L2 uses the line, and leaves its bytes in it. */
static inline void pass_through(struct l1 *l1, uint32_t entry, const struct line_request *request)
{
	tags_use(&l1->tags, entry);
	if (l1->machine->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK)
		l1_store_bytes(l1, &l1->tags, l1->bytes, entry, request);
}

static inline void store_present(struct l1 *l1, uint32_t entry, const struct line_request *request,
                                 enum write_hit policy)
{
	if (policy != WRITE_HIT_EVICT)
		pass_through(l1, entry, request);
	else if (!(l1->tags.entries[entry].state & TAG_RESERVED))
		l1_invalidate(l1, entry);
}

/* Fetch what a store to a new line did not write. No request waits for it; without a free MSHR it is not fetched. */
static void fetch_rest(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                       uint32_t entry, cycle_t now)
{
	uint32_t sectors = l1->machine->l1d_line_bytes / l1->machine->l1d_sector_bytes;
	uint8_t rest = (uint8_t)(((1u << sectors) - 1) & ~(uint32_t)request->full);
	l1->tags.entries[entry].valid |= request->full;
	if (!rest || !l1->mshrs.free_entries || mshr_find(&l1->mshrs, request->line) != MSHR_NONE)
		return;
	uint32_t index = l1_allocate_mshr(l1, mem, request->line, now);
	l1->mshrs.entry[index].pending = rest;
	l1->mshrs.entry[index].frame = entry;
	l1->tags.entries[entry].state |= TAG_RESERVED;
	l1_send(l1, PACKET_READ, request, rest, index, 0, now);
}

/*
 * Keeps a store that write-back need not send on: the line is there, and of
 * what it lacks the store writes whole sectors, or single bytes are kept.
 */
static bool keep_store(struct l1 *l1, uint32_t entry, const struct line_request *request)
{
	struct tag *tag = &l1->tags.entries[entry];
	bool masks = l1->machine->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK;
	if (tag->state & TAG_RESERVED ||
	    (!masks && request->sectors & ~(uint32_t)(tag->valid | request->full)))
		return false;
	if (masks)
		l1_store_bytes(l1, &l1->tags, l1->bytes, entry, request);
	tag->valid |= request->full;
	tag->dirty |= request->sectors;
	tags_use(&l1->tags, entry);
	return true;
}

/* A store to a line that is not there; returns the line it took, or TAG_NONE. */
static uint32_t store_absent(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                             uint32_t set, cycle_t now)
{
	const struct machine *m = l1->machine;
	if (!l1->on || m->l1d_write_miss == WRITE_MISS_NO_ALLOCATE)
		return TAG_NONE;
	if (hooks_has_l1_route(l1->hooks) &&
	    l1_ask_route(l1, mem, request, L1_ABSENT, L1_FAIL_NONE, now) != L1_ROUTE_CACHE)
		return TAG_NONE;
	struct l1_event event = l1_event(l1, mem, request->line, TAG_NONE, now);
	uint32_t entry = l1_allocate(l1, set, &event, now);
	if (entry == TAG_NONE)
		return TAG_NONE;
	if (m->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK)
		l1_store_bytes(l1, &l1->tags, l1->bytes, entry, request);
	else
		fetch_rest(l1, mem, request, entry, now);
	return entry;
}

/* What is left of a store to be sent when it has joined the one before it. */
static inline uint8_t merge_store(struct l1 *l1, const struct mem_insn *mem,
                                  const struct line_request *request, struct store_joined *sum, cycle_t now)
{
	if (!l1->machine->l1d_store_merge_cycles)
		return request->sectors;
	/*
	 * More lines than can wait: none of them is there when the next store comes, nor are those before them. A store
	 * that others wait for leaves at once.
	 */
	if (mem->lines > STORE_MERGE_LINES || mem->notice) {
		store_merge_leave(&l1->stores);
		return request->sectors;
	}
	uint8_t joined = store_merge_join(&l1->stores, mem, request->line, request->sectors, now);
	store_merge_hold(&l1->stores, now + l1->machine->l1d_store_merge_cycles);
	sum->sectors = (uint8_t)(sum->sectors + bits_count(joined));
	sum->lines = (uint8_t)(sum->lines + (joined == request->sectors));
	count(l1->account, COUNT_l1_store_merges, joined == request->sectors);
	return request->sectors & (uint8_t)~joined;
}

bool l1_stores_plainly(const struct l1 *l1)
{
	const struct machine *m = l1->machine;
	return l1->plain && !l1->aux && !l1->port->bounded && !hooks_has_l1_feedback(l1->hooks) &&
	       m->l1d_write_hit == WRITE_HIT_THROUGH && m->l1d_local_write == WRITE_HIT_THROUGH;
}

/* The entry that has the line, or TAG_NONE; looked for where it was found last, as for loads. */
static inline uint32_t find_stored(struct l1 *l1, uint64_t line)
{
	const struct tag *tag = l1_find_again(l1, line);
	if (__builtin_expect(tag != NULL, 1))
		return (uint32_t)(tag - l1->tags.entries);
	uint32_t entry = tags_find(&l1->tags, tags_set(&l1->tags, line), line);
	if (entry != TAG_NONE)
		l1_note_found(l1, line, entry);
	return entry;
}

/*
 * One line of a store; *hits counts the lines that are present. `plain` is constant: the fast path is this function for a
 * store that cannot fail and that no policy sees (l1_stores_plainly()).
 */
static inline __attribute__((always_inline)) enum l1_fail
store_line(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
           struct store_joined *joined, uint32_t *hits, bool plain, cycle_t now)
{
	const struct machine *m = l1->machine;
	enum write_hit policy = plain                       ? WRITE_HIT_THROUGH
	                        : mem->space == SPACE_LOCAL ? m->l1d_local_write
	                                                    : m->l1d_write_hit;
	bool back = policy == WRITE_HIT_BACK;
	uint32_t set = plain ? 0 : l1_set(l1, request->line, mem->warp);
	uint32_t entry = plain ? find_stored(l1, request->line) : tags_find(&l1->tags, set, request->line);
	bool present = entry != TAG_NONE;
	bool kept = back && present && keep_store(l1, entry, request);
	if (!plain && !kept && !port_has_room(l1->port, now))
		return L1_FAIL_MISS_QUEUE;
	*hits += present;
	if (kept)
		return L1_FAIL_NONE;
	bool in_aux = !plain && aux_is_open(l1->aux) && aux_store(l1->aux, request->line, policy);
	if (present)
		store_present(l1, entry, request, policy);
	else if (!in_aux)
		entry = store_absent(l1, mem, request, plain ? tags_set(&l1->tags, request->line) : set, now);
	if (back && entry != TAG_NONE && keep_store(l1, entry, request))
		return L1_FAIL_NONE;
	uint8_t sectors = merge_store(l1, mem, request, joined, now);
	if (sectors)
		l1_send_of(l1, mem, PACKET_WRITE, request, sectors, 0,
		           plain ? 0 : l1_feedback(l1, mem, request, now), now);
	return L1_FAIL_NONE;
}

enum l1_fail l1_store(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                      struct store_joined *joined, cycle_t now)
{
	uint32_t hits = 0;
	enum l1_fail fail = store_line(l1, mem, request, joined, &hits, false, now);
	count(l1->account, COUNT_l1_stores, fail == L1_FAIL_NONE);
	count(l1->account, COUNT_l1_store_hits, hits);
	return fail;
}

void l1_store_lines(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                    struct store_joined *joined, cycle_t now)
{
	uint32_t hits = 0;
	for (const struct line_request *end = request + mem->lines; request != end; request++)
		store_line(l1, mem, request, joined, &hits, true, now);
	count(l1->account, COUNT_l1_stores, mem->lines);
	count(l1->account, COUNT_l1_store_hits, hits);
}

enum l1_fail l1_atomic(struct l1 *l1, const struct mem_insn *mem, const struct line_request *request,
                       cycle_t now)
{
	bool returns = l1->launch->insn[mem->insn].op == OP_ATOMIC;
	enum l1_fail fail = l1_send_bypass(l1, mem, request, returns ? PACKET_ATOMIC : PACKET_REDUCE, now);
	if (fail != L1_FAIL_NONE || !l1->machine->l1d_atomic_invalidates_line)
		return fail;
	if (aux_is_open(l1->aux))
		aux_drop(l1->aux, request->line);
	uint32_t entry = tags_find(&l1->tags, l1_set(l1, request->line, mem->warp), request->line);
	if (entry != TAG_NONE && !(l1->tags.entries[entry].state & TAG_RESERVED))
		l1_invalidate(l1, entry);
	return fail;
}
