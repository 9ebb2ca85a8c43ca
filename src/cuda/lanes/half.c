/*
 * f16 and bf16 arithmetic, alone and in pairs.
 *
 * A lane array of pairs is an array of twice as many halves. Values are computed
 * as doubles, in which products are exact and sums rounded to odd, and rounded
 * once to the half. NaN results are 0x7fff. Compares are in compare.c.
 */
#include <math.h>

#include "cuda/lanes/convert.h"

/* ---- scalar -------------------------------------------------------------------------------------------- */

LANE_INLINE uint16_t flush_f16(uint16_t x)
{
	return x & (x & 0x7c00 ? 0xffff : 0x8000);
}
LANE_INLINE uint16_t flush_bf16(uint16_t x)
{
	return x & (x & 0x7f80 ? 0xffff : 0x8000);
}
LANE_INLINE bool is_nan_f16(uint16_t x)
{
	return (x & 0x7fff) > 0x7c00;
}
LANE_INLINE bool is_nan_bf16(uint16_t x)
{
	return (x & 0x7fff) > 0x7f80;
}
/* Orders halves as integers, -0 below +0. */
LANE_INLINE int order(uint16_t x)
{
	return x & 0x8000 ? -(x & 0x7fff) - 1 : x;
}
LANE_INLINE uint16_t clamp_none(uint16_t x, bool is_nan, uint16_t one)
{
	(void)one;
	return is_nan ? 0x7fff : x;
}
LANE_INLINE uint16_t clamp_sat(uint16_t x, bool is_nan, uint16_t one)
{
	return is_nan || x & 0x8000 ? 0 : x > one ? one : x;
}
LANE_INLINE uint16_t clamp_relu(uint16_t x, bool is_nan, uint16_t one)
{
	(void)one;
	return is_nan ? 0x7fff : x & 0x8000 ? 0 : x;
}
/* A NaN loses against a number, or wins with .NaN. */
LANE_INLINE uint16_t extreme(uint16_t x, uint16_t y, bool x_nan, bool y_nan, bool is_min, bool nan_wins)
{
	uint16_t chosen = (is_min ? order(x) < order(y) : order(x) > order(y)) ? x : y;
	bool is_nan = nan_wins ? x_nan || y_nan : x_nan && y_nan;
	return is_nan ? 0x7fff : x_nan ? y : y_nan ? x : chosen;
}
LANE_INLINE uint16_t xor_sign(uint16_t magnitude, bool is_nan, uint16_t x, uint16_t y)
{
	return is_nan ? 0x7fff : (uint16_t)((magnitude & 0x7fff) | ((x ^ y) & 0x8000));
}

enum { ONE_f16 = 0x3c00, ONE_bf16 = 0x3f80 };
#define DOUBLE_f16(x) (double)lane_f16_to_f32(x)
#define DOUBLE_bf16(x) (double)lane_bf16_to_f32(x)
#define FLUSH_ftz(kind, x) flush_##kind(x)
#define FLUSH_(kind, x) (x)
/* A result is flushed that is too small even after rounding as if exponents had no end (see float.h). */
#define SMALLEST_f16 (0x1p-14 * (1 - 0x1p-12))
#define SMALLEST_bf16 (0x1p-126 * (1 - 0x1p-9))
#define TINY_(kind, x) (x)
#define TINY_ftz(kind, x) (fabs(x) < SMALLEST_##kind ? copysign(0, x) : (x))

/* ---- loops --------------------------------------------------------------------------------------------- */

#define LOAD(kind, ftz, p) DOUBLE_##kind(FLUSH_##ftz(kind, p[i]))
#define FINISH(kind, ftz, clamp, value)                                                                      \
	double result = value;                                                                               \
	uint16_t half = LANE_HALF_##kind(TINY_##ftz(kind, result), FE_TONEAREST);                            \
	r[i] = clamp_##clamp(half, is_nan_##kind(half), ONE_##kind);
