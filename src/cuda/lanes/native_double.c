/*
 * __nv_* functions on f64: the C library's, or long double where CUDA promises
 * more than the library gives. Within the bounds that CUDA documents.
 */
#include <math.h>

#include "cuda/lanes/native.h"

/* A NaN that an operation makes is that of the hardware, whatever the library returns. */
static double settle(long double result, double x, double y)
{
	double quiet = lane_float_f64(lane_bits_f64(x != x ? x : y) | 0x0008000000000000u);
	if (result == result)
		return (double)result;
	return x != x || y != y ? quiet : lane_float_f64(LANE_NAN_F64);
}
#define OUT(e) settle(e, x, x)
#define OUT2(e) settle(e, x, y)

NATIVE_DEFINE_ORDER(f64)
/* rcp.approx.ftz.f64: the high word of the reciprocal. */
static double reciprocal_high(double x)
{
	uint64_t bits = lane_bits_f64(x),
	         mask = bits & 0x7ff0000000000000u ? 0xffffffff00000000u : 1ull << 63;
	double y = 1 / lane_float_f64(bits & mask);
	bits = lane_bits_f64(y);
	return lane_float_f64(bits & (bits & 0x7ff0000000000000u ? 0xffffffff00000000u : 1ull << 63));
}

/* X(name, result, source, expression, cost: integer, fp32, fp64, sfu, branch) */
#define ONE(X)                                                                                               \
	X(acos, f64, f64, OUT(acos(x)), COST(6, 0, 32, 1, 2))                                                \
	X(acosh, f64, f64, OUT(acosh(x)), COST(14, 0, 50, 2, 2))                                             \
	X(asin, f64, f64, OUT(asin(x)), COST(6, 0, 30, 1, 2))                                                \
	X(asinh, f64, f64, OUT(asinh(x)), COST(14, 0, 48, 2, 2))                                             \
	X(atan, f64, f64, OUT(atan(x)), COST(6, 0, 32, 1, 1))                                                \
	X(atanh, f64, f64, OUT(atanh(x)), COST(14, 0, 40, 2, 2))                                             \
	X(cbrt, f64, f64, OUT(cbrtl(x)), COST(8, 3, 14, 2, 0))                                               \
	X(ceil, f64, f64, OUT(ceil(x)), COST_FP64(1))                                                        \
	X(cos, f64, f64, OUT(cos(x)), COST(12, 0, 24, 0, 2))                                                 \
	X(cosh, f64, f64, OUT(cosh(x)), COST(10, 0, 36, 1, 1))                                               \
	X(cospi, f64, f64, OUT(native_cospi(x)), COST(8, 0, 20, 0, 0))                                       \
	X(cyl_bessel_i0, f64, f64, OUT(native_bessel_i0(x)), COST(12, 0, 76, 2, 2))                          \
	X(cyl_bessel_i1, f64, f64, OUT(native_bessel_i1(x)), COST(12, 0, 78, 2, 2))                          \
	X(erf, f64, f64, OUT(erf(x)), COST(10, 0, 52, 0, 1))                                                 \
	X(erfc, f64, f64, OUT(erfcl(x)), COST(12, 0, 58, 1, 1))                                              \
	X(erfcinv, f64, f64, OUT(native_erfcinv(x)), COST(12, 0, 70, 2, 2))                                  \
	X(erfcx, f64, f64, OUT(native_erfcx(x)), COST(10, 0, 60, 1, 1))                                      \
	X(erfinv, f64, f64, OUT(native_erfinv(x)), COST(12, 0, 62, 2, 2))                                    \
	X(exp10, f64, f64, OUT(powl(10, x)), COST(6, 0, 22, 0, 1))                                           \
	X(exp2, f64, f64, OUT(exp2(x)), COST(6, 0, 19, 0, 1))                                                \
	X(exp, f64, f64, OUT(exp(x)), COST(6, 0, 20, 0, 1))                                                  \
	X(expm1, f64, f64, OUT(expm1(x)), COST(7, 0, 26, 0, 1))                                              \
	X(fabs, u64, u64, x & 0x7fffffffffffffffu, COST_INT(1))                                              \
	X(floor, f64, f64, OUT(floor(x)), COST_FP64(1))                                                      \
	X(j0, f64, f64, OUT(j0(x)), COST(20, 0, 90, 2, 3))                                                   \
	X(j1, f64, f64, OUT(j1(x)), COST(20, 0, 92, 2, 3))                                                   \
	X(lgamma, f64, f64, OUT(native_lgamma(x)), COST(24, 0, 100, 3, 5))                                   \
	X(log10, f64, f64, OUT(log10(x)), COST(10, 0, 28, 1, 1))                                             \
	X(log1p, f64, f64, OUT(log1p(x)), COST(10, 0, 30, 1, 1))                                             \
	X(log2, f64, f64, OUT(log2(x)), COST(10, 0, 28, 1, 1))                                               \
	X(log, f64, f64, OUT(log(x)), COST(10, 0, 26, 1, 1))                                                 \
	X(logb, f64, f64, OUT(logb(x)), COST(8, 0, 1, 0, 0))                                                 \
	X(nearbyint, f64, f64, OUT(nearbyint(x)), COST_FP64(1))                                              \
	X(normcdf, f64, f64, OUT(native_normcdf(x)), COST(12, 0, 66, 1, 1))                                  \
	X(normcdfinv, f64, f64, OUT(native_normcdfinv(x)), COST(12, 0, 72, 2, 2))                            \
	X(rcbrt, f64, f64, OUT(1 / cbrtl(x)), COST(8, 3, 14, 2, 0))                                          \
	X(rcp64h, f64, f64, OUT(reciprocal_high(x)), COST(0, 0, 0, 1, 0))                                    \
	X(rint, f64, f64, OUT(nearbyint(x)), COST_FP64(1))                                                   \
	X(round, f64, f64, OUT(round(x)), COST(2, 0, 3, 0, 0))                                               \
	X(rsqrt, f64, f64, OUT(1 / sqrtl(x)), COST(4, 0, 7, 1, 1))                                           \
	X(sin, f64, f64, OUT(sin(x)), COST(12, 0, 24, 0, 2))                                                 \
	X(sinh, f64, f64, OUT(sinh(x)), COST(10, 0, 40, 1, 2))                                               \
	X(sinpi, f64, f64, OUT(native_sinpi(x)), COST(8, 0, 20, 0, 0))                                       \
	X(sqrt, f64, f64, OUT(sqrt(x)), COST(5, 0, 8, 1, 1))                                                 \
	X(tan, f64, f64, OUT(tan(x)), COST(12, 0, 34, 1, 2))                                                 \
	X(tanh, f64, f64, OUT((double)tanhl(x)), COST(8, 0, 36, 1, 1))                                       \
	X(tgamma, f64, f64, OUT(tgamma(x)), COST(20, 0, 96, 2, 4))                                           \
	X(trunc, f64, f64, OUT(trunc(x)), COST_FP64(1))                                                      \
	X(y0, f64, f64, OUT(y0(x)), COST(26, 0, 120, 3, 4))                                                  \
	X(y1, f64, f64, OUT(y1(x)), COST(26, 0, 124, 3, 4))                                                  \
	X(nan, u64, u64, x ? LANE_NAN_F64 : LANE_NAN_F64, COST_INT(2))

