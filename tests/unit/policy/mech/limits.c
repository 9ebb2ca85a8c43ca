/* Limits: an L1 that always hits, one without end, and one for each warp, on loops over the lines of one set. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

enum { ROUNDS = 20, SETS = 32 };

/* Warp w goes round `lines[w]` lines of its own, all of set 3, one after the other. */
static struct trace *loops(const uint32_t *lines, uint32_t warps)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"loops", 1, warps, 32, 0, 0});
	for (uint32_t w = 0; w < warps; w++) {
		synth_warp(s, 0, w);
		for (uint32_t i = 0; i < ROUNDS * lines[w]; i++) {
			uint64_t line = (uint64_t)(w * 64 + i % lines[w]) * SETS + 3;
			synth_stride(s, synth_load(1, 4, 2), 1, line * 128, 0);
			synth_plain(s, synth_op(2, OP_FP32, 6, 4), 1); /* waits for it */
		}
		synth_plain(s, synth_op(3, OP_EXIT, 0, 0), 1);
	}
	return synth_finish(s);
}

static struct counters run(const struct trace *trace, const char *policy)
{
	return bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = policy}, trace);
}

static uint64_t misses(const struct trace *trace, const char *policy)
{
	struct counters c = run(trace, policy);
	return c.value[COUNT_l1_misses];
}

TEST(warps_that_fit_alone_do_not_disturb_each_other)
{
	struct trace *trace = loops((const uint32_t[]){3, 3, 4}, 3);
	CHECK(misses(trace, "gto") > 100);
	CHECK_EQ(misses(trace, "interference-free"), 3 + 3 + 4);
	CHECK_EQ(misses(trace, "unbounded"), 3 + 3 + 4);
	CHECK_EQ(misses(trace, "perfect-l1"), 0);
	trace_close(trace);
}

TEST(a_warp_that_does_not_fit_still_disturbs_itself)
{
	struct trace *trace = loops((const uint32_t[]){5, 2}, 2);
	CHECK_EQ(misses(trace, "interference-free"), ROUNDS * 5 + 2); /* LRU on a loop of five in four ways */
	CHECK_EQ(misses(trace, "unbounded"), 5 + 2);
	trace_close(trace);
}

/* Two warps read the same three lines. */
TEST(a_private_l1_holds_what_its_own_warp_asked_for)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"same", 1, 2, 32, 0, 0});
	for (uint32_t w = 0; w < 2; w++) {
		synth_warp(s, 0, w);
		/* The second comes when the first is done. */
		for (uint32_t i = 0; w && i < 2000; i++)
			synth_plain(s, synth_op(4, OP_FP32, 6, 6), 1);
		for (uint32_t i = 0; i < 3 * ROUNDS; i++) {
			synth_stride(s, synth_load(1, 4, 2), 1, 0x10000 + i % 3 * 128, 0);
			synth_plain(s, synth_op(2, OP_FP32, 6, 4), 1);
		}
		synth_plain(s, synth_op(3, OP_EXIT, 0, 0), 1);
	}
	struct trace *trace = synth_finish(s);
	CHECK_EQ(misses(trace, "gto"), 3);
	CHECK_EQ(misses(trace, "unbounded"), 3);
	CHECK_EQ(misses(trace, "interference-free"), 6);
	trace_close(trace);
}

TEST(lines_on_their_way_are_waited_for)
{
	struct trace *trace = synth_row_walk(15, 8, 32, 4096, 64);
	struct counters c = run(trace, "unbounded"), base = run(trace, "gto");
	CHECK(c.value[COUNT_l1_pending_hits] > 0);
	CHECK_EQ(c.value[COUNT_l1_accesses], base.value[COUNT_l1_accesses]);
	CHECK_EQ(c.value[COUNT_l1_hits] + c.value[COUNT_l1_pending_hits] + c.value[COUNT_l1_misses],
	         c.value[COUNT_l1_accesses]);
	/* 256 rows and 2 lines each on every SM, and 2 of the vector. */
	CHECK_EQ(c.value[COUNT_l1_misses], 15 * (256 * 2 + 2));
	CHECK_EQ(c.value[COUNT_l1_evictions], 0);
	trace_close(trace);
}

TEST(nothing_is_faster_than_a_perfect_l1_and_unbounded_comes_next)
{
	static const char *const others[] = {
	    "gto", "pric", "lru", "rrip", "fifo", "plru", "min", "interference-free", "pric,min"};
	struct trace *trace = synth_row_walk(30, 8, 32, 4096, 32);
	struct counters perfect = run(trace, "perfect-l1"), unbounded = run(trace, "unbounded");
	CHECK(perfect.value[COUNT_cycles] <= unbounded.value[COUNT_cycles]);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++) {
		struct counters c = run(trace, others[i]);
		CHECK(unbounded.value[COUNT_cycles] <= c.value[COUNT_cycles]);
		CHECK(unbounded.value[COUNT_l1_misses] <= c.value[COUNT_l1_misses]);
	}
	trace_close(trace);
}

TEST(every_launch_begins_with_an_empty_l1)
{
	struct trace *trace = loops((const uint32_t[]){3}, 1);
	static const char *const names[] = {"unbounded", "interference-free"};
	for (int i = 0; i < 2; i++) {
		struct bench b =
		    bench_open((struct bench_setup){.machine = "gtx480-khairy", .policy = names[i]});
		for (int launch = 0; launch < 2; launch++)
			CHECK_EQ(bench_run(&b, trace, 0, false).value[COUNT_l1_misses], 3);
		bench_close(&b);
	}
	trace_close(trace);
}

TEST_RUN_ALL(true)
