/* What happens in an L2 slice, event by event. */
#include "mem/slice.h"

enum {
	FROM_FAR = 0x8000,  /* waiter.from: a slice of the other side, not an SM */
	FROM_NONE = 0x7fff, /* nobody: a reduction */
};

static void serve_waiting(struct context *x);

static struct context context_of(struct memory_worker *worker, uint32_t slice_id, cycle_t now)
{
	struct slice *slice = &worker->memory->slice[slice_id];
	return (struct context){worker, worker->memory, slice->partition, slice, now};
}

static struct l2_request question(const struct context *x, uint64_t line, uint32_t frame)
{
	return (struct l2_request){
	    .cycle = x->now, .line = line, .slice = x->slice->id, .hit = frame != TAG_NONE, .frame = frame};
}

static uint32_t l2_set(const struct context *x, uint64_t line)
{
	return index_of(&x->slice->tags.index, map_slice_line(&x->memory->map, line));
}

/* ---- towards SMs and the other side ------------------------------------------------------------------- */

static void note_sent(struct context *x)
{
	x->worker->sent[x->partition->id / 64] |= (uint64_t)1 << x->partition->id % 64;
}

static void send_reply(struct context *x, uint32_t sm, uint32_t token, uint64_t line, uint8_t sectors,
                       uint8_t feedback, cycle_t when)
{
	struct reply *reply = reply_box_push(&x->partition->replies[x->memory->sm_worker[sm]]);
	note_sent(x);
	*reply = (struct reply){.when = when + x->memory->machine->icnt_reply_cycles +
	                                memory_path(x->memory, sm, x->slice->id),
	                        .line = line,
	                        .token = token,
	                        .sm = (uint16_t)sm,
	                        .sectors = sectors,
	                        .feedback = feedback};
	++*slice_counter(x, COUNT_icnt_replies);
}

static void send_far(struct context *x, struct packet packet, uint32_t slice, cycle_t when)
{
	packet.when = when + x->memory->machine->l2_partition_cycles;
	packet.slice = (uint16_t)slice;
	packet.flags |= PACKET_FAR;
	*packet_box_push(&x->partition->far[x->memory->slice_worker[slice]]) = packet;
	note_sent(x);
	*slice_counter(x, COUNT_l2_fabric_sectors) += bits_count(packet.sectors);
}

static void answer_waiter(struct context *x, const struct waiter *waiter, uint64_t line, uint8_t sectors,
                          cycle_t when)
{
	if (waiter->from == FROM_NONE)
		return;
	if (!(waiter->from & FROM_FAR)) {
		send_reply(x, waiter->from, waiter->who, line, sectors, waiter->feedback, when);
		return;
	}
	struct packet packet = {
	    .line = line, .token = waiter->who, .op = PACKET_FAR_REPLY, .sectors = sectors};
	send_far(x, packet, waiter->from & (uint32_t)~FROM_FAR, when);
}

/* Sectors written in part are completed from DRAM when they leave, not before. */
static void write_back(struct context *x, const struct tag *tag, cycle_t when)
{
	++*slice_counter(x, COUNT_l2_evictions);
	if (hooks_has_on_l2_evict(&x->worker->hooks)) {
		struct l2_request event = question(x, tag->line, (uint32_t)(tag - x->slice->tags.entries));
		hooks_on_l2_evict(&x->worker->hooks, &event);
	}
	if (tag->partial)
		fetch_traffic(x, tag->line, bits_count(tag->partial) * x->memory->sector_bytes, false, when);
	if (tag->dirty)
		fetch_traffic(x, tag->line, bits_count(tag->dirty) * x->memory->sector_bytes, true, when);
}

