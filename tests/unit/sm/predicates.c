/* What uses a predicate waits for the compare that sets it; other instructions do not. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* A warp compares, then comes to a branch with these flags. */
static uint64_t cycles_with(uint16_t flags, const char *changes)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "compare", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	struct trace_insn compare = synth_op(0, OP_INT, 4, 2);
	compare.flags |= INSN_SETS_PREDICATE;
	synth_plain(s, compare, UINT32_MAX);
	struct trace_insn branch = synth_op(1, OP_BRANCH, 0, 0);
	branch.flags |= flags;
	synth_plain(s, branch, UINT32_MAX);
	synth_plain(s, synth_op(2, OP_INT, 5, 2), UINT32_MAX);
	struct trace *trace = synth_finish(s);
	struct counters counters =
	    bench_once((struct bench_setup){.machine = "h200", .changes = changes}, trace);
	trace_close(trace);
	return counters.value[COUNT_cycles];
}

TEST(a_branch_waits_for_the_compare_before_it)
{
	CHECK_EQ(cycles_with(INSN_USES_PREDICATE, "sm.predicate_cycles=600") -
	             cycles_with(INSN_USES_PREDICATE, "sm.predicate_cycles=100"),
	         500);
}

TEST(one_that_uses_no_predicate_does_not)
{
	CHECK_EQ(cycles_with(0, "sm.predicate_cycles=600"), cycles_with(0, "sm.predicate_cycles=100"));
}

TEST_RUN_ALL(true)