#define TWO(X)                                                                                               \
	X(atan2, f64, f64, f64, OUT2(atan2(x, y)), COST(12, 0, 40, 1, 2))                                    \
	X(copysign, u64, u64, u64, (x & 0x7fffffffffffffffu) | (y & 0x8000000000000000u), COST_INT(1))       \
	X(fdim, f64, f64, f64, OUT2(x <= y ? 0 : x - y), COST(0, 0, 3, 0, 0))                                \
	X(fmax, f64, f64, f64, OUT2(larger(x, y)), COST(3, 0, 1, 0, 0))                                      \
	X(fmin, f64, f64, f64, OUT2(smaller(x, y)), COST(3, 0, 1, 0, 0))                                     \
	X(fmod, f64, f64, f64, OUT2(fmod(x, y)), COST(24, 0, 20, 1, 6))                                      \
	X(hypot, f64, f64, f64, OUT2(hypot(x, y)), COST(12, 0, 16, 1, 1))                                    \
	X(jn, f64, s32, f64, OUT2(jn(x, y)), COST(40, 0, 240, 6, 16))                                        \
	X(ldexp, f64, f64, s32, OUT(ldexp(x, y)), COST(9, 0, 3, 0, 1))                                       \
	X(nextafter, f64, f64, f64, OUT2(nextafter(x, y)), COST(14, 0, 2, 0, 1))                             \
	X(pow, f64, f64, f64, OUT2(pow(x, y)), COST(30, 0, 90, 1, 4))                                        \
	X(powi, f64, f64, s32, OUT(pow(x, y)), COST(14, 0, 16, 1, 6))                                        \
	X(remainder, f64, f64, f64, OUT2(remainder(x, y)), COST(26, 0, 24, 1, 6))                            \
	X(rhypot, f64, f64, f64, OUT2(1 / native_norm(x, y, 0, 0)), COST(12, 0, 16, 1, 1))                   \
	X(scalbn, f64, f64, s32, OUT(ldexp(x, y)), COST(9, 0, 3, 0, 1))                                      \
	X(yn, f64, s32, f64, OUT2(yn(x, y)), COST(40, 0, 250, 6, 16))

