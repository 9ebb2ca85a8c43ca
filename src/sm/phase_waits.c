#include "sm/phase_waits.h"

/* When a phase that ended at `when` is seen. Not measured: that a bulk copy takes as long as an LDGSTS to write shared memory. */
static ready_t phase_seen(cycle_t when)
{
	return ready_at(when + MBARRIER_SEEN_CYCLES, STALL_MBARRIER);
}

ready_t phase_waits_ready(struct warps *warps, uint32_t slot, cycle_t now)
{
	cycle_t when;
	if (!mbarriers_is_over(&warps->mbarriers, warps->warp[slot].cta_slot, slot, &when))
		return READY_NEVER(STALL_MBARRIER);
	return when > now ? phase_seen(when) : ready_at(now + 1, STALL_FIXED_LATENCY);
}

/* Policies see it as what it is, a barrier. */
void phase_waits_begin(struct warps *warps, uint32_t slot, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	if (!warp->generation)
		return; /* the wait was its last instruction */
	warp->at_barrier = warp->at_mbarrier = true;
	warp->ready = READY_NEVER(STALL_MBARRIER);
	warps->mbarriers.cta[warp->cta_slot].waiting++;
	scheduler_at_barrier(warp->sched, warp->bit);
	hooks_on_barrier(warps->hooks, slot, true, now);
}

static void end_wait(struct warps *warps, uint32_t slot, cycle_t when, cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	warp->at_barrier = warp->at_mbarrier = false;
	warps->mbarriers.cta[warp->cta_slot].waiting--;
	scheduler_past_barrier(warp->sched, warp->bit);
	hooks_on_barrier(warps->hooks, slot, false, now);
	warp->earliest = ready_later(warp->earliest, phase_seen(when > now ? when : now));
	warps_park_again(warps, slot, warp->earliest, now);
}

/* Something happened at an mbarrier of the CTA: waits may be over. */
static void look_again(struct warps *warps, uint32_t cta_slot, cycle_t now)
{
	for (uint32_t slot = warps->cta[cta_slot].first_slot; slot < warps->cta[cta_slot].end_slot; slot++) {
		const struct warp *warp = &warps->warp[slot];
		cycle_t when;
		if (warp->generation && warp->cta_slot == cta_slot && warp->at_mbarrier &&
		    mbarriers_is_over(&warps->mbarriers, cta_slot, slot, &when))
			end_wait(warps, slot, when, now);
	}
}

void phase_waits_change(struct warps *warps, uint32_t slot, cycle_t now)
{
	struct mbarriers *m = &warps->mbarriers;
	const struct warp *warp = &warps->warp[slot];
	if (!m->in_use)
		return;
	bool look = warp->insn->async == ASYNC_CHANGE
	                ? mbarriers_change(m, warp->cta_slot, &warp->step, now)
	                : mbarriers_change_after_copies(m, warp->cta_slot, slot, &warp->step, now);
	if (look)
		look_again(warps, warp->cta_slot, now);
}

void phase_waits_landed(struct warps *warps, uint32_t cta_slot, uint32_t generation, uint32_t mbarrier,
                        cycle_t done, cycle_t now)
{
	if (mbarriers_land(&warps->mbarriers, cta_slot, generation, mbarrier, done + COPY_WRITE_CYCLES))
		look_again(warps, cta_slot, now);
}

__attribute__((noinline)) void phase_waits_copied(struct warps *warps, uint32_t slot, uint32_t copy,
                                                  cycle_t done, cycle_t now)
{
	struct mbarriers *m = &warps->mbarriers;
	uint32_t cta_slot = warps->warp[slot].cta_slot;
	copies_end(&warps->copies[slot], copy % COPY_GROUPS, done);
	if (m->in_use && mbarriers_copied(m, cta_slot, slot, copy / COPY_GROUPS, done + COPY_WRITE_CYCLES))
		look_again(warps, cta_slot, now);
}

void phase_waits_end_warp(struct warps *warps, uint32_t slot, cycle_t now)
{
	uint32_t cta_slot = warps->warp[slot].cta_slot;
	if (mbarriers_end_warp(&warps->mbarriers, cta_slot, slot, now))
		look_again(warps, cta_slot, now);
}
