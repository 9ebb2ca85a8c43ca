/*
 * The L1 data cache.
 *
 * A load request finds its sectors present (hit), on their way (pending hit)
 * or asks L2 for them (miss). All resources are checked before anything
 * changes; a request that lacks one fails for exactly one reason and is tried
 * again. Write policies follow the machine; a line may hold only the bytes
 * that were stored to it (allocate-mask).
 */
#include "sm/side.h"

/* ---- loads ------------------------------------------------------------------------------------------------ */

static cycle_t hit_latency(const struct sm *sm, const struct mem_insn *mem)
{
	const struct decoded *insn = &sm->launch->insn[mem->insn];
	cycle_t extra = mem->passes > insn->least_passes ? mem->passes - insn->least_passes : 0;
	return insn->hit_wait + extra * sm->machine->l1d_wavefront_cycles;
}

static void count_pc_misses(struct sm *sm, const struct mem_insn *mem, uint32_t sectors)
{
	sm->pc_misses[mem->insn] += sectors;
}

static enum l1_fail bypass(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                           cycle_t now)
{
	enum l1_fail fail = l1d_send_past(sm, mem, request, PACKET_READ, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	count(sm, COUNT_l1_accesses, 1);
	count(sm, COUNT_l1_bypasses, 1);
	sm->loads[mem->load].bypassed++;
	count_pc_misses(sm, mem, bits_count(request->sectors));
	return L1_FAIL_NONE;
}

/* What a miss needs; nothing has changed when it fails. `entry` and `mshr` are filled in. */
static enum l1_fail reserve(struct sm *sm, const struct l1_event *event, uint32_t insn, uint32_t set,
                            bool on_miss, uint32_t *entry, uint32_t *mshr, cycle_t now)
{
	if (on_miss && *entry == TAG_NONE && l1d_victim(sm, set, event) == TAG_NONE)
		return L1_FAIL_LINE_ALLOC;
	if (*mshr == MSHR_NONE && !sm->mshrs.free_entries)
		return L1_FAIL_MSHR_ENTRY;
	if (*mshr != MSHR_NONE ? !l1d_can_merge(sm, *mshr) : !sm->mshrs.free_waiters)
		return L1_FAIL_MSHR_MERGE;
	if (!port_has_room(sm, now))
		return L1_FAIL_MISS_QUEUE;
	if (on_miss && *entry == TAG_NONE)
		*entry = l1d_allocate(sm, set, event, now);
	if (*mshr == MSHR_NONE) {
		*mshr = mshrs_take(&sm->mshrs, event->line);
		sm->mshrs.entry[*mshr].owner = (uint16_t)event->warp;
		sm->mshrs.entry[*mshr].cta = (uint16_t)event->cta;
		sm->mshrs.entry[*mshr].since = now;
		sm->mshrs.entry[*mshr].insn = insn;
	}
	if (on_miss) {
		sm->l1.entries[*entry].state |= TAG_RESERVED;
		sm->mshrs.entry[*mshr].frame = *entry;
	}
	return L1_FAIL_NONE;
}

void l1d_hit_done(struct sm *sm, const struct mem_insn *mem, cycle_t now)
{
	struct load *load = &sm->loads[mem->load];
	cycle_t done = now + hit_latency(sm, mem);
	if (done > load->done)
		load->done = done;
}

static void load_hit(struct sm *sm, struct mem_insn *mem, const struct l1_event *event, cycle_t now)
{
	l1d_hit_done(sm, mem, now);
	tags_touch(&sm->l1, event->frame);
	count(sm, COUNT_l1_hits, 1);
	count(sm, COUNT_l1_replies, 1);
	hooks_on_l1_hit(&sm->hooks, event);
}

static void count_hit_sectors(struct sm *sm, const struct mem_insn *mem, uint32_t hits)
{
	if (mem->space == SPACE_GLOBAL)
		count(sm, COUNT_l1_load_hit_sectors, hits);
}

static struct l1_lookup look_up(struct sm *sm, const struct line_request *request, uint32_t warp)
{
	struct l1_lookup look = {.set = l1d_set(sm, request->line, warp), .mshr = MSHR_NONE};
	look.entry = tags_find(&sm->l1, look.set, request->line);
	uint8_t held =
	    look.entry == TAG_NONE ? 0 : l1d_sectors_held(sm, &sm->l1, sm->l1_bytes, look.entry, request);
	look.missing = look.fresh = (uint8_t)(request->sectors & ~held);
	if (look.missing)
		look.mshr = mshrs_find(&sm->mshrs, request->line);
	if (look.mshr != MSHR_NONE)
		look.fresh &= (uint8_t)~sm->mshrs.entry[look.mshr].pending;
	return look;
}

static enum l1_fail pending_hit(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                                const struct l1_lookup *look, const struct l1_event *event)
{
	if (!l1d_can_merge(sm, look->mshr))
		return L1_FAIL_MSHR_MERGE;
	l1d_wait_for(sm, look->mshr, mem, look->missing);
	count(sm, COUNT_l1_accesses, 1);
	count(sm, COUNT_l1_pending_hits, 1);
	count_hit_sectors(sm, mem, bits_count(request->sectors));
	hooks_on_l1_pending(&sm->hooks, event);
	return L1_FAIL_NONE;
}

/* A load that uses the cache: hit, pending hit or miss, which takes its line now or when the data come. */
static enum l1_fail cached_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                                struct l1_lookup look, bool late, cycle_t now)
{
	bool on_miss = !late && sm->machine->l1d_allocate == ALLOCATE_ON_MISS;
	on_miss &= look.mshr == MSHR_NONE || sm->mshrs.entry[look.mshr].frame != TAG_NONE;
	struct l1_event event = l1d_event(sm, mem, request->line, look.entry, now);
	uint32_t sectors = bits_count(request->sectors);
	if (!look.missing) {
		count(sm, COUNT_l1_accesses, 1);
		count_hit_sectors(sm, mem, sectors);
		load_hit(sm, mem, &event, now);
		return L1_FAIL_NONE;
	}
	/* One fill, one place: a line that is on its way to the side cache goes there. */
	if (look.mshr != MSHR_NONE && sm->mshrs.entry[look.mshr].flags & MSHR_SIDE)
		return side_load(sm, mem, request, &look, now);
	if (!look.fresh)
		return pending_hit(sm, mem, request, &look, &event);
	enum l1_fail fail = reserve(sm, &event, mem->insn, look.set, on_miss, &look.entry, &look.mshr, now);
	if (fail != L1_FAIL_NONE)
		return fail;
	if (look.entry != TAG_NONE)
		tags_touch(&sm->l1, look.entry);
	sm->mshrs.entry[look.mshr].pending |= look.fresh;
	l1d_wait_for(sm, look.mshr, mem, look.missing);
	l1d_send(sm, PACKET_READ, request, look.fresh, look.mshr, l1d_feedback(sm, mem, request, now), now);
	count(sm, COUNT_l1_accesses, 1);
	count(sm, COUNT_l1_misses, 1);
	count_hit_sectors(sm, mem, sectors - bits_count(look.fresh));
	count_pc_misses(sm, mem, bits_count(look.fresh));
	event.frame = look.entry;
	hooks_on_l1_miss(&sm->hooks, &event);
	return L1_FAIL_NONE;
}

