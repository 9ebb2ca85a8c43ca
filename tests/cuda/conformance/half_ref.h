/* binary16 and bfloat16 on the host: exact conversions by way of double, rounding to nearest even. */
#ifndef SLUICE_CONFORMANCE_HALF_REF_H
#define SLUICE_CONFORMANCE_HALF_REF_H

#include "check.h"

/* `fraction` bits of mantissa, exponents down to `lowest` (of the smallest normal number). */
static inline double half_round(double x, int fraction, int lowest, double largest)
{
	if (x == 0 || x != x || isinf(x))
		return x;
	int exponent;
	frexp(x, &exponent);
	exponent -= 1;
	if (exponent < lowest)
		exponent = lowest;
	double unit = ldexp(1.0, exponent - fraction);
	double r = nearbyint(x / unit) * unit;
	if (fabs(r) > largest)
		return copysign(INFINITY, x);
	return r == 0 ? copysign(0.0, x) : r;
}

static inline double half_round_f16(double x)
{
	return half_round(x, 10, -14, 65504.0);
}

static inline double half_round_bf16(double x)
{
	return half_round(x, 7, -126, 3.3895313892515355e38);
}

/* Bits of a value that already is one; NaN as 0x7fff. */
static inline uint16_t half_bits(double x, int fraction, int bias)
{
	uint16_t sign = signbit(x) ? 0x8000 : 0;
	int width = 15 - fraction, top = (1 << width) - 1, exponent;
	if (x != x)
		return 0x7fff;
	if (isinf(x))
		return (uint16_t)(sign | top << fraction);
	if (x == 0)
		return sign;
	double m = frexp(fabs(x), &exponent);
	int biased = exponent - 1 + bias;
	if (biased <= 0)
		return (uint16_t)(sign | (int)ldexp(fabs(x), fraction + bias - 1));
	return (uint16_t)(sign | biased << fraction | (int)ldexp(m * 2 - 1, fraction));
}

static inline double half_value(uint16_t bits, int fraction, int bias)
{
	int width = 15 - fraction, top = (1 << width) - 1;
	int biased = bits >> fraction & top, m = bits & ((1 << fraction) - 1);
	double x;
	if (biased == top)
		x = m ? (double)NAN : (double)INFINITY;
	else if (biased == 0)
		x = ldexp(m, 1 - bias - fraction);
	else
		x = ldexp(m + (1 << fraction), biased - bias - fraction);
	return bits & 0x8000 ? -x : x;
}

static inline uint16_t f16_bits(double x)
{
	return half_bits(half_round_f16(x), 10, 15);
}
static inline double f16_value(uint16_t bits)
{
	return half_value(bits, 10, 15);
}
static inline uint16_t bf16_bits(double x)
{
	return half_bits(half_round_bf16(x), 7, 127);
}
static inline double bf16_value(uint16_t bits)
{
	return half_value(bits, 7, 127);
}

#endif
