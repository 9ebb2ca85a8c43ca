/* Waits for memory: what is written when, who is told of it, and warps that poll on a whole GPU. */
#include "sm/polls.h"

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"
#include "trace/poll.h"

enum { WORD = 0x1000, FAR = 0x20000, SLOTS = 8, LANES = 32 };

/* ---- the watch table ------------------------------------------------------------------------------------------- */

static const uint64_t words[] = {WORD, WORD + 4, WORD + 12, FAR};
static const struct trace_kernel kernel = {.watched = words, .watched_count = sizeof words / sizeof *words};

TEST(a_launch_without_watched_words_has_no_table)
{
	static const struct trace_kernel none;
	CHECK(!watch_new(&none));
}

TEST(a_word_is_found_by_any_of_its_bytes_and_by_no_other)
{
	struct watch *watch = watch_new(&kernel);
	CHECK_EQ(watch_find(watch, WORD - 4, 4), WATCH_NONE);
	CHECK_EQ(watch_find(watch, WORD - 1, 2), 0);
	CHECK_EQ(watch_find(watch, WORD, 4), 0);
	CHECK_EQ(watch_find(watch, WORD + 3, 1), 0);
	CHECK_EQ(watch_find(watch, WORD + 4, 16), 1);
	CHECK_EQ(watch_find(watch, WORD + 8, 4), WATCH_NONE);
	CHECK_EQ(watch_find(watch, WORD + 8, 8), 2);
	CHECK_EQ(watch_find(watch, FAR, 1), 3);
	CHECK_EQ(watch_find(watch, FAR + 4, 64), WATCH_NONE);
	watch_free(watch);
}

TEST(writes_count_from_the_cycle_in_which_they_are_performed_in_whatever_order_they_are_told)
{
	struct watch *watch = watch_new(&kernel);
	watch_add(watch, 1, 200, 3);
	watch_add(watch, 1, 100, 1);
	watch_add(watch, 1, 150, 32);
	CHECK_EQ(watch_written(watch, 1, 99), 0);
	CHECK_EQ(watch_written(watch, 1, 100), 1);
	CHECK_EQ(watch_written(watch, 1, 149), 1);
	CHECK_EQ(watch_written(watch, 1, 150), 33);
	CHECK_EQ(watch_written(watch, 1, 199), 33);
	CHECK_EQ(watch_written(watch, 1, 200), 36);
	CHECK_EQ(watch_known(watch, 1), 36);
	CHECK_EQ(watch_known(watch, 0), 0);
	watch_free(watch);
}

/* ---- notices and judgements ------------------------------------------------------------------------------------ */

struct fixture {
	struct bench bench;
	struct watch *watch;
	struct polls polls;
};

static struct fixture open_polls(void)
{
	struct fixture f = {.bench = bench_open((struct bench_setup){.machine = "h200"})};
	f.watch = watch_new(&kernel);
	polls_init(&f.polls, &f.bench.gpu->crossbar, 0, SLOTS);
	polls_begin_launch(&f.polls, f.watch);
	return f;
}

static void close_polls(struct fixture *f)
{
	polls_free(&f->polls);
	watch_free(f->watch);
	bench_close(&f->bench);
}

static struct warp_step step_at(uint64_t address, int64_t stride, uint64_t mask)
{
	return (struct warp_step){.mask = mask, .base = address, .stride = stride, .kind = ADDR_STRIDE};
}

TEST(a_write_to_other_words_needs_no_notice)
{
	struct fixture f = open_polls();
	struct warp_step step = step_at(WORD + 16, 4, UINT32_MAX);
	CHECK_EQ(polls_write(&f.polls, &step, 4), 0);
	close_polls(&f);
}

