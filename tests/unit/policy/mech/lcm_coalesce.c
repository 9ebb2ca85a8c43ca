/* LCM's inter-warp coalescing: the worked example of a queue that fills up, and the rules. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

enum { PC = 0x80, STREAM_PC = 0x90 };

static struct {
	struct prel1_item item[256];
	uint32_t count, order;
	uint64_t now;
} window;

static int offer(struct probe *h, uint64_t pc, uint32_t warp, uint64_t line, bool store)
{
	struct prel1_item r = {
	    .pc = pc, .warp = warp, .line = line, .order = window.order, .arrival = window.now += 10};
	r.is_store = store;
	int answer = h->policy->prel1_insert(h->sm, window.item, window.count, &r);
	if (answer == PREL1_APPEND || answer == PREL1_PASS) {
		window.item[window.count++] = r;
		window.order++;
	}
	if (answer >= 0)
		window.item[answer].merged++;
	return answer;
}

static int load(struct probe *h, uint32_t warp, uint64_t line)
{
	return offer(h, PC, warp, line, false);
}

/* The item that goes to L1 leaves the window. */
static struct prel1_item send(struct probe *h)
{
	int index = h->policy->prel1_pick(h->sm, window.item, window.count);
	struct prel1_item item = window.item[index];
	window.count--;
	memmove(&window.item[index], &window.item[index + 1], (window.count - (uint32_t)index) * sizeof item);
	return item;
}

/* The load at PC is known to be inter-warp, that at STREAM_PC to stream; warp 1 is watched for both. */
static struct probe begin(void)
{
	struct probe h = probe_begin("lcm-coalesce");
	memset(&window, 0, sizeof window);
	load(&h, 1, 1), load(&h, 2, 1), load(&h, 1, 2);
	offer(&h, STREAM_PC, 1, 3, false), offer(&h, STREAM_PC, 1, 4, false);
	while (window.count)
		send(&h);
	return h;
}

TEST(a_full_queue_sends_its_older_line_for_both_warps)
{
	struct probe h = begin();
	CHECK_EQ(load(&h, 3, 0x40), PREL1_APPEND); /* queue 0, first tag */
	CHECK_EQ(load(&h, 9, 0x40), 0);            /* merged */
	CHECK_EQ(load(&h, 5, 0x60), PREL1_APPEND); /* queue 0, second tag */
	CHECK_EQ(load(&h, 7, 0x80), PREL1_STALL);  /* queue 0 is full */
	struct prel1_item first = send(&h);
	CHECK_EQ(first.line, 0x40);
	CHECK_EQ(first.merged, 1);
	CHECK_EQ(load(&h, 7, 0x80), PREL1_APPEND);
	CHECK_EQ(send(&h).line, 0x60);
	CHECK_EQ(send(&h).line, 0x80);
	CHECK_EQ(probe_stat(&h, "joined"), 1);
	CHECK_EQ(probe_stat(&h, "joined_other"), 1);
	CHECK_EQ(probe_stat(&h, "full"), 1);
}

TEST(a_full_queue_goes_before_older_requests_of_others)
{
	struct probe h = begin();
	load(&h, 2, 0x41); /* queue 1, the oldest of all */
	load(&h, 3, 0x40), load(&h, 5, 0x60);
	CHECK_EQ(load(&h, 7, 0x80), PREL1_STALL);
	CHECK_EQ(send(&h).line, 0x40);
	CHECK_EQ(send(&h).line, 0x41);
	CHECK_EQ(send(&h).line, 0x60);
}

TEST(a_tag_stands_for_four_requests)
{
	struct probe h = begin();
	load(&h, 3, 0x40);
	for (uint32_t warp = 4; warp <= 6; warp++)
		CHECK_EQ(load(&h, warp, 0x40), 0);
	CHECK_EQ(load(&h, 7, 0x40), PREL1_APPEND); /* the fifth opens another */
	CHECK_EQ(load(&h, 8, 0x40), 1);
}

