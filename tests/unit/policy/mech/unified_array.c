/* UCM and Gebhart's unified array: how many CTAs fit, what L1 keeps, and who gives way. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

struct share {
	uint32_t ctas, l1_bytes;
};

/* A CTA of 512 threads with so much shared memory, and one load and one shared store. */
static struct trace *one_cta(uint32_t shared_bytes)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"ucm", 1, 16, 32, shared_bytes, 0});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(0, 2, 3), synth_lanes(32), 1 << 20, 4);
	synth_stride(s, synth_memory(1, OP_STORE, SPACE_SHARED, 4, 2, 3), synth_lanes(32), 0, 4);
	return synth_finish(s);
}

static struct share share_of(const char *policy, uint32_t shared_bytes)
{
	struct trace *trace = one_cta(shared_bytes);
	struct bench b = bench_open((struct bench_setup){.machine = "v100-osm", .policy = policy});
	bench_run(&b, trace, 0, true);
	struct share share = {b.gpu->launch.cta_slots, b.gpu->launch.l1_lines * 128};
	bench_close(&b);
	trace_close(trace);
	return share;
}

/* 40 KiB per CTA; registers and threads allow four. */
TEST(four_ways_to_divide_one_array)
{
	enum { KIB = 1024 };
	static const struct {
		const char *policy;
		struct share want;
	} row[] = {{"gto", {2, 32 * KIB}},
	           {"gebhart", {3, 8 * KIB}},
	           {"osm", {2, 32 * KIB}},
	           {"osm:space=192", {4, 32 * KIB}},
	           {"ucm", {4, 128 * KIB}}};
	for (int i = 0; i < 5; i++) {
		struct share got = share_of(row[i].policy, 40 * KIB);
		printf("# %s: %u CTAs, %u B\n", row[i].policy, got.ctas, got.l1_bytes);
		CHECK_EQ(got.ctas, row[i].want.ctas);
		CHECK_EQ(got.l1_bytes, row[i].want.l1_bytes);
	}
}

TEST(without_anything_left_loads_go_past_l1)
{
	struct trace *trace = one_cta(128 * 1024);
	struct counters c =
	    bench_once((struct bench_setup){.machine = "v100-osm", .policy = "gebhart"}, trace);
	CHECK_EQ(c.value[COUNT_l1_accesses], 1);
	CHECK_EQ(c.value[COUNT_l1_bypasses], 1);
	trace_close(trace);
	CHECK_EQ(share_of("gebhart", 128 * 1024).l1_bytes, 0);
	CHECK_EQ(share_of("gebhart", 0).l1_bytes, 128 * 1024);
}

/* A launch without shared memory, then one with two CTAs of 40 KiB: what L1 has in each. */
static void l1_of_two_launches(const char *machine, const char *policy, uint32_t bytes[2])
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"plain", 1, 16, 32, 0, 0});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_load(0, 2, 3), synth_lanes(32), 1 << 20, 4);
	synth_kernel(s, &(struct synth_shape){"shared", 1, 16, 32, 40 * 1024, 0});
	synth_warp(s, 0, 0);
	synth_stride(s, synth_memory(0, OP_STORE, SPACE_SHARED, 4, 2, 3), synth_lanes(32), 0, 4);
	struct trace *trace = synth_finish(s);
	struct bench b = bench_open((struct bench_setup){.machine = machine, .policy = policy});
	for (unsigned i = 0; i < 2; i++) {
		bench_run(&b, trace, i, true);
		bytes[i] = b.gpu->launch.l1_lines * 128;
	}
	bench_close(&b);
	trace_close(trace);
}

/* OSM, section 3: on Volta the division is made "statically before running the program". */
TEST(a_program_s_array_may_be_divided_once)
{
	enum { KIB = 1024 };
	static const struct {
		const char *machine, *policy;
		uint32_t want[2];
	} row[] = {{"v100-osm", "gto", {128 * KIB, 32 * KIB}},
	           {"v100-osm-paper", "gto", {32 * KIB, 32 * KIB}},
	           {"v100-osm-paper", "gebhart", {8 * KIB, 8 * KIB}},
	           {"v100-osm-paper", "ucm", {128 * KIB, 128 * KIB}}};
	for (int i = 0; i < 4; i++) {
		uint32_t got[2];
		l1_of_two_launches(row[i].machine, row[i].policy, got);
		CHECK_EQ(got[0], row[i].want[0]);
		CHECK_EQ(got[1], row[i].want[1]);
	}
}

TEST(machines_without_a_unified_array_are_refused)
{
	struct probe h = probe_open("ucm");
	CHECK(h.policy->refuses(&h.env));
	CHECK(policy_find("gebhart")->refuses(&h.env));
	h.env.unified_bytes = 128 << 10;
	CHECK(!h.policy->refuses(&h.env));
}

static struct probe ucm_open(void)
{
	struct probe h = probe_open("ucm");
	h.env.l1_sets = 16;
	h.env.l1_ways = 64;
	h.env.unified_bytes = 128 << 10;
	probe_start(&h);
	return h;
}

static void store(struct probe *h, uint32_t frame)
{
	struct l1_event event = {.frame = frame, .shared = 1, .is_store = 1};
	h->policy->on_l1_miss(h->sm, &event);
}

