/* LWS: the score of 300 hits and 700 misses, and who issues first for it (Fang et al. 2021, section 5.2). */
#include "lib/policy_probe.h"

enum { STREAM_PC = 0x80, CACHED_PC = 0x90, OTHER_PC = 0xa0, LATENCY = 200 };

static struct sm_view sm;

/* The load at STREAM_PC is known to stream, that at CACHED_PC to be used again. */
static struct probe begin(void)
{
	struct probe h = probe_open("lws");
	probe_set(&h, "latency", LATENCY);
	probe_start(&h);
	sm = (struct sm_view){0};
	static const struct {
		uint64_t pc, line;
	} past[] = {{STREAM_PC, 1}, {STREAM_PC, 2}, {CACHED_PC, 5}, {CACHED_PC, 5}, {CACHED_PC, 6}};
	for (uint32_t i = 0; i < 5; i++) {
		struct prel1_item item = {.pc = past[i].pc, .line = past[i].line, .arrival = 10 * i + 10};
		h.policy->prel1_insert(h.sm, NULL, 0, &item);
	}
	return h;
}

/* A window of hits, and of misses that waited so long each. */
static void window(struct probe *h, uint32_t hits, uint32_t misses, uint64_t wait)
{
	struct l1_event event = {.line = 999, .frame = 0};
	for (uint32_t i = 0; i < hits; i++)
		h->policy->on_l1_hit(h->sm, &event);
	for (uint32_t i = 0; i < misses; i++)
		h->policy->on_l1_miss(h->sm, &event);
	sm.l1_miss_done += misses;
	sm.l1_miss_cycles += misses * wait;
	h->policy->on_epoch(h->sm, &sm);
}

/* Bit 0 is the oldest and wants to add, bit 1 loads what is cached, bit 2 streams, bit 3 streams, too. */
static uint32_t chosen(struct probe *h, uint64_t eligible, uint32_t last)
{
	static const uint8_t by_age[] = {0, 1, 2, 3};
	struct probe_view v;
	probe_view_init(&v, 0, by_age, 4);
	v.next_pc[0] = OTHER_PC, v.next_pc[1] = CACHED_PC, v.next_pc[2] = v.next_pc[3] = STREAM_PC;
	v.view.next_is_load = 0xe;
	v.view.last = last;
	return h->policy->order(h->sm, &v.view, eligible);
}

TEST(a_score_of_0_214_changes_nothing)
{
	struct probe h = begin();
	window(&h, 300, 700, 400); /* 300 * 200 / (700 * 400) */
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 0);
	CHECK_EQ(chosen(&h, 0xf, 1), 1); /* greedy */
}

TEST(a_score_of_0_171_lets_streaming_warps_go_first)
{
	struct probe h = begin();
	window(&h, 300, 700, 500);
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 2);
	CHECK_EQ(chosen(&h, 0xf, 3), 3); /* greedy among them */
	CHECK_EQ(chosen(&h, 0xf, 1), 2);
	CHECK_EQ(chosen(&h, 0x3, UINT32_MAX), 0); /* none there: the others, oldest first */
	CHECK_EQ(probe_stat(&h, "busy"), 1);
}

TEST(a_score_above_1_lets_them_go_last)
{
	struct probe h = begin();
	window(&h, 700, 300, 400); /* 1.17 */
	CHECK_EQ(chosen(&h, 0xe, UINT32_MAX), 1);
	CHECK_EQ(chosen(&h, 0xe, 2), 1);
	CHECK_EQ(chosen(&h, 0xc, UINT32_MAX), 2);
	CHECK_EQ(probe_stat(&h, "idle"), 1);
}

TEST(a_miss_waits_at_least_as_long_as_l2_takes)
{
	struct probe h = begin();
	window(&h, 300, 700, 10); /* 0.43 by 200 cycles, 8.6 by 10 */
	CHECK_EQ(chosen(&h, 0xe, 2), 2);
}

TEST(a_load_that_waits_for_a_line_in_flight_is_no_hit)
{
	struct probe h = begin();
	struct l1_event event = {.line = 999, .frame = 0};
	for (uint32_t i = 0; i < 1000; i++)
		h.policy->on_l1_pending(h.sm, &event);
	window(&h, 300, 700, 500); /* 0.171; with the 1000 it would be 0.74 */
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 2);
}

TEST(each_window_is_judged_by_itself)
{
	struct probe h = begin();
	window(&h, 300, 700, 500);
	window(&h, 300, 700, 400);
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 0);
}

TEST(without_misses_or_with_few_accesses_there_is_no_score)
{
	struct probe h = begin();
	window(&h, 1000, 0, 0);
	CHECK_EQ(chosen(&h, 0xe, 2), 2);
	window(&h, 0, 15, 500);
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 0);
	window(&h, 0, 16, 500);
	CHECK_EQ(chosen(&h, 0xf, UINT32_MAX), 2);
}

TEST_RUN_ALL(true)
