/* CCWS: victim tags, scores and the stack, with the numbers of Khairy's configuration. */
#include "lib/policy_probe.h"

static void start_warps(struct probe *h, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		h->policy->on_warp_start(h->sm, i, 0, 0);
}

static void issue(struct probe *h, uint32_t count)
{
	for (uint32_t i = 0; i < count; i++)
		h->policy->on_issue(h->sm, 0, 0, 32, 0);
}

static void lose(struct probe *h, uint32_t owner, uint64_t line, uint32_t to)
{
	h->policy->on_l1_evict(h->sm, &(struct l1_event){.line = line, .owner = owner, .warp = to});
}

static void miss(struct probe *h, uint32_t warp, uint64_t line, uint64_t cycle)
{
	h->policy->on_l1_miss(h->sm,
	                      &(struct l1_event){.line = line, .warp = warp, .owner = warp, .cycle = cycle});
}

/* Warps of the SM that may issue loads, by slot. */
static uint64_t may_load(struct probe *h, uint64_t cycle)
{
	uint64_t slots = 0;
	for (uint32_t s = 0; s < 2; s++) {
		struct probe_view v;
		probe_view_full(&v, s);
		v.view.cycle = cycle;
		uint64_t mask = h->policy->throttle(h->sm, &v.view).load;
		for (uint32_t i = 0; i < 24; i++)
			slots |= (mask >> i & 1) << (2 * i + s);
	}
	return slots;
}

static const uint64_t all = ((uint64_t)1 << 48) - 1;

/* 49 hits of other warps at no score worth mentioning, then the one of warp `of` at `cycle`. */
static struct probe at_fifty_hits(uint32_t of, uint64_t cycle)
{
	struct probe h = probe_begin("ccws");
	start_warps(&h, 48);
	issue(&h, 10000);
	for (uint64_t line = 0; line < 49; line++) {
		lose(&h, 9, line, 1);
		miss(&h, 9, line, 0); /* scores of at most 188, all gone by cycle 100 */
	}
	lose(&h, of, 1000, 1);
	miss(&h, of, 1000, cycle);
	return h;
}

TEST(fifty_hits_in_ten_thousand_instructions_cost_one_warp_its_loads)
{
	/* 50 * 8 * 4800 / 10000 = 192; 192 + 46 * 100 = 4792 fits 4800, the 48th does not. */
	struct probe h = at_fifty_hits(5, 1000);
	CHECK_EQ(may_load(&h, 1000), all & ~((uint64_t)1 << 47)); /* of equal scores the youngest goes */
	CHECK_EQ(probe_stat(&h, "vta_hits"), 50);
	CHECK_EQ(probe_stat(&h, "warps_held_in_stacks"), 1);
}

TEST(a_warp_without_load_rights_may_issue_the_rest)
{
	struct probe h = at_fifty_hits(5, 1000);
	struct probe_view v;
	probe_view_full(&v, 1);
	v.view.cycle = 1000;
	struct throttle gate = h.policy->throttle(h.sm, &v.view);
	CHECK_EQ(gate.issue, UINT64_MAX);
	CHECK(!(gate.load >> 23 & 1));
}

TEST(a_score_decays_by_one_in_a_cycle)
{
	struct probe h = at_fifty_hits(5, 1000);
	CHECK(may_load(&h, 1000) != all);
	CHECK(may_load(&h, 1091) != all); /* 101 + 47 * 100 is still above 4800 */
	CHECK_EQ(may_load(&h, 1092), all);
}

TEST(the_answer_holds_until_it_says)
{
	struct probe_view v;
	struct probe h = at_fifty_hits(5, 1000);
	probe_view_full(&v, 0);
	v.view.cycle = 1000;
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).until, 1092);
}

TEST(the_warp_that_lost_locality_goes_to_the_top)
{
	/* The youngest has the score: the next youngest pays. */
	struct probe h = at_fifty_hits(47, 1000);
	CHECK_EQ(may_load(&h, 1000), all & ~((uint64_t)1 << 46));
}

