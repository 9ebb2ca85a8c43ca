/*
 * Throttling: a scheduler looks again when a warp that its policies let go can issue,
 * whatever the throttled warps could do, and an answer that stands is not asked for
 * again.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "policy/lib/order.h"
#include "test.h"

static uint64_t questions; /* that the policies below were asked */

/* The two oldest warps go: an answer that stands, and the same asked for in every cycle. */
static struct throttle standing(void *sm, const struct sched_view *view)
{
	(void)sm;
	questions++;
	uint64_t may = oldest_running(view, 2);
	return (struct throttle){may, may, POLICY_UNTIL_WARPS};
}

static struct throttle fleeting(void *sm, const struct sched_view *view)
{
	struct throttle answer = standing(sm, view);
	answer.until = view->cycle + 1;
	return answer;
}

static const struct policy few_standing = {.abi = POLICY_ABI, .name = "few-standing", .throttle = standing};
static const struct policy few_fleeting = {.abi = POLICY_ABI, .name = "few-fleeting", .throttle = fleeting};

/* Where a policy and a busy pipe both held the warps, either may be blamed. */
static struct counters blame_one(struct counters c)
{
	c.value[COUNT_stall_policy_throttle] +=
	    c.value[COUNT_stall_math_pipe_throttle] + c.value[COUNT_stall_lg_throttle];
	c.value[COUNT_stall_math_pipe_throttle] = c.value[COUNT_stall_lg_throttle] = 0;
	return c;
}

TEST(an_answer_that_stands_is_the_same_as_one_asked_for_in_every_cycle)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		struct bench a =
		    bench_open((struct bench_setup){.machine = *machine, .extra = &few_standing});
		struct bench b =
		    bench_open((struct bench_setup){.machine = *machine, .extra = &few_fleeting});
		for (unsigned i = 0; synth_cases[i].name; i++) {
			char where[128];
			const struct trace *trace = synth_kept(i, a.machine->sm_warp_size);
			snprintf(where, sizeof where, "%s, %s", *machine, synth_cases[i].name);
			questions = 0;
			struct counters got = blame_one(bench_run(&a, trace, 0, true));
			uint64_t few = questions;
			questions = 0;
			struct counters want = blame_one(bench_run(&b, trace, 0, true));
			ok &= bench_same(where, &got, &want);
			ok &= few <= questions;
		}
		bench_close(&a);
		bench_close(&b);
	}
	CHECK(ok);
}

/* Warps that all wait for room in the LSU's queue. */
static struct trace *scattered_loads(uint32_t loads)
{
	struct synth *s = synth_new();
	uint64_t state = 1, address[32];
	synth_kernel(s, &(struct synth_shape){.name = "scatter", .ctas = 1, .warps = 16, .warp_size = 32});
	for (uint32_t warp = 0; warp < 16; warp++) {
		synth_warp(s, 0, warp);
		for (uint32_t i = 0; i < loads; i++) {
			for (uint32_t lane = 0; lane < 32; lane++)
				address[lane] = 0x10000000 + synth_random(&state) % (1 << 20) * 128;
			synth_list(s, synth_load(i, (uint8_t)(8 + i), 4), synth_lanes(32), address);
		}
	}
	return synth_finish(s);
}

TEST(held_warps_do_not_keep_the_scheduler_from_waiting_for_the_queue)
{
	struct trace *trace = scattered_loads(16);
	questions = 0;
	struct counters c =
	    bench_once((struct bench_setup){.machine = "gtx480-khairy", .extra = &few_standing}, trace);
	CHECK_EQ(c.value[COUNT_stall_policy_throttle], 0);
	CHECK(questions <= 2 * 16 + 2); /* when a warp starts or ends */
	c = bench_once((struct bench_setup){.machine = "gtx480-khairy", .extra = &few_fleeting}, trace);
	CHECK_EQ(c.value[COUNT_stall_policy_throttle], 0);
	trace_close(trace);
}

TEST_RUN_ALL(true)
