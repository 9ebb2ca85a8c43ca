/*
 * A scheduler's cycle: who is ready, who may, who goes; and what an
 * instruction does when it issues.
 */
#include "sm/sm.h"

#include "base/bits.h"
#include "sm/memq.h"

/* ---- who goes ------------------------------------------------------------------------------------------------ */

static void wake_slot(struct sm *sm, struct scheduler *sched, uint32_t index, uint32_t slot, cycle_t now)
{
	uint64_t woken = sched->wake[slot];
	sched->wake[slot] = 0;
	sched->occupied &= ~((uint64_t)1 << slot);
	for (uint64_t far = woken & sched->distant; far; far &= far - 1) {
		uint32_t bit = bits_lowest(far);
		cycle_t when = due_cycle(sm->warp[bit * sm->schedulers + index].due);
		if (when <= now) {
			sched->distant &= ~((uint64_t)1 << bit);
			continue;
		}
		woken &= ~((uint64_t)1 << bit);
		if (when - now < WAKE_SLOTS)
			sched->distant &= ~((uint64_t)1 << bit);
		else
			when = now + WAKE_SLOTS - 1;
		sched->wake[when % WAKE_SLOTS] |= (uint64_t)1 << bit;
		sched->occupied |= (uint64_t)1 << when % WAKE_SLOTS;
	}
	sched->ready |= woken;
}

static void drain_wake(struct sm *sm, struct scheduler *sched, uint32_t index, cycle_t now)
{
	cycle_t from = sched->drained + 1;
	uint64_t span = now - sched->drained;
	uint64_t due = bits_rotate_right(sched->occupied, (uint32_t)from % WAKE_SLOTS);
	if (span < WAKE_SLOTS)
		due &= ((uint64_t)1 << span) - 1;
	sched->drained = now;
	for (; due; due &= due - 1)
		wake_slot(sm, sched, index, (uint32_t)(from + bits_lowest(due)) % WAKE_SLOTS, now);
}

static cycle_t next_wake(const struct scheduler *sched)
{
	if (!sched->occupied)
		return CYCLE_NEVER;
	cycle_t from = sched->drained + 1;
	return from + bits_lowest(bits_rotate_right(sched->occupied, (uint32_t)from % WAKE_SLOTS));
}

static void ask_gate(struct sm *sm, struct scheduler *sched)
{
	sched->gate = hooks_gate(&sm->hooks, &sched->view);
	sched->gate_stands = sched->gate.until == POLICY_UNTIL_WARPS;
}

/* Those of the warps that the gate's last answer lets go. */
static uint64_t let_go(const struct scheduler *sched, uint64_t warps)
{
	return warps & sched->gate.issue & (sched->gate.load | ~sched->view.next_is_load);
}

/*
 * A throttler may hold back the very warp that others wait for at a barrier.
 * An SM that has not issued for a while and waits for nothing from outside
 * lets its oldest gated warp go; the release is counted.
 */
enum { GATE_PATIENCE = 1000 };

static bool stuck(const struct sm *sm, cycle_t now)
{
	return now >= sm->accounted + GATE_PATIENCE && sm->free_loads == sm->load_count && !sm->queue_count &&
	       (!sm->memq || !sm->memq->count);
}

static uint64_t oldest_of(const struct scheduler *sched, uint64_t warps)
{
	for (uint32_t i = 0; i < sched->view.by_age_count; i++)
		if (warps >> sched->by_age[i] & 1)
			return (uint64_t)1 << sched->by_age[i];
	return warps;
}

/* Warps whose pipe is free; sets when the first of the others comes free. */
static uint64_t free_pipes(struct sm *sm, struct scheduler *sched, uint64_t ready, cycle_t now,
                           cycle_t *retry)
{
	uint64_t eligible = ready;
	for (uint32_t busy = sched->busy; busy; busy &= busy - 1) {
		uint32_t unit = bits_lowest(busy);
		if (sched->unit_free[unit] <= now) {
			sched->busy &= ~(1u << unit);
			continue;
		}
		if (!(eligible & sched->unit_warps[unit]))
			continue;
		eligible &= ~sched->unit_warps[unit];
		sched->blocked = CAUSE_PIPE;
		if (sched->unit_free[unit] < *retry)
			*retry = sched->unit_free[unit];
	}
	if (eligible & sched->unit_warps[UNIT_LSU] && lsu_full(sm, sched)) {
		eligible &= ~sched->unit_warps[UNIT_LSU];
		sched->blocked = CAUSE_LSU;
	}
	return eligible;
}

