/* An SM's life: set-up, launches, and the loop that takes it from event to event. */
#include "sm/sm.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/memq.h"
#include "sm/side.h"

enum { LOADS = 4096, DEPARTURES = 4096 };

static void init_lsu(struct sm *sm)
{
	const struct machine *m = sm->machine;
	uint32_t queue = 1u << bits_log2_up(m->lsu_queue_sm + 1);
	sm->queue = memory_zeroed(queue, sizeof *sm->queue);
	sm->queue_mask = queue - 1;
	sm->line_capacity = m->lsu_queue_sm * 32 + 2 * COALESCE_MAX;
	sm->lines = memory_zeroed(sm->line_capacity, sizeof *sm->lines);
	sm->loads = memory_zeroed(LOADS, sizeof *sm->loads);
	sm->free_loads = sm->load_count = LOADS;
	sm->free_load = UINT32_MAX;
	uint32_t merge = m->l1d_mshr_merge > 32 ? 32 : m->l1d_mshr_merge;
	mshrs_init(&sm->mshrs, m->l1d_mshr_entries, m->l1d_mshr_entries * merge);
}

static void init_port(struct sm *sm, uint32_t workers)
{
	sm->out = memory_zeroed(workers, sizeof *sm->out);
	sm->credit = &sm->memory->credits[(size_t)sm->id * workers];
	sm->header_fine = fine_of(sm->machine->icnt_header_bytes) / sm->machine->icnt_request_bytes_per_cycle;
	sm->sector_fine = fine_of(sm->machine->l1d_sector_bytes) / sm->machine->icnt_request_bytes_per_cycle;
	sm->fill_fine = fine_of(sm->machine->l1d_sector_bytes) / sm->machine->l1d_fill_bytes_per_cycle;
	sm->departures = memory_zeroed(DEPARTURES, sizeof *sm->departures);
}

void sm_init(struct sm *sm, const struct machine *machine, const struct chain *chain, struct memory *memory,
             uint32_t id, uint32_t workers)
{
	sm->machine = machine;
	sm->memory = memory;
	sm->id = id;
	sm->schedulers = machine->sm_schedulers;
	sm->warp = memory_zeroed(machine->sm_warps, sizeof *sm->warp);
	sm->regs = memory_zeroed((size_t)machine->sm_warps * 256, sizeof *sm->regs);
	sm->generations = memory_zeroed(machine->sm_warps, sizeof *sm->generations);
	sm->cta = memory_zeroed(machine->sm_ctas, sizeof *sm->cta);
	init_lsu(sm);
	init_port(sm, workers);
	tags_init(&sm->l1, machine->l1d_sets, machine->l1d_ways, machine->l1d_index, machine->l1d_line_bytes,
	          NULL);
	if (machine->l1d_write_miss == WRITE_MISS_ALLOCATE_MASK || chain_smem_routers(chain))
		sm->l1_bytes = memory_zeroed((size_t)machine->l1d_sets * machine->l1d_ways * LINE_CHUNKS,
		                             sizeof *sm->l1_bytes);
	sm->sector_chunks = machine->l1d_sector_bytes / CHUNK_BYTES;
	wheel_init(&sm->wheel);
	sm->free_reply = WHEEL_NONE;
	hooks_init_sm(&sm->hooks, chain, id);
	sm->hooks.failed = &sm->failed;
	sm->memq = memq_new(chain, sm->line_capacity);
	sm->side = side_new(chain, sm->queue_mask + 1);
	for (uint32_t slot = 0; slot < machine->sm_warps; slot++) {
		sm->warp[slot].sched = (uint8_t)(slot % sm->schedulers);
		sm->warp[slot].bit = (uint8_t)(slot / sm->schedulers);
	}
}

/* Nobody but L1 itself cares for a hit: the short way may be taken. */
static bool nobody_watches_l1(const struct sm *sm)
{
	const struct hooks *h = &sm->hooks;
	uint32_t wake = ~(uint32_t)h->idle;
	uint32_t asks = h->has_l1_route | h->has_set_index | h->has_l1_victim | h->has_side_cache;
	uint32_t hears = h->has_on_l1_hit | h->has_on_l1_miss | h->has_on_l1_pending | h->has_on_l1_evict |
	                 h->has_l1_feedback | h->has_smem_route;
	bool only_watch = h->hit_watch && __builtin_popcount(h->has_on_l1_hit) == 1;
	return !(asks & wake) && !(hears & wake & ~h->chain->watching) && (only_watch || !h->has_on_l1_hit);
}