/* The entry of `line`, made room for if it is not there. */
static uint32_t take_entry(struct context *x, uint64_t line, uint8_t feedback, cycle_t when)
{
	struct tags *tags = &x->slice->tags;
	uint32_t set = l2_set(x, line);
	uint32_t entry = tags_find(tags, set, line);
	if (entry != TAG_NONE) {
		tags_touch(tags, entry);
		return entry;
	}
	entry = tags_victim(tags, set);
	if (tag_present(tags, &tags->entries[entry]))
		write_back(x, &tags->entries[entry], when);
	tags_install(tags, entry, line);
	if (hooks_has_on_l2_fill(&x->worker->hooks)) {
		struct l2_request event = question(x, line, entry);
		event.feedback = feedback;
		hooks_on_l2_fill(&x->worker->hooks, &event);
	}
	return entry;
}

/* A fill on its way to those who wait for it. */
struct delivery {
	struct context *x;
	uint64_t line;
};

static void deliver(void *user, const struct waiter *waiter, uint8_t got)
{
	const struct delivery *delivery = user;
	answer_waiter(delivery->x, waiter, delivery->line, got, delivery->x->now);
}

static void on_fill(struct context *x, uint64_t line, uint32_t index, uint8_t sectors)
{
	struct mshrs *mshrs = &x->slice->mshrs;
	struct mshr *mshr = &mshrs->entry[index];
	mshr->pending &= (uint8_t)~sectors;
	if (!mshr->flags) /* not a bypass */
		x->slice->tags.entries[take_entry(x, line, mshr->feedback, x->now)].valid |= sectors;
	struct delivery delivery = {x, line};
	mshrs_serve(mshrs, mshr, sectors, deliver, &delivery);
	if (!mshr->pending)
		mshrs_give(mshrs, index);
	if (x->slice->blocked || x->slice->far_waiting.count)
		serve_waiting(x);
}

/* ---- requests ------------------------------------------------------------------------------------------- */

static cycle_t begin_service(struct context *x, fine_t cost)
{
	fine_t start = fine_of(x->now) > x->slice->free ? fine_of(x->now) : x->slice->free;
	x->slice->free = start + cost;
	x->partition->busy += cost;
	return cycle_of(start);
}

/* Reads of one cluster for a line that it asked for a moment ago do not reach the slice. */
static struct merge_slot *merge_slot_of(struct context *x, const struct packet *p)
{
	uint32_t cluster = x->memory->sm_cluster[p->sm];
	return &x->slice->merge[bits_mix(p->line * 64 + cluster) % MERGE_SLOTS];
}

static bool merges(struct context *x, const struct packet *p, const struct merge_slot *slot)
{
	return slot->line == p->line && slot->until > x->now &&
	       slot->cluster == x->memory->sm_cluster[p->sm] && !(p->sectors & ~slot->sectors);
}

/* Asks the policies for the way; puts the bits for L1 into `feedback`. */
static enum l2_route ask_policies(struct context *x, const struct packet *p, uint32_t entry,
                                  uint8_t *feedback)
{
	struct l2_request request = question(x, p->line, entry);
	request.sm = p->sm;
	request.is_write = p->op == PACKET_WRITE;
	request.feedback = p->feedback;
	enum l2_route route = hooks_l2_route(&x->worker->hooks, &request);
	*feedback |= hooks_l2_reply(&x->worker->hooks, &request);
	return route;
}

/* MSHRs that a request must leave free. */
static uint32_t kept_for_far(const struct context *x, const struct packet *p)
{
	if (p->flags & PACKET_FAR || x->memory->map.sides == 1)
		return 0;
	return (x->slice->mshrs.entries + 3) / 4;
}

/* What a read or atomic finds in the slice. */
struct lookup {
	uint32_t entry, mshr;
	uint8_t valid;   /* sectors of the line that are here */
	uint8_t missing; /* sectors asked for that are not */
	uint8_t fresh;   /* of those, not on their way either */
};

static bool is_atomic(const struct packet *p)
{
	return p->op == PACKET_ATOMIC || p->op == PACKET_REDUCE;
}

