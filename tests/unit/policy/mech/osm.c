/* OSM: locks, read by read; what it costs and spares; and the same without locks. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* One set of three ways, by hand. */
struct set {
	struct probe h;
	struct frame_view way[3];
	uint64_t clock;
};

static struct set set_open(void)
{
	struct set s = {.h = probe_open("osm")};
	s.h.env.smem_cycles = 28;
	return s;
}

static void touch(struct set *s, uint32_t way)
{
	s->way[way].recency = ++s->clock;
}

static struct l1_event event_at(uint32_t way, bool store)
{
	return (struct l1_event){.frame = way, .aux = 1, .shared = 1, .is_store = store};
}

/* The way that a new line took. */
static uint32_t store_new(struct set *s, uint64_t line)
{
	struct l1_request request = {.line = line, .aux = 1};
	uint32_t way = s->h.policy->l1_victim(s->h.sm, &request, s->way, 3);
	struct l1_event event = event_at(way, false);
	if (s->way[way].valid)
		s->h.policy->on_l1_evict(s->h.sm, &event);
	s->way[way] = (struct frame_view){.frame = way, .line = line, .valid = 1, .dirty = 1, .shared = 1};
	event = event_at(way, true);
	s->h.policy->on_l1_miss(s->h.sm, &event);
	touch(s, way);
	return way;
}

static void hit(struct set *s, uint32_t way, bool store)
{
	struct l1_event event = event_at(way, store);
	s->h.policy->on_l1_hit(s->h.sm, &event);
	touch(s, way);
}

TEST(the_only_line_that_was_read_goes)
{
	struct set s = set_open();
	probe_start(&s.h);
	CHECK_EQ(store_new(&s, 'a'), 0);
	CHECK_EQ(store_new(&s, 'b'), 1);
	CHECK_EQ(store_new(&s, 'c'), 2);
	hit(&s, 0, false);               /* Ld a */
	CHECK_EQ(store_new(&s, 'd'), 0); /* plain LRU would take b, which has not been read */
	CHECK_EQ(probe_stat(&s.h, "locked_lines_evicted"), 0);
	hit(&s, 1, false);
	hit(&s, 2, false);
	hit(&s, 0, false);
	CHECK_EQ(probe_stat(&s.h, "locks"), 4);
	CHECK_EQ(probe_stat(&s.h, "unlocks"), 4);
}

TEST(of_locked_lines_the_oldest_goes)
{
	struct set s = set_open();
	probe_start(&s.h);
	for (uint32_t i = 0; i < 3; i++)
		store_new(&s, 'a' + i);
	hit(&s, 0, true); /* written again: the most recent, and still locked */
	CHECK_EQ(store_new(&s, 'd'), 1);
	CHECK_EQ(probe_stat(&s.h, "locked_lines_evicted"), 1);
}

/* The way that goes: a and b have been read, a is written again and is not the most recent; c is not read. */
static uint32_t gone_after_second_write(bool relock, uint64_t *locks)
{
	struct set s = set_open();
	if (relock)
		probe_set(&s.h, "relock", 1);
	probe_start(&s.h);
	for (uint32_t i = 0; i < 3; i++)
		store_new(&s, 'a' + i);
	hit(&s, 0, false);
	hit(&s, 1, false);
	hit(&s, 0, true);
	hit(&s, 1, false);
	uint32_t way = store_new(&s, 'd');
	*locks = probe_stat(&s.h, "locks");
	return way;
}

/* Section 6.4: locked "once they are inserted", and not "for future reads". */
TEST(only_the_write_that_inserts_a_line_locks_it)
{
	uint64_t locks;
	CHECK_EQ(gone_after_second_write(false, &locks), 0);
	CHECK_EQ(locks, 4);
	CHECK_EQ(gone_after_second_write(true, &locks), 1);
	CHECK_EQ(locks, 5);
}

TEST(a_threshold_of_two_takes_two_reads)
{
	struct set s = set_open();
	probe_set(&s.h, "reads_to_unlock", 2);
	probe_start(&s.h);
	for (uint32_t i = 0; i < 3; i++)
		store_new(&s, 'a' + i);
	hit(&s, 0, false);
	hit(&s, 1, false);
	hit(&s, 1, false);
	CHECK_EQ(store_new(&s, 'd'), 1);
}

TEST(locks_take_one_bit_per_line)
{
	struct probe h = probe_open("osm");
	probe_params(&h);
	CHECK_EQ(h.policy->sm_bits(&h.env), 8 * 8); /* 8 B for 8 KiB */
	probe_set(&h, "reads_to_unlock", 3);
	CHECK_EQ(h.policy->sm_bits(&h.env), 64 * 3);
	CHECK(!policy_find("osm-nolock")->sm_bits);
}

