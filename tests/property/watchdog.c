/*
 * A deadlocked launch is a result, not a hang: it is stopped, says who waits for
 * what, and keeps what it counted.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* No line of L1 may ever go: where lines are reserved before the miss is sent, loads wait for ever. */
static uint32_t no_victim(void *sm, const struct l1_request *request, const struct frame_view *ways,
                          uint32_t count)
{
	(void)sm, (void)request, (void)ways, (void)count;
	return UINT32_MAX;
}
static const struct policy hoarder = {.abi = POLICY_ABI, .name = "hoarder", .l1_victim = no_victim};

/* No warp may issue, and the answer is asked for again in every cycle. */
static struct throttle shut(void *sm, const struct sched_view *view)
{
	(void)sm;
	return (struct throttle){.until = view->cycle + 1};
}
static const struct policy gatekeeper = {.abi = POLICY_ABI, .name = "gatekeeper", .throttle = shut};

static struct launch_result run(const struct policy *policy, const char *changes, const struct trace *trace)
{
	struct error err;
	struct launch_result result;
	struct launch_options options = {.flush_l2 = true};
	struct bench b =
	    bench_open((struct bench_setup){.machine = "gtx480-khairy", .changes = changes, .extra = policy});
	if (!gpu_run(b.gpu, trace, 0, &options, &result, &err))
		result.status = LAUNCH_FAILED;
	bench_close(&b);
	return result;
}

static void release(struct launch_result *result, struct trace *trace)
{
	free(result->report);
	free(result->pc_misses);
	trace_close(trace);
}

TEST(a_launch_without_progress_ends_as_deadlocked_and_keeps_its_counters)
{
	struct trace *trace = synth_make("vector_add", 32);
	struct recount r = bench_recount(trace, 0, &(struct machine){.l1d_line_bytes = 128});
	struct launch_result result = run(&hoarder, "sim.watchdog_cycles=5000", trace);
	const uint64_t *v = result.counters.value;
	CHECK_EQ(result.status, LAUNCH_DEADLOCKED);
	CHECK(v[COUNT_warp_insns] > 0 && v[COUNT_warp_insns] < r.warp_insns);
	CHECK(v[COUNT_cycles] > 0 && v[COUNT_cycles] < 100000);
	CHECK_EQ(v[COUNT_sm_cycles], v[COUNT_cycles] * 15);
	CHECK_EQ(v[COUNT_l1_accesses], 0);
	release(&result, trace);
}

TEST(the_report_names_warps_and_what_they_wait_for)
{
	struct trace *trace = synth_make("vector_add", 32);
	struct launch_result result = run(&hoarder, "sim.watchdog_cycles=5000", trace);
	CHECK(result.report);
	CHECK(strstr(result.report, "kernel vector_add"));
	CHECK(strstr(result.report, "24 of 24 CTAs started"));
	CHECK(strstr(result.report, "SM 0 warp 0 (CTA 0)"));
	CHECK(strstr(result.report, "SM 14 warp"));
	CHECK(strstr(result.report, "waits for a load or atomic from global or local memory"));
	CHECK(strstr(result.report, "LSU queue"));
	CHECK(strstr(result.report, "L1 MSHRs 0 of 32"));
	CHECK(strstr(result.report, "credits 128 of 128"));
	release(&result, trace);
}

/* Warps that never got to their barrier hold up the others of their CTA. */
TEST(the_report_tells_barriers_from_loads)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "half", .ctas = 1, .warps = 2});
	synth_warp(s, 0, 0);
	synth_plain(s, synth_op(1, OP_BARRIER, 0, 0), UINT32_MAX);
	synth_plain(s, synth_op(2, OP_EXIT, 0, 0), UINT32_MAX);
	synth_warp(s, 0, 1);
	synth_stride(s, synth_load(3, 4, 2), UINT32_MAX, 0x1000, 4);
	synth_plain(s, synth_op(4, OP_FP32, 4, 4), UINT32_MAX);
	struct trace *trace = synth_finish(s);
	struct launch_result result = run(&hoarder, "sim.watchdog_cycles=5000", trace);
	CHECK_EQ(result.status, LAUNCH_DEADLOCKED);
	CHECK(
	    strstr(result.report,
	           "SM 0 warp 0 (CTA 0): at pc 0020 exit, waits for the other warps of its CTA at a barrier "
	           "(1 of 2 there)"));
	CHECK(strstr(result.report, "SM 0 warp 1 (CTA 0): at pc 0040 fp32, waits for a load"));
	release(&result, trace);
}

/* The watchdog's patience is the machine's: a pause shorter than it is none of its business. */
TEST(a_long_pause_is_not_a_hang)
{
	struct trace *trace = synth_make("pointer_chase", 32);
	struct launch_result slow = run(NULL, "sim.watchdog_cycles=12000 dram.extra_cycles=10000", trace);
	CHECK_EQ(slow.status, LAUNCH_DONE);
	CHECK(!slow.report);
	release(&slow, trace);
}

/* A policy that shuts every gate is either overruled, and that is counted, or reported; it cannot hang the run. */
TEST(shut_gates_do_not_hang_the_run)
{
	struct trace *trace = synth_make("vector_add", 32);
	struct launch_result result = run(&gatekeeper, "sim.watchdog_cycles=5000", trace);
	if (result.status == LAUNCH_DEADLOCKED)
		CHECK(strstr(result.report, "waits for a policy that holds it back"));
	else
		CHECK(result.status == LAUNCH_DONE && result.counters.value[COUNT_throttle_releases] > 0);
	CHECK(result.counters.value[COUNT_stall_policy_throttle] > 0 || result.status == LAUNCH_DEADLOCKED);
	release(&result, trace);
}

/* What a deadlocked launch left behind must not show in the next one. */
TEST(the_launch_after_a_deadlocked_one_is_like_the_first)
{
	struct error err;
	struct launch_result result;
	struct launch_options options = {.flush_l2 = true, .max_insns = 100};
	struct trace *trace = synth_make("random_gather", 32);
	struct bench_setup setup = {.machine = "gtx480-khairy"};
	struct bench b = bench_open(setup);
	CHECK(gpu_run(b.gpu, trace, 0, &options, &result, &err));
	CHECK_EQ(result.status, LAUNCH_TRUNCATED);
	CHECK(result.counters.value[COUNT_warp_insns] >= 100);
	free(result.pc_misses);
	struct counters after = bench_run(&b, trace, 0, true), fresh = bench_once(setup, trace);
	bench_close(&b);
	trace_close(trace);
	CHECK(bench_same("after a launch that was cut", &after, &fresh));
}

TEST_RUN_ALL(true)
