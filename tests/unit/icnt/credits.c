/* Credits in flight: each comes once, in its cycle and not before, however they are collected. */
#include "icnt/credits.h"

#include "lib/synth.h"
#include "test.h"

TEST(a_credit_comes_in_its_cycle_and_not_before)
{
	struct credit_ring ring = {0};
	credits_add(&ring, 100);
	CHECK_EQ(credits_next(&ring), 100);
	CHECK_EQ(credits_collect(&ring, 99), 0);
	CHECK_EQ(credits_collect(&ring, 100), 1);
	CHECK_EQ(credits_collect(&ring, 2000), 0);
	CHECK(credits_next(&ring) == CYCLE_NEVER);
}

TEST(a_credit_for_a_cycle_that_is_over_comes_in_the_next)
{
	struct credit_ring ring = {0};
	CHECK_EQ(credits_collect(&ring, 50), 0);
	credits_add(&ring, 50);
	CHECK_EQ(credits_next(&ring), 51);
	CHECK_EQ(credits_collect(&ring, 50), 0);
	CHECK_EQ(credits_collect(&ring, 51), 1);
}

TEST(none_is_lost_however_far_ahead)
{
	struct credit_ring ring = {0};
	credits_add(&ring, 100 * CREDIT_SLOTS);
	CHECK_EQ(ring.coming, 1);
	CHECK_EQ(credits_collect(&ring, CREDIT_SLOTS - 2), 0);
	CHECK_EQ(credits_collect(&ring, CREDIT_SLOTS - 1), 1);
}

/* Against a plain list of arrivals; steps of one cycle and leaps over many. */
TEST(random_credits_come_as_a_plain_list_says)
{
	enum { STEPS = 3000, SPAN = STEPS * 200 };
	static uint16_t arrive[SPAN + CREDIT_SLOTS];
	struct credit_ring ring = {0};
	uint64_t state = 7;
	cycle_t now = 0;
	for (int step = 0; step < STEPS; step++) {
		for (uint64_t i = synth_random(&state) % 4; i; i--) {
			cycle_t when = now + 1 + synth_random(&state) % (CREDIT_SLOTS - 1);
			credits_add(&ring, when);
			arrive[when]++;
		}
		cycle_t next = now + 1,
		        to = now + (synth_random(&state) & 1 ? 1 : synth_random(&state) % 200);
		while (next < now + CREDIT_SLOTS && !arrive[next])
			next++;
		CHECK(credits_next(&ring) == (next < now + CREDIT_SLOTS ? next : CYCLE_NEVER));
		uint32_t want = 0;
		for (; now < to; want += arrive[now])
			now++;
		CHECK_EQ(credits_collect(&ring, to), want);
	}
}

TEST(a_reset_forgets_all)
{
	struct credit_ring ring = {0};
	credits_add(&ring, 30);
	credits_collect(&ring, 20);
	credits_reset(&ring);
	CHECK(credits_next(&ring) == CYCLE_NEVER);
	credits_add(&ring, 10);
	CHECK_EQ(credits_collect(&ring, 2000), 1);
}

TEST_RUN_ALL(true)
