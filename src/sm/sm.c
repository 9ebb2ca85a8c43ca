/* An SM's life: set-up, launches, and the loop that takes it from event to event. */
#include "sm/sm.h"

#include <stdlib.h>

#include "base/memory.h"
#include "sm/issue.h"
#include "sm/prefetch.h"

/* Each part knows the parts that come after it. */
static void wire(struct sm *sm)
{
	sm->warps.hooks = sm->lsu.hooks = sm->l1.hooks = &sm->hooks;
	sm->warps.account = sm->lsu.account = sm->l1.account = sm->loads.account = &sm->account;
	sm->warps.ifetch = &sm->ifetch;
	sm->lsu.loads = sm->l1.loads = &sm->loads;
	sm->lsu.warps = sm->l1.warps = sm->loads.warps = &sm->warps;
	sm->lsu.l1 = &sm->l1;
	sm->l1.port = &sm->port;
	sm->lsu.aux = sm->l1.aux = sm->aux;
	sm->lsu.prel1 = sm->prel1;
}

void sm_init(struct sm *sm, const struct machine *machine, const struct chain *chain,
             const struct crossbar *crossbar, const struct index *l1_index, struct region *region,
             uint32_t id)
{
	sm->machine = sm->ifetch.machine = machine;
	sm->crossbar = crossbar;
	sm->l1_index = l1_index;
	sm->region = region;
	sm->id = id;
	hooks_init_sm(&sm->hooks, chain, id);
	sm->hooks.failed = &sm->failed;
}

/* The parts of an SM that has its first CTA. Many a program uses few: the others would take time and memory for nothing. */
static void build(struct sm *sm)
{
	const struct machine *machine = sm->machine;
	const struct chain *chain = sm->hooks.chain;
	sm->built = true;
	warps_init(&sm->warps, machine, sm->region, sm->sched);
	polls_init(&sm->warps.polls, sm->crossbar, sm->id, machine->sm_warps);
	lsu_init(&sm->lsu, machine);
	loads_init(&sm->loads);
	l1_init(&sm->l1, machine, &sm->hooks, sm->l1_index, sm->region, sm->id);
	port_init(&sm->port, sm->crossbar, &sm->account.counters, sm->id);
	replies_init(&sm->replies);
	sm->prel1 = prel1_new(chain, &sm->lsu);
	if (chain->profiles)
		sm->account.since = memory_zeroed(machine->sm_warps, sizeof *sm->account.since);
	sm->aux = aux_new(chain, &sm->l1, sm->lsu.mask + 1);
	sm->l1.prefetcher = prefetcher_new(chain, &sm->l1);
	wire(sm);
}

void sm_free(struct sm *sm)
{
	warps_free(&sm->warps);
	ifetch_free(&sm->ifetch);
	lsu_free(&sm->lsu);
	prel1_free(sm->prel1);
	loads_free(&sm->loads);
	prefetcher_free(sm->l1.prefetcher);
	l1_free(&sm->l1);
	aux_free(sm->aux);
	port_free(&sm->port);
	replies_free(&sm->replies);
	free(sm->account.since);
	hooks_free_sm(&sm->hooks);
}

void sm_lend(struct sm *sm, uint32_t worker, const struct sm_worker *lent)
{
	sm->worker = worker;
	sm->active = sm->failed = sm->warps.failed = false;
	sm->hooks.error = sm->warps.error = lent->error;
	sm->lsu.coalescer = lent->coalescer;
	sm->warps.reader = lent->reader;
	sm->account.pc_misses = lent->pc_misses;
	sm->account.profile = lent->profile;
}

