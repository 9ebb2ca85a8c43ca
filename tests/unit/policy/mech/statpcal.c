/* statPCAL: three windows of memory load, and what becomes of the warps. */
#include "lib/policy_probe.h"

static struct sm_view sm;

static void window(struct probe *h, double l2, double dram)
{
	sm.l2_busy += 1000 * l2;
	sm.dram_busy += 1000 * dram;
	sm.cycle += 1000;
	h->policy->on_epoch(h->sm, &sm);
}

static uint64_t running(struct probe *h)
{
	struct probe_view v;
	probe_view_full(&v, 0);
	return h->policy->throttle(h->sm, &v.view).issue;
}

static struct probe begin(void)
{
	struct probe h = probe_open("statpcal");
	sm = (struct sm_view){0};
	return h;
}

TEST(loads_of_35_50_and_72_percent_let_one_two_and_two_warps_bypass)
{
	struct probe h = begin();
	probe_start(&h);
	CHECK_EQ(running(&h), 0x1);
	window(&h, 0.35, 0.10);
	CHECK_EQ(running(&h), 0x3);
	window(&h, 0.20, 0.50);
	CHECK_EQ(running(&h), 0x7);
	window(&h, 0.72, 0.10);
	CHECK_EQ(running(&h), 0x7);
	CHECK_EQ(probe_stat(&h, "windows"), 3);
	CHECK_EQ(probe_stat(&h, "bypassing_warps_in_windows"), 5);
}

TEST(above_90_percent_the_youngest_stops)
{
	struct probe h = begin();
	probe_start(&h);
	window(&h, 0, 0);
	window(&h, 0, 0);
	window(&h, 0.10, 0.95);
	CHECK_EQ(running(&h), 0x3);
	window(&h, 0.91, 0);
	window(&h, 0.91, 0);
	CHECK_EQ(running(&h), 0x1); /* the token stays */
}

TEST(only_token_holders_take_lines)
{
	struct probe h = begin();
	probe_set(&h, "tokens", 2);
	probe_start(&h);
	window(&h, 0, 0);
	CHECK_EQ(running(&h), 0x7);
	struct l1_request with = {.warp = 2}, without = {.warp = 4};
	CHECK_EQ(h.policy->l1_route(h.sm, &with, L1_FAIL_NONE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &without, L1_FAIL_NONE), L1_ROUTE_BYPASS);
}

TEST(the_number_of_warps_has_a_limit)
{
	struct probe h = begin();
	probe_set(&h, "warps", 3);
	probe_start(&h);
	for (int i = 0; i < 10; i++)
		window(&h, 0, 0);
	CHECK_EQ(running(&h), 0x7);
}

TEST(sums_that_begin_anew_are_no_negative_load)
{
	struct probe h = begin();
	probe_start(&h);
	window(&h, 0.95, 0);
	sm.l2_busy = 0; /* the next launch */
	window(&h, 0.93, 0);
	CHECK_EQ(running(&h), 0x1);
}

TEST(the_window_is_a_period_of_cycles_and_thresholds_have_an_order)
{
	struct probe h = begin();
	struct policy copy = *h.policy;
	probe_params(&h);
	copy.configure(&copy, &h.env);
	CHECK_EQ(copy.epoch_cycles, 1000);
	CHECK(!h.policy->refuses(&h.env));
	probe_set(&h, "idle", 0.95);
	CHECK(h.policy->refuses(&h.env));
}

TEST_RUN_ALL(true)
