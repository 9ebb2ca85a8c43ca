/* The schedulers without state: lrr, gto, oldest. Bundles, which are names for others. */
#include "lib/bench.h"
#include "lib/policy_probe.h"

static uint32_t pick(const char *name, const struct probe_view *v, uint64_t eligible)
{
	return policy_find(name)->order(NULL, &v->view, eligible);
}

TEST(lrr_takes_the_next_after_the_last_and_begins_again)
{
	struct probe_view v;
	probe_view_full(&v, 0);
	CHECK_EQ(pick("lrr", &v, 0xfe), 1); /* no warp has issued yet */
	v.view.last = 3;
	CHECK_EQ(pick("lrr", &v, 0xff), 4);
	CHECK_EQ(pick("lrr", &v, 0x8f), 7); /* 4 to 6 cannot: they are not waited for */
	CHECK_EQ(pick("lrr", &v, 0x0f), 0);
	CHECK_EQ(pick("lrr", &v, 0x08), 3); /* alone, the last issues again */
	v.view.last = 63;
	CHECK_EQ(pick("lrr", &v, 0x81), 0);
}

/* From the oldest: 5, 2, 7, 0. */
static void mixed_ages(struct probe_view *v)
{
	static const uint8_t bits[] = {5, 2, 7, 0};
	probe_view_init(v, 0, bits, 4);
}

TEST(gto_stays_with_the_last_and_turns_to_the_oldest)
{
	struct probe_view v;
	mixed_ages(&v);
	CHECK_EQ(pick("gto", &v, 0xa5), 5);
	v.view.last = 0;
	CHECK_EQ(pick("gto", &v, 0xa5), 0); /* greedy, although it is the youngest */
	CHECK_EQ(pick("gto", &v, 0xa4), 5); /* it cannot: the oldest */
	CHECK_EQ(pick("gto", &v, 0x84), 2);
	CHECK_EQ(pick("gto", &v, 0x80), 7);
}

TEST(the_examples_of_lrr_and_gto)
{
	struct probe_view v;
	static const uint8_t four[] = {0, 1, 2, 3}, aged[] = {3, 1, 7};
	probe_view_init(&v, 0, four, 4);
	v.view.last = 2;
	CHECK_EQ(pick("lrr", &v, 0x1), 0); /* W3 is stalled: it is skipped, not waited for */
	CHECK_EQ(pick("lrr", &v, 0x7), 0); /* and W2, which had its turn, comes last */
	probe_view_init(&v, 0, aged, 3);
	v.view.last = 7;
	CHECK_EQ(pick("gto", &v, 0x88), 7);
	CHECK_EQ(pick("gto", &v, 0x02), 1); /* W7 stalls, and W3 cannot */
	v.view.last = 1;
	CHECK_EQ(pick("gto", &v, 0x82), 1);
}

TEST(oldest_never_stays)
{
	struct probe_view v;
	mixed_ages(&v);
	v.view.last = 0;
	CHECK_EQ(pick("oldest", &v, 0xa5), 5);
	CHECK_EQ(pick("oldest", &v, 0x85), 2);
	CHECK_EQ(pick("oldest", &v, 0x81), 7);
}

static void resolves_to(const char *text, const char *want)
{
	struct bench b = bench_open((struct bench_setup){.machine = "gtx480-khairy", .policy = text});
	if (strcmp(b.chain->text, want))
		printf("# %s is %s, expected %s\n", text, b.chain->text, want);
	CHECK(!strcmp(b.chain->text, want));
	bench_close(&b);
}

TEST(a_bundle_is_its_parts_and_hands_its_parameters_on)
{
	resolves_to("dbsa:period=500", "dbsa-l1:period=500:threshold=0.90000000000000002,"
	                               "dbsa-l2:period=500:threshold=0.90000000000000002,gto");
	resolves_to("lcm:threshold=4", "lcm-bypass:threshold=4:probe=1,"
	                               "lcm-coalesce:threshold=4:queues=32:tags=2:merge=4:own=0,gto");
	resolves_to("lcm+lws",
	            "lcm-bypass:threshold=8:probe=1,"
	            "lws:high=1:low=0.20000000000000001:window=1024:least=16:latency=0:threshold=8:own=0,"
	            "lcm-coalesce:threshold=8:queues=32:tags=2:merge=4:own=0");
}

TEST_RUN_ALL(true)
