/* stride: the states of Chen and Baer's reference prediction table, section 3.1, and the example of their matrix product. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

/* A load of `line`; returns the line that is fetched, or 0. */
static uint64_t load(struct probe *h, uint64_t pc, uint32_t warp, uint64_t line)
{
	struct prefetch out[PREFETCH_MOST];
	struct prefetch_cause cause = {
	    .when = PREFETCH_ON_MISS, .pc = pc, .warp = warp, .line = line, .count = 1};
	return h->policy->prefetch(h->sm, &cause, out) ? out[0].line : 0;
}

/* Figure 3: b[i][k] with stride 4, c[k][j] with stride 400 and a[i][j] with stride 0, in lines. */
TEST(the_references_of_the_matrix_product_are_steady_at_the_third_iteration)
{
	struct probe h = probe_begin("stride");
	CHECK_EQ(load(&h, 500, 0, 50000), 0);     /* initial: no stride yet */
	CHECK_EQ(load(&h, 500, 0, 50004), 50008); /* transient */
	CHECK_EQ(load(&h, 500, 0, 50008), 50012); /* steady */
	CHECK_EQ(load(&h, 504, 0, 90000), 0);
	CHECK_EQ(load(&h, 504, 0, 90400), 90800);
	CHECK_EQ(load(&h, 504, 0, 90800), 91200);
	CHECK_EQ(load(&h, 508, 0, 10000), 0);
	CHECK_EQ(load(&h, 508, 0, 10000), 0); /* stride 0: the line is there */
	CHECK_EQ(load(&h, 508, 0, 10000), 0);
}

TEST(a_steady_entry_survives_one_wrong_prediction_with_its_stride)
{
	struct probe h = probe_begin("stride");
	for (uint64_t line = 100; line <= 140; line += 10)
		load(&h, 500, 0, line);
	CHECK_EQ(load(&h, 500, 0, 1000), 1010); /* back to initial, the stride is kept */
	CHECK_EQ(load(&h, 500, 0, 1010), 1020); /* right again: steady */
	CHECK_EQ(load(&h, 500, 0, 1020), 1030);
}

TEST(an_irregular_reference_is_not_predicted_until_it_has_been_right_twice)
{
	struct probe h = probe_begin("stride");
	load(&h, 500, 0, 100);
	CHECK_EQ(load(&h, 500, 0, 110), 120); /* transient, stride 10 */
	CHECK_EQ(load(&h, 500, 0, 117), 0);   /* no prediction, stride 7 */
	CHECK_EQ(load(&h, 500, 0, 139), 0);   /* stride 22 */
	CHECK_EQ(load(&h, 500, 0, 161), 183); /* right: transient */
	CHECK_EQ(load(&h, 500, 0, 183), 205); /* right: steady */
}

TEST(warps_that_interleave_confuse_a_table_without_warps)
{
	struct probe h = probe_begin("stride");
	for (uint64_t i = 0; i < 4; i++)
		for (uint32_t warp = 0; warp < 2; warp++)
			CHECK_EQ(load(&h, 500, warp, 100 + 1000 * warp + 2 * i),
			         i ? 100 + 1000 * warp + 2 * i + 2 : 0);
	probe_set(&h, "per_warp", 0);
	probe_start(&h);
	uint32_t right = 0;
	for (uint64_t i = 0; i < 16; i++)
		for (uint32_t warp = 0; warp < 2; warp++)
			right +=
			    load(&h, 500, warp, 100 + 1000 * warp + 2 * i) == 100 + 1000 * warp + 2 * i + 2;
	CHECK_EQ(right, 0);
}

TEST(the_oldest_entry_is_replaced)
{
	struct probe h = probe_open("stride");
	probe_set(&h, "entries", 2);
	probe_start(&h);
	for (uint64_t pc = 1; pc <= 3; pc++)
		load(&h, pc, 0, 100);
	CHECK_EQ(load(&h, 2, 0, 105), 110);
	CHECK_EQ(load(&h, 1, 0, 105), 0); /* was replaced by 3 */
}

TEST(distance_and_degree_choose_the_lines)
{
	struct prefetch out[PREFETCH_MOST];
	struct probe h = probe_open("stride");
	probe_set(&h, "distance", 3);
	probe_set(&h, "degree", 2);
	probe_start(&h);
	load(&h, 500, 0, 100);
	struct prefetch_cause cause = {.when = PREFETCH_ON_MISS, .pc = 500, .line = 110, .count = 1};
	CHECK_EQ(h.policy->prefetch(h.sm, &cause, out), 2);
	CHECK_EQ(out[0].line, 140);
	CHECK_EQ(out[1].line, 150);
}

/* Each warp strides through memory: nothing is used twice, and all but the first lines can be known before. */
TEST(a_stream_takes_fewer_cycles_and_most_prefetches_are_used)
{
	struct counters without = bench_only((struct bench_setup){.machine = "h200"},
	                                     synth_vector_add(4, 8, 32, 4, 32)),
	                with =
	                    bench_only((struct bench_setup){.machine = "h200", .policy = "stride:distance=4"},
	                               synth_vector_add(4, 8, 32, 4, 32));
	CHECK(with.value[COUNT_cycles] < without.value[COUNT_cycles]);
	CHECK(with.value[COUNT_l1_prefetch_accurate] + with.value[COUNT_l1_prefetch_late] >
	      with.value[COUNT_l1_prefetches] / 2);
}

TEST_RUN_ALL(true)
