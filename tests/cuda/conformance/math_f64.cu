/* Double-precision math functions within the error bounds of the CUDA documentation; exact ones to the bit. */
#include "op.h"
#include "ulp.h"

#define FUNCTIONS(X)                                                                                         \
	X(sqrt, sqrt(x), sqrt((double)x), 0, 0, 1e9)                                                         \
	X(rsqrt, rsqrt(x), 1 / sqrtl(x), 1, 1e-6, 1e9)                                                       \
	X(cbrt, cbrt(x), cbrtl(x), 1, -1e9, 1e9)                                                             \
	X(hypot, hypot(x, y), hypotl(x, y), 2, -1e9, 1e9)                                                    \
	X(exp, exp(x), expl(x), 1, -700, 700)                                                                \
	X(exp2, exp2(x), exp2l(x), 1, -1000, 1000)                                                           \
	X(exp10, exp10(x), powl(10, x), 1, -300, 300)                                                        \
	X(expm1, expm1(x), expm1l(x), 1, -5, 5)                                                              \
	X(log, log(x), logl(x), 1, 1e-6, 1e9)                                                                \
	X(log2, log2(x), log2l(x), 1, 1e-6, 1e9)                                                             \
	X(log10, log10(x), log10l(x), 1, 1e-6, 1e9)                                                          \
	X(log1p, log1p(x), log1pl(x), 1, -0.9, 1e3)                                                          \
	X(sin, sin(x), sinl(x), 2, -100, 100)                                                                \
	X(cos, cos(x), cosl(x), 2, -100, 100)                                                                \
	X(tan, tan(x), tanl(x), 2, -10, 10)                                                                  \
	X(asin, asin(x), asinl(x), 2, -1, 1)                                                                 \
	X(acos, acos(x), acosl(x), 2, -1, 1)                                                                 \
	X(atan, atan(x), atanl(x), 2, -1e3, 1e3)                                                             \
	X(atan2, atan2(x, y), atan2l(x, y), 2, -1e3, 1e3)                                                    \
	X(sinh, sinh(x), sinhl(x), 2, -20, 20)                                                               \
	X(cosh, cosh(x), coshl(x), 1, -20, 20)                                                               \
	X(tanh, tanh(x), tanhl(x), 1, -5, 5)                                                                 \
	X(asinh, asinh(x), asinhl(x), 3, -1e3, 1e3)                                                          \
	X(acosh, acosh(x), acoshl(x), 3, 1, 1e3)                                                             \
	X(atanh, atanh(x), atanhl(x), 2, -0.99, 0.99)                                                        \
	X(pow, pow(x, y), powl(x, y), 2, 0.01, 20)                                                           \
	X(erf, erf(x), erfl(x), 2, -3, 3)                                                                    \
	X(erfc, erfc(x), erfcl(x), 5, -3, 3)                                                                 \
	X(lgamma, lgamma(x), lgammal(x), 4, 3, 100)                                                          \
	X(tgamma, tgamma(x), tgammal(x), 10, 0.5, 20)

#define DEFINE(name, expression, exact, bound, low, high) ULP_OP(op_##name, double, expression, exact)
FUNCTIONS(DEFINE)

#define EXACT(name, expression) FUNCTION(name, double, double, expression, expression)
EXACT(exact_floor, floor(a))
EXACT(exact_ceil, ceil(a))
EXACT(exact_trunc, trunc(a))
EXACT(exact_rint, rint(a))
EXACT(exact_round, round(a))
EXACT(exact_fmod, fmod(a, b))
EXACT(exact_fma, fma(a, b, c))
EXACT(exact_ldexp, ldexp(a, -7))
EXACT(exact_nextafter, nextafter(a, b))
EXACT(exact_copysign, copysign(a, b))
EXACT(exact_fdim, fdim(a, b))

int main(void)
{
#define CALL(name, expression, exact, bound, low, high) ulp_check<op_##name, double>(#name, bound, low, high);
	FUNCTIONS(CALL)
	check_ops();
	return check_finish("math_f64");
}
