/*
 * Set-index functions: linear over GF(2), no set out of reach, and the set
 * counts and examples that the literature gives for them.
 */
#include "base/set_hash.h"
#include "cache/index.h"
#include "lib/synth.h"
#include "test.h"

static const enum set_index linear[] = {SET_INDEX_SEQ, SET_INDEX_FERMI, SET_INDEX_XOR, SET_INDEX_IPOLY};

static bool builds(struct index *index, enum set_index function, uint32_t sets)
{
	struct error err;
	return index_build(index, function, sets, 128, &err);
}

static bool is_linear(const struct index *index, uint64_t *random)
{
	for (int i = 0; i < 2000; i++) {
		uint64_t a = synth_random(random), b = synth_random(random);
		if (index_of(index, a ^ b) != (index_of(index, a) ^ index_of(index, b)))
			return false;
	}
	return index_of(index, 0) == 0;
}

/* The images of single address bits must span all sets. */
static bool reaches_all(const struct index *index)
{
	uint32_t basis[17] = {0}, rank = 0, bits = 0;
	for (unsigned bit = 0; bit < 64; bit++) {
		uint32_t image = index_of(index, UINT64_C(1) << bit);
		for (int i = 16; i >= 0 && image; i--) {
			if (!(image >> i & 1))
				continue;
			if (!basis[i]) {
				basis[i] = image;
				rank++;
				break;
			}
			image ^= basis[i];
		}
	}
	while (1u << bits < index->sets)
		bits++;
	return rank == bits;
}

/* Lines at any distance that is a power of two spread over all sets, as an H200's do. */
TEST(hopper_keeps_nine_neighbouring_address_bits_independent)
{
	struct index index;
	CHECK(builds(&index, SET_INDEX_HOPPER, 512));
	for (unsigned bit = 0; bit + 9 <= 34; bit++) {
		bool seen[512] = {0};
		uint32_t sets = 0;
		for (uint64_t i = 0; i < 512; i++) {
			uint32_t set = index_of(&index, i << bit);
			sets += !seen[set];
			seen[set] = true;
		}
		CHECK_EQ(sets, 512);
	}
}

TEST(powers_of_two_are_indexed_linearly_and_every_set_is_reached)
{
	uint64_t random = 7;
	struct index index;
	for (int f = 0; f < 4; f++)
		for (uint32_t bits = 0; bits <= 16; bits++) {
			CHECK(builds(&index, linear[f], 1u << bits));
			CHECK(is_linear(&index, &random));
			CHECK(reaches_all(&index));
		}
	CHECK(builds(&index, SET_INDEX_HOPPER, 512));
	CHECK(is_linear(&index, &random));
	CHECK(reaches_all(&index));
}

/* Consecutive lines fill the cache: as many sets as there are, each equally often. */
TEST(consecutive_lines_spread_evenly)
{
	struct index index;
	for (int f = 0; f < 4; f++) {
		uint32_t count[1024] = {0};
		CHECK(builds(&index, linear[f], 1024));
		for (uint64_t line = 0; line < 1024 * 8; line++)
			count[index_of(&index, line + 1024 * 12345)]++;
		for (uint32_t set = 0; set < 1024; set++)
			CHECK_EQ(count[set], 8);
	}
}

TEST(any_number_of_sets_can_be_indexed_in_sequence_alone)
{
	struct index index;
	struct error err;
	CHECK(builds(&index, SET_INDEX_SEQ, 96));
	for (uint64_t line = 0; line < 1000; line++)
		CHECK_EQ(index_of(&index, line), line % 96);
	CHECK(!builds(&index, SET_INDEX_XOR, 96));
	CHECK(!index_build(&index, SET_INDEX_HOPPER, 512, 64, &err));
	CHECK(!index_build(&index, SET_INDEX_SEQ, 1u << 17, 128, &err));
}

static uint32_t distinct_sets(const struct index *index, uint64_t stride)
{
	uint32_t seen = 0;
	for (uint64_t lane = 0; lane < 32; lane++)
		seen |= 1u << index_of(index, lane * stride);
	return (uint32_t)__builtin_popcount(seen);
}

