#include "mem/slice.h"

#include <string.h>

#include "cache/lookup.h"
#include "mem/fetch.h"

static void serve_waiting(struct mem_event *ev);

/* ---- what a slice sends ---------------------------------------------------------------------------------------------- */

/* Values of waiter.from that are not the number of an SM. */
enum {
	FROM_FABRIC = 0x8000, /* a bit: a slice of the other L2 partition */
	FROM_NONE = 0x7fff,   /* a reduction or a store miss: no answer is expected */
};

/* Mark the partition: its boxes hold replies. */
static inline void note_sent(struct mem_event *ev)
{
	ev->worker->sent[ev->partition->word] |= ev->partition->bit;
}

/* Return the credit of a request that the slice has accepted to the SM's port. */
static inline void send_credit(struct mem_event *ev, uint32_t sm, cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	credits_add(crossbar_credits(crossbar, sm, crossbar->slice_worker[ev->slice->id]),
	            when + ev->memory->cycles.credit);
}

/* Build the reply in the SM worker's box: every request has one, so it is not copied. */
static inline void send_reply(struct mem_event *ev, const struct waiter *waiter, uint64_t line,
                              uint8_t sectors, cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	uint32_t sm = waiter->from;
	struct reply held, *reply = &held;
	if (__builtin_expect(!ev->memory->reply_switch, 1)) {
		reply = reply_box_push(&ev->partition->replies[crossbar->sm_worker[sm]]);
		note_sent(ev);
	}
	reply->when = when + ev->memory->cycles.reply + crossbar_path(crossbar, sm, ev->slice->id);
	reply->line = line;
	reply->token = waiter->who;
	reply->sm = (uint16_t)sm;
	reply->sectors = sectors;
	reply->feedback = waiter->feedback;
	mem_count(ev, COUNT_icnt_replies, 1);
	if (reply == &held)
		reply_switch_push(ev->memory->reply_switch, ev->slice->id, &held);
}

/* Send a packet about `line` to a slice of the other L2 partition. The caller sets op, token and sender. */
static inline struct packet *send_fabric(struct mem_event *ev, uint32_t slice, uint64_t line, uint8_t sectors,
                                         cycle_t when)
{
	const struct crossbar *crossbar = ev->memory->crossbar;
	uint32_t parity = ev->worker->step & 1;
	struct packet *packet = packet_box_push(
	    &ev->partition->fabric[parity * crossbar->workers + crossbar->slice_worker[slice]]);
	*packet = (struct packet){.flags = PACKET_FABRIC};
	packet->when = when + ev->memory->cycles.partition;
	packet->line = line;
	packet->slice = (uint16_t)slice;
	packet->sectors = sectors;
	ev->worker->crossed[parity][ev->partition->word] |= ev->partition->bit;
	mem_count(ev, COUNT_l2_fabric_sectors, bits_count(sectors));
	return packet;
}

static inline void answer_waiter(struct mem_event *ev, const struct waiter *waiter, uint64_t line,
                                 uint8_t sectors, cycle_t when)
{
	if (waiter->from == FROM_NONE)
		return;
	if (!(waiter->from & FROM_FABRIC)) {
		send_reply(ev, waiter, line, sectors, when);
		return;
	}
	struct packet *packet = send_fabric(ev, waiter->from & (uint32_t)~FROM_FABRIC, line, sectors, when);
	packet->token = waiter->who;
	packet->op = PACKET_FABRIC_REPLY;
}

/* ---- lines left by other programs ------------------------------------------------------------------------------------ */

/* Index of the first of `lines` lines that lies in `set` or a later set. */
static uint32_t first_of(const struct slice *slice, uint32_t lines, uint32_t set)
{
	uint32_t sets = slice->tags.sets;
	return (uint32_t)(((uint64_t)set * lines + sets - 1) / sets);
}

/* Dirty lines are spread evenly. */
static bool is_dirty(const struct memory *memory, uint64_t line)
{
	uint32_t of = memory->left_lines, dirty = memory->left_dirty;
	return (line + 1) * dirty / of > line * dirty / of;
}

void left_begin(struct slice *slice, const struct memory *memory)
{
	memset(slice->left, true, slice->tags.sets * sizeof *slice->left);
	slice->dirty_sectors = memory->left_dirty * memory->sectors_per_line;
}