void sm_free(struct sm *sm, uint32_t workers)
{
	for (uint32_t i = 0; sm->out && i < workers; i++)
		free(sm->out[i].item);
	for (uint32_t i = 0; sm->cta && i < sm->machine->sm_ctas; i++)
		free(sm->cta[i].buffer);
	free(sm->out);
	free(sm->warp);
	free(sm->regs);
	free(sm->generations);
	free(sm->cta);
	free(sm->fetch);
	free(sm->queue);
	free(sm->lines);
	free(sm->loads);
	free(sm->l1_bytes);
	free(sm->waiting.item);
	free(sm->departures);
	free(sm->reply);
	free(sm->reply_link);
	memq_free(sm->memq);
	side_free(sm->side);
	mshrs_free(&sm->mshrs);
	tags_free(&sm->l1);
	wheel_free(&sm->wheel);
	hooks_free_sm(&sm->hooks);
}

/* Only SMs that get a CTA pay for this. */
static void find_next_epochs(struct sm *sm)
{
	sm->next_epoch_cycle = CYCLE_NEVER;
	sm->next_epoch_insns = UINT64_MAX;
	for (uint32_t mask = sm->hooks.has_on_epoch; mask; mask &= mask - 1) {
		uint32_t i = (uint32_t)__builtin_ctz(mask);
		if (sm->epoch_cycle[i] && sm->epoch_cycle[i] < sm->next_epoch_cycle)
			sm->next_epoch_cycle = sm->epoch_cycle[i];
		if (sm->epoch_insns[i] && sm->epoch_insns[i] < sm->next_epoch_insns)
			sm->next_epoch_insns = sm->epoch_insns[i];
	}
	/* Where instructions are counted, every cycle may be one. */
	sm->epochs_due = sm->next_epoch_insns != UINT64_MAX ? 0 : sm->next_epoch_cycle;
}

void sm_begin_launch(struct sm *sm, const struct launch *launch)
{
	sm->launch = launch;
	sm->active = true;
	sm->now = 0;
	sm->accounted = 0;
	memset(&sm->counters, 0, sizeof sm->counters);
	for (uint32_t s = 0; s < sm->schedulers; s++) {
		struct scheduler *sched = &sm->sched[s];
		memset(sched, 0, sizeof *sched);
		sched->next = CYCLE_NEVER;
		sched->view = (struct sched_view){.sm = sm->id,
		                                  .scheduler = s,
		                                  .age = sched->age,
		                                  .by_age = sched->by_age,
		                                  .next_pc = sched->next_pc,
		                                  .last = UINT32_MAX};
		sched->blocked = CAUSE_PIPE;
	}
	if (sm->fetch_capacity <= launch->fetch_lines) {
		sm->fetch_capacity = launch->fetch_lines + 1;
		sm->fetch = memory_grow(sm->fetch, sm->fetch_capacity, sizeof *sm->fetch);
	}
	memset(sm->fetch, 0, sm->fetch_capacity * sizeof *sm->fetch);
	sm->constant = 0;
	sm->next_generation = 0;
	sm->pending_head = sm->pending_count = sm->ended_count = 0;
	sm->lsu_next = sm->reply_next = CYCLE_NEVER;
	sm->pipe_free = sm->fill_free = 0;
	tags_flush(&sm->l1);
	sm->l1_lines = 0;
	sm->l1_on = sm->machine->l1d_enabled && launch->l1_lines;
	hooks_begin_launch(&sm->hooks, launch->pass, launch->kernel->shared_bytes > 0);
	sm->plain_hits = sm->l1_on && nobody_watches_l1(sm);
	port_reset(sm);
	if (sm->memq)
		memq_reset(sm->memq);
	sm->l1_miss_cycles = sm->l1_miss_done = 0;
	sm->l2_busy = sm->dram_busy = 0;
	for (uint32_t i = 0; i < sm->hooks.chain->count; i++) {
		sm->epoch_insns[i] = sm->hooks.chain->link[i].policy.epoch_insns;
		sm->epoch_cycle[i] = sm->hooks.chain->link[i].policy.epoch_cycles;
	}
	find_next_epochs(sm);
	wheel_reset(&sm->wheel, 0);
	if (sm->side)
		side_begin_launch(sm);
}

void sm_push_cta(struct sm *sm, uint64_t cta, cycle_t when)
{
	uint32_t at = (sm->pending_head + sm->pending_count++) % 64;
	sm->pending[at].when = when;
	sm->pending[at].cta = cta;
}