void sm_begin_launch(struct sm *sm, const struct launch *launch)
{
	uint32_t schedulers = sm->machine->sm_schedulers;
	if (!sm->built)
		build(sm);
	sm->launch = launch;
	sm->active = true;
	sm->now = 0;
	sm->ctas.head = sm->ctas.count = 0;
	sm->l2_busy = sm->dram_busy = 0;
	sched_alarm_clear(&sm->alarm);
	account_reset(&sm->account);
	if (sm->account.since)
		memset(sm->account.since, 0, sm->machine->sm_warps * sizeof *sm->account.since);
	for (uint32_t s = 0; s < schedulers; s++)
		scheduler_reset(&sm->sched[s], sm->id, s,
		                (sm->machine->sm_warps + schedulers - 1) / schedulers, sm->warps.of[s],
		                &sm->alarm);
	warps_begin_launch(&sm->warps, launch);
	ifetch_begin_launch(&sm->ifetch, launch->fetch_lines);
	lsu_begin_launch(&sm->lsu, launch);
	port_begin_launch(&sm->port);
	replies_begin_launch(&sm->replies);
	hooks_begin_launch(&sm->hooks, launch->pass, launch->kernel->shared_bytes > 0);
	epochs_begin_launch(&sm->epochs, &sm->hooks);
	sm->issue_mode = issue_mode_of(sm);
	l1_begin_launch(&sm->l1, launch);
	if (sm->prel1)
		prel1_reset(sm->prel1);
	if (sm->l1.prefetcher)
		prefetcher_begin_launch(sm->l1.prefetcher);
	if (sm->aux) {
		struct sm_view view = sm_view_of(sm, 0);
		aux_begin_launch(sm->aux, &view);
	}
}

void sm_push_cta(struct sm *sm, uint64_t cta, cycle_t when)
{
	uint32_t at = (sm->ctas.head + sm->ctas.count++) % CTA_SLOTS;
	sm->ctas.item[at].when = when;
	sm->ctas.item[at].cta = cta;
}

uint32_t sm_ctas(const struct sm *sm)
{
	return sm->warps.resident_ctas + sm->ctas.count;
}

struct sm_view sm_view_of(const struct sm *sm, cycle_t now)
{
	static const struct account none;
	const struct account *account = sm->active ? &sm->account : &none;
	const uint64_t *c = account->counters.value;
	return (struct sm_view){
	    .cycle = now,
	    .sm = sm->id,
	    .sm_count = sm->machine->sm_count,
	    .schedulers = sm->machine->sm_schedulers,
	    .warps = sm->machine->sm_warps,
	    .warp_insns = c[COUNT_warp_insns],
	    .thread_insns = c[COUNT_thread_insns],
	    .l1_accesses = c[COUNT_l1_accesses],
	    .l1_misses = c[COUNT_l1_misses],
	    .l1_miss_cycles = sm->account.miss_cycles,
	    .l1_miss_done = sm->account.misses,
	    .resident_warps = sm->warps.resident,
	    .memory_cycles = c[COUNT_stall_long_scoreboard] + c[COUNT_stall_lg_throttle],
	    .idle_cycles = c[COUNT_stall_idle] + c[COUNT_stall_fixed_latency] +
	                   c[COUNT_stall_short_scoreboard] + c[COUNT_stall_constant] +
	                   c[COUNT_stall_branch_resolving] + c[COUNT_stall_no_instruction] +
	                   c[COUNT_stall_barrier] + c[COUNT_stall_mbarrier] + c[COUNT_stall_membar],
	    .smem_bytes_used = sm->launch ? sm->warps.resident_ctas * sm->launch->kernel->shared_bytes : 0,
	    .smem_bytes = sm->machine->smem_bytes,
	    .l2_busy = sm->l2_busy,
	    .dram_busy = sm->dram_busy,
	    .warp_generation = sm->warps.generations,
	    .resident_ctas = sm->warps.resident_ctas,
	    .accounted = account->accounted,
	    .reason_cycles = &c[COUNT_issue_cycles]};
}

/* ---- what arrives ------------------------------------------------------------------------------------------------ */

static void take_replies(struct sm *sm, cycle_t now)
{
	for (uint32_t event = replies_first(&sm->replies); event != WHEEL_NONE;) {
		struct reply reply;
		replies_take(&sm->replies, &event, &reply);
		l1_reply(&sm->l1, &reply, now);
	}
	replies_done(&sm->replies);
	/* Something came free: a stuck request may go on. */
	lsu_filled(&sm->lsu, now);
}