void left_put(struct slice *slice, const struct memory *memory, uint32_t set)
{
	enum { ELSEWHERE_SHIFT = 44 };
	struct tags *tags = &slice->tags;
	uint8_t sectors = (uint8_t)((1u << memory->sectors_per_line) - 1);
	uint32_t line = first_of(slice, memory->left_lines, set);
	uint32_t end = first_of(slice, memory->left_lines, set + 1);
	slice->left[set] = false;
	/* The set is empty: fill it from its first way. */
	for (uint32_t entry = set * tags->ways; line < end; line++, entry++) {
		tags_install(tags, entry, (uint64_t)(slice->id + 1) << ELSEWHERE_SHIFT | line);
		tags->entries[entry].valid = sectors;
		tags->entries[entry].dirty = is_dirty(memory, line) ? sectors : 0;
	}
}

void left_put_all(struct slice *slice, const struct memory *memory)
{
	for (uint32_t set = 0; set < slice->tags.sets; set++)
		left_look(slice, memory, set);
}

/* ---- written data ---------------------------------------------------------------------------------------------------- */

/* Send a line's written data to DRAM. Sectors written in part are completed from DRAM now, not when they were written. */
static void written_send(struct mem_event *ev, const struct tag *tag, cycle_t when)
{
	if (tag->partial)
		fetch_traffic(ev, tag->line, bits_count(tag->partial) * ev->memory->sector_bytes, false,
		              when);
	if (!tag->dirty)
		return;
	fetch_traffic(ev, tag->line, bits_count(tag->dirty) * ev->memory->sector_bytes, true, when);
	ev->slice->dirty_sectors -= bits_count(tag->dirty);
}

/* Write lines back, in turn, until the slice holds no more written data than its limit. The lines stay. */
static void written_clean(struct mem_event *ev, cycle_t when)
{
	struct slice *slice = ev->slice;
	uint32_t entries = slice->tags.sets * slice->tags.ways;
	left_put_all(slice, ev->memory);
	while (slice->dirty_sectors > ev->memory->dirty_limit) {
		struct tag *tag = &slice->tags.entries[slice->clean_next];
		slice->clean_next = slice->clean_next + 1 == entries ? 0 : slice->clean_next + 1;
		if (!tag_present(&slice->tags, tag) || !tag->dirty)
			continue;
		written_send(ev, tag, when);
		tag->dirty = tag->partial = 0;
	}
}

/* Note that sectors of a line have been written. */
static inline void written_mark(struct mem_event *ev, struct tag *tag, uint8_t sectors, cycle_t when)
{
	struct slice *slice = ev->slice;
	slice->dirty_sectors += bits_count(sectors & (uint8_t)~tag->dirty);
	tag->dirty |= sectors;
	if (__builtin_expect(slice->dirty_sectors > ev->memory->dirty_limit, 0))
		written_clean(ev, when);
}

static struct l2_request question(const struct mem_event *ev, uint64_t line, uint32_t frame)
{
	return (struct l2_request){.cycle = ev->now,
	                           .line = line,
	                           .slice = ev->slice->id,
	                           .hit = frame != TAG_NONE && ev->slice->tags.entries[frame].valid,
	                           .frame = frame};
}