/* There is a side cache, and the line is not on its way to L1, where it would have to stay. */
static bool side_takes(const struct sm *sm, const struct l1_lookup *look)
{
	if (!side_open(sm) || (look->entry != TAG_NONE && sm->l1.entries[look->entry].state & TAG_RESERVED))
		return false;
	return look->mshr == MSHR_NONE || sm->mshrs.entry[look->mshr].flags & MSHR_SIDE;
}

static enum l1_fail follow(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                           const struct l1_lookup *look, enum l1_route route, cycle_t now)
{
	if (route == L1_ROUTE_SKIP || (route == L1_ROUTE_BYPASS && look->missing))
		return bypass(sm, mem, request, now);
	if (route == L1_ROUTE_SMEM && mem->space == SPACE_GLOBAL && side_takes(sm, look))
		return side_load(sm, mem, request, look, now);
	if (route != L1_ROUTE_HIT)
		return cached_load(sm, mem, request, *look, route == L1_ROUTE_LATE, now);
	l1d_hit_done(sm, mem, now);
	count(sm, COUNT_l1_accesses, 1);
	count(sm, COUNT_l1_hits, 1);
	count(sm, COUNT_l1_replies, 1);
	count_hit_sectors(sm, mem, bits_count(request->sectors));
	return L1_FAIL_NONE;
}