static struct lookup look_up(const struct context *x, const struct packet *p)
{
	const struct tags *tags = &x->slice->tags;
	struct lookup look = {.entry = tags_find(tags, l2_set(x, p->line), p->line), .mshr = MSHR_NONE};
	look.valid = look.entry == TAG_NONE ? 0 : tags->entries[look.entry].valid;
	look.missing = look.fresh = (uint8_t)(p->sectors & ~look.valid);
	if (look.missing)
		look.mshr = mshrs_find(&x->slice->mshrs, p->line);
	if (look.mshr != MSHR_NONE)
		look.fresh &= (uint8_t)~x->slice->mshrs.entry[look.mshr].pending;
	return look;
}

/* A miss needs an MSHR, or a place in the one that is there. */
static bool has_room(const struct context *x, const struct packet *p, const struct lookup *look)
{
	const struct mshrs *mshrs = &x->slice->mshrs;
	if (!look->missing)
		return true;
	if (!mshrs->free_waiters)
		return false;
	if (look->mshr != MSHR_NONE)
		return mshrs->entry[look->mshr].waiters < x->memory->machine->l2_mshr_merge;
	return mshrs->free_entries > kept_for_far(x, p);
}

/* Takes the pipe for an atomic; returns when it is performed. */
static cycle_t begin_atomic(struct context *x, const struct packet *p, cycle_t *start)
{
	uint32_t sectors = bits_count(p->sectors);
	fine_t cost =
	    (fine_t)sectors * x->memory->atomic_sector_fine + (fine_t)p->lanes * x->memory->atomic_lane_fine;
	*start = begin_service(x, cost);
	*slice_counter(x, COUNT_l2_atomic_sectors) += sectors;
	cycle_t done = *start + x->memory->machine->l2_latency_cycles + cycle_of(cost);
	if (done > x->partition->last_write)
		x->partition->last_write = done;
	return done;
}

/* Takes the pipe for a read, unless it rides along with another; returns when its tags and data are read. */
static cycle_t begin_read(struct context *x, const struct packet *p, uint8_t fresh, cycle_t *start)
{
	const struct machine *m = x->memory->machine;
	bool mergeable = m->icnt_merge_reads && !(p->flags & PACKET_FAR);
	struct merge_slot *merge = mergeable ? merge_slot_of(x, p) : NULL;
	uint32_t sectors = bits_count(p->sectors);
	if (mergeable && !fresh && merges(x, p, merge)) {
		*start = begin_service(x, 0);
		*slice_counter(x, COUNT_icnt_merged) += sectors;
		return *start + m->l2_latency_cycles;
	}
	*start = begin_service(x, (fine_t)sectors * x->memory->read_fine);
	*slice_counter(x, COUNT_l2_read_sectors) += sectors;
	*slice_counter(x, COUNT_l2_read_hit_sectors) += sectors - bits_count(fresh);
	cycle_t done = *start + m->l2_latency_cycles;
	if (mergeable)
		*merge = (struct merge_slot){p->line, done, x->memory->sm_cluster[p->sm], p->sectors};
	return done;
}

/* Asks DRAM, or the other side if the line lives there, for what is not on its way yet. */
static void fetch_fresh(struct context *x, const struct packet *p, const struct lookup *look, cycle_t done)
{
	struct slice *slice = x->slice;
	struct mshr *mshr = &slice->mshrs.entry[look->mshr];
	uint8_t wanted = slice_fetch_blocks(x, look->fresh) & (uint8_t)~mshr->pending & (uint8_t)~look->valid;
	mshr->pending |= wanted;
	if (p->flags & PACKET_FAR || is_atomic(p) || !(p->flags & PACKET_CROSSES)) {
		fetch_sectors(x, p->line, look->mshr, wanted, done);
		return;
	}
	struct packet far = {.line = p->line,
	                     .token = look->mshr,
	                     .from = slice->id,
	                     .op = PACKET_READ,
	                     .sectors = wanted,
	                     .sm = p->sm};
	send_far(x, far, map_slice(&x->memory->map, p->line, !slice->side), done);
}

