/*
 * f32 arithmetic: add, sub, mul, fma, mad in four roundings, min, max, abs, neg,
 * copysign, testp. Exact as IEEE 754 and PTX say: .ftz flushes sources and results,
 * .sat clamps to [0, 1], NaN results are canonical. Division, roots and what GPUs
 * approximate are in special.c.
 */
#include <math.h>

#include "cuda/lanes/float.h"
#include "cuda/lanes/host.h"

/* ---- fma ----------------------------------------------------------------------------------------------- */

/* Without FMA instructions: the product of two floats is exact as a double, the sum is rounded to odd there. */
LANE_INLINE float fma_by_double(float x, float y, float z)
{
	return (float)lane_sum_to_odd((double)x * y, z);
}

#if defined(__x86_64__)
#define FMA_base_rn(x, y, z) fma_by_double(x, y, z)
#else
#define FMA_base_rn(x, y, z) __builtin_fmaf(x, y, z)
#endif
/* The library's software fma honours the rounding mode. */
#define FMA_base_rz(x, y, z) __builtin_fmaf(x, y, z)

#define FMA_LOOP_rn(r, p, q, s) LANE_LOOP(i)(r)[i] = FMA_base_rn((p)[i], (q)[i], (s)[i])
#define FMA_LOOP_rz(r, p, q, s) LANE_LOOP(i)(r)[i] = FMA_base_rz((p)[i], (q)[i], (s)[i])
#define FMA_LOOP_rm FMA_LOOP_rz
#define FMA_LOOP_rp FMA_LOOP_rz
#define FMA_HOST(r, p, q, s) lane_fma_f32(r, p, q, s, lanes)

/* Stages, each of which vectorizes by itself: flush, multiply and add, finish. */
#define FLUSH_(to, from) const lane_f32 *to = from;
#define FLUSH_ftz(to, from)                                                                                  \
	float to[LANES_MAX];                                                                                 \
	LANE_LOOP(i) to[i] = lane_flush_f32(((const lane_f32 *)from)[i]);
#define SCALE_(multiply_add)
#define SCALE_ftz(multiply_add)                                                                              \
	LANE_LOOP(i) p[i] *= LANE_SCALE;                                                                     \
	LANE_LOOP(i) s[i] *= LANE_SCALE;                                                                     \
	multiply_add(scaled, p, q, s);
#define FMA_STAGES(round, ftz, sat, multiply_add)                                                            \
	float t[LANES_MAX], scaled[LANES_MAX];                                                               \
	lane_f32 *r = dst;                                                                                   \
	LANE_UNUSED;                                                                                         \
	(void)scaled;                                                                                        \
	FLUSH_##ftz(p, a);                                                                                   \
	FLUSH_##ftz(q, b);                                                                                   \
	FLUSH_##ftz(s, c);                                                                                   \
	LANE_ROUND_BEGIN_##round multiply_add(t, p, q, s);                                                   \
	SCALE_##ftz(multiply_add) LANE_ROUND_END_##round LANE_LOOP(i) r[i] =                                 \
	    LANE_SAT_##sat(LANE_TINY_##ftz(t[i], scaled[i]));
#define DEFINE_FMA(op, round, ftz, sat, ...)                                                                 \
	static void op##_##round##_##ftz##_##sat##_base(LANE_PARAMETERS){FMA_STAGES(                         \
	    round, ftz, sat,                                                                                 \
	    FMA_LOOP_##round)} LANE_WIDE static void op##_##round##_##ftz##_##sat##_wide(LANE_PARAMETERS)    \
	{                                                                                                    \
		FMA_STAGES(round, ftz, sat, FMA_HOST)                                                        \
	}

/* ---- two operands -------------------------------------------------------------------------------------- */

#define DEFINE_2(op, round, ftz, sat, expression, scaled)                                                    \
	LANE_FUNCTION(                                                                                       \
	    op##_##round##_##ftz##_##sat, const lane_f32 *p = a; const lane_f32 *q = b; lane_f32 *r = dst;   \
	    LANE_ROUND_BEGIN_##round LANE_LOOP(i) {                                                          \
		    float x = LANE_FTZ_##ftz(p[i]);                                                          \
		    float y = LANE_FTZ_##ftz(q[i]);                                                          \
		    r[i] = LANE_SAT_##sat(LANE_TINY_##ftz(expression, scaled));                              \
	    } LANE_ROUND_END_##round)

