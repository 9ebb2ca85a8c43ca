/* Single-precision math functions within the error bounds of the CUDA documentation; exact ones to the bit. */
#include "op.h"
#include "ulp.h"

#define FUNCTIONS(X)                                                                                         \
	X(sqrtf, sqrtf(x), sqrtl(x), 0, 0, 1e6)                                                              \
	X(rsqrtf, rsqrtf(x), 1 / sqrtl(x), 2, 1e-6, 1e6)                                                     \
	X(cbrtf, cbrtf(x), cbrtl(x), 1, -1e6, 1e6)                                                           \
	X(rcbrtf, rcbrtf(x), 1 / cbrtl(x), 1, 1e-3, 1e6)                                                     \
	X(hypotf, hypotf(x, y), hypotl(x, y), 3, -1e6, 1e6)                                                  \
	X(expf, expf(x), expl(x), 2, -80, 80)                                                                \
	X(exp2f, exp2f(x), exp2l(x), 2, -120, 120)                                                           \
	X(exp10f, exp10f(x), powl(10, x), 2, -30, 30)                                                        \
	X(expm1f, expm1f(x), expm1l(x), 1, -5, 5)                                                            \
	X(logf, logf(x), logl(x), 1, 1e-6, 1e6)                                                              \
	X(log2f, log2f(x), log2l(x), 1, 1e-6, 1e6)                                                           \
	X(log10f, log10f(x), log10l(x), 2, 1e-6, 1e6)                                                        \
	X(log1pf, log1pf(x), log1pl(x), 1, -0.9, 1e3)                                                        \
	X(sinf, sinf(x), sinl(x), 2, -100, 100)                                                              \
	X(cosf, cosf(x), cosl(x), 2, -100, 100)                                                              \
	X(tanf, tanf(x), tanl(x), 4, -10, 10)                                                                \
	X(sinpif, sinpif(x), sinl(fmodl(x, 2) * 3.14159265358979323846L), 2, -3, 3)                          \
	X(asinf, asinf(x), asinl(x), 2, -1, 1)                                                               \
	X(acosf, acosf(x), acosl(x), 2, -1, 1)                                                               \
	X(atanf, atanf(x), atanl(x), 2, -1e3, 1e3)                                                           \
	X(atan2f, atan2f(x, y), atan2l(x, y), 3, -1e3, 1e3)                                                  \
	X(sinhf, sinhf(x), sinhl(x), 3, -20, 20)                                                             \
	X(coshf, coshf(x), coshl(x), 2, -20, 20)                                                             \
	X(tanhf, tanhf(x), tanhl(x), 2, -5, 5)                                                               \
	X(asinhf, asinhf(x), asinhl(x), 3, -1e3, 1e3)                                                        \
	X(acoshf, acoshf(x), acoshl(x), 4, 1, 1e3)                                                           \
	X(atanhf, atanhf(x), atanhl(x), 3, -0.99, 0.99)                                                      \
	X(powf, powf(x, y), powl(x, y), 8, 0.01, 20)                                                         \
	X(erff, erff(x), erfl(x), 2, -3, 3)                                                                  \
	X(erfcf, erfcf(x), erfcl(x), 4, -3, 3)                                                               \
	X(lgammaf, lgammaf(x), lgammal(x), 6, 3, 100)                                                        \
	X(tgammaf, tgammaf(x), tgammal(x), 11, 0.5, 20)                                                      \
	X(fast_exp, __expf(x), expl(x), 24, -10, 10)                                                         \
	X(fast_divide, __fdividef(x, y), x / y, 2, 1, 1e3)                                                   \
	X(fast_log2, __log2f(x), log2l(x), 64, 2.5, 1e6)                                                     \
	X(fast_log, __logf(x), logl(x), 64, 2.5, 1e6)                                                        \
	X(approximate_rsqrt, __frsqrt_rn(x), 1 / sqrtl(x), 0, 1e-6, 1e6)

#define DEFINE(name, expression, exact, bound, low, high) ULP_OP(op_##name, float, expression, exact)
FUNCTIONS(DEFINE)

/* Fast sine and cosine have an absolute bound, 2^-21.41 in [-pi, pi]. */
__global__ void fast_circle(float *out, const float *x)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float s, c;
	__sincosf(x[i], &s, &c);
	out[i * 4] = __sinf(x[i]);
	out[i * 4 + 1] = __cosf(x[i]);
	out[i * 4 + 2] = s;
	out[i * 4 + 3] = c;
}

static void test_fast_circle(void)
{
	enum { N = 1024 };
	static float x[N], got[N * 4];
	double worst = 0;
	for (int i = 0; i < N; i++)
		x[i] = (float)((double)i / N * 2 - 1) * 3.1415926f;
	float *out = (float *)check_zeros(sizeof got);
	fast_circle<<<N / 128, 128>>>(out, to_device(x));
	check_from_device(got, out, sizeof got);
	for (int i = 0; i < N * 4; i++)
		worst = fmax(worst, fabs(got[i] - (i & 1 ? cos((double)x[i / 4]) : sin((double)x[i / 4]))));
	printf("  largest error %g\n", worst);
	check_that("__sinf and __cosf within 2^-21", worst <= ldexp(1, -21));
}

/* Functions that are exact: same bits as the host. */
#define EXACT(name, expression) FUNCTION(name, float, float, expression, expression)
EXACT(exact_floor, floorf(a))
EXACT(exact_ceil, ceilf(a))
EXACT(exact_trunc, truncf(a))
EXACT(exact_rint, rintf(a))
EXACT(exact_round, roundf(a))
EXACT(exact_fabs, fabsf(a))
EXACT(exact_fmod, fmodf(a, b))
EXACT(exact_remainder, remainderf(a, b))
EXACT(exact_fdim, fdimf(a, b))
EXACT(exact_fma, fmaf(a, b, c))
EXACT(exact_ldexp, ldexpf(a, 5))
EXACT(exact_nextafter, nextafterf(a, b))
EXACT(exact_copysign, copysignf(a, b))

__global__ void pieces(float *out, const float *x)
{
	int i = threadIdx.x, exponent, quotient;
	float whole;
	out[i * 5] = modff(x[i], &whole);
	out[i * 5 + 1] = whole;
	out[i * 5 + 2] = frexpf(x[i], &exponent);
	out[i * 5 + 3] = (float)exponent + (float)ilogbf(x[i]) + logbf(x[i]);
	out[i * 5 + 4] = remquof(x[i], 0.75f, &quotient);
}

static void test_pieces(void)
{
	static float x[64], want[320];
	for (int i = 0; i < 64; i++) {
		int exponent, quotient;
		float whole;
		x[i] = (float)((int)(check_random() % 20001) - 10000) / 16.0f + 0.0625f;
		want[i * 5] = modff(x[i], &whole);
		want[i * 5 + 1] = whole;
		want[i * 5 + 2] = frexpf(x[i], &exponent);
		want[i * 5 + 3] = (float)exponent + (float)ilogbf(x[i]) + logbf(x[i]);
		want[i * 5 + 4] = remquof(x[i], 0.75f, &quotient);
	}
	check_run("modff, frexpf, ilogbf, logbf, remquof", want,
	          [&](float *out) { pieces<<<1, 64>>>(out, to_device(x)); });
}

int main(void)
{
#define CALL(name, expression, exact, bound, low, high) ulp_check<op_##name, float>(#name, bound, low, high);
	FUNCTIONS(CALL)
	test_fast_circle();
	check_ops();
	test_pieces();
	return check_finish("math_f32");
}