static void grow_replies(struct sm *sm)
{
	uint32_t old = sm->reply_capacity;
	sm->reply_capacity = old ? old * 2 : 64;
	sm->reply = memory_grow(sm->reply, sm->reply_capacity, sizeof *sm->reply);
	sm->reply_link = memory_grow(sm->reply_link, sm->reply_capacity, sizeof *sm->reply_link);
	for (uint32_t i = old; i < sm->reply_capacity; i++)
		sm->reply_link[i] = i + 1 < sm->reply_capacity ? i + 1 : WHEEL_NONE;
	sm->free_reply = old;
}

void sm_push_reply(struct sm *sm, const struct reply *reply)
{
	if (sm->free_reply == WHEEL_NONE)
		grow_replies(sm);
	uint32_t event = sm->free_reply;
	sm->free_reply = sm->reply_link[event];
	sm->reply[event] = *reply;
	cycle_t when = reply->when > sm->now ? reply->when : sm->now;
	wheel_push(&sm->wheel, sm->reply_link, when, event);
	if (when < sm->reply_next)
		sm->reply_next = when;
}

/*
 * Replies of one cycle by line, in an order that says nothing of when memory
 * handed them over, hence of the quantum; those of one line as they came.
 */
static uint32_t sort_replies(struct sm *sm, uint32_t event)
{
	uint32_t first = WHEEL_NONE;
	while (event != WHEEL_NONE) {
		uint32_t next = sm->reply_link[event], *at = &first;
		while (*at != WHEEL_NONE && sm->reply[*at].line <= sm->reply[event].line)
			at = &sm->reply_link[*at];
		sm->reply_link[event] = *at;
		*at = event;
		event = next;
	}
	return first;
}

static void take_replies(struct sm *sm, cycle_t now)
{
	cycle_t when = wheel_next(&sm->wheel);
	uint32_t event = when <= now ? wheel_take(&sm->wheel, sm->reply_link, when) : WHEEL_NONE;
	if (event != WHEEL_NONE && sm->reply_link[event] != WHEEL_NONE)
		event = sort_replies(sm, event);
	while (event != WHEEL_NONE) {
		struct reply reply = sm->reply[event];
		uint32_t next = sm->reply_link[event];
		sm->reply_link[event] = sm->free_reply;
		sm->free_reply = event;
		l1d_reply(sm, &reply, now);
		event = next;
	}
	sm->reply_next = wheel_next(&sm->wheel);
	/* Something came free: a stuck head of the LSU queue may go on. */
	if (__builtin_expect(sm->memq != NULL, 0))
		memq_replied(sm, now);
	else if (sm->queue_count && sm->queue[sm->queue_head].fail != L1_FAIL_NONE)
		sm->lsu_next = now;
}

static cycle_t sooner(cycle_t a, cycle_t b)
{
	return a < b ? a : b;
}

static void take_credits(struct sm *sm, cycle_t now)
{
	port_drain(sm, now);
	if (__builtin_expect(sm->memq != NULL, 0))
		memq_credited(sm, now);
	else if (sm->queue_count && sm->queue[sm->queue_head].fail == L1_FAIL_MISS_QUEUE)
		sm->lsu_next = sooner(sm->lsu_next, port_has_room(sm, now) ? now : port_room_at(sm));
}

static void start_ctas(struct sm *sm, cycle_t now)
{
	while (sm->pending_count && sm->pending[sm->pending_head].when <= now) {
		uint64_t cta = sm->pending[sm->pending_head].cta;
		sm->pending_head = (sm->pending_head + 1) % 64;
		sm->pending_count--;
		warp_start_cta(sm, cta, now);
	}
}

/* The next event other than an issue. */
static cycle_t next_arrival(struct sm *sm)
{
	cycle_t next = sooner(sm->reply_next, sm->lsu_next);
	if (sm->pending_count)
		next = sooner(next, sm->pending[sm->pending_head].when);
	if (sm->waiting.count)
		next = sooner(next, port_next_credit(sm, sm->now));
	/* Policies that count cycles must hear of them even if nothing moves. */
	if (sm->next_epoch_cycle < next && sm->resident_warps)
		next = sm->next_epoch_cycle;
	return next;
}

static cycle_t next_issue(const struct sm *sm)
{
	cycle_t next = sm->sched[0].next;
	for (uint32_t s = 1; s < sm->schedulers; s++)
		next = sooner(next, sm->sched[s].next);
	return next;
}

cycle_t sm_next(struct sm *sm)
{
	return sooner(next_arrival(sm), next_issue(sm));
}

