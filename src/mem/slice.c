/* What happens in an L2 slice, event by event. */
#include "mem/slice.h"

#include "mem/answer.h"
#include "mem/bypass.h"
#include "mem/fetch.h"
#include "mem/left.h"
#include "mem/written.h"

static void serve_waiting(struct mem_event *ev);

static struct l2_request question(const struct mem_event *ev, uint64_t line, uint32_t frame)
{
	return (struct l2_request){.cycle = ev->now,
	                           .line = line,
	                           .slice = ev->slice->id,
	                           .hit = frame != TAG_NONE && ev->slice->tags.entries[frame].valid,
	                           .frame = frame};
}

/* The set of a request, which is looked at now. */
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

/* Makes room for `line`, which is not there, in a set that is not all reserved. */
static uint32_t make_room(struct mem_event *ev, uint32_t set, uint64_t line, cycle_t when)
{
	struct tags *tags = &ev->slice->tags;
	uint32_t entry = tags_victim(tags, set);
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
	event.feedback = feedback;
	hooks_on_l2_fill(&ev->worker->hooks, &event);
}

/* The entry of `line`, looked for and not found if it is TAG_NONE: then room is made for it. */
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

/* Data for the line that was reserved when they were asked for; returns it. */
static uint32_t fill_reserved(struct mem_event *ev, const struct mshr *mshr, uint8_t sectors)
{
	struct tag *tag = &ev->slice->tags.entries[mshr->frame];
	if (mshr->pending == sectors)
		tag->state &= (uint8_t)~TAG_RESERVED;
	tell_fill(ev, mshr->line, mshr->frame, mshr->feedback);
	return mshr->frame;
}

/* A fill on its way to those who wait for it. */
static void deliver(void *user, const struct waiter *waiter, uint64_t line, uint8_t got)
{
	struct mem_event *ev = user;
	answer_waiter(ev, waiter, line, got, ev->now);
}

void slice_fill(struct mem_event *ev, uint32_t index, uint8_t sectors)
{
	struct mshr_table *mshrs = &ev->slice->mshrs;
	struct mshr *mshr = &mshrs->entry[index];
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

/* Asks the policies for the way; puts the bits for L1 into `feedback`. */
static enum l2_route ask_policies(struct mem_event *ev, const struct packet *p, uint32_t entry, bool pending,
                                  uint8_t *feedback)
{
	struct l2_request request = question(ev, p->line, entry);
	request.pending = pending;
	request.sm = p->sm;
	request.is_write = p->op == PACKET_WRITE;
	request.feedback = p->feedback;
	enum l2_route route = hooks_l2_route(&ev->worker->hooks, &request);
	*feedback |= hooks_l2_reply(&ev->worker->hooks, &request);
	return route;
}

static bool is_atomic(const struct packet *p)
{
	return p->op == PACKET_ATOMIC || p->op == PACKET_REDUCE;
}

/* Some line of the set can be taken: none is reserved where lines are taken with the data. */
static bool has_line(const struct mem_event *ev, uint32_t set)
{
	return !ev->memory->allocates_on_miss || tags_victim(&ev->slice->tags, set) != TAG_NONE;
}

/*
 * A miss needs an MSHR, or a place in the one that is there; some are kept for
 * the fabric. And a line, if lines are taken then: all of a set may be reserved.
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

/* Takes the pipe for an atomic; returns when it is performed. */
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

/* Takes the pipe for a read, unless it rides along with another; returns when its tags and data are read. */
static inline __attribute__((always_inline)) cycle_t begin_read(struct mem_event *ev, const struct packet *p,
                                                                uint8_t fresh, cycle_t *start)
{
	bool mergeable = ev->memory->merges_reads && !(p->flags & PACKET_FABRIC);
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

/* Asks DRAM, or the other side if the line lives there, for what is not on its way yet. Atomics and writes are at home. */
static inline __attribute__((always_inline)) void fetch_fresh(struct mem_event *ev, const struct packet *p,
                                                              const struct lookup *look, cycle_t done)
{
	struct mshr *mshr = &ev->slice->mshrs.entry[look->mshr];
	uint8_t under_way = fetch_blocks(ev, mshr->pending);
	uint8_t wanted = fetch_blocks(ev, look->fresh) & (uint8_t)~mshr->pending & (uint8_t)~look->valid;
	mshr->pending |= wanted;
	bool crosses = p->op == PACKET_READ && p->flags & PACKET_CROSSES;
	if (p->flags & PACKET_FABRIC || !crosses) {
		/* A block comes whole: a sector that its line has lost meanwhile comes with it. */
		if (wanted & (uint8_t)~under_way)
			fetch_sectors(ev, p->line, look->mshr, wanted & (uint8_t)~under_way, done);
		return;
	}
	uint32_t there = map_slice(&ev->memory->crossbar->map, p->line, !ev->slice->l2_partition);
	struct packet *far = send_fabric(ev, there, p->line, wanted, done);
	far->token = look->mshr;
	far->from = ev->slice->id;
	far->sm = p->sm;
}

/* The line for a miss that begins now, in `entry` if it is there. */
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
		if (ev->memory->allocates_on_miss && !bypass)
			mshr->frame = look->entry = reserve(ev, look->set, look->entry, p->line, start);
	}
	struct waiter *waiter = mshr_wait(mshrs, look->mshr, look->missing);
	waiter->who = who.who;
	waiter->from = who.from;
	waiter->feedback = who.feedback;
}

