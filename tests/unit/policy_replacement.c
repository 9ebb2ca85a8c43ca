/* lru, fifo, plru and rrip: the figure of the RRIP paper and examples by hand, on one set of four ways. */
#include "lib/bench.h"
#include "lib/synth.h"
#include "policy_hooks.h"

enum { WAYS = 4, SET = 7 };

/* What L1 would do, with lines named by numbers from 1. */
struct set {
	struct hooks h;
	struct frame_view way[WAYS];
	uint64_t clock;
};

static struct set open_set(const char *name)
{
	struct set s = {.h = hooks_open(name)};
	if (s.h.policy->sm_bytes)
		hooks_start(&s.h);
	for (uint32_t i = 0; i < WAYS; i++)
		s.way[i].frame = SET * WAYS + i;
	return s;
}

static void close_set(struct set *s)
{
	hooks_end(&s->h);
}

static uint32_t victim_of(struct set *s)
{
	struct l1_request request = {.set = SET};
	return s->h.policy->l1_victim(s->h.sm, &request, s->way, WAYS);
}

static void tell(struct set *s, void (*hook)(void *, const struct l1_event *), uint32_t way, uint64_t line)
{
	struct l1_event event = {.line = line, .frame = s->way[way].frame};
	if (hook)
		hook(s->h.sm, &event);
}

/* Returns whether it hit. */
static bool use(struct set *s, uint64_t line)
{
	const struct policy *p = s->h.policy;
	for (uint32_t i = 0; i < WAYS; i++)
		if (s->way[i].valid && s->way[i].line == line) {
			s->way[i].recency = ++s->clock;
			tell(s, p->on_l1_hit, i, line);
			return true;
		}
	uint32_t victim = victim_of(s);
	if (victim != victim_of(s)) /* asked twice, it answers the same */
		exit(1);
	if (s->way[victim].valid)
		tell(s, p->on_l1_evict, victim, s->way[victim].line);
	s->way[victim] = (struct frame_view){s->way[victim].frame, line, 0, ++s->clock, 1, 0, 0};
	tell(s, p->on_l1_miss, victim, line);
	tell(s, p->on_l1_fill, victim, line);
	return false;
}

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
		hits += use(s, pattern[i]);
	return hits;
}

TEST(lru_loses_a_short_working_set_to_a_scan_and_rrip_keeps_it)
{
	struct set lru = open_set("lru"), rrip = open_set("rrip");
	CHECK_EQ(hits_of_the_figure(&lru), 2);
	CHECK(holds(&lru, 2, 1, 13, 14) || holds(&lru, 1, 2, 13, 14));
	CHECK_EQ(hits_of_the_figure(&rrip), 4);
	CHECK(holds(&rrip, 1, 2, 13, 14));
	close_set(&lru);
	close_set(&rrip);
}

TEST(rrip_ages_all_lines_until_one_is_distant)
{
	struct set s = open_set("rrip");
	for (uint64_t line = 1; line <= 4; line++)
		use(&s, line); /* all 2 */
	use(&s, 2);            /* 2 0 2 2 */
	use(&s, 5);            /* aged to 3 1 3 3, line 1 goes: 2 1 3 3 */
	CHECK(holds(&s, 5, 2, 3, 4));
	use(&s, 6); /* 2 1 2 3 */
	use(&s, 7); /* 2 1 2 2 */
	CHECK(holds(&s, 5, 2, 6, 7));
	use(&s, 8); /* aged to 3 2 3 3 */
	use(&s, 9);
	use(&s, 10);
	CHECK(holds(&s, 8, 2, 9, 10)); /* 2 2 2 2 */
	use(&s, 11);                   /* 3 3 3 3 after aging, the first goes */
	use(&s, 12);
	CHECK(holds(&s, 11, 12, 9, 10));
	close_set(&s);
}