TEST(each_lane_that_writes_a_word_counts_when_the_packet_of_its_line_is_performed)
{
	struct fixture f = open_polls();
	struct warp_step same = step_at(WORD, 0, UINT32_MAX), wide = step_at(WORD, FAR - WORD, 3);
	uint16_t first = polls_write(&f.polls, &same, 4), second = polls_write(&f.polls, &wide, 16);
	CHECK(first && second && first != second);
	CHECK_EQ(polls_take(&f.polls, first, FAR / 128), 0);
	uint16_t far = polls_take(&f.polls, second, FAR / 128);
	uint16_t near = polls_take(&f.polls, first, WORD / 128);
	uint16_t again = polls_take(&f.polls, second, WORD / 128);
	CHECK(far && near && again);
	CHECK_EQ(polls_take(&f.polls, second, WORD / 128), 0);
	polls_performed(&f.polls, near, 500, f.watch);
	CHECK_EQ(watch_written(f.watch, 0, 500), 32);
	polls_performed(&f.polls, again, 400, f.watch);
	polls_performed(&f.polls, far, 300, f.watch);
	CHECK_EQ(watch_written(f.watch, 0, 400), 1);
	CHECK_EQ(watch_written(f.watch, 0, 500), 33);
	CHECK_EQ(watch_written(f.watch, 1, 400), 1);
	CHECK_EQ(watch_written(f.watch, 2, 400), 1);
	CHECK_EQ(watch_written(f.watch, 3, 299), 0);
	CHECK_EQ(watch_written(f.watch, 3, 300), 1);
	close_polls(&f);
}

TEST(what_stays_in_l1_is_written_when_the_instruction_has_passed)
{
	struct fixture f = open_polls();
	struct warp_step step = step_at(WORD, FAR - WORD, 3);
	uint16_t first = polls_write(&f.polls, &step, 4), second = polls_write(&f.polls, &step, 4);
	polls_settle(&f.polls, first, 700);
	CHECK_EQ(polls_take(&f.polls, first, FAR / 128), 0);
	CHECK(polls_take(&f.polls, second, FAR / 128));
	polls_tell_own(&f.polls, f.watch);
	CHECK_EQ(watch_written(f.watch, 0, 699), 0);
	CHECK_EQ(watch_written(f.watch, 0, 700), 1);
	CHECK_EQ(watch_written(f.watch, 3, 700), 1);
	polls_tell_own(&f.polls, f.watch);
	CHECK_EQ(watch_known(f.watch, 3), 1);
	close_polls(&f);
}

/* The reply that tells of what had been performed at home by `read`. */
static struct reply reply_read_at(const struct fixture *f, uint64_t address, cycle_t read)
{
	const struct crossbar *crossbar = &f->bench.gpu->crossbar;
	const struct machine *m = f->bench.machine;
	uint64_t line = address / 128;
	uint32_t near = crossbar->sm_partition[0], slice = map_slice(&crossbar->map, line, near);
	cycle_t across = map_home(&crossbar->map, line) != near ? m->l2_partition_cycles : 0;
	return (struct reply){
	    .line = line, .when = read + m->icnt_reply_cycles + crossbar_path(crossbar, 0, slice) + across};
}

/* A poll of the first two words and the far one, which need `needed` writes, read at `read`. */
static bool over(struct fixture *f, uint32_t needed, cycle_t read)
{
	static const struct decoded insn = {.op = OP_LOAD, .width = 4};
	struct warp_step step = step_at(address_with_needed(WORD, poll_needed(needed)), FAR - WORD, 3);
	struct reply near = reply_read_at(f, WORD, read), far = reply_read_at(f, FAR, read + 5);
	cycle_t later;
	f->polls.poll[1].waits = false;
	if (!polls_begin(&f->polls, 1, &step, &insn) || step.base != WORD)
		abort();
	polls_reply(&f->polls, 1, false, &far);
	polls_reply(&f->polls, 1, false, &near);
	return polls_judge(&f->polls, 1, &step, &insn, read + 1000, &later);
}

TEST(a_wait_is_over_with_a_read_in_the_cycle_of_the_last_write_and_not_in_the_one_before)
{
	struct fixture f = open_polls();
	watch_add(f.watch, 0, 100, 2);
	CHECK(!over(&f, 1, 1000));
	watch_add(f.watch, 3, 300, 1);
	CHECK(!over(&f, 1, 299));
	CHECK(over(&f, 1, 300));
	CHECK(!over(&f, 2, 5000));
	watch_add(f.watch, 3, 5001, 1);
	CHECK(!over(&f, 2, 5000));
	CHECK(over(&f, 2, 5001));
	close_polls(&f);
}

