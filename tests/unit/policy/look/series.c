/* Samples that stand for several periods: of SMs and of memory. */
#include "fixture.h"
#include "policy/look/series.h"

enum { PERIOD = 100, SAMPLES = 4 };

static void open_folding(struct observer *o)
{
	observer_open(o, &look_series, PERIOD);
	o->param[1] = SAMPLES;
	o->param[2] = 1;
	policy_fill_params(o->policy, o->param, o->params);
	look_series.sm_init(o->sm, &o->env);
}

/* An epoch in which `issued` warps of 4 issued. */
static void epoch(struct observer *o, uint64_t cycle, uint32_t issued)
{
	for (uint32_t w = 0; w < issued; w++)
		look_series.on_issue(o->sm, w, 0, 32, cycle - 1);
	struct sm_view view = {.cycle = cycle, .warp_insns = cycle, .resident_warps = 4};
	look_series.on_epoch(o->sm, &view);
}

TEST(folded_samples_keep_sums_and_ends_of_periods)
{
	struct observer o;
	open_folding(&o);
	struct look_series *b = o.sm;
	for (uint64_t k = 1; k <= 11; k++)
		epoch(&o, k * PERIOD, k % 2 ? 3 : 1);
	CHECK_EQ(b->dropped, 0);
	CHECK_EQ(b->level, 2);
	CHECK_EQ(look_series_period(b), 4 * PERIOD);
	CHECK_EQ(b->count, 2);
	CHECK_EQ(b->sample[0].cycle, 400);
	CHECK_EQ(b->sample[1].cycle, 800);
	CHECK_EQ(b->sample[0].warp_insns, 400);
	CHECK_EQ(b->sample[0].issued_sum, 8);
	CHECK_EQ(b->sample[1].issued_sum, 16);
	CHECK_EQ(b->sample[1].resident_sum, 32);
	CHECK_EQ(b->sample[1].stalled_sum, 16);
	look_series.on_warp_exit(o.sm, 0, 1130);
	struct sm_view end = {.cycle = 2000, .warp_insns = 1130};
	look_series_close(b, &end);
	CHECK_EQ(b->sample[2].cycle, 1200);
	CHECK_EQ(b->sample[2].issued_sum, 24 - 1);
	CHECK_EQ(look_series_at(b, 0).warp_insns, 400);
	CHECK_EQ(look_series_at(b, 1).warp_insns, 800);
	CHECK_EQ(look_series_at(b, 2).warp_insns, 1130);
	observer_close(&o);
}

TEST(periods_without_warps_are_counted_once_when_they_are_heard_of)
{
	struct observer o;
	open_folding(&o);
	const struct look_series *b = o.sm;
	epoch(&o, 100, 2);
	epoch(&o, 730, 2); /* the SM slept: it hears of several periods in one go */
	epoch(&o, 731, 0);
	epoch(&o, 732, 0);
	epoch(&o, 800, 2);
	CHECK_EQ(b->resident_sum, 12);
	CHECK_EQ(b->issued_sum, 6);
	observer_close(&o);
}

