/* fermi, xor and seq: the sets that the literature gives, and those of the machines that have them built in. */
#include "lib/bench.h"
#include "lib/policy_probe.h"
#include "lib/synth.h"

static uint32_t set_of(const char *name, uint64_t line, uint32_t sets)
{
	struct probe h = probe_open(name);
	return h.policy->set_index(probe_params(&h), line, sets, 0);
}

static unsigned sets_used(const char *name, uint64_t stride)
{
	uint64_t used = 0;
	for (uint64_t i = 0; i < 32; i++)
		used |= UINT64_C(1) << set_of(name, i * stride, 32);
	return (unsigned)__builtin_popcountll(used);
}

TEST(a_warp_of_rows_meets_as_many_sets_as_calculated)
{
	static const struct {
		uint32_t rows, seq, fermi;
	} table[] = {{1, 32, 32},  {2, 16, 16},  {4, 8, 16},  {8, 4, 16},  {16, 2, 16},
	             {32, 1, 8},   {64, 1, 16},  {128, 1, 8}, {256, 1, 8}, {512, 1, 4},
	             {1024, 1, 4}, {33, 32, 32}, {96, 1, 16}};
	for (size_t i = 0; i < sizeof table / sizeof *table; i++) {
		CHECK_EQ(sets_used("seq", table[i].rows), table[i].seq);
		CHECK_EQ(sets_used("fermi", table[i].rows), table[i].fermi);
	}
}

TEST(fermi_xors_five_bits_and_passes_a12_on_with_64_sets)
{
	static const struct {
		unsigned address_bit;
		uint32_t set;
	} image[] = {{13, 1}, {14, 2}, {15, 4}, {17, 8}, {19, 16}, {12, 0}, {16, 0}, {18, 0}, {20, 0}};
	for (size_t i = 0; i < sizeof image / sizeof *image; i++)
		CHECK_EQ(set_of("fermi", UINT64_C(1) << (image[i].address_bit - 7), 32), image[i].set);
	CHECK_EQ(set_of("fermi", UINT64_C(1) << 5, 64), 32);
	CHECK_EQ(set_of("fermi", 0x321, 16), set_of("xor", 0x321, 16));
}

TEST(xor_folds_three_fields)
{
	CHECK_EQ(set_of("xor", 0x12 | 0x05 << 5 | 0x1f << 10, 32), 0x12 ^ 0x05 ^ 0x1f);
	CHECK_EQ(set_of("xor", UINT64_C(1) << 15, 32), 0);
}

TEST(seq_counts_through_any_number_of_sets)
{
	for (uint64_t line = 0; line < 1000; line++)
		CHECK_EQ(set_of("seq", line, 96), line % 96);
}

static bool refuses(const char *name, uint32_t sets)
{
	struct probe h = probe_open(name);
	h.env.l1_sets = sets;
	return h.policy->refuses && h.policy->refuses(&h.env);
}

TEST(hashes_refuse_sets_that_are_no_power_of_two)
{
	CHECK(refuses("fermi", 96));
	CHECK(refuses("xor", 96));
	CHECK(!refuses("fermi", 64));
	CHECK(!refuses("seq", 96));
}

TEST(a_policy_does_what_the_machine_does_with_that_index)
{
	struct trace *trace = synth_row_walk(15, 2, 32, 4096, 32);
	static const char *const names[] = {"seq", "fermi", "xor"};
	for (int i = 0; i < 3; i++) {
		char change[32];
		snprintf(change, sizeof change, "l1d.index=%s", names[i]);
		struct counters built_in =
		    bench_once((struct bench_setup){.machine = "gtx480-khairy", .changes = change}, trace);
		struct counters policy =
		    bench_once((struct bench_setup){.machine = "gtx480-khairy", .policy = names[i]}, trace);
		CHECK(bench_same(names[i], &policy, &built_in));
	}
	trace_close(trace);
}

TEST_RUN_ALL(true)