/* The first word's home is near to SMs of one half of L2 and far from the others. */
TEST(a_warp_that_wrote_a_far_word_polls_it_when_the_write_is_back)
{
	struct fixture f = open_polls();
	struct warp_step step = step_at(WORD, 0, 1), other = step_at(FAR, 0, 1);
	const struct machine *m = f.bench.machine;
	cycle_t back = 1000 + m->icnt_request_cycles + m->l2_latency_cycles + m->icnt_reply_cycles +
	               2 * m->l2_partition_cycles;
	uint32_t home = map_home(&f.bench.gpu->crossbar.map, WORD / 128), near = 0, far = 0;
	for (uint32_t sm = 0; sm < m->sm_count; sm++)
		*(f.bench.gpu->crossbar.sm_partition[sm] == home ? &near : &far) = sm;
	f.polls.sm = near;
	polls_own(&f.polls, 1, &step, 1000);
	CHECK(!polls_follow_own(&f.polls, 1, &step, 1001));
	f.polls.sm = far;
	polls_own(&f.polls, 1, &step, 1000);
	CHECK(polls_follow_own(&f.polls, 1, &step, back - 1));
	CHECK(!polls_follow_own(&f.polls, 1, &step, back));
	CHECK(!polls_follow_own(&f.polls, 1, &other, 1001));
	CHECK(!polls_follow_own(&f.polls, 2, &step, 1001));
	close_polls(&f);
}

TEST(counts_of_writes_go_round_after_65536)
{
	struct fixture f = open_polls();
	for (unsigned i = 0; i < 65536 + 3; i++) {
		watch_add(f.watch, 0, 10 + i, 1);
		watch_add(f.watch, 3, 10 + i, 1);
	}
	CHECK(!over(&f, 65536 + 3, 10 + 65536 + 1));
	CHECK(over(&f, 65536 + 3, 10 + 65536 + 2));
	CHECK(!over(&f, 65536 + 4, 10 + 65536 + 2));
	close_polls(&f);
}

TEST(a_poll_that_needs_nothing_is_an_ordinary_load)
{
	static const struct decoded insn = {.op = OP_LOAD, .width = 4};
	struct fixture f = open_polls();
	struct warp_step step = step_at(WORD, 0, 1);
	CHECK(!polls_begin(&f.polls, 1, &step, &insn));
	close_polls(&f);
}

/* ---- on a GPU --------------------------------------------------------------------------------------------------- */

/* One CTA computes for a while and stores, the others wait for it and go on; `needed` 0: they do not wait. */
static struct trace *one_flag(uint32_t ctas, uint32_t needed, uint32_t work)
{
	static const uint64_t flag = UINT64_C(0x7f1000000000);
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "flag", .ctas = ctas, .warps = 1});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < work; i++)
		synth_plain(s, synth_op(i % 8, OP_FP64, 6, 6), UINT32_MAX);
	synth_stride(s, synth_memory(8, OP_STORE, SPACE_GLOBAL, 4, 6, 2), 1, flag, 0);
	for (uint32_t cta = 1; cta < ctas; cta++) {
		synth_warp(s, cta, 0);
		synth_poll(s, 9, 1, flag, 0, needed);
		synth_plain(s, synth_op(10, OP_INT, 5, 4), UINT32_MAX);
	}
	synth_watch(s, &flag, needed != 0);
	return synth_finish(s);
}

static struct counters simulate(struct trace *trace, struct bench_setup setup)
{
	struct counters counters = bench_once(setup, trace);
	trace_close(trace);
	return counters;
}

TEST(a_wait_lasts_until_the_store_and_its_rounds_are_counted_apart)
{
	struct bench_setup h200 = {.machine = "h200"};
	struct counters waits = simulate(one_flag(8, 1, 500), h200),
	                does_not = simulate(one_flag(8, 0, 500), h200);
	const uint64_t *v = waits.value, *n = does_not.value;
	CHECK(v[COUNT_cycles] > n[COUNT_cycles]);
	CHECK(v[COUNT_cycles] < n[COUNT_cycles] + 1000);
	CHECK_EQ(n[COUNT_spin_rounds], 0);
	/* 4,000 cycles at some 300 for a round, seven times. */
	CHECK(v[COUNT_spin_rounds] > 7 * 8 && v[COUNT_spin_rounds] < 7 * 20);
	CHECK_EQ(v[COUNT_spin_insns], 4 * v[COUNT_spin_rounds]);
	CHECK_EQ(v[COUNT_warp_insns], n[COUNT_warp_insns]);
	CHECK_EQ(v[COUNT_thread_insns], n[COUNT_thread_insns]);
	CHECK_EQ(v[COUNT_insns_global_load], n[COUNT_insns_global_load]);
	CHECK_EQ(v[COUNT_l1_accesses], n[COUNT_l1_accesses] + v[COUNT_spin_rounds]);
	CHECK_EQ(v[COUNT_l1_replies], v[COUNT_l1_accesses]);
}

