/*
 * The pattern of a full warp's 32 addresses, as the executor knows it from computing them, in one number. The recorder
 * then need not compare the addresses.
 */
#ifndef SLUICE_TRACE_HALVES_H
#define SLUICE_TRACE_HALVES_H

#include <stdint.h>

enum { HALF_LANES = 16, HALVES_UNKNOWN = 0 };

/*
 * Bit h of `adjacent`: lanes 16h to 16h + 15 are `bytes` apart, the size of each access. Bit h of `same`: they have one
 * address. HALVES_UNKNOWN unless each half has one of the two.
 */
static inline uint32_t halves_of(uint32_t adjacent, uint32_t same, uint32_t bytes)
{
	return (adjacent | same) == 3 ? bytes << 2 | adjacent : HALVES_UNKNOWN;
}

static inline uint32_t halves_adjacent(uint32_t halves)
{
	return halves & 3;
}

static inline uint32_t halves_bytes(uint32_t halves)
{
	return halves >> 2;
}

#endif
