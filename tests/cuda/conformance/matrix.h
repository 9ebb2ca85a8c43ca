/*
 * Products of matrices for conformance programs: where lanes hold elements (by
 * the figures of the PTX manual), and what tensor cores of Hopper compute, by
 * means of double precision: products are exact there, and cutting off is
 * trunc() of a scaled number.
 */
#ifndef SLUICE_CONFORMANCE_MATRIX_H
#define SLUICE_CONFORMANCE_MATRIX_H

#include "check.h"

/* Kinds of elements. */
enum matrix_type { M_F16, M_BF16, M_TF32, M_E4M3, M_E5M2, M_F32, M_F64, M_S8, M_U8, M_S4, M_U4, M_B1, M_S32 };

CHECK_UNUSED static int matrix_bits(enum matrix_type t)
{
	static const int bits[] = {16, 16, 32, 8, 8, 32, 64, 8, 8, 4, 4, 1, 32};
	return bits[t];
}

/* Smallest exponent of a normal number. */
static int matrix_lowest(enum matrix_type t)
{
	return t == M_F16 || t == M_E5M2 ? -14 : t == M_E4M3 ? -6 : -126;
}

CHECK_UNUSED static double matrix_value(uint64_t bits, enum matrix_type t)
{
	static const int exponent_bits[] = {5, 8, 8, 4, 5, 8}, fraction_bits[] = {10, 7, 10, 3, 2, 23};
	if (t == M_F64)
		return check_bits_f64(bits);
	if (t == M_TF32)
		bits >>= 13;
	int e = exponent_bits[t], f = fraction_bits[t], field = (int)(bits >> f) & ((1 << e) - 1);
	int fraction = (int)bits & ((1 << f) - 1), sign = (int)(bits >> (e + f)) & 1;
	double value;
	if (field == (1 << e) - 1 && t != M_E4M3)
		value = fraction ? (double)NAN : (double)INFINITY;
	else if (t == M_E4M3 && (bits & 0x7f) == 0x7f)
		value = (double)NAN;
	else
		value = ldexp((double)(field ? fraction + (1 << f) : fraction),
		              (field ? field : 1) + matrix_lowest(t) - 1 - f);
	return sign ? -value : value;
}

static int matrix_exponent(double v, enum matrix_type t)
{
	int e;
	if (v == 0)
		return -126;
	frexp(v, &e);
	return e - 1 < matrix_lowest(t) ? matrix_lowest(t) : e - 1;
}

/* Towards zero into single precision, or to nearest into half precision. */
static uint32_t matrix_pack(double v, enum matrix_type t)
{
	if (v != v)
		return t == M_F16 ? 0x7fff : 0x7fffffff;
	if (t == M_F32) {
		float f = (float)v;
		uint32_t bits;
		if (!isinf(v) && fabs((double)f) > fabs(v))
			f = nextafterf(f, 0.0f);
		/* Beyond the largest number lies infinity. */
		if (fabs(v) >= 0x1p128)
			f = v < 0 ? -INFINITY : INFINITY;
		if (v == 0)
			f = 0.0f;
		memcpy(&bits, &f, sizeof bits);
		return bits;
	}
	double m = fabs(v);
	uint32_t sign = v < 0 ? 0x8000 : 0;
	if (m >= 65520)
		return sign | 0x7c00;
	int e = m ? matrix_exponent(m, M_F16) : -14;
	double units = nearbyint(ldexp(m, 10 - e));
	return sign | (uint32_t)((m < 0x1p-14 ? 0 : (e + 14) << 10) + (int)units);
}

/* c plus products, all at once. */
CHECK_UNUSED static uint32_t matrix_sum(const double *a, const double *b, int k, double c,
                                        enum matrix_type ta, enum matrix_type tb, enum matrix_type tc,
                                        enum matrix_type td)
{
	int largest = matrix_exponent(c, tc);
	double plain = c, sum = 0;
	for (int i = 0; i < k; i++) {
		int e = matrix_exponent(a[i], ta) + matrix_exponent(b[i], tb);
		largest = e > largest ? e : largest;
		plain += a[i] * b[i];
	}
	if (isnan(plain) || isinf(plain))
		return matrix_pack(plain, td);
	for (int i = 0; i < k; i++)
		sum += trunc(ldexp(a[i] * b[i], 25 - largest));
	sum += trunc(ldexp(c, 25 - largest));
	return matrix_pack(ldexp(sum, largest - 25), td);
}

