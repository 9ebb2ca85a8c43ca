/* Comparisons of many small values: the same results as plain loops, whatever instructions the host has. */
#include "base/simd_times.h"

#include "lib/synth.h"
#include "test.h"

TEST(what_is_due_and_what_is_first_are_those_of_a_loop)
{
	uint64_t state = 1;
	for (int round = 0; round < 2000; round++) {
		struct simd_table table;
		alignas(16) uint16_t time[64];
		uint16_t entry[16], limit = (uint16_t)synth_random(&state), least = UINT16_MAX;
		alignas(16) uint8_t key[64];
		uint32_t count = SIMD_GROUP * (1 + (uint32_t)(synth_random(&state) % 4));
		uint64_t due = 0;
		for (uint32_t i = 0; i < 16; i++) {
			entry[i] = synth_random(&state) & 1 ? (uint16_t)synth_random(&state) : 0;
			simd_table_set(&table, i, entry[i]);
			CHECK_EQ(simd_table_get(&table, i), entry[i]);
		}
		for (uint32_t i = 0; i < 64; i++) { /* equal, just above and just below often */
			time[i] = (uint16_t)(synth_random(&state) & 1 ? synth_random(&state)
			                                              : limit + synth_random(&state) % 3 - 1);
			key[i] = (uint8_t)(synth_random(&state) % 128);
		}
		for (uint32_t i = 0; i < count; i++) {
			uint16_t value = time[i] > entry[key[i] % 16] ? time[i] : entry[key[i] % 16];
			due |= (uint64_t)(value <= limit) << i;
			least = value < least ? value : least;
		}
		CHECK(simd_u16_due(time, key, &table, count, limit) == due);
		CHECK_EQ(simd_u16_first(time, key, &table, count, 0, &due), least);
		CHECK(due == simd_u16_due(time, key, &table, count, least));
		CHECK_EQ(simd_u16_first(time, key, &table, count, limit, &due),
		         least > limit ? least : limit);
		CHECK(due == simd_u16_due(time, key, &table, count, least > limit ? least : limit));
	}
}

TEST(masks_have_the_bits_that_loops_find)
{
	uint64_t state = 2;
	for (int round = 0; round < 2000; round++) {
		uint8_t value[64], wanted = (uint8_t)(synth_random(&state) % 16);
		uint32_t count = SIMD_GROUP * (1 + (uint32_t)(synth_random(&state) % 4));
		uint64_t bit6 = 0, is = 0;
		for (uint32_t i = 0; i < 64; i++)
			value[i] = (uint8_t)(synth_random(&state) % 128);
		for (uint32_t i = 0; i < count; i++) {
			bit6 |= (uint64_t)(value[i] >= 64) << i;
			is |= (uint64_t)(value[i] % 16 == wanted) << i;
		}
		CHECK(simd_u8_bit6(value, count) == bit6);
		CHECK(simd_u8_low4_is(value, count, wanted) == is);
	}
}

TEST(the_first_of_an_order_whose_bit_is_set_is_that_of_a_loop)
{
	uint64_t state = 5;
	for (int round = 0; round < 2000; round++) {
		uint8_t order[SIMD_GROUP];
		uint16_t mask = (uint16_t)(synth_random(&state) & synth_random(&state));
		uint32_t first = 0;
		for (uint32_t i = 0; i < SIMD_GROUP; i++) {
			uint32_t from = (uint32_t)(synth_random(&state) % (i + 1)); /* a random permutation */
			order[i] = order[from];
			order[from] = (uint8_t)i;
		}
		while (mask && !(mask >> order[first] & 1))
			first++;
		if (mask)
			CHECK_EQ(simd_first_in(order, mask), first);
	}
}

TEST(a_group_of_bytes_is_searched_as_a_loop_does)
{
	uint64_t state = 4;
	for (int round = 0; round < 2000; round++) {
		uint8_t value[SIMD_GROUP], wanted = (uint8_t)(128 + synth_random(&state) % 128);
		uint32_t is = 0;
		for (uint32_t i = 0; i < SIMD_GROUP; i++) {
			value[i] = synth_random(&state) % 4 ? (uint8_t)synth_random(&state) : wanted;
			is |= (uint32_t)(value[i] == wanted) << i;
		}
		CHECK_EQ(simd_u8_is(value, wanted), is);
	}
}

TEST(what_is_added_to_a_copy_carries_within_its_first_number_alone)
{
	const uint64_t from[4] = {UINT64_MAX - 1, UINT64_MAX, 3, 4};
	uint64_t to[4] = {0};
	simd_copy_added(to, from, 5);
	CHECK_EQ(to[0], 3);
	CHECK(!memcmp(to + 1, from + 1, 3 * sizeof *to));
}

TEST(the_least_value_above_a_limit_is_that_of_a_loop)
{
	uint64_t state = 3;
	for (int round = 0; round < 2000; round++) {
		uint16_t value[64], limit = (uint16_t)synth_random(&state), least = UINT16_MAX;
		uint32_t count = SIMD_GROUP * (1 + (uint32_t)(synth_random(&state) % 4));
		for (uint32_t i = 0; i < 64; i++)
			value[i] = (uint16_t)(synth_random(&state) % 3 ? synth_random(&state) : limit);
		for (uint32_t i = 0; i < count; i++)
			if (value[i] > limit && value[i] < least)
				least = value[i];
		CHECK_EQ(simd_u16_above(value, count, limit), least);
	}
}

TEST_RUN_ALL(true)
