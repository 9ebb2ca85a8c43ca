/*
 * Comparisons of many 16-bit times with a limit: SSE4.1 where the compiler has it,
 * else plain loops with the same results.
 */
#ifndef SLUICE_BASE_SIMD_TIMES_H
#define SLUICE_BASE_SIMD_TIMES_H

#include <stdalign.h>

#include "base/simd.h"

/* A table of 16 values, their low and high bytes apart: that is how shuffles look them up. */
struct simd_table {
	alignas(16) uint8_t low[16];
	uint8_t high[16];
};
static inline void simd_table_set(struct simd_table *table, uint32_t i, uint16_t value)
{
	table->low[i] = (uint8_t)value;
	table->high[i] = (uint8_t)(value >> 8);
}
static inline uint16_t simd_table_get(const struct simd_table *table, uint32_t i)
{
	return (uint16_t)(table->low[i] | table->high[i] << 8);
}

/*
 * Value i of `count` is the later of time[i] and table[key[i] % 16]; keys are below 128, count is a multiple of
 * SIMD_GROUP, from one to four of them. Times and keys are aligned to 16 bytes.
 */
#ifdef __SSE4_1__
struct simd_values {
	__m128i first, second;
};
static inline struct simd_values simd_values_at(const uint16_t *time, const uint8_t *key,
                                                const struct simd_table *table)
{
	__m128i keys = _mm_load_si128((const __m128i *)key);
	__m128i low = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)table->low), keys);
	__m128i high = _mm_shuffle_epi8(_mm_load_si128((const __m128i *)table->high), keys);
	__m128i first = _mm_load_si128((const __m128i *)time),
	        second = _mm_load_si128((const __m128i *)(time + 8));
	return (struct simd_values){_mm_max_epu16(first, _mm_unpacklo_epi8(low, high)),
	                            _mm_max_epu16(second, _mm_unpackhi_epi8(low, high))};
}
static inline uint64_t simd_values_due(struct simd_values v, __m128i bound)
{
	__m128i first = _mm_subs_epu16(v.first, bound), second = _mm_subs_epu16(v.second, bound);
	__m128i above = _mm_packs_epi16(first, second); /* by how much, no more than a byte says: 0 stays 0 */
	return (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(above, _mm_setzero_si128()));
}
/* The least of all words, or `floor` if that is more, in the lowest word. */
static inline __m128i simd_least(__m128i words, uint16_t floor)
{
	return _mm_max_epu16(_mm_minpos_epu16(words), _mm_cvtsi32_si128(floor));
}
/* The lowest word, everywhere. */
static inline __m128i simd_lowest_word(__m128i words)
{
	__m128i low = _mm_shufflelo_epi16(words, 0);
	return _mm_unpacklo_epi64(low, low);
}
#else
static inline uint16_t simd_value_at(const uint16_t *time, const uint8_t *key, const struct simd_table *table,
                                     uint32_t i)
{
	uint16_t other = simd_table_get(table, key[i] % 16);
	return time[i] > other ? time[i] : other;
}
#endif

/* Bit i of the result: value i is at most `limit`. */
static inline uint64_t simd_u16_due(const uint16_t *time, const uint8_t *key, const struct simd_table *table,
                                    uint32_t count, uint16_t limit)
{
	uint64_t mask = 0;
	uint32_t i = 0;
#ifdef __SSE4_1__
	__m128i bound = _mm_set1_epi16((short)limit);
	do {
		mask |= simd_values_due(simd_values_at(time + i, key + i, table), bound) << i;
		i += SIMD_GROUP;
	} while (__builtin_expect(i < count, 0));
#else
	for (; i < count; i++)
		mask |= (uint64_t)(simd_value_at(time, key, table, i) <= limit) << i;
#endif
	return mask;
}

/* The least value, or `floor` if that is more; *due: the values up to it. */
static inline uint16_t simd_u16_first(const uint16_t *time, const uint8_t *key,
                                      const struct simd_table *table, uint32_t count, uint16_t floor,
                                      uint64_t *due)
{
	uint32_t i = 0;
#ifdef __SSE4_1__
	struct simd_values v = simd_values_at(time, key, table);
	__m128i least = _mm_min_epu16(v.first, v.second), bound;
	if (__builtin_expect(count == SIMD_GROUP, 1)) {
		bound = simd_least(least, floor);
		*due = simd_values_due(v, simd_lowest_word(bound));
		return (uint16_t)_mm_extract_epi16(bound, 0);
	}
	while ((i += SIMD_GROUP) < count) {
		struct simd_values more = simd_values_at(time + i, key + i, table);
		least = _mm_min_epu16(least, _mm_min_epu16(more.first, more.second));
	}
	bound = simd_least(least, floor);
	uint16_t first = (uint16_t)_mm_extract_epi16(bound, 0);
	*due = simd_u16_due(time, key, table, count, first);
#else
	uint16_t first = UINT16_MAX;
	for (; i < count; i++) {
		uint16_t value = simd_value_at(time, key, table, i);
		first = value < first ? value : first;
	}
	first = first > floor ? first : floor;
	*due = simd_u16_due(time, key, table, count, first);
#endif
	return first;
}

/* The least of the values above `limit`; UINT16_MAX if there is none. */
static inline uint16_t simd_u16_above(const uint16_t *value, uint32_t count, uint16_t limit)
{
#ifdef __SSE4_1__
	__m128i bound = _mm_set1_epi16((short)limit), least = _mm_set1_epi16(-1);
	for (uint32_t i = 0; i < count; i += SIMD_GROUP / 2) {
		__m128i group = _mm_loadu_si128((const __m128i *)(value + i));
		__m128i reached = _mm_cmpeq_epi16(_mm_min_epu16(group, bound), group);
		least = _mm_min_epu16(least, _mm_or_si128(group, reached));
	}
	return (uint16_t)_mm_extract_epi16(_mm_minpos_epu16(least), 0);
#else
	uint16_t least = UINT16_MAX;
	for (uint32_t i = 0; i < count; i++)
		least = value[i] > limit && value[i] < least ? value[i] : least;
	return least;
#endif
}

#endif
