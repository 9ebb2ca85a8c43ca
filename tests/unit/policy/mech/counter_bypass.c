/* Counter-based bypass: lives of blocks, what the table makes of them, and the storage. */
#include "lib/policy_probe.h"

enum { PC = 0x40, FRAME = 9 };

static void live(struct probe *h, uint64_t line, uint32_t hits)
{
	struct l1_event event = {.pc = PC, .line = line, .frame = FRAME};
	h->policy->on_l1_miss(h->sm, &event);
	for (uint32_t i = 0; i < hits; i++)
		h->policy->on_l1_hit(h->sm, &event);
	h->policy->on_l1_evict(h->sm, &event);
}

static enum l1_route miss(struct probe *h, uint64_t line)
{
	struct l1_request request = {.pc = PC, .line = line, .presence = L1_ABSENT};
	return h->policy->l1_route(h->sm, &request, L1_FAIL_NONE);
}

static struct probe begin(void)
{
	struct probe h = probe_open("counter-bypass");
	probe_set(&h, "retrain", 0);
	probe_start(&h);
	return h;
}

TEST(a_block_that_dies_untouched_makes_the_next_miss_a_bypass)
{
	struct probe h = begin();
	CHECK_EQ(miss(&h, 1), L1_ROUTE_NONE);
	live(&h, 1, 0); /* 0 equals the stored 0: sure */
	CHECK_EQ(miss(&h, 1), L1_ROUTE_BYPASS);
	CHECK_EQ(miss(&h, 2), L1_ROUTE_NONE); /* another block, another entry */
}

TEST(a_block_with_three_hits_is_cached_however_sure)
{
	struct probe h = begin();
	live(&h, 1, 3);
	CHECK_EQ(miss(&h, 1), L1_ROUTE_NONE);
	live(&h, 1, 3);
	CHECK_EQ(miss(&h, 1), L1_ROUTE_NONE);
	live(&h, 1, 0); /* now 0, but not twice */
	CHECK_EQ(miss(&h, 1), L1_ROUTE_NONE);
	live(&h, 1, 0);
	CHECK_EQ(miss(&h, 1), L1_ROUTE_BYPASS);
}

TEST(the_table_outlives_the_launch)
{
	struct probe h = begin();
	live(&h, 1, 0);
	probe_params(&h);
	h.policy->sm_init(h.sm, &h.env);
	CHECK_EQ(miss(&h, 1), L1_ROUTE_BYPASS);
}

TEST(one_of_32_bypasses_is_cached_to_learn_again)
{
	enum { TRIES = 32000 };
	struct probe h = probe_begin("counter-bypass");
	live(&h, 1, 0);
	uint32_t cached = 0;
	for (uint32_t i = 0; i < TRIES; i++)
		cached += miss(&h, 1) == L1_ROUTE_NONE;
	CHECK(cached > TRIES / 64 && cached < TRIES / 16);
	CHECK_EQ(probe_stat(&h, "retrained"), cached);
	CHECK_EQ(probe_stat(&h, "bypassed"), TRIES - cached);
}

TEST(a_retry_gets_the_same_answer)
{
	struct probe h = probe_open("counter-bypass");
	probe_set(&h, "retrain", 2);
	probe_start(&h);
	live(&h, 1, 0);
	struct l1_request request = {.pc = PC, .line = 1, .presence = L1_ABSENT};
	for (uint32_t i = 0; i < 100; i++) {
		enum l1_route route = h.policy->l1_route(h.sm, &request, L1_FAIL_NONE);
		CHECK_EQ(h.policy->l1_route(h.sm, &request, L1_FAIL_MISS_QUEUE), route);
	}
}

TEST(storage_is_10_and_5_eighths_kib)
{
	struct probe h = probe_open("counter-bypass");
	h.env.l1_ways = 8;
	CHECK_EQ(h.policy->sm_bits(&h.env), 10880 * 8);
}

TEST_RUN_ALL(true)
