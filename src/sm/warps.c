#include "sm/warps.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "sm/phase_waits.h"
#include "sm/poll_waits.h"

void warps_init(struct warps *warps, const struct machine *machine, struct region *region,
                struct scheduler *sched)
{
	warps->machine = machine;
	warps->warp = region_take(region, machine->sm_warps, sizeof *warps->warp);
	warps->generations = memory_zeroed(machine->sm_warps, sizeof *warps->generations);
	warps->cta = memory_zeroed(machine->sm_ctas, sizeof *warps->cta);
	warps->copies = memory_zeroed(machine->sm_warps, sizeof *warps->copies);
	warps->products = memory_zeroed(machine->sm_warps, sizeof *warps->products);
	scoreboard_init(&warps->board, machine->sm_warps);
	for (uint32_t slot = 0; slot < machine->sm_warps; slot++) {
		struct warp *warp = &warps->warp[slot];
		uint32_t scheduler = slot % machine->sm_schedulers;
		warp->slot = slot;
		warp->sched = &sched[scheduler];
		warp->bit = slot / machine->sm_schedulers;
		warps->of[scheduler][warp->bit] = warp;
	}
}

void warps_free(struct warps *warps)
{
	for (uint32_t i = 0; warps->cta && i < warps->machine->sm_ctas; i++)
		free(warps->cta[i].buffer);
	free(warps->generations);
	free(warps->cta);
	free(warps->copies);
	free(warps->products);
	mbarriers_free(&warps->mbarriers);
	polls_free(&warps->polls);
	scoreboard_free(&warps->board);
}

void warps_begin_launch(struct warps *warps, const struct launch *launch)
{
	memset(warps->products_end, 0, sizeof warps->products_end);
	warps->launch = launch;
	warps->insns = launch->insn;
	warps->next_generation = 0;
	warps->ended_count = 0;
	scoreboard_begin_launch(&warps->board, launch->reg_places);
	for (uint32_t slot = 0; slot < warps->machine->sm_warps; slot++)
		warps->warp[slot].reg = scoreboard_of(&warps->board, slot);
	mbarriers_begin_launch(&warps->mbarriers, launch, warps->machine->sm_warps, warps->machine->sm_ctas);
	polls_begin_launch(&warps->polls, launch->watch);
}

/* ---- when the next instruction can issue ----------------------------------------------------------------- */

void warps_park_again(struct warps *warps, uint32_t slot, ready_t earliest, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	warp->ready = scoreboard_ready(warp->reg, warp->insn, earliest);
	if (warp->insn->flags & INSN_WAITS_FOR_OTHERS)
		warp->ready = warps_others_ready(warps, warp, warp->ready);
	scheduler_park(warp->sched, warp->bit, warp->ready, now);
}

void warps_result(struct warps *warps, uint32_t slot, uint32_t generation, uint32_t dst, uint32_t span,
                  ready_t ready, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	if ((uint32_t)warp->generation != generation || !span)
		return;
	if (__builtin_expect(span == POLL_SPAN, 0)) {
		poll_waits_result(warps, slot, ready_cycle(ready), now);
		return;
	}
	if (__builtin_expect(span == COPY_SPAN, 0))
		phase_waits_copied(warps, slot, dst, ready_cycle(ready), now);
	else
		scoreboard_set(warp->reg, dst, span, ready);
	if (!ready_is_never(warp->ready) || warp->at_barrier)
		return;
	scheduler_wake(warp->sched, warp->bit);
	warps_park_again(warps, slot, ready_later(warp->earliest, ready_at(now, STALL_LONG_SCOREBOARD)), now);
}

/* ---- barriers ------------------------------------------------------------------------------------------------ */

/* All warps of the CTA have come, or ended: the barrier opens. */
static void open_barrier(struct warps *warps, uint32_t cta_slot, cycle_t now)
{
	const struct machine *m = warps->machine;
	struct cta *cta = &warps->cta[cta_slot];
	cycle_t when = now + m->sm_barrier_cycles + (cycle_t)cta->warps * m->sm_barrier_warp_cycles;
	cta->arrived = 0;
	for (uint32_t slot = cta->first_slot; slot < cta->end_slot; slot++) {
		struct warp *warp = &warps->warp[slot];
		if (!warp->generation || warp->cta_slot != cta_slot || !warp->at_barrier || warp->at_mbarrier)
			continue;
		warp->at_barrier = false;
		scheduler_past_barrier(warp->sched, warp->bit);
		hooks_on_barrier(warps->hooks, slot, false, now);
		warp->earliest = ready_later(warp->earliest, ready_at(when, STALL_BARRIER));
		warps_park_again(warps, slot, warp->earliest, now);
	}
}

void warps_wait_barrier(struct warps *warps, uint32_t slot, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	struct cta *cta = &warps->cta[warp->cta_slot];
	if (!warp->generation)
		return; /* the barrier was its last instruction */
	warp->at_barrier = true;
	warp->ready = READY_NEVER(STALL_BARRIER);
	scheduler_at_barrier(warp->sched, warp->bit);
	if (++cta->arrived >= cta->live)
		open_barrier(warps, warp->cta_slot, now);
	else
		hooks_on_barrier(warps->hooks, slot, true, now);
}

/* ---- ends ------------------------------------------------------------------------------------------------------ */

static void end_cta(struct warps *warps, uint32_t cta_slot, cycle_t now)
{
	warps->cta[cta_slot].used = false;
	warps->resident_ctas--;
	warps->ended[warps->ended_count++] = (struct cta_end){now, cta_slot};
	count(warps->account, COUNT_ctas, 1);
}

