/* MRPB: 32 requests of one warp in one set (Khairy, section 5.3), queues in fixed order, bypass on stalls. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* One warp, whose 32 lanes read 32 lines of one set, `times` times. */
static struct counters one_set(uint32_t times)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "set", .ctas = 1, .warps = 1});
	synth_warp(s, 0, 0);
	synth_plain(s, synth_op(0, OP_CONST, 2, 0), UINT32_MAX);
	for (uint32_t i = 0; i < times; i++) {
		synth_stride(s, synth_load(10, 4, 2), UINT32_MAX, 0x1000000 + 4 * i, 32 * 128);
		synth_plain(s, synth_op(11, OP_INT, 2, 4), UINT32_MAX);
	}
	struct counters c =
	    bench_only((struct bench_setup){.machine = "gtx480-khairy", .policy = "mrpb"}, synth_finish(s));
	return c;
}

TEST(of_32_requests_in_a_set_of_four_ways_4_take_lines_and_28_bypass)
{
	struct counters c = one_set(1);
	CHECK_EQ(c.value[COUNT_l1_misses], 4);
	CHECK_EQ(c.value[COUNT_l1_bypasses], 28);
	CHECK_EQ(c.value[COUNT_l1_fail_line_alloc], 0);
}

TEST(then_the_first_4_hit_and_the_next_4_push_them_out)
{
	struct counters c = one_set(2);
	CHECK_EQ(c.value[COUNT_l1_hits], 4);
	CHECK_EQ(c.value[COUNT_l1_misses], 4 + 4);
	CHECK_EQ(c.value[COUNT_l1_bypasses], 28 + 24);
	c = one_set(3); /* and are pushed out by the first 4 in turn */
	CHECK_EQ(c.value[COUNT_l1_hits], 4);
	CHECK_EQ(c.value[COUNT_l1_misses], 4 + 4 + 4);
	CHECK_EQ(c.value[COUNT_l1_bypasses], 28 + 24 + 28);
}

/* ---- the queues ---------------------------------------------------------------------------------------------- */

static struct {
	struct prel1_item item[2048];
	uint32_t count, order;
} window;

static int offer(struct probe *h, uint32_t warp)
{
	struct prel1_item request = {.line = window.order, .warp = warp, .order = window.order};
	int answer = h->policy->prel1_insert(h->sm, window.item, window.count, &request);
	if (answer == PREL1_APPEND) {
		window.item[window.count++] = request;
		window.order++;
	}
	return answer;
}

/* Warp and age of what would go to L1; `served`: and goes. */
static uint32_t pick(struct probe *h, bool served, uint32_t *order)
{
	int index = h->policy->prel1_pick(h->sm, window.item, window.count);
	struct prel1_item item = window.item[index];
	*order = item.order;
	if (served) {
		window.count--;
		memmove(&window.item[index], &window.item[index + 1],
		        (window.count - (uint32_t)index) * sizeof item);
	}
	return item.warp;
}

static struct probe begin(const char *param, double value)
{
	struct probe h = probe_open("mrpb");
	window.count = window.order = 0;
	if (param)
		probe_set(&h, param, value);
	probe_start(&h);
	return h;
}

TEST(the_lowest_warp_goes_first_and_a_lower_one_goes_before_it)
{
	struct probe h = begin(NULL, 0);
	uint32_t order;
	offer(&h, 5), offer(&h, 3), offer(&h, 5), offer(&h, 3);
	CHECK_EQ(pick(&h, true, &order), 3);
	CHECK_EQ(order, 1);
	CHECK_EQ(pick(&h, false, &order), 3); /* refused */
	CHECK_EQ(order, 3);
	offer(&h, 1);
	CHECK_EQ(pick(&h, true, &order), 1);
	CHECK_EQ(pick(&h, true, &order), 3);
	CHECK_EQ(pick(&h, true, &order), 5);
	CHECK_EQ(order, 0);
	CHECK_EQ(pick(&h, true, &order), 5);
}

TEST(a_greedy_queue_is_emptied_first)
{
	struct probe h = begin("greedy", 1);
	uint32_t order;
	offer(&h, 5), offer(&h, 5);
	CHECK_EQ(pick(&h, true, &order), 5);
	offer(&h, 1);
	CHECK_EQ(pick(&h, true, &order), 5);
	CHECK_EQ(pick(&h, true, &order), 1);
}

/* Against a plain search, over a long random life. */
TEST(it_always_picks_the_oldest_request_of_the_lowest_warp)
{
	struct probe h = begin(NULL, 0);
	uint64_t random = 1;
	uint32_t order;
	for (int i = 0; i < 20000; i++) {
		if (synth_random(&random) % 2 && window.count < 1000)
			offer(&h, (uint32_t)(synth_random(&random) % 48));
		if (synth_random(&random) % 2 == 0 && window.count) {
			uint32_t best = 0;
			for (uint32_t k = 1; k < window.count; k++)
				if (window.item[k].warp < window.item[best].warp)
					best = k;
			uint32_t want = window.item[best].order;
			pick(&h, synth_random(&random) % 4 != 0, &order);
			CHECK_EQ(order, want);
		}
	}
}

TEST(the_33rd_request_of_a_warp_waits)
{
	struct probe h = begin(NULL, 0);
	uint32_t order;
	for (int i = 0; i < 32; i++)
		CHECK_EQ(offer(&h, 7), PREL1_APPEND);
	CHECK_EQ(offer(&h, 7), PREL1_STALL);
	CHECK_EQ(offer(&h, 8), PREL1_APPEND);
	pick(&h, true, &order);
	CHECK_EQ(offer(&h, 7), PREL1_APPEND);
	CHECK_EQ(offer(&h, 7), PREL1_STALL);
}

TEST(or_the_33rd_of_all_if_the_buffer_is_one)
{
	struct probe h = begin("total", 1);
	for (uint32_t i = 0; i < 32; i++)
		CHECK_EQ(offer(&h, i), PREL1_APPEND);
	CHECK_EQ(offer(&h, 40), PREL1_STALL);
}

TEST(only_an_associativity_stall_bypasses)
{
	struct probe h = begin(NULL, 0);
	struct l1_request load = {.line = 1}, store = {.line = 1, .is_store = 1};
	CHECK_EQ(h.policy->l1_route(h.sm, &load, L1_FAIL_NONE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &load, L1_FAIL_MSHR_ENTRY), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &load, L1_FAIL_MSHR_MERGE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &load, L1_FAIL_MISS_QUEUE), L1_ROUTE_NONE);
	CHECK_EQ(h.policy->l1_route(h.sm, &load, L1_FAIL_LINE_ALLOC), L1_ROUTE_BYPASS);
	CHECK_EQ(h.policy->l1_route(h.sm, &store, L1_FAIL_LINE_ALLOC), L1_ROUTE_NONE);
}

TEST_RUN_ALL(true)
