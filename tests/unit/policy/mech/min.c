/* MIN: a textbook's reference string, and no more misses than LRU on the order that was recorded. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "ways.h"

/* Silberschatz, Galvin, Gagne: three frames, 12 faults with LRU, 9 with the optimum. */
static const uint64_t string[] = {7, 0, 1, 2, 0, 3, 0, 4, 2, 3, 0, 3, 2, 1, 2, 0, 1, 7, 0, 1};
enum { USES = sizeof string / sizeof *string };

static uint32_t misses_of(struct set *s)
{
	uint32_t misses = 0;
	for (size_t i = 0; i < USES; i++)
		misses += !set_use(s, string[i]);
	return misses;
}

static void begin_pass(struct set *s, uint32_t pass)
{
	s->h.env.pass = pass;
	s->h.policy->sm_init(s->h.sm, &s->h.env);
	set_empty(s);
}

TEST(the_second_pass_replaces_by_the_next_use)
{
	struct set s;
	set_open(&s, "min", 3, 5);
	begin_pass(&s, 0);
	CHECK_EQ(misses_of(&s), 12);
	begin_pass(&s, 1);
	CHECK_EQ(misses_of(&s), 9);
	CHECK_EQ(probe_stat(&s.h, "recorded_uses"), USES);
	CHECK_EQ(probe_stat(&s.h, "recorded_lru_misses"), 12);
	CHECK_EQ(probe_stat(&s.h, "recorded_min_misses"), 9);
	set_close(&s);
}

TEST(a_third_pass_follows_the_second)
{
	struct set s;
	set_open(&s, "min", 3, 0);
	for (uint32_t pass = 0; pass < 4; pass++) {
		begin_pass(&s, pass);
		CHECK_EQ(misses_of(&s), pass ? 9 : 12);
	}
	set_close(&s);
}

TEST(a_record_of_another_launch_guides_nobody)
{
	struct set s;
	set_open(&s, "min", 3, 0);
	begin_pass(&s, 0);
	misses_of(&s);
	begin_pass(&s, 1);
	misses_of(&s);
	begin_pass(&s, 1); /* this SM had no CTA in the first pass of the launch */
	CHECK_EQ(misses_of(&s), 12);
	set_close(&s);
}

TEST(a_use_that_is_long_overdue_holds_nothing)
{
	struct set s;
	set_open(&s, "min", 2, 0);
	begin_pass(&s, 0);
	/* 1 2 1 and then 3 4 3 4 ...; the second time 1 does not come again. */
	set_use(&s, 1);
	set_use(&s, 2);
	set_use(&s, 1);
	for (uint64_t i = 0; i < 80; i++)
		set_use(&s, 3 + i % 2);
	begin_pass(&s, 1);
	set_use(&s, 1);
	set_use(&s, 2);
	uint32_t hits = 0;
	for (uint64_t i = 0; i < 80; i++)
		hits += set_use(&s, 3 + i % 2);
	CHECK(hits > 70);
	set_close(&s);
}

static void run(const struct trace *trace, const char *machine)
{
	struct bench b = bench_open((struct bench_setup){.machine = machine, .policy = "min"});
	struct launch_result result;
	struct launch_options options = {.flush_l2 = true};
	struct error err;
	CHECK(gpu_run(b.gpu, trace, 0, &options, &result, &err));
	CHECK_EQ(result.stat_count, 3);
	/* Every load line that L1 took is in the record, and MIN is the least. */
	CHECK_EQ(result.stats[0].value,
	         result.counters.value[COUNT_l1_accesses] - result.counters.value[COUNT_l1_bypasses]);
	CHECK(result.stats[2].value <= result.stats[1].value);
	CHECK(result.stats[2].value > 0);
	free(result.pc_misses);
	free(result.stats);
	bench_close(&b);
}

TEST(min_never_misses_more_than_lru_on_the_recorded_order)
{
	struct trace *walk = synth_row_walk(30, 4, 32, 16384, 32);
	run(walk, "gtx480-ciao");
	run(walk, "gtx480-khairy");
	run(walk, "h200");
	trace_close(walk);
}

TEST_RUN_ALL(true)
