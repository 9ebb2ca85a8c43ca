#include "sm/issue.h"

#include "base/bits.h"
#include "sm/phase_waits.h"
#include "sm/poll_waits.h"
#include "sm/prefetch.h"

enum { WINDOW_SHIFT = 24, CLUSTER_CTAS = 16 };

/* Which CTA's shared memory of the cluster a generic address is in, from 0; CLUSTER_CTAS: in none. */
static uint64_t cluster_rank(const struct sm *sm, uint64_t address)
{
	uint64_t window = sm->launch->kernel->shared_window >> WINDOW_SHIFT;
	uint64_t rank = (address >> WINDOW_SHIFT) - window,
	         ranks = sm->machine->smem_cluster_cycles ? CLUSTER_CTAS : 1;
	return window && rank < ranks ? rank : CLUSTER_CTAS;
}

static uint64_t first_address(const struct warp_step *step)
{
	uint64_t address[TRACE_MAX_LANES] = {step->base};
	if (step->kind == ADDR_LIST)
		step_addresses(step, address);
	return address[0];
}

/* Where a generic access goes, by its first address. */
static __attribute__((noinline)) enum mem_space resolve_space(const struct sm *sm,
                                                              const struct warp_step *step)
{
	const struct trace_kernel *kernel = sm->launch->kernel;
	uint64_t address = first_address(step);
	if (kernel->local_window && address >> WINDOW_SHIFT == kernel->local_window >> WINDOW_SHIFT)
		return SPACE_LOCAL;
	return cluster_rank(sm, address) < CLUSTER_CTAS ? SPACE_SHARED : SPACE_GLOBAL;
}

/*
 * A generic access to shared memory: it may be that of another CTA of the cluster. Traces do not say which CTA of the cluster
 * the own one is; it is taken for the first, which is right for as many accesses as it is wrong for where CTAs do the same.
 */
static __attribute__((noinline)) void note_cluster(const struct sm *sm, struct mem_insn *mem,
                                                   const struct warp_step *step)
{
	mem->far_shared = cluster_rank(sm, first_address(step)) % CLUSTER_CTAS != 0;
}

uint8_t issue_counter(uint8_t op, enum mem_space space)
{
	if (space == SPACE_GLOBAL)
		return op == OP_LOAD    ? COUNT_insns_global_load
		       : op == OP_STORE ? COUNT_insns_global_store
		                        : COUNT_insns_atomic;
	if (space == SPACE_SHARED)
		return op == OP_LOAD    ? COUNT_insns_shared_load
		       : op == OP_STORE ? COUNT_insns_shared_store
		                        : 0;
	return 0;
}

/* A write that polls may wait for. */
static void note_write(struct sm *sm, const struct warp *warp, struct mem_insn *mem, cycle_t now)
{
	if (sm->launch->watch && mem->space == SPACE_GLOBAL && warp->insn->op != OP_LOAD)
		mem->notice = polls_write(&sm->warps.polls, &warp->step, warp->insn->width);
	if (mem->notice)
		polls_own(&sm->warps.polls, warp->slot, &warp->step, now);
}

/* An access that mbarriers, groups of copies or polls hear of; `mark` stood above its addresses. */
static __attribute__((noinline)) void note_async(struct sm *sm, struct warp *warp, uint32_t slot,
                                                 struct mem_insn *mem, uint64_t mark, cycle_t now)
{
	struct mbarriers *mbarriers = &sm->warps.mbarriers;
	switch (warp->insn->async) {
	case ASYNC_COPY:
		mem->copy_group = copies_begin(&sm->warps.copies[slot]);
		if (mbarriers->in_use)
			mem->copy_group |= (uint8_t)(mbarriers_copy(mbarriers, slot) * COPY_GROUPS);
		break;
	case ASYNC_BULK:
		mem->mbarrier = mbarriers->in_use ? (uint16_t)mark : 0;
		mem->cta_slot = (uint8_t)warp->cta_slot;
		if (warp->insn->op == OP_STORE)
			note_write(sm, warp, mem, now);
		break;
	case ASYNC_PHASE_WAIT:
		mbarriers_wait(mbarriers, slot, warp->step.base, mark);
		break;
	case ASYNC_POLL:
	case ASYNC_WRITE:
		note_write(sm, warp, mem, now);
		break;
	default:
		phase_waits_change(&sm->warps, slot, now);
	}
}