void sm_tell_ended(struct sm *sm, uint32_t from, cycle_t now)
{
	for (uint32_t i = from; i < sm->warps.ended_count; i++) {
		struct sm_view view = sm_view_of(sm, now);
		aux_cta_ended(sm->aux, sm->warps.ended[i].slot, &view);
	}
}

/* Ask for prefetches for the warps of a new CTA, in the order of the CTA. */
static void prefetch_for_cta(struct sm *sm, uint32_t cta_slot, cycle_t now)
{
	const struct cta *cta = &sm->warps.cta[cta_slot];
	for (uint32_t slot = cta->first_slot; slot < cta->end_slot; slot++)
		if (sm->warps.warp[slot].generation && sm->warps.warp[slot].cta_slot == cta_slot)
			prefetcher_warp(sm->l1.prefetcher, PREFETCH_ON_WARP, slot, now);
}

static void start_cta(struct sm *sm, uint64_t cta, cycle_t now)
{
	struct warp_source sources[CTA_WARPS];
	uint32_t slot, ended = sm->warps.ended_count;
	if (!warps_open_cta(&sm->warps, cta, sources, &slot)) {
		sm->failed = true;
		return;
	}
	if (!sm->warps.resident)
		account_idle(&sm->account, now);
	if (sm->aux) {
		struct sm_view view = sm_view_of(sm, now);
		aux_cta_began(sm->aux, &view);
	}
	warps_start(&sm->warps, slot, sources, now);
	if (sm->l1.prefetcher)
		prefetch_for_cta(sm, slot, now);
	if (sm->aux)
		sm_tell_ended(sm, ended, now);
}

static void start_ctas(struct sm *sm, cycle_t now)
{
	while (sm->ctas.count && sm->ctas.item[sm->ctas.head].when <= now) {
		uint64_t cta = sm->ctas.item[sm->ctas.head].cta;
		sm->ctas.head = (sm->ctas.head + 1) % CTA_SLOTS;
		sm->ctas.count--;
		start_cta(sm, cta, now);
	}
}

static cycle_t sooner(cycle_t a, cycle_t b)
{
	return a < b ? a : b;
}

static void step_lsu(struct sm *sm, cycle_t now)
{
	lsu_step(&sm->lsu, now, sooner(sooner(sm->replies.next, sm->until), sm->epochs.next_cycle));
	if (!lsu_take_room(&sm->lsu))
		return;
	for (uint32_t s = 0; s < sm->machine->sm_schedulers; s++)
		scheduler_lsu_room(&sm->sched[s], now);
}

static void take_arrivals(struct sm *sm, cycle_t now)
{
	if (sm->replies.next <= now)
		take_replies(sm, now);
	if (sm->ctas.count)
		start_ctas(sm, now);
	if (port_waits(&sm->port)) {
		port_drain(&sm->port, now);
		lsu_credited(&sm->lsu, now);
	}
	if (sm->lsu.next <= now)
		step_lsu(sm, now);
}

/* The next event other than an issue. */
static inline cycle_t next_arrival(struct sm *sm)
{
	cycle_t next = sooner(sm->replies.next, sm->lsu.next);
	if (sm->ctas.count)
		next = sooner(next, sm->ctas.item[sm->ctas.head].when);
	if (__builtin_expect(port_waits(&sm->port), 0))
		next = sooner(next, port_next_credit(&sm->port, sm->now));
	/* Policies that count cycles must hear of them even if nothing moves. */
	if (sm->epochs.next_cycle < next && sm->warps.resident)
		next = sm->epochs.next_cycle;
	return next;
}

cycle_t sm_next(struct sm *sm)
{
	return sooner(next_arrival(sm), sm->alarm.at);
}

/* ---- the loop ------------------------------------------------------------------------------------------------------ */

