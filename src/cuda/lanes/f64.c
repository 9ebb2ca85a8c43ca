/*
 * f64 arithmetic: add, sub, mul, fma, mad, div, rcp, sqrt in four roundings, min,
 * max, abs, neg, copysign, testp; and the approximations that PTX has for f64.
 *
 * What a NaN holds is not specified for f64. We do what GPUs do: the last NaN
 * among the sources (of a division the first, of fma the second, third, first), quiet; 0xfff8000000000000 if
 * there was none.
 */
#include <math.h>

#include "cuda/lanes/float.h"
#include "cuda/lanes/host.h"

/* The host may pick either of two NaNs, depending on how the compiler ordered the operands. */
LANE_INLINE double quiet(double x)
{
	return lane_float_f64(lane_bits_f64(x) | 0x0008000000000000u);
}
/* The NaN a result becomes: that of the preferred source, of the other, or the one that operations make. */
LANE_INLINE double settle(double result, double preferred, double other)
{
	double nan = other != other ? quiet(other) : lane_float_f64(LANE_NAN_F64);
	nan = preferred != preferred ? quiet(preferred) : nan;
	return result != result ? nan : result;
}
LANE_INLINE double settle3(double result, double x, double y, double z)
{
	return y != y ? quiet(y) : settle(result, z, x);
}

/* The result is made aside: it may overwrite the sources, which say which NaN it becomes. */
#define FMA_STAGES(round, multiply_add)                                                                      \
	double t[LANES_MAX];                                                                                 \
	const lane_f64 *p = a;                                                                               \
	const lane_f64 *q = b;                                                                               \
	const lane_f64 *s = c;                                                                               \
	lane_f64 *r = dst;                                                                                   \
	LANE_UNUSED;                                                                                         \
	LANE_ROUND_BEGIN_##round multiply_add;                                                               \
	LANE_ROUND_END_##round LANE_LOOP(i) r[i] = settle3(t[i], p[i], q[i], s[i]);
#define DEFINE_FMA(op, round, ...)                                                                           \
	static void op##_##round##_base(LANE_PARAMETERS){FMA_STAGES(                                         \
	    round, LANE_LOOP(i) t[i] = __builtin_fma(                                                        \
	               p[i], q[i], s[i]))} LANE_WIDE static void op##_##round##_wide(LANE_PARAMETERS)        \
	{                                                                                                    \
		FMA_STAGES(round, lane_fma_f64(t, a, b, c, lanes))                                           \
	}
