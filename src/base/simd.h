/*
 * Comparisons of many bytes at once: SSE4.1 where the compiler has it,
 * else plain loops with the same results.
 */
#ifndef SLUICE_BASE_SIMD_H
#define SLUICE_BASE_SIMD_H

#include <stdint.h>
#include <string.h>

#ifdef __SSE4_1__
#include <smmintrin.h>
#endif

enum { SIMD_GROUP = 16 };

/* Bit i of the result: bit 6 of value[i]. count is a multiple of SIMD_GROUP, from one to four of them. */
static inline uint64_t simd_u8_bit6(const uint8_t *value, uint32_t count)
{
	uint64_t mask = 0;
	uint32_t i = 0;
#ifdef __SSE4_1__
	do {
		__m128i group = _mm_loadu_si128((const __m128i *)(value + i));
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_slli_epi16(group, 1)) << i;
		i += SIMD_GROUP;
	} while (__builtin_expect(i < count, 0));
#else
	for (; i < count; i++)
		mask |= (uint64_t)(value[i] >> 6 & 1) << i;
#endif
	return mask;
}

/* Bit i of the result: value[i], of SIMD_GROUP, is `wanted`. */
static inline uint32_t simd_u8_is(const uint8_t *value, uint8_t wanted)
{
#ifdef __SSE4_1__
	__m128i group = _mm_loadu_si128((const __m128i *)value), key = _mm_set1_epi8((char)wanted);
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(group, key));
#else
	uint32_t mask = 0;
	for (uint32_t i = 0; i < SIMD_GROUP; i++)
		mask |= (uint32_t)(value[i] == wanted) << i;
	return mask;
#endif
}

/* Bit i of the result: value[i] % 16 is `wanted`; count as above. */
static inline uint64_t simd_u8_low4_is(const uint8_t *value, uint32_t count, uint8_t wanted)
{
	uint64_t mask = 0;
#ifdef __SSE4_1__
	__m128i low = _mm_set1_epi8(15), key = _mm_set1_epi8((char)wanted);
	uint32_t i = 0;
	do {
		__m128i group = _mm_and_si128(_mm_loadu_si128((const __m128i *)(value + i)), low);
		mask |= (uint64_t)(uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(group, key)) << i;
		i += SIMD_GROUP;
	} while (__builtin_expect(i < count, 0));
#else
	for (uint32_t i = 0; i < count; i++)
		mask |= (uint64_t)(value[i] % 16 == wanted) << i;
#endif
	return mask;
}

/*
 * The least i with bit order[i] of `mask` set. Numbers of bits are below SIMD_GROUP up to there, and below 128 in the
 * whole group.
 */
static inline uint32_t simd_first_in(const uint8_t *order, uint16_t mask)
{
#ifdef __SSE4_1__
	const __m128i own = _mm_set1_epi64x((int64_t)0x8040201008040201);
	__m128i bytes = _mm_shuffle_epi8(_mm_cvtsi32_si128(mask), _mm_set_epi64x(0x0101010101010101, 0));
	__m128i is_set = _mm_cmpeq_epi8(_mm_and_si128(bytes, own), own);
	__m128i group = _mm_loadu_si128((const __m128i *)order);
	return (uint32_t)__builtin_ctz((uint32_t)_mm_movemask_epi8(_mm_shuffle_epi8(is_set, group)));
#else
	uint32_t i = 0;
	while (!(mask >> order[i] & 1))
		i++;
	return i;
#endif
}

/* Copy 32 bytes; add `more` to the first 64-bit number. */
static inline void simd_copy_added(void *to, const void *from, uint64_t more)
{
#ifdef __SSE4_1__
	__m128i first = _mm_loadu_si128((const __m128i *)from),
	        second = _mm_loadu_si128((const __m128i *)from + 1);
	_mm_storeu_si128((__m128i *)to, _mm_add_epi64(first, _mm_set_epi64x(0, (int64_t)more)));
	_mm_storeu_si128((__m128i *)to + 1, second);
#else
	uint64_t word[4];
	memcpy(word, from, sizeof word);
	word[0] += more;
	memcpy(to, word, sizeof word);
#endif
}

#endif
