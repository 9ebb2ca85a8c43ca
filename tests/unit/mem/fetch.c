/* A store miss that fetches its line asks DRAM for it, though the store had to cross to the line's home. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static struct counters stores_on(const char *machine, const char *changes)
{
	struct counters c = bench_only((struct bench_setup){.machine = machine, .changes = changes},
	                               synth_make("scattered_stores", 32));
	return c;
}

TEST(stores_that_cross_fetch_at_home)
{
	struct counters plain = stores_on("a100", "l2.write_miss=allocate-mask");
	struct counters fetched = stores_on("a100", "l2.write_miss=allocate-fetch");
	CHECK(plain.value[COUNT_l2_fabric_sectors] > 0);
	CHECK_EQ(fetched.value[COUNT_l2_fabric_sectors], plain.value[COUNT_l2_fabric_sectors]);
	CHECK(fetched.value[COUNT_dram_read_bytes] > plain.value[COUNT_dram_read_bytes]);
}

TEST_RUN_ALL(true)
