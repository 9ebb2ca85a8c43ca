/*
 * One element of a floating-point product, as the tensor cores of Hopper compute it.
 *
 * The model, from public studies: Fasi, Higham, Mikaitis and Pranesh, "Numerical behavior of NVIDIA tensor cores",
 * PeerJ CS 7:e330, 2021; Khattak and Mikaitis, "Accurate Models of NVIDIA Tensor Cores", arXiv:2512.07004; Xie et
 * al., "MMA-Sim: Bit-Accurate Reference Model of Tensor Cores and Matrix Cores", arXiv:2511.10909.
 *
 *  1. Products are exact. A product's exponent is the sum of its factors' exponents; its significand, in [0, 4), is
 *     not normalized. Subnormal numbers count with the smallest exponent of their type, as their significand is less
 *     than one; the exponent of zero is -126.
 *  2. All products of a block, and the addend c, are shifted to the largest exponent among them, and cut off behind
 *     25 bits after the point, towards zero.
 *  3. What is left is added exactly, without rounding in between.
 *  4. The sum is normalized and cut off to single precision, towards zero; half precision is rounded to nearest,
 *     ties to even. Beyond the largest number lies infinity.
 *  5. A NaN, infinity times zero, and infinities of both signs give the NaN with all bits set.
 *
 * A block is all of k (16 of f16 and bf16, 8 of tf32, but 4 of tf32 in wmma), a further block goes onto the result of
 * the one before. What the hardware has no unit for: the four products of m8n8k4 are a chain of FFMA that begins with
 * zero, and c is added last, in single precision, rounded to nearest; and so it is to 8-bit floats, of which those at the even pairs of k (0, 1, 4, 5 ...) are summed first and the others go onto that sum, as F2FP unpacks them.
 * This and the 25 bits were checked on an H200 with 38400 random sums of e4m3, without a difference.
 * tf32 are the upper 19 bits of single precision; the others are ignored.
 * The units of wgmma for 8-bit floats, which mma.sync does not use, take 32 products at once and keep 13 bits behind the point
 * (MMA-Sim; not checked here).
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "cuda/tensor/tensor.h"

enum {
	FRACTION_BITS = 25, /* behind the point of the aligned sum */
	SHORT_BITS = 13,    /* the same of 8-bit floats in wgmma */
	ZERO_EXPONENT = -126,
	EIGHT_BIT_BLOCK = 16
};

/* A number: significand x 2^(exponent - bits), where significand < 2^(bits + 1). */
struct number {
	int32_t significand; /* with its sign */
	int exponent;
	bool is_nan, is_infinite, is_negative;
};

struct float_type {
	uint8_t exponent_bits, fraction_bits;
	bool has_infinity; /* else the largest code is NaN and the rest are numbers: e4m3 */
};

static struct float_type float_type(enum ptx_type type)
{
	switch (type) {
	case PTX_TYPE_f16:
		return (struct float_type){5, 10, true};
	case PTX_TYPE_bf16:
		return (struct float_type){8, 7, true};
	case PTX_TYPE_tf32:
		return (struct float_type){8, 10, true};
	case PTX_TYPE_e4m3:
		return (struct float_type){4, 3, false};
	case PTX_TYPE_e5m2:
		return (struct float_type){5, 2, true};
	default:
		return (struct float_type){8, 23, true};
	}
}

static struct number number_of(uint32_t bits, struct float_type t)
{
	uint32_t fraction = bits & ((1u << t.fraction_bits) - 1);
	uint32_t field = bits >> t.fraction_bits & ((1u << t.exponent_bits) - 1);
	uint32_t top = (1u << t.exponent_bits) - 1;
	int bias = (1 << (t.exponent_bits - 1)) - 1;
	struct number n = {.is_negative = bits >> (t.exponent_bits + t.fraction_bits) & 1};
	if (field == top && (t.has_infinity || fraction == (1u << t.fraction_bits) - 1)) {
		n.is_nan = !t.has_infinity || fraction;
		n.is_infinite = !n.is_nan;
		return n;
	}
	n.significand = (int32_t)(field ? fraction | 1u << t.fraction_bits : fraction);
	n.exponent = n.significand ? (int)(field ? field : 1) - bias : ZERO_EXPONENT;
	if (n.is_negative)
		n.significand = -n.significand;
	return n;
}

/* The element of a row, as bits at the lower end. */
static uint32_t element(const uint8_t *row, unsigned i, enum ptx_type type)
{
	uint16_t half;
	uint32_t word;
	switch (type) {
	case PTX_TYPE_e4m3:
	case PTX_TYPE_e5m2:
		return row[i];
	case PTX_TYPE_tf32:
		memcpy(&word, row + 4 * (size_t)i, sizeof word);
		return word >> 13;
	default:
		memcpy(&half, row + 2 * (size_t)i, sizeof half);
		return half;
	}
}