/* Counts an access; returns where it goes. */
static inline enum mem_space count_access(struct sm *sm, const struct warp *warp, const struct decoded *insn)
{
	enum mem_space space = (enum mem_space)insn->space;
	uint8_t counted = insn->counted;
	if (__builtin_expect(space == SPACE_GENERIC, 0)) {
		space = resolve_space(sm, &warp->step);
		counted = issue_counter(insn->op, space);
	}
	if (counted)
		count(&sm->account, (enum counter)counted, 1);
	return space;
}

/* It enters the LSU; its registers have no time from now on. */
static inline struct mem_insn *enter_lsu(struct sm *sm, struct warp *warp, const struct decoded *insn,
                                         enum mem_space space, cycle_t now)
{
	enum stall stall = space == SPACE_SHARED ? STALL_SHORT_SCOREBOARD : STALL_LONG_SCOREBOARD;
	scoreboard_set(warp->reg, insn->dst, insn->dst_span, READY_NEVER(stall));
	struct mem_insn *mem = lsu_push(&sm->lsu, warp, warp->slot, space, now);
	if (__builtin_expect(insn->space == SPACE_GENERIC && space == SPACE_SHARED, 0))
		note_cluster(sm, mem, &warp->step);
	return mem;
}

/* An access that may have to do with mbarriers or groups of copies. */
static void issue_memory(struct sm *sm, struct warp *warp, const struct decoded *insn, cycle_t now)
{
	enum mem_space space = count_access(sm, warp, insn);
	if (warp->step.kind == ADDR_NONE)
		return;
	uint64_t mark = insn->async != ASYNC_NONE ? step_take_mark(&warp->step, insn->flags) : 0;
	struct mem_insn *mem = enter_lsu(sm, warp, insn, space, now);
	if (insn->async != ASYNC_NONE)
		note_async(sm, warp, warp->slot, mem, mark, now);
}

static ready_t after_branch(const struct machine *m, const struct warp *warp, const struct decoded *insn,
                            cycle_t now)
{
	uint64_t mask = warp->step.mask;
	cycle_t wait = mask ? m->sm_branch_cycles : insn_latency(insn);
	if (mask && mask != warp->active && !(mask & ~warp->active))
		wait += m->sm_divergence_cycles;
	return ready_at(now + wait, STALL_BRANCH_RESOLVING);
}

static ready_t after_fence(struct sm *sm, const struct decoded *insn, cycle_t now)
{
	const struct machine *m = sm->machine;
	if (!(insn->flags & INSN_GPU_SCOPE))
		return ready_at(now + insn_latency(insn), STALL_MEMBAR);
	l1_flush(&sm->l1);
	cycle_t cycles = insn->effects & EFFECT_EMPTIES ? m->sm_invalidate_cycles : m->sm_fence_cycles;
	return ready_at(now + cycles, STALL_MEMBAR);
}

/* What execute() has no case for is ordinary, and so are those of which compute() knows how. */
uint8_t issue_effects(const struct trace_insn *insn)
{
	uint8_t predicate = insn->flags & INSN_SETS_PREDICATE ? EFFECT_PREDICATE : 0;
	bool accesses = insn->flags & INSN_MEMORY && insn->space != SPACE_CONST;
	switch (insn->op) {
	case OP_CONST:
		return EFFECT_CONSTANT | predicate;
	case OP_UNIFORM:
		return EFFECT_UNIFORM | predicate;
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_REDUCE:
	case OP_TEXTURE:
		return accesses && !predicate ? EFFECT_ACCESS : EFFECT_OTHER;
	case OP_BRANCH:
	case OP_RECONVERGE:
	case OP_BARRIER:
	case OP_FENCE:
	case OP_NOP:
		return EFFECT_OTHER;
	case OP_TENSOR: /* of a warp group: sm/products.h */
		return insn->flags & INSN_ASYNC_COPY ? EFFECT_OTHER : predicate;
	default:
		return predicate;
	}
}

