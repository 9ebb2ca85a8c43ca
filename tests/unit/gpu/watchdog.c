/* A launch that waits for a slow DRAM goes on; one that waits for nothing is reported (prel1.c). */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* A warp stores 32 lines `times` over, and loads one. */
static struct trace *stores_then_load(uint32_t times)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "stores", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < times; i++)
		synth_stride(s, synth_memory(i, OP_STORE, SPACE_GLOBAL, 4, 2, 2), UINT32_MAX,
		             UINT64_C(0x10000000) + i * 32 * 128, 128);
	synth_stride(s, synth_load(times, 4, 2), 1, UINT64_C(0x20000000), 128);
	synth_plain(s, synth_op(times + 1, OP_INT, 5, 4), UINT32_MAX);
	return synth_finish(s);
}

/* The load is behind the stores, for longer than the watchdog waits. */
TEST(a_launch_that_waits_for_dram_goes_on)
{
	struct trace *trace = stores_then_load(256);
	struct counters counters =
	    bench_once((struct bench_setup){.machine = "gcn-tian",
	                                    .changes = "clock.dram_mhz=1 sim.watchdog_cycles=50000"},
	               trace);
	CHECK(counters.value[COUNT_cycles] > 3 * 50000);
	trace_close(trace);
}

TEST_RUN_ALL(true)
