/* Epochs of policies: in cycles, in instructions, each at its own pace. */
#include "lib/core_fixture.h"
#include "test.h"

static void hear(void *sm, const struct sm_view *view)
{
	(void)sm, (void)view;
}

/* Link 0 is gto; the policy under test is link 1. */
static struct core *open_epochs(uint32_t cycles, uint32_t insns)
{
	static struct policy policy;
	policy = (struct policy){.abi = POLICY_ABI,
	                         .name = "epochs",
	                         .epoch_cycles = cycles,
	                         .epoch_insns = insns,
	                         .on_epoch = hear};
	return core_open((struct bench_setup){.machine = "gtx480-khairy", .extra = &policy},
	                 core_memory_trace(32, 0));
}

TEST(an_epoch_in_cycles_ends_in_its_cycle_and_the_next_begins)
{
	CORE c = open_epochs(100, 0);
	struct epochs *e = &c->sm->epochs;
	CHECK_EQ(e->next_cycle, 100);
	CHECK(!epochs_are_over(e, 1000000, 99));
	CHECK(epochs_are_over(e, 0, 100));
	CHECK(!epochs_end(e, &c->sm->hooks, 1, 1000000, 99));
	CHECK(epochs_end(e, &c->sm->hooks, 1, 0, 103));
	epochs_settle(e, &c->sm->hooks);
	CHECK_EQ(e->next_cycle, 200); /* the grid is kept, however late it is noticed */
	CHECK(!epochs_end(e, &c->sm->hooks, 1, 0, 103));
}

TEST(an_epoch_in_instructions_may_end_in_any_cycle)
{
	CORE c = open_epochs(0, 50);
	struct epochs *e = &c->sm->epochs;
	CHECK(e->next_cycle == CYCLE_NEVER);
	CHECK_EQ(e->due, 0); /* it is looked at in every cycle */
	CHECK(!epochs_are_over(e, 49, 1000000));
	CHECK(epochs_are_over(e, 50, 1));
	CHECK(epochs_end(e, &c->sm->hooks, 1, 52, 7));
	epochs_settle(e, &c->sm->hooks);
	CHECK_EQ(e->next_insns, 100);
}

TEST(both_bounds_go_on_by_themselves)
{
	CORE c = open_epochs(100, 50);
	struct epochs *e = &c->sm->epochs;
	CHECK(epochs_end(e, &c->sm->hooks, 1, 60, 30)); /* by instructions */
	epochs_settle(e, &c->sm->hooks);
	CHECK_EQ(e->next_cycle, 100);
	CHECK_EQ(e->next_insns, 100);
	CHECK(epochs_end(e, &c->sm->hooks, 1, 70, 100)); /* by cycles */
	epochs_settle(e, &c->sm->hooks);
	CHECK_EQ(e->next_cycle, 200);
	CHECK_EQ(e->next_insns, 100);
}

TEST(without_epochs_nothing_is_ever_due)
{
	struct core *c =
	    core_open((struct bench_setup){.machine = "gtx480-khairy"}, core_memory_trace(32, 0));
	CHECK(c->sm->epochs.due == CYCLE_NEVER);
	CHECK(!epochs_are_over(&c->sm->epochs, UINT64_MAX - 1, CYCLE_NEVER - 1));
	core_close(c);
}

TEST_RUN_ALL(true)
