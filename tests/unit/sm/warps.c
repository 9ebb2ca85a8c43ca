/* Warps: CTAs start and end, barriers open when all have come or gone, warps without instructions end at once. */
#include "lib/core_fixture.h"
#include "test.h"

enum { WARPS = 4 };

/* Warp w of every CTA: barriers[w] times int and barrier, then one int; -1: nothing at all. */
static struct core *open_warps_under(const struct policy *extra, const int barriers[WARPS], uint32_t ctas)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "barriers", .ctas = ctas, .warps = WARPS});
	for (uint32_t cta = 0; cta < ctas; cta++)
		for (uint32_t w = 0; w < WARPS; w++) {
			if (barriers[w] < 0)
				continue;
			synth_warp(s, cta, w);
			for (int i = 0; i < barriers[w]; i++) {
				synth_plain(s, synth_op(0, OP_INT, 8, 0), UINT32_MAX);
				synth_plain(s, synth_op(1, OP_BARRIER, 0, 0), UINT32_MAX);
			}
			synth_plain(s, synth_op(2, OP_INT, 9, 0), UINT32_MAX);
		}
	return core_open((struct bench_setup){.machine = "h200", .extra = extra}, synth_finish(s));
}

static struct core *open_warps(const int barriers[WARPS], uint32_t ctas)
{
	return open_warps_under(NULL, barriers, ctas);
}

/* The warp issues its next instruction at `now`. */
static void issue(struct core *c, uint32_t slot, cycle_t now)
{
	struct warps *warps = &c->sm->warps;
	struct warp *warp = &warps->warp[slot];
	bool barrier = warp->insn->op == OP_BARRIER;
	if (!barrier) {
		warps_advance(warps, warp, ready_at(now + 1, STALL_FIXED_LATENCY), now);
		return;
	}
	warps_advance_waiting(warps, warp, READY_NEVER(STALL_BARRIER), now);
	warps_wait_barrier(warps, slot, now);
}

static cycle_t ready(const struct core *c, uint32_t slot)
{
	return ready_cycle(c->sm->warps.warp[slot].ready);
}

TEST(warps_of_a_cta_take_slots_in_order_and_get_generations)
{
	CORE c = open_warps((const int[]){0, 0, 0, 0}, 2);
	struct warps *warps = &c->sm->warps;
	CHECK_EQ(core_start_cta(c, 0, 10), 0);
	CHECK_EQ(core_start_cta(c, 1, 11), 1);
	CHECK_EQ(warps->resident, 2 * WARPS);
	CHECK_EQ(warps->resident_ctas, 2);
	for (uint32_t slot = 0; slot < 2 * WARPS; slot++) {
		CHECK_EQ(warps->warp[slot].generation, slot + 1);
		CHECK_EQ(warps_cta_slot(warps, slot), slot / WARPS);
		CHECK_EQ(warps->warp[slot].started, 10 + slot / WARPS);
	}
	CHECK_EQ(warps_cta_id(warps, 1), 1);
	CHECK(warps_cta_is(warps, 1, 1));
	CHECK(!warps_cta_is(warps, 1, 0));
}

TEST(the_first_instruction_waits_for_its_fetch)
{
	CORE c = open_warps((const int[]){0, 0, 0, 0}, 1);
	core_start_cta(c, 0, 10);
	CHECK_EQ(ready(c, 0), 10 + c->machine->sm_fetch_cold_cycles);
	CHECK_EQ(ready_stall(c->sm->warps.warp[0].ready), STALL_NO_INSTRUCTION);
}

TEST(a_barrier_opens_when_the_last_warp_has_come)
{
	CORE c = open_warps((const int[]){1, 1, 1, 1}, 1);
	const struct machine *m = c->machine;
	cycle_t opens = 5000 + m->sm_barrier_cycles + WARPS * m->sm_barrier_warp_cycles;
	core_start_cta(c, 0, 0);
	for (uint32_t slot = 0; slot < WARPS; slot++)
		issue(c, slot, 2000 + slot);
	for (uint32_t slot = 0; slot < WARPS - 1; slot++) {
		issue(c, slot, 3000 + slot);
		CHECK(ready(c, slot) == CYCLE_NEVER);
		CHECK_EQ(ready_stall(c->sm->warps.warp[slot].ready), STALL_BARRIER);
	}
	uint64_t waiting = 0;
	for (uint32_t s = 0; s < m->sm_schedulers; s++)
		waiting |= (uint64_t)(c->sm->sched[s].view.waiting_barrier != 0) << s;
	CHECK_EQ(waiting, 0x7);
	issue(c, WARPS - 1, 5000);
	for (uint32_t slot = 0; slot < WARPS; slot++) {
		CHECK_EQ(ready(c, slot), opens);
		CHECK(!c->sm->warps.warp[slot].at_barrier);
	}
	for (uint32_t s = 0; s < m->sm_schedulers; s++)
		CHECK_EQ(c->sm->sched[s].view.waiting_barrier, 0);
}

