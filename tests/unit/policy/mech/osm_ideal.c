/* OSM's oracle: what will be read stays, what will not goes unwritten. */
#include <stdlib.h>

#include "lib/bench.h"
#include "lib/synth.h"
#include "test.h"

static void access_line(struct synth *s, enum op_class op, uint32_t at, uint32_t line)
{
	synth_stride(s, synth_memory(at, op, SPACE_SHARED, 4, 2, 3), synth_lanes(32), line * 128, 4);
	synth_plain(s, synth_op(at + 1, OP_INT, 3, 2), synth_lanes(32));
}

static struct counters run(struct synth *s, const char *policy)
{
	struct counters c =
	    bench_only((struct bench_setup){.machine = "v100-osm", .policy = policy}, synth_finish(s));
	return c;
}

/* Eight ways. Line 0 is written first and read last; each of 40 others is written, read twice, and dead. */
static struct synth *long_and_short_lives(void)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"ideal", 1, 1, 32, 64 * 128, 0});
	synth_warp(s, 0, 0);
	access_line(s, OP_STORE, 0, 0);
	access_line(s, OP_LOAD, 2, 0);
	for (uint32_t i = 1; i <= 40; i++) {
		access_line(s, OP_STORE, 4, i);
		access_line(s, OP_LOAD, 6, i);
		access_line(s, OP_LOAD, 8, i);
	}
	access_line(s, OP_LOAD, 10, 0);
	return s;
}

TEST(a_line_stays_for_its_last_read)
{
	struct counters lock = run(long_and_short_lives(), "osm:size=1");
	struct counters ideal = run(long_and_short_lives(), "osm-ideal:size=1");
	CHECK_EQ(lock.value[COUNT_aux_misses], 1); /* unlocked by its first read, it was the oldest */
	CHECK_EQ(ideal.value[COUNT_aux_misses], 0);
	CHECK(ideal.value[COUNT_cycles] + 250 < lock.value[COUNT_cycles]);
}

TEST(the_dead_are_not_written)
{
	struct counters ideal = run(long_and_short_lives(), "osm-ideal:size=1");
	CHECK_EQ(ideal.value[COUNT_aux_evictions], 41 - 8);
	CHECK_EQ(ideal.value[COUNT_aux_writebacks], 0);
	CHECK_EQ(ideal.value[COUNT_l2_bypass_write_sectors], 0);
}

/* Twelve lines live at once in eight ways: those that are read last give way, four of them, each once. */
TEST(of_the_living_the_one_that_is_read_last_goes)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"ideal", 1, 1, 32, 64 * 128, 0});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < 12; i++)
		access_line(s, OP_STORE, 0, i);
	for (uint32_t i = 0; i < 12; i++)
		access_line(s, OP_LOAD, 2, i);
	struct counters c = run(s, "osm-ideal:size=1");
	CHECK_EQ(c.value[COUNT_aux_misses], 4);
	CHECK_EQ(c.value[COUNT_aux_writebacks], 4);
}

/* A line that is about to be overwritten is dead only if nothing of it outlives the store. */
TEST(a_store_to_part_of_a_line_keeps_the_rest_alive)
{
	for (int whole = 0; whole < 2; whole++) {
		struct synth *s = synth_new();
		synth_kernel(s, &(struct synth_shape){"ideal", 1, 1, 32, 64 * 128, 0});
		synth_warp(s, 0, 0);
		access_line(s, OP_STORE, 0, 0);
		for (uint32_t i = 1; i <= 8; i++) /* fills the other seven ways, and one more */
			access_line(s, OP_STORE, 2, i);
		for (uint32_t i = 1; i <= 8; i++)
			access_line(s, OP_LOAD, 4, i);
		synth_stride(s, synth_memory(6, OP_STORE, SPACE_SHARED, 4, 2, 3), whole ? synth_lanes(32) : 1,
		             0, 4);
		access_line(s, OP_LOAD, 8, 0);
		struct counters c = run(s, "osm-ideal:size=1");
		CHECK_EQ(c.value[COUNT_aux_writebacks], !whole);
		CHECK_EQ(c.value[COUNT_aux_misses], !whole);
	}
}

/* The first pass ends at the limit too: the second knows what it has seen, and is the one that counts. */
TEST(a_launch_that_is_cut_off_has_its_second_pass)
{
	struct trace *trace = synth_finish(long_and_short_lives());
	struct bench b =
	    bench_open((struct bench_setup){.machine = "v100-osm", .policy = "osm-ideal:size=1"});
	for (int again = 0; again < 2; again++) {
		struct launch_options options = {.max_insns = 245};
		struct launch_result result;
		struct error err;
		CHECK(gpu_run(b.gpu, trace, 0, &options, &result, &err));
		CHECK_EQ(result.status, LAUNCH_TRUNCATED);
		CHECK(result.counters.value[COUNT_aux_evictions] > 0);
		CHECK_EQ(result.counters.value[COUNT_aux_writebacks], 0);
		CHECK_EQ(result.counters.value[COUNT_aux_misses], 0); /* line 0 was kept for its last read */
		free(result.pc_misses);
		free(result.stats);
	}
	bench_close(&b);
	trace_close(trace);
}

TEST_RUN_ALL(true)
