#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/*
 * Warps of two schedulers that share the load/store unit: in a fixed order those
 * of the first have it whenever they want it, and walk away from the others.
 */
static uint64_t cycles_with_order(const char *order)
{
	char changes[128];
	snprintf(changes, sizeof changes, "sm.scheduler_order=%s lsu.queue_sm=1 lsu.queue_scheduler=1",
	         order);
	struct bench_setup setup = {.machine = "gtx480-ciao", .changes = changes};
	struct trace *trace = synth_row_walk(1, 8, 32, 4096, 64);
	struct counters counters = bench_once(setup, trace);
	trace_close(trace);
	return counters.value[COUNT_cycles];
}

TEST(the_order_of_schedulers_matters_where_they_share_a_queue)
{
	CHECK(cycles_with_order("fixed") != cycles_with_order("rotating"));
}

TEST_RUN_ALL(true)