/* A full set whose oldest `shared` lines are of shared memory, all locked. */
static void fill_set(struct probe *h, struct frame_view *way, uint32_t shared)
{
	for (uint32_t i = 0; i < 64; i++) {
		way[i] = (struct frame_view){
		    .frame = i, .line = i, .recency = i + 1, .valid = 1, .shared = i < shared};
		if (way[i].shared)
			store(h, i);
	}
}

TEST(the_oldest_line_of_either_kind_that_is_not_locked_goes)
{
	struct probe h = ucm_open();
	struct frame_view way[64];
	struct l1_request request = {.space = POLICY_SHARED, .is_store = 1};
	fill_set(&h, way, 4);
	CHECK_EQ(h.policy->l1_victim(h.sm, &request, way, 64), 4); /* the oldest global line */
	struct l1_event read = {.frame = 2, .shared = 1};
	h.policy->on_l1_hit(h.sm, &read);
	CHECK_EQ(h.policy->l1_victim(h.sm, &request, way, 64), 2); /* the shared line that was read */
	struct l1_event global = {.frame = 3};
	h.policy->on_l1_hit(h.sm, &global); /* a global line has no lock */
	CHECK_EQ(h.policy->l1_victim(h.sm, &request, way, 64), 2);
}

TEST(of_64_locked_lines_the_oldest_goes)
{
	struct probe h = ucm_open();
	struct frame_view way[64];
	struct l1_request request = {0};
	fill_set(&h, way, 64);
	CHECK_EQ(h.policy->l1_victim(h.sm, &request, way, 64), 0);
	struct l1_event event = {.frame = 0, .shared = 1};
	h.policy->on_l1_evict(h.sm, &event);
	CHECK_EQ(probe_stat(&h, "locked_lines_evicted"), 1);
}

TEST(locks_take_128_bytes)
{
	struct probe h = ucm_open();
	CHECK_EQ(h.policy->sm_bits(&h.env), 128 * 8);
}

/* Global lines are written through, shared ones lie dirty in the same array until they make room, and pass L2 by. */
TEST(shared_lines_lie_in_l1_and_pass_l2_by)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"ucm", 1, 1, 32, 160 * 1024, 0});
	synth_warp(s, 0, 0);
	for (uint32_t i = 0; i < 1100; i++)
		synth_stride(s, synth_memory(0, OP_STORE, SPACE_SHARED, 4, 2, 3), synth_lanes(32), i * 128,
		             4);
	/* The CTA lives until the last store is done. */
	synth_stride(s, synth_memory(1, OP_LOAD, SPACE_SHARED, 4, 4, 3), synth_lanes(32), 1099 * 128, 4);
	synth_plain(s, synth_op(2, OP_INT, 5, 4), synth_lanes(32));
	struct trace *trace = synth_finish(s);
	struct counters c = bench_once((struct bench_setup){.machine = "v100-osm", .policy = "ucm"}, trace);
	CHECK_EQ(c.value[COUNT_aux_stores], 1100);
	CHECK_EQ(c.value[COUNT_aux_evictions], 1100 - 1024);
	CHECK_EQ(c.value[COUNT_aux_writebacks], 1100 - 1024);
	CHECK_EQ(c.value[COUNT_l2_bypass_write_sectors], 4 * (1100 - 1024));
	CHECK_EQ(c.value[COUNT_l2_write_sectors], 0);
	CHECK_EQ(c.value[COUNT_l1_evictions], 0);
	trace_close(trace);
}

/* Eight warps that store and load again and again, lanes 33 words apart: no bank conflict, but 33 lines. */
static struct trace *columns(void)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"columns", 1, 8, 32, 33 * 128, 0});
	for (uint32_t warp = 0; warp < 8; warp++) {
		synth_warp(s, 0, warp);
		for (uint32_t i = 0; i < 40; i++) {
			synth_stride(s, synth_memory(0, OP_STORE, SPACE_SHARED, 4, 2, 3), synth_lanes(32), 0,
			             132);
			synth_stride(s, synth_memory(1, OP_LOAD, SPACE_SHARED, 4, 4, 3), synth_lanes(32), 0,
			             132);
			synth_plain(s, synth_op(2, OP_INT, 2, 4), synth_lanes(32));
		}
	}
	return synth_finish(s);
}

/* Section 3: accesses "are still similar to the baseline architecture. The only difference is the metadata." */
TEST(a_conflict_free_access_costs_what_it_costs_on_chip)
{
	static const char at_once[] = "launch.start_cycles=0"; /* the launch itself is not the point */
	struct trace *trace = columns();
	uint64_t on_chip = bench_once((struct bench_setup){.machine = "v100-osm", .changes = at_once}, trace)
	                       .value[COUNT_cycles];
	static const char *const policy[] = {"ucm", "osm", "osm-nolock"};
	for (int i = 0; i < 3; i++) {
		struct bench_setup setup = {.machine = "v100-osm", .policy = policy[i], .changes = at_once};
		struct counters c = bench_once(setup, trace);
		CHECK_EQ(c.value[COUNT_aux_misses], 0);
		CHECK_EQ(c.value[COUNT_cycles], on_chip);
		/* The variant with a tag port of one line per cycle. */
		setup.changes = "launch.start_cycles=0 smem.tags_per_cycle=1";
		CHECK(bench_once(setup, trace).value[COUNT_cycles] > 10 * on_chip);
	}
	trace_close(trace);
}

TEST_RUN_ALL(true)