static void end_epochs(struct sm *sm, cycle_t now)
{
	uint64_t insns = sm->account.counters.value[COUNT_warp_insns];
	if (!epochs_are_over(&sm->epochs, insns, now))
		return;
	for (uint32_t mask = sm->hooks.has_on_epoch; mask; mask &= mask - 1) {
		uint32_t link = (uint32_t)__builtin_ctz(mask);
		if (!epochs_end(&sm->epochs, &sm->hooks, link, insns, now))
			continue;
		struct sm_view view = sm_view_of(sm, now);
		hooks_on_epoch(&sm->hooks, link, &view);
		for (uint32_t s = 0; s < sm->machine->sm_schedulers; s++)
			scheduler_warps_changed(&sm->sched[s]);
		if (hooks_l1_flush(&sm->hooks, link))
			l1_flush(&sm->l1);
	}
	epochs_settle(&sm->epochs, &sm->hooks);
}

/* Policies hear of epochs that end; what they then let go is looked at in the next cycle. */
static inline void tell_policies(struct sm *sm, cycle_t now, cycle_t *arrival)
{
	if (now >= sm->epochs.due) {
		end_epochs(sm, now);
		*arrival = next_arrival(sm);
	}
	if (__builtin_expect(hooks_has_throttle(&sm->hooks), 0))
		for (uint32_t s = 0; s < sm->machine->sm_schedulers; s++)
			scheduler_retry_throttled(&sm->sched[s], sm->account.progress, now);
}

void sm_run_until(struct sm *sm, cycle_t until)
{
	sm->until = until;
	cycle_t arrival = next_arrival(sm);
	while (!(sm->failed | sm->warps.failed)) {
		cycle_t now = sooner(arrival, sm->alarm.at);
		if (now >= until)
			break;
		now = now > sm->now ? now : sm->now;
		sm->now = now;
		if (arrival <= now) {
			take_arrivals(sm, now);
			arrival = next_arrival(sm);
		}
		if (sm->alarm.at <= now) {
			issue_cycles(sm, sooner(arrival, until));
			arrival = sooner(arrival, sm->lsu.next);
		}
		tell_policies(sm, sm->now, &arrival);
	}
	sm->failed |= sm->warps.failed;
	sm->now = until;
	port_collect(&sm->port, until - 1);
}

bool sm_idle(const struct sm *sm)
{
	return !sm_ctas(sm) && !sm->lsu.count && !port_waits(&sm->port) && loads_idle(&sm->loads) &&
	       (!sm->prel1 || !sm->prel1->count);
}

void sm_end_launch(struct sm *sm, cycle_t cycles)
{
	warps_count_resident(&sm->warps, sm->account.accounted);
	if (sm->l1.prefetcher)
		prefetcher_end_launch(sm->l1.prefetcher);
	account_idle(&sm->account, cycles);
}

/* ---- ahead of a quantum ------------------------------------------------------------------------------------------- */

static void expect_load(const struct sm *sm, uint32_t index)
{
	cpu_fetch(loads_get(&sm->loads, index));
}

static void expect_fill(const struct sm *sm, const struct mshr *mshr)
{
	tags_expect(&sm->l1.tags, mshr->set);
	mshr_expect(&sm->l1.mshrs, mshr->line);
	if (mshr->waiters)
		expect_load(sm, mshr->first.who);
}

void sm_expect(const struct sm *sm, cycle_t until)
{
	enum { MOST = 64 };
	const struct mshr *mshr = sm->l1.mshrs.entry;
	uint32_t token[MOST], count = replies_before(&sm->replies, until, token, MOST);
	for (uint32_t i = 0; i < count; i++)
		if (token[i] & TOKEN_LOAD)
			expect_load(sm, token[i] & ~TOKEN_LOAD);
		else
			cpu_fetch(&mshr[token[i]]);
	for (uint32_t i = 0; i < count; i++)
		if (!(token[i] & TOKEN_LOAD))
			expect_fill(sm, &mshr[token[i]]);
}
