/* DBSA at L1: periods with miss rates of 0.95, 0.97 and 0.40 (Khairy, section 5.1). */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static uint64_t next_line;

/* One load; a miss asks for a new line, a hit for line 1, which was asked for a moment ago. */
static enum l1_route load(struct probe *h, bool hit)
{
	struct l1_request r = {.line = hit ? 1 : 100 + next_line, .presence = hit ? L1_WHOLE : L1_ABSENT};
	r.set = hit ? 0 : (uint32_t)(1 + next_line % 31); /* the stream leaves line 1's set alone */
	next_line += !hit;
	return h->policy->l1_route(h->sm, &r, L1_FAIL_NONE);
}

/* 100 loads, `misses` of them misses, and the end of the period; returns how the first was routed. */
static enum l1_route period(struct probe *h, uint32_t misses)
{
	struct sm_view view = {0};
	enum l1_route first = L1_ROUTE_NONE;
	for (uint32_t i = 0; i < 100; i++) {
		enum l1_route route = load(h, i >= misses);
		first = i ? first : route;
	}
	h->policy->on_epoch(h->sm, &view);
	return first;
}

static struct probe begin(void)
{
	struct probe h = probe_begin("dbsa-l1");
	load(&h, true);
	struct sm_view view = {0};
	h.policy->on_epoch(h.sm, &view); /* line 1 is known */
	return h;
}

TEST(each_decision_holds_for_the_next_period)
{
	struct probe h = begin();
	CHECK_EQ(period(&h, 95), L1_ROUTE_NONE);
	CHECK_EQ(period(&h, 97), L1_ROUTE_FORCE_BYPASS);
	CHECK(!h.policy->l1_flush(h.sm));
	CHECK_EQ(period(&h, 40), L1_ROUTE_FORCE_BYPASS);
	CHECK(h.policy->l1_flush(h.sm)); /* comes back empty */
	CHECK_EQ(period(&h, 40), L1_ROUTE_NONE);
	CHECK(!h.policy->l1_flush(h.sm));
	CHECK_EQ(probe_stat(&h, "disabled"), 2);
	CHECK_EQ(probe_stat(&h, "reenabled"), 1);
}

TEST(ninety_percent_is_not_above_ninety_percent)
{
	struct probe h = begin();
	period(&h, 90);
	CHECK_EQ(period(&h, 91), L1_ROUTE_NONE);
	CHECK_EQ(period(&h, 91), L1_ROUTE_FORCE_BYPASS);
}

TEST(a_period_without_loads_changes_nothing)
{
	struct probe h = begin();
	struct sm_view view = {0};
	struct l1_request store = {.line = 5, .is_store = 1};
	period(&h, 95);
	for (int i = 0; i < 3; i++) {
		CHECK_EQ(h.policy->l1_route(h.sm, &store, L1_FAIL_NONE), L1_ROUTE_FORCE_BYPASS);
		h.policy->on_epoch(h.sm, &view);
	}
	CHECK_EQ(period(&h, 40), L1_ROUTE_FORCE_BYPASS);
}

/* Loads that L1 served without asking it, for which another policy had answered. */
static void routed_by_others(struct probe *h, uint32_t loads)
{
	struct l1_event event = {.line = 9};
	for (uint32_t i = 0; i < loads; i++)
		(i % 2 ? h->policy->on_l1_hit : h->policy->on_l1_pending)(h->sm, &event);
}

TEST(a_period_of_which_others_routed_most_decides_nothing)
{
	struct probe h = begin();
	struct sm_view view = {0};
	struct l1_event event = {.line = 100};
	routed_by_others(&h, 3);
	load(&h, false); /* the one load that it was asked about missed */
	h.policy->on_l1_miss(h.sm, &event);
	h.policy->on_epoch(h.sm, &view);
	CHECK_EQ(load(&h, true), L1_ROUTE_NONE);
	h.policy->on_epoch(h.sm, &view);
	routed_by_others(&h, 99); /* less than half */
	period(&h, 100);
	CHECK_EQ(load(&h, true), L1_ROUTE_FORCE_BYPASS);
}

TEST(tags_without_data_notice_reuse_that_l1_cannot_show)
{
	struct probe h = begin();
	struct sm_view view = {0};
	period(&h, 100);
	for (uint32_t i = 0; i < 100; i++) { /* four lines in turn; L1 holds none of them */
		struct l1_request r = {.line = 7000 + i % 4, .set = 3, .presence = L1_ABSENT};
		CHECK_EQ(h.policy->l1_route(h.sm, &r, L1_FAIL_NONE), L1_ROUTE_FORCE_BYPASS);
	}
	h.policy->on_epoch(h.sm, &view);
	CHECK_EQ(load(&h, true), L1_ROUTE_NONE);
}

TEST(a_launch_begins_with_l1)
{
	struct probe h = begin();
	period(&h, 100);
	CHECK_EQ(load(&h, true), L1_ROUTE_FORCE_BYPASS);
	probe_params(&h);
	h.policy->sm_init(h.sm, &h.env);
	CHECK_EQ(load(&h, true), L1_ROUTE_NONE);
}

/* A warp reads `stream` lines once each, then four lines `again` times. */
static struct trace *stream_then_reuse(uint32_t stream, uint32_t again)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "turn", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_plain(s, synth_op(0, OP_CONST, 2, 0), UINT32_MAX);
	for (uint32_t i = 0; i < stream + again; i++) {
		uint64_t line = i < stream ? 0x10000 + i : 0x20000 + i % 4;
		synth_stride(s, synth_load(10, 4, 2), UINT32_MAX, line * 128, 4);
		synth_plain(s, synth_op(11, OP_INT, 2, 4), UINT32_MAX);
	}
	return synth_finish(s);
}

TEST(a_stream_is_bypassed_and_reuse_brings_l1_back)
{
	struct trace *trace = stream_then_reuse(200, 400);
	struct bench_setup setup = {.machine = "gtx480-khairy", .policy = "dbsa-l1:period=2000"};
	struct counters c = bench_only(setup, trace);
	CHECK(c.value[COUNT_l1_bypasses] > 180 && c.value[COUNT_l1_bypasses] < 260);
	CHECK(c.value[COUNT_l1_hits] > 300);
}

TEST_RUN_ALL(true)
