/* mbarriers: what happens at them, who waits and until when, in the component and on a whole SM. */
#include "sm/mbarriers.h"

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

enum { WARP_SLOTS = 8, CTAS = 2, SHARED = 4096, OBJECT = 1024 };

static struct mbarriers open_mbarriers(void)
{
	static const struct trace_kernel kernel = {.shared_bytes = SHARED};
	struct launch launch = {.kernel = &kernel, .has_phase_waits = true};
	struct mbarriers m = {0};
	mbarriers_begin_launch(&m, &launch, WARP_SLOTS, CTAS);
	mbarriers_begin_cta(&m, 0, 1, 4);
	mbarriers_begin_cta(&m, 1, 5, 4);
	return m;
}

static struct warp_step at(uint64_t address, uint64_t mask)
{
	return (struct warp_step){.mask = mask, .base = address, .kind = ADDR_STRIDE};
}

static bool change(struct mbarriers *m, uint64_t address, uint64_t mask, cycle_t now)
{
	struct warp_step step = at(address, mask);
	return mbarriers_change(m, 0, &step, now);
}

static bool arrive_after_copies(struct mbarriers *m, uint32_t slot, uint64_t address, uint64_t mask)
{
	struct warp_step step = at(address, mask);
	return mbarriers_change_after_copies(m, 0, slot, &step, 10);
}

/* Warp 0 of CTA 0 waits for so much at an object. */
static bool over(struct mbarriers *m, uint64_t address, unsigned changes, unsigned pieces)
{
	cycle_t when;
	struct phase_counts counts = {(uint16_t)changes, (uint16_t)pieces};
	mbarriers_wait(m, 0, address, address_with_phase(0, counts) >> PHASE_COUNTS_SHIFT);
	return mbarriers_is_over(m, 0, 0, &when);
}

TEST(a_wait_is_over_when_all_changes_and_all_pieces_have_come)
{
	struct mbarriers m = open_mbarriers();
	cycle_t when;
	CHECK(over(&m, OBJECT, 0, 0));
	CHECK(!over(&m, OBJECT, 32, 2));
	change(&m, OBJECT, UINT32_MAX, 100);
	CHECK(!over(&m, OBJECT, 32, 2));
	mbarriers_land(&m, 0, 1, OBJECT / 8 + 1, 700);
	CHECK(!over(&m, OBJECT, 32, 2));
	mbarriers_land(&m, 0, 4, OBJECT / 8 + 1, 600);
	CHECK(over(&m, OBJECT, 32, 2));
	CHECK(mbarriers_is_over(&m, 0, 0, &when));
	CHECK_EQ(when, 700);
	CHECK(!over(&m, OBJECT, 33, 2));
	CHECK(!over(&m, OBJECT + 8, 1, 0));
	mbarriers_free(&m);
}

TEST(only_a_cta_with_waiting_warps_looks_again)
{
	struct mbarriers m = open_mbarriers();
	CHECK(!change(&m, OBJECT, 1, 1));
	m.cta[0].waiting = 1;
	CHECK(change(&m, OBJECT, 1, 2));
	CHECK(mbarriers_land(&m, 0, 2, OBJECT / 8 + 1, 3));
	CHECK(!mbarriers_land(&m, 1, 6, OBJECT / 8 + 1, 3));
	mbarriers_free(&m);
}

TEST(a_piece_that_lands_after_its_cta_is_nobodys)
{
	struct mbarriers m = open_mbarriers();
	mbarriers_begin_cta(&m, 0, 9, 4);
	mbarriers_land(&m, 0, 4, OBJECT / 8 + 1, 50);
	CHECK(!over(&m, OBJECT, 0, 1));
	mbarriers_land(&m, 0, 12, OBJECT / 8 + 1, 60);
	CHECK(over(&m, OBJECT, 0, 1));
	mbarriers_free(&m);
}

TEST(counts_go_round_after_65536)
{
	struct mbarriers m = open_mbarriers();
	for (unsigned i = 0; i < 65536 + 3; i++)
		change(&m, OBJECT, 1, i);
	CHECK(over(&m, OBJECT, 65535, 0));
	CHECK(over(&m, OBJECT, 3, 0));
	CHECK(!over(&m, OBJECT, 4, 0));
	mbarriers_free(&m);
}

TEST(every_eight_bytes_of_shared_memory_may_be_an_object_and_nothing_behind_it)
{
	struct mbarriers m = open_mbarriers();
	for (unsigned i = 0; i < SHARED / 8; i++)
		for (unsigned k = 0; k <= i % 3; k++)
			change(&m, 8 * i, 1, 5);
	for (unsigned i = 0; i < SHARED / 8; i++) {
		CHECK(over(&m, 8 * i, i % 3 + 1, 0));
		CHECK(!over(&m, 8 * i, i % 3 + 2, 0));
	}
	uint32_t used = m.cta[0].used;
	change(&m, SHARED, 1, 6);
	change(&m, UINT64_C(1) << 24, 1, 6);
	CHECK(!mbarriers_land(&m, 0, 1, SHARED / 8 + 1, 6));
	CHECK(over(&m, SHARED, 1, 0));
	CHECK_EQ(m.cta[0].used, used);
	mbarriers_free(&m);
}