/* Effects other than the time of the result, which they may delay. */
static inline ready_t have_effect(struct sm *sm, struct warp *warp, const struct decoded *insn,
                                  ready_t result, cycle_t now)
{
	if (insn->effects & EFFECT_PREDICATE)
		warp->predicate = ready_at(now + sm->machine->sm_predicate_cycles, STALL_BRANCH_RESOLVING);
	if (insn->effects & EFFECT_UNIFORM)
		warp->uniform = ifetch_constant(&sm->ifetch, result, now);
	return insn->effects & EFFECT_CONSTANT ? ifetch_constant(&sm->ifetch, result, now) : result;
}

/* An instruction with neither EFFECT_ACCESS nor EFFECT_OTHER. */
static inline void compute(struct sm *sm, struct warp *warp, const struct decoded *insn, cycle_t now)
{
	ready_t result = ready_at(now, STALL_IDLE) + insn->result;
	if (insn->effects)
		result = have_effect(sm, warp, insn, result, now);
	if (warp->step.mask)
		warp->active = warp->step.mask;
	scoreboard_set(warp->reg, insn->dst, insn->dst_span, result);
}

/* What others do: gives the results their times; returns when the warp's next instruction may issue at the soonest. */
static inline ready_t execute(struct sm *sm, struct warp *warp, const struct decoded *insn, cycle_t now)
{
	ready_t result = ready_at(now, STALL_IDLE) + insn->result;
	switch (insn->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_REDUCE:
	case OP_TEXTURE:
		if (insn->flags & INSN_MEMORY && insn->space != SPACE_CONST)
			issue_memory(sm, warp, insn, now);
		else
			scoreboard_set(warp->reg, insn->dst, insn->dst_span, result);
		break;
	case OP_BRANCH:
		return after_branch(sm->machine, warp, insn, now);
	case OP_RECONVERGE:
		return ready_at(now + insn_latency(insn), STALL_BRANCH_RESOLVING);
	case OP_FENCE:
		return after_fence(sm, insn, now);
	case OP_TENSOR:
		products_add(&sm->warps.products[warp->slot],
		             &sm->warps.products_end[warp->slot % sm->machine->sm_schedulers], insn, now);
		break;
	case OP_NOP:
		if (is_copy_commit(insn))
			copies_commit(&sm->warps.copies[warp->slot], now);
		/* fall through */
	default:
		scoreboard_set(warp->reg, insn->dst, insn->dst_span, result);
	}
	ready_t next = ready_at(now + 1, STALL_FIXED_LATENCY);
	if (insn->flags & INSN_SETS_PREDICATE) {
		warp->predicate = ready_at(now + sm->machine->sm_predicate_cycles, STALL_BRANCH_RESOLVING);
		if (__builtin_expect(insn->async == ASYNC_PHASE_WAIT, 0) && warp->step.mask)
			next = phase_waits_ready(&sm->warps, warp->slot, now);
	}
	if (warp->step.mask)
		warp->active = warp->step.mask;
	if (insn->op == OP_BARRIER && warp->step.mask)
		return READY_NEVER(STALL_BARRIER);
	return next;
}

/* A poll, if it waits: the warp stays at it. */
static bool issue_poll(struct sm *sm, struct warp *warp, const struct decoded *insn, cycle_t now)
{
	struct polls *polls = &sm->warps.polls;
	bool again = polls->poll[warp->slot].waits;
	if (warp->step.kind != ADDR_NONE && polls_follow_own(polls, warp->slot, &warp->step, now)) {
		poll_waits_for_own(&sm->warps, warp, now);
		return true;
	}
	if (warp->step.kind == ADDR_NONE || !polls_begin(polls, warp->slot, &warp->step, insn))
		return false;
	enum mem_space space = again ? SPACE_GLOBAL : count_access(sm, warp, insn);
	enter_lsu(sm, warp, insn, space, now)->polls = true;
	poll_waits_begin(&sm->warps, warp, again);
	return true;
}

