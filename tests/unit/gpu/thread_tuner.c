/* Whether several threads pay: what is measured decides, and is doubted the later the longer it was right. */
#include "gpu/thread_tuner.h"

#include "test.h"

enum { WINDOW = 4, TRIAL = 2, TRUST_FIRST = 8, TRUST_MOST = 512, MUCH = 10000 };

/* A quantum that seems to have taken `seconds`: it is said to have begun that long before the clock started. */
static void quantum(struct thread_tuner *t, double seconds, uint64_t steps)
{
	tuner_begin_quantum(t);
	t->began -= seconds;
	tuner_end_quantum(t, steps);
}

static void quanta(struct thread_tuner *t, unsigned count, double seconds, uint64_t steps)
{
	for (unsigned i = 0; i < count; i++)
		quantum(t, seconds, steps);
}

/* Up to a trial of the other way, of which this is the first quantum to come. */
static bool reaches_trial(struct thread_tuner *t)
{
	unsigned most = WINDOW * TRUST_MOST + WINDOW;
	while (t->stage != TUNER_TRY && most--)
		quantum(t, 5, MUCH);
	return t->stage == TUNER_TRY;
}

/* A trial at this cost, between windows of the kept way that cost 5 and `again`; true: the tried way is kept. */
static bool adopts(struct thread_tuner *t, double tried, double again)
{
	bool alone = t->alone;
	if (!reaches_trial(t) || t->together != alone)
		return false;
	quanta(t, TRIAL, tried, MUCH);
	if (t->stage != TUNER_AGAIN || t->together == alone)
		return false;
	quanta(t, WINDOW, again, MUCH);
	return t->alone != alone;
}

TEST(few_warps_are_never_worth_sharing)
{
	CHECK(!tuner_worth_sharing(1023) && tuner_worth_sharing(1024));
}

TEST(the_other_way_is_tried_and_the_faster_one_kept)
{
	struct thread_tuner t = {0};
	tuner_start(&t);
	CHECK(t.together);
	quanta(&t, WINDOW * TRUST_FIRST - 1, 5, MUCH);
	CHECK(t.together);
	quantum(&t, 5, MUCH);
	CHECK(!t.together && t.stage == TUNER_TRY);
	CHECK(adopts(&t, 1, 5));
	CHECK(!t.together && t.alone);
	CHECK_EQ(t.trust, TRUST_FIRST); /* what was right before is doubted, so this is doubted soon */
	CHECK(!adopts(&t, 9, 5));
	CHECK(!t.together);
	CHECK_EQ(t.trust, 2 * TRUST_FIRST);
}

TEST(a_trial_in_a_cheap_phase_of_the_launch_proves_nothing)
{
	struct thread_tuner t = {0};
	tuner_start(&t);
	CHECK(!adopts(&t, 3, 2)); /* it has become cheap by then */
	CHECK(!adopts(&t, 7, 9)); /* or become expensive after */
	CHECK(t.together && !t.alone);
}

TEST(trust_grows_to_a_limit_and_is_kept_from_launch_to_launch)
{
	struct thread_tuner t = {.alone = true};
	tuner_start(&t);
	CHECK(!t.together);
	for (unsigned trial = 0; trial < 8; trial++)
		CHECK(!adopts(&t, 9, 5));
	CHECK_EQ(t.trust, TRUST_MOST);
	CHECK(reaches_trial(&t) && t.together);
	tuner_start(&t);
	CHECK(!t.together && t.stage == TUNER_KEEP);
	CHECK_EQ(t.trust, TRUST_MOST);
}

TEST(while_little_happens_there_is_one_thread_and_nothing_is_learnt)
{
	struct thread_tuner t = {0};
	tuner_start(&t);
	quanta(&t, WINDOW, 5, 1);
	CHECK(!t.together && !t.alone && !t.windows);
	quanta(&t, 10 * TRIAL, 5, 1);
	CHECK(!t.together);
	quanta(&t, TRIAL, 1, MUCH); /* there is work again */
	CHECK(t.together && !t.windows);
	CHECK(reaches_trial(&t));
	quanta(&t, TRIAL, 1, 1);
	CHECK(!t.together && !t.alone && t.stage == TUNER_KEEP);
}

TEST_RUN_ALL(true)