/* Return the set of a request, with the lines of other programs in place. */
static inline uint32_t look_at_set(struct mem_event *ev, const struct packet *p)
{
	left_look(ev->slice, ev->memory, p->set);
	return p->set;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

static void write_back(struct mem_event *ev, const struct tag *tag, cycle_t when)
{
	mem_count(ev, COUNT_l2_evictions, 1);
	if (hooks_has_on_l2_evict(&ev->worker->hooks)) {
		struct l2_request event = question(ev, tag->line, (uint32_t)(tag - ev->slice->tags.entries));
		hooks_on_l2_evict(&ev->worker->hooks, &event);
	}
	written_send(ev, tag, when);
}

/* Ask the policy that owns l2_victim; `entry` is what the tags would choose. */
static __attribute__((noinline)) uint32_t ask_victim(struct mem_event *ev, uint32_t set, uint64_t line,
                                                     uint32_t entry)
{
	const struct tags *tags = &ev->slice->tags;
	struct l2_frame ways[256];
	uint32_t first = set * tags->ways;
	ways[0] = (struct l2_frame){0};
	for (uint32_t i = 0; i < tags->ways; i++) {
		const struct tag *tag = &tags->entries[first + i];
		bool present = tag_present(tags, tag);
		ways[i] = (struct l2_frame){.frame = first + i,
		                            .line = tag->line,
		                            .recency = present ? tag->stamp : 0,
		                            .valid = present,
		                            .reserved = present && tag->state & TAG_RESERVED,
		                            .dirty = present && tag->dirty};
	}
	struct l2_request request = ev->worker->cause;
	request.cycle = ev->now;
	request.line = line;
	request.slice = ev->slice->id;
	request.frame = TAG_NONE;
	return first + hooks_l2_victim(&ev->worker->hooks, &request, ways, tags->ways, entry - first);
}

/* Evict a line and install `line`. The set must have a way that is not reserved. */
static uint32_t make_room(struct mem_event *ev, uint32_t set, uint64_t line, cycle_t when)
{
	struct tags *tags = &ev->slice->tags;
	uint32_t entry = tags_victim(tags, set);
	if (__builtin_expect(hooks_has_l2_victim(&ev->worker->hooks), 0))
		entry = ask_victim(ev, set, line, entry);
	if (tag_present(tags, &tags->entries[entry]))
		write_back(ev, &tags->entries[entry], when);
	tags_install(tags, entry, line);
	return entry;
}

static inline void tell_fill(struct mem_event *ev, uint64_t line, uint32_t entry, uint8_t feedback)
{
	if (__builtin_expect(!hooks_has_on_l2_fill(&ev->worker->hooks), 1))
		return;
	struct l2_request event = question(ev, line, entry);
	if (ev->memory->asks) {
		const struct l2_request *cause = &ev->worker->cause;
		event.pc = cause->pc;
		event.warp = cause->warp;
		event.cta = cause->cta;
		event.kind = cause->kind;
	}
	event.feedback = feedback;
	hooks_on_l2_fill(&ev->worker->hooks, &event);
}

/* Return the entry of `line`; `entry` TAG_NONE: the line was not found, install it. */
static inline uint32_t take_entry(struct mem_event *ev, uint32_t set, uint32_t entry, uint64_t line,
                                  uint8_t feedback, cycle_t when)
{
	if (entry != TAG_NONE) {
		tags_touch(&ev->slice->tags, entry);
		return entry;
	}
	entry = make_room(ev, set, line, when);
	tell_fill(ev, line, entry, feedback);
	return entry;
}

static inline uint32_t find_entry(struct mem_event *ev, const struct mshr *mshr, cycle_t when)
{
	uint32_t entry = tags_find(&ev->slice->tags, mshr->set, mshr->line);
	return take_entry(ev, mshr->set, entry, mshr->line, mshr->feedback, when);
}

/* Fill the line that the miss reserved; return its entry. */
static uint32_t fill_reserved(struct mem_event *ev, const struct mshr *mshr, uint8_t sectors)
{
	struct tag *tag = &ev->slice->tags.entries[mshr->frame];
	if (mshr->pending == sectors)
		tag->state &= (uint8_t)~TAG_RESERVED;
	tell_fill(ev, mshr->line, mshr->frame, mshr->feedback);
	return mshr->frame;
}

static void deliver(void *user, const struct waiter *waiter, uint64_t line, uint8_t got)
{
	struct mem_event *ev = user;
	answer_waiter(ev, waiter, line, got, ev->now);
}

void slice_fill(struct mem_event *ev, uint32_t index, uint8_t sectors)
{
	struct mshr_table *mshrs = &ev->slice->mshrs;
	struct mshr *mshr = &mshrs->entry[index];
	if (__builtin_expect(ev->memory->asks, 0))
		ev->worker->cause = (struct l2_request){.pc = mshr->insn,
		                                        .warp = mshr->owner,
		                                        .cta = (uint8_t)mshr->cta,
		                                        .kind = (uint8_t)(mshr->cta >> 8),
		                                        .feedback = mshr->feedback};
	if (!mshr->flags) { /* not a bypass */
		uint32_t entry = mshr->frame != TAG_NONE ? fill_reserved(ev, mshr, sectors)
		                                         : find_entry(ev, mshr, ev->now);
		ev->slice->tags.entries[entry].valid |= sectors;
	}
	mshr_fill(mshrs, mshr, sectors, deliver, ev);
	if (!mshr->pending)
		mshr_release(mshrs, index);
	if (ev->slice->blocked || ev->slice->fabric_waiting.count)
		serve_waiting(ev);
}

/* ---- requests ------------------------------------------------------------------------------------------- */

static cycle_t take_time(struct mem_event *ev, struct slice *slice, fine_t cost)
{
	fine_t start = fine_of(ev->now) > slice->free ? fine_of(ev->now) : slice->free;
	slice->free = start + cost;
	ev->partition->busy += cost;
	return cycle_of(start);
}

/* Ask the policies for a route; add their bits for L1 to `feedback`. */
static enum l2_route ask_policies(struct mem_event *ev, const struct packet *p, uint32_t entry, bool pending,
                                  uint8_t *feedback)
{
	struct l2_request request = question(ev, p->line, entry);
	request.pending = pending;
	request.sm = p->sm;
	request.is_write = p->op == PACKET_WRITE;
	request.feedback = p->feedback;
	request.pc = p->pc;
	request.warp = p->warp;
	request.cta = p->cta;
	request.kind = p->kind;
	ev->worker->cause = request;
	hooks_on_l2_access(&ev->worker->hooks, &request);
	enum l2_route route = hooks_l2_route(&ev->worker->hooks, &request);
	*feedback |= hooks_l2_reply(&ev->worker->hooks, &request);
	return route;
}

/* Note when a write is performed of which its SM is to be told. */
static inline void tell_performed(struct mem_event *ev, const struct packet *p, cycle_t done)
{
	if (__builtin_expect(p->notice && !(p->flags & PACKET_FABRIC), 0))
		performed_box_push(&ev->partition->performed,
		                   &(struct performed){.when = done, .sm = p->sm, .notice = p->notice});
}

static bool is_atomic(const struct packet *p)
{
	return p->op == PACKET_ATOMIC || p->op == PACKET_REDUCE;
}

/* Whether a line of the set can be replaced. Lines are reserved only with allocate-on-miss. */
static bool has_line(const struct mem_event *ev, uint32_t set)
{
	return !ev->memory->allocates_on_miss || tags_victim(&ev->slice->tags, set) != TAG_NONE;
}

/*
 * Whether a request has the resources it needs. A miss needs a free MSHR, or room in the line's MSHR; some
 * MSHRs are kept for the fabric. With allocate-on-miss it also needs a line that is not reserved.
 */
static inline __attribute__((always_inline)) bool has_room(const struct mem_event *ev, const struct packet *p,
                                                           const struct lookup *look)
{
	if (!look->missing)
		return true;
	if (look->entry == TAG_NONE && !has_line(ev, look->set))
		return false;
	uint32_t kept = p->flags & PACKET_FABRIC ? 0 : ev->memory->kept_mshrs;
	return mshr_room(&ev->slice->mshrs, look->mshr, kept) == MSHR_ROOM;
}

/* Occupy the pipe for an atomic; return the cycle in which it is performed. */
static cycle_t begin_atomic(struct mem_event *ev, const struct packet *p, cycle_t *start)
{
	uint32_t sectors = bits_count(p->sectors);
	fine_t cost = (fine_t)sectors * ev->memory->atomic_fine.sector +
	              (fine_t)p->lanes * ev->memory->atomic_fine.lane;
	fine_t least = (fine_t)p->passes * ev->memory->atomic_fine.pass;
	if (cost < least)
		cost = least;
	if (p->op == PACKET_ATOMIC)
		cost += ev->memory->atomic_fine.result;
	*start = take_time(ev, ev->slice, cost);
	mem_count(ev, COUNT_l2_atomic_sectors, sectors);
	cycle_t done = *start + ev->memory->cycles.latency + cycle_of(cost);
	if (done > ev->partition->last_write)
		ev->partition->last_write = done;
	return done;
}

/* Occupy the pipe for a read, unless it is merged with another; return the cycle in which its data are read. */
static inline __attribute__((always_inline)) cycle_t begin_read(struct mem_event *ev, const struct packet *p,
                                                                uint8_t fresh, cycle_t *start)
{
	bool mergeable = ev->memory->merges_reads && !(p->flags & (PACKET_FABRIC | PACKET_ALONE));
	uint32_t cluster = ev->memory->crossbar->sm_cluster[p->sm];
	struct merge_slot *merge = mergeable ? merge_slot(&ev->slice->merger, p->line, cluster) : NULL;
	uint32_t sectors = bits_count(p->sectors);
	if (mergeable && !fresh &&
	    merge_covers(merge, p->line, cluster, p->sectors, ev->memory->merges_reads, ev->now)) {
		merge->reads++;
		*start = take_time(ev, ev->slice, 0);
		mem_count(ev, COUNT_icnt_merged, sectors);
		return *start + ev->memory->cycles.latency;
	}
	fine_t cost = (fine_t)sectors * ev->memory->read_fine;
	*start = take_time(ev, ev->slice, cost > ev->memory->request_fine ? cost : ev->memory->request_fine);
	mem_count(ev, COUNT_l2_read_sectors, sectors);
	mem_count(ev, COUNT_l2_read_hit_sectors, sectors - bits_count(fresh));
	cycle_t done = *start + ev->memory->cycles.latency;
	if (mergeable)
		*merge = (struct merge_slot){p->line, done, (uint16_t)cluster, p->sectors, 1};
	return done;
}

/*
 * Fetch the sectors that are not in flight yet: from DRAM, or over the fabric if the line's home is the other
 * partition. Atomics and writes are always at home.
 */
static inline __attribute__((always_inline)) void fetch_fresh(struct mem_event *ev, const struct packet *p,
                                                              const struct lookup *look, cycle_t done)
{
	struct mshr *mshr = &ev->slice->mshrs.entry[look->mshr];
	uint8_t under_way = fetch_blocks(ev, mshr->pending);
	uint8_t wanted = fetch_blocks(ev, look->fresh) & (uint8_t)~mshr->pending & (uint8_t)~look->valid;
	mshr->pending |= wanted;
	bool crosses = p->op == PACKET_READ && p->flags & PACKET_CROSSES;
	if (p->flags & PACKET_FABRIC || !crosses) {
		/* Blocks are fetched whole, so a block in flight also brings sectors that the line has lost since. */
		if (wanted & (uint8_t)~under_way)
			fetch_sectors(ev, p->line, look->mshr, wanted & (uint8_t)~under_way, done);
		return;
	}
	uint32_t there = map_slice(&ev->memory->crossbar->map, p->line, !ev->slice->l2_partition);
	struct packet *far = send_fabric(ev, there, p->line, wanted, done);
	far->token = look->mshr;
	far->from = ev->slice->id;
	far->sm = p->sm;
	far->pc = p->pc;
	far->warp = p->warp;
	far->cta = p->cta;
	far->kind = p->kind;
}

/* Reserve the line of a new miss; `entry` TAG_NONE: the line is absent, make room. */
static uint32_t reserve(struct mem_event *ev, uint32_t set, uint32_t entry, uint64_t line, cycle_t when)
{
	if (entry == TAG_NONE)
		entry = make_room(ev, set, line, when);
	ev->slice->tags.entries[entry].state |= TAG_RESERVED;
	return entry;
}

static inline __attribute__((always_inline)) void wait_for_fill(struct mem_event *ev, struct lookup *look,
                                                                const struct packet *p, struct waiter who,
                                                                bool bypass, cycle_t start)
{
	struct mshr_table *mshrs = &ev->slice->mshrs;
	if (look->mshr == MSHR_NONE) {
		look->mshr = mshr_allocate(mshrs, p->line);
		struct mshr *mshr = &mshrs->entry[look->mshr];
		mshr->since = start;
		mshr->set = look->set;
		mshr->flags = bypass;
		mshr->feedback = p->feedback;
		if (__builtin_expect(ev->memory->asks, 0)) {
			mshr->insn = p->pc;
			mshr->owner = p->warp;
			mshr->cta = (uint16_t)(p->cta | p->kind << 8);
			ev->worker->cause = (struct l2_request){.sm = p->sm,
			                                        .pc = p->pc,
			                                        .warp = p->warp,
			                                        .cta = p->cta,
			                                        .kind = p->kind,
			                                        .feedback = p->feedback};
		}
		if (ev->memory->allocates_on_miss && !bypass)
			mshr->frame = look->entry = reserve(ev, look->set, look->entry, p->line, start);
	}
	struct waiter *waiter = mshr_wait(mshrs, look->mshr, look->missing);
	waiter->who = who.who;
	waiter->from = who.from;
	waiter->feedback = who.feedback;
}

/* Drop the line of a forced bypass, unless it is reserved or there is no room for the miss that follows. */
static void skip_line(struct mem_event *ev, const struct packet *p, struct lookup *look, cycle_t when)
{
	struct tags *tags = &ev->slice->tags;
	struct lookup after = *look;
	after.valid = 0;
	after.missing = p->sectors;
	after.mshr = mshr_find(&ev->slice->mshrs, p->line);
	after.fresh = after.mshr == MSHR_NONE
	                  ? p->sectors
	                  : p->sectors & (uint8_t)~ev->slice->mshrs.entry[after.mshr].pending;
	if (look->entry == TAG_NONE || tags->entries[look->entry].state & TAG_RESERVED ||
	    !has_room(ev, p, &after))
		return;
	write_back(ev, &tags->entries[look->entry], when);
	tags_invalidate(tags, look->entry);
	after.entry = TAG_NONE;
	*look = after;
}

/*
 * Serve a read or an atomic after its look-up. The constant arguments make the compiler specialize it for
 * requests with and without policies. Return false, with nothing changed, if an MSHR or a line is missing.
 */
static inline __attribute__((always_inline)) bool serve_found(struct mem_event *ev, const struct packet *p,
                                                              struct lookup look, bool atomic, bool asks)
{
	if (!has_room(ev, p, &look))
		return false;
	bool from_fabric = p->flags & PACKET_FABRIC;
	cycle_t start, done = atomic ? begin_atomic(ev, p, &start) : begin_read(ev, p, look.fresh, &start);
	if (!from_fabric)
		send_credit(ev, p->sm, start);
	if (look.entry != TAG_NONE) {
		tags_touch(&ev->slice->tags, look.entry);
		if (atomic)
			written_mark(ev, &ev->slice->tags.entries[look.entry], p->sectors, start);
	}
	uint8_t feedback = 0;
	enum l2_route route = L2_ROUTE_CACHE;
	if (asks && !from_fabric)
		route = ask_policies(ev, p, look.entry, look.mshr != MSHR_NONE, &feedback);
	if (asks && route == L2_ROUTE_FORCE_BYPASS && !atomic)
		skip_line(ev, p, &look, start);
	bool bypass = route == L2_ROUTE_BYPASS || route == L2_ROUTE_FORCE_BYPASS;
	uint8_t present = p->sectors & look.valid;
	struct waiter who = {.who = p->token,
	                     .from = (atomic && p->op == PACKET_REDUCE) || p->flags & PACKET_NO_REPLY
	                                 ? FROM_NONE
	                             : from_fabric ? (uint16_t)(FROM_FABRIC | p->from)
	                                           : p->sm,
	                     .feedback = feedback};
	bool crosses_back = atomic && p->flags & PACKET_CROSSES;
	if (atomic)
		tell_performed(ev, p, done);
	if (present)
		answer_waiter(ev, &who, p->line, present,
		              done + (crosses_back ? ev->memory->cycles.partition : 0));
	if (look.missing)
		wait_for_fill(ev, &look, p, who, bypass, start);
	if (look.fresh)
		fetch_fresh(ev, p, &look, done);
	return true;
}

static struct lookup look_up(struct mem_event *ev, const struct packet *p)
{
	struct lookup look = lookup_tags(&ev->slice->tags, look_at_set(ev, p), p->line, p->sectors);
	lookup_mshrs(&look, &ev->slice->mshrs, p->line);
	return look;
}

/* serve_found() is compiled separately for hits and misses. */
static __attribute__((noinline)) bool serve_read_miss(struct mem_event *ev, const struct packet *p,
                                                      uint32_t set, uint32_t entry)
{
	struct lookup look = lookup_entry(&ev->slice->tags, set, entry, p->sectors);
	lookup_mshrs(&look, &ev->slice->mshrs, p->line);
	return serve_found(ev, p, look, false, false);
}

static bool serve_read(struct mem_event *ev, const struct packet *p)
{
	struct lookup look = lookup_tags(&ev->slice->tags, look_at_set(ev, p), p->line, p->sectors);
	if (look.missing)
		return serve_read_miss(ev, p, look.set, look.entry);
	look.fresh = 0;
	return serve_found(ev, p, look, false, false);
}

static __attribute__((noinline)) bool serve_asked_read(struct mem_event *ev, const struct packet *p)
{
	return serve_found(ev, p, look_up(ev, p), false, true);
}

static __attribute__((noinline)) bool serve_atomic(struct mem_event *ev, const struct packet *p)
{
	struct lookup look = look_up(ev, p);
	return ev->memory->asks ? serve_found(ev, p, look, true, true)
	                        : serve_found(ev, p, look, true, false);
}

/* Ask the policies about a write; return true if it bypassed L2 and has been sent to DRAM. */
static bool write_bypasses(struct mem_event *ev, const struct packet *p, struct lookup *look, cycle_t start,
                           cycle_t done)
{
	struct tags *tags = &ev->slice->tags;
	uint8_t feedback = 0;
	enum l2_route route = ask_policies(ev, p, look->entry, false, &feedback);
	if (route == L2_ROUTE_FORCE_BYPASS && look->entry != TAG_NONE &&
	    !(tags->entries[look->entry].state & TAG_RESERVED)) {
		write_back(ev, &tags->entries[look->entry], start);
		tags_invalidate(tags, look->entry);
		look->entry = TAG_NONE;
	}
	if ((route != L2_ROUTE_BYPASS && route != L2_ROUTE_FORCE_BYPASS) || look->entry != TAG_NONE)
		return false;
	fetch_traffic(ev, p->line, bits_count(p->sectors) * ev->memory->sector_bytes, true, done);
	return true;
}

/* Serve a store miss under allocate-fetch: send its data to DRAM and fetch the line. */
static void write_and_fetch(struct mem_event *ev, const struct packet *p, struct lookup *look, cycle_t start,
                            cycle_t done)
{
	fetch_traffic(ev, p->line, bits_count(p->sectors) * ev->memory->sector_bytes, true, done);
	wait_for_fill(ev, look, p, (struct waiter){.from = FROM_NONE}, false, start);
	if (look->fresh)
		fetch_fresh(ev, p, look, done);
}

/* Slice time of a write. A partly written sector costs a read-modify-write, once for consecutive stores to a line. */
static fine_t write_cost(const struct mem_event *ev, const struct packet *p, uint32_t sectors)
{
	fine_t cost = (fine_t)sectors * ev->memory->write_fine;
	if (!(p->sectors & ~p->full))
		return cost;
	bool again = ev->slice->last_partial == p->line + 1;
	ev->slice->last_partial = p->line + 1;
	return again ? cost : cost + ev->memory->partial_fine;
}

/* Return the next slice of the channel; the slice itself if it is the only one. */
static struct slice *neighbour(const struct mem_event *ev)
{
	uint32_t next = ev->slice->local + 1u;
	return &ev->partition->slice[next < ev->memory->crossbar->map.slices_per_channel ? next : 0];
}

/*
 * Serve a write, which is done at its home. As on hardware, a write that crossed is counted in both
 * partitions and takes time in both; the time in the partition it came from is charged to the home's
 * neighbour. Return false, with nothing changed, if an MSHR or a line is missing.
 */
static bool serve_write(struct mem_event *ev, const struct packet *p)
{
	struct lookup look = lookup_tags(&ev->slice->tags, look_at_set(ev, p), p->line, p->sectors);
	bool fetches = ev->memory->fetches_on_write && look.missing;
	if (fetches)
		lookup_mshrs(&look, &ev->slice->mshrs, p->line);
	if (fetches ? !has_room(ev, p, &look) : look.entry == TAG_NONE && !has_line(ev, look.set))
		return false;
	uint32_t sectors = bits_count(p->sectors);
	bool crosses = p->flags & PACKET_CROSSES;
	fine_t cost = write_cost(ev, p, sectors);
	cycle_t start = take_time(ev, ev->slice, cost);
	if (crosses)
		take_time(ev, neighbour(ev), cost);
	mem_count(ev, COUNT_l2_write_sectors, sectors << crosses);
	if (crosses)
		mem_count(ev, COUNT_l2_fabric_sectors, sectors);
	send_credit(ev, p->sm, start);
	cycle_t done = start + ev->memory->cycles.latency;
	if (done > ev->partition->last_write)
		ev->partition->last_write = done;
	tell_performed(ev, p, done);
	if (ev->memory->asks && write_bypasses(ev, p, &look, start, done))
		return true;
	if (fetches) {
		write_and_fetch(ev, p, &look, start, done);
		return true;
	}
	uint32_t entry = take_entry(ev, look.set, look.entry, p->line, p->feedback, start);
	struct tag *tag = &ev->slice->tags.entries[entry];
	tag->partial |= (uint8_t)(p->sectors & ~p->full & ~tag->valid);
	tag->partial &= (uint8_t)~p->full;
	tag->valid |= p->sectors;
	written_mark(ev, tag, p->sectors, done);
	return true;
}

/* ---- requests that bypass L2: shared memory in DRAM ------------------------------------------------------------------ */

/*
 * Shared memory that lies in DRAM. No other SM uses these lines, so they take neither tags nor pipe time; a
 * read holds one of the slice's MSHRs until its data come.
 */
static void write_bypass(struct mem_event *ev, const struct packet *p)
{
	uint32_t sectors = bits_count(p->sectors);
	mem_count(ev, COUNT_l2_bypass_write_sectors, sectors);
	send_credit(ev, p->sm, ev->now);
	if (ev->now > ev->partition->last_write)
		ev->partition->last_write = ev->now;
	fetch_traffic(ev, p->line, sectors * ev->memory->sector_bytes, true, ev->now);
}

static bool bypass_request(struct mem_event *ev, const struct packet *p)
{
	if (p->op == PACKET_WRITE) {
		write_bypass(ev, p);
		return true;
	}
	struct mshr_table *mshrs = &ev->slice->mshrs;
	uint32_t index = mshr_find(mshrs, p->line);
	if (mshr_room(mshrs, index, ev->memory->kept_mshrs) != MSHR_ROOM)
		return false;
	if (index == MSHR_NONE) {
		index = mshr_allocate(mshrs, p->line);
		mshrs->entry[index].since = ev->now;
		mshrs->entry[index].flags = true; /* take no line when the data come */
	}
	mem_count(ev, COUNT_l2_bypass_read_sectors, bits_count(p->sectors));
	send_credit(ev, p->sm, ev->now);
	struct waiter *waiter = mshr_wait(mshrs, index, p->sectors);
	waiter->who = p->token;
	waiter->from = p->sm;
	waiter->feedback = 0;
	struct mshr *mshr = &mshrs->entry[index];
	uint8_t wanted = fetch_blocks(ev, p->sectors) & (uint8_t)~mshr->pending;
	mshr->pending |= wanted;
	cycle_t bridge = p->flags & PACKET_CROSSES ? 2 * ev->memory->machine->l2_partition_cycles : 0;
	fetch_sectors(ev, p->line, index, wanted, ev->now + bridge);
	return true;
}

/* ---- queues ---------------------------------------------------------------------------------------------------------- */

static bool serve(struct mem_event *ev, const struct packet *p)
{
	if (__builtin_expect(p->flags & PACKET_BYPASS_L2, 0))
		return bypass_request(ev, p);
	if (__builtin_expect(is_atomic(p), 0))
		return serve_atomic(ev, p);
	if (p->op == PACKET_WRITE)
		return serve_write(ev, p);
	return __builtin_expect(ev->memory->asks, 0) ? serve_asked_read(ev, p) : serve_read(ev, p);
}

/* Serve a queue in order until a request is blocked; return whether the queue is empty. */
static bool serve_queue(struct mem_event *ev, struct packet_ring *queue)
{
	while (queue->count) {
		struct packet p = *packet_ring_first(queue);
		if (!serve(ev, &p))
			return false;
		packet_ring_drop(queue);
	}
	return true;
}

/* Serve waiting requests: an MSHR or a reserved line has become free. */
static void serve_waiting(struct mem_event *ev)
{
	struct slice *slice = ev->slice;
	serve_queue(ev, &slice->fabric_waiting);
	if (!slice->blocked)
		return;
	mem_count(ev, COUNT_l2_stall_cycles, ev->now - slice->blocked_since);
	slice->blocked = !serve_queue(ev, &slice->waiting);
	slice->blocked_since = ev->now;
}

void slice_request(struct mem_event *ev, const struct packet *p)
{
	struct slice *slice = ev->slice;
	if (p->flags & PACKET_FABRIC) {
		if (slice->fabric_waiting.count || !serve(ev, p))
			packet_ring_push(&slice->fabric_waiting, p);
		return;
	}
	if (!slice->blocked && serve(ev, p))
		return;
	if (!slice->blocked) {
		slice->blocked = true;
		slice->blocked_since = ev->now;
	}
	packet_ring_push(&slice->waiting, p);
}

/* ---- prefetches of the host ------------------------------------------------------------------------------------------ */

static void expect_packet(const struct memory *memory, struct packet *p)
{
	const struct slice *slice = &memory->slice[p->slice];
	if (p->op == PACKET_FABRIC_REPLY) {
		cpu_fetch(&slice->mshrs.entry[p->token]);
		return;
	}
	uint64_t within = map_slice_line(&memory->crossbar->map, p->line, slice->l2_partition);
	p->set = tags_set(&slice->tags, within);
	tags_expect(&slice->tags, p->set);
	if (p->op != PACKET_WRITE)
		mshr_expect(&slice->mshrs, p->line);
}

static void expect_fill(const struct slice *slice, uint32_t mshr)
{
	const struct mshr *entry = &slice->mshrs.entry[mshr];
	tags_expect(&slice->tags, entry->set);
	tags_expect_victim(&slice->tags, entry->set);
	mshr_expect(&slice->mshrs, entry->line);
}

static void expect_events(const struct memory *memory, const struct own_event *first,
                          const struct own_event *end)
{
	for (const struct own_event *e = first; e < end; e++)
		if (e->op == EVENT_FILL)
			cpu_fetch(&memory->slice[e->slice].mshrs.entry[e->token]);
	for (const struct own_event *e = first; e < end; e++)
		if (e->op == EVENT_FILL)
			expect_fill(&memory->slice[e->slice], e->token);
}

void slice_expect_page(const struct memory *memory, struct calendar_page *page)
{
	for (uint32_t i = 0; i < page->packets.count; i++)
		expect_packet(memory, &page->packets.item[i]);
	if (page->events.count > 1)
		expect_events(memory, page->events.item, page->events.item + page->events.count);
}