/* An instruction with EFFECT_OTHER. Apart, so that the registers of the others are not spent on it. */
static __attribute__((noinline)) void issue_special(struct sm *sm, struct warp *warp,
                                                    const struct decoded *insn, cycle_t now)
{
	if (__builtin_expect(insn->async == ASYNC_POLL, 0) && issue_poll(sm, warp, insn, now))
		return;
	ready_t earliest = execute(sm, warp, insn, now);
	if (__builtin_expect(!ready_is_never(earliest), 1)) {
		warps_advance(&sm->warps, warp, earliest, now);
		return;
	}
	warps_advance_waiting(&sm->warps, warp, earliest, now);
	if (insn->op == OP_BARRIER)
		warps_wait_barrier(&sm->warps, warp->slot, now);
	else
		phase_waits_begin(&sm->warps, warp->slot, now);
}

/* An instruction with EFFECT_ACCESS. Apart for the same reason. */
static __attribute__((noinline)) void issue_access(struct sm *sm, struct warp *warp,
                                                   const struct decoded *insn, cycle_t now)
{
	enum mem_space space = count_access(sm, warp, insn);
	if (__builtin_expect(warp->step.kind != ADDR_NONE, 1)) {
		enter_lsu(sm, warp, insn, space, now);
		warp->active = warp->step.mask;
	}
	warps_advance(&sm->warps, warp, ready_at(now + 1, STALL_FIXED_LATENCY), now);
}

static void tell_issue(struct sm *sm, const struct warp *warp, uint32_t lanes, cycle_t now)
{
	hooks_on_issue(&sm->hooks, warp->slot, warp->insn->pc, lanes, now);
	if (sm->l1.prefetcher)
		prefetcher_warp(sm->l1.prefetcher, PREFETCH_ON_ISSUE, warp->slot, now);
}

/* `heard`: policies or observers hear of issues. */
static inline __attribute__((always_inline)) void
issue_warp(struct sm *sm, struct scheduler *sched, uint32_t bit, enum stall held, bool heard, cycle_t now)
{
	struct warp *warp = sched->warp[bit];
	const struct decoded *insn = warp->insn;
	uint32_t lanes = bits_count(warp->step.mask);
	account_issue(&sm->account, held, warp->ready, now);
	count(&sm->account, COUNT_warp_insns, 1);
	count(&sm->account, COUNT_thread_insns, lanes);
	count(&sm->account, (enum counter)insn->work, lanes);
	sm->account.progress++;
	if (heard && sm->account.profile)
		account_profile(&sm->account, warp->step.insn, warp->slot, lanes, warp->started,
		                sched->issued, held, warp->ready, now);
	scheduler_take_pipe(sched, bit, insn, now);
	if (heard)
		tell_issue(sm, warp, lanes, now);
	if (insn->effects < EFFECT_ACCESS) {
		compute(sm, warp, insn, now);
		warps_move_on(&sm->warps, warp, sched, bit, ready_at(now + 1, STALL_FIXED_LATENCY), false,
		              now);
	} else if (insn->effects == EFFECT_ACCESS) {
		issue_access(sm, warp, insn, now);
	} else {
		issue_special(sm, warp, insn, now);
	}
}

/* It has not issued for long and waits for nothing from outside. */
static bool is_stuck(const struct sm *sm, cycle_t now)
{
	return now >= sm->account.accounted + THROTTLE_TIMEOUT && loads_idle(&sm->loads) && !sm->lsu.count &&
	       (!sm->prel1 || !sm->prel1->count);
}