#define DEFINE_1(op, kind, ftz, clamp, expression)                                                           \
	static void op##_##kind##_##ftz##_##clamp(lane_u16 *r, const lane_u16 *p, unsigned count)            \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			double x = LOAD(kind, ftz, p);                                                       \
			FINISH(kind, ftz, clamp, expression)                                                 \
		}                                                                                            \
	}                                                                                                    \
	WRAP(op##_##kind##_##ftz##_##clamp, dst, a)
#define DEFINE_2(op, kind, ftz, clamp, expression)                                                           \
	static void op##_##kind##_##ftz##_##clamp(lane_u16 *r, const lane_u16 *p, const lane_u16 *q,         \
	                                          unsigned count)                                            \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			double x = LOAD(kind, ftz, p), y = LOAD(kind, ftz, q);                               \
			FINISH(kind, ftz, clamp, expression)                                                 \
		}                                                                                            \
	}                                                                                                    \
	WRAP(op##_##kind##_##ftz##_##clamp, dst, a, b)
#define DEFINE_3(op, kind, ftz, clamp, expression)                                                           \
	static void op##_##kind##_##ftz##_##clamp(lane_u16 *r, const lane_u16 *p, const lane_u16 *q,         \
	                                          const lane_u16 *s, unsigned count)                         \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			double x = LOAD(kind, ftz, p), y = LOAD(kind, ftz, q), z = LOAD(kind, ftz, s);       \
			FINISH(kind, ftz, clamp, expression)                                                 \
		}                                                                                            \
	}                                                                                                    \
	WRAP(op##_##kind##_##ftz##_##clamp, dst, a, b, c)
/* One half per lane, and two. */
#define WRAP(name, ...)                                                                                      \
	LANE_COLD void name##_1(LANE_PARAMETERS)                                                             \
	{                                                                                                    \
		LANE_UNUSED;                                                                                 \
		name(__VA_ARGS__, lanes);                                                                    \
	}                                                                                                    \
	LANE_COLD void name##_2(LANE_PARAMETERS)                                                             \
	{                                                                                                    \
		LANE_UNUSED;                                                                                 \
		name(__VA_ARGS__, 2 * lanes);                                                                \
	}

#define CLAMPS(X, op, kind, ftz, expression)                                                                 \
	X(op, kind, ftz, none, expression)                                                                   \
	X(op, kind, ftz, sat, expression) X(op, kind, ftz, relu, expression)
#define KINDS(X, op, expression)                                                                             \
	CLAMPS(X, op, f16, , expression)                                                                     \
	CLAMPS(X, op, f16, ftz, expression)                                                                  \
	CLAMPS(X, op, bf16, , expression) CLAMPS(X, op, bf16, ftz, expression)
#define FORMS_1(X) KINDS(X, ex2, exp2(x)) KINDS(X, tanh, tanh(x))
#define FORMS_2(X)                                                                                           \
	KINDS(X, add, lane_sum_to_odd(x, y)) KINDS(X, sub, lane_sum_to_odd(x, -y)) KINDS(X, mul, x *y)
#define FORMS_3(X) KINDS(X, fma, lane_sum_to_odd(x *y, z))
FORMS_1(DEFINE_1)
FORMS_2(DEFINE_2)
FORMS_3(DEFINE_3)

/* min and max: X(op, name, flags, is_min, nan_wins) */
#define EXTREMES(X, kind, ftz)                                                                               \
	X(min, kind, ftz, none, true, false)                                                                 \
	X(min, kind, ftz, nan, true, true)                                                                   \
	X(max, kind, ftz, none, false, false) X(max, kind, ftz, nan, false, true)
#define DEFINE_EXTREME(op, kind, ftz, nans, is_min, nan_wins)                                                \
	static void op##_##kind##_##ftz##_##nans(lane_u16 *r, const lane_u16 *p, const lane_u16 *q,          \
	                                         unsigned count)                                             \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			uint16_t x = FLUSH_##ftz(kind, p[i]), y = FLUSH_##ftz(kind, q[i]);                   \
			r[i] = extreme(x, y, is_nan_##kind(x), is_nan_##kind(y), is_min, nan_wins);          \
		}                                                                                            \
	}                                                                                                    \
	static void op##_abs_##kind##_##ftz##_##nans(lane_u16 *r, const lane_u16 *p, const lane_u16 *q,      \
	                                             unsigned count)                                         \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			uint16_t x = FLUSH_##ftz(kind, p[i]), y = FLUSH_##ftz(kind, q[i]);                   \
			uint16_t size = extreme(x & 0x7fff, y & 0x7fff, is_nan_##kind(x), is_nan_##kind(y),  \
			                        is_min, nan_wins);                                           \
			r[i] = xor_sign(size, is_nan_##kind(size), x, y);                                    \
		}                                                                                            \
	}                                                                                                    \
	WRAP(op##_##kind##_##ftz##_##nans, dst, a, b)                                                        \
	WRAP(op##_abs_##kind##_##ftz##_##nans, dst, a, b)
#define ALL_EXTREMES(X) EXTREMES(X, f16, ) EXTREMES(X, f16, ftz) EXTREMES(X, bf16, ) EXTREMES(X, bf16, ftz)
ALL_EXTREMES(DEFINE_EXTREME)

/* neg and abs are arithmetic, too: a NaN becomes the canonical one. */
#define DEFINE_BITS(op, kind, ftz, expression)                                                               \
	static void op##_##kind##_##ftz(lane_u16 *r, const lane_u16 *p, unsigned count)                      \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++) {                                                       \
			uint16_t x = FLUSH_##ftz(kind, p[i]);                                                \
			r[i] = is_nan_##kind(x) ? 0x7fff : (uint16_t)(expression);                           \
		}                                                                                            \
	}                                                                                                    \
	WRAP(op##_##kind##_##ftz, dst, a)
/* clang-format off */
#define ALL_BITS(X)                                                                                          \
	X(neg, f16, , x ^ 0x8000)                                                                            \
	X(neg, f16, ftz, x ^ 0x8000)                                                                         \
	X(neg, bf16, , x ^ 0x8000) X(abs, f16, , x & 0x7fff) X(abs, f16, ftz, x & 0x7fff)                    \
	    X(abs, bf16, , x & 0x7fff)
/* clang-format on */
ALL_BITS(DEFINE_BITS)

/* ---- choice -------------------------------------------------------------------------------------------- */

enum {
	FLAGS_ftz = PTX_FLAG_FTZ,
	FLAGS_ = 0,
	FLAGS_none = 0,
	FLAGS_sat = PTX_FLAG_SAT,
	FLAGS_relu = PTX_FLAG_RELU,
	FLAGS_nan = PTX_FLAG_NAN
};
#define BOTH(op, kind, flags, name)                                                                          \
	{PTX_##op, PTX_TYPE_##kind, 0, 0, 0, flags, name##_1, name##_1},                                     \
	    {PTX_##op, PTX_TYPE_##kind##x2, 0, 0, 0, flags, name##_2, name##_2},
#define ENTRY(op, kind, ftz, clamp, ...)                                                                     \
	BOTH(op, kind, FLAGS_##ftz | FLAGS_##clamp, op##_##kind##_##ftz##_##clamp)
#define ENTRY_EXTREME(op, kind, ftz, nans, ...)                                                              \
	BOTH(op, kind, FLAGS_##ftz | FLAGS_##nans, op##_##kind##_##ftz##_##nans)                             \
	BOTH(op, kind, FLAGS_##ftz | FLAGS_##nans | PTX_FLAG_SHIFTAMT, op##_abs_##kind##_##ftz##_##nans)
#define ENTRY_BITS(op, kind, ftz, ...) BOTH(op, kind, FLAGS_##ftz, op##_##kind##_##ftz)
static const struct lane_form forms[] = {FORMS_1(ENTRY) FORMS_2(ENTRY) FORMS_3(ENTRY)
                                             ALL_EXTREMES(ENTRY_EXTREME) ALL_BITS(ENTRY_BITS)};

lane_fn *lane_find_half(const struct ptx_insn *insn)
{
	if (insn->round != PTX_ROUND_none && insn->round != PTX_ROUND_rn)
		return NULL;
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .flags = insn->flags & LANE_FLAGS & (uint16_t)~PTX_FLAG_APPROX};
	return LANE_FORM_FIND(forms, &want);
}