TEST(eight_kibibytes_are_one_set_of_64_ways)
{
	static const uint32_t shape[][3] = {{1, 1, 8}, {4, 1, 32}, {8, 1, 64}, {32, 4, 64}, {64, 8, 64}};
	for (int i = 0; i < 5; i++) {
		struct probe h = probe_open("osm");
		h.env.smem_cycles = 28;
		probe_set(&h, "size", shape[i][0]);
		probe_start(&h);
		struct aux_shape cache = h.policy->aux_cache(h.sm, NULL);
		CHECK_EQ(cache.sets, shape[i][1]);
		CHECK_EQ(cache.ways, shape[i][2]);
		CHECK_EQ(cache.hit_cycles, 28);
		CHECK(cache.write_back && cache.past_l2 && cache.drop_at_cta_end &&
		      !cache.fetch_on_store_miss);
	}
}

/* ---- in the model ------------------------------------------------------------------------------------------- */

static void access_line(struct synth *s, enum op_class op, uint32_t at, uint32_t line)
{
	synth_stride(s, synth_memory(at, op, SPACE_SHARED, 4, 2, 3), synth_lanes(32), line * 128, 4);
	/* The next waits for this one. */
	synth_plain(s, synth_op(at + 1, OP_INT, 3, 2), synth_lanes(32));
}

static struct synth *one_warp(uint32_t ctas)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"osm", ctas, 1, 32, 64 * 128, 0});
	synth_warp(s, 0, 0);
	return s;
}

/* The worked example with the 8 ways of 1 KiB: eight lines are written, the first is read, a ninth is written. */
static struct counters nine_lines(const char *policy)
{
	struct synth *s = one_warp(1);
	for (uint32_t i = 0; i < 8; i++)
		access_line(s, OP_STORE, 2 * i, i);
	access_line(s, OP_LOAD, 20, 0);
	access_line(s, OP_STORE, 22, 8);
	for (uint32_t i = 1; i < 9; i++)
		access_line(s, OP_LOAD, 22 + 2 * i, i);
	struct counters c =
	    bench_only((struct bench_setup){.machine = "v100-osm", .policy = policy}, synth_finish(s));
	return c;
}

TEST(what_nobody_has_read_yet_is_still_there)
{
	struct counters lock = nine_lines("osm:size=1"), plain = nine_lines("osm-nolock:size=1");
	CHECK_EQ(lock.value[COUNT_aux_stores], 9);
	CHECK_EQ(lock.value[COUNT_aux_accesses], 9);
	CHECK_EQ(lock.value[COUNT_aux_misses], 0);
	CHECK_EQ(lock.value[COUNT_aux_writebacks], 1); /* the line that was read */
	CHECK_EQ(lock.value[COUNT_l2_bypass_read_sectors], 0);
	CHECK(plain.value[COUNT_aux_misses] > 0);
	CHECK_EQ(plain.value[COUNT_l2_bypass_read_sectors], 4 * plain.value[COUNT_aux_misses]);
	CHECK(plain.value[COUNT_cycles] > lock.value[COUNT_cycles] + 300);
	CHECK_EQ(plain.value[COUNT_l2_read_sectors] + plain.value[COUNT_l2_write_sectors], 0);
}

/* Cycles that a load adds, whose line has been written before or not. */
static double cycles_per_load(bool written)
{
	uint64_t cycles[2];
	for (uint32_t run = 0; run < 2; run++) {
		struct synth *s = one_warp(1);
		for (uint32_t i = 0; i < 40; i++)
			if (written)
				access_line(s, OP_STORE, 2 * i, i);
		for (uint32_t i = 0; i < 20 + 20 * run; i++)
			access_line(s, OP_LOAD, 100, i);
		struct trace *trace = synth_finish(s);
		cycles[run] = bench_once((struct bench_setup){.machine = "v100-osm", .policy = "osm"}, trace)
		                  .value[COUNT_cycles];
		trace_close(trace);
	}
	return (double)(cycles[1] - cycles[0]) / 20;
}

/* Table 1; the instruction between two loads takes 4 cycles more. */
TEST(a_hit_takes_28_cycles_and_a_miss_310)
{
	double hit_cycles = cycles_per_load(true) - 4, miss_cycles = cycles_per_load(false) - 4;
	printf("# hit %.1f, miss %.1f\n", hit_cycles, miss_cycles);
	CHECK(hit_cycles > 27 && hit_cycles < 30);
	CHECK(miss_cycles > 300 && miss_cycles < 330);
}

/* 40 CTAs, one after the other on 1 SM, leave no line behind: no set is ever full. */
TEST(lines_leave_with_their_cta)
{
	struct synth *s = synth_new();
	synth_kernel(s, &(struct synth_shape){"osm", 40, 1, 32, 96 * 1024, 0});
	for (uint32_t cta = 0; cta < 40; cta++) {
		synth_warp(s, cta, 0);
		for (uint32_t i = 0; i < 48; i++)
			access_line(s, OP_STORE, 0, i);
	}
	struct trace *trace = synth_finish(s);
	struct counters c = bench_once(
	    (struct bench_setup){.machine = "v100-osm", .policy = "osm", .changes = "sm.count=1"}, trace);
	CHECK_EQ(c.value[COUNT_aux_stores], 40 * 48);
	CHECK_EQ(c.value[COUNT_aux_store_hits], 0);
	CHECK_EQ(c.value[COUNT_aux_evictions], 0);
	trace_close(trace);
}

TEST_RUN_ALL(true)