/* A scheduler whose time has come issues an instruction, if it can. */
static inline __attribute__((always_inline)) void issue_from(struct sm *sm, struct scheduler *sched,
                                                             enum issue_mode mode, cycle_t now)
{
	const struct hooks *hooks = &sm->hooks;
	bool asks = mode == ISSUE_ASKING, released = false;
	bool stuck = asks && hooks_has_throttle(hooks) && is_stuck(sm, now);
	enum stall held = STALL_IDLE;
	uint32_t bit = asks ? scheduler_pick(sched, hooks, &sm->lsu, stuck, now, &held, &released)
	                    : scheduler_pick_plain(sched, hooks, &sm->lsu, now, &held);
	if (released)
		count(&sm->account, COUNT_throttle_releases, 1);
	if (__builtin_expect(bit == SCHED_NONE, 0))
		return;
	uint32_t ended = sm->warps.ended_count;
	issue_warp(sm, sched, bit, held, mode != ISSUE_PLAIN, now);
	if (asks && __builtin_expect(sm->aux != NULL, 0))
		sm_tell_ended(sm, ended, now);
	if (asks)
		scheduler_issued(sched, hooks, now);
	else
		scheduler_issued_plain(sched, now);
}

enum issue_mode issue_mode_of(const struct sm *sm)
{
	const struct hooks *hooks = &sm->hooks;
	bool told =
	    hooks->has_on_issue & ~(hooks->chain->watching | hooks->idle) || hooks_has_prefetch(hooks);
	if (hooks->asks_next_load || hooks_has_throttle(hooks) || told || sm->aux)
		return ISSUE_ASKING;
	return hooks_has_on_issue(hooks) || hooks->chain->profiles ? ISSUE_WATCHED : ISSUE_PLAIN;
}

/*
 * The schedulers of an SM in the order of a cycle, from `first` on; sets when the next can issue. Compiled for each mode:
 * most instructions of most runs are issued without a question.
 */
static inline __attribute__((always_inline)) void
issue_all(struct sm *sm, struct scheduler *first, struct scheduler *end, enum issue_mode mode, cycle_t now)
{
	struct scheduler *sched = first;
	cycle_t next = CYCLE_NEVER;
	sched_alarm_clear(&sm->alarm); /* a scheduler that wakes a warp of another lowers it again */
	do {
		if (sched->next <= now)
			issue_from(sm, sched, mode, now);
		next = next < sched->next ? next : sched->next;
		sched = sched + 1 == end ? sm->sched : sched + 1;
	} while (sched != first);
	sched_alarm_lower(&sm->alarm, next);
}

/* Which scheduler is the first of a cycle. */
static inline uint32_t first_scheduler(enum scheduler_order order, uint32_t schedulers, cycle_t now)
{
	return order == SCHEDULER_ORDER_ROTATING ? (uint32_t)(now % schedulers) : 0;
}

/* Cycle after cycle, or a single one where policies hear of its end. */
static inline __attribute__((always_inline)) void issue_on(struct sm *sm, cycle_t end, enum issue_mode mode)
{
	cycle_t now = sm->now;
	enum scheduler_order order = sm->machine->sm_scheduler_order;
	uint32_t schedulers = sm->machine->sm_schedulers;
	struct scheduler *last = sm->sched + schedulers;
	for (;;) {
		issue_all(sm, sm->sched + first_scheduler(order, schedulers, now), last, mode, now);
		end = end < sm->lsu.next ? end : sm->lsu.next;
		if (mode == ISSUE_ASKING || sm->alarm.at >= end || now >= sm->epochs.due || sm->warps.failed)
			break;
		now = sm->alarm.at > now ? sm->alarm.at : now;
	}
	sm->now = now;
}

/* Apart, so that the registers of plain issue are not spent on the others. */
static __attribute__((noinline)) void issue_asking(struct sm *sm, cycle_t end)
{
	issue_on(sm, end, ISSUE_ASKING);
}

static __attribute__((noinline)) void issue_watched(struct sm *sm, cycle_t end)
{
	issue_on(sm, end, ISSUE_WATCHED);
}

void issue_cycles(struct sm *sm, cycle_t end)
{
	if (__builtin_expect(sm->issue_mode == ISSUE_PLAIN, 1))
		issue_on(sm, end, ISSUE_PLAIN);
	else if (sm->issue_mode == ISSUE_WATCHED)
		issue_watched(sm, end);
	else
		issue_asking(sm, end);
}
