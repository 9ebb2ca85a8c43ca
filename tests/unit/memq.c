/*
 * The request window between coalescer and L1: with policies that do nothing
 * it is not there; with others it joins and reorders as LCM and MRPB describe.
 */
#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

/* ---- policies that do nothing -------------------------------------------------------------------------- */

static int append_all(void *sm, const struct memq_item *window, uint32_t count, const struct memq_item *request)
{
	(void)sm, (void)window, (void)count, (void)request;
	return MEMQ_APPEND;
}

static int pick_first(void *sm, const struct memq_item *window, uint32_t count)
{
	(void)sm, (void)window, (void)count;
	return 0;
}

static const struct policy neutral = {
	.abi = POLICY_ABI, .name = "neutral", .memq_insert = append_all, .memq_pick = pick_first};
static const struct policy neutral_insert = {.abi = POLICY_ABI, .name = "neutral-insert", .memq_insert = append_all};

static bool is_neutral(const char *machine, const char *changes, const struct policy *policy)
{
	bool ok = true;
	struct bench plain = bench_open((struct bench_setup){.machine = machine, .changes = changes});
	struct bench window = bench_open((struct bench_setup){.machine = machine, .changes = changes, .extra = policy});
	for (unsigned i = 0; synth_cases[i].name; i++) {
		char where[256];
		struct trace *trace = synth_cases[i].make(plain.machine->sm_warp_size);
		snprintf(where, sizeof where, "%s, %s, %s, %s", machine, changes ? changes : "-", synth_cases[i].name,
			 policy->name);
		struct counters want = bench_run(&plain, trace, 0, true);
		struct counters got = bench_run(&window, trace, 0, true);
		ok &= bench_same(where, &got, &want);
		trace_close(trace);
	}
	bench_close(&plain);
	bench_close(&window);
	return ok;
}

TEST(a_window_that_does_nothing_changes_nothing)
{
	bool ok = true;
	for (const char *const *machine = bench_machines(); *machine; machine++) {
		ok &= is_neutral(*machine, NULL, &neutral);
		ok &= is_neutral(*machine, NULL, &neutral_insert);
	}
	CHECK(ok);
}

TEST(nor_where_requests_fail)
{
	static const char *const few[] = {"l1d.mshr_entries=2", "l1d.mshr_merge=1", "l1d.miss_queue=2", "icnt.credits=2",
					  "l1d.miss_queue=3 icnt.credits=2", "lsu.lines_per_cycle=3 l1d.mshr_entries=4",
					  "lsu.queue_sm=1 lsu.issue_cycles=0 lsu.lines_per_cycle=2"};
	bool ok = true;
	for (size_t i = 0; i < sizeof few / sizeof *few; i++)
		for (const char *const *machine = bench_machines(); *machine; machine++)
			ok &= is_neutral(*machine, few[i], &neutral);
	CHECK(ok);
}

TEST_MAIN(TEST_ENTRY(a_window_that_does_nothing_changes_nothing)
	  TEST_ENTRY(nor_where_requests_fail))
