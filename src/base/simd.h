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

#ifdef __SSE4_1__
/* One group of simd_u15_at_most(): bits of the values that are above, which are kept in *least. */
static inline uint32_t simd_u15_above(const uint16_t *value, __m128i bound, __m128i *least)
{
	const __m128i ones = _mm_set1_epi16(-1);
	__m128i a = _mm_loadu_si128((const __m128i *)value),
	        b = _mm_loadu_si128((const __m128i *)(value + 8));
	__m128i a_above = _mm_cmpgt_epi16(a, bound), b_above = _mm_cmpgt_epi16(b, bound);
	/* What is not above becomes the largest unsigned value. */
	a = _mm_or_si128(a, _mm_xor_si128(a_above, ones));
	b = _mm_or_si128(b, _mm_xor_si128(b_above, ones));
	*least = _mm_min_epu16(*least, _mm_min_epu16(a, b));
	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(a_above, b_above));
}
#endif

/*
 * Bit i of the result: value[i] <= limit. *above becomes the least of the other values, SIMD_U15_MAX if there is
 * none. Values and limit are below 2^15; count is a multiple of SIMD_GROUP, from one to four of them.
 */
static inline uint64_t simd_u15_at_most(const uint16_t *value, uint32_t count, uint16_t limit,
                                        uint16_t *above)
{
#ifdef __SSE4_1__
	__m128i bound = _mm_set1_epi16((short)limit), least = _mm_set1_epi16(SIMD_U15_MAX);
	uint64_t over = simd_u15_above(value, bound, &least), all = 0xffff;
	for (uint32_t i = SIMD_GROUP; __builtin_expect(i < count, 0); i += SIMD_GROUP) {
		over |= (uint64_t)simd_u15_above(value + i, bound, &least) << i;
		all = all << SIMD_GROUP | 0xffff;
	}
	*above = (uint16_t)_mm_cvtsi128_si32(_mm_minpos_epu16(least));
	return over ^ all;
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

/* Bit i of the result: value[i] == wanted; count as above. */
static inline uint64_t simd_u8_equal(const uint8_t *value, uint32_t count, uint8_t wanted)
{
#ifdef __SSE4_1__
	__m128i all = _mm_set1_epi8((char)wanted);
	uint64_t mask =
	    (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)value), all));
	for (uint32_t i = SIMD_GROUP; __builtin_expect(i < count, 0); i += SIMD_GROUP) {
		__m128i group = _mm_loadu_si128((const __m128i *)(value + i));
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(group, all)) << i;
	}
#else
	uint64_t mask = 0;
	for (uint32_t i = 0; i < count; i++)
		mask |= (uint64_t)(value[i] == wanted) << i;
#endif
	return mask;
}

/* Bit i of the result: flag[value[i]] has its highest bit set; values are below 16, count as above. */
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
		mask |= (uint64_t)(flag[value[i]] >> 7) << i;
#endif
	return mask;
}

#endif
