/*
 * Waiting for two things means waiting for the later one: what a fence, a
 * barrier or a cold instruction line costs does not shrink because a load
 * that was waited for too came sooner. And a fill that a fence overtook fills
 * no other warp's line.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

#define A UINT64_C(0x10000000)
#define B UINT64_C(0x10400000)
enum { ALL = 0xff };

/*
 * One warp: loads a line until it is in L1, loads it again into register 5,
 * does `between`, and then computes with register `use`.
 */
static uint64_t cycles_of(const char *changes, const struct trace_insn *between, uint32_t last_at,
                          uint8_t use)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "two_waits", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(1, 4, 2), ALL, A, 4);
	synth_plain(s, synth_op(2, OP_FP32, 4, 4), ALL);
	synth_stride(s, synth_load(3, 5, 4), ALL, A, 4);
	if (between)
		synth_plain(s, *between, ALL);
	synth_plain(s, synth_op(last_at, OP_FP32, 6, use), ALL);
	struct trace *trace = synth_finish(s);
	char all[256];
	snprintf(all, sizeof all, "l1d.hit_cycles=30 lsu.issue_cycles=10 %s", changes);
	struct counters c =
	    bench_only((struct bench_setup){.machine = "gtx480-khairy", .changes = all}, trace);
	return c.value[COUNT_cycles];
}

TEST(a_fence_is_waited_for_though_a_load_comes_sooner)
{
	struct trace_insn fence = synth_op(4, OP_FENCE, 0, 0);
	fence.flags |= INSN_GPU_SCOPE;
	uint64_t alone = cycles_of("sm.fence_cycles=300", &fence, 5, 7);
	uint64_t both = cycles_of("sm.fence_cycles=300", &fence, 5, 5);
	CHECK(alone > cycles_of("sm.fence_cycles=200", &fence, 5, 7) + 90);
	CHECK_EQ(both, alone);
}

TEST(a_barrier_is_waited_for_though_a_load_comes_sooner)
{
	struct trace_insn barrier = synth_op(4, OP_BARRIER, 0, 0);
	CHECK_EQ(cycles_of("sm.barrier_cycles=300", &barrier, 5, 5),
	         cycles_of("sm.barrier_cycles=300", &barrier, 5, 7));
}

TEST(a_branch_is_waited_for_though_a_load_comes_sooner)
{
	struct trace_insn branch = synth_op(4, OP_BRANCH, 0, 0);
	CHECK_EQ(cycles_of("sm.branch_cycles=300", &branch, 5, 5),
	         cycles_of("sm.branch_cycles=300", &branch, 5, 7));
}

TEST(instructions_are_waited_for_though_a_load_comes_sooner)
{
	CHECK_EQ(cycles_of("sm.fetch_cold_cycles=300", NULL, 100, 5),
	         cycles_of("sm.fetch_cold_cycles=300", NULL, 100, 7));
}

TEST(instructions_behind_a_barrier_are_waited_for)
{
	struct trace_insn barrier = synth_op(4, OP_BARRIER, 0, 0);
	uint64_t near = cycles_of("sm.fetch_cold_cycles=300", &barrier, 5, 7);
	uint64_t far = cycles_of("sm.fetch_cold_cycles=300", &barrier, 100, 7);
	CHECK(far > near + 250);
}

/* A is in flight when the fence empties L1; B takes its place, and must wait for its own data. */
TEST(a_fill_that_a_fence_overtook_fills_no_other_line)
{
	struct trace_insn fence = synth_op(3, OP_FENCE, 0, 0);
	fence.flags |= INSN_GPU_SCOPE;
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "warm", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(1, 4, 2), ALL, A, 4);
	synth_kernel(s, &(struct synth_shape){.name = "overtaken", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(1, 4, 2), ALL, A, 4); /* from L2 */
	synth_plain(s, synth_op(2, OP_FP32, 6, 6), ALL);
	synth_plain(s, fence, ALL);
	synth_stride(s, synth_load(4, 5, 2), ALL, B, 4); /* from DRAM */
	synth_stride(s, synth_load(5, 7, 4), ALL, B, 4); /* when A is here */
	struct trace *trace = synth_finish(s);
	struct bench b =
	    bench_open((struct bench_setup){.machine = "gtx480-khairy", .changes = "l1d.sets=1 l1d.ways=1"});
	bench_run(&b, trace, 0, true);
	struct counters c = bench_run(&b, trace, 1, false);
	bench_close(&b);
	trace_close(trace);
	CHECK_EQ(c.value[COUNT_l1_misses], 2);
	CHECK_EQ(c.value[COUNT_l1_hits], 0);
	CHECK_EQ(c.value[COUNT_l1_pending_hits], 1);
}

TEST_RUN_ALL(true)