TEST(a_store_that_came_before_ends_a_wait_with_its_first_round)
{
	struct synth *s = synth_new();
	static const uint64_t flag = WORD;
	synth_kernel(s, &(struct synth_shape){.name = "flag", .ctas = 2, .warps = 1});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_memory(0, OP_STORE, SPACE_GLOBAL, 4, 6, 2), UINT32_MAX, flag, 0);
	synth_warp(s, 1, 0);
	for (uint32_t i = 0; i < 500; i++)
		synth_plain(s, synth_op(i % 8, OP_FP64, 6, 6), UINT32_MAX);
	synth_poll(s, 9, 1, flag, 0, LANES);
	synth_plain(s, synth_op(10, OP_INT, 5, 4), UINT32_MAX);
	synth_watch(s, &flag, 1);
	struct counters counters = simulate(synth_finish(s), (struct bench_setup){.machine = "h200"});
	CHECK_EQ(counters.value[COUNT_spin_rounds], 0);
}

/* A spin lock: each CTA acquires it by a compare-and-swap, works, and lets it go. */
static struct trace *spin_lock(uint32_t ctas, uint32_t work)
{
	static const uint64_t lock = FAR;
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){.name = "lock", .ctas = ctas, .warps = 1});
	for (uint32_t cta = 0; cta < ctas; cta++) {
		synth_warp(s, cta, 0);
		synth_poll_atomic(s, 0, 1, lock, 2 * cta);
		for (uint32_t i = 0; i < work; i++)
			synth_plain(s, synth_op(1 + i % 8, OP_FP64, 4, 4), UINT32_MAX);
		synth_stride(s, synth_memory(9, OP_ATOMIC, SPACE_GLOBAL, 4, 6, 2), 1, lock, 0);
	}
	synth_watch(s, &lock, 1);
	return synth_finish(s);
}

TEST(a_lock_is_held_by_one_warp_at_a_time)
{
	enum { CTAS = 12, WORK = 300, DOUBLE_CYCLES = 8 };
	struct counters counters = simulate(spin_lock(CTAS, WORK), (struct bench_setup){.machine = "h200"});
	CHECK(counters.value[COUNT_cycles] > CTAS * WORK * DOUBLE_CYCLES);
	CHECK(counters.value[COUNT_spin_rounds] > CTAS);
}

TEST(waits_are_the_same_with_any_number_of_threads_and_any_quantum)
{
	struct counters one = simulate(spin_lock(40, 50), (struct bench_setup){.machine = "h200"});
	for (uint32_t quantum = 1; quantum <= 64; quantum *= 4) {
		struct counters other =
		    simulate(spin_lock(40, 50), (struct bench_setup){.machine = "h200",
		                                                     .threads = quantum == 16 ? 8 : 3,
		                                                     .quantum = quantum});
		CHECK(bench_same("lock", &other, &one));
	}
	struct counters flag = simulate(one_flag(300, 1, 900), (struct bench_setup){.machine = "h200"});
	struct counters threads =
	    simulate(one_flag(300, 1, 900), (struct bench_setup){.machine = "h200", .threads = 8});
	CHECK(bench_same("flag", &threads, &flag));
}

TEST(a_store_that_an_l1_keeps_ends_a_wait)
{
	struct bench_setup back = {.machine = "h200",
	                           .changes = "l1d.write_hit=write-back l1d.write_miss=allocate-mask"};
	struct counters counters = simulate(one_flag(4, 1, 100), back);
	CHECK(counters.value[COUNT_spin_rounds] > 0);
}

TEST(a_wait_that_nothing_ends_is_reported_with_its_word)
{
	struct trace *trace = one_flag(3, 2, 10);
	struct bench bench =
	    bench_open((struct bench_setup){.machine = "h200", .changes = "sim.watchdog_cycles=20000"});
	struct launch_options options = {.flush_l2 = true};
	struct launch_result result;
	struct error err;
	CHECK(gpu_run(bench.gpu, trace, 0, &options, &result, &err));
	CHECK_EQ(result.status, LAUNCH_DEADLOCKED);
	CHECK(strstr(result.report, "(2 writes to 0x7f1000000000, 1 of them performed)"));
	free(result.pc_misses);
	free(result.report);
	free(result.stats);
	bench_close(&bench);
	trace_close(trace);
}

TEST_RUN_ALL(true)