/* Policies choose the way; one that finds a resource missing is asked again at once, with the cause. */
static enum l1_fail routed_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request,
                                const struct l1_lookup *look, cycle_t now)
{
	bool some = look->missing != request->sectors;
	enum l1_presence presence = !look->missing ? L1_WHOLE
	                            : !look->fresh ? L1_PENDING
	                            : some         ? L1_PART
	                                           : L1_ABSENT;
	enum l1_fail known = (enum l1_fail)mem->fail;
	enum l1_fail fail =
	    follow(sm, mem, request, look, l1d_ask_route(sm, mem, request, presence, known, now), now);
	if (fail == L1_FAIL_NONE || fail == known)
		return fail;
	enum l1_route route = l1d_ask_route(sm, mem, request, presence, fail, now);
	return route == L1_ROUTE_CACHE ? fail : follow(sm, mem, request, look, route, now);
}

enum l1_fail l1d_load(struct sm *sm, struct mem_insn *mem, const struct line_request *request, cycle_t now)
{
	if (sm->launch->insn[mem->insn].flags & INSN_BYPASS_L1 || !sm->l1_on)
		return bypass(sm, mem, request, now);
	struct l1_lookup look = look_up(sm, request, mem->warp);
	if (hooks_has_l1_route(&sm->hooks))
		return routed_load(sm, mem, request, &look, now);
	return cached_load(sm, mem, request, look, false, now);
}

/* ---- replies ------------------------------------------------------------------------------------------------ */

void l1d_parts_done(struct sm *sm, uint32_t index, uint32_t parts, cycle_t done, cycle_t now)
{
	struct load *load = &sm->loads[index];
	if (done > load->done)
		load->done = done;
	load->waiting -= parts;
	if (!load->waiting && !load->open)
		load_finish(sm, index, now);
}

/* The line that was reserved for this miss is still there: no fence has emptied L1 since. */
static bool keeps_frame(const struct sm *sm, const struct mshr *mshr)
{
	const struct tag *tag = &sm->l1.entries[mshr->frame];
	return tag_present(&sm->l1, tag) && tag->line == mshr->line;
}

static void fill_line(struct sm *sm, const struct mshr *mshr, const struct reply *reply, cycle_t now)
{
	if (mshr->frame != TAG_NONE && !keeps_frame(sm, mshr))
		return;
	uint32_t set = l1d_set(sm, reply->line, mshr->owner);
	uint32_t entry = mshr->frame != TAG_NONE ? mshr->frame : tags_find(&sm->l1, set, reply->line);
	struct l1_event event = {.cycle = now,
	                         .line = reply->line,
	                         .sm = sm->id,
	                         .warp = mshr->owner,
	                         .pc = sm->launch->insn[mshr->insn].pc,
	                         .cta = mshr->cta,
	                         .owner = mshr->owner,
	                         .feedback = reply->feedback,
	                         .frame = entry};
	if (entry == TAG_NONE) {
		if (hooks_l1_alloc(&sm->hooks, &event) == ANSWER_NO)
			return;
		entry = l1d_allocate(sm, set, &event, now);
		if (entry == TAG_NONE)
			return;
		event.frame = entry;
	}
	sm->l1.entries[entry].valid |= reply->sectors;
	count(sm, COUNT_l1_fills, 1);
	hooks_on_l1_fill(&sm->hooks, &event);
}

