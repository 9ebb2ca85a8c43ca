/*
 * Warps: starting, finding out when the next instruction can issue, barriers,
 * ending.
 */
#include "sm/sm.h"

#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "sm/side.h"

static due_t later_due(due_t a, due_t b)
{
	return a > b ? a : b;
}

/* Puts the warp where its scheduler will find it when its time has come. */
static void park(struct sm *sm, uint32_t slot, cycle_t now)
{
	const struct warp *warp = &sm->warp[slot];
	struct scheduler *sched = &sm->sched[warp->sched];
	uint64_t bit = (uint64_t)1 << warp->bit;
	cycle_t when = due_cycle(warp->due);
	if (when == CYCLE_NEVER) {
		if (due_cause(warp->due) == CAUSE_MEMORY)
			sched->view.waiting_memory |= bit;
		return;
	}
	if (when < now)
		when = now;
	if (when <= sched->drained) {
		sched->ready |= bit;
		if (sched->next > when)
			sched->next = when;
		return;
	}
	if (when - sched->drained >= WAKE_SLOTS) {
		when = sched->drained + WAKE_SLOTS - 1;
		sched->distant |= bit;
	}
	sched->wake[when % WAKE_SLOTS] |= bit;
	sched->occupied |= (uint64_t)1 << when % WAKE_SLOTS;
	if (sched->next > when)
		sched->next = when;
}

/* The first fetch of a line by an SM comes from afar; the lines after it come along. */
static due_t fetch_due(struct sm *sm, uint32_t line, cycle_t now)
{
	const struct machine *m = sm->machine;
	if (!sm->fetch[line]) {
		due_t due = due_at(now + m->sm_fetch_cold_cycles, CAUSE_FETCH);
		for (uint32_t i = line; i <= line + m->sm_fetch_prefetch_lines && i < sm->launch->fetch_lines;
		     i++)
			if (!sm->fetch[i])
				sm->fetch[i] = due;
	}
	return sm->fetch[line];
}

static due_t scoreboard_due(const struct sm *sm, uint32_t slot, const struct decoded *insn, due_t due)
{
	const due_t *regs = &sm->regs[(size_t)slot * 256];
	for (uint32_t i = 0; i < insn->reg_count; i++)
		due = later_due(due, regs[insn->reg[i]]);
	return due;
}

static due_t instruction_due(struct sm *sm, uint32_t slot, due_t due)
{
	const struct warp *warp = &sm->warp[slot];
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	due = scoreboard_due(sm, slot, insn, due);
	if (insn->flags & INSN_USES_PREDICATE)
		due = later_due(due, warp->predicate);
	if (insn->flags & INSN_MEMORY)
		due = later_due(due, warp->uniform);
	return due;
}

void warp_wake(struct sm *sm, uint32_t slot, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	sm->sched[warp->sched].view.waiting_memory &= ~((uint64_t)1 << warp->bit);
	warp->due = instruction_due(sm, slot, later_due(warp->floor, due_at(now, CAUSE_MEMORY)));
	park(sm, slot, now);
}

static void forget_age(struct scheduler *sched, uint32_t bit)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < sched->view.by_age_count; i++)
		if (sched->by_age[i] != bit)
			sched->by_age[kept++] = sched->by_age[i];
	sched->view.by_age_count = kept;
}

static void insert_age(struct scheduler *sched, uint32_t bit)
{
	uint32_t i = sched->view.by_age_count++;
	for (; i && sched->age[sched->by_age[i - 1]] > sched->age[bit]; i--)
		sched->by_age[i] = sched->by_age[i - 1];
	sched->by_age[i] = (uint8_t)bit;
}

