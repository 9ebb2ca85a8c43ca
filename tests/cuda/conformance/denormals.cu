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

OP_SAME(add_f32, f, "add.f32 %0, %1, %2;", a + b)
OP_SAME(mul_f32, f, "mul.f32 %0, %1, %2;", a *b)
OP_SAME(add_ftz, f, "add.ftz.f32 %0, %1, %2;", flush(flush(a) + flush(b)))
OP_SAME(sub_ftz, f, "sub.ftz.f32 %0, %1, %2;", flush(flush(a) - flush(b)))
OP_SAME(mul_ftz, f, "mul.ftz.f32 %0, %1, %2;", flush(flush(a) * flush(b)))
OP_SAME(fma_ftz, f, "fma.rn.ftz.f32 %0, %1, %2, %3;", flush(fmaf(flush(a), flush(b), flush(c))))
OP_SAME(abs_ftz, f, "abs.ftz.f32 %0, %1;", flush(fabsf(a)))
OP_SAME(neg_ftz, f, "neg.ftz.f32 %0, %1;", flush(-a))
OP(setp_ftz, r, f, f, f, "setp.lt.ftz.f32 p, %1, %2; selp.u32 %0, 1, 0, p;", flush(a) < flush(b))
OP(cvt_ftz_f64, d, f, f, f, "cvt.ftz.f64.f32 %0, %1;", (double)flush(a))
OP(cvt_rn_ftz_f32_f64, f, d, d, d, "cvt.rn.ftz.f32.f64 %0, %1;",
   fabs(a) < 1.17549435082228751e-38 ? copysign(0.0, a) : (float)a) /* tiny before it is rounded */
OP_SAME(add_sat, f, "add.sat.f32 %0, %1, %2;", saturate(a + b))
OP_SAME(mul_sat, f, "mul.sat.f32 %0, %1, %2;", saturate(a *b))
OP_SAME(fma_sat, f, "fma.rn.sat.f32 %0, %1, %2, %3;", saturate(fmaf(a, b, c)))
OP_SAME(cvt_sat, f, "cvt.sat.f32.f32 %0, %1;", saturate(a))
OP_SAME(add_ftz_sat, f, "add.ftz.sat.f32 %0, %1, %2;", saturate(flush(flush(a) + flush(b))))

FUNCTION(saturatef_intrinsic, float, float, __saturatef(a), saturate(a))

OPS("denormals")
