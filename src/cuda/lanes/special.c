/*
 * f32 division, reciprocals, roots, and what GPUs approximate: sin, cos, ex2, lg2, tanh.
 *
 * .rn, .rz, .rm and .rp forms are exact. .approx and .full forms have no exact
 * definition: they are evaluated in double and rounded once, which is within every
 * bound that PTX gives, with the documented results at the edges (zeros,
 * infinities, the range in which div.approx gives 0).
 */
#include <math.h>

#include "cuda/lanes/float.h"
#include "cuda/lanes/host.h"

#define DEFINE_1(op, round, ftz, expression, scaled)                                                         \
	LANE_FUNCTION(                                                                                       \
	    op##_##round##_##ftz, const lane_f32 *p = a; lane_f32 *r = dst;                                  \
	    LANE_ROUND_BEGIN_##round LANE_LOOP(i) {                                                          \
		    float x = LANE_FTZ_##ftz(p[i]);                                                          \
		    r[i] = lane_canonical_f32(LANE_TINY_##ftz(expression, scaled));                          \
	    } LANE_ROUND_END_##round)
#define DEFINE_2(op, round, ftz, expression, scaled)                                                         \
	LANE_FUNCTION(                                                                                       \
	    op##_##round##_##ftz, const lane_f32 *p = a; const lane_f32 *q = b; lane_f32 *r = dst;           \
	    LANE_ROUND_BEGIN_##round LANE_LOOP(i) {                                                          \
		    float x = LANE_FTZ_##ftz(p[i]);                                                          \
		    float y = LANE_FTZ_##ftz(q[i]);                                                          \
		    r[i] = lane_canonical_f32(LANE_TINY_##ftz(expression, scaled));                          \
	    } LANE_ROUND_END_##round)

/* clang-format off */
#define ROUNDINGS(X, op, ...)                                                                                \
	X(op, rn, , __VA_ARGS__)                                                                             \
	X(op, rn, ftz, __VA_ARGS__)                                                                          \
	X(op, rz, , __VA_ARGS__) X(op, rz, ftz, __VA_ARGS__) X(op, rm, , __VA_ARGS__)                        \
	    X(op, rm, ftz, __VA_ARGS__) X(op, rp, , __VA_ARGS__) X(op, rp, ftz, __VA_ARGS__)
/* clang-format on */
#define EXACT_1(X) ROUNDINGS(X, rcp, 1.0f / x, LANE_SCALE / x)
#define EXACT_SQRT(X) ROUNDINGS(X, sqrt, )
#define EXACT_2(X) ROUNDINGS(X, div, x / y, (x * LANE_SCALE) / y)
#define DEFINE_SQRT(op, round, ftz, ...)                                                                     \
	LANE_FUNCTION(op##_##round##_##ftz, float t[LANES_MAX]; const lane_f32 *p = a; lane_f32 *r = dst;    \
	              LANE_LOOP(i) t[i] = LANE_FTZ_##ftz(p[i]);                                              \
	              LANE_ROUND_BEGIN_##round lane_sqrt_f32(t, t, lanes);                                   \
	              LANE_ROUND_END_##round LANE_LOOP(i) r[i] = lane_canonical_f32(t[i]);)
EXACT_1(DEFINE_1)
EXACT_SQRT(DEFINE_SQRT)
EXACT_2(DEFINE_2)

/* The reciprocal of a large divisor is flushed in hardware: the quotient is 0 then, and NaN of an infinity. */
LANE_INLINE float divide_approx(float x, float y)
{
	float size = __builtin_fabsf(y);
	bool large = __builtin_isgreater(size, 0x1p126f) & __builtin_isless(size, __builtin_inff());
	return large ? x * (y * 0.0f) : x / y;
}

#define PLAIN_AND_FLUSHED(X, op, e) X(op, rn, , e, 1) X(op, rn, ftz, e, (e)*LANE_SCALE)
#define APPROXIMATE_1(X)                                                                                     \
	PLAIN_AND_FLUSHED(X, rcp_approx, 1.0f / x)                                                           \
	PLAIN_AND_FLUSHED(X, rsqrt_approx, (float)(1.0 / __builtin_sqrt((double)x)))                         \
	PLAIN_AND_FLUSHED(X, sin_approx, (float)sin((double)x))                                              \
	PLAIN_AND_FLUSHED(X, cos_approx, (float)cos((double)x))                                              \
	PLAIN_AND_FLUSHED(X, ex2_approx, (float)exp2((double)x))                                             \
	PLAIN_AND_FLUSHED(X, lg2_approx, (float)log2((double)x))                                             \
	PLAIN_AND_FLUSHED(X, tanh_approx, (float)tanh((double)x))
#define APPROXIMATE_2(X)                                                                                     \
	X(div_approx, rn, , divide_approx(x, y), 1)                                                          \
	X(div_approx, rn, ftz, divide_approx(x, y), divide_approx(x *LANE_SCALE, y))
APPROXIMATE_1(DEFINE_1)
APPROXIMATE_2(DEFINE_2)

/* ---- choice -------------------------------------------------------------------------------------------- */

enum { FLAGS_ = 0, FLAGS_ftz = PTX_FLAG_FTZ };
#define ENTRY(op, round, ftz, ...) LANE_FORM(op, f32, none, round, FLAGS_##ftz, op##_##round##_##ftz)
#define ENTRY_APPROX(op)                                                                                     \
	LANE_FORM(op, f32, none, none, PTX_FLAG_APPROX, op##_approx_rn_)                                     \
	LANE_FORM(op, f32, none, none, PTX_FLAG_APPROX | PTX_FLAG_FTZ, op##_approx_rn_ftz)
static const struct lane_form forms[] = {
    EXACT_1(ENTRY) EXACT_SQRT(ENTRY) EXACT_2(ENTRY) ENTRY_APPROX(rcp) ENTRY_APPROX(rsqrt) ENTRY_APPROX(div)
        ENTRY_APPROX(sin) ENTRY_APPROX(cos) ENTRY_APPROX(ex2) ENTRY_APPROX(lg2) ENTRY_APPROX(tanh)
    /* The exact root and the exact quotient are quick enough. */
    LANE_FORM(sqrt, f32, none, none, PTX_FLAG_APPROX, sqrt_rn_)
        LANE_FORM(sqrt, f32, none, none, PTX_FLAG_APPROX | PTX_FLAG_FTZ, sqrt_rn_ftz)
            LANE_FORM(div, f32, none, none, PTX_FLAG_FULL, div_rn_)
                LANE_FORM(div, f32, none, none, PTX_FLAG_FULL | PTX_FLAG_FTZ, div_rn_ftz)};

lane_fn *lane_find_special(const struct ptx_insn *insn)
{
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .round = insn->round,
	                         .flags = insn->flags & LANE_FLAGS};
	bool needs_name = insn->round == PTX_ROUND_none && !(insn->flags & (PTX_FLAG_APPROX | PTX_FLAG_FULL));
	if (needs_name) /* old PTX writes neither: the approximation */
		want.flags |= PTX_FLAG_APPROX;
	return LANE_FORM_FIND(forms, &want);
}