static void wait_for_fill(struct context *x, struct lookup *look, const struct packet *p, struct waiter who,
                          bool bypass, cycle_t start)
{
	struct mshrs *mshrs = &x->slice->mshrs;
	if (look->mshr == MSHR_NONE) {
		look->mshr = mshrs_take(mshrs, p->line);
		mshrs->entry[look->mshr].since = start;
		mshrs->entry[look->mshr].flags = bypass;
		mshrs->entry[look->mshr].feedback = p->feedback;
	}
	struct waiter *waiter = mshrs_wait(mshrs, look->mshr);
	who.next = waiter->next;
	who.sectors = look->missing;
	*waiter = who;
}

/* A line that a policy wants to do without leaves; one that a request without room for a miss finds, stays. */
static void skip_line(struct context *x, const struct packet *p, struct lookup *look, cycle_t when)
{
	struct tags *tags = &x->slice->tags;
	struct lookup after = *look;
	after.valid = 0;
	after.missing = p->sectors;
	after.mshr = mshrs_find(&x->slice->mshrs, p->line);
	after.fresh = after.mshr == MSHR_NONE
	                  ? p->sectors
	                  : p->sectors & (uint8_t)~x->slice->mshrs.entry[after.mshr].pending;
	if (look->entry == TAG_NONE || !has_room(x, p, &after))
		return;
	write_back(x, &tags->entries[look->entry], when);
	tags_invalidate(tags, look->entry);
	after.entry = TAG_NONE;
	*look = after;
}

/* A read or an atomic. False when it lacks an MSHR: nothing has changed then. */
static bool serve_read(struct context *x, const struct packet *p)
{
	struct lookup look = look_up(x, p);
	if (!has_room(x, p, &look))
		return false;
	bool atomic = is_atomic(p), far_request = p->flags & PACKET_FAR;
	cycle_t start, done = atomic ? begin_atomic(x, p, &start) : begin_read(x, p, look.fresh, &start);
	if (!far_request)
		slice_send_credit(x, p->sm, start);
	if (look.entry != TAG_NONE) {
		tags_touch(&x->slice->tags, look.entry);
		if (atomic)
			x->slice->tags.entries[look.entry].dirty |= p->sectors;
	}
	uint8_t feedback = 0;
	enum l2_route route = L2_ROUTE_CACHE;
	if (x->memory->asks && !far_request)
		route = ask_policies(x, p, look.entry, &feedback);
	if (route == L2_ROUTE_SKIP && !atomic)
		skip_line(x, p, &look, start);
	bool bypass = route == L2_ROUTE_BYPASS || route == L2_ROUTE_SKIP;
	uint8_t present = p->sectors & look.valid;
	struct waiter who = {.who = p->token,
	                     .from = p->op == PACKET_REDUCE ? FROM_NONE
	                             : far_request          ? (uint16_t)(FROM_FAR | p->from)
	                                                    : p->sm,
	                     .feedback = feedback};
	bool crosses_back = atomic && p->flags & PACKET_CROSSES;
	if (present)
		answer_waiter(x, &who, p->line, present,
		              done + (crosses_back ? x->memory->machine->l2_partition_cycles : 0));
	if (look.missing)
		wait_for_fill(x, &look, p, who, bypass, start);
	if (look.fresh)
		fetch_fresh(x, p, &look, done);
	return true;
}

/*
 * Writes are done at home. One that had to cross is counted on both sides, as
 * the hardware does, but takes time in its home slice alone.
 */
