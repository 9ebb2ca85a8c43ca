/*
 * A warp scheduler: warps issue in the cycle in which they are ready and not
 * before, when their pipe is free, the LSU has room and policies let them.
 */
#include "lib/core_fixture.h"
#include "test.h"

static const struct decoded alu = {.unit = UNIT_ALU, .pipe = UNIT_ALU, .interval = 1};
static const struct decoded fp64 = {.unit = UNIT_FP64, .pipe = UNIT_FP64, .interval = 8};
static const struct decoded load = {.unit = UNIT_LSU, .pipe = UNIT_LSU | PIPE_LOAD, .interval = 1};

static struct core *core;
static struct scheduler *sched;
static enum stall held;
static bool released;

static void open_scheduler(const struct policy *policy)
{
	core = core_open((struct bench_setup){.machine = "gtx480-khairy", .extra = policy},
	                 core_memory_trace(32, 0));
	sched = &core->sm->sched[0];
}

static void add(uint32_t bit, uint64_t age, const struct decoded *insn, cycle_t when)
{
	scheduler_add(sched, bit, age);
	scheduler_note_next(sched, bit, insn);
	scheduler_park(sched, bit, ready_at(when, STALL_FIXED_LATENCY), 0);
}

/* Where no policy asks, the short way must pick the same; no warp has the number of a difference. */
static uint32_t pick(bool stuck, cycle_t now)
{
	enum { DIFFERS = 1000 };
	const struct hooks *hooks = &core->sm->hooks;
	struct scheduler copy = *sched;
	enum stall plain_held = STALL_IDLE;
	released = false;
	held = STALL_IDLE;
	uint32_t bit = scheduler_pick(sched, hooks, &core->sm->lsu, stuck, now, &held, &released);
	if (hooks_has_throttle(hooks) || hooks->asks_next_load)
		return bit;
	uint32_t plain = scheduler_pick_plain(&copy, hooks, &core->sm->lsu, now, &plain_held);
	bool same =
	    plain == bit && plain_held == held && copy.next == sched->next && copy.blocked == sched->blocked;
	return same ? bit : DIFFERS;
}

/* Issues `insn` of the warp, whose next is the same and ready at `when`. */
static void issue(uint32_t bit, const struct decoded *insn, cycle_t when, cycle_t now)
{
	scheduler_take_pipe(sched, bit, insn, now);
	scheduler_set_ready(sched, bit, ready_at(when, STALL_FIXED_LATENCY));
	scheduler_issued(sched, &core->sm->hooks, now);
}

TEST(a_warp_issues_in_its_cycle_and_not_before)
{
	open_scheduler(NULL);
	add(3, 1, &alu, 10);
	CHECK_EQ(sched->next, 10);
	CHECK_EQ(core->sm->alarm.at, 10);
	CHECK_EQ(pick(false, 9), SCHED_NONE);
	CHECK_EQ(sched->next, 10);
	CHECK_EQ(pick(false, 10), 3);
	core_close(core);
}

TEST(a_warp_that_is_ready_far_ahead_issues_in_its_cycle)
{
	open_scheduler(NULL);
	for (cycle_t when = 60; when < 70; when++)
		add((uint32_t)(when - 60), when, &alu, when == 69 ? 1000 : when);
	for (cycle_t when = 60; when < 69; when++) {
		CHECK(sched->next <= when);
		CHECK_EQ(pick(false, when), when - 60);
		scheduler_take_pipe(sched, (uint32_t)(when - 60), &alu, when);
		scheduler_set_ready(sched, (uint32_t)(when - 60), READY_NEVER(STALL_BARRIER));
		scheduler_issued(sched, &core->sm->hooks, when);
	}
	while (sched->next < 1000)
		CHECK_EQ(pick(false, sched->next), SCHED_NONE);
	CHECK_EQ(sched->next, 1000);
	CHECK_EQ(pick(false, 1000), 9);
	core_close(core);
}