#define THREE(X)                                                                                             \
	X(fma, f64, f64, f64, f64, fma(x, y, z), COST_FP64(1))                                               \
	X(norm3d, f64, f64, f64, f64, OUT2(native_norm(x, y, z, 0)), COST(14, 0, 18, 1, 1))                  \
	X(rnorm3d, f64, f64, f64, f64, OUT2(1 / native_norm(x, y, z, 0)), COST(14, 0, 18, 1, 1))

#define FOUR(X)                                                                                              \
	X(norm4d, f64, f64, f64, f64, f64, OUT2(native_norm(x, y, z, w)), COST(16, 0, 20, 1, 1))             \
	X(rnorm4d, f64, f64, f64, f64, f64, OUT2(1 / native_norm(x, y, z, w)), COST(16, 0, 20, 1, 1))

#define TEST(X)                                                                                              \
	X(ilogb, s32, f64, ilogb(x), COST(10, 0, 1, 0, 1))                                                   \
	X(isfinited, s32, f64, isfinite(x) != 0, COST_INT(2))                                                \
	X(isinfd, s32, f64, isinf(x) != 0, COST_INT(3))                                                      \
	X(isnand, s32, f64, isnan(x) != 0, COST_INT(2))                                                      \
	X(signbitd, s32, f64, signbit(x) != 0, COST_INT(1))

ONE(NATIVE_DEFINE1)
TEST(NATIVE_DEFINE1)
TWO(NATIVE_DEFINE2)
THREE(NATIVE_DEFINE3)
FOUR(NATIVE_DEFINE4)

/* ---- functions with results through pointers ------------------------------------------------------------ */

NATIVE_DEFINE_SINCOS(sincos, f64, sin, cos)
NATIVE_DEFINE_SINCOS(sincospi, f64, native_sinpi, native_cospi)
NATIVE_DEFINE_FREXP(frexp, f64)
NATIVE_DEFINE_MODF(modf, f64)
NATIVE_DEFINE_REMQUO(remquo, f64)

#define OUTPUTS                                                                                              \
	NATIVE_ENTRY_SINCOS(sincos, nv_sincos, f64, COST(16, 0, 38, 0, 2))                                   \
	NATIVE_ENTRY_SINCOS(sincospi, nv_sincospi, f64, COST(10, 0, 36, 0, 0))                               \
	NATIVE_ENTRY_OUTPUT1(frexp, f64, s32, COST(9, 0, 1, 0, 0))                                           \
	NATIVE_ENTRY_OUTPUT1(modf, f64, f64, COST(4, 0, 2, 0, 0))                                            \
	NATIVE_ENTRY_OUTPUT2(remquo, f64, s32, COST(28, 0, 26, 1, 6))

NATIVE_TABLE(native_doubles, ONE(NATIVE_ENTRY1) TEST(NATIVE_ENTRY1) TWO(NATIVE_ENTRY2) THREE(NATIVE_ENTRY3)
                                 FOUR(NATIVE_ENTRY4) OUTPUTS)
