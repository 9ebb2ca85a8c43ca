/*
 * __nv_* functions on f32: evaluated in double and rounded once, far inside
 * the bounds that CUDA documents. NaN results are canonical.
 */
#include <math.h>

#include "cuda/lanes/native.h"

#define OUT(e) lane_canonical_f32((float)(e))
#define OUT2(e) OUT(e)

/* div.approx: see special.c. */
static float fast_divide(float x, float y)
{
	bool large = fabsf(y) > 0x1p126f && fabsf(y) < INFINITY;
	return large ? x * (y * 0.0f) : x / y;
}
static float saturate(float x)
{
	return lane_saturate_f32(x);
}
NATIVE_DEFINE_ORDER(f32)

/* X(name, result, source, expression, cost: integer, fp32, fp64, sfu, branch) */
#define ONE(X)                                                                                               \
	X(acosf, f32, f32, OUT(acos(x)), COST(2, 16, 0, 1, 0))                                               \
	X(acoshf, f32, f32, OUT(acosh(x)), COST(8, 24, 0, 2, 1))                                             \
	X(asinf, f32, f32, OUT(asin(x)), COST(2, 15, 0, 1, 0))                                               \
	X(asinhf, f32, f32, OUT(asinh(x)), COST(8, 22, 0, 2, 0))                                             \
	X(atanf, f32, f32, OUT(atan(x)), COST(2, 12, 0, 1, 0))                                               \
	X(atanhf, f32, f32, OUT(atanh(x)), COST(8, 16, 0, 1, 0))                                             \
	X(cbrtf, f32, f32, OUT(cbrt(x)), COST(3, 8, 0, 2, 0))                                                \
	X(ceilf, f32, f32, OUT(ceilf(x)), COST_FP32(1))                                                      \
	X(cosf, f32, f32, OUT(cos(x)), COST(8, 14, 0, 0, 2))                                                 \
	X(coshf, f32, f32, OUT(cosh(x)), COST(1, 8, 0, 2, 0))                                                \
	X(cospif, f32, f32, OUT(native_cospi(x)), COST(5, 10, 0, 0, 0))                                      \
	X(cyl_bessel_i0f, f32, f32, OUT(native_bessel_i0(x)), COST(6, 28, 0, 2, 2))                          \
	X(cyl_bessel_i1f, f32, f32, OUT(native_bessel_i1(x)), COST(8, 28, 0, 2, 2))                          \
	X(erfcf, f32, f32, OUT(erfc(x)), COST(3, 22, 0, 2, 0))                                               \
	X(erfcinvf, f32, f32, OUT(native_erfcinv(x)), COST(4, 26, 0, 2, 2))                                  \
	X(erfcxf, f32, f32, OUT(native_erfcx(x)), COST(4, 24, 0, 2, 1))                                      \
	X(erff, f32, f32, OUT(erf(x)), COST(2, 15, 0, 1, 0))                                                 \
	X(erfinvf, f32, f32, OUT(native_erfinv(x)), COST(4, 16, 0, 1, 1))                                    \
	X(exp10f, f32, f32, OUT(pow(10, x)), COST(1, 6, 0, 1, 0))                                            \
	X(exp2f, f32, f32, OUT(exp2(x)), COST(1, 3, 0, 1, 0))                                                \
	X(expf, f32, f32, OUT(exp(x)), COST(1, 6, 0, 1, 0))                                                  \
	X(expm1f, f32, f32, OUT(expm1(x)), COST(3, 13, 0, 1, 0))                                             \
	X(fabsf, u32, u32, x & 0x7fffffffu, COST_FP32(1))                                                    \
	X(fast_cosf, f32, f32, OUT(cos(x)), COST(0, 1, 0, 1, 0))                                             \
	X(fast_exp10f, f32, f32, OUT(pow(10, x)), COST(0, 2, 0, 1, 0))                                       \
	X(fast_expf, f32, f32, OUT(exp(x)), COST(0, 1, 0, 1, 0))                                             \
	X(fast_log10f, f32, f32, OUT(log10(x)), COST(0, 1, 0, 1, 0))                                         \
	X(fast_log2f, f32, f32, OUT(log2(x)), COST(0, 0, 0, 1, 0))                                           \
	X(fast_logf, f32, f32, OUT(log(x)), COST(0, 1, 0, 1, 0))                                             \
	X(fast_sinf, f32, f32, OUT(sin(x)), COST(0, 1, 0, 1, 0))                                             \
	X(fast_tanf, f32, f32, OUT(tan(x)), COST(0, 3, 0, 3, 0))                                             \
	X(floorf, f32, f32, OUT(floorf(x)), COST_FP32(1))                                                    \
	X(j0f, f32, f32, OUT(j0(x)), COST(10, 40, 0, 2, 2))                                                  \
	X(j1f, f32, f32, OUT(j1(x)), COST(10, 42, 0, 2, 2))                                                  \
	X(lgammaf, f32, f32, OUT(native_lgamma(x)), COST(8, 42, 0, 3, 3))                                    \
	X(log10f, f32, f32, OUT(log10(x)), COST(5, 14, 0, 0, 0))                                             \
	X(log1pf, f32, f32, OUT(log1p(x)), COST(6, 14, 0, 0, 0))                                             \
	X(log2f, f32, f32, OUT(log2(x)), COST(1, 2, 0, 1, 0))                                                \
	X(logbf, f32, f32, OUT(logb(x)), COST(6, 2, 0, 0, 0))                                                \
	X(logf, f32, f32, OUT(log(x)), COST(5, 13, 0, 0, 0))                                                 \
	X(nearbyintf, f32, f32, OUT(nearbyintf(x)), COST_FP32(1))                                            \
	X(normcdff, f32, f32, OUT(native_normcdf(x)), COST(3, 28, 0, 2, 0))                                  \
	X(normcdfinvf, f32, f32, OUT(native_normcdfinv(x)), COST(4, 26, 0, 2, 2))                            \
	X(rcbrtf, f32, f32, OUT(1 / cbrt(x)), COST(3, 8, 0, 2, 0))                                           \
	X(rintf, f32, f32, OUT(nearbyintf(x)), COST_FP32(1))                                                 \
	X(roundf, f32, f32, OUT(roundf(x)), COST(1, 3, 0, 0, 0))                                             \
	X(rsqrtf, f32, f32, OUT(1 / sqrt(x)), COST(0, 2, 0, 1, 0))                                           \
	X(frsqrt_rn, f32, f32, OUT(1 / sqrt(x)), COST(2, 7, 0, 1, 1))                                        \
	X(saturatef, f32, f32, saturate(x), COST_FP32(1))                                                    \
	X(sinf, f32, f32, OUT(sin(x)), COST(8, 14, 0, 0, 2))                                                 \
	X(sinhf, f32, f32, OUT(sinh(x)), COST(3, 16, 0, 2, 1))                                               \
	X(sinpif, f32, f32, OUT(native_sinpi(x)), COST(5, 10, 0, 0, 0))                                      \
	X(sqrtf, f32, f32, OUT(sqrt(x)), COST(3, 5, 0, 1, 1))                                                \
	X(tanf, f32, f32, OUT(tan(x)), COST(8, 16, 0, 1, 2))                                                 \
	X(tanhf, f32, f32, OUT(tanh(x)), COST(2, 9, 0, 2, 1))                                                \
	X(tgammaf, f32, f32, OUT(tgamma(x)), COST(6, 30, 0, 2, 2))                                           \
	X(truncf, f32, f32, OUT(truncf(x)), COST_FP32(1))                                                    \
	X(y0f, f32, f32, OUT(y0(x)), COST(12, 50, 0, 3, 3))                                                  \
	X(y1f, f32, f32, OUT(y1(x)), COST(12, 52, 0, 3, 3))                                                  \
	X(nanf, u32, u64, x ? LANE_NAN_F32 : LANE_NAN_F32, COST_INT(1))

