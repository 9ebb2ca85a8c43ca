/* min, max, abs, neg, copysign, testp on f32 and f64: NaN loses against a number, -0 is less than +0. */
#include "op.h"

template <typename T> static T least(T a, T b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	if (a == 0 && b == 0)
		return signbit(a) ? a : b;
	return a < b ? a : b;
}

template <typename T> static T most(T a, T b)
{
	if (a != a || b != b)
		return a != a ? b : a;
	if (a == 0 && b == 0)
		return signbit(a) ? b : a;
	return a > b ? a : b;
}

OP_SAME(min_f32, f, "min.f32 %0, %1, %2;", least(a, b))
OP_SAME(max_f32, f, "max.f32 %0, %1, %2;", most(a, b))
OP_SAME(min_f64, d, "min.f64 %0, %1, %2;", least(a, b))
OP_SAME(max_f64, d, "max.f64 %0, %1, %2;", most(a, b))
OP_SAME(min_nan_f32, f, "min.NaN.f32 %0, %1, %2;", a != a || b != b ? NAN : least(a, b))
OP_SAME(max_nan_f32, f, "max.NaN.f32 %0, %1, %2;", a != a || b != b ? NAN : most(a, b))
OP_SAME(abs_f32, f, "abs.f32 %0, %1;", fabsf(a))
OP_SAME(abs_f64, d, "abs.f64 %0, %1;", fabs(a))
OP_SAME(neg_f32, f, "neg.f32 %0, %1;", -a)
OP_SAME(neg_f64, d, "neg.f64 %0, %1;", -a)
OP_SAME(copysign_f32, f, "copysign.f32 %0, %1, %2;", copysignf(b, a))
OP_SAME(copysign_f64, d, "copysign.f64 %0, %1, %2;", copysign(b, a))

#define TESTP(name, t, what, expression)                                                                     \
	OP(name, r, t, t, t, "testp." what " p, %1; selp.u32 %0, 1, 0, p;", expression)

TESTP(finite_f32, f, "finite.f32", isfinite(a))
TESTP(infinite_f32, f, "infinite.f32", isinf(a))
TESTP(number_f32, f, "number.f32", !isnan(a))
TESTP(notanumber_f64, d, "notanumber.f64", isnan(a))
TESTP(normal_f64, d, "normal.f64", isnormal(a) || a == 0) /* zeros count as normal */
TESTP(subnormal_f32, f, "subnormal.f32", fpclassify(a) == FP_SUBNORMAL)

/* What the C functions say about the same values. */
__host__ __device__ static uint32_t classes_of(float a, double b, float c)
{
	return (uint32_t)(!!isnan(a) | !!isinf(a) << 1 | !!isfinite(a) << 2 | !!signbit(a) << 3 |
	                  !!isnan(b) << 4 | !!isinf(b) << 5 | !!isfinite(b) << 6 | !!signbit(b) << 7 |
	                  (fmaxf(a, c) == a) << 8 | (fminf(a, c) == a) << 9);
}
OP_FUNCTION(classes, uint32_t, float, double, float, return classes_of(a, b, c), classes_of(a, b, c))

OPS("minmax")
