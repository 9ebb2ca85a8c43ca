/*
 * Comparisons of many small values at once: SSE4.1 where the compiler has it,
 * else plain loops with the same results.
 */
#ifndef SLUICE_BASE_SIMD_H
#define SLUICE_BASE_SIMD_H

#include <stdint.h>

#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

enum { SIMD_GROUP = 16 };

/* flag[i]: 0xff where value[i] > limit, else 0, of 16 values. Values and limit are below 2^15. */
static inline void simd_u15_flag_above(const uint16_t *value, uint16_t limit, uint8_t flag[16])
{
#ifdef __SSE4_1__
	__m128i bound = _mm_set1_epi16((short)limit);
	__m128i a = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)value), bound);
	__m128i b = _mm_cmpgt_epi16(_mm_loadu_si128((const __m128i *)(value + 8)), bound);
	_mm_storeu_si128((__m128i *)flag, _mm_packs_epi16(a, b));
#else
	for (uint32_t i = 0; i < SIMD_GROUP; i++)
		flag[i] = value[i] > limit ? UINT8_MAX : 0;
#endif
}

/* Bit i of the result: bit 6 of value[i]; count is a multiple of SIMD_GROUP, from one to four of them. */
static inline uint64_t simd_u8_bit6(const uint8_t *value, uint32_t count)
{
	uint64_t mask = 0;
	for (uint32_t i = 0; i < count; i++)
		mask |= (uint64_t)(value[i] >> 6 & 1) << i;
	return mask;
}

/* Bit i of the result: flag[value[i] % 16] has its highest bit set; values are below 128, count as above. */
static inline uint64_t simd_u8_flagged(const uint8_t *value, uint32_t count, const uint8_t flag[16])
{
#ifdef __SSE4_1__
	__m128i table = _mm_loadu_si128((const __m128i *)flag);
	uint64_t mask =
	    (uint32_t)_mm_movemask_epi8(_mm_shuffle_epi8(table, _mm_loadu_si128((const __m128i *)value)));
	for (uint32_t i = SIMD_GROUP; __builtin_expect(i < count, 0); i += SIMD_GROUP) {
		__m128i group = _mm_loadu_si128((const __m128i *)(value + i));
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_shuffle_epi8(table, group)) << i;
	}
#else
	uint64_t mask = 0;
	for (uint32_t i = 0; i < count; i++)
		mask |= (uint64_t)(flag[value[i] % 16] >> 7) << i;
#endif
	return mask;
}

#endif