TEST(a_lower_score_does_not_replace_a_higher_one)
{
	struct probe h = at_fifty_hits(5, 1000);
	issue(&h, 40000); /* 51 hits in 50000 are worth 39: below the base */
	lose(&h, 5, 2000, 1);
	miss(&h, 5, 2000, 1000);
	CHECK(may_load(&h, 1091) != all);
	CHECK_EQ(may_load(&h, 1092), all);
}

TEST(a_line_that_another_warp_lost_is_no_hit)
{
	struct probe h = probe_begin("ccws");
	start_warps(&h, 48);
	lose(&h, 3, 77, 1);
	miss(&h, 4, 77, 0);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 0);
	miss(&h, 3, 77, 0);
	miss(&h, 3, 77, 0); /* found once */
	CHECK_EQ(probe_stat(&h, "vta_hits"), 1);
}

TEST(the_victim_tags_of_a_warp_are_two_sets_of_eight)
{
	struct probe h = probe_begin("ccws");
	start_warps(&h, 48);
	for (uint64_t line = 0; line < 18; line += 2) /* nine even lines: line 0 is pushed out */
		lose(&h, 3, line, 1);
	lose(&h, 3, 1, 1);
	miss(&h, 3, 0, 0);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 0);
	miss(&h, 3, 2, 0);
	miss(&h, 3, 1, 0);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 2);
}

TEST(a_line_lost_again_becomes_young)
{
	struct probe h = probe_begin("ccws");
	start_warps(&h, 48);
	for (uint64_t line = 0; line < 16; line += 2)
		lose(&h, 3, line, 1);
	lose(&h, 3, 0, 1);
	lose(&h, 3, 16, 1); /* line 2 is the oldest now */
	miss(&h, 3, 0, 0);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 1);
	miss(&h, 3, 2, 0);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 1);
}

TEST(a_new_warp_in_a_slot_begins_without_tags_and_score)
{
	struct probe h = at_fifty_hits(5, 1000);
	lose(&h, 5, 3000, 1);
	h.policy->on_warp_exit(h.sm, 5, 1000);
	h.policy->on_warp_start(h.sm, 5, 1, 1000);
	CHECK_EQ(may_load(&h, 1001), all);
	miss(&h, 5, 3000, 1001);
	CHECK_EQ(probe_stat(&h, "vta_hits"), 50);
}

TEST(the_top_of_the_stack_may_always_load)
{
	struct probe h = probe_begin("ccws");
	start_warps(&h, 10);
	issue(&h, 1);
	lose(&h, 7, 1, 1);
	miss(&h, 7, 1, 0); /* one hit in one instruction: 1023, above the cutoff of 1000 */
	CHECK_EQ(may_load(&h, 0), 1 << 7);
}

TEST(a_score_has_ten_bits)
{
	/* 8 * 4800 for one hit in one instruction; 1023 + 37 * 100 fits 4800, one more does not. */
	struct probe h = probe_begin("ccws");
	start_warps(&h, 48);
	issue(&h, 1);
	lose(&h, 7, 1, 1);
	miss(&h, 7, 1, 0);
	CHECK_EQ(__builtin_popcountll(may_load(&h, 0)), 38);
	CHECK(may_load(&h, 922) != all); /* 101 */
	CHECK_EQ(may_load(&h, 923), all);
}

TEST(it_takes_the_tags_of_768_lines_and_little_else)
{
	struct probe h = probe_open("ccws");
	probe_params(&h);
	/* 768 tags of 25 bits, 48 scores of 10, 128 owners of 6, two counters of 32 */
	CHECK_EQ(h.policy->sm_bits(&h.env), 768 * 25 + 48 * 10 + 128 * 6 + 64);
	probe_set(&h, "vta", 12);
	CHECK(h.policy->refuses(&h.env));
}

TEST_RUN_ALL(true)