/* ---- fragments of mma ----------------------------------------------------------------------------------- */

/* Lane, register and position of element (row, col): A is m x k, B k x n, C and D m x n. */
struct matrix_place {
	int lane, reg, position;
};

CHECK_UNUSED static struct matrix_place matrix_place_a(int row, int col, int m, enum matrix_type t)
{
	int e = t == M_F64 ? 1 : 32 / matrix_bits(t), halves = m / 8;
	struct matrix_place p = {row % 8 * 4 + col % (4 * e) / e, col / (4 * e) * halves + row / 8, col % e};
	return p;
}

CHECK_UNUSED static struct matrix_place matrix_place_b(int row, int col, enum matrix_type t)
{
	int e = t == M_F64 ? 1 : 32 / matrix_bits(t);
	struct matrix_place p = {col % 8 * 4 + row % (4 * e) / e, row / (4 * e), row % e};
	return p;
}

CHECK_UNUSED static struct matrix_place matrix_place_c(int row, int col, enum matrix_type t)
{
	struct matrix_place p = {row % 8 * 4 + col / 2, row / 8 * 2 + col % 2, 0};
	if (t == M_F16) {
		p.reg = row / 8;
		p.position = col % 2;
	}
	return p;
}

/* Registers of a warp: [reg][lane], of 32 bits, or 64 of double precision. */
CHECK_UNUSED static void matrix_set(uint64_t *regs, struct matrix_place p, enum matrix_type t, uint64_t bits)
{
	regs[p.reg * 32 + p.lane] |= bits << (t == M_F64 ? 0 : p.position * matrix_bits(t));
}

CHECK_UNUSED static uint64_t matrix_get(const uint64_t *regs, struct matrix_place p, enum matrix_type t)
{
	uint64_t mask = matrix_bits(t) == 64 ? ~UINT64_C(0) : (UINT64_C(1) << matrix_bits(t)) - 1;
	return regs[p.reg * 32 + p.lane] >> (t == M_F64 ? 0 : p.position * matrix_bits(t)) & mask;
}

/* ---- values --------------------------------------------------------------------------------------------- */

/* Bits of an element: 0 small numbers near one another, 1 any exponent, 2 anything, with infinities and NaN. */
CHECK_UNUSED static uint64_t matrix_random(enum matrix_type t, int kind)
{
	static const int exponent_bits[] = {5, 8, 8, 4, 5, 8}, fraction_bits[] = {10, 7, 10, 3, 2, 23};
	uint64_t bits = check_random() >> 7;
	if (t == M_F64) {
		if (kind == 0)
			return (bits & UINT64_C(0x800fffffffffffff)) | (1020 + check_random() % 6) << 52;
		return kind == 1 ? (bits & UINT64_C(0x800fffffffffffff)) | (900 + check_random() % 240) << 52
		                 : bits;
	}
	if (t > M_F64 || t == M_S32)
		return bits & (matrix_bits(t) == 64 ? ~UINT64_C(0) : (UINT64_C(1) << matrix_bits(t)) - 1);
	int e = exponent_bits[t], f = fraction_bits[t], bias = (1 << (e - 1)) - 1, field;
	uint64_t random = check_random() >> 11;
	if (kind == 0)
		field = bias - 2 + (int)(random % 4);
	else if (kind == 1)
		field = e == 8 ? bias - 25 + (int)(random % 50) : (int)(random % ((1u << e) - 1));
	else
		field = random % 16
		            ? (e == 8 ? bias - 60 + (int)(random / 16 % 120) : (int)(random / 16 % (1u << e)))
		            : (random / 16 % 2 ? (1 << e) - 1 : 0);
	uint64_t fraction = bits & ((UINT64_C(1) << f) - 1), sign = check_random() >> 9 & 1;
	if (kind == 2 && random % 5 == 0)
		fraction = 0;
	/* The NaN and the infinity of e4m3 are only among anything. */
	if (kind != 2 && t == M_E4M3 && field == 15 && fraction == 7)
		fraction = 6;
	bits = sign << (e + f) | (uint64_t)field << f | fraction;
	return t == M_TF32 ? bits << 13 | (check_random() & 0x1fff) : bits;
}

#endif