/* Times are kept in 16 bits: what lies beyond them is found all the same, also after they were counted anew. */
TEST(a_warp_that_is_ready_after_many_others_issues_in_its_cycle)
{
	open_scheduler(NULL);
	add(0, 1, &alu, 10);
	add(1, 2, &alu, 65536 + 20);
	for (cycle_t now = 10; now < 200000; now += 997) {
		if (now > 65536 + 20 && now < 65536 + 20 + 997) {
			CHECK_EQ(sched->next, 65536 + 20);
			CHECK_EQ(pick(false, 65536 + 20), 1);
			issue(1, &alu, 300000, 65536 + 20);
		}
		CHECK_EQ(pick(false, now), 0);
		issue(0, &alu, now + 997, now);
		CHECK(sched->next == now + 997 || sched->next == 65536 + 20);
	}
	scheduler_remove(sched, 0);
	while (sched->next < 300000)
		CHECK_EQ(pick(false, sched->next), SCHED_NONE);
	CHECK_EQ(pick(false, 300000), 1);
	core_close(core);
}

/* A single warp goes unasked; of several, the policy names one, and stays with it. */
TEST(greedy_then_oldest_chooses_among_several_warps_alone)
{
	core = core_open((struct bench_setup){.machine = "gtx480-khairy", .policy = "gto"},
	                 core_memory_trace(32, 0));
	sched = &core->sm->sched[0];
	add(2, 30, &alu, 10);
	CHECK_EQ(pick(false, 10), 2);
	add(0, 20, &alu, 11);
	add(1, 10, &alu, 11);
	CHECK_EQ(pick(false, 11), 1);
	issue(1, &alu, 12, 11);
	CHECK_EQ(pick(false, 12), 1);
	core_close(core);
}

TEST(a_warp_without_a_time_sleeps_until_it_is_parked_again)
{
	open_scheduler(NULL);
	scheduler_add(sched, 0, 1);
	scheduler_note_next(sched, 0, &alu);
	scheduler_park(sched, 0, READY_NEVER(STALL_LONG_SCOREBOARD), 5);
	CHECK(sched->next == CYCLE_NEVER);
	CHECK_EQ(sched->view.waiting_memory, 1);
	CHECK_EQ(pick(false, 5000), SCHED_NONE);
	scheduler_wake(sched, 0);
	scheduler_park(sched, 0, ready_at(4000, STALL_LONG_SCOREBOARD), 5001); /* it has come meanwhile */
	CHECK_EQ(sched->view.waiting_memory, 0);
	CHECK_EQ(sched->next, 5001);
	CHECK_EQ(pick(false, 5001), 0);
	core_close(core);
}

/* Against a plain list of when each warp is ready; time goes on by `next`. */
TEST(random_warps_issue_as_a_plain_list_says)
{
	open_scheduler(NULL);
	uint64_t state = 23, when[24];
	cycle_t now = 0;
	for (uint32_t w = 0; w < 24; w++) {
		when[w] = synth_random(&state) % 300;
		add(w, w, &alu, when[w]);
	}
	for (int i = 0; i < 20000; i++) {
		cycle_t soonest = CYCLE_NEVER;
		for (uint32_t w = 0; w < 24; w++)
			soonest = when[w] < soonest ? when[w] : soonest;
		cycle_t due = soonest > now ? soonest : now;
		CHECK(sched->next <= due); /* it is never late */
		now = sched->next > now ? sched->next : now;
		uint32_t bit = pick(false, now);
		CHECK_EQ(bit == SCHED_NONE, due > now);
		if (bit == SCHED_NONE)
			continue;
		CHECK(when[bit] <= now);
		uint64_t wait =
		    synth_random(&state) % 8 ? 1 + synth_random(&state) % 12 : synth_random(&state) % 700;
		issue(bit, &alu, when[bit] = now + 1 + wait, now);
		now++;
	}
	core_close(core);
}

TEST(a_scheduler_issues_once_per_cycle)
{
	open_scheduler(NULL);
	add(0, 1, &alu, 10);
	add(1, 2, &fp64, 10);
	CHECK_EQ(pick(false, 10), 0);
	issue(0, &alu, 20, 10);
	CHECK_EQ(pick(false, 10), SCHED_NONE);
	CHECK_EQ(sched->next, 11);
	CHECK_EQ(pick(false, 11), 1);
	core_close(core);
}

