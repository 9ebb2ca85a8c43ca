/* What happens in an L2 slice, event by event. */
#include "mem/slice.h"

enum {
	FROM_FAR = 0x8000, /* waiter.from: a slice of the other side, not an SM */
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
	return (struct l2_request){.cycle = x->now,
				   .line = line,
				   .slice = x->slice->id,
				   .hit = frame != TAG_NONE,
				   .frame = frame};
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

static void send_credit(struct context *x, uint32_t sm, cycle_t when)
{
	struct credit_ring *ring =
		&x->memory->credits[sm * x->memory->workers + x->memory->slice_worker[x->slice->id]];
	credit_ring_add(ring, when + x->memory->machine->icnt_credit_cycles);
}

static void send_far(struct context *x, struct packet packet, uint32_t slice, cycle_t when)
{
	packet.when = when + x->memory->machine->l2_side_cycles;
	packet.slice = (uint16_t)slice;
	packet.flags |= PACKET_FAR;
	*packet_box_push(&x->partition->far[x->memory->slice_worker[slice]]) = packet;
	note_sent(x);
	*slice_counter(x, COUNT_l2_far_sectors) += bits_count(packet.sectors);
}

static void answer_waiter(struct context *x, const struct waiter *waiter, uint64_t line, uint8_t sectors, cycle_t when)
{
	if (waiter->from == FROM_NONE)
		return;
	if (!(waiter->from & FROM_FAR)) {
		send_reply(x, waiter->from, waiter->who, line, sectors, waiter->feedback, when);
		return;
	}
	struct packet packet = {.line = line, .token = waiter->who, .op = PACKET_FAR_REPLY, .sectors = sectors};
	send_far(x, packet, waiter->from & (uint32_t)~FROM_FAR, when);
}

/* Sectors written in part are completed from DRAM when they leave, not before. */
static void write_back(struct context *x, const struct tag *tag, cycle_t when)
{
	++*slice_counter(x, COUNT_l2_evictions);
	if (x->memory->chain->has_on_l2_evict) {
		struct l2_request event = question(x, tag->line, (uint32_t)(tag - x->slice->tags.entries));
		CHAIN_EACH_GPU(x->memory->chain, on_l2_evict, policy->on_l2_evict(block, &event));
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
	if (x->memory->chain->has_on_l2_fill) {
		struct l2_request event = question(x, line, entry);
		event.feedback = feedback;
		CHAIN_EACH_GPU(x->memory->chain, on_l2_fill, policy->on_l2_fill(block, &event));
	}
	return entry;
}

static void on_fill(struct context *x, uint64_t line, uint32_t index, uint8_t sectors)
{
	struct mshrs *mshrs = &x->slice->mshrs;
	struct mshr *mshr = &mshrs->entry[index];
	mshr->pending &= (uint8_t)~sectors;
	if (!mshr->flags) /* not a bypass */
		x->slice->tags.entries[take_entry(x, line, mshr->feedback, x->now)].valid |= sectors;
	uint32_t *next = &mshr->first, previous = MSHR_NONE;
	for (uint32_t left = mshr->waiters; left; left--) {
		uint32_t node = *next;
		struct waiter *waiter = &mshrs->waiter[node];
		uint8_t got = waiter->sectors & sectors;
		if (got)
			answer_waiter(x, waiter, line, got, x->now);
		waiter->sectors &= (uint8_t)~sectors;
		if (waiter->sectors) {
			previous = node;
			next = &waiter->next;
			continue;
		}
		*next = waiter->next;
		waiter->next = mshrs->free_waiter;
		mshrs->free_waiter = node;
		mshrs->free_waiters++;
		mshr->waiters--;
	}
	mshr->last = previous;
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
	return slot->line == p->line && slot->until > x->now && slot->cluster == x->memory->sm_cluster[p->sm] &&
	       !(p->sectors & ~slot->sectors);
}

/* Misses fetch whole blocks, from DRAM and from the other side alike. */
static uint8_t fetch_blocks(const struct context *x, uint8_t sectors)
{
	uint32_t per = x->memory->sectors_per_fetch;
	uint8_t blocks = 0;
	for (uint32_t b = 0; b * per < x->memory->sectors_per_line; b++) {
		uint8_t mask = (uint8_t)(((1u << per) - 1) << b * per);
		if (sectors & mask)
			blocks |= mask;
	}
	return blocks;
}

/* Asks the policies; returns true for a bypass and puts the bits for L1 into `feedback`. */
static bool ask_policies(struct context *x, const struct packet *p, uint32_t entry, uint8_t *feedback)
{
	const struct chain *chain = x->memory->chain;
	struct l2_request request = question(x, p->line, entry);
	request.sm = p->sm;
	request.is_write = p->op == PACKET_WRITE;
	request.feedback = p->feedback;
	enum l2_route route = L2_ROUTE_PASS;
	CHAIN_EACH_GPU(chain, l2_route, if (route == L2_ROUTE_PASS) route = policy->l2_route(block, &request));
	CHAIN_EACH_GPU(chain, l2_reply, *feedback |= policy->l2_reply(block, &request));
	return route == L2_ROUTE_BYPASS;
}

/* MSHRs that a request must leave free. */
static uint32_t kept_for_far(const struct context *x, const struct packet *p)
{
	if (p->flags & PACKET_FAR || x->memory->map.sides == 1)
		return 0;
	return (x->slice->mshrs.entries + 3) / 4;
}

/* False when there is no MSHR (or no room in it): nothing has changed then. */
static bool serve_read(struct context *x, const struct packet *p)
{
	const struct machine *m = x->memory->machine;
	struct slice *slice = x->slice;
	struct mshrs *mshrs = &slice->mshrs;
	bool atomic = p->op == PACKET_ATOMIC || p->op == PACKET_REDUCE;
	bool far_request = p->flags & PACKET_FAR, crosses = p->flags & PACKET_CROSSES;
	struct tags *tags = &slice->tags;
	uint32_t set = l2_set(x, p->line);
	uint32_t entry = tags_find(tags, set, p->line);
	uint8_t valid = entry == TAG_NONE ? 0 : tags->entries[entry].valid;
	uint8_t missing = (uint8_t)(p->sectors & ~valid), fresh = missing;
	uint32_t index = MSHR_NONE;
	if (missing) {
		index = mshrs_find(mshrs, p->line);
		if (index != MSHR_NONE) {
			fresh = (uint8_t)(missing & ~mshrs->entry[index].pending);
			if (mshrs->entry[index].waiters >= m->l2_mshr_merge)
				return false;
		} else if (mshrs->free_entries <= kept_for_far(x, p)) {
			return false;
		}
		if (!mshrs->free_waiters)
			return false;
	}

	bool mergeable = m->icnt_merge_reads && p->op == PACKET_READ && !far_request;
	struct merge_slot *merge = mergeable ? merge_slot_of(x, p) : NULL;
	bool merged = mergeable && !fresh && merges(x, p, merge);
	uint32_t sectors = bits_count(p->sectors);
	fine_t cost = merged ? 0
		      : atomic ? (fine_t)sectors * x->memory->atomic_sector_fine +
					 (fine_t)p->lanes * x->memory->atomic_lane_fine
			       : (fine_t)sectors * x->memory->read_fine;
	cycle_t start = begin_service(x, cost);
	if (!far_request)
		send_credit(x, p->sm, start);
	if (merged) {
		*slice_counter(x, COUNT_icnt_merged) += sectors;
	} else if (atomic) {
		*slice_counter(x, COUNT_l2_atomic_sectors) += sectors;
	} else {
		*slice_counter(x, COUNT_l2_read_sectors) += sectors;
		*slice_counter(x, COUNT_l2_read_hit_sectors) += sectors - bits_count(fresh);
		if (mergeable)
			*merge = (struct merge_slot){p->line, start + m->l2_latency_cycles, start + m->l2_latency_cycles,
						     x->memory->sm_cluster[p->sm], p->sectors};
	}
	cycle_t done = start + m->l2_latency_cycles + (atomic ? cycle_of(cost) : 0);
	if (atomic && done > x->partition->last_write)
		x->partition->last_write = done;
	if (entry != TAG_NONE) {
		tags_touch(tags, entry);
		if (atomic)
			tags->entries[entry].dirty |= p->sectors;
	}

	uint8_t feedback = 0;
	bool bypass = x->memory->asks && !far_request && ask_policies(x, p, entry, &feedback);
	struct waiter who = {.who = p->token,
			     .from = p->op == PACKET_REDUCE ? FROM_NONE
				     : far_request               ? (uint16_t)(FROM_FAR | p->from)
							    : p->sm,
			     .sectors = p->sectors,
			     .feedback = feedback};
	uint8_t present = p->sectors & valid;
	if (present)
		answer_waiter(x, &who, p->line, present, done + (crosses && atomic ? m->l2_side_cycles : 0));
	if (!missing)
		return true;
	if (index == MSHR_NONE) {
		index = mshrs_take(mshrs, p->line);
		mshrs->entry[index].since = start;
		mshrs->entry[index].flags = bypass;
		mshrs->entry[index].feedback = p->feedback;
	}
	struct waiter *waiter = mshrs_wait(mshrs, index);
	uint32_t next = waiter->next;
	*waiter = who;
	waiter->next = next;
	waiter->sectors = missing;
	if (!fresh)
		return true;
	uint8_t wanted = fetch_blocks(x, fresh) & (uint8_t)~mshrs->entry[index].pending & (uint8_t)~valid;
	mshrs->entry[index].pending |= wanted;
	if (far_request || atomic || !crosses) {
		fetch_sectors(x, p->line, index, wanted, done);
		return true;
	}
	struct packet far = {.line = p->line,
			     .token = index,
			     .from = slice->id,
			     .op = PACKET_READ,
			     .sectors = wanted,
			     .sm = p->sm};
	send_far(x, far, map_slice(&x->memory->map, p->line, !slice->side), done);
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
		*slice_counter(x, COUNT_l2_far_sectors) += sectors;
	send_credit(x, p->sm, start);
	cycle_t done = start + x->memory->machine->l2_latency_cycles;
	if (done > x->partition->last_write)
		x->partition->last_write = done;
	if (x->memory->asks) {
		uint8_t feedback = 0;
		uint32_t entry = tags_find(&x->slice->tags, l2_set(x, p->line), p->line);
		if (ask_policies(x, p, entry, &feedback) && entry == TAG_NONE) {
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
		/* Handling one may add to the page, and move it. */
		for (uint32_t i = 0; i < page->count; i++) {
			struct packet p = page->item[i];
			handle(worker, &p, now);
		}
		calendar_close(&worker->calendar, now);
	}
}
