/*
 * What is known of the addresses of a full warp of 32 lanes before anybody looks
 * at them: the executor finds it out when it computes them. A number, because
 * it travels from function to function for every access.
 */
#ifndef SLUICE_TRACE_HALVES_H
#define SLUICE_TRACE_HALVES_H

#include <stdint.h>

enum { HALF_LANES = 16, HALVES_UNKNOWN = 0 };

/*
 * Bit h of `adjacent`: neighbours among lanes 16h to 16h + 15 are `bytes` apart, what each of them accesses; of
 * `same`: they are at one address. HALVES_UNKNOWN unless one of them is true of either half.
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
