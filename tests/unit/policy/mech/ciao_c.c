/* CIAO-C and the detector: the interference list of section III-A, the scores of IV-A, the story of IV-A and IV-C. */
#include "ciao.h"
#include "lib/bench.h"
#include "lib/synth.h"

/* The entry of warp 34 after each of the evictors. */
static bool list_follows(bool late_replace, const int *want)
{
	static const uint32_t evictor[] = {32, 32, 32, 32, 32, 42, 32, 42, 42, 42, 42};
	struct probe h = probe_open("ciao-c");
	probe_set(&h, "late_replace", late_replace);
	struct ciao *c = probe_start(&h);
	bool good = true;
	for (size_t i = 0; i < sizeof evictor / sizeof *evictor; i++) {
		ciao_note_interference(c, 34, evictor[i]);
		good &= c->warp[34].interferer == want[2 * i] && c->warp[34].counter == want[2 * i + 1];
	}
	return good;
}

TEST(the_list_keeps_the_warp_that_interferes_most)
{
	static const int want[] = {32, 0,  32, 1,  32, 2,  32, 3,  32, 3,  32,
	                           2,  32, 3,  32, 2,  32, 1,  42, 0,  42, 1};
	CHECK(list_follows(false, want));
}

TEST(the_other_reading_replaces_one_event_later)
{
	static const int want[] = {32, 0,  32, 1,  32, 2,  32, 3,  32, 3,  32,
	                           2,  32, 3,  32, 2,  32, 1,  32, 0,  42, 0};
	CHECK(list_follows(true, want));
}

TEST(three_hits_of_48_warps_in_5000_instructions_are_above_the_cutoff)
{
	struct probe h = ciao_begin("ciao-c", 48);
	struct ciao *c = h.sm;
	interfere(&h, 7, 8, 3);
	c->insns = 5000;
	CHECK(ciao_score_above(c, 7, 0.0287)); /* 3 * 48 / 5000 = 0.0288 */
	CHECK(!ciao_score_above(c, 7, 0.0289));
	c->warp[7].vta_hits = 1; /* 0.0096; two suffice */
	CHECK(!ciao_score_above(c, 7, 0.01));
	c->warp[7].vta_hits = 2;
	CHECK(ciao_score_above(c, 7, 0.01));
	c->given.divide = true; /* as printed: 2400 hits are not enough */
	c->warp[7].vta_hits = 2400;
	CHECK(!ciao_score_above(c, 7, 0.01));
	c->warp[7].vta_hits = 2401;
	CHECK(ciao_score_above(c, 7, 0.01));
}

TEST(a_warp_is_isolated_then_stalled_then_comes_back_step_by_step)
{
	struct probe h = ciao_begin("ciao-c", 4);
	interfere(&h, 0, 1, 25); /* W0 sees 25 * 4 / 5000 = 0.02 */
	interfere(&h, 2, 3, 25);
	issue_to(&h, 4999);
	CHECK(!is_isolated(&h, 1)); /* only the end of a high epoch accuses */
	issue_to(&h, 5000);
	CHECK(is_isolated(&h, 1) && is_isolated(&h, 3));
	CHECK_EQ(pair_of(&h, 1, CIAO_ISOLATED), 0);
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), CIAO_NOBODY);
	CHECK(!is_stalled(&h, 1));
	interfere(&h, 3, 1, 38); /* W3, isolated itself, sees 38 * 4 / 10000 = 0.0152 */
	issue_to(&h, 10000);
	CHECK(is_stalled(&h, 1) && is_isolated(&h, 1));
	CHECK_EQ(pair_of(&h, 1, CIAO_ISOLATED), 0);
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), 3);
	interfere(&h, 0, 1, 200); /* W0 goes on complaining: who is stalled already keeps its first accuser */
	issue_to(&h, 15000);
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), 3);
	issue_to(&h, 22700);
	CHECK(is_stalled(&h, 1)); /* three run: 38 * 3 / 22700 = 0.00502 */
	issue_to(&h, 22800);
	CHECK(!is_stalled(&h, 1) && is_isolated(&h, 1)); /* 0.005; it returns isolated */
	CHECK_EQ(pair_of(&h, 1, CIAO_ISOLATED), 0);
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), CIAO_NOBODY);
	issue_to(&h, 22950);
	CHECK(is_isolated(&h, 1)); /* W0 is still disturbed */
	h.policy->on_warp_exit(h.sm, 0, 0);
	issue_to(&h, 23000);
	CHECK(!is_isolated(&h, 1));
	CHECK_EQ(pair_of(&h, 1, CIAO_ISOLATED), CIAO_NOBODY);
	CHECK_EQ(probe_stat(&h, "isolations"), 2);
	CHECK_EQ(probe_stat(&h, "stalls"), 1);
	CHECK_EQ(probe_stat(&h, "reactivations"), 1);
}