TEST(a_pipe_is_busy_for_its_interval_and_free_after_it)
{
	open_scheduler(NULL);
	add(0, 1, &fp64, 10);
	add(1, 2, &fp64, 10);
	CHECK_EQ(pick(false, 10), 0);
	issue(0, &fp64, 100, 10);
	CHECK_EQ(sched->next, 18);
	CHECK_EQ(pick(false, 17), SCHED_NONE);
	CHECK_EQ(sched->next, 18);
	CHECK_EQ(pick(false, 18), 1);
	CHECK_EQ(held, STALL_MATH_PIPE_THROTTLE);
	core_close(core);
}

TEST(a_busy_pipe_holds_nobody_who_wants_another)
{
	open_scheduler(NULL);
	add(0, 1, &fp64, 10);
	add(1, 2, &fp64, 10);
	add(2, 3, &alu, 10);
	CHECK_EQ(pick(false, 10), 0);
	issue(0, &fp64, 100, 10);
	CHECK_EQ(sched->next, 11);
	CHECK_EQ(pick(false, 11), 2);
	core_close(core);
}

TEST(pipe_times_survive_long_launches)
{
	open_scheduler(NULL);
	add(0, 1, &fp64, 10);
	add(1, 2, &fp64, 10);
	for (cycle_t now = 10; now < 300000; now += 4999) {
		uint32_t bit = pick(false, now);
		CHECK(bit < 2);
		issue(bit, &fp64, now + 1, now);
		CHECK_EQ(pick(false, now + 7), SCHED_NONE);
		bit = pick(false, now + 8);
		CHECK(bit < 2);
		issue(bit, &fp64, now + 9, now + 8);
	}
	core_close(core);
}

TEST(a_full_lsu_holds_memory_instructions_alone)
{
	open_scheduler(NULL);
	add(0, 1, &load, 10);
	add(1, 2, &load, 10);
	core->sm->lsu.queued[0] = core->sm->lsu.count = core->machine->lsu_queue_scheduler;
	CHECK_EQ(pick(false, 10), SCHED_NONE);
	CHECK(sched->next == CYCLE_NEVER); /* the LSU will tell */
	add(2, 3, &alu, 12);
	CHECK_EQ(pick(false, 12), 2);
	CHECK_EQ(held, STALL_LG_THROTTLE);
	scheduler_take_pipe(sched, 2, &alu, 12);
	scheduler_set_ready(sched, 2, READY_NEVER(STALL_BARRIER));
	CHECK_EQ(pick(false, 13), SCHED_NONE);
	core->sm->lsu.queued[0] = core->sm->lsu.count = 0;
	scheduler_lsu_room(sched, 20);
	CHECK_EQ(sched->next, 20);
	CHECK_EQ(pick(false, 20), 0);
	CHECK_EQ(held, STALL_LG_THROTTLE);
	core_close(core);
}

/* ---- throttling ------------------------------------------------------------------------------------------------ */

static struct throttle answer;
static uint32_t questions;

static struct throttle say(void *sm, const struct sched_view *view)
{
	(void)sm, (void)view;
	questions++;
	return answer;
}

static const struct policy asked = {.abi = POLICY_ABI, .name = "asked", .throttle = say};

TEST(a_throttled_warp_does_not_issue_and_others_do)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0x2, .load = 0x2, .until = POLICY_UNTIL_WARPS};
	add(0, 1, &alu, 10);
	add(1, 2, &alu, 10);
	CHECK_EQ(pick(false, 10), 1);
	issue(1, &alu, 12, 10);
	CHECK_EQ(pick(false, 11), SCHED_NONE);
	CHECK_EQ(pick(false, 12), 1);
	CHECK_EQ(held, STALL_POLICY_THROTTLE);
	core_close(core);
}

TEST(policies_are_asked_again_when_a_pipe_comes_free)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = UINT64_MAX, .load = UINT64_MAX, .until = POLICY_UNTIL_WARPS};
	add(0, 1, &fp64, 10);
	add(1, 2, &fp64, 10);
	CHECK_EQ(pick(false, 10), 0);
	issue(0, &fp64, 100, 10);
	CHECK_EQ(sched->next, 18);
	CHECK_EQ(pick(false, 18), 1);
	core_close(core);
}