TEST(a_launch_that_is_cut_counts_the_residence_of_warps_that_are_still_there)
{
	CORE c = open_warps((const int[]){0, 0, 0, 0}, 1);
	core_start_cta(c, 0, 10);
	issue(c, 2, 60); /* its only instruction: it ends after 50 cycles */
	CHECK_EQ(core_count(c, COUNT_warp_cycles), 50);
	c->sm->account.accounted = 110; /* the last issue was in 109 */
	sm_end_launch(c->sm, 150);
	CHECK_EQ(core_count(c, COUNT_warp_cycles), 50 + 3 * 100);
	CHECK_EQ(core_count(c, COUNT_warps), 1);
}

static uint32_t stopped, went_on;

static void see_barrier(void *sm, uint32_t warp, bool waits, uint64_t cycle)
{
	(void)sm, (void)cycle;
	*(waits ? &stopped : &went_on) |= 1u << warp;
}

TEST(policies_are_told_who_waits_at_a_barrier_and_when_it_opens)
{
	static const struct policy watch = {.abi = POLICY_ABI, .name = "watch", .on_barrier = see_barrier};
	CORE c = open_warps_under(&watch, (const int[]){1, 1, 1, 1}, 1);
	core_start_cta(c, 0, 0);
	stopped = went_on = 0;
	for (uint32_t slot = 0; slot < WARPS - 1; slot++) {
		issue(c, slot, 2000);
		issue(c, slot, 3000);
	}
	CHECK_EQ(stopped, 0x7);
	CHECK_EQ(went_on, 0);
	issue(c, WARPS - 1, 4000);
	issue(c, WARPS - 1, 5000); /* the last: no warp waits any more */
	CHECK_EQ(stopped, 0x7);
	CHECK_EQ(went_on, 0xf);
}

TEST(a_warp_that_ends_opens_the_barrier_for_the_others)
{
	CORE c = open_warps((const int[]){1, 1, 1, 0}, 1);
	core_start_cta(c, 0, 0);
	for (uint32_t slot = 0; slot < 3; slot++) {
		issue(c, slot, 2000);
		issue(c, slot, 3000);
	}
	CHECK(ready(c, 0) == CYCLE_NEVER);
	issue(c, 3, 4000); /* its only instruction: it ends */
	CHECK_EQ(c->sm->warps.warp[3].generation, 0);
	CHECK(ready(c, 0) < CYCLE_NEVER && ready(c, 0) >= 4000);
	CHECK_EQ(c->sm->warps.resident, 3);
}

TEST(warps_without_instructions_end_at_once_and_hold_no_barrier)
{
	CORE c = open_warps((const int[]){1, -1, 1, -1}, 1);
	core_start_cta(c, 0, 100);
	CHECK_EQ(c->sm->warps.resident, 2);
	CHECK_EQ(core_count(c, COUNT_warps), 2);
	issue(c, 0, 2000);
	issue(c, 0, 3000);
	CHECK(ready(c, 0) == CYCLE_NEVER);
	issue(c, 2, 3001);
	issue(c, 2, 3002);
	CHECK(ready(c, 0) < CYCLE_NEVER);
}

TEST(a_cta_ends_once_with_its_last_warp_and_its_slot_is_free_again)
{
	CORE c = open_warps((const int[]){0, 0, 0, 0}, 3);
	struct warps *warps = &c->sm->warps;
	core_start_cta(c, 0, 0);
	core_start_cta(c, 1, 0);
	for (uint32_t slot = 0; slot < WARPS; slot++) {
		CHECK_EQ(warps->ended_count, 0);
		issue(c, slot, 1000 + slot);
	}
	CHECK_EQ(warps->ended_count, 1);
	CHECK_EQ(warps->ended[0].slot, 0);
	CHECK_EQ(warps->ended[0].when, 1000 + WARPS - 1);
	CHECK_EQ(warps->resident_ctas, 1);
	CHECK_EQ(core_count(c, COUNT_ctas), 1);
	CHECK_EQ(core_count(c, COUNT_warp_cycles), 4 * 1000 + 0 + 1 + 2 + 3);
	CHECK(!warps_cta_is(warps, 0, 0));
	CHECK_EQ(core_start_cta(c, 2, 2000), 0);
	CHECK_EQ(warps->warp[0].generation, 2 * WARPS + 1);
}

TEST(a_cta_of_empty_warps_ends_at_once_and_once)
{
	CORE c = open_warps((const int[]){-1, -1, -1, -1}, 1);
	core_start_cta(c, 0, 50);
	CHECK_EQ(c->sm->warps.resident, 0);
	CHECK_EQ(c->sm->warps.resident_ctas, 0);
	CHECK_EQ(c->sm->warps.ended_count, 1);
	CHECK_EQ(core_count(c, COUNT_ctas), 1);
	CHECK_EQ(core_count(c, COUNT_warps), WARPS);
	CHECK_EQ(c->sm->alarm.at, CYCLE_NEVER);
}

TEST(a_result_does_not_wake_a_warp_at_a_barrier)
{
	CORE c = open_warps((const int[]){1, 1, 1, 1}, 1);
	core_start_cta(c, 0, 0);
	issue(c, 0, 2000);
	issue(c, 0, 2001);
	warps_result(&c->sm->warps, 0, 1, 9, 1, ready_at(2100, STALL_LONG_SCOREBOARD), 2050);
	CHECK(ready(c, 0) == CYCLE_NEVER);
	CHECK_EQ(c->sm->warps.board.reg[9], ready_at(2100, STALL_LONG_SCOREBOARD));
}

TEST_RUN_ALL(true)
