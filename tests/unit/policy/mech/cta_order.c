/* bcs and sawtooth: which CTA goes where, on the policy alone and on a GPU. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* A policy of the GPU, started for a launch. */
static void *begin(struct probe *h, const char *name, const char *param, double value)
{
	*h = probe_open(name);
	probe_set(h, param, value);
	void *gpu = probe_block(h->policy->gpu_bytes(&h->env));
	h->policy->gpu_init(gpu, &h->env);
	if (h->policy->on_kernel_begin)
		h->policy->on_kernel_begin(gpu, "", 0);
	return gpu;
}

/* HPCA 2014, section 5.1: blocks of two CTAs; an SM with room for one waits for another CTA to end. */
TEST(two_consecutive_ctas_go_to_an_sm_with_two_free_places)
{
	struct probe h;
	void *gpu = begin(&h, "bcs", "block", 2);
	struct cta_place place = {.ctas = 5, .most = 4};
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 0);
	place.sm = 1;
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 2);
	place.sm = 0;
	place.held = 1;
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 1);
	place.held = 3; /* one place */
	CHECK_EQ(h.policy->cta_pick(gpu, &place), POLICY_CTA_NONE);
	place.held = 2;
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 4); /* the last block is short */
	place.held = 0;
	CHECK_EQ(h.policy->cta_pick(gpu, &place), POLICY_CTA_NONE);
	place.sm = 1;
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 3);
}

TEST(an_sm_that_holds_one_cta_at_most_gets_single_ones)
{
	struct probe h;
	void *gpu = begin(&h, "bcs", "block", 2);
	struct cta_place place = {.ctas = 5, .most = 1};
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 0);
	CHECK_EQ(h.policy->cta_pick(gpu, &place), 1);
}

TEST(every_second_row_goes_backwards)
{
	struct probe h;
	void *gpu = begin(&h, "sawtooth", "run", 0);
	static const uint64_t want[] = {0, 1, 2, 3, 7, 6, 5, 4, 8, 9};
	for (uint64_t i = 0; i < 10; i++) {
		struct cta_place place = {.ctas = 10, .given = i, .x = 4};
		CHECK_EQ(h.policy->cta_pick(gpu, &place), want[i]);
	}
}

TEST(a_short_last_run_is_turned_as_well)
{
	struct probe h;
	void *gpu = begin(&h, "sawtooth", "run", 4);
	static const uint64_t want[] = {0, 1, 2, 3, 6, 5, 4};
	for (uint64_t i = 0; i < 7; i++) {
		struct cta_place place = {.ctas = 7, .given = i, .x = 7};
		CHECK_EQ(h.policy->cta_pick(gpu, &place), want[i]);
	}
}

/* Whatever the order, all CTAs run, once each. */
TEST(all_ctas_run_in_any_order)
{
	static const char *const policy[] = {"bcs", "bcs:block=5", "sawtooth:run=3", "bcs,cta-limit:n=1"};
	static const char *const machine[] = {"gtx480-khairy", "h200"};
	for (size_t m = 0; m < 2; m++)
		for (size_t p = 0; p < 4; p++)
			for (uint32_t ctas = 1; ctas < 400; ctas = ctas * 3 + 1) {
				struct trace *trace = synth_vector_add(ctas, 2, 32, 4, 2);
				struct bench b = bench_open(
				    (struct bench_setup){.machine = machine[m], .policy = policy[p]});
				struct counters got = bench_run(&b, trace, 0, true);
				struct recount recount = bench_recount(trace, 0, b.machine);
				CHECK(bench_adds_up(policy[p], b.machine, got.value, &recount));
				CHECK_EQ(got.value[COUNT_ctas], ctas);
				bench_close(&b);
				trace_close(trace);
			}
}

/* A policy that gives nothing cannot keep a launch from ending. */
static uint64_t nothing(void *gpu, const struct cta_place *place)
{
	(void)gpu, (void)place;
	return POLICY_CTA_NONE;
}

TEST(a_policy_that_gives_no_cta_has_them_run_one_after_the_other)
{
	static const struct policy none = {.abi = POLICY_ABI, .name = "none", .cta_pick = nothing};
	struct counters got = bench_only((struct bench_setup){.machine = "gtx480-khairy", .extra = &none},
	                                 synth_vector_add(9, 2, 32, 4, 2));
	CHECK_EQ(got.value[COUNT_ctas], 9);
}

TEST_RUN_ALL(true)