#define TWO(X)                                                                                               \
	X(atan2f, f32, f32, f32, OUT(atan2(x, y)), COST(6, 16, 0, 1, 1))                                     \
	X(copysignf, u32, u32, u32, (x & 0x7fffffffu) | (y & 0x80000000u), COST_INT(1))                      \
	X(fast_fdividef, f32, f32, f32, OUT(fast_divide(x, y)), COST(0, 3, 0, 1, 0))                         \
	X(fast_powf, f32, f32, f32, OUT(exp2(y *log2(x))), COST(0, 1, 0, 2, 0))                              \
	X(fdimf, f32, f32, f32, OUT(x <= y ? 0 : x - y), COST(0, 3, 0, 0, 0))                                \
	X(fmaxf, f32, f32, f32, OUT(larger(x, y)), COST_FP32(1))                                             \
	X(fminf, f32, f32, f32, OUT(smaller(x, y)), COST_FP32(1))                                            \
	X(fmodf, f32, f32, f32, OUT(fmod(x, y)), COST(10, 14, 0, 1, 3))                                      \
	X(hypotf, f32, f32, f32, OUT(hypot(x, y)), COST(5, 7, 0, 1, 0))                                      \
	X(jnf, f32, s32, f32, OUT(jn(x, y)), COST(20, 110, 0, 4, 12))                                        \
	X(ldexpf, f32, f32, s32, OUT(ldexp(x, y)), COST(5, 3, 0, 0, 0))                                      \
	X(nextafterf, f32, f32, f32, OUT(nextafterf(x, y)), COST(9, 2, 0, 0, 1))                             \
	X(powf, f32, f32, f32, OUT(pow(x, y)), COST(12, 34, 0, 2, 2))                                        \
	X(powif, f32, f32, s32, OUT(pow(x, y)), COST(10, 12, 0, 1, 5))                                       \
	X(remainderf, f32, f32, f32, OUT(remainder(x, y)), COST(12, 16, 0, 1, 3))                            \
	X(rhypotf, f32, f32, f32, OUT(1 / hypot(x, y)), COST(5, 8, 0, 1, 0))                                 \
	X(scalbnf, f32, f32, s32, OUT(ldexp(x, y)), COST(5, 3, 0, 0, 0))                                     \
	X(ynf, f32, s32, f32, OUT(yn(x, y)), COST(20, 120, 0, 4, 12))

