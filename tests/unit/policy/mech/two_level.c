/* Two-level scheduling: a group runs until all its warps wait, round robin inside. */
#include "lib/policy_probe.h"

static uint64_t ask(struct probe *h, const struct probe_view *v)
{
	return h->policy->throttle(h->sm, &v->view).issue;
}

TEST(a_group_runs_until_all_its_warps_wait)
{
	struct probe_view v;
	struct probe h = probe_begin("two-level");
	probe_view_full(&v, 0);
	CHECK_EQ(ask(&h, &v), 0xff);
	v.view.waiting_memory = 0x7f;
	CHECK_EQ(ask(&h, &v), 0xff); /* one still runs */
	v.view.waiting_memory = 0xff;
	CHECK_EQ(ask(&h, &v), 0xff00);
	v.view.waiting_memory = 0xff00; /* the first group's data are there; it is the third's turn */
	CHECK_EQ(ask(&h, &v), 0xff0000);
	CHECK_EQ(probe_stat(&h, "switches"), 3);
}

TEST(a_barrier_counts_as_waiting)
{
	struct probe_view v;
	struct probe h = probe_begin("two-level");
	probe_view_full(&v, 0);
	ask(&h, &v);
	v.view.waiting_memory = 0x0f;
	v.view.waiting_barrier = 0xf0;
	CHECK_EQ(ask(&h, &v), 0xff00);
}

TEST(groups_without_a_warp_that_can_run_are_passed_over)
{
	struct probe_view v;
	struct probe h = probe_begin("two-level");
	probe_view_full(&v, 0);
	ask(&h, &v);
	v.view.waiting_memory = 0xffff;
	CHECK_EQ(ask(&h, &v), 0xff0000);
	v.view.waiting_memory = 0xffffff; /* no warp can run: stay */
	CHECK_EQ(ask(&h, &v), 0xff0000);
}

TEST(inside_a_group_priority_rotates)
{
	struct probe_view v;
	struct probe h = probe_begin("two-level");
	probe_view_full(&v, 0);
	CHECK_EQ(h.policy->order(h.sm, &v.view, 0xff), 0);
	v.view.last = 2;
	CHECK_EQ(h.policy->order(h.sm, &v.view, 0xff), 3);
	CHECK_EQ(h.policy->order(h.sm, &v.view, 0x07), 0);
	v.view.last = 63;
	CHECK_EQ(h.policy->order(h.sm, &v.view, 0x0e), 1);
}

TEST(from_an_active_set_only_warps_that_wait_leave)
{
	struct probe_view v;
	struct probe h = probe_open("two-level");
	probe_set(&h, "size", 4);
	probe_set(&h, "pool", 1);
	probe_start(&h);
	probe_view_full(&v, 0);
	CHECK_EQ(ask(&h, &v), 0x0f);
	v.view.waiting_memory = 0x05; /* 0 and 2 leave, 4 and 5 come */
	CHECK_EQ(ask(&h, &v), 0x3a);
	v.view.waiting_memory = 0; /* 0 and 2 must wait for a place */
	CHECK_EQ(ask(&h, &v), 0x3a);
}

TEST(schedulers_have_groups_of_their_own)
{
	struct probe_view a, b;
	struct probe h = probe_begin("two-level");
	probe_view_full(&a, 0);
	probe_view_full(&b, 1);
	ask(&h, &a);
	ask(&h, &b);
	a.view.waiting_memory = 0xff;
	CHECK_EQ(ask(&h, &a), 0xff00);
	CHECK_EQ(ask(&h, &b), 0xff);
	CHECK_EQ(h.policy->sm_bits(&h.env), 48);
}

TEST_RUN_ALL(true)
