/* Static limits: the example of CIAO's Best-SWL, warp by warp, and limits on CTAs, whose grain is their warps. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static uint64_t issue_mask(struct probe *h, const struct probe_view *v)
{
	struct throttle gate = h->policy->throttle(h->sm, &v->view);
	return gate.issue & gate.load;
}

TEST(the_two_oldest_that_can_run_may_issue)
{
	/* Scheduler 0 has slots 0, 2, 4, 6: bits 0 to 3. */
	static const uint8_t bits[] = {0, 1, 2, 3};
	struct probe_view v;
	struct probe h = probe_open("swl");
	probe_set(&h, "n", 2);
	probe_start(&h);
	probe_view_init(&v, 0, bits, 4);
	CHECK_EQ(issue_mask(&h, &v), 0x3); /* W0, W2 */
	v.view.waiting_barrier = 0x2;      /* W2 waits */
	CHECK_EQ(issue_mask(&h, &v), 0x5); /* W0, W4 */
	probe_remove(&v, 0);               /* W0 exits */
	CHECK_EQ(issue_mask(&h, &v), 0xc); /* W4, W6 */
	v.view.waiting_barrier = 0;        /* the barrier opens */
	CHECK_EQ(issue_mask(&h, &v), 0x6); /* W2, W4 */
	CHECK_EQ(probe_stat(&h, "gates_with_warps_held"), 3);
}

TEST(age_counts_not_the_slot)
{
	static const uint8_t bits[] = {5, 0, 9};
	struct probe_view v;
	struct probe h = probe_open("swl");
	probe_set(&h, "n", 1);
	probe_start(&h);
	probe_view_init(&v, 1, bits, 3);
	CHECK_EQ(issue_mask(&h, &v), 1 << 5);
}

TEST(a_limit_beyond_the_warps_holds_nobody)
{
	struct probe_view v;
	struct probe h = probe_open("swl");
	probe_set(&h, "n", 24);
	probe_start(&h);
	probe_view_full(&v, 0);
	CHECK_EQ(issue_mask(&h, &v), 0xffffff);
	CHECK_EQ(probe_stat(&h, "gates_with_warps_held"), 0);
}

/* Hits per 1000 accesses of two CTAs per SM that walk along rows of 16 KB. */
static uint64_t hit_rate(const char *policy, const struct trace *trace)
{
	struct counters c =
	    bench_once((struct bench_setup){.machine = "gtx480-ciao", .policy = policy}, trace);
	return 1000 * c.value[COUNT_l1_hits] / c.value[COUNT_l1_accesses];
}

TEST(two_warps_per_sm_keep_their_rows_and_four_do_not)
{
	/* 64 lines in 16 sets of 4 ways: the set arithmetic behind CIAO's N_warp = 2. */
	struct trace *trace = synth_row_walk(30, 8, 32, 16384, 64);
	CHECK(hit_rate("swl:n=1", trace) > 800);
	CHECK(hit_rate("swl:n=2", trace) < 300);
	CHECK(hit_rate("gto", trace) < 500);
	trace_close(trace);
}

static uint32_t most_warps;

static void see_epoch(void *sm, const struct sm_view *view)
{
	(void)sm;
	most_warps = view->resident_warps > most_warps ? view->resident_warps : most_warps;
}

/* The most warps that an SM holds while CTAs of 8 warps run. */
static uint32_t resident_warps(const char *policy)
{
	static const struct policy watch = {
	    .abi = POLICY_ABI, .name = "watch", .epoch_cycles = 50, .on_epoch = see_epoch};
	struct trace *trace = synth_row_walk(60, 8, 32, 16384, 8);
	most_warps = 0;
	bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = policy, .extra = &watch},
	           trace);
	trace_close(trace);
	return most_warps;
}

TEST(one_cta_of_8_warps_is_8_warps_per_sm)
{
	CHECK_EQ(resident_warps("cta-limit:n=1"), 8);
	CHECK_EQ(resident_warps("cta-limit:n=2"), 16);
}

TEST(a_limit_beyond_what_fits_changes_nothing)
{
	CHECK_EQ(resident_warps("cta-limit:n=64"), resident_warps("gto"));
}

TEST_RUN_ALL(true)