#define ROUNDINGS(X, op, ...)                                                                                \
	VARIANTS(X, op, rn, __VA_ARGS__)                                                                     \
	VARIANTS(X, op, rz, __VA_ARGS__) VARIANTS(X, op, rm, __VA_ARGS__) VARIANTS(X, op, rp, __VA_ARGS__)
#define VARIANTS(X, op, round, ...)                                                                          \
	X(op, round, , , __VA_ARGS__)                                                                        \
	X(op, round, ftz, , __VA_ARGS__) X(op, round, , sat, __VA_ARGS__) X(op, round, ftz, sat, __VA_ARGS__)

/* Small sums are exact. */
#define FORMS_2(X)                                                                                           \
	ROUNDINGS(X, add, x + y, (x + y) * LANE_SCALE)                                                       \
	ROUNDINGS(X, sub, x - y, (x - y) * LANE_SCALE) ROUNDINGS(X, mul, x *y, (x * LANE_SCALE) * y)
#define FORMS_FMA(X) ROUNDINGS(X, fma, )
FORMS_2(DEFINE_2)
FORMS_FMA(DEFINE_FMA)

/* ---- min, max and bits --------------------------------------------------------------------------------- */

/* Orders floats as integers, -0 below +0. */
LANE_INLINE int32_t order(float x)
{
	int32_t bits = (int32_t)lane_bits_f32(x);
	return bits ^ (bits >> 31 & 0x7fffffff);
}
/* A NaN loses against a number: NaN only if both are. */
LANE_INLINE float pick(float x, float y, bool first)
{
	float chosen = x != x ? y : y != y ? x : first ? x : y;
	return lane_canonical_f32(chosen);
}
LANE_INLINE float pick_nan(float x, float y, bool first)
{
	return ((x != x) | (y != y)) ? lane_float_f32(LANE_NAN_F32) : first ? x : y;
}
#define MIN pick(x, y, order(x) < order(y))
#define MAX pick(x, y, order(x) > order(y))
#define MIN_NAN pick_nan(x, y, order(x) < order(y))
#define MAX_NAN pick_nan(x, y, order(x) > order(y))
/* .xorsign.abs: of the magnitudes; the sign is the product's. */
LANE_INLINE float xor_sign(float magnitude, float x, float y)
{
	uint32_t sign = (lane_bits_f32(x) ^ lane_bits_f32(y)) & 0x80000000u;
	return magnitude != magnitude ? magnitude
	                              : lane_float_f32((lane_bits_f32(magnitude) & 0x7fffffff) | sign);
}
LANE_INLINE float extreme_abs(float x, float y, bool is_min, bool is_nan)
{
	float p = lane_float_f32(lane_bits_f32(x) & 0x7fffffff),
	      q = lane_float_f32(lane_bits_f32(y) & 0x7fffffff);
	bool first = is_min ? order(p) < order(q) : order(p) > order(q);
	return xor_sign(is_nan ? pick_nan(p, q, first) : pick(p, q, first), x, y);
}

/* X(op, flags, expression), plain and flushed */
#define FORMS_MINMAX(X)                                                                                      \
	X(min, 0, MIN)                                                                                       \
	X(max, 0, MAX)                                                                                       \
	X(min, NAN, MIN_NAN)                                                                                 \
	X(max, NAN, MAX_NAN)                                                                                 \
	X(min, SHIFTAMT, extreme_abs(x, y, true, false))                                                     \
	X(max, SHIFTAMT, extreme_abs(x, y, false, false))                                                    \
	X(min, BOTH, extreme_abs(x, y, true, true))                                                          \
	X(max, BOTH, extreme_abs(x, y, false, true))