/* Fails if the last sample is taken after the warps have left. */
TEST(the_last_period_of_a_launch_has_the_warps_before_the_last_ctas_left)
{
	struct observer o;
	open_folding(&o);
	struct look_series *b = o.sm;
	for (uint32_t w = 0; w < 6; w++)
		look_series.on_warp_start(o.sm, w, w / 3, 1);
	look_series.on_issue(o.sm, 0, 0, 32, 10);
	for (uint32_t w = 0; w < 6; w++)
		look_series.on_warp_exit(o.sm, w, 40 + w);
	struct sm_view end = {.cycle = 60, .warp_insns = 6};
	look_series_close(b, &end);
	CHECK_EQ(b->count, 1);
	CHECK_EQ(look_series_at(b, 0).resident, 6);
	CHECK_EQ(look_series_at(b, 0).ctas, 2);
	CHECK_EQ(look_series_at(b, 0).issued, 1);
	CHECK_EQ(b->stalled_sum, 5);
	observer_close(&o);

	/* Warps that left in earlier periods are not counted; those that came in the last one are. */
	open_folding(&o);
	b = o.sm;
	for (uint32_t w = 0; w < 6; w++)
		look_series.on_warp_start(o.sm, w, 0, 1);
	for (uint32_t w = 0; w < 4; w++)
		look_series.on_warp_exit(o.sm, w, 50);
	epoch(&o, 100, 2);
	look_series.on_warp_exit(o.sm, 4, 110);
	look_series.on_warp_start(o.sm, 4, 1, 120);
	look_series.on_warp_start(o.sm, 3, 1, 120);
	for (uint32_t w = 3; w < 6; w++)
		look_series.on_warp_exit(o.sm, w, 150);
	look_series_close(b, &end);
	CHECK_EQ(b->count, 2);
	CHECK_EQ(look_series_at(b, 1).resident, 3);
	observer_close(&o);
}

TEST(an_sm_can_be_folded_to_the_level_of_another)
{
	struct observer o;
	open_folding(&o);
	struct look_series *b = o.sm;
	for (uint64_t k = 1; k <= 4; k++)
		epoch(&o, k * PERIOD, 1);
	CHECK_EQ(b->level, 0);
	look_series_fold(b, 1);
	CHECK_EQ(b->count, 2);
	CHECK_EQ(b->sample[0].cycle, 200);
	CHECK_EQ(b->sample[1].cycle, 400);
	observer_close(&o);
}

static void sample_memory(struct look_memory *m, uint32_t partition, uint64_t cycle, uint64_t bytes)
{
	struct counters counters = {{0}};
	counters.value[COUNT_dram_read_bytes] = bytes;
	counters.value[COUNT_l2_read_sectors] = 2 * bytes;
	counters.value[COUNT_l2_read_hit_sectors] = bytes / 2;
	look_memory_sample(m, partition, cycle, &counters);
}

TEST(memory_is_summed_over_partitions_and_folds)
{
	struct look_memory *m = calloc(1, look_memory_bytes(2, SAMPLES));
	look_memory_init(m, 2, SAMPLES, PERIOD, true);
	for (uint64_t k = 1; k <= 9; k++)
		for (uint32_t p = 0; p < 2; p++)
			sample_memory(m, p, k * PERIOD, k * 10 + p);
	CHECK_EQ(look_memory_level(m), 2);
	for (uint32_t p = 0; p < 2; p++)
		sample_memory(m, p, UINT64_MAX, 200);
	CHECK_EQ(look_memory_at(m, 0).dram_reads, 0);
	CHECK_EQ(look_memory_at(m, 400).dram_reads, 81);
	CHECK_EQ(look_memory_at(m, 800).dram_reads, 161);
	CHECK_EQ(look_memory_at(m, 800).l2_reads, 322);
	CHECK_EQ(look_memory_at(m, 1200).dram_reads, 400);
	CHECK_EQ(look_memory_at(m, UINT64_MAX).dram_reads, 400);
	look_memory_clear(m);
	CHECK_EQ(look_memory_level(m), 0);
	CHECK_EQ(look_memory_at(m, UINT64_MAX).dram_reads, 0);
	free(m);
}

TEST(without_folding_memory_samples_are_dropped_and_counted)
{
	struct look_memory *m = calloc(1, look_memory_bytes(1, SAMPLES));
	look_memory_init(m, 1, SAMPLES, PERIOD, false);
	for (uint64_t k = 1; k <= 7; k++)
		sample_memory(m, 0, k * PERIOD, k);
	CHECK_EQ(m->track[0].count, SAMPLES);
	CHECK_EQ(m->track[0].dropped, 3);
	CHECK(look_memory_is_cut(m));
	look_memory_clear(m);
	CHECK(!look_memory_is_cut(m));
	free(m);
}

TEST_RUN_ALL(true)