#define SETTLE_add y, x
#define SETTLE_sub y, x
#define SETTLE_mul y, x
#define SETTLE_div x, y
#define DEFINE_2(op, round, expression)                                                                      \
	LANE_FUNCTION(                                                                                       \
	    op##_##round, const lane_f64 *p = a; const lane_f64 *q = b; lane_f64 *r = dst;                   \
	    LANE_ROUND_BEGIN_##round LANE_LOOP(i) {                                                          \
		    double x = p[i];                                                                         \
		    double y = q[i];                                                                         \
		    r[i] = settle(expression, SETTLE_##op);                                                  \
	    } LANE_ROUND_END_##round)
#define DEFINE_1(op, round, expression)                                                                      \
	LANE_FUNCTION(                                                                                       \
	    op##_##round, const lane_f64 *p = a; lane_f64 *r = dst; LANE_ROUND_BEGIN_##round LANE_LOOP(i) {  \
		    double x = p[i];                                                                         \
		    r[i] = settle(expression, x, x);                                                         \
	    } LANE_ROUND_END_##round)

#define ROUNDINGS(X, op, expression)                                                                         \
	X(op, rn, expression) X(op, rz, expression) X(op, rm, expression) X(op, rp, expression)
#define FORMS_1(X) ROUNDINGS(X, rcp, 1.0 / x)
#define FORMS_SQRT(X) ROUNDINGS(X, sqrt, )
#define FORMS_2(X)                                                                                           \
	ROUNDINGS(X, add, x + y) ROUNDINGS(X, sub, x - y) ROUNDINGS(X, mul, x *y) ROUNDINGS(X, div, x / y)
#define FORMS_FMA(X) ROUNDINGS(X, fma, )
#define DEFINE_SQRT(op, round, ...)                                                                          \
	LANE_FUNCTION(op##_##round, double t[LANES_MAX]; const lane_f64 *p = a; lane_f64 *r = dst;           \
	              LANE_ROUND_BEGIN_##round lane_sqrt_f64(t, a, lanes);                                   \
	              LANE_ROUND_END_##round LANE_LOOP(i) r[i] = settle(t[i], p[i], p[i]);)
FORMS_1(DEFINE_1)
FORMS_SQRT(DEFINE_SQRT)
FORMS_2(DEFINE_2)
FORMS_FMA(DEFINE_FMA)

/* ---- min, max, bits ------------------------------------------------------------------------------------ */

LANE_INLINE int64_t order(double x)
{
	int64_t bits = (int64_t)lane_bits_f64(x);
	return bits ^ (bits < 0 ? INT64_MAX : 0);
}
/* A NaN loses against a number. */
LANE_INLINE double pick(double x, double y, bool first)
{
	double chosen = x != x ? y : y != y ? x : first ? x : y;
	return chosen != chosen ? quiet(y) : chosen;
}
LANE_MAP2(min, f64, f64, f64, pick(x, y, order(x) < order(y)))
LANE_MAP2(max, f64, f64, f64, pick(x, y, order(x) > order(y)))
LANE_MAP1(neg, f64, f64, x != x ? quiet(x) : -x)
LANE_MAP1(abs, f64, f64, x != x ? quiet(x) : __builtin_fabs(x))
LANE_MAP2(copysign, u64, u64, u64, (x & 0x8000000000000000u) | (y & 0x7fffffffffffffffu))

#define INFINITY_BITS 0x7ff0000000000000u
#define SMALLEST_BITS 0x0010000000000000u
/* Zero counts as normal. */
/* clang-format off */
#define TESTS(X)                                                                                             \
	X(finite, m < INFINITY_BITS)                                                                         \
	X(infinite, m == INFINITY_BITS)                                                                      \
	X(number, m <= INFINITY_BITS) X(notanumber, m > INFINITY_BITS)                                       \
	    X(normal, m == 0 || (m >= SMALLEST_BITS && m < INFINITY_BITS))                                   \
	        X(subnormal, m > 0 && m < SMALLEST_BITS)
/* clang-format on */
#define DEFINE_TEST(name, expression)                                                                        \
	LANE_FUNCTION(                                                                                       \
	    testp_##name, const lane_u64 *p = a; lane_u32 *r = dst; LANE_LOOP(i) {                           \
		    uint64_t m = p[i] & 0x7fffffffffffffffu;                                                 \
		    r[i] = (expression) ? UINT32_MAX : 0;                                                    \
	    })
TESTS(DEFINE_TEST)

/* ---- approximations ------------------------------------------------------------------------------------ */

/* rcp.approx.ftz.f64 and rsqrt.approx.ftz.f64 see and deliver the high 32 bits only; denormals count as 0. */
LANE_INLINE double high_word(double x)
{
	uint64_t bits = lane_bits_f64(x);
	return lane_float_f64(bits & (bits & INFINITY_BITS ? 0xffffffff00000000u : 0x8000000000000000u));
}
LANE_INLINE double settle_high(double x)
{
	return x != x ? lane_float_f64(0x7fffffff00000000u) : high_word(x);
}
LANE_MAP1(rcp_high, f64, f64, settle_high(1.0 / high_word(x)))
LANE_MAP1(rsqrt_high, f64, f64, settle_high(1.0 / __builtin_sqrt(high_word(x))))
LANE_MAP1(rsqrt, f64, f64, settle(1.0 / __builtin_sqrt(x), x, x))

/* ---- choice -------------------------------------------------------------------------------------------- */

#define ENTRY(op, round, ...) LANE_FORM(op, f64, none, round, 0, op##_##round)
#define ENTRY_MAD(op, round, ...) LANE_FORM(mad, f64, none, round, 0, op##_##round)
#define ENTRY_TEST(name, ...) LANE_FORM(testp, f64, name, none, 0, testp_##name)
static const struct lane_form forms[] = {
    FORMS_1(ENTRY) FORMS_SQRT(ENTRY) FORMS_2(ENTRY) FORMS_FMA(ENTRY) FORMS_FMA(ENTRY_MAD) TESTS(ENTRY_TEST)
        LANE_FORM(min, f64, none, none, 0, min) LANE_FORM(max, f64, none, none, 0, max)
            LANE_FORM(neg, f64, none, none, 0, neg) LANE_FORM(abs, f64, none, none, 0, abs)
                LANE_FORM(copysign, f64, none, none, 0, copysign)
                    LANE_FORM(rcp, f64, none, none, PTX_FLAG_APPROX | PTX_FLAG_FTZ, rcp_high)
                        LANE_FORM(rsqrt, f64, none, none, PTX_FLAG_APPROX | PTX_FLAG_FTZ, rsqrt_high)
                            LANE_FORM(rsqrt, f64, none, none, PTX_FLAG_APPROX, rsqrt)};

lane_fn *lane_find_f64(const struct ptx_insn *insn)
{
	if (insn->type != PTX_TYPE_f64)
		return NULL;
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .mode = insn->mode,
	                         .round = insn->round,
	                         .flags = insn->flags & LANE_FLAGS};
	lane_fn *fn = LANE_FORM_FIND(forms, &want);
	if (fn || insn->round != PTX_ROUND_none)
		return fn;
	want.round = PTX_ROUND_rn;
	return LANE_FORM_FIND(forms, &want);
}