TEST(copies_arrive_in_stages_when_they_and_those_before_are_there)
{
	struct mbarriers m = open_mbarriers();
	uint32_t first = mbarriers_copy(&m, 2), again = mbarriers_copy(&m, 2);
	arrive_after_copies(&m, 2, OBJECT, UINT32_MAX);
	uint32_t second = mbarriers_copy(&m, 2);
	arrive_after_copies(&m, 2, OBJECT + 8, 0xff);
	CHECK_EQ(first, again);
	CHECK(first != second);
	mbarriers_copied(&m, 0, 2, second, 100);
	CHECK(!over(&m, OBJECT + 8, 8, 0));
	mbarriers_copied(&m, 0, 2, first, 200);
	CHECK(!over(&m, OBJECT, 1, 0));
	mbarriers_copied(&m, 0, 2, again, 300);
	CHECK(over(&m, OBJECT, 32, 0));
	CHECK(over(&m, OBJECT + 8, 8, 0));
	/* Nothing is under way: it happens at once. */
	arrive_after_copies(&m, 2, OBJECT, 1);
	CHECK(over(&m, OBJECT, 33, 0));
	mbarriers_free(&m);
}

TEST(the_arrivals_of_a_warp_that_ends_are_not_lost)
{
	struct mbarriers m = open_mbarriers();
	for (unsigned i = 0; i < 2 * COPY_STAGES; i++) {
		mbarriers_copy(&m, 3);
		arrive_after_copies(&m, 3, OBJECT, 1);
	}
	CHECK(!over(&m, OBJECT, 2 * COPY_STAGES, 0));
	m.cta[0].waiting = 1;
	CHECK(mbarriers_end_warp(&m, 0, 3, 500));
	CHECK(over(&m, OBJECT, 2 * COPY_STAGES, 0));
	mbarriers_begin_warp(&m, 3);
	CHECK(!mbarriers_end_warp(&m, 0, 3, 600));
	mbarriers_free(&m);
}

/* ---- on an SM ------------------------------------------------------------------------------------------------- */

/* One warp copies a piece and ends, another waits for it, if it is to, and goes on. */
static struct trace *one_copy(unsigned pieces)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "copy", .ctas = 1, .warps = 2, .shared_bytes = SHARED});
	synth_warp(s, 0, 0);
	synth_bulk(s, 0, 0x40000, OBJECT);
	synth_warp(s, 0, 1);
	synth_phase_wait(s, 1, UINT32_MAX, OBJECT, (struct phase_counts){0, (uint16_t)pieces});
	synth_plain(s, synth_op(2, OP_INT, 8, 0), UINT32_MAX);
	return synth_finish(s);
}

static struct counters simulate(struct trace *trace)
{
	struct counters counters = bench_once((struct bench_setup){.machine = "h200"}, trace);
	trace_close(trace);
	return counters;
}

TEST(a_wait_lasts_as_long_as_the_copy_is_under_way_even_if_its_warp_has_ended)
{
	struct counters waits = simulate(one_copy(1)), does_not = simulate(one_copy(0));
	const uint64_t *v = waits.value;
	/* From DRAM: nothing comes sooner than the L2's own latency. */
	CHECK(v[COUNT_stall_mbarrier] > 400);
	CHECK_EQ(does_not.value[COUNT_stall_mbarrier], 0);
	CHECK(v[COUNT_cycles] > does_not.value[COUNT_cycles]);
	CHECK_EQ(v[COUNT_warp_insns], does_not.value[COUNT_warp_insns]);
	CHECK_EQ(v[COUNT_l1_accesses], does_not.value[COUNT_l1_accesses]);
}

TEST(a_wait_for_what_never_comes_is_reported_as_one)
{
	struct trace *trace = one_copy(2);
	struct bench bench =
	    bench_open((struct bench_setup){.machine = "h200", .changes = "sim.watchdog_cycles=20000"});
	struct launch_options options = {.flush_l2 = true};
	struct launch_result result;
	struct error err;
	CHECK(gpu_run(bench.gpu, trace, 0, &options, &result, &err));
	CHECK_EQ(result.status, LAUNCH_DEADLOCKED);
	CHECK(strstr(result.report, "waits for a phase of an mbarrier"));
	free(result.report);
	free(result.pc_misses);
	bench_close(&bench);
	trace_close(trace);
}

TEST_RUN_ALL(true)