struct sm_view sm_view_of(const struct sm *sm, cycle_t now)
{
	static const struct counters none;
	const uint64_t *c = sm->active ? sm->counters.value : none.value;
	return (struct sm_view){.cycle = now,
	                        .sm = sm->id,
	                        .sm_count = sm->machine->sm_count,
	                        .schedulers = sm->schedulers,
	                        .warps = sm->machine->sm_warps,
	                        .warp_insns = c[COUNT_warp_insns],
	                        .thread_insns = c[COUNT_thread_insns],
	                        .l1_accesses = c[COUNT_l1_accesses],
	                        .l1_misses = c[COUNT_l1_misses],
	                        .l1_miss_cycles = sm->l1_miss_cycles,
	                        .l1_miss_done = sm->l1_miss_done,
	                        .resident_warps = sm->resident_warps,
	                        .smem_bytes_used =
	                            sm->launch ? sm->resident_ctas * sm->launch->kernel->shared_bytes : 0,
	                        .smem_bytes = sm->machine->smem_bytes,
	                        .l2_busy = sm->l2_busy,
	                        .dram_busy = sm->dram_busy,
	                        .warp_generation = sm->generations};
}

static void run_epochs(struct sm *sm, cycle_t now)
{
	if (now < sm->next_epoch_cycle && sm->counters.value[COUNT_warp_insns] < sm->next_epoch_insns)
		return;
	for (uint32_t i = 0; i < sm->hooks.chain->count; i++) {
		const struct policy *policy = &sm->hooks.chain->link[i].policy;
		if (!policy->on_epoch)
			continue;
		bool insns =
		    policy->epoch_insns && sm->counters.value[COUNT_warp_insns] >= sm->epoch_insns[i];
		bool cycles = policy->epoch_cycles && now >= sm->epoch_cycle[i];
		if (!insns && !cycles)
			continue;
		struct sm_view view = sm_view_of(sm, now);
		hooks_on_epoch(&sm->hooks, i, &view);
		for (uint32_t s = 0; s < sm->schedulers; s++)
			sm->sched[s].gate_stands = false;
		if (hooks_l1_flush(&sm->hooks, i))
			l1d_flush(sm);
		if (insns)
			sm->epoch_insns[i] += policy->epoch_insns;
		if (cycles)
			sm->epoch_cycle[i] += policy->epoch_cycles;
	}
	find_next_epochs(sm);
}

/* Something was observed in this cycle: gates may answer otherwise in the next. */
static void retry_gated(struct sm *sm, cycle_t now)
{
	for (uint32_t s = 0; s < sm->schedulers; s++) {
		struct scheduler *sched = &sm->sched[s];
		if (sched->blocked == CAUSE_GATED && sched->ready && sched->next > now + 1 &&
		    !sched->gate_stands && sm->progress != sched->observed) {
			sched->observed = sm->progress;
			sched->next = now + 1;
		}
	}
}

static void take_arrivals(struct sm *sm, cycle_t now)
{
	if (sm->reply_next <= now)
		take_replies(sm, now);
	if (sm->pending_count && sm->pending[sm->pending_head].when <= now)
		start_ctas(sm, now);
	if (sm->waiting.count)
		take_credits(sm, now);
	if (sm->lsu_next <= now)
		lsu_step(sm, now);
}

void sm_run_until(struct sm *sm, cycle_t until)
{
	sm->until = until;
	cycle_t arrival = next_arrival(sm), issue = next_issue(sm);
	while (!sm->failed) {
		cycle_t now = sooner(arrival, issue);
		if (now >= until)
			break;
		if (now < sm->now)
			now = sm->now;
		sm->now = now;
		if (arrival <= now)
			take_arrivals(sm, now);
		for (uint32_t s = 0; s < sm->schedulers; s++)
			if (sm->sched[s].next <= now)
				scheduler_issue(sm, s, now);
		if (now >= sm->epochs_due)
			run_epochs(sm, now);
		if (hooks_has_gate(&sm->hooks))
			retry_gated(sm, now);
		issue = next_issue(sm);
		arrival = next_arrival(sm);
	}
	sm->now = until;
	port_collect(sm, until - 1);
}

bool sm_idle(const struct sm *sm)
{
	return !sm->resident_ctas && !sm->pending_count && !sm->queue_count && !sm->waiting.count &&
	       sm->free_loads == sm->load_count && (!sm->memq || !sm->memq->count);
}

void sm_end_launch(struct sm *sm, cycle_t cycles)
{
	if (cycles > sm->accounted)
		count(sm, COUNT_stall_idle, cycles - sm->accounted);
	sm->accounted = cycles;
}
