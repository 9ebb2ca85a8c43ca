/* PCAL with fixed numbers: Khairy's example of one warp that caches and two that bypass. */
#include "lib/policy_probe.h"

static enum l1_route route(struct probe *h, uint32_t warp, enum l1_presence presence)
{
	struct l1_request request = {.warp = warp, .presence = (uint8_t)presence};
	return h->policy->l1_route(h->sm, &request, L1_FAIL_NONE);
}

TEST(one_warp_caches_two_bypass_the_rest_waits)
{
	struct probe_view v;
	struct probe h = probe_begin("pcal-fixed");
	probe_view_full(&v, 0);
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, 0x7);
	CHECK_EQ(route(&h, 0, L1_ABSENT), L1_ROUTE_NONE);
	CHECK_EQ(route(&h, 2, L1_ABSENT), L1_ROUTE_BYPASS);
	CHECK_EQ(route(&h, 4, L1_WHOLE), L1_ROUTE_BYPASS); /* which uses a line that is there */
	CHECK_EQ(probe_stat(&h, "bypasses"), 1);
	CHECK_EQ(h.policy->sm_bits(&h.env), 48);
}

TEST(a_retry_is_not_counted_again)
{
	struct probe_view v;
	struct probe h = probe_begin("pcal-fixed");
	probe_view_full(&v, 0);
	h.policy->throttle(h.sm, &v.view);
	struct l1_request request = {.warp = 2};
	h.policy->l1_route(h.sm, &request, L1_FAIL_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &request, L1_FAIL_MISS_QUEUE), L1_ROUTE_BYPASS);
	CHECK_EQ(probe_stat(&h, "bypasses"), 1);
}

TEST(a_token_passes_to_the_next_oldest_at_once)
{
	struct probe_view v;
	struct probe h = probe_begin("pcal-fixed");
	probe_view_full(&v, 0);
	h.policy->throttle(h.sm, &v.view);
	probe_remove(&v, 0);
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, 0xe);
	CHECK_EQ(route(&h, 2, L1_ABSENT), L1_ROUTE_NONE);
	v.view.waiting_barrier = 1 << 1; /* so it does while its holder waits at a barrier */
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, 0x1c);
	CHECK_EQ(route(&h, 4, L1_ABSENT), L1_ROUTE_NONE);
}

TEST(stores_go_their_way)
{
	struct probe h = probe_begin("pcal-fixed");
	struct l1_request store = {.warp = 8, .is_store = 1};
	CHECK_EQ(h.policy->l1_route(h.sm, &store, L1_FAIL_NONE), L1_ROUTE_NONE);
}

TEST_RUN_ALL(true)
