/* Denormals are kept without .ftz and flushed with it; .sat clamps to [0, 1] and turns NaN into 0. */
#include "op.h"

static float flush(float x)
{
	return fabsf(x) < 1.17549435e-38f ? copysignf(0.0f, x) : x;
}

static float saturate(float x)
{
	return !(x > 0.0f) ? 0.0f : x > 1.0f ? 1.0f : x;
}

OP_SAME(add_f32, float, "f", "add.f32 %0, %1, %2;", a + b)
OP_SAME(mul_f32, float, "f", "mul.f32 %0, %1, %2;", a *b)
OP_SAME(add_ftz, float, "f", "add.ftz.f32 %0, %1, %2;", flush(flush(a) + flush(b)))
OP_SAME(sub_ftz, float, "f", "sub.ftz.f32 %0, %1, %2;", flush(flush(a) - flush(b)))
OP_SAME(mul_ftz, float, "f", "mul.ftz.f32 %0, %1, %2;", flush(flush(a) * flush(b)))
OP_SAME(fma_ftz, float, "f", "fma.rn.ftz.f32 %0, %1, %2, %3;", flush(fmaf(flush(a), flush(b), flush(c))))
OP_SAME(abs_ftz, float, "f", "abs.ftz.f32 %0, %1;", flush(fabsf(a)))
OP_SAME(neg_ftz, float, "f", "neg.ftz.f32 %0, %1;", flush(-a))
OP(setp_ftz, uint32_t, "r", float, "f", float, "f", float, "f",
   "setp.lt.ftz.f32 p, %1, %2; selp.u32 %0, 1, 0, p;", flush(a) < flush(b))
OP(cvt_ftz_f64, double, "d", float, "f", float, "f", float, "f", "cvt.ftz.f64.f32 %0, %1;", (double)flush(a))
OP(cvt_rn_ftz_f32_f64, float, "f", double, "d", double, "d", double, "d", "cvt.rn.ftz.f32.f64 %0, %1;",
   fabs(a) < 1.17549435082228751e-38 ? copysign(0.0, a) : (float)a) /* tiny before it is rounded */
OP_SAME(add_sat, float, "f", "add.sat.f32 %0, %1, %2;", saturate(a + b))
OP_SAME(mul_sat, float, "f", "mul.sat.f32 %0, %1, %2;", saturate(a *b))
OP_SAME(fma_sat, float, "f", "fma.rn.sat.f32 %0, %1, %2, %3;", saturate(fmaf(a, b, c)))
OP_SAME(cvt_sat, float, "f", "cvt.sat.f32.f32 %0, %1;", saturate(a))
OP_SAME(add_ftz_sat, float, "f", "add.ftz.sat.f32 %0, %1, %2;", saturate(flush(flush(a) + flush(b))))

struct saturatef_intrinsic {
	typedef float result, first, second, third;
	static __device__ float device(float a, float, float)
	{
		return __saturatef(a);
	}
	static float host(float a, float, float)
	{
		return saturate(a);
	}
};

int main(void)
{
	CHECK_OP(add_f32);
	CHECK_OP(mul_f32);
	CHECK_OP(add_ftz);
	CHECK_OP(sub_ftz);
	CHECK_OP(mul_ftz);
	CHECK_OP(fma_ftz);
	CHECK_OP(abs_ftz);
	CHECK_OP(neg_ftz);
	CHECK_OP(setp_ftz);
	CHECK_OP(cvt_ftz_f64);
	CHECK_OP(cvt_rn_ftz_f32_f64);
	CHECK_OP(add_sat);
	CHECK_OP(mul_sat);
	CHECK_OP(fma_sat);
	CHECK_OP(cvt_sat);
	CHECK_OP(add_ftz_sat);
	CHECK_OP(saturatef_intrinsic);
	return check_finish("denormals");
}
