#include "sm/poll_waits.h"

#include "base/bits.h"

/* The issue was none of the trace's instructions. */
static void take_back(struct warps *warps, const struct warp *warp)
{
	uint64_t *value = warps->account->counters.value;
	uint32_t lanes = bits_count(warp->step.mask);
	value[COUNT_warp_insns]--;
	value[COUNT_thread_insns] -= lanes;
	value[warp->insn->work] -= lanes;
	warps->account->progress--;
}

void poll_waits_for_own(struct warps *warps, struct warp *warp, cycle_t now)
{
	take_back(warps, warp);
	warp->earliest = ready_at(warps->polls.poll[warp->slot].own_back, STALL_LONG_SCOREBOARD);
	warps_park_again(warps, warp->slot, warp->earliest, now);
}

void poll_waits_begin(struct warps *warps, struct warp *warp, bool again)
{
	const struct decoded *insn = warp->insn;
	warp->active = warp->step.mask;
	warp->ready = READY_NEVER(STALL_LONG_SCOREBOARD);
	scheduler_set_ready(warp->sched, warp->bit, warp->ready);
	if (!again)
		return;
	take_back(warps, warp);
	count(warps->account, COUNT_spin_rounds, 1);
	count(warps->account, COUNT_spin_insns, insn->round ? insn->round : 1);
}

/* From the data of a poll that failed to the next: the comparison, the branch, and what else is in the loop. */
static cycle_t round_cycles(const struct machine *m, const struct decoded *insn)
{
	enum { POLL_COMPARE_AND_BRANCH = 3, CYCLES_OF_ANOTHER = 2 };
	uint32_t others = insn->round > POLL_COMPARE_AND_BRANCH ? insn->round - POLL_COMPARE_AND_BRANCH : 0;
	return m->sm_predicate_cycles + m->sm_branch_cycles + others * CYCLES_OF_ANOTHER;
}

__attribute__((noinline)) void poll_waits_result(struct warps *warps, uint32_t slot, cycle_t done,
                                                 cycle_t now)
{
	struct warp *warp = &warps->warp[slot];
	const struct decoded *insn = warp->insn;
	cycle_t later = 0;
	bool over = polls_judge(&warps->polls, slot, &warp->step, insn, now, &later);
	ready_t ready = ready_at(done + later, STALL_LONG_SCOREBOARD);
	scoreboard_set(warp->reg, insn->dst, insn->dst_span, ready);
	scheduler_wake(warp->sched, warp->bit);
	if (!over) {
		warp->earliest = ready_at(done + round_cycles(warps->machine, insn), STALL_LONG_SCOREBOARD);
		warps_park_again(warps, slot, warp->earliest, now);
		return;
	}
	warps_advance(warps, warp, ready_at(now, STALL_LONG_SCOREBOARD), now);
	if (warp->generation)
		scheduler_park(warp->sched, warp->bit, warp->ready, now);
}
