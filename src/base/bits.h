/* Small functions of whole numbers: bits, smaller and larger, rounding, sums that saturate. */
#ifndef SLUICE_BASE_BITS_H
#define SLUICE_BASE_BITS_H

#include <stdbool.h>
#include <stdint.h>

static inline unsigned bits_count(uint64_t x)
{
	return (unsigned)__builtin_popcountll(x);
}
/* Index of the lowest set bit; x must not be 0. */
static inline unsigned bits_lowest(uint64_t x)
{
	return (unsigned)__builtin_ctzll(x);
}
static inline bool bits_is_power_of_two(uint64_t x)
{
	return x && !(x & (x - 1));
}
/* Smallest n with 2^n >= x. */
static inline unsigned bits_log2_up(uint64_t x)
{
	return x <= 1 ? 0 : 64 - (unsigned)__builtin_clzll(x - 1);
}
static inline uint64_t bits_rotate_right(uint64_t x, unsigned n)
{
	return n & 63 ? x >> (n & 63) | x << (64 - (n & 63)) : x;
}
static inline uint64_t bits_min(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}
static inline uint64_t bits_max(uint64_t a, uint64_t b)
{
	return a > b ? a : b;
}
static inline uint32_t bits_min32(uint32_t a, uint32_t b)
{
	return a < b ? a : b;
}
static inline uint32_t bits_max32(uint32_t a, uint32_t b)
{
	return a > b ? a : b;
}
/* a + b, or UINT64_MAX where the sum overflows. */
static inline uint64_t bits_add_saturating(uint64_t a, uint64_t b)
{
	uint64_t sum;
	return __builtin_add_overflow(a, b, &sum) ? UINT64_MAX : sum;
}
/* Round x up to a multiple of `unit`, which must not be 0; the result must fit. */
static inline uint64_t bits_round_up(uint64_t x, uint64_t unit)
{
	return (x + unit - 1) / unit * unit;
}
/* x / unit, rounded up; the same bounds. */
static inline uint64_t bits_divide_up(uint64_t x, uint64_t unit)
{
	return (x + unit - 1) / unit;
}
/* Distance from bit `start` to the first set bit of a ring of `words` words, going up; 64 * words if none is set. */
static inline uint32_t bits_ring_next(const uint64_t *ring, uint32_t words, uint32_t start)
{
	uint64_t word = ring[start / 64] >> start % 64;
	if (word)
		return bits_lowest(word);
	for (uint32_t i = 1; i <= words; i++) {
		uint32_t w = (start / 64 + i) % words;
		if (ring[w])
			return (w * 64 + bits_lowest(ring[w]) + 64 * words - start) % (64 * words);
	}
	return 64 * words;
}
/* A fixed, well-mixing permutation of 64-bit values (finaliser of splitmix64). */
static inline uint64_t bits_mix(uint64_t x)
{
	x ^= x >> 30;
	x *= 0xbf58476d1ce4e5b9u;
	x ^= x >> 27;
	x *= 0x94d049bb133111ebu;
	return x ^ x >> 31;
}

/* Cheaper, for hot paths: the high half of the result is well mixed. */
static inline uint64_t bits_spread(uint64_t x)
{
	x *= 0x9e3779b97f4a7c15u;
	x ^= x >> 32;
	return x * 0xd6e8feb86659fd93u;
}

#endif
