/* next-line: one-block look-ahead on misses, tagged, and always, by the definitions of Smith 1982, section 2.1. */
#include "lib/policy_probe.h"

static uint32_t ask(struct probe *h, enum prefetch_when when, bool first_use, uint64_t line,
                    struct prefetch *out)
{
	struct prefetch_cause cause = {.when = (uint8_t)when, .first_use = first_use, .line = line};
	return h->policy->prefetch(h->sm, &cause, out);
}

/* Lines 0, 1, 2 ... one after the other through a cache that loses nothing: how many of 16 miss. */
static uint32_t misses_of_a_run(double style)
{
	struct probe h = probe_open("next-line");
	probe_set(&h, "style", style);
	probe_start(&h);
	bool present[32] = {false}, tagged[32] = {false};
	uint32_t misses = 0;
	for (uint64_t line = 0; line < 16; line++) {
		struct prefetch out[PREFETCH_MOST];
		misses += !present[line];
		uint32_t count =
		    ask(&h, present[line] ? PREFETCH_ON_HIT : PREFETCH_ON_MISS, tagged[line], line, out);
		present[line] = true;
		for (uint32_t i = 0; i < count; i++)
			present[out[i].line] = tagged[out[i].line] = true;
	}
	return misses;
}

TEST(prefetch_on_misses_halves_the_misses_of_a_run_and_tagged_prefetch_leaves_one)
{
	CHECK_EQ(misses_of_a_run(0), 8);
	CHECK_EQ(misses_of_a_run(1), 1);
	CHECK_EQ(misses_of_a_run(2), 1);
}

TEST(only_always_prefetches_after_another_hit)
{
	struct prefetch out[PREFETCH_MOST];
	struct probe h = probe_begin("next-line");
	CHECK_EQ(ask(&h, PREFETCH_ON_HIT, false, 5, out), 0);
	probe_set(&h, "style", 2);
	probe_start(&h);
	CHECK_EQ(ask(&h, PREFETCH_ON_HIT, false, 5, out), 1);
	CHECK_EQ(out[0].line, 6);
}

TEST(lines_of_the_next_page_are_not_fetched)
{
	struct prefetch out[PREFETCH_MOST];
	struct probe h = probe_open("next-line");
	probe_set(&h, "degree", 4);
	probe_start(&h);
	CHECK_EQ(ask(&h, PREFETCH_ON_MISS, false, 27, out), 4); /* 32 lines of 128 B are a page */
	CHECK_EQ(out[3].line, 31);
	CHECK_EQ(ask(&h, PREFETCH_ON_MISS, false, 29, out), 2);
	CHECK_EQ(ask(&h, PREFETCH_ON_MISS, false, 31, out), 0);
}

TEST(level_and_priority_are_parameters)
{
	struct prefetch out[PREFETCH_MOST];
	struct probe h = probe_begin("next-line");
	ask(&h, PREFETCH_ON_MISS, false, 5, out);
	CHECK(out[0].level == PREFETCH_L1 && out[0].priority == PREFETCH_LOW);
	probe_set(&h, "l2", 1);
	probe_set(&h, "urgent", 1);
	probe_start(&h);
	ask(&h, PREFETCH_ON_MISS, false, 5, out);
	CHECK(out[0].level == PREFETCH_L2 && out[0].priority == PREFETCH_HIGH);
}

TEST_RUN_ALL(true)
