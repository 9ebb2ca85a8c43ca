/*
 * Times of 16 bits, many at once, of which some may have come: SSE4.1 where the
 * compiler has it, else plain loops with the same results.
 */
#ifndef SLUICE_BASE_SIMD_TIMES_H
#define SLUICE_BASE_SIMD_TIMES_H

#include "base/simd.h"

/* A table of 16 values, their low and high bytes apart: that is how shuffles look them up. */
struct simd_table {
	uint8_t low[16], high[16];
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
 * SIMD_GROUP, from one to four of them.
 */
#ifdef __SSE4_1__
struct simd_values {
	__m128i first, second;
};
static inline struct simd_values simd_values_at(const uint16_t *time, const uint8_t *key,
                                                const struct simd_table *table)
{
	__m128i keys = _mm_loadu_si128((const __m128i *)key);
	__m128i low = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)table->low), keys);
	__m128i high = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)table->high), keys);
	__m128i first = _mm_loadu_si128((const __m128i *)time),
	        second = _mm_loadu_si128((const __m128i *)(time + 8));
	return (struct simd_values){_mm_max_epu16(first, _mm_unpacklo_epi8(low, high)),
	                            _mm_max_epu16(second, _mm_unpackhi_epi8(low, high))};
}
static inline uint64_t simd_values_due(struct simd_values v, __m128i bound)
{
	__m128i first = _mm_cmpeq_epi16(_mm_min_epu16(v.first, bound), v.first);
	__m128i second = _mm_cmpeq_epi16(_mm_min_epu16(v.second, bound), v.second);
	return (uint32_t)_mm_movemask_epi8(_mm_packs_epi16(first, second));
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
	__m128i least = _mm_min_epu16(v.first, v.second);
	while (__builtin_expect((i += SIMD_GROUP) < count, 0)) {
		struct simd_values more = simd_values_at(time + i, key + i, table);
		least = _mm_min_epu16(least, _mm_min_epu16(more.first, more.second));
	}
	uint16_t first = (uint16_t)_mm_extract_epi16(_mm_minpos_epu16(least), 0);
	first = first > floor ? first : floor;
	__m128i bound = _mm_set1_epi16((short)first);
	*due = simd_values_due(v, bound);
	for (i = SIMD_GROUP; __builtin_expect(i < count, 0); i += SIMD_GROUP)
		*due |= simd_values_due(simd_values_at(time + i, key + i, table), bound) << i;
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
