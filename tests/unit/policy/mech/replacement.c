/* lru, fifo, plru and rrip: the figure of the RRIP paper and examples by hand, on one set of four ways. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "ways.h"

enum { WAYS = 4, SET = 7 };

static bool holds(const struct set *s, uint64_t a, uint64_t b, uint64_t c, uint64_t d)
{
	return s->way[0].line == a && s->way[1].line == b && s->way[2].line == c && s->way[3].line == d;
}

/* a1 a2 a2 a1 b1 b2 b3 b4 a1 a2: the pattern of the paper's figure; a is 1, 2 and b is 11 to 14. */
static uint32_t hits_of_the_figure(struct set *s)
{
	static const uint64_t pattern[] = {1, 2, 2, 1, 11, 12, 13, 14, 1, 2};
	uint32_t hits = 0;
	for (size_t i = 0; i < sizeof pattern / sizeof *pattern; i++)
		hits += set_use(s, pattern[i]);
	return hits;
}

TEST(lru_loses_a_short_working_set_to_a_scan_and_rrip_keeps_it)
{
	struct set lru, rrip;
	set_open(&lru, "lru", WAYS, SET);
	set_open(&rrip, "rrip", WAYS, SET);
	CHECK_EQ(hits_of_the_figure(&lru), 2);
	CHECK(holds(&lru, 14, 13, 1, 2));
	CHECK_EQ(hits_of_the_figure(&rrip), 4);
	CHECK(holds(&rrip, 1, 2, 13, 14));
	set_close(&lru);
	set_close(&rrip);
}

TEST(rrip_ages_all_lines_until_one_is_distant)
{
	struct set s;
	set_open(&s, "rrip", WAYS, SET);
	for (uint64_t line = 1; line <= 4; line++)
		set_use(&s, line); /* all 2 */
	set_use(&s, 2);            /* 2 0 2 2 */
	set_use(&s, 5);            /* aged to 3 1 3 3, line 1 goes: 2 1 3 3 */
	CHECK(holds(&s, 5, 2, 3, 4));
	set_use(&s, 6); /* 2 1 2 3 */
	set_use(&s, 7); /* 2 1 2 2 */
	CHECK(holds(&s, 5, 2, 6, 7));
	set_use(&s, 8); /* aged to 3 2 3 3 */
	set_use(&s, 9);
	set_use(&s, 10);
	CHECK(holds(&s, 8, 2, 9, 10)); /* 2 2 2 2 */
	set_use(&s, 11);               /* 3 3 3 3 after aging, the first goes */
	set_use(&s, 12);
	CHECK(holds(&s, 11, 12, 9, 10));
	set_close(&s);
}

TEST(rrip_by_frequency_needs_two_hits_to_make_a_line_near)
{
	struct set s;
	set_open(&s, "rrip", WAYS, SET);
	probe_set(&s.h, "frequency", 1);
	s.h.policy->sm_init(s.h.sm, &s.h.env);
	for (uint64_t line = 1; line <= 4; line++)
		set_use(&s, line);
	set_use(&s, 1); /* 1 2 2 2 */
	set_use(&s, 2); /* 1 1 2 2 */
	set_use(&s, 2); /* 1 0 2 2 */
	set_use(&s, 5); /* 2 1 2 3, line 3 went */
	set_use(&s, 6); /* line 4 */
	set_use(&s, 7); /* 3 2 3 3 after aging: line 1 went */
	CHECK(holds(&s, 7, 2, 5, 6));
	set_close(&s);
}

TEST(fifo_does_not_look_at_uses)
{
	struct set s;
	set_open(&s, "fifo", WAYS, SET);
	for (uint64_t line = 1; line <= 4; line++)
		set_use(&s, line);
	CHECK(set_use(&s, 1));
	set_use(&s, 5);
	CHECK(holds(&s, 5, 2, 3, 4));
	set_use(&s, 6);
	CHECK(holds(&s, 5, 6, 3, 4));
	set_close(&s);
}

TEST(plru_goes_where_no_bit_was_turned_away_from)
{
	struct set s;
	set_open(&s, "plru", WAYS, SET);
	for (uint64_t line = 1; line <= 4; line++)
		set_use(&s, line);
	/* The right half was used last: the left goes, and of it way 0, as way 1 was used after it. */
	set_use(&s, 5);
	CHECK(holds(&s, 5, 2, 3, 4));
	/* Now the right half, and of it way 2. */
	set_use(&s, 6);
	CHECK(holds(&s, 5, 2, 6, 4));
	CHECK(set_use(&s, 2));
	set_use(&s, 7);
	CHECK(holds(&s, 5, 2, 6, 7));
	/* Way 1 was used longest ago, but the left half last: the tree says way 3. */
	CHECK(set_use(&s, 6));
	CHECK(set_use(&s, 5));
	CHECK_EQ(set_victim(&s), 3);
	set_close(&s);
}

TEST(nobody_takes_a_reserved_line_or_leaves_an_empty_way)
{
	static const char *const names[] = {"lru", "fifo", "plru", "rrip"};
	for (int i = 0; i < 4; i++) {
		struct set s;
		set_open(&s, names[i], WAYS, SET);
		for (uint64_t line = 1; line <= 4; line++)
			set_use(&s, line);
		for (uint32_t kept = 0; kept < WAYS; kept++) {
			for (uint32_t w = 0; w < WAYS; w++)
				s.way[w].reserved = w != kept;
			CHECK_EQ(set_victim(&s), kept);
		}
		s.way[0].reserved = s.way[1].reserved = s.way[2].reserved = s.way[3].reserved = 1;
		CHECK_EQ(set_victim(&s), UINT32_MAX);
		s.way[2].valid = s.way[2].reserved = 0;
		CHECK_EQ(set_victim(&s), 2);
		set_close(&s);
	}
}

static uint64_t bits_of(const char *name)
{
	struct probe h = probe_open(name);
	probe_params(&h);
	return h.policy->sm_bits(&h.env);
}

TEST(storage_is_that_of_the_textbook)
{
	CHECK_EQ(bits_of("lru"), 32 * 4 * 2);
	CHECK_EQ(bits_of("fifo"), 32 * 2);
	CHECK_EQ(bits_of("plru"), 32 * 3);
	CHECK_EQ(bits_of("rrip"), 32 * 4 * 2);
}

TEST(lru_as_a_policy_changes_nothing)
{
	for (unsigned i = 0; synth_cases[i].name; i++) {
		const struct trace *trace = synth_kept(i, 32);
		struct counters with =
		    bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = "lru"}, trace);
		struct counters without = bench_once((struct bench_setup){.machine = "gtx480-khairy"}, trace);
		CHECK(bench_same(synth_cases[i].name, &with, &without));
	}
}

TEST_RUN_ALL(true)
