/* Shared memory of another CTA of the cluster, by generic addresses: on chip, farther away, and none of L2's. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static const uint64_t window = UINT64_C(0x7f0000000000); /* of synthetic launches */

/* A warp accesses the shared memory of CTA `rank` of its cluster, and uses what it has read. */
static struct counters access(const char *machine, enum op_class op, uint64_t rank, uint64_t lanes)
{
	struct synth *s = synth_new();
	synth_kernel(s,
	             &(struct synth_shape){.name = "cluster", .ctas = 1, .warps = 1, .shared_bytes = 4096});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < 16; i++) {
		synth_stride(s, synth_memory(2 * i, op, SPACE_GENERIC, 4, 4, 2), lanes,
		             window + (rank << 24) + 1024, 4);
		synth_plain(s, synth_op(2 * i + 1, OP_INT, 2, 4), UINT32_MAX);
	}
	struct trace *trace = synth_finish(s);
	struct counters counters = bench_once((struct bench_setup){.machine = machine}, trace);
	trace_close(trace);
	return counters;
}

TEST(a_read_of_a_neighbour_stays_on_chip_and_takes_longer)
{
	struct counters own = access("h200", OP_LOAD, 0, UINT32_MAX),
	                first = access("h200", OP_LOAD, 1, UINT32_MAX),
	                last = access("h200", OP_LOAD, 15, UINT32_MAX);
	CHECK_EQ(first.value[COUNT_l1_accesses], 0);
	CHECK_EQ(first.value[COUNT_l2_read_sectors], own.value[COUNT_l2_read_sectors]);
	CHECK_EQ(first.value[COUNT_insns_shared_load], 16);
	CHECK_EQ(first.value[COUNT_cycles], own.value[COUNT_cycles] + 16 * 180);
	CHECK_EQ(last.value[COUNT_cycles], first.value[COUNT_cycles]);
}

TEST(what_lies_behind_the_windows_of_a_cluster_is_global_memory)
{
	CHECK_EQ(access("h200", OP_LOAD, 16, UINT32_MAX).value[COUNT_l1_accesses], 16);
	CHECK_EQ(access("v100", OP_LOAD, 1, UINT32_MAX).value[COUNT_l1_accesses], 16);
	CHECK_EQ(access("v100", OP_LOAD, 0, UINT32_MAX).value[COUNT_l1_accesses], 0);
}

/* Cycles of a warp that reads its own shared memory behind 16 atomics of a neighbour's. */
static uint64_t behind_atomics(uint64_t lanes)
{
	struct synth *s = synth_new();
	synth_kernel(s,
	             &(struct synth_shape){.name = "cluster", .ctas = 1, .warps = 1, .shared_bytes = 4096});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < 16; i++)
		synth_stride(s, synth_memory(i, OP_REDUCE, SPACE_GENERIC, 4, 0, 2), lanes,
		             window + (1 << 24) + 1024, 4);
	synth_stride(s, synth_memory(20, OP_LOAD, SPACE_SHARED, 4, 4, 2), UINT32_MAX, 0, 4);
	synth_plain(s, synth_op(21, OP_INT, 2, 4), UINT32_MAX);
	struct trace *trace = synth_finish(s);
	struct counters counters = bench_once((struct bench_setup){.machine = "h200"}, trace);
	trace_close(trace);
	return counters.value[COUNT_cycles];
}

TEST(an_atomic_of_a_neighbour_takes_the_pipe_for_each_lane)
{
	CHECK_EQ(behind_atomics(UINT32_MAX), behind_atomics(0xffff) + UINT64_C(16) * 16 * 4);
}

TEST_RUN_ALL(true)