TEST(a_stalled_warp_issues_nothing_and_the_others_all)
{
	struct probe_view v;
	struct probe h = ciao_begin("ciao-c", 4);
	interfere(&h, 0, 3, 25);
	issue_to(&h, 5000);
	interfere(&h, 0, 3, 200);
	issue_to(&h, 10000);
	CHECK(is_stalled(&h, 3));
	probe_view_full(&v, 1);
	struct throttle gate = h.policy->throttle(h.sm, &v.view);
	CHECK_EQ(gate.issue, ~(uint64_t)2); /* slot 3: bit 1 of scheduler 1 */
	CHECK_EQ(gate.load, ~(uint64_t)2);
	probe_view_full(&v, 0);
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, UINT64_MAX);
}

TEST(the_side_cache_feeds_the_same_detector)
{
	struct probe h = ciao_begin("ciao-c", 4);
	h.policy->on_l1_evict(h.sm, &(struct l1_event){.line = 9, .owner = 2, .warp = 1, .aux = 1});
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 9, .owner = 2, .warp = 2});
	CHECK_EQ(probe_stat(&h, "vta_hits"), 1);
	CHECK_EQ(((struct ciao *)h.sm)->warp[2].interferer, 1);
}

TEST(a_warp_keeps_eight_victim_tags_first_in_first_out)
{
	struct probe h = ciao_begin("ciao-c", 4);
	for (uint64_t line = 1; line <= 8; line++)
		h.policy->on_l1_evict(h.sm, &(struct l1_event){.line = line, .owner = 2, .warp = 1});
	h.policy->on_l1_evict(
	    h.sm, &(struct l1_event){.line = 1, .owner = 2, .warp = 3}); /* same place, new evictor */
	h.policy->on_l1_evict(h.sm, &(struct l1_event){.line = 9, .owner = 2, .warp = 1});
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 1, .warp = 2});
	CHECK_EQ(probe_stat(&h, "vta_hits"), 0);
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 2, .warp = 2});
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 9, .warp = 2});
	CHECK_EQ(probe_stat(&h, "vta_hits"), 2);
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 9, .warp = 2}); /* taken out */
	CHECK_EQ(probe_stat(&h, "vta_hits"), 2);
}

TEST(variants_count_other_instructions_and_shorter_times)
{
	struct probe h = probe_open("ciao-c");
	probe_set(&h, "score_threads", 1);
	probe_set(&h, "epoch_threads", 1);
	probe_set(&h, "window", 1);
	struct ciao *c = probe_start(&h);
	for (uint32_t i = 0; i < 4; i++)
		h.policy->on_warp_start(h.sm, i, 0, 0);
	h.policy->on_issue(h.sm, 0, 0, 32, 0);
	CHECK_EQ(c->insns, 32);
	interfere(&h, 0, 1, 25);
	issue_to(&h, 5000);
	CHECK(is_isolated(&h, 1));
	CHECK_EQ(c->warp[0].vta_hits, 0); /* the window begins anew */
	issue_to(&h, 5100);
	CHECK(!is_isolated(&h, 1));
}

TEST(epochs_and_scores_have_units_of_their_own)
{
	/* 156 warp instructions are 4,992 of threads, 157 are 5,024. Score: hits * 4 / 157, or / 5,024. */
	for (int score_threads = 0; score_threads < 2; score_threads++) {
		struct probe h = probe_open("ciao-c");
		probe_set(&h, "score_threads", score_threads);
		struct ciao *c = probe_start(&h);
		for (uint32_t i = 0; i < 4; i++)
			h.policy->on_warp_start(h.sm, i, 0, 0);
		interfere(&h, 0, 1, 1);
		for (uint32_t i = 0; i < 156; i++)
			h.policy->on_issue(h.sm, 0, 0, 32, 0);
		CHECK(!is_isolated(&h, 1));
		h.policy->on_issue(h.sm, 0, 0, 32, 0);
		CHECK_EQ(c->epoch_insns, 5024);
		CHECK_EQ(c->insns, score_threads ? 5024 : 157);
		CHECK_EQ(is_isolated(&h, 1), !score_threads); /* 0.025, 0.0008 */
	}
}

TEST(without_the_sweep_an_epoch_examines_one_warp)
{
	struct probe h = probe_open("ciao-c");
	probe_set(&h, "sweep", 0);
	probe_start(&h);
	for (uint32_t i = 0; i < 4; i++)
		h.policy->on_warp_start(h.sm, i, 0, 0);
	for (uint32_t i = 0; i < 4; i++)
		interfere(&h, i, (i + 1) % 4, 100);
	issue_to(&h, 5000);
	CHECK_EQ(probe_stat(&h, "isolations"), 1);
}

TEST(on_a_machine_isolated_warps_keep_their_lines)
{
	struct trace *trace = synth_row_walk(30, 8, 32, 16384, 96);
	struct bench_setup setup = {.machine = "gtx480-ciao"};
	struct counters plain = bench_once(setup, trace);
	setup.policy = "ciao-c:high_epoch=500";
	struct counters ciao = bench_only(setup, trace);
	CHECK_EQ(ciao.value[COUNT_warp_insns], plain.value[COUNT_warp_insns]);
	CHECK(ciao.value[COUNT_aux_hits] > 0);
	CHECK(ciao.value[COUNT_l1_hits] > 2 * plain.value[COUNT_l1_hits]);
	CHECK(ciao.value[COUNT_cycles] < plain.value[COUNT_cycles]);
}

TEST_RUN_ALL(true)