/* A fill on its way to those who wait for it. */
struct delivery {
	struct sm *sm;
	cycle_t done, now;
	uint32_t replies; /* that count as L1's: none of shared memory */
};

static void deliver(void *user, const struct waiter *waiter, uint8_t got)
{
	(void)got;
	const struct delivery *delivery = user;
	if (waiter->sectors)
		return;
	count(delivery->sm, COUNT_l1_replies, delivery->replies);
	l1d_parts_done(delivery->sm, waiter->who, 1, delivery->done, delivery->now);
}

static void tell_reply(struct sm *sm, const struct reply *reply, cycle_t now)
{
	struct l1_event event = {
	    .cycle = now, .line = reply->line, .sm = sm->id, .feedback = reply->feedback, .frame = TAG_NONE};
	if (reply->token & TOKEN_LOAD) {
		const struct load *load = &sm->loads[reply->token & ~TOKEN_LOAD];
		event.warp = event.owner = load->warp;
		event.pc = sm->launch->insn[load->insn].pc;
	} else {
		const struct mshr *mshr = &sm->mshrs.entry[reply->token];
		event.warp = event.owner = mshr->owner;
		event.cta = mshr->cta;
		event.pc = sm->launch->insn[mshr->insn].pc;
		event.side = mshr->flags & MSHR_SIDE;
		event.shared = (mshr->flags & MSHR_SHARED) != 0;
	}
	hooks_on_reply(&sm->hooks, &event);
}

void l1d_flush(struct sm *sm)
{
	if (__builtin_expect(sm->side != NULL, 0)) {
		side_flush(sm);
		return;
	}
	tags_flush(&sm->l1);
	sm->l1_lines = 0;
}

void l1d_reply(struct sm *sm, const struct reply *reply, cycle_t now)
{
	const struct machine *m = sm->machine;
	uint32_t sectors = bits_count(reply->sectors);
	fine_t start = fine_of(now) > sm->fill_free ? fine_of(now) : sm->fill_free;
	sm->fill_free = start + sectors * sm->fill_fine;
	cycle_t done = cycle_of(start) + m->l1d_hit_cycles -
	               (m->l1d_hit_cycles > m->lsu_issue_cycles ? m->lsu_issue_cycles : 0);
	sm->progress++;
	if (hooks_has_on_reply(&sm->hooks))
		tell_reply(sm, reply, now);
	if (reply->token & TOKEN_LOAD) {
		uint32_t load = reply->token & ~TOKEN_LOAD;
		l1d_parts_done(sm, load, sectors, done, now);
		return;
	}
	struct mshr *mshr = &sm->mshrs.entry[reply->token];
	if (__builtin_expect(mshr->flags, 0))
		side_fill(sm, mshr, reply, now);
	else
		fill_line(sm, mshr, reply, now);
	mshr->pending &= (uint8_t)~reply->sectors;
	struct delivery delivery = {sm, done, now, !(mshr->flags & MSHR_SHARED)};
	mshrs_serve(&sm->mshrs, mshr, reply->sectors, deliver, &delivery);
	if (mshr->pending)
		return;
	if (mshr->frame != TAG_NONE && keeps_frame(sm, mshr))
		sm->l1.entries[mshr->frame].state &= (uint8_t)~TAG_RESERVED;
	if (!(mshr->flags & MSHR_SHARED)) {
		sm->l1_miss_cycles += now - mshr->since;
		sm->l1_miss_done++;
	}
	mshrs_give(&sm->mshrs, reply->token);
}