/* Warps that the gate lets go and whose pipe is free; sets when to look again if there is none. */
static uint64_t pass_gate(struct sm *sm, struct scheduler *sched, cycle_t now, cycle_t *retry)
{
	if (!sched->gate_stands) {
		if (!free_pipes(sm, sched, sched->ready, now, retry))
			return 0;
		ask_gate(sm, sched);
	}
	uint64_t free = let_go(sched, sched->ready);
	if (!free && stuck(sm, now)) {
		free = oldest_of(sched, sched->ready);
		count(sm, COUNT_throttle_releases, 1);
	}
	*retry = CYCLE_NEVER;
	sched->blocked = CAUSE_PIPE;
	if (free)
		return free_pipes(sm, sched, free, now, retry);
	sched->blocked = CAUSE_GATED;
	*retry = now + GATE_PATIENCE < sched->gate.until ? now + GATE_PATIENCE : sched->gate.until;
	*retry = *retry > now ? *retry : now + 1;
	return 0;
}

/* The first cycle, from `now` on, in which some ready warp finds its pipe free. */
static cycle_t pipes_open(const struct scheduler *sched, uint64_t ready, cycle_t now)
{
	uint64_t open = ready;
	cycle_t soonest = CYCLE_NEVER;
	for (uint32_t busy = sched->busy; busy; busy &= busy - 1) {
		uint32_t unit = bits_lowest(busy);
		if (sched->unit_free[unit] <= now || !(ready & sched->unit_warps[unit]))
			continue;
		open &= ~sched->unit_warps[unit];
		soonest = sched->unit_free[unit] < soonest ? sched->unit_free[unit] : soonest;
	}
	return open ? now : soonest;
}

/* There are ready warps; from `now` on, some may find the gate and their pipes open. */
static void try_again(struct scheduler *sched, cycle_t now)
{
	uint64_t ready = sched->gate_stands ? let_go(sched, sched->ready) : sched->ready;
	cycle_t open = ready ? pipes_open(sched, ready, now) : now + GATE_PATIENCE;
	if (!ready)
		sched->blocked = CAUSE_GATED;
	sched->next = open < sched->next ? open : sched->next;
}

/* ---- what it does -------------------------------------------------------------------------------------------- */

/*
 * Cycles without issue since the last are charged to what this warp was
 * waiting for, and from the moment it was ready to what held it back then.
 */
static void account(struct sm *sm, enum cause held, due_t due, cycle_t now)
{
	if (sm->accounted > now)
		return; /* another scheduler issued in this cycle */
	cycle_t ready = due_cycle(due);
	if (sm->accounted < now) {
		cycle_t split = ready < sm->accounted ? sm->accounted : ready > now ? now : ready;
		count(sm, (enum counter)(COUNT_stall_idle + due_cause(due)), split - sm->accounted);
		count(sm, (enum counter)(COUNT_stall_idle + held), now - split);
	}
	count(sm, COUNT_issue_cycles, 1);
	sm->accounted = now + 1;
}

static void set_regs(struct sm *sm, uint32_t slot, const struct decoded *insn, due_t due)
{
	due_t *regs = &sm->regs[(size_t)slot * 256];
	for (uint32_t i = 0; i < insn->dst_span; i++)
		regs[(insn->dst + i) & 255] = due;
}

/* Where a generic access goes, by its first address. */
static enum mem_space resolve_space(const struct sm *sm, const struct decoded *insn,
                                    const struct warp_step *step)
{
	enum { WINDOW_SHIFT = 24 };
	if (insn->space != SPACE_GENERIC)
		return (enum mem_space)insn->space;
	const struct trace_kernel *kernel = sm->launch->kernel;
	uint64_t address[TRACE_MAX_LANES] = {step->base};
	if (step->kind == ADDR_LIST)
		step_addresses(step, address);
	if (kernel->shared_window && address[0] >> WINDOW_SHIFT == kernel->shared_window >> WINDOW_SHIFT)
		return SPACE_SHARED;
	if (kernel->local_window && address[0] >> WINDOW_SHIFT == kernel->local_window >> WINDOW_SHIFT)
		return SPACE_LOCAL;
	return SPACE_GLOBAL;
}

static void count_memory(struct sm *sm, const struct decoded *insn, enum mem_space space)
{
	if (space == SPACE_GLOBAL && insn->op == OP_LOAD)
		count(sm, COUNT_insns_global_load, 1);
	else if (space == SPACE_GLOBAL && insn->op == OP_STORE)
		count(sm, COUNT_insns_global_store, 1);
	else if (space == SPACE_SHARED && insn->op == OP_LOAD)
		count(sm, COUNT_insns_shared_load, 1);
	else if (space == SPACE_SHARED && insn->op == OP_STORE)
		count(sm, COUNT_insns_shared_store, 1);
	else if (space == SPACE_GLOBAL)
		count(sm, COUNT_insns_atomic, 1);
}

static void issue_memory(struct sm *sm, uint32_t slot, const struct decoded *insn, cycle_t now)
{
	const struct warp_step *step = &sm->warp[slot].step;
	enum mem_space space = resolve_space(sm, insn, step);
	count_memory(sm, insn, space);
	if (step->kind == ADDR_NONE)
		return;
	set_regs(sm, slot, insn, DUE_NEVER(space == SPACE_SHARED ? CAUSE_SHARED : CAUSE_MEMORY));
	lsu_push(sm, slot, space, now);
}

