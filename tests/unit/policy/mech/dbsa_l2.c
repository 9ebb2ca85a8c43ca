/* DBSA at L2: each partition decides by the cycle of its requests. */
#include "lib/policy_probe.h"

static uint64_t next_line;

/* A model of L2: lines below this one are there. */
enum { NEW_LINES = 1000 };

/* 100 requests from `cycle` on to a slice, `misses` of them to new lines; returns how the last was routed. */
static enum l2_route period(struct probe *h, uint32_t slice, uint64_t cycle, uint32_t misses)
{
	enum l2_route route = L2_ROUTE_NONE;
	for (uint32_t i = 0; i < 100; i++) {
		struct l2_request r = {.cycle = cycle + i, .slice = slice, .line = 1, .frame = UINT32_MAX};
		r.is_write = i % 2;
		if (i < misses)
			r.line = NEW_LINES + next_line++;
		r.hit = r.line < NEW_LINES;
		route = h->policy->l2_route(h->sm, &r);
	}
	return route;
}

/* The GPU block takes the place of an SM's; 6 partitions of one slice with 64 sets of 16 ways. */
static struct probe begin(void)
{
	struct probe h = probe_open("dbsa-l2");
	h.env.l2_slices = 6;
	h.env.slices_per_partition = 1;
	h.env.l2_sets = 64;
	h.env.l2_ways = 16;
	probe_params(&h);
	h.sm = probe_block(h.policy->gpu_bytes(&h.env));
	h.policy->gpu_init(h.sm, &h.env);
	h.policy->on_kernel_begin(h.sm, "k", 1);
	for (uint32_t i = 0; i < 6 * 100; i++) { /* line 1 is known, and no partition streams */
		struct l2_request r = {.slice = i % 6, .line = 1, .hit = true};
		h.policy->l2_route(h.sm, &r);
	}
	return h;
}

TEST(each_decision_holds_for_the_next_period_of_its_partition)
{
	struct probe h = begin();
	CHECK_EQ(period(&h, 2, 10000, 95), L2_ROUTE_NONE);
	CHECK_EQ(period(&h, 2, 20000, 97), L2_ROUTE_FORCE_BYPASS); /* reads and writes */
	CHECK_EQ(period(&h, 3, 20000, 40), L2_ROUTE_NONE);         /* another partition */
	CHECK_EQ(period(&h, 2, 30000, 40), L2_ROUTE_FORCE_BYPASS);
	CHECK_EQ(period(&h, 2, 40000, 40), L2_ROUTE_NONE);
}

TEST(periods_without_requests_change_nothing)
{
	struct probe h = begin();
	period(&h, 2, 10000, 100);
	CHECK_EQ(period(&h, 2, 80000, 10), L2_ROUTE_FORCE_BYPASS);
	CHECK_EQ(period(&h, 2, 90000, 10), L2_ROUTE_NONE);
}

/* The same 20 lines over and over: a cache of 64 sets of 16 ways would have them. */
static enum l2_route twenty_lines(struct probe *h, uint64_t cycle, uint8_t hit, uint8_t pending)
{
	enum l2_route route = L2_ROUTE_NONE;
	for (uint32_t i = 0; i < 1000; i++) {
		struct l2_request r = {
		    .cycle = cycle + i, .line = 1 + i % 20, .hit = hit, .pending = pending};
		route = h->policy->l2_route(h->sm, &r);
	}
	return route;
}

TEST(while_l2_is_on_its_own_misses_count)
{
	/* L2's own sets are not those of the tags without data: all lines may be in conflict there. */
	struct probe h = begin();
	CHECK_EQ(twenty_lines(&h, 10000, false, false), L2_ROUTE_NONE);
	CHECK_EQ(twenty_lines(&h, 20000, false, false), L2_ROUTE_FORCE_BYPASS);
	CHECK_EQ(twenty_lines(&h, 30000, false, false), L2_ROUTE_NONE); /* off, the tags say that all hit */
}

TEST(a_line_on_its_way_is_no_miss)
{
	struct probe h = begin();
	twenty_lines(&h, 10000, false, true);
	CHECK_EQ(twenty_lines(&h, 20000, false, true), L2_ROUTE_NONE);
}

TEST(a_launch_begins_with_l2)
{
	struct probe h = begin();
	period(&h, 2, 10000, 100);
	CHECK_EQ(period(&h, 2, 20000, 100), L2_ROUTE_FORCE_BYPASS);
	h.policy->on_kernel_begin(h.sm, "k", 1);
	CHECK_EQ(period(&h, 2, 0, 100), L2_ROUTE_NONE);
}

TEST(the_gpu_reports_what_was_off)
{
	struct probe h = begin();
	uint64_t sum[8] = {0};
	period(&h, 2, 10000, 100);
	period(&h, 2, 20000, 10);
	period(&h, 2, 30000, 10);
	h.policy->gpu_stats(h.sm, sum);
	for (uint32_t i = 0; i < h.policy->stat_count; i++) {
		if (!strcmp(h.policy->stat_names[i], "disabled"))
			CHECK_EQ(sum[i], 1);
		if (!strcmp(h.policy->stat_names[i], "reenabled"))
			CHECK_EQ(sum[i], 1);
		if (!strcmp(h.policy->stat_names[i], "bypassed"))
			CHECK_EQ(sum[i], 100);
	}
}

TEST_RUN_ALL(true)
