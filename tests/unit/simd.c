/* Comparisons of many small values: the same results as plain loops, whatever instructions the host has. */
#include "base/simd.h"

#include "lib/synth.h"
#include "test.h"

TEST(values_above_the_limit_are_flagged_and_the_limit_is_not)
{
	uint64_t state = 1;
	for (int round = 0; round < 2000; round++) {
		uint16_t value[16], limit = (uint16_t)(synth_random(&state) % (1 << 15));
		uint8_t flag[16];
		for (uint32_t i = 0; i < 16; i++) /* equal, just above and just below often */
			value[i] = synth_random(&state) & 1
			               ? (uint16_t)(synth_random(&state) % (1 << 15))
			               : (uint16_t)((limit + synth_random(&state) % 3 - 1) & 0x7fff);
		simd_u15_flag_above(value, limit, flag);
		for (uint32_t i = 0; i < 16; i++)
			CHECK_EQ(flag[i], value[i] > limit ? 0xff : 0);
	}
}

TEST(masks_have_the_bits_that_loops_find)
{
	uint64_t state = 2;
	for (int round = 0; round < 2000; round++) {
		uint8_t value[64], flag[16];
		uint32_t count = SIMD_GROUP * (1 + (uint32_t)(synth_random(&state) % 4));
		uint64_t bit6 = 0, flagged = 0;
		for (uint32_t i = 0; i < 16; i++)
			flag[i] = synth_random(&state) & 1 ? 0xff : 0;
		for (uint32_t i = 0; i < 64; i++)
			value[i] = (uint8_t)(synth_random(&state) % 128);
		for (uint32_t i = 0; i < count; i++) {
			bit6 |= (uint64_t)(value[i] >= 64) << i;
			flagged |= (uint64_t)(flag[value[i] % 16] != 0) << i;
		}
		CHECK(simd_u8_bit6(value, count) == bit6);
		CHECK(simd_u8_flagged(value, count, flag) == flagged);
	}
}

TEST_MAIN(TEST_ENTRY(values_above_the_limit_are_flagged_and_the_limit_is_not)
              TEST_ENTRY(masks_have_the_bits_that_loops_find))