TEST(a_standing_answer_is_asked_for_again_when_warps_change)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0x2, .load = 0x2, .until = POLICY_UNTIL_WARPS};
	add(0, 1, &alu, 10);
	add(1, 2, &alu, 10);
	questions = 0;
	for (cycle_t now = 10; now < 20; now++) {
		CHECK_EQ(pick(false, now), 1);
		issue(1, &alu, now + 1, now);
	}
	CHECK_EQ(questions, 1);
	scheduler_at_barrier(sched, 1);
	answer.issue = answer.load = 0x1;
	CHECK_EQ(pick(false, 20), 0);
	CHECK_EQ(questions, 2);
	scheduler_past_barrier(sched, 1);
	pick(false, 20);
	CHECK_EQ(questions, 3);
	scheduler_remove(sched, 1);
	pick(false, 20);
	CHECK_EQ(questions, 4);
	core_close(core);
}

TEST(an_answer_for_some_cycles_is_asked_for_again_when_they_are_over)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0, .load = 0, .until = 37};
	add(0, 1, &alu, 10);
	CHECK_EQ(pick(false, 10), SCHED_NONE);
	CHECK_EQ(sched->next, 37);
	answer.issue = answer.load = UINT64_MAX;
	CHECK_EQ(pick(false, 37), 0);
	core_close(core);
}

TEST(loads_are_held_apart_from_other_instructions)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0x3, .load = 0x2, .until = POLICY_UNTIL_WARPS};
	add(0, 1, &load, 10);
	add(1, 2, &load, 10);
	CHECK_EQ(pick(false, 10), 1);
	scheduler_note_next(sched, 0, &alu);
	scheduler_take_pipe(sched, 1, &load, 10);
	scheduler_set_ready(sched, 1, READY_NEVER(STALL_BARRIER));
	CHECK_EQ(pick(false, 11), 0);
	core_close(core);
}

TEST(when_all_are_throttled_the_oldest_goes_after_the_timeout)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0, .load = 0, .until = POLICY_UNTIL_WARPS};
	add(0, 9, &alu, 10);
	add(1, 5, &alu, 10);
	CHECK_EQ(pick(false, 10), SCHED_NONE);
	CHECK_EQ(sched->next, 10 + THROTTLE_TIMEOUT);
	CHECK_EQ(pick(false, 10 + THROTTLE_TIMEOUT - 1), SCHED_NONE);
	CHECK(!released);
	CHECK_EQ(pick(true, 10 + THROTTLE_TIMEOUT), 1);
	CHECK(released);
	core_close(core);
}

TEST(a_throttled_scheduler_looks_again_after_progress_alone)
{
	open_scheduler(&asked);
	answer = (struct throttle){.issue = 0, .load = 0, .until = POLICY_CYCLE_NEVER};
	add(0, 9, &alu, 10);
	CHECK_EQ(pick(false, 10), SCHED_NONE);
	scheduler_retry_throttled(sched, 5, 20);
	CHECK_EQ(sched->next, 21);
	CHECK_EQ(pick(false, 21), SCHED_NONE);
	scheduler_retry_throttled(sched, 5, 30); /* nothing has happened since */
	CHECK_EQ(sched->next, 21 + THROTTLE_TIMEOUT);
	core_close(core);
}

TEST(warps_are_listed_by_age_whatever_their_slot)
{
	open_scheduler(NULL);
	static const uint64_t age[] = {40, 10, 30, 20};
	for (uint32_t bit = 0; bit < 4; bit++)
		scheduler_add(sched, bit, age[bit]);
	CHECK_EQ(sched->view.by_age_count, 4);
	CHECK(!memcmp(sched->view.by_age, (uint8_t[]){1, 3, 2, 0}, 4));
	CHECK_EQ(sched->view.resident, 0xf);
	scheduler_remove(sched, 3);
	CHECK_EQ(sched->view.by_age_count, 3);
	CHECK(!memcmp(sched->view.by_age, (uint8_t[]){1, 2, 0}, 3));
	CHECK_EQ(sched->view.resident, 0x7);
	core_close(core);
}

TEST_RUN_ALL(true)
