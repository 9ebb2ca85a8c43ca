/* The loop of an SM: it goes from event to event, up to the end of a quantum, and the quanta change nothing. */
#include "sm/sm.h"

#include "lib/core_fixture.h"
#include "test.h"

enum { CTAS = 6, ANSWER_AFTER = 400, END = 20000 };

/* `ctas` CTAs of four warps: an int, a load of `lines` lines, an int that waits for it, a store. */
static struct core *open_sm(uint32_t ctas, uint32_t lines)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "sm", .ctas = ctas, .warps = 4});
	for (uint32_t cta = 0; cta < ctas; cta++)
		for (uint32_t w = 0; w < 4; w++) {
			synth_warp(s, cta, w);
			synth_plain(s, synth_op(0, OP_INT, 8, 0), UINT32_MAX);
			synth_stride(s, synth_load(1, 9, 2), UINT32_MAX, 0x10000 * (cta + 1) + 0x400 * w,
			             lines * 4);
			synth_plain(s, synth_op(2, OP_INT, 10, 9), UINT32_MAX);
			synth_stride(s, synth_memory(3, OP_STORE, SPACE_GLOBAL, 4, 10, 2), UINT32_MAX,
			             0x800000 + 0x400 * w, 4);
		}
	return core_open((struct bench_setup){.machine = "h200"}, synth_finish(s));
}

/* Answers reads that were sent since the last call, so many cycles after they reach their slice. */
static void answer(struct core *c, uint32_t *answered)
{
	for (; *answered < core_sent(c); ++*answered) {
		const struct packet *p = core_packet(c, *answered);
		if (p->op == PACKET_READ)
			sm_push_reply(c->sm, &(struct reply){.when = p->when + ANSWER_AFTER,
			                                     .line = p->line,
			                                     .token = p->token,
			                                     .sectors = p->sectors});
	}
}

static struct core *run_by(cycle_t quantum)
{
	struct core *c = open_sm(CTAS, 32);
	uint32_t answered = 0;
	for (uint32_t cta = 0; cta < CTAS; cta++)
		sm_push_cta(c->sm, cta, 100 + 333 * cta);
	for (cycle_t now = quantum; now <= END; now += quantum) {
		sm_run_until(c->sm, now);
		answer(c, &answered);
	}
	return c;
}

TEST(an_sm_without_ctas_jumps_to_the_end)
{
	CORE c = open_sm(1, 1);
	CHECK(sm_idle(c->sm));
	CHECK_EQ(sm_next(c->sm), CYCLE_NEVER);
	sm_run_until(c->sm, 1000);
	CHECK_EQ(c->sm->now, 1000);
	CHECK_EQ(core_count(c, COUNT_warp_insns), 0);
}

TEST(a_cta_starts_in_its_cycle_and_not_before)
{
	CORE c = open_sm(1, 1);
	sm_push_cta(c->sm, 0, 500);
	CHECK_EQ(sm_ctas(c->sm), 1);
	CHECK_EQ(sm_next(c->sm), 500);
	sm_run_until(c->sm, 500);
	CHECK_EQ(c->sm->warps.resident, 0);
	sm_run_until(c->sm, 501);
	CHECK_EQ(c->sm->warps.resident, 4);
	CHECK_EQ(c->sm->warps.warp[0].started, 500);
	CHECK(!sm_idle(c->sm));
}

TEST(a_reply_is_taken_in_its_cycle_and_wakes_the_warps_that_wait_for_it)
{
	CORE c = open_sm(1, 1);
	uint32_t answered = 0;
	sm_push_cta(c->sm, 0, 0);
	sm_run_until(c->sm, 3000);
	CHECK_EQ(core_count(c, COUNT_warp_insns), 8); /* all wait */
	CHECK_EQ(sm_next(c->sm), CYCLE_NEVER);
	CHECK_EQ(core_sent(c), 4);
	c->sm->now = 0; /* a late reply would come now */
	answer(c, &answered);
	cycle_t when = sm_next(c->sm);
	cycle_t soonest = CYCLE_NEVER;
	for (uint32_t i = 0; i < 4; i++)
		soonest = core_packet(c, i)->when < soonest ? core_packet(c, i)->when : soonest;
	CHECK_EQ(when, soonest + ANSWER_AFTER);
	sm_run_until(c->sm, when);
	CHECK_EQ(core_count(c, COUNT_l1_fills), 0);
	sm_run_until(c->sm, when + 1);
	CHECK_EQ(core_count(c, COUNT_l1_fills), 1);
	sm_run_until(c->sm, END);
	CHECK_EQ(core_count(c, COUNT_warp_insns), 16);
	CHECK(sm_idle(c->sm));
	sm_end_launch(c->sm, END);
	CHECK_EQ(c->sm->account.accounted, END); /* every cycle has an issue or a reason */
}

TEST(no_count_and_no_packet_depends_on_where_a_quantum_ends)
{
	/* Replies come no sooner than the longest quantum ahead, as in a GPU. */
	static const cycle_t quantum[] = {7, 50, 250};
	CORE single = run_by(1);
	CHECK(sm_idle(single->sm));
	CHECK_EQ(single->sm->now, END);
	CHECK_EQ(core_count(single, COUNT_ctas), CTAS);
	for (uint32_t i = 0; i < sizeof quantum / sizeof *quantum; i++) {
		CORE c = run_by(quantum[i]);
		CHECK(core_same(c, single));
	}
}

TEST_RUN_ALL(true)