enum {
	FLAGS_0 = 0,
	FLAGS_NAN = PTX_FLAG_NAN,
	FLAGS_SHIFTAMT = PTX_FLAG_SHIFTAMT,
	FLAGS_BOTH = PTX_FLAG_NAN | PTX_FLAG_SHIFTAMT,
	FLAGS_ftz = PTX_FLAG_FTZ,
	FLAGS_sat = PTX_FLAG_SAT,
	FLAGS_ = 0
};
#define DEFINE_MINMAX(op, flags, expression)                                                                 \
	DEFINE_2(op##_##flags, rn, , , expression, 1) DEFINE_2(op##_##flags, rn, ftz, , expression, 1)
FORMS_MINMAX(DEFINE_MINMAX)

/* Arithmetic, too: a NaN becomes the canonical one. copysign is bits only. */
LANE_MAP1(neg, f32, f32, lane_canonical_f32(-x))
LANE_MAP1(abs, f32, f32, lane_canonical_f32(__builtin_fabsf(x)))
LANE_MAP1(neg_ftz, f32, f32, lane_canonical_f32(-lane_flush_f32(x)))
LANE_MAP1(abs_ftz, f32, f32, lane_canonical_f32(__builtin_fabsf(lane_flush_f32(x))))
LANE_MAP2(copysign, u32, u32, u32, (x & 0x80000000u) | (y & 0x7fffffffu))

/* Zero counts as normal. */
/* clang-format off */
#define TESTS(X)                                                                                             \
	X(finite, m < 0x7f800000)                                                                            \
	X(infinite, m == 0x7f800000)                                                                         \
	X(number, m <= 0x7f800000) X(notanumber, m > 0x7f800000)                                             \
	    X(normal, m == 0 || (m >= 0x00800000 && m < 0x7f800000)) X(subnormal, m > 0 && m < 0x00800000)
/* clang-format on */
#define DEFINE_TEST(name, expression)                                                                        \
	LANE_FUNCTION(                                                                                       \
	    testp_##name, const lane_u32 *p = a; lane_u32 *r = dst; LANE_LOOP(i) {                           \
		    uint32_t m = p[i] & 0x7fffffff;                                                          \
		    r[i] = (expression) ? UINT32_MAX : 0;                                                    \
	    })
TESTS(DEFINE_TEST)

/* ---- choice -------------------------------------------------------------------------------------------- */

#define ENTRY(op, round, ftz, sat, ...)                                                                      \
	LANE_FORM(op, f32, none, round, FLAGS_##ftz | FLAGS_##sat, op##_##round##_##ftz##_##sat)
#define ENTRY_MAD(op, round, ftz, sat, ...)                                                                  \
	LANE_FORM(mad, f32, none, round, FLAGS_##ftz | FLAGS_##sat, op##_##round##_##ftz##_##sat)
#define ENTRY_MINMAX(op, flags, ...)                                                                         \
	LANE_FORM(op, f32, none, none, FLAGS_##flags, op##_##flags##_rn__)                                   \
	LANE_FORM(op, f32, none, none, FLAGS_##flags | PTX_FLAG_FTZ, op##_##flags##_rn_ftz_)
#define ENTRY_TEST(name, ...) LANE_FORM(testp, f32, name, none, 0, testp_##name)
static const struct lane_form forms[] = {
    FORMS_2(ENTRY) FORMS_FMA(ENTRY) FORMS_FMA(ENTRY_MAD) FORMS_MINMAX(ENTRY_MINMAX) TESTS(ENTRY_TEST)
        LANE_FORM(neg, f32, none, none, 0, neg) LANE_FORM(neg, f32, none, none, PTX_FLAG_FTZ, neg_ftz)
            LANE_FORM(abs, f32, none, none, 0, abs) LANE_FORM(abs, f32, none, none, PTX_FLAG_FTZ, abs_ftz)
                LANE_FORM(copysign, f32, none, none, 0, copysign)};

lane_fn *lane_find_f32(const struct ptx_insn *insn)
{
	if (insn->type != PTX_TYPE_f32)
		return NULL;
	bool rounds = insn->op == PTX_add || insn->op == PTX_sub || insn->op == PTX_mul ||
	              insn->op == PTX_fma || insn->op == PTX_mad;
	bool is_default = rounds && insn->round == PTX_ROUND_none;
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .mode = insn->mode,
	                         .round = is_default ? (uint8_t)PTX_ROUND_rn : insn->round,
	                         .flags = insn->flags & LANE_FLAGS};
	return LANE_FORM_FIND(forms, &want);
}