void warps_end(struct warps *warps, uint32_t slot, enum cursor_result result, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	struct cta *cta = &warps->cta[warp->cta_slot];
	warps->failed |= result == CURSOR_ERROR;
	scheduler_remove(warp->sched, warp->bit);
	warp->generation = warps->generations[slot] = 0;
	warps->resident--;
	count(warps->account, COUNT_warps, 1);
	count(warps->account, COUNT_warp_cycles, now - warp->started);
	hooks_on_warp_exit(warps->hooks, slot, now);
	if (warps->mbarriers.in_use)
		phase_waits_end_warp(warps, slot, now);
	if (!--cta->live)
		end_cta(warps, warp->cta_slot, now);
	else if (cta->arrived >= cta->live)
		open_barrier(warps, warp->cta_slot, now);
}

void warps_count_resident(struct warps *warps, cycle_t now)
{
	for (uint32_t slot = 0; slot < warps->machine->sm_warps; slot++) {
		const struct warp *warp = &warps->warp[slot];
		if (warp->generation && warp->started < now)
			count(warps->account, COUNT_warp_cycles, now - warp->started);
	}
}

/* ---- starts ---------------------------------------------------------------------------------------------------- */

static uint32_t free_cta_slot(const struct warps *warps)
{
	for (uint32_t i = 0; i < warps->launch->cta_slots; i++)
		if (!warps->cta[i].used)
			return i;
	BUG("a CTA was handed in without a free slot");
}

bool warps_open_cta(struct warps *warps, uint64_t id, struct warp_source sources[CTA_WARPS],
                    uint32_t *cta_slot)
{
	const struct trace_kernel *kernel = warps->launch->kernel;
	*cta_slot = free_cta_slot(warps);
	struct cta *cta = &warps->cta[*cta_slot];
	size_t bytes = cta_buffer_bytes(kernel);
	if (cta->buffer_bytes < bytes) {
		cta->buffer = memory_grow(cta->buffer, bytes, 1);
		cta->buffer_bytes = bytes;
	}
	if (!trace_fetch_cta(warps->reader, warps->launch->kernel_index, id, cta->buffer, sources,
	                     warps->error)) {
		warps->failed = true;
		return false;
	}
	cta->id = id;
	cta->live = cta->warps = kernel->warps_per_cta;
	cta->arrived = 0;
	cta->used = true;
	warps->resident_ctas++;
	return true;
}

static void start_warp(struct warps *warps, uint32_t slot, uint32_t cta_slot, uint64_t age, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	warp->generation = warps->generations[slot] = ++warps->next_generation;
	warp->cta_slot = cta_slot;
	warp->fetch_line = UINT32_MAX;
	warp->predicate = warp->uniform = 0;
	warp->active = 0;
	warp->started = now;
	warp->at_barrier = warp->at_mbarrier = false;
	warps->copies[slot] = (struct copies){.group = 0};
	warps->polls.poll[slot].waits = false;
	warps->products[slot] = (struct products){.group = 0};
	warps->polls.poll[slot].own_back = 0;
	if (warps->mbarriers.in_use)
		mbarriers_begin_warp(&warps->mbarriers, slot);
	scoreboard_reset(&warps->board, warp->reg);
	scheduler_add(warp->sched, warp->bit, age);
	warps->resident++;
	hooks_on_warp_start(warps->hooks, slot, cta_slot, now);
	warps_advance(warps, warp, ready_at(now, STALL_IDLE), now);
	if (warp->generation)
		scheduler_park(warp->sched, warp->bit, warp->ready, now);
}

void warps_start(struct warps *warps, uint32_t cta_slot, const struct warp_source *sources, cycle_t now)
{
	uint32_t count = warps->cta[cta_slot].warps, slot = 0, slots[CTA_WARPS];
	uint64_t first_age = warps->next_generation * CTA_WARPS;
	if (warps->mbarriers.in_use)
		mbarriers_begin_cta(&warps->mbarriers, cta_slot, warps->next_generation + 1, count);
	for (uint32_t w = 0; w < count; w++) {
		while (warps->warp[slot].generation)
			slot++;
		if (!w)
			warps->cta[cta_slot].first_slot = slot;
		slots[w] = slot++;
	}
	warps->cta[cta_slot].end_slot = slot;
	/* Warps that have nothing to execute end at once; the CTA must be complete before the first can. */
	for (uint32_t w = 0; w < count; w++) {
		warps->warp[slots[w]].number = w;
		cursor_begin(&warps->warp[slots[w]].cursor, warps->launch->kernel, &sources[w]);
		bool descending = warps->machine->sm_cta_warp_order == WARP_ORDER_DESCENDING;
		start_warp(warps, slots[w], cta_slot, first_age + (descending ? count - 1 - w : w), now);
	}
}

/* ---- moving on -------------------------------------------------------------------------------------------------- */

bool warps_open_run(struct warps *warps, struct warp *warp, cycle_t now)
{
	enum cursor_result result =
	    cursor_open_run(warps->reader, warps->launch->kernel, &warp->cursor, warps->error);
	if (result != CURSOR_STEP)
		warps_end(warps, warp->slot, result, now);
	warp->step.mask = warp->cursor.mask;
	return result == CURSOR_STEP;
}

bool warps_read_record(struct warps *warps, struct warp *warp, cycle_t now)
{
	warp->step.kind = ADDR_NONE;
	enum cursor_result result = warp->step.mask
	                                ? cursor_read_record(warps->reader, &warp->cursor, &warp->step,
	                                                     warp->insn->slot, warps->error)
	                                : CURSOR_STEP;
	if (__builtin_expect(result != CURSOR_STEP, 0))
		warps_end(warps, warp->slot, result, now);
	return result == CURSOR_STEP;
}