TEST(rrip_by_frequency_needs_two_hits_to_make_a_line_near)
{
	struct set s = open_set("rrip");
	hooks_set(&s.h, "frequency", 1);
	s.h.policy->sm_init(s.h.sm, &s.h.env);
	for (uint64_t line = 1; line <= 4; line++)
		use(&s, line);
	use(&s, 1); /* 1 2 2 2 */
	use(&s, 2); /* 1 1 2 2 */
	use(&s, 2); /* 1 0 2 2 */
	use(&s, 5); /* 2 1 2 3, line 3 went */
	use(&s, 6); /* line 4 */
	use(&s, 7); /* 3 2 3 3 after aging: line 1 went */
	CHECK(holds(&s, 7, 2, 5, 6));
	close_set(&s);
}

TEST(fifo_does_not_look_at_uses)
{
	struct set s = open_set("fifo");
	for (uint64_t line = 1; line <= 4; line++)
		use(&s, line);
	CHECK(use(&s, 1));
	use(&s, 5);
	CHECK(holds(&s, 5, 2, 3, 4));
	use(&s, 6);
	CHECK(holds(&s, 5, 6, 3, 4));
	close_set(&s);
}

TEST(plru_goes_where_no_bit_was_turned_away_from)
{
	struct set s = open_set("plru");
	for (uint64_t line = 1; line <= 4; line++)
		use(&s, line);
	/* The last use was on the right, and there on the right: the left half, in which way 1 was used last. */
	use(&s, 5);
	CHECK(holds(&s, 5, 2, 3, 4));
	/* Now the left half is the recent one, and of the right half way 3. */
	use(&s, 6);
	CHECK(holds(&s, 5, 2, 6, 4));
	CHECK(use(&s, 2)); /* left, right: way 3 is where the bits point, LRU would say way 3, too */
	use(&s, 7);
	CHECK(holds(&s, 5, 2, 6, 7));
	/* Uses of ways 2, 0: the true LRU is way 1, and so is the tree's; a use of 2 then misleads it to way 1 again. */
	CHECK(use(&s, 6));
	CHECK(use(&s, 5));
	CHECK_EQ(victim_of(&s), 3);
	close_set(&s);
}

TEST(nobody_takes_a_reserved_line_or_leaves_an_empty_way)
{
	static const char *const names[] = {"lru", "fifo", "plru", "rrip"};
	for (int i = 0; i < 4; i++) {
		struct set s = open_set(names[i]);
		for (uint64_t line = 1; line <= 4; line++)
			use(&s, line);
		for (uint32_t kept = 0; kept < WAYS; kept++) {
			for (uint32_t w = 0; w < WAYS; w++)
				s.way[w].reserved = w != kept;
			CHECK_EQ(victim_of(&s), kept);
		}
		s.way[0].reserved = s.way[1].reserved = s.way[2].reserved = s.way[3].reserved = 1;
		CHECK_EQ(victim_of(&s), UINT32_MAX);
		s.way[2].valid = s.way[2].reserved = 0;
		CHECK_EQ(victim_of(&s), 2);
		close_set(&s);
	}
}

static uint64_t bits_of(const char *name)
{
	struct hooks h = hooks_open(name);
	h.env.param = h.param;
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
		struct counters with = bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = "lru"}, trace);
		struct counters without = bench_once((struct bench_setup){.machine = "gtx480-khairy"}, trace);
		CHECK(bench_same(synth_cases[i].name, &with, &without));
	}
}

TEST_MAIN(TEST_ENTRY(lru_loses_a_short_working_set_to_a_scan_and_rrip_keeps_it)
	  TEST_ENTRY(rrip_ages_all_lines_until_one_is_distant)
	  TEST_ENTRY(rrip_by_frequency_needs_two_hits_to_make_a_line_near) TEST_ENTRY(fifo_does_not_look_at_uses)
	  TEST_ENTRY(plru_goes_where_no_bit_was_turned_away_from)
	  TEST_ENTRY(nobody_takes_a_reserved_line_or_leaves_an_empty_way) TEST_ENTRY(storage_is_that_of_the_textbook)
	  TEST_ENTRY(lru_as_a_policy_changes_nothing))
