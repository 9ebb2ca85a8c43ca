/* PRIC: remainders, equations and addresses of the thesis, and what a SYRK gains by them. */
#include "base/set_hash.h"
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static uint32_t set_of(struct probe *h, uint64_t address)
{
	return h->policy->set_index(probe_params(h), address >> 7, h->env.l1_sets, 0);
}

static unsigned bit(uint64_t address, unsigned n)
{
	return (unsigned)(address >> n & 1);
}

/* Figure 5.13, as printed. */
static uint32_t equations(uint64_t a)
{
	static const uint8_t terms[5][10] = {
	    {25, 24, 23, 22, 21, 18, 17, 15, 12, 7}, {26, 25, 24, 23, 22, 19, 18, 16, 13, 8},
	    {26, 22, 21, 20, 19, 18, 15, 14, 12, 9}, {23, 22, 21, 20, 19, 16, 15, 13, 10},
	    {24, 23, 22, 21, 20, 17, 16, 14, 11},
	};
	uint32_t set = 0;
	for (unsigned i = 0; i < 5; i++)
		for (unsigned t = 0; t < 10 && terms[i][t]; t++)
			set ^= bit(a, terms[i][t]) << i;
	return set;
}

TEST(the_remainders_are_those_of_figure_5_12)
{
	/* A7 to A26: the rows of the H matrix from below. */
	static const uint8_t rows[20] = {1,  2, 4,  8,  16, 5,  10, 20, 13, 26,
	                                 17, 7, 14, 28, 29, 31, 27, 19, 3,  6};
	struct probe h = probe_open("pric");
	for (unsigned k = 0; k < 20; k++) {
		CHECK_EQ(set_of(&h, UINT64_C(1) << (k + 7)), rows[k]);
		CHECK_EQ(set_hash_remainder(UINT64_C(1) << k, 37), rows[k]);
	}
	CHECK_EQ(set_of(&h, UINT64_C(1) << 27), 0); /* A27 and above do not count */
	probe_set(&h, "line_bits", 64);
	CHECK_EQ(set_of(&h, UINT64_C(1) << 27), 12);
}

TEST(the_sets_are_those_of_the_equations_of_figure_5_13)
{
	struct probe h = probe_open("pric");
	uint64_t random = 1;
	for (int i = 0; i < 100000; i++) {
		uint64_t address = synth_random(&random);
		CHECK_EQ(set_of(&h, address), equations(address));
	}
}

TEST(addresses_checked_by_hand_fall_into_their_sets)
{
	struct probe h = probe_open("pric");
	CHECK_EQ(set_of(&h, 0x80), 1);
	CHECK_EQ(set_of(&h, 0x1000), 5);
	CHECK_EQ(set_of(&h, 0x2000), 10);
	CHECK_EQ(set_of(&h, 0x123480), 11);
	CHECK_EQ(set_of(&h, 0xABCD00), 0);
	CHECK_EQ(set_of(&h, 0x7FFFF80), 24);
}

static unsigned sets_used(struct probe *h, uint64_t stride)
{
	uint64_t used = 0;
	for (uint64_t i = 0; i < 32; i++)
		used |= UINT64_C(1) << set_of(h, i * stride << 7);
	return (unsigned)__builtin_popcountll(used);
}

TEST(powers_of_two_use_every_set_and_some_other_strides_do_not)
{
	struct probe h = probe_open("pric");
	for (unsigned k = 0; k <= 11; k++)
		CHECK_EQ(sets_used(&h, UINT64_C(1) << k), 32);
	CHECK_EQ(sets_used(&h, 3), 23);
	CHECK_EQ(sets_used(&h, 5), 24);
	CHECK_EQ(sets_used(&h, 7), 18);
	CHECK_EQ(sets_used(&h, 31), 31);
	CHECK_EQ(sets_used(&h, 96), 23);
	probe_set(&h, "poly", 55);
	CHECK_EQ(sets_used(&h, 3), 26);
	CHECK_EQ(sets_used(&h, 7), 25);
}

TEST(every_irreducible_polynomial_of_the_right_degree_is_taken_and_no_other)
{
	static const uint8_t five[] = {37, 41, 47, 55, 59, 61},
	                     six[] = {67, 73, 87, 91, 97, 103, 109, 115, 117};
	struct probe h = probe_open("pric");
	probe_params(&h);
	CHECK(!h.policy->refuses(&h.env));
	for (uint32_t sets = 32, i = 0; sets <= 64; sets *= 2, i = 0) {
		h.env.l1_sets = sets;
		for (uint32_t poly = 1; poly < 256; poly++) {
			const uint8_t *list = sets == 32 ? five : six;
			uint32_t count = sets == 32 ? sizeof five : sizeof six;
			probe_set(&h, "poly", poly);
			bool taken = !h.policy->refuses(&h.env);
			CHECK_EQ(taken, i < count && list[i] == poly);
			i += taken;
		}
	}
	probe_set(&h, "poly", 0);
	CHECK_EQ(set_of(&h, UINT64_C(1) << 13), 3); /* x^6 mod 67 */
	h.env.l1_sets = 96;
	CHECK(h.policy->refuses(&h.env));
}

TEST(rows_that_lie_32_lines_apart_run_several_times_as_fast)
{
	struct trace *trace = synth_row_walk(15, 4, 32, 4096, 64);
	struct counters seq = bench_once((struct bench_setup){.machine = "gtx480-khairy"}, trace);
	struct counters pric =
	    bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = "pric"}, trace);
	CHECK(pric.value[COUNT_cycles] * 4 < seq.value[COUNT_cycles]);
	/* With all bits of the line number it is the function that machines call ipoly. */
	struct counters all = bench_once(
	    (struct bench_setup){.machine = "gtx480-khairy", .policy = "pric:line_bits=64"}, trace);
	struct counters ipoly =
	    bench_once((struct bench_setup){.machine = "gtx480-khairy", .changes = "l1d.index=ipoly"}, trace);
	CHECK(bench_same("pric and the machine's ipoly", &all, &ipoly));
	trace_close(trace);
}

TEST_RUN_ALL(true)