static void serve_write(struct context *x, const struct packet *p)
{
	uint32_t sectors = bits_count(p->sectors);
	bool crosses = p->flags & PACKET_CROSSES;
	cycle_t start = begin_service(x, (fine_t)sectors * x->memory->write_fine);
	*slice_counter(x, COUNT_l2_write_sectors) += sectors << crosses;
	if (crosses)
		*slice_counter(x, COUNT_l2_fabric_sectors) += sectors;
	slice_send_credit(x, p->sm, start);
	cycle_t done = start + x->memory->machine->l2_latency_cycles;
	if (done > x->partition->last_write)
		x->partition->last_write = done;
	if (x->memory->asks) {
		uint8_t feedback = 0;
		uint32_t entry = tags_find(&x->slice->tags, l2_set(x, p->line), p->line);
		enum l2_route route = ask_policies(x, p, entry, &feedback);
		if (route == L2_ROUTE_SKIP && entry != TAG_NONE) {
			write_back(x, &x->slice->tags.entries[entry], start);
			tags_invalidate(&x->slice->tags, entry);
			entry = TAG_NONE;
		}
		if ((route == L2_ROUTE_BYPASS || route == L2_ROUTE_SKIP) && entry == TAG_NONE) {
			fetch_traffic(x, p->line, sectors * x->memory->sector_bytes, true, done);
			return;
		}
	}
	struct tag *tag = &x->slice->tags.entries[take_entry(x, p->line, p->feedback, start)];
	tag->partial |= (uint8_t)(p->sectors & ~p->full & ~tag->valid);
	tag->partial &= (uint8_t)~p->full;
	tag->valid |= p->sectors;
	tag->dirty |= p->sectors;
}

static bool serve(struct context *x, const struct packet *p)
{
	if (__builtin_expect(p->flags & PACKET_PAST_L2, 0))
		return past_serve(x, p);
	if (p->op != PACKET_WRITE)
		return serve_read(x, p);
	serve_write(x, p);
	return true;
}

/* Serves a queue in order until one is stuck; true if it is empty then. */
static bool serve_queue(struct context *x, struct packet_ring *queue)
{
	while (queue->count) {
		struct packet p = *packet_ring_first(queue);
		if (!serve(x, &p))
			return false;
		packet_ring_drop(queue);
	}
	return true;
}

/* An MSHR came free: those who wait for one go on. */
static void serve_waiting(struct context *x)
{
	struct slice *slice = x->slice;
	serve_queue(x, &slice->far_waiting);
	if (!slice->blocked)
		return;
	*slice_counter(x, COUNT_l2_stall_cycles) += x->now - slice->blocked_since;
	slice->blocked = !serve_queue(x, &slice->waiting);
	slice->blocked_since = x->now;
}

static void on_request(struct context *x, const struct packet *p)
{
	struct slice *slice = x->slice;
	if (p->flags & PACKET_FAR) {
		if (slice->far_waiting.count || !serve(x, p))
			packet_ring_push(&slice->far_waiting, p);
		return;
	}
	if (!slice->blocked && serve(x, p))
		return;
	if (!slice->blocked) {
		slice->blocked = true;
		slice->blocked_since = x->now;
	}
	packet_ring_push(&slice->waiting, p);
}

static void handle(struct memory_worker *worker, const struct packet *p, cycle_t now)
{
	struct context x = context_of(worker, p->slice, now);
	switch (p->op) {
	case EVENT_DRAM:
		fetch_on_dram(&x);
		break;
	case EVENT_FILL:
		on_fill(&x, p->line, p->token, p->sectors & x.slice->mshrs.entry[p->token].pending);
		break;
	case PACKET_FAR_REPLY:
		on_fill(&x, p->line, p->token, p->sectors);
		break;
	default:
		on_request(&x, p);
	}
}

void memory_worker_run(struct memory_worker *worker, cycle_t until)
{
	for (;;) {
		cycle_t now = calendar_next(&worker->calendar);
		if (now >= until)
			return;
		struct packet_box *page = calendar_open(&worker->calendar, now);
		uint32_t ordered = page->count > 1 ? page->count : 0;
		if (ordered)
			order_page(&worker->order, page);
		/* Handling one may add to the page, and move it. */
		for (uint32_t i = 0; i < page->count; i++) {
			struct packet p = page->item[i < ordered ? order_index(&worker->order, i) : i];
			handle(worker, &p, now);
		}
		calendar_close(&worker->calendar, now);
	}
}