/* ---- the sum --------------------------------------------------------------------------------------------- */

struct term {
	int64_t significand; /* x 2^(exponent - FRACTION_BITS) */
	int exponent;
};

struct sum {
	struct term terms[TENSOR_K_MAX + 1];
	unsigned count;
	bool is_nan, has_plus_infinity, has_minus_infinity;
};

static void sum_add_infinity(struct sum *s, bool is_negative)
{
	s->has_minus_infinity |= is_negative;
	s->has_plus_infinity |= !is_negative;
}

static void sum_add_product(struct sum *s, struct number x, struct number y, unsigned fraction_bits)
{
	bool has_infinity = x.is_infinite || y.is_infinite;
	bool has_zero = (!x.is_infinite && !x.significand) || (!y.is_infinite && !y.significand);
	if (x.is_nan || y.is_nan || (has_infinity && has_zero))
		s->is_nan = true;
	else if (has_infinity)
		sum_add_infinity(s, x.is_negative != y.is_negative);
	else
		s->terms[s->count++] = (struct term){((int64_t)x.significand * y.significand) *
		                                         (1 << (FRACTION_BITS - fraction_bits)),
		                                     x.exponent + y.exponent};
}

static void sum_add(struct sum *s, struct number x, unsigned fraction_bits)
{
	if (x.is_nan)
		s->is_nan = true;
	else if (x.is_infinite)
		sum_add_infinity(s, x.is_negative);
	else
		s->terms[s->count++] = (struct term){
		    (int64_t)x.significand * (1 << (FRACTION_BITS - fraction_bits)), x.exponent};
}

/* Aligned, cut off and added: x 2^(exponent - FRACTION_BITS). */
static struct term sum_total(const struct sum *s, unsigned bits)
{
	int64_t unit = (int64_t)1 << (FRACTION_BITS - bits);
	struct term total = {0, s->terms[0].exponent};
	for (unsigned i = 1; i < s->count; i++)
		if (s->terms[i].exponent > total.exponent)
			total.exponent = s->terms[i].exponent;
	for (unsigned i = 0; i < s->count; i++) {
		int shift = total.exponent - s->terms[i].exponent;
		int64_t v = s->terms[i].significand;
		if (shift < 63)
			total.significand += (v < 0 ? -(-v >> shift) : v >> shift) / unit * unit;
	}
	return total;
}

/* ---- the result ------------------------------------------------------------------------------------------ */

/* magnitude x 2^scale as a number of `t`; cut off, or rounded to nearest. */
static uint32_t pack(uint64_t magnitude, int scale, struct float_type t, bool to_nearest)
{
	int bias = (1 << (t.exponent_bits - 1)) - 1, lowest = 1 - bias;
	if (!magnitude)
		return 0;
	int exponent = scale + 63 - __builtin_clzll(magnitude);
	int unit = (exponent < lowest ? lowest : exponent) - t.fraction_bits; /* of the last place */
	int shift = unit - scale;
	uint64_t kept = shift <= 0 ? magnitude << -shift : shift > 63 ? 0 : magnitude >> shift;
	if (to_nearest && shift > 0 && shift <= 63) {
		uint64_t rest = magnitude & ((UINT64_C(1) << shift) - 1), half = UINT64_C(1) << (shift - 1);
		kept += rest > half || (rest == half && kept & 1);
	}
	/* Normal numbers have their leading one in the exponent's field; a carry out of the fraction moves it on. */
	uint64_t field = exponent < lowest ? 0 : (uint64_t)(exponent + bias - 1);
	uint64_t bits = kept + (field << t.fraction_bits);
	uint64_t infinity = (uint64_t)((1u << t.exponent_bits) - 1) << t.fraction_bits;
	return (uint32_t)(bits < infinity ? bits : infinity);
}

static uint32_t sum_result_of(const struct sum *s, enum ptx_type type, unsigned bits)
{
	bool is_half = type == PTX_TYPE_f16;
	struct float_type t = float_type(type);
	uint32_t sign = is_half ? 0x8000u : 0x80000000u;
	if (s->is_nan || (s->has_plus_infinity && s->has_minus_infinity))
		return is_half ? 0x7fffu : 0x7fffffffu;
	if (s->has_plus_infinity || s->has_minus_infinity)
		return (is_half ? 0x7c00u : 0x7f800000u) | (s->has_minus_infinity ? sign : 0);
	struct term total = sum_total(s, bits);
	bool is_negative = total.significand < 0;
	uint64_t magnitude = (uint64_t)(is_negative ? -total.significand : total.significand);
	return pack(magnitude, total.exponent - FRACTION_BITS, t, is_half) | (is_negative ? sign : 0);
}

