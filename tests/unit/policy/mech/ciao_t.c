/* CIAO-T: who interferes is stalled, and always comes back. */
#include "ciao.h"

TEST(the_first_offence_stalls)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 25);
	issue_to(&h, 5000);
	CHECK(is_stalled(&h, 1) && !is_isolated(&h, 1));
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), 0);
	CHECK(!h.policy->l1_route && !h.policy->aux_cache);
}

TEST(a_score_at_the_cutoff_or_a_warp_that_hurts_itself_stalls_nobody)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 12); /* 12 * 4 / 5000 = 0.0096 */
	interfere(&h, 2, 2, 500);
	issue_to(&h, 5000);
	CHECK_EQ(probe_stat(&h, "stalls"), 0);
}

TEST(it_returns_when_the_other_is_better_off)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 25); /* with three running: 75 / 14900 is above 0.005, 75 / 15000 is not */
	issue_to(&h, 14999);
	CHECK(is_stalled(&h, 1));
	issue_to(&h, 15000);
	CHECK(!is_stalled(&h, 1));
	CHECK_EQ(probe_stat(&h, "reactivations"), 1);
}

TEST(it_returns_at_the_next_low_epoch_when_the_other_has_ended)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5050);
	h.policy->on_warp_exit(h.sm, 0, 0);
	CHECK(is_stalled(&h, 1));
	issue_to(&h, 5100);
	CHECK(!is_stalled(&h, 1));
}

TEST(a_new_warp_in_the_slot_is_not_the_one_that_complained)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5050);
	h.policy->on_warp_exit(h.sm, 0, 0);
	h.policy->on_warp_start(h.sm, 0, 1, 0);
	interfere(&h, 0, 2, 500);
	issue_to(&h, 5100);
	CHECK(!is_stalled(&h, 1));
}

TEST(hits_count_from_the_start_of_the_kernel_not_of_the_warp)
{
	/* 25 hits of the slot's first warp: 25 * 4 / 5000 is above the cutoff when its second is examined. */
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 25);
	issue_to(&h, 2000);
	h.policy->on_warp_exit(h.sm, 0, 0);
	h.policy->on_warp_start(h.sm, 0, 1, 0);
	issue_to(&h, 5000);
	CHECK(is_stalled(&h, 1));
	h.policy->sm_init(h.sm, &h.env); /* the next kernel */
	CHECK_EQ(((const struct ciao *)h.sm)->warp[0].vta_hits, 0);
}

TEST(a_slot_forgets_the_lines_and_the_state_of_its_last_warp)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 25);
	h.policy->on_l1_evict(h.sm, &(struct l1_event){.line = 99, .owner = 1, .warp = 2});
	issue_to(&h, 5000);
	CHECK(is_stalled(&h, 1));
	h.policy->on_warp_exit(h.sm, 1, 0);
	h.policy->on_warp_start(h.sm, 1, 1, 0);
	CHECK(!is_stalled(&h, 1));
	CHECK_EQ(pair_of(&h, 1, CIAO_STALLED), CIAO_NOBODY);
	uint64_t hits = probe_stat(&h, "vta_hits");
	h.policy->on_l1_miss(h.sm, &(struct l1_event){.line = 99, .owner = 1, .warp = 1});
	CHECK_EQ(probe_stat(&h, "vta_hits"), hits);
}

TEST(it_returns_at_the_next_low_epoch_when_the_other_waits_at_a_barrier)
{
	/* Warp 0 needs no executing, whatever its score (Algorithm 1); warps 2 and 3 go on. */
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5050);
	h.policy->on_barrier(h.sm, 0, true, 0);
	CHECK(is_stalled(&h, 1));
	issue_to(&h, 5100);
	CHECK(!is_stalled(&h, 1));
}

TEST(a_warp_at_a_barrier_accuses_nobody)
{
	/* Warp 0 is examined before the warp that might accuse it. */
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 1, 0, 500);
	h.policy->on_barrier(h.sm, 1, true, 0);
	issue_to(&h, 5000);
	CHECK(!is_stalled(&h, 0));
	h.policy->on_barrier(h.sm, 1, false, 0);
	issue_to(&h, 10000);
	CHECK(is_stalled(&h, 0));
}