/* A line that a policy wants to do without leaves; one that is reserved, or that a request without room for a miss finds, stays. */
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
 * A read or an atomic that has been looked up, with policies that answer or without, each compiled for itself. False
 * when it lacks an MSHR: nothing has changed then.
 */
static inline __attribute__((always_inline)) bool serve_found(struct mem_event *ev, const struct packet *p,
                                                              struct lookup look, bool atomic, bool asks)
{
	if (!has_room(ev, p, &look))
		return false;
	bool from_fabric = p->flags & PACKET_FABRIC;
	cycle_t start, done = atomic ? begin_atomic(ev, p, &start) : begin_read(ev, p, look.fresh, &start);
	if (!from_fabric)
		slice_send_credit(ev, p->sm, start);
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
	                     .from = atomic && p->op == PACKET_REDUCE ? FROM_NONE
	                             : from_fabric                    ? (uint16_t)(FROM_FABRIC | p->from)
	                                                              : p->sm,
	                     .feedback = feedback};
	bool crosses_back = atomic && p->flags & PACKET_CROSSES;
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

/* Hits and misses take different ways through serve_found(), each compiled for itself, too. */
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

/* Asks the policies about a write; true: it has gone to DRAM, past L2. */
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

/* A store miss that sends its data on and reads the line, for which nobody waits. */
static void write_and_fetch(struct mem_event *ev, const struct packet *p, struct lookup *look, cycle_t start,
                            cycle_t done)
{
	fetch_traffic(ev, p->line, bits_count(p->sectors) * ev->memory->sector_bytes, true, done);
	wait_for_fill(ev, look, p, (struct waiter){.from = FROM_NONE}, false, start);
	if (look->fresh)
		fetch_fresh(ev, p, look, done);
}

/* A sector that is filled in part is read and written again; stores to one line that follow each other do so once. */
static fine_t write_cost(const struct mem_event *ev, const struct packet *p, uint32_t sectors)
{
	fine_t cost = (fine_t)sectors * ev->memory->write_fine;
	if (!(p->sectors & ~p->full))
		return cost;
	bool again = ev->slice->last_partial == p->line + 1;
	ev->slice->last_partial = p->line + 1;
	return again ? cost : cost + ev->memory->partial_fine;
}

/* Another slice of the channel, if it has one. */
static struct slice *beside(const struct mem_event *ev)
{
	uint32_t next = ev->slice->local + 1u;
	return &ev->partition->slice[next < ev->memory->crossbar->map.slices_per_channel ? next : 0];
}

/*
 * Writes are done at home. One that had to cross is counted on both sides, as
 * the hardware does, and takes time on both: what it takes on the side where
 * it came from, it takes here in the slice beside its home. False when it
 * lacks an MSHR or a line: nothing has changed then.
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
		take_time(ev, beside(ev), cost);
	mem_count(ev, COUNT_l2_write_sectors, sectors << crosses);
	if (crosses)
		mem_count(ev, COUNT_l2_fabric_sectors, sectors);
	slice_send_credit(ev, p->sm, start);
	cycle_t done = start + ev->memory->cycles.latency;
	if (done > ev->partition->last_write)
		ev->partition->last_write = done;
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

/* Serves a queue in order until one is stuck; true if it is empty then. */
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

/* An MSHR came free, or a reserved line: those who wait for one go on. */
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
