/*
 * Lane masks and lane arrays: from predicates to bits, and copies under a mask.
 * The loops have constant lengths and constant tables so that compilers
 * vectorize them.
 */
#ifndef SLUICE_CUDA_EXECUTOR_MASK_H
#define SLUICE_CUDA_EXECUTOR_MASK_H

#include <stdint.h>
#include <string.h>

#include "base/bits.h"

/* Registers are untyped memory that is seen as several types. */
typedef uint16_t __attribute__((may_alias)) mask_u16;
typedef uint32_t __attribute__((may_alias)) mask_u32;
typedef uint64_t __attribute__((may_alias)) mask_u64;

static const uint32_t mask_bit[32] = {1u << 0,  1u << 1,  1u << 2,  1u << 3,  1u << 4,  1u << 5,  1u << 6,
                                      1u << 7,  1u << 8,  1u << 9,  1u << 10, 1u << 11, 1u << 12, 1u << 13,
                                      1u << 14, 1u << 15, 1u << 16, 1u << 17, 1u << 18, 1u << 19, 1u << 20,
                                      1u << 21, 1u << 22, 1u << 23, 1u << 24, 1u << 25, 1u << 26, 1u << 27,
                                      1u << 28, 1u << 29, 1u << 30, 1u << 31};

static inline uint64_t mask_of_lanes(unsigned lanes)
{
	return lanes >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << lanes) - 1;
}

static inline uint32_t mask_of_predicate32(const mask_u32 *p)
{
	uint32_t m = 0;
	for (unsigned i = 0; i < 32; i++)
		m |= p[i] & mask_bit[i];
	return m;
}

/* Bits of a predicate's lane array (0 or ~0 per lane). */
static inline uint64_t mask_of_predicate(const void *lanes_of, unsigned lanes)
{
	const mask_u32 *p = lanes_of;
	uint64_t m = mask_of_predicate32(p);
	return lanes > 32 ? m | (uint64_t)mask_of_predicate32(p + 32) << 32 : m;
}

static inline void mask_to_predicate(void *lanes_of, uint64_t mask, unsigned lanes)
{
	mask_u32 *p = lanes_of;
	for (unsigned i = 0; i < lanes; i++)
		p[i] = mask >> i & 1 ? ~0u : 0;
}

/* Elements of any size, lane by lane. */
static inline void mask_copy(uint8_t *dst, const uint8_t *src, unsigned bytes, uint64_t mask)
{
	for (; mask; mask &= mask - 1) {
		size_t at = (size_t)bits_lowest(mask) * bytes;
		memcpy(dst + at, src + at, bytes);
	}
}

#define LANE_BROADCAST(type)                                                                                 \
	static inline void lane_broadcast_##type(type *dst, uint64_t value, unsigned lanes)                  \
	{                                                                                                    \
		for (unsigned block = 0; block < lanes; block += 16)                                         \
			for (unsigned i = block; i < block + 16; i++)                                        \
				dst[i] = (type)value;                                                        \
	}
LANE_BROADCAST(mask_u16)
LANE_BROADCAST(mask_u32)
LANE_BROADCAST(mask_u64)
#undef LANE_BROADCAST

/* The same value in all lanes, a multiple of 16 of them. */
static inline void lane_broadcast(void *dst, uint64_t value, unsigned bytes, unsigned lanes)
{
	if (bytes == 4)
		lane_broadcast_mask_u32(dst, value, lanes);
	else if (bytes == 8)
		lane_broadcast_mask_u64(dst, value, lanes);
	else
		lane_broadcast_mask_u16(dst, value, lanes);
}

/* One lane of a lane array as a number, zero-extended. */
static inline uint64_t lane_get(const void *src, unsigned bytes, unsigned lane)
{
	if (bytes == 4)
		return ((const mask_u32 *)src)[lane];
	return bytes == 8 ? ((const mask_u64 *)src)[lane] : ((const mask_u16 *)src)[lane];
}

static inline void lane_set(void *dst, unsigned bytes, unsigned lane, uint64_t value)
{
	if (bytes == 4)
		((mask_u32 *)dst)[lane] = (uint32_t)value;
	else if (bytes == 8)
		((mask_u64 *)dst)[lane] = value;
	else
		((mask_u16 *)dst)[lane] = (uint16_t)value;
}

#endif