TEST(a_barrier_that_has_opened_lets_the_other_complain_again)
{
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5010);
	h.policy->on_barrier(h.sm, 0, true, 0);
	h.policy->on_barrier(h.sm, 0, false, 0);
	issue_to(&h, 5100);
	CHECK(is_stalled(&h, 1));
}

TEST(as_the_text_reads_it_a_warp_at_a_barrier_keeps_those_it_accused)
{
	struct probe h = probe_open("ciao-t");
	probe_set(&h, "barrier_keeps", 1);
	probe_start(&h);
	for (uint32_t i = 0; i < 4; i++)
		h.policy->on_warp_start(h.sm, i, 0, 0);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5050);
	h.policy->on_barrier(h.sm, 0, true, 0);
	issue_to(&h, 5100);
	CHECK(is_stalled(&h, 1));
}

TEST(if_all_others_wait_at_barriers_nobody_waits_for_an_epoch)
{
	/* Warps 0, 2 and 3 wait for warp 1, which 0 had stalled: no instruction would end an epoch. */
	struct probe h = ciao_begin("ciao-t", 4);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5000);
	h.policy->on_barrier(h.sm, 0, true, 0);
	h.policy->on_barrier(h.sm, 2, true, 0);
	CHECK(is_stalled(&h, 1));
	h.policy->on_barrier(h.sm, 3, true, 0);
	CHECK(!is_stalled(&h, 1));
	CHECK_EQ(probe_stat(&h, "deadlock_releases"), 0);
}

TEST(if_none_that_runs_is_left_nobody_waits_for_an_epoch)
{
	struct probe h = ciao_begin("ciao-t", 2);
	interfere(&h, 0, 1, 500);
	issue_to(&h, 5000);
	CHECK(is_stalled(&h, 1));
	h.policy->on_warp_exit(h.sm, 0, 0);
	CHECK(!is_stalled(&h, 1));
}

TEST(stalled_warps_do_not_count_as_active)
{
	struct probe h = ciao_begin("ciao-t", 4);
	struct ciao *c = h.sm;
	CHECK_EQ(c->running, 4);
	interfere(&h, 0, 1, 500);
	interfere(&h, 2, 3, 500);
	issue_to(&h, 5000);
	CHECK_EQ(c->running, 2);
	h.policy->on_warp_exit(h.sm, 2, 0);
	CHECK_EQ(c->running, 1);
	issue_to(&h, 5100);
	CHECK_EQ(c->running, 2); /* warp 3 is back */
	CHECK_EQ(probe_stat(&h, "low_epochs"), 51);
	CHECK_EQ(probe_stat(&h, "stalled_at_low_epochs"), 3);
}

TEST(after_a_thousand_quiet_cycles_the_oldest_that_others_wait_for_goes)
{
	/* Warps 0 to 3 and 5 wait at a barrier for warp 4; 2 and 4 are stalled, and waiting acquits no warp. */
	struct probe_view v;
	struct probe h = probe_open("ciao-t");
	probe_set(&h, "barrier_keeps", 1);
	probe_start(&h);
	for (uint32_t i = 0; i < 6; i++)
		h.policy->on_warp_start(h.sm, i, 0, 0);
	interfere(&h, 0, 2, 500);
	interfere(&h, 1, 4, 500);
	issue_to(&h, 5000);
	h.policy->on_issue(h.sm, 0, 0, 32, 100);
	for (uint32_t i = 0; i < 6; i++)
		h.policy->on_barrier(h.sm, i, i != 4 && i != 5, 100);
	probe_view_full(&v, 0);
	v.view.waiting_barrier = 3;
	v.view.cycle = 1099;
	struct throttle gate = h.policy->throttle(h.sm, &v.view);
	CHECK_EQ(gate.issue, ~(uint64_t)6);
	CHECK_EQ(gate.until, 1100);
	v.view.cycle = 1100;
	v.view.waiting_memory = 1; /* something will come */
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, ~(uint64_t)6);
	v.view.waiting_memory = 0;
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, ~(uint64_t)6); /* warp 5 runs yet */
	h.policy->on_barrier(h.sm, 5, true, 100);
	CHECK_EQ(h.policy->throttle(h.sm, &v.view).issue, ~(uint64_t)2);
	CHECK_EQ(probe_stat(&h, "deadlock_releases"), 1);
}

TEST_RUN_ALL(true)
