/* Issue: how far time goes, what an instruction does when it issues, and whether the three modes do the same. */
#include "sm/issue.h"

#include "lib/core_fixture.h"
#include "test.h"

enum { WARPS = 4, OPS = 40 };

/* Each of four warps, one per scheduler of an H200: a load, then FP32 operations that depend on nothing. */
static struct core *open_issue(const struct policy *extra)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "issue", .ctas = 1, .warps = WARPS});
	for (uint32_t w = 0; w < WARPS; w++) {
		synth_warp(s, 0, w);
		synth_stride(s, synth_load(0, 8, 2), UINT32_MAX, 0x10000 * (w + 1), 4);
		for (uint32_t i = 1; i <= OPS; i++)
			synth_plain(s, synth_op(i, OP_FP32, (uint8_t)(20 + i), 0), UINT32_MAX);
	}
	struct core *c = core_open(
	    (struct bench_setup){.machine = "h200", .changes = "lsu.issue_cycles=5", .extra = extra},
	    synth_finish(s));
	core_start_cta(c, 0, 0);
	c->sm->now = c->sm->alarm.at;
	return c;
}

static void hear_issue(void *sm, uint32_t warp, uint64_t pc, uint32_t lanes, uint64_t cycle)
{
	(void)sm, (void)warp, (void)pc, (void)lanes, (void)cycle;
}
static struct throttle let_all_go(void *sm, const struct sched_view *view)
{
	(void)sm;
	return (struct throttle){view->resident, view->resident, view->cycle + 1};
}
static const struct policy hearing = {.abi = POLICY_ABI, .name = "acts", .on_issue = hear_issue};
static const struct policy throttling = {.abi = POLICY_ABI, .name = "throttles", .throttle = let_all_go};

TEST(every_scheduler_issues_in_its_cycle_and_time_goes_on_up_to_the_end)
{
	CORE c = open_issue(NULL);
	cycle_t first = c->sm->now;
	issue_cycles(c->sm, first + 3);
	CHECK_EQ(core_count(c, COUNT_warp_insns), 3 * WARPS);
	CHECK_EQ(core_count(c, COUNT_thread_insns), 3 * WARPS * 32);
	CHECK_EQ(core_count(c, COUNT_issue_cycles), 3);
	CHECK_EQ(c->sm->now, first + 2);
	CHECK_EQ(c->sm->alarm.at, first + 3);
}

TEST(time_stops_before_the_cycle_in_which_the_lsu_goes_on)
{
	CORE c = open_issue(NULL);
	cycle_t first = c->sm->now;
	issue_cycles(c->sm, CYCLE_NEVER);
	cycle_t lsu = first + c->machine->lsu_issue_cycles;
	CHECK_EQ(c->sm->lsu.next, lsu);
	CHECK_EQ(c->sm->lsu.count, WARPS);
	CHECK_EQ(c->sm->now, lsu - 1);
	CHECK_EQ(c->sm->alarm.at, lsu);
	CHECK_EQ(core_count(c, COUNT_warp_insns), WARPS * (lsu - first));
	CHECK_EQ(core_count(c, COUNT_insns_global_load), WARPS);
}

TEST(the_mode_is_that_of_the_policies_and_each_issues_the_same)
{
	static const struct {
		const struct policy *policy;
		bool only_watches;
		enum issue_mode mode;
	} row[] = {{NULL, false, ISSUE_PLAIN},
	           {&hearing, true, ISSUE_WATCHED},
	           {&hearing, false, ISSUE_ASKING},
	           {&throttling, false, ISSUE_ASKING}};
	CORE plain = open_issue(NULL);
	issue_cycles(plain->sm, CYCLE_NEVER);
	for (uint32_t i = 0; i < sizeof row / sizeof *row; i++) {
		CORE c = open_issue(row[i].policy);
		if (row[i].only_watches)
			c->bench.chain->watching = c->sm->hooks.has_on_issue;
		c->sm->issue_mode = issue_mode_of(c->sm);
		CHECK_EQ(c->sm->issue_mode, row[i].mode);
		uint32_t calls = 0;
		do {
			c->sm->now = c->sm->alarm.at;
			issue_cycles(c->sm, CYCLE_NEVER);
			calls++;
		} while (c->sm->alarm.at < c->sm->lsu.next);
		CHECK_EQ(calls, row[i].mode == ISSUE_ASKING ? c->machine->lsu_issue_cycles : 1);
		CHECK_EQ(c->sm->now, plain->sm->now);
		CHECK(
		    !memcmp(&c->sm->account.counters, &plain->sm->account.counters, sizeof(struct counters)));
	}
}

TEST(an_access_is_counted_by_its_class_and_space)
{
	CHECK_EQ(issue_counter(OP_LOAD, SPACE_GLOBAL), COUNT_insns_global_load);
	CHECK_EQ(issue_counter(OP_STORE, SPACE_GLOBAL), COUNT_insns_global_store);
	CHECK_EQ(issue_counter(OP_ATOMIC, SPACE_GLOBAL), COUNT_insns_atomic);
	CHECK_EQ(issue_counter(OP_LOAD, SPACE_SHARED), COUNT_insns_shared_load);
	CHECK_EQ(issue_counter(OP_STORE, SPACE_SHARED), COUNT_insns_shared_store);
	CHECK_EQ(issue_counter(OP_ATOMIC, SPACE_SHARED), 0);
	CHECK_EQ(issue_counter(OP_LOAD, SPACE_LOCAL), 0);
}

TEST(the_effects_of_an_instruction_say_which_path_it_takes)
{
	static const struct {
		enum op_class op;
		uint16_t flags;
		enum mem_space space;
		uint8_t effects;
	} row[] = {{OP_INT, 0, SPACE_NONE, 0},
	           {OP_INT, INSN_SETS_PREDICATE, SPACE_NONE, EFFECT_PREDICATE},
	           {OP_CONST, 0, SPACE_NONE, EFFECT_CONSTANT},
	           {OP_UNIFORM, INSN_SETS_PREDICATE, SPACE_NONE, EFFECT_UNIFORM | EFFECT_PREDICATE},
	           {OP_LOAD, INSN_MEMORY, SPACE_GLOBAL, EFFECT_ACCESS},
	           {OP_LOAD, INSN_MEMORY, SPACE_CONST, EFFECT_OTHER},
	           {OP_LOAD, INSN_MEMORY | INSN_SETS_PREDICATE, SPACE_GLOBAL, EFFECT_OTHER},
	           {OP_BARRIER, 0, SPACE_NONE, EFFECT_OTHER},
	           {OP_BRANCH, 0, SPACE_NONE, EFFECT_OTHER}};
	for (uint32_t i = 0; i < sizeof row / sizeof *row; i++) {
		struct trace_insn insn = {
		    .op = (uint8_t)row[i].op, .flags = row[i].flags, .space = (uint8_t)row[i].space};
		CHECK_EQ(issue_effects(&insn), row[i].effects);
	}
}

TEST_RUN_ALL(true)
