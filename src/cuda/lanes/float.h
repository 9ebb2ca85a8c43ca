/*
 * Floats in lane loops: bits, flushing, saturation, canonical NaNs, rounding modes, halves.
 *
 * All of it is branch-free, so that loops vectorize. f32 results that are NaN
 * have the bits 0x7fffffff, whatever the NaNs that went in; f64 results keep a
 * NaN of the sources (f64.c), and are 0xfff8000000000000 where an operation
 * creates one: this is what the hardware does.
 */
#ifndef SLUICE_CUDA_LANES_FLOAT_H
#define SLUICE_CUDA_LANES_FLOAT_H

#include <fenv.h>
#include <string.h>

#include "cuda/lanes/loop.h"

#define LANE_NAN_F32 0x7fffffffu
#define LANE_NAN_F64 0xfff8000000000000u

/* lane_bits_f32(): the bits of a number; lane_float_f32(): the number of bits. */
#define LANE_DEFINE_BITS(T, F, U)                                                                            \
	union lane_both_##T {                                                                                \
		F f;                                                                                         \
		U u;                                                                                         \
	};                                                                                                   \
	LANE_INLINE U lane_bits_##T(F x)                                                                     \
	{                                                                                                    \
		return ((union lane_both_##T){.f = x}).u;                                                    \
	}                                                                                                    \
	LANE_INLINE F lane_float_##T(U bits)                                                                 \
	{                                                                                                    \
		return ((union lane_both_##T){.u = bits}).f;                                                 \
	}
LANE_DEFINE_BITS(f32, float, uint32_t)
LANE_DEFINE_BITS(f64, double, uint64_t)

/* Denormals become zeros of the same sign: .ftz, on the way in. */
LANE_INLINE float lane_flush_f32(float x)
{
	uint32_t bits = lane_bits_f32(x);
	return lane_float_f32(bits & (bits & 0x7f800000u ? 0xffffffffu : 0x80000000u));
}
/*
 * .ftz on the way out: what is too small after rounding as if exponents had no end.
 * That takes the result once more, times 2^64, where it is no denormal: a product just
 * below the smallest normal number may round to it and still become zero.
 */
#define LANE_SCALE 0x1p64f
LANE_INLINE float lane_flush_tiny(float x, float scaled)
{
	float zero = lane_float_f32(lane_bits_f32(x) & 0x80000000u);
	bool is_small = __builtin_islessequal(__builtin_fabsf(x),
	                                      0x1p-126f); /* else the scaled one may have overflowed */
	bool is_tiny = __builtin_isless(__builtin_fabsf(scaled), 0x1p-126f * LANE_SCALE);
	return (is_small & is_tiny) ? zero : x;
}
LANE_INLINE float lane_canonical_f32(float x)
{
	return x != x ? lane_float_f32(LANE_NAN_F32) : x;
}
/* .sat: to [0, 1], NaN to +0. Zero of either sign gives +0. */
LANE_INLINE float lane_saturate_f32(float x)
{
	float low = __builtin_isgreater(x, 0.0f) ? x : 0.0f;
	return __builtin_isless(low, 1.0f) ? low : 1.0f;
}
LANE_INLINE double lane_saturate_f64(double x)
{
	double low = __builtin_isgreater(x, 0.0) ? x : 0.0;
	return __builtin_isless(low, 1.0) ? low : 1.0;
}

/* Names for the loops of lists: whether to flush, to saturate. */
#define LANE_FTZ_(x) (x)
#define LANE_FTZ_ftz(x) lane_flush_f32(x)
#define LANE_TINY_(x, scaled) (x)
#define LANE_TINY_ftz(x, scaled) lane_flush_tiny(x, scaled)
#define LANE_SAT_(x) lane_canonical_f32(x)
#define LANE_SAT_sat(x) lane_saturate_f32(x)

/*
 * x + y rounded to odd: if inexact, the last bit is set, which leaves enough of the
 * sum to round it right to any narrower type. In round-to-nearest mode only.
 */
LANE_INLINE double lane_sum_to_odd(double x, double y)
{
	double sum = x + y, part = sum - x;
	double rest = (x - (sum - part)) + (y - part); /* exactly what the sum lost */
	uint64_t bits = lane_bits_f64(sum);
	bool inexact = __builtin_islessgreater(rest, 0.0), is_even = !(bits & 1);
	bool outwards = (lane_bits_f64(rest) ^ bits) >> 63 == 0;
	bits += (inexact & is_even) ? (outwards ? 1 : UINT64_MAX) : 0;
	return lane_float_f64(bits);
}

/*
 * Rounding other than to nearest: the host's mode is set around the whole loop.
 * What a loop computes goes through memory, so it cannot move past the calls.
 */
#define LANE_MODE_rn FE_TONEAREST
#define LANE_MODE_rz FE_TOWARDZERO
#define LANE_MODE_rm FE_DOWNWARD
#define LANE_MODE_rp FE_UPWARD
#define LANE_ROUND_BEGIN_rn
#define LANE_ROUND_BEGIN_rz fesetround(FE_TOWARDZERO);
#define LANE_ROUND_BEGIN_rm fesetround(FE_DOWNWARD);
#define LANE_ROUND_BEGIN_rp fesetround(FE_UPWARD);
#define LANE_ROUND_END_rn
#define LANE_ROUND_END_rz fesetround(FE_TONEAREST);
#define LANE_ROUND_END_rm fesetround(FE_TONEAREST);
#define LANE_ROUND_END_rp fesetround(FE_TONEAREST);

/* Every half is a float: exact. */
LANE_INLINE float lane_f16_to_f32(uint16_t half)
{
	uint32_t sign = (uint32_t)(half & 0x8000) << 16, magnitude = half & 0x7fffu;
	float finite =
	    lane_float_f32(magnitude << 13) * 0x1p112f; /* exponents have bias 15 here, 127 there */
	uint32_t special = magnitude << 13 | 0x7f800000u;
	return lane_float_f32(sign | (magnitude < 0x7c00 ? lane_bits_f32(finite) : special));
}
LANE_INLINE float lane_f16_to_f32_flushed(uint16_t half)
{
	return lane_f16_to_f32(half & (half & 0x7c00 ? 0xffff : 0x8000));
}
LANE_INLINE float lane_bf16_to_f32(uint16_t half)
{
	return lane_float_f32((uint32_t)half << 16);
}

#endif