/* Everybody of the CTA is there (or gone): the barrier opens. */
static void open_barrier(struct sm *sm, uint32_t cta_slot, cycle_t now)
{
	struct cta *cta = &sm->cta[cta_slot];
	cycle_t when =
	    now + sm->machine->sm_barrier_cycles + (cycle_t)cta->warps * sm->machine->sm_barrier_warp_cycles;
	cta->arrived = 0;
	for (uint32_t slot = 0; slot < sm->machine->sm_warps; slot++) {
		struct warp *warp = &sm->warp[slot];
		if (!warp->generation || warp->cta_slot != cta_slot || !warp->at_barrier)
			continue;
		warp->at_barrier = false;
		sm->sched[warp->sched].view.waiting_barrier &= ~((uint64_t)1 << warp->bit);
		sm->sched[warp->sched].gate_stands = false;
		warp->floor = later_due(warp->floor, due_at(when, CAUSE_BARRIER));
		warp->due = instruction_due(sm, slot, warp->floor);
		park(sm, slot, now);
	}
}

void warp_wait_barrier(struct sm *sm, uint32_t slot, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	struct cta *cta = &sm->cta[warp->cta_slot];
	if (!warp->generation)
		return; /* the barrier was its last instruction */
	warp->at_barrier = true;
	warp->due = DUE_NEVER(CAUSE_BARRIER);
	sm->sched[warp->sched].view.waiting_barrier |= (uint64_t)1 << warp->bit;
	sm->sched[warp->sched].gate_stands = false;
	if (++cta->arrived >= cta->live)
		open_barrier(sm, warp->cta_slot, now);
}

static void end_cta(struct sm *sm, uint32_t cta_slot, cycle_t now)
{
	sm->cta[cta_slot].used = false;
	sm->resident_ctas--;
	sm->ended[sm->ended_count++] = now;
	count(sm, COUNT_ctas, 1);
	if (sm->side)
		side_cta_ended(sm, cta_slot, now);
}

static void end_warp(struct sm *sm, uint32_t slot, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	struct scheduler *sched = &sm->sched[warp->sched];
	uint32_t bit = warp->bit;
	struct cta *cta = &sm->cta[warp->cta_slot];
	sched->view.resident &= ~((uint64_t)1 << bit);
	sched->view.next_is_load &= ~((uint64_t)1 << bit);
	sched->view.waiting_memory &= ~((uint64_t)1 << bit);
	sched->unit_warps[warp->unit] &= ~((uint64_t)1 << bit);
	forget_age(sched, bit);
	sched->gate_stands = false;
	warp->generation = sm->generations[slot] = 0;
	sm->resident_warps--;
	count(sm, COUNT_warps, 1);
	count(sm, COUNT_warp_cycles, now - warp->started);
	hooks_on_warp_exit(&sm->hooks, slot, now);
	if (!--cta->live)
		end_cta(sm, warp->cta_slot, now);
	else if (cta->arrived >= cta->live)
		open_barrier(sm, warp->cta_slot, now);
}

static void note_next(struct sm *sm, struct warp *warp, const struct decoded *insn)
{
	struct scheduler *sched = &sm->sched[warp->sched];
	uint64_t bit = (uint64_t)1 << warp->bit;
	if (warp->unit != insn->unit) {
		sched->unit_warps[warp->unit] &= ~bit;
		sched->unit_warps[insn->unit] |= bit;
		warp->unit = insn->unit;
	}
	sched->next_pc[warp->bit] = insn->pc;
	uint64_t load = insn->op == OP_LOAD && insn->space != SPACE_SHARED ? bit : 0;
	sched->view.next_is_load = (sched->view.next_is_load & ~bit) | load;
}

