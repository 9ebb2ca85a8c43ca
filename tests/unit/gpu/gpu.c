/* What the rest of the GPU writes while a launch runs: counted by the time that has passed, and nothing else. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static struct counters run_with(const char *changes)
{
	struct counters counters = bench_only((struct bench_setup){.machine = "h200", .changes = changes},
	                                      synth_row_walk(1, 8, 32, 4096, 64));
	return counters;
}

TEST(a_launch_counts_a_block_of_others_for_every_period)
{
	struct counters none = run_with("launch.write_bytes=0");
	struct counters some = run_with("launch.write_bytes=4096 launch.write_us=1"); /* 1980 cycles */
	uint64_t periods = none.value[COUNT_cycles] / 1980;
	CHECK(periods > 2);
	CHECK_EQ(some.value[COUNT_dram_write_bytes] - none.value[COUNT_dram_write_bytes], 4096 * periods);
	some.value[COUNT_dram_write_bytes] = none.value[COUNT_dram_write_bytes];
	CHECK(bench_same("background writes", &some, &none));
}

TEST(a_short_launch_on_the_h200_counts_none)
{
	CHECK_EQ(run_with(NULL).value[COUNT_dram_write_bytes],
	         run_with("launch.write_bytes=0").value[COUNT_dram_write_bytes]);
}

TEST_RUN_ALL(true)
