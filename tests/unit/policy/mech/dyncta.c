/* dyncta: the decisions of PACT 2013, section 4, with its thresholds, and which CTAs are paused. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

enum { CTAS = 8 };

/* Eight CTAs of two warps, one for each scheduler: four run. */
static struct probe begin(void)
{
	struct probe h = probe_begin("dyncta");
	for (uint32_t warp = 0; warp < 2 * CTAS; warp++)
		h.policy->on_warp_start(h.sm, warp, warp / 2, 0);
	return h;
}

/* CTAs that run: each has a bit of scheduler 0. */
static uint64_t running(struct probe *h)
{
	static const uint8_t bits[CTAS] = {0, 1, 2, 3, 4, 5, 6, 7};
	struct probe_view v;
	probe_view_init(&v, 0, bits, CTAS);
	return h->policy->throttle(h->sm, &v.view).issue & 0xff;
}

/* A period with so many cycles of waiting for memory, and of idleness. */
static void period(struct probe *h, uint64_t memory, uint64_t idle)
{
	static struct sm_view view;
	view.memory_cycles = memory;
	view.idle_cycles = idle;
	h->policy->on_epoch(h->sm, &view);
}

TEST(half_of_the_ctas_run_at_first_and_the_youngest_are_paused)
{
	struct probe h = begin();
	CHECK_EQ(running(&h), 0x0f);
}

TEST(memory_that_is_seldom_waited_for_lets_one_more_run_and_much_waiting_one_fewer)
{
	struct probe h = begin();
	period(&h, 127, 0);
	CHECK_EQ(running(&h), 0x1f);
	period(&h, 127 + 384, 0);
	CHECK_EQ(running(&h), 0x0f);
	period(&h, 127 + 384 + 383, 0); /* between the thresholds */
	CHECK_EQ(running(&h), 0x0f);
}

TEST(an_idle_sm_gets_more_however_much_it_waits)
{
	struct probe h = begin();
	period(&h, 2000, 16);
	CHECK_EQ(running(&h), 0x1f);
	period(&h, 4000, 16 + 15);
	CHECK_EQ(running(&h), 0x0f);
}

TEST(one_cta_always_runs_and_no_more_than_there_are)
{
	struct probe h = begin();
	for (uint64_t i = 1; i < 20; i++)
		period(&h, 1000 * i, 0);
	CHECK_EQ(running(&h), 0x01);
	for (uint64_t i = 1; i < 20; i++)
		period(&h, 19000, 0);
	CHECK_EQ(running(&h), 0xff);
	CHECK_EQ(probe_stat(&h, "raised"), 7);
	CHECK_EQ(probe_stat(&h, "lowered"), 3);
}

TEST(a_paused_cta_runs_when_an_older_one_ends)
{
	struct probe h = begin();
	h.policy->on_warp_exit(h.sm, 0, 100);
	CHECK_EQ(running(&h), 0x0f); /* one warp is left */
	h.policy->on_warp_exit(h.sm, 1, 100);
	CHECK_EQ(running(&h) & ~1u, 0x1e);
}

TEST(a_launch_with_paused_ctas_ends)
{
	struct trace *trace = synth_row_walk(60, 4, 32, 4096, 16);
	struct bench b = bench_open((struct bench_setup){.machine = "gtx480-khairy", .policy = "dyncta"});
	struct counters got = bench_run(&b, trace, 0, true);
	struct recount recount = bench_recount(trace, 0, b.machine);
	CHECK(bench_adds_up("dyncta", b.machine, got.value, &recount));
	bench_close(&b);
	trace_close(trace);
}

TEST_RUN_ALL(true)