/* Sets that the 32 lines of a warp touch when its rows lie that many lines apart. */
TEST(a_warp_of_rows_meets_as_many_sets_as_calculated)
{
	static const struct {
		uint64_t stride;
		uint32_t seq, fermi, ipoly;
	} row[] = {{1, 32, 32, 32},  {2, 16, 16, 32},  {4, 8, 16, 32},  {8, 4, 16, 32},  {16, 2, 16, 32},
	           {32, 1, 8, 32},   {64, 1, 16, 32},  {128, 1, 8, 32}, {256, 1, 8, 32}, {512, 1, 4, 32},
	           {1024, 1, 4, 32}, {33, 32, 32, 32}, {96, 1, 16, 23}};
	struct index seq, fermi, ipoly;
	CHECK(builds(&seq, SET_INDEX_SEQ, 32) && builds(&fermi, SET_INDEX_FERMI, 32) &&
	      builds(&ipoly, SET_INDEX_IPOLY, 32));
	for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
		CHECK_EQ(distinct_sets(&seq, row[i].stride), row[i].seq);
		CHECK_EQ(distinct_sets(&fermi, row[i].stride), row[i].fermi);
		CHECK_EQ(distinct_sets(&ipoly, row[i].stride), row[i].ipoly);
	}
	/* Strides that are no power of two, for Poly(37). */
	CHECK_EQ(distinct_sets(&ipoly, 3), 23);
	CHECK_EQ(distinct_sets(&ipoly, 5), 24);
	CHECK_EQ(distinct_sets(&ipoly, 6), 23);
	CHECK_EQ(distinct_sets(&ipoly, 7), 18);
	CHECK_EQ(distinct_sets(&ipoly, 31), 31);
}

/* Khairy's thesis, Figs. 5.12 and 5.13: Poly(37) on 32 sets of 128 B lines. */
TEST(poly_37_gives_the_sets_of_the_thesis)
{
	static const struct {
		uint64_t address;
		uint32_t seq, ipoly;
	} example[] = {{0x80, 1, 1},      {0x1000, 0, 5},     {0x2000, 0, 10},
	               {0x123480, 9, 11}, {0x0abcd00, 26, 0}, {0x7ffff80, 31, 24}};
	static const uint32_t mask[5] = {0x7cd21, 0xf9a42, 0x8f9a4, 0x1f348, 0x3e690};
	struct index seq, ipoly;
	uint64_t random = 3;
	CHECK(builds(&seq, SET_INDEX_SEQ, 32) && builds(&ipoly, SET_INDEX_IPOLY, 32));
	for (size_t i = 0; i < sizeof example / sizeof *example; i++) {
		CHECK_EQ(index_of(&seq, example[i].address >> 7), example[i].seq);
		CHECK_EQ(index_of(&ipoly, example[i].address >> 7), example[i].ipoly);
	}
	for (int i = 0; i < 1000; i++) {
		uint64_t line = synth_random(&random) & 0xfffff; /* A[26:7] */
		uint32_t set = 0;
		for (int b = 0; b < 5; b++)
			set |= (uint32_t)__builtin_parityll(line & mask[b]) << b;
		CHECK_EQ(index_of(&ipoly, line), set);
	}
}

/* Nugteren et al.: I[4:0] = A[11:7] xor {A19, A17, A15, A14, A13}; I5 = A12 with 64 sets. */
TEST(fermi_hashes_the_bits_that_were_measured)
{
	struct index small, large;
	uint64_t random = 5;
	CHECK(builds(&small, SET_INDEX_FERMI, 32) && builds(&large, SET_INDEX_FERMI, 64));
	for (int i = 0; i < 1000; i++) {
		uint64_t a = synth_random(&random);
		uint32_t set = (uint32_t)(a >> 7 & 31);
		set ^= (uint32_t)((a >> 13 & 1) | (a >> 14 & 1) << 1 | (a >> 15 & 1) << 2 |
		                  (a >> 17 & 1) << 3 | (a >> 19 & 1) << 4);
		CHECK_EQ(index_of(&small, a >> 7), set);
		CHECK_EQ(index_of(&large, a >> 7), set | (uint32_t)(a >> 12 & 1) << 5);
	}
}

static uint32_t slow_remainder(uint64_t value, uint32_t poly)
{
	for (;;) {
		unsigned shift = 0;
		if (!value || 63 - __builtin_clzll(value) < 31 - __builtin_clz(poly))
			return (uint32_t)value;
		shift = (unsigned)(63 - __builtin_clzll(value)) - (unsigned)(31 - __builtin_clz(poly));
		value ^= (uint64_t)poly << shift;
	}
}

TEST(every_polynomial_is_irreducible)
{
	uint64_t random = 9;
	for (unsigned degree = 1; degree <= 16; degree++) {
		uint32_t poly = set_hash_polynomial(degree);
		CHECK_EQ(31 - __builtin_clz(poly), degree);
		/* A divisor, if there is one, has at most half the degree. */
		for (uint32_t divisor = 2; divisor < 1u << (degree / 2 + 1); divisor++)
			CHECK(slow_remainder(poly, divisor));
		for (int i = 0; i < 1000; i++) {
			uint64_t value = synth_random(&random);
			CHECK_EQ(set_hash_remainder(value, poly), slow_remainder(value, poly));
		}
	}
	CHECK_EQ(set_hash_polynomial(5), 37);
}

TEST_RUN_ALL(true)
