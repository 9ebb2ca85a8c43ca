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

#define INTRINSIC(name, T, device_expression, host_expression)                                               \
	struct name {                                                                                        \
		typedef T result, first, second, third;                                                      \
		static __device__ T device(T a, T b, T c)                                                    \
		{                                                                                            \
			(void)a, (void)b, (void)c;                                                           \
			return device_expression;                                                            \
		}                                                                                            \
		static T host(T a, T b, T c)                                                                 \
		{                                                                                            \
			return host_expression;                                                              \
		}                                                                                            \
	};

#define MODES(X) X(rn, FE_TONEAREST) X(rz, FE_TOWARDZERO) X(ru, FE_UPWARD) X(rd, FE_DOWNWARD)

#define DEFINE(mode, how)                                                                                    \
	INTRINSIC(fadd_##mode, float, __fadd_##mode(a, b), add_f(a, b, c, how))                              \
	INTRINSIC(fsub_##mode, float, __fsub_##mode(a, b), sub_f(a, b, c, how))                              \
	INTRINSIC(fmul_##mode, float, __fmul_##mode(a, b), mul_f(a, b, c, how))                              \
	INTRINSIC(fdiv_##mode, float, __fdiv_##mode(a, b), div_f(a, b, c, how))                              \
	INTRINSIC(fmaf_##mode, float, __fmaf_##mode(a, b, c), fma_f(a, b, c, how))                           \
	INTRINSIC(fsqrt_##mode, float, __fsqrt_##mode(a), sqrt_f(a, b, c, how))                              \
	INTRINSIC(frcp_##mode, float, __frcp_##mode(a), rcp_f(a, b, c, how))                                 \
	INTRINSIC(dadd_##mode, double, __dadd_##mode(a, b), add_d(a, b, c, how))                             \
	INTRINSIC(dsub_##mode, double, __dsub_##mode(a, b), sub_d(a, b, c, how))                             \
	INTRINSIC(dmul_##mode, double, __dmul_##mode(a, b), mul_d(a, b, c, how))                             \
	INTRINSIC(ddiv_##mode, double, __ddiv_##mode(a, b), div_d(a, b, c, how))                             \
	INTRINSIC(fma_##mode, double, __fma_##mode(a, b, c), fma_d(a, b, c, how))                            \
	INTRINSIC(dsqrt_##mode, double, __dsqrt_##mode(a), sqrt_d(a, b, c, how))                             \
	INTRINSIC(drcp_##mode, double, __drcp_##mode(a), rcp_d(a, b, c, how))
MODES(DEFINE)

OP_SAME(add_rm_f32, float, "f", "add.rm.f32 %0, %1, %2;", add_f(a, b, c, FE_DOWNWARD))
OP_SAME(mul_rp_f32, float, "f", "mul.rp.f32 %0, %1, %2;", mul_f(a, b, c, FE_UPWARD))
OP_SAME(fma_rz_f64, double, "d", "fma.rz.f64 %0, %1, %2, %3;", fma_d(a, b, c, FE_TOWARDZERO))
OP_SAME(mad_rn_f32, float, "f", "mad.rn.f32 %0, %1, %2, %3;", fma_f(a, b, c, FE_TONEAREST))
OP_SAME(div_rn_f32, float, "f", "div.rn.f32 %0, %1, %2;", div_f(a, b, c, FE_TONEAREST))
OP_SAME(div_rp_f64, double, "d", "div.rp.f64 %0, %1, %2;", div_d(a, b, c, FE_UPWARD))
OP_SAME(sqrt_rm_f64, double, "d", "sqrt.rm.f64 %0, %1;", sqrt_d(a, b, c, FE_DOWNWARD))
OP_SAME(rcp_rz_f32, float, "f", "rcp.rz.f32 %0, %1;", rcp_f(a, b, c, FE_TOWARDZERO))

int main(void)
{
#define CALL(mode, how)                                                                                      \
	CHECK_OP(fadd_##mode);                                                                               \
	CHECK_OP(fsub_##mode);                                                                               \
	CHECK_OP(fmul_##mode);                                                                               \
	CHECK_OP(fdiv_##mode);                                                                               \
	CHECK_OP(fmaf_##mode);                                                                               \
	CHECK_OP(fsqrt_##mode);                                                                              \
	CHECK_OP(frcp_##mode);                                                                               \
	CHECK_OP(dadd_##mode);                                                                               \
	CHECK_OP(dsub_##mode);                                                                               \
	CHECK_OP(dmul_##mode);                                                                               \
	CHECK_OP(ddiv_##mode);                                                                               \
	CHECK_OP(fma_##mode);                                                                                \
	CHECK_OP(dsqrt_##mode);                                                                              \
	CHECK_OP(drcp_##mode);
	MODES(CALL)
	CHECK_OP(add_rm_f32);
	CHECK_OP(mul_rp_f32);
	CHECK_OP(fma_rz_f64);
	CHECK_OP(mad_rn_f32);
	CHECK_OP(div_rn_f32);
	CHECK_OP(div_rp_f64);
	CHECK_OP(sqrt_rm_f64);
	CHECK_OP(rcp_rz_f32);
	return check_finish("rounding");
}