/* The first read of constants by an SM goes a long way; others wait with it. */
static due_t constant_due(struct sm *sm, const struct decoded *insn, cycle_t now)
{
	if (!sm->constant)
		sm->constant = due_at(now + sm->machine->sm_const_cold_cycles, CAUSE_CONSTANT);
	due_t due = due_at(now + insn->latency, (enum cause)insn->cause);
	return due > sm->constant ? due : sm->constant;
}

static due_t after_branch(struct sm *sm, struct warp *warp, const struct decoded *insn, uint64_t mask,
                          cycle_t now)
{
	cycle_t wait = insn->latency;
	if (mask)
		wait = sm->machine->sm_branch_cycles;
	if (mask && mask != warp->active && !(mask & ~warp->active))
		wait += sm->machine->sm_divergence_cycles;
	return due_at(now + wait, CAUSE_BRANCH);
}

static due_t execute(struct sm *sm, uint32_t slot, const struct decoded *insn, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	due_t result = due_at(now + insn->latency, (enum cause)insn->cause);
	switch (insn->op) {
	case OP_LOAD:
	case OP_STORE:
	case OP_ATOMIC:
	case OP_REDUCE:
	case OP_TEXTURE:
		if (insn->flags & INSN_MEMORY && insn->space != SPACE_CONST) {
			issue_memory(sm, slot, insn, now);
			break;
		}
		set_regs(sm, slot, insn, result);
		break;
	case OP_CONST:
		set_regs(sm, slot, insn, constant_due(sm, insn, now));
		break;
	case OP_UNIFORM:
		warp->uniform = constant_due(sm, insn, now);
		set_regs(sm, slot, insn, result);
		break;
	case OP_BRANCH:
		return after_branch(sm, warp, insn, warp->step.mask, now);
	case OP_RECONVERGE:
		return due_at(now + insn->latency, CAUSE_BRANCH);
	case OP_FENCE:
		if (insn->flags & INSN_GPU_SCOPE) {
			l1d_flush(sm);
			return due_at(now + sm->machine->sm_fence_cycles, CAUSE_FENCE);
		}
		return due_at(now + insn->latency, CAUSE_FENCE);
	default:
		set_regs(sm, slot, insn, result);
	}
	if (insn->flags & INSN_SETS_PREDICATE)
		warp->predicate = due_at(now + sm->machine->sm_predicate_cycles, CAUSE_BRANCH);
	if (warp->step.mask)
		warp->active = warp->step.mask;
	return due_at(now + 1, CAUSE_EXEC);
}

static void issue(struct sm *sm, uint32_t index, uint32_t bit, enum cause held, cycle_t now)
{
	struct scheduler *sched = &sm->sched[index];
	uint32_t slot = bit * sm->schedulers + index;
	struct warp *warp = &sm->warp[slot];
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	uint32_t lanes = bits_count(warp->step.mask);
	account(sm, held, warp->due, now);
	count(sm, COUNT_warp_insns, 1);
	count(sm, COUNT_thread_insns, lanes);
	count(sm, (enum counter)insn->work, lanes);
	sched->unit_free[insn->unit] = now + insn->interval;
	sched->busy |= 1u << insn->unit;
	sched->view.last = bit;
	sched->ready &= ~((uint64_t)1 << bit);
	sm->progress++;
	hooks_on_issue(&sm->hooks, slot, insn->pc, lanes, now);
	due_t floor = execute(sm, slot, insn, now);
	bool barrier = insn->op == OP_BARRIER && warp->step.mask;
	if (barrier)
		floor = DUE_NEVER(CAUSE_BARRIER);
	warp_advance(sm, slot, floor, now);
	if (barrier)
		warp_wait_barrier(sm, slot, now);
}

bool scheduler_issue(struct sm *sm, uint32_t index, cycle_t now)
{
	struct scheduler *sched = &sm->sched[index];
	/* A cycle may be gone through twice, but nobody issues twice in it. */
	if (__builtin_expect(sched->again > now, 0)) {
		sched->next = sched->again;
		return false;
	}
	if (now > sched->drained)
		drain_wake(sm, sched, index, now);
	sched->next = next_wake(sched);
	if (!sched->ready)
		return false;
	enum cause held = (enum cause)sched->blocked;
	sched->blocked = CAUSE_PIPE;
	cycle_t retry = CYCLE_NEVER;
	sched->view.cycle = now;
	uint64_t eligible = hooks_has_gate(&sm->hooks) ? pass_gate(sm, sched, now, &retry)
	                                               : free_pipes(sm, sched, sched->ready, now, &retry);
	if (!eligible) {
		if (retry < sched->next)
			sched->next = retry;
		return false;
	}
	uint32_t bit = hooks_order(&sm->hooks, &sched->view, eligible);
	sched->again = now + 1;
	issue(sm, index, bit, held, now);
	if (sched->ready && sched->next > now + 1)
		try_again(sched, now + 1);
	return true;
}