static uint32_t sum_result(const struct sum *s, enum ptx_type type)
{
	return sum_result_of(s, type, FRACTION_BITS);
}

/* ---- elements -------------------------------------------------------------------------------------------- */

/* Products number first, first + 1, and so on with every `step`th pair, `count` in all. */
static void sum_add_block(struct sum *s, const struct tensor_op *op, const uint8_t *a, const uint8_t *b,
                          unsigned first, unsigned step, unsigned count)
{
	struct float_type ta = float_type(op->type_a), tb = float_type(op->type_b);
	for (unsigned n = 0; n < count; n++) {
		unsigned i = first + n / 2 * 2 * step + n % 2;
		sum_add_product(s, number_of(element(a, i, op->type_a), ta),
		                number_of(element(b, i, op->type_b), tb),
		                (unsigned)(ta.fraction_bits + tb.fraction_bits));
	}
}

static float bits_float(uint32_t bits)
{
	float f;
	memcpy(&f, &bits, sizeof f);
	return f;
}

/* c onto a sum of single precision, where D and C are single as well; else as one more sum. */
static uint32_t add_last(const struct tensor_op *op, uint32_t partial, uint32_t c)
{
	struct float_type t = float_type(op->type_c);
	if (op->type_d == PTX_TYPE_f16 || op->type_c == PTX_TYPE_f16) {
		struct sum s = {.count = 0};
		sum_add(&s, number_of(partial, float_type(PTX_TYPE_f32)), 23);
		sum_add(&s, number_of(c, t), t.fraction_bits);
		return sum_result(&s, op->type_d);
	}
	float total = bits_float(partial) + bits_float(c);
	uint32_t bits;
	memcpy(&bits, &total, sizeof bits);
	return total != total ? 0x7fffffffu : bits;
}

static uint32_t eight_bit_element(const struct tensor_op *op, const uint8_t *a, const uint8_t *b, uint32_t c)
{
	uint32_t partial = 0;
	unsigned blocks = op->k / EIGHT_BIT_BLOCK;
	for (unsigned i = 0; i < blocks; i++) {
		struct sum s = {.count = 0};
		sum_add(&s, number_of(partial, float_type(PTX_TYPE_f32)), 23);
		sum_add_block(&s, op, a, b, 2 * i, blocks, EIGHT_BIT_BLOCK);
		partial = sum_result(&s, PTX_TYPE_f32);
	}
	return add_last(op, partial, c);
}

/* A half as single precision. */
static float wide(uint32_t bits)
{
	struct number n = number_of(bits, float_type(PTX_TYPE_f16));
	if (n.is_nan)
		return bits_float(0x7fffffffu);
	float magnitude = n.is_infinite ? INFINITY : ldexpf((float)abs(n.significand), n.exponent - 10);
	return n.is_negative ? -magnitude : magnitude;
}

static uint32_t four_products(const struct tensor_op *op, const uint8_t *a, const uint8_t *b, uint32_t c)
{
	float sum = 0;
	uint32_t bits;
	for (unsigned i = 0; i < op->k; i++)
		sum = fmaf(wide(element(a, i, op->type_a)), wide(element(b, i, op->type_b)), sum);
	memcpy(&bits, &sum, sizeof bits);
	return add_last(op, bits, c);
}

/* All products and the addend in one block, cut off early; so is what single precision has behind those bits. */
static uint32_t short_element(const struct tensor_op *op, const uint8_t *a, const uint8_t *b, uint32_t c)
{
	struct float_type t = float_type(op->type_c);
	struct sum s = {.count = 0};
	sum_add(&s, number_of(c, t), t.fraction_bits);
	sum_add_block(&s, op, a, b, 0, 1, op->k);
	uint32_t bits = sum_result_of(&s, op->type_d, SHORT_BITS);
	bool is_number = (bits & 0x7f800000u) != 0x7f800000u;
	return op->type_d == PTX_TYPE_f32 && is_number ? bits & ~((1u << (23 - SHORT_BITS)) - 1) : bits;
}

uint32_t tensor_element(const struct tensor_op *op, const uint8_t *a, const uint8_t *b, uint32_t c)
{
	if (op->is_short)
		return short_element(op, a, b, c);
	if (op->type_a == PTX_TYPE_e4m3 || op->type_a == PTX_TYPE_e5m2)
		return eight_bit_element(op, a, b, c);
	if (op->adds_last)
		return four_products(op, a, b, c);
	struct float_type t = float_type(op->type_c);
	unsigned block = op->block ? op->block : op->k;
	for (unsigned first = 0; first < op->k; first += block) {
		struct sum s = {.count = 0};
		sum_add(&s, number_of(c, t), t.fraction_bits);
		sum_add_block(&s, op, a, b, first, 1, block);
		c = sum_result(&s, op->type_d);
	}
	return c;
}
