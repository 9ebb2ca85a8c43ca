/* Whether several threads pay: what is measured decides, and is doubted the later the longer it was right. */
#include "gpu/thread_tuner.h"

#include "test.h"

/* A quantum that seems to have taken `seconds`: it is said to have begun that long before the clock started. */
static void quantum(struct thread_tuner *t, double seconds, uint64_t steps)
{
	tuner_begin_quantum(t);
	t->began -= seconds;
	tuner_end_quantum(t, steps);
}

/* Until the way changes or so many quanta are over; true if it changed. */
static bool changes_within(struct thread_tuner *t, unsigned quanta, double alone, double together)
{
	bool way = t->together;
	for (unsigned i = 0; i < quanta && t->together == way; i++)
		quantum(t, t->together ? together : alone, 10000);
	return t->together != way;
}

TEST(few_warps_are_never_worth_sharing)
{
	CHECK(!tuner_worth_sharing(1023) && tuner_worth_sharing(1024));
}

TEST(the_other_way_is_tried_and_the_faster_one_kept)
{
	struct thread_tuner t = {0};
	tuner_start(&t);
	CHECK(t.together && !t.trying);
	/* After eight windows of eight quanta, alone is tried for two. */
	CHECK(changes_within(&t, 8 * 8, 1, 9));
	CHECK(!t.together && t.trying);
	quantum(&t, 1, 10000);
	CHECK(t.trying);
	quantum(&t, 1, 10000);
	/* It was faster, so it stays; the way of before is not better, so it is doubted again soon. */
	CHECK(!t.trying && !t.together && t.alone);
	uint32_t trust = t.trust;
	CHECK(changes_within(&t, 8 * trust, 1, 9));
	CHECK(t.together && t.trying);
	quantum(&t, 9, 10000);
	quantum(&t, 9, 10000);
	CHECK(!t.trying && !t.together);
	CHECK_EQ(t.trust, 2 * trust); /* right again: doubted half as often */
}

TEST(trust_grows_to_a_limit)
{
	struct thread_tuner t = {.alone = true};
	tuner_start(&t);
	CHECK(!t.together);
	uint32_t most = 0;
	for (unsigned trial = 0; trial < 12; trial++) {
		CHECK(changes_within(&t, 8 * 512 + 8, 1, 9));
		CHECK(changes_within(&t, 2, 1, 9));
		CHECK(!t.together && t.trust >= most);
		most = t.trust;
	}
	CHECK_EQ(most, 512);
	/* The next launch starts with what was learnt, but measures anew. */
	tuner_start(&t);
	CHECK(!t.together && t.cost[0] == 0 && t.cost[1] == 0 && t.trust == 512);
}

TEST(a_window_in_which_little_happened_says_nothing)
{
	struct thread_tuner t = {0};
	tuner_start(&t);
	for (unsigned i = 0; i < 8; i++)
		quantum(&t, 5, 1);
	CHECK(!t.together && !t.trying && t.cost[1] == 0); /* threads had nothing to do */
	CHECK(changes_within(&t, 8 * 8, 1, 9));
	CHECK(t.trying);
	quantum(&t, 9, 1);
	quantum(&t, 9, 1);
	CHECK(!t.trying && !t.together && t.cost[1] == 0);
}

TEST_MAIN(TEST_ENTRY(few_warps_are_never_worth_sharing)
              TEST_ENTRY(the_other_way_is_tried_and_the_faster_one_kept) TEST_ENTRY(trust_grows_to_a_limit)
                  TEST_ENTRY(a_window_in_which_little_happened_says_nothing))
