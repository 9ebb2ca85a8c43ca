/* bypass-all: neither L1 nor L2 is used, whatever the program does (Khairy, section 4.2). */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static struct counters walk(const char *policy)
{
	struct counters c = bench_only((struct bench_setup){.machine = "gtx480-khairy", .policy = policy},
	                               synth_row_walk(2, 1, 32, 4224, 16));
	return c;
}

TEST(every_load_goes_past_l1_and_to_dram)
{
	struct counters plain = walk("gto"), none = walk("bypass-all");
	CHECK(plain.value[COUNT_l1_hits] > 0);
	CHECK_EQ(none.value[COUNT_l1_bypasses], none.value[COUNT_l1_accesses]);
	CHECK_EQ(none.value[COUNT_l1_accesses], plain.value[COUNT_l1_accesses]);
	CHECK_EQ(none.value[COUNT_l1_fills], 0);
	CHECK_EQ(none.value[COUNT_l2_evictions], 0);
	CHECK(none.value[COUNT_dram_read_bytes] > plain.value[COUNT_dram_read_bytes]);
}

TEST(each_level_can_be_kept)
{
	struct counters plain = walk("gto");
	struct counters l1 = walk("bypass-all:l2=no"), l2 = walk("bypass-all:l1=no");
	CHECK_EQ(l1.value[COUNT_l1_bypasses], l1.value[COUNT_l1_accesses]);
	CHECK_EQ(l1.value[COUNT_dram_read_bytes], plain.value[COUNT_dram_read_bytes]);
	CHECK_EQ(l2.value[COUNT_l1_bypasses], 0);
	CHECK(l2.value[COUNT_l1_hits] > 0);
}

TEST_RUN_ALL(true)
