/* add, sub, mul, div, fma, sqrt, rcp in the four IEEE rounding modes, f32 and f64, against the host's rounding. */
#include "op.h"
#include <fenv.h>

/* Volatile operands keep the host compiler from folding or moving the operation. */
#define ROUNDED(T, mode, expression)                                                                         \
	static inline T mode(T first, T second, T third, int how)                                            \
	{                                                                                                    \
		volatile T a = first, b = second, c = third, r;                                              \
		(void)a, (void)b, (void)c;                                                                   \
		fesetround(how);                                                                             \
		r = expression;                                                                              \
		fesetround(FE_TONEAREST);                                                                    \
		return r;                                                                                    \
	}

ROUNDED(float, add_f, a + b)
ROUNDED(float, sub_f, a - b)
ROUNDED(float, mul_f, a *b)
ROUNDED(float, div_f, a / b)
ROUNDED(float, fma_f, fmaf(a, b, c))
ROUNDED(float, sqrt_f, sqrtf(a))
ROUNDED(float, rcp_f, 1.0f / a)
ROUNDED(double, add_d, a + b)
ROUNDED(double, sub_d, a - b)
ROUNDED(double, mul_d, a *b)
ROUNDED(double, div_d, a / b)
ROUNDED(double, fma_d, fma(a, b, c))
ROUNDED(double, sqrt_d, sqrt(a))
ROUNDED(double, rcp_d, 1.0 / a)

#define MODES(X) X(rn, FE_TONEAREST) X(rz, FE_TOWARDZERO) X(ru, FE_UPWARD) X(rd, FE_DOWNWARD)

#define DEFINE(mode, how)                                                                                    \
	FUNCTION(fadd_##mode, float, float, __fadd_##mode(a, b), add_f(a, b, c, how))                        \
	FUNCTION(fsub_##mode, float, float, __fsub_##mode(a, b), sub_f(a, b, c, how))                        \
	FUNCTION(fmul_##mode, float, float, __fmul_##mode(a, b), mul_f(a, b, c, how))                        \
	FUNCTION(fdiv_##mode, float, float, __fdiv_##mode(a, b), div_f(a, b, c, how))                        \
	FUNCTION(fmaf_##mode, float, float, __fmaf_##mode(a, b, c), fma_f(a, b, c, how))                     \
	FUNCTION(fsqrt_##mode, float, float, __fsqrt_##mode(a), sqrt_f(a, b, c, how))                        \
	FUNCTION(frcp_##mode, float, float, __frcp_##mode(a), rcp_f(a, b, c, how))                           \
	FUNCTION(dadd_##mode, double, double, __dadd_##mode(a, b), add_d(a, b, c, how))                      \
	FUNCTION(dsub_##mode, double, double, __dsub_##mode(a, b), sub_d(a, b, c, how))                      \
	FUNCTION(dmul_##mode, double, double, __dmul_##mode(a, b), mul_d(a, b, c, how))                      \
	FUNCTION(ddiv_##mode, double, double, __ddiv_##mode(a, b), div_d(a, b, c, how))                      \
	FUNCTION(fma_##mode, double, double, __fma_##mode(a, b, c), fma_d(a, b, c, how))                     \
	FUNCTION(dsqrt_##mode, double, double, __dsqrt_##mode(a), sqrt_d(a, b, c, how))                      \
	FUNCTION(drcp_##mode, double, double, __drcp_##mode(a), rcp_d(a, b, c, how))
MODES(DEFINE)

OP_SAME(add_rm_f32, f, "add.rm.f32 %0, %1, %2;", add_f(a, b, c, FE_DOWNWARD))
OP_SAME(mul_rp_f32, f, "mul.rp.f32 %0, %1, %2;", mul_f(a, b, c, FE_UPWARD))
OP_SAME(fma_rz_f64, d, "fma.rz.f64 %0, %1, %2, %3;", fma_d(a, b, c, FE_TOWARDZERO))
OP_SAME(mad_rn_f32, f, "mad.rn.f32 %0, %1, %2, %3;", fma_f(a, b, c, FE_TONEAREST))
OP_SAME(div_rn_f32, f, "div.rn.f32 %0, %1, %2;", div_f(a, b, c, FE_TONEAREST))
OP_SAME(div_rp_f64, d, "div.rp.f64 %0, %1, %2;", div_d(a, b, c, FE_UPWARD))
OP_SAME(sqrt_rm_f64, d, "sqrt.rm.f64 %0, %1;", sqrt_d(a, b, c, FE_DOWNWARD))
OP_SAME(rcp_rz_f32, f, "rcp.rz.f32 %0, %1;", rcp_f(a, b, c, FE_TOWARDZERO))

OPS("rounding")