void warp_advance(struct sm *sm, uint32_t slot, due_t floor, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	enum cursor_result result =
	    cursor_next(sm->reader, sm->launch->kernel, &warp->cursor, &warp->step, sm->error);
	if (__builtin_expect(result != CURSOR_STEP, 0)) {
		sm->failed |= result == CURSOR_ERROR;
		end_warp(sm, slot, now);
		return;
	}
	const struct decoded *insn = &sm->launch->insn[warp->step.insn];
	note_next(sm, warp, insn);
	due_t fetched = 0;
	if (insn->fetch_line != warp->fetch_line) {
		warp->fetch_line = insn->fetch_line;
		fetched = fetch_due(sm, insn->fetch_line, now);
	}
	/* When a barrier will open, it says itself. */
	warp->floor = due_cycle(floor) == CYCLE_NEVER ? fetched : later_due(floor, fetched);
	warp->due = instruction_due(sm, slot, later_due(floor, fetched));
	park(sm, slot, now);
}

static uint32_t free_cta_slot(const struct sm *sm)
{
	for (uint32_t i = 0; i < sm->launch->cta_slots; i++)
		if (!sm->cta[i].used)
			return i;
	BUG("SM %u: CTA handed in without a free slot at cycle %llu", sm->id, (unsigned long long)sm->now);
}

static void start_warp(struct sm *sm, uint32_t slot, uint32_t cta_slot, uint64_t age, cycle_t now)
{
	struct warp *warp = &sm->warp[slot];
	struct scheduler *sched = &sm->sched[warp->sched];
	uint32_t bit = warp->bit;
	warp->generation = sm->generations[slot] = ++sm->next_generation;
	warp->cta_slot = cta_slot;
	sched->unit_warps[warp->unit] |= (uint64_t)1 << bit;
	warp->fetch_line = UINT32_MAX;
	warp->predicate = warp->uniform = 0;
	warp->active = 0;
	warp->started = now;
	warp->at_barrier = false;
	memset(&sm->regs[(size_t)slot * 256], 0, sm->launch->regs * sizeof *sm->regs);
	sched->view.resident |= (uint64_t)1 << bit;
	sched->ready &= ~((uint64_t)1 << bit);
	sched->age[bit] = age;
	insert_age(sched, bit);
	sched->gate_stands = false;
	sm->resident_warps++;
	hooks_on_warp_start(&sm->hooks, slot, cta_slot, now);
	warp_advance(sm, slot, due_at(now, CAUSE_IDLE), now);
}

void warp_start_cta(struct sm *sm, uint64_t id, cycle_t now)
{
	const struct trace_kernel *kernel = sm->launch->kernel;
	uint32_t cta_slot = free_cta_slot(sm), warps = kernel->warps_per_cta;
	struct cta *cta = &sm->cta[cta_slot];
	struct warp_cursor cursors[64];
	size_t bytes = cta_buffer_bytes(kernel);
	if (cta->buffer_bytes < bytes) {
		cta->buffer = memory_grow(cta->buffer, bytes, 1);
		cta->buffer_bytes = bytes;
	}
	if (!trace_read_cta(sm->reader, sm->launch->kernel_index, id, cta->buffer, cursors, sm->error)) {
		sm->failed = true;
		return;
	}
	if (!sm->resident_warps) {
		count(sm, COUNT_stall_idle, now - sm->accounted);
		sm->accounted = now;
	}
	cta->id = id;
	cta->live = cta->warps = warps;
	cta->arrived = 0;
	cta->used = true;
	sm->resident_ctas++;
	if (sm->side)
		side_cta_began(sm, now);
	uint64_t first_age = sm->next_generation * 64;
	uint32_t slot = 0, slots[64];
	for (uint32_t w = 0; w < warps; w++) {
		while (sm->warp[slot].generation)
			slot++;
		slots[w] = slot++;
	}
	/* Warps that have nothing to execute end at once; the CTA must be complete before the first can. */
	for (uint32_t w = 0; w < warps; w++) {
		memcpy(&sm->warp[slots[w]].cursor, &cursors[w], sizeof cursors[w]);
		uint32_t rank = sm->machine->sm_cta_warp_order == WARP_ORDER_DESCENDING ? warps - 1 - w : w;
		start_warp(sm, slots[w], cta_slot, first_age + rank, now);
	}
}