#define THREE(X)                                                                                             \
	X(fmaf, f32, f32, f32, f32, OUT(fmaf(x, y, z)), COST_FP32(1))                                        \
	X(norm3df, f32, f32, f32, f32, OUT(native_norm(x, y, z, 0)), COST(6, 9, 0, 1, 0))                    \
	X(rnorm3df, f32, f32, f32, f32, OUT(1 / native_norm(x, y, z, 0)), COST(6, 9, 0, 1, 0))

#define FOUR(X)                                                                                              \
	X(norm4df, f32, f32, f32, f32, f32, OUT(native_norm(x, y, z, w)), COST(7, 11, 0, 1, 0))              \
	X(rnorm4df, f32, f32, f32, f32, f32, OUT(1 / native_norm(x, y, z, w)), COST(7, 11, 0, 1, 0))

#define TEST(X)                                                                                              \
	X(finitef, s32, f32, isfinite(x) != 0, COST_INT(2))                                                  \
	X(ilogbf, s32, f32, ilogbf(x), COST(8, 1, 0, 0, 1))                                                  \
	X(isinff, s32, f32, isinf(x) != 0, COST_INT(2))                                                      \
	X(isnanf, s32, f32, isnan(x) != 0, COST_INT(2))                                                      \
	X(signbitf, s32, f32, signbit(x) != 0, COST_INT(1))

ONE(NATIVE_DEFINE1)
TEST(NATIVE_DEFINE1)
TWO(NATIVE_DEFINE2)
THREE(NATIVE_DEFINE3)
FOUR(NATIVE_DEFINE4)

/* ---- functions with results through pointers ------------------------------------------------------------ */

NATIVE_DEFINE_SINCOS(sincosf, f32, sin, cos)
NATIVE_DEFINE_SINCOS(sincospif, f32, native_sinpi, native_cospi)
NATIVE_DEFINE_FREXP(frexpf, f32)
NATIVE_DEFINE_MODF(modff, f32)
NATIVE_DEFINE_REMQUO(remquof, f32)

#define OUTPUTS                                                                                              \
	NATIVE_ENTRY_SINCOS(sincosf, nv_sincosf, f32, COST(10, 24, 0, 0, 2))                                 \
	NATIVE_ENTRY_SINCOS(fast_sincosf, nv_sincosf, f32, COST(0, 2, 0, 2, 0))                              \
	NATIVE_ENTRY_SINCOS(sincospif, nv_sincospif, f32, COST(7, 18, 0, 0, 0))                              \
	NATIVE_ENTRY_OUTPUT1(frexpf, f32, s32, COST(7, 1, 0, 0, 0))                                          \
	NATIVE_ENTRY_OUTPUT1(modff, f32, f32, COST(3, 2, 0, 0, 0))                                           \
	NATIVE_ENTRY_OUTPUT2(remquof, f32, s32, COST(14, 18, 0, 1, 3))

NATIVE_TABLE(native_floats, ONE(NATIVE_ENTRY1) TEST(NATIVE_ENTRY1) TWO(NATIVE_ENTRY2) THREE(NATIVE_ENTRY3)
                                FOUR(NATIVE_ENTRY4) OUTPUTS)
