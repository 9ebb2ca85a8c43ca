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

enum { SIMD_GROUP = 16, SIMD_U15_MAX = 0x7fff };

/*
 * Bit i of the result: value[i] <= limit. *above becomes the least of the other values, SIMD_U15_MAX if there is
 * none. Values and limit are below 2^15; count is a multiple of SIMD_GROUP, at most 64.
 */
static inline uint64_t simd_u15_at_most(const uint16_t *value, uint32_t count, uint16_t limit, uint16_t *above)
{
#ifdef __SSE4_1__
	__m128i bound = _mm_set1_epi16((short)limit), least = _mm_set1_epi16(SIMD_U15_MAX);
	uint64_t mask = 0;
	for (uint32_t i = 0; i < count; i += SIMD_GROUP) {
		__m128i a = _mm_loadu_si128((const __m128i *)(value + i));
		__m128i b = _mm_loadu_si128((const __m128i *)(value + i + 8));
		__m128i a_above = _mm_cmpgt_epi16(a, bound), b_above = _mm_cmpgt_epi16(b, bound);
		uint32_t over = (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a_above, b_above));
		mask |= (uint64_t)(~over & 0xffff) << i;
		/* What is not above becomes the largest unsigned value. */
		a = _mm_or_si128(a, _mm_andnot_si128(a_above, _mm_set1_epi16(-1)));
		b = _mm_or_si128(b, _mm_andnot_si128(b_above, _mm_set1_epi16(-1)));
		least = _mm_min_epu16(least, _mm_min_epu16(a, b));
	}
	*above = (uint16_t)_mm_extract_epi16(_mm_minpos_epu16(least), 0);
	return mask;
#else
	uint64_t mask = 0;
	uint16_t least = SIMD_U15_MAX;
	for (uint32_t i = 0; i < count; i++) {
		if (value[i] <= limit)
			mask |= (uint64_t)1 << i;
		else if (value[i] < least)
			least = value[i];
	}
	*above = least;
	return mask;
#endif
}

/* Bit i of the result: value[i] == wanted; count is a multiple of SIMD_GROUP, at most 64. */
static inline uint64_t simd_u8_equal(const uint8_t *value, uint32_t count, uint8_t wanted)
{
	uint64_t mask = 0;
#ifdef __SSE4_1__
	__m128i all = _mm_set1_epi8((char)wanted);
	for (uint32_t i = 0; i < count; i += SIMD_GROUP) {
		__m128i group = _mm_loadu_si128((const __m128i *)(value + i));
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(group, all)) << i;
	}
#else
	for (uint32_t i = 0; i < count; i++)
		mask |= (uint64_t)(value[i] == wanted) << i;
#endif
	return mask;
}

#endif