TEST(loads_of_other_types_are_not_joined_and_take_no_tag)
{
	struct probe h = begin();
	CHECK_EQ(offer(&h, STREAM_PC, 1, 0x40, false), PREL1_PASS);
	CHECK_EQ(offer(&h, STREAM_PC, 2, 0x40, false), PREL1_PASS);
	CHECK_EQ(offer(&h, STREAM_PC, 3, 0x40, false), PREL1_PASS);
	CHECK_EQ(load(&h, 4, 0x40), PREL1_APPEND);
	CHECK_EQ(load(&h, 5, 0x40), 3);
}

TEST(no_request_is_joined_across_a_store_to_its_line)
{
	struct probe h = begin();
	load(&h, 3, 0x40);
	CHECK_EQ(offer(&h, PC, 3, 0x40, true), PREL1_PASS);
	CHECK_EQ(load(&h, 3, 0x40), PREL1_APPEND);
	CHECK_EQ(load(&h, 4, 0x40), 2);
}

/* The warps of a CTA, more than an MSHR can merge, read the same lines, a line at a time. */
static struct trace *same_lines(uint32_t ctas, uint32_t warps, uint32_t lines)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "same", .ctas = ctas, .warps = warps});
	for (uint32_t warp = 0; warp < ctas * warps; warp++) {
		synth_warp(s, warp / warps, warp % warps);
		synth_plain(s, synth_op(0, OP_CONST, 2, 0), UINT32_MAX);
		for (uint32_t i = 0; i < lines; i++) {
			uint64_t line = 0x8000 + warp / warps * lines + i;
			synth_stride(s, synth_load(10, 4, 2), UINT32_MAX, line * 128, 4);
			synth_plain(s, synth_op(11, OP_INT, 2, 4), UINT32_MAX);
		}
	}
	return synth_finish(s);
}

TEST(requests_of_different_warps_to_one_line_become_one_access)
{
	struct trace *trace = same_lines(1, 32, 64);
	struct bench_setup plain = {.machine = "gtx780-lcm"},
	                   lcm = {.machine = "gtx780-lcm", .policy = "lcm-coalesce"};
	struct counters before = bench_once(plain, trace), after = bench_once(lcm, trace);
	trace_close(trace);
	CHECK_EQ(before.value[COUNT_l1_accesses], 32 * 64);
	CHECK_EQ(after.value[COUNT_l1_accesses] + after.value[COUNT_l1_merged], 32 * 64);
	CHECK(after.value[COUNT_l1_merged] > 32 * 64 / 4);
}

/* An MSHR takes 8 requests: without queues, the ninth warp of a CTA keeps the other CTAs' loads from L1 until the line is there. */
TEST(ctas_that_share_no_lines_gain_by_construction)
{
	struct trace *trace = same_lines(4, 16, 64);
	struct bench_setup plain = {.machine = "gtx780-lcm", .changes = "sm.count=1"}, lcm = plain;
	lcm.policy = "lcm-coalesce";
	struct counters before = bench_once(plain, trace), after = bench_once(lcm, trace);
	trace_close(trace);
	CHECK(before.value[COUNT_l1_fail_mshr_merge] > 0);
	CHECK(after.value[COUNT_l1_merged] > 0);
	CHECK(after.value[COUNT_cycles] * 100 < before.value[COUNT_cycles] * 97);
}

/* Section 4.2: only requests to data with inter-warp locality are taken in; the queues are no deeper LSU for others. */
TEST(without_inter_warp_locality_nothing_changes)
{
	struct trace *trace = synth_vector_add(16, 8, 32, 4, 16);
	const char *few = "l1d.mshr_entries=4";
	struct bench_setup plain = {.machine = "gtx780-lcm", .changes = few},
	                   lcm = {.machine = "gtx780-lcm", .changes = few, .policy = "lcm-coalesce"};
	struct counters want = bench_once(plain, trace), got = bench_once(lcm, trace);
	CHECK(want.value[COUNT_l1_fail_mshr_entry] > 0); /* the LSU waits: a longer queue would gain */
	CHECK(bench_same("lcm-coalesce", &got, &want));
	trace_close(trace);
}

TEST_RUN_ALL(true)
