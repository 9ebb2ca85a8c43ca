/* PCAL as a whole: tokens from a profile, and three windows of memory load that choose the bypassing warps. */
#include "lib/policy_probe.h"

static struct machine *machine;
static struct chain *chain;

/* The first link of a chain, before the scheduler that every chain has, as an SM of a GTX 480 would hold it. */
static struct probe open_chain(const char *text)
{
	struct error err;
	machine = machine_load("gtx480-ciao", &err);
	chain = chain_new(text, machine, &err);
	if (!chain || !chain->link[0].policy.on_epoch) {
		printf("# %s: %s\n", text, chain ? "no such policy" : err.text);
		exit(1);
	}
	struct probe h = {.policy = &chain->link[0].policy, .env = chain_env(chain, 0, 0)};
	h.sm = calloc(1, h.policy->sm_bytes(&h.env));
	h.policy->sm_init(h.sm, &h.env);
	return h;
}

static void close_chain(struct probe *h)
{
	free(h->sm);
	chain_free(chain);
	machine_free(machine);
}

static uint64_t running_after(struct probe *h, double load)
{
	static struct sm_view sm;
	struct probe_view v;
	if (load >= 0) {
		sm.dram_busy += 1000 * load;
		sm.cycle += 1000;
		h->policy->on_epoch(h->sm, &sm);
	} else {
		sm = (struct sm_view){0};
	}
	probe_view_full(&v, 0);
	return h->policy->throttle(h->sm, &v.view).issue;
}

TEST(one_token_and_loads_of_35_50_and_72_percent_give_one_two_and_two_bypassing_warps)
{
	struct probe h = open_chain("pcal");
	CHECK_EQ(running_after(&h, -1), 0x1);
	CHECK_EQ(running_after(&h, 0.35), 0x3);
	CHECK_EQ(running_after(&h, 0.50), 0x7);
	CHECK_EQ(running_after(&h, 0.72), 0x7);
	CHECK_EQ(running_after(&h, 0.90), 0x7);
	CHECK_EQ(running_after(&h, 0.91), 0x3);
	close_chain(&h);
}

TEST(the_tokens_of_the_profile_cache_and_the_others_bypass)
{
	struct probe h = open_chain("pcal:tokens=3:warps=5");
	CHECK_EQ(running_after(&h, -1), 0x7);
	for (int i = 0; i < 9; i++)
		running_after(&h, 0);
	CHECK_EQ(running_after(&h, 0), 0x1f);
	for (uint32_t i = 0; i < 5; i++) {
		struct l1_request request = {.warp = 2 * i};
		CHECK_EQ(h.policy->l1_route(h.sm, &request, L1_FAIL_NONE),
		         i < 3 ? L1_ROUTE_NONE : L1_ROUTE_BYPASS);
	}
	close_chain(&h);
}

TEST_RUN_ALL(true)
