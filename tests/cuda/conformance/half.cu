/* f16 and f16x2: conversions, add, sub, mul, fma, neg, abs, compares, by opcode and by the functions of cuda_fp16.h. */
#include "half_ref.h"
#include "op.h"
#include <cuda_fp16.h>

/* The sum and the product of two halves are exact in double; a fused multiply-add is not, but nearly always. */
static uint16_t canonical(uint16_t bits)
{
	return (bits & 0x7c00) == 0x7c00 && (bits & 0x3ff) ? 0x7fff : bits;
}
static uint16_t fused(uint16_t a, uint16_t b, uint16_t c)
{
	double p = f16_value(a) * f16_value(b), z = f16_value(c), s = p + z, error = 0;
	if (isfinite(p) && isfinite(z) && isfinite(s)) {
		double t = s - p;
		error = (p - (s - t)) + (z - t);
	}
	if (error != 0) {
		uint64_t bits;
		memcpy(&bits, &s, sizeof bits);
		if (!(bits & 1)) /* round to odd */
			bits += (error > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &bits, sizeof s);
	}
	return f16_bits(s);
}

#define NAN_ONE ".reg .b16 x, m; and.b16 m, %0, 32767; setp.gt.u16 p, m, 31744; selp.b16 %0, 32767, %0, p;"
#define H(name, ptx, expression) OP_SAME(name, h, ptx NAN_ONE, canonical(expression))

H(add_f16, "add.f16 %0, %1, %2; ", f16_bits(f16_value(a) + f16_value(b)))
H(sub_f16, "sub.f16 %0, %1, %2; ", f16_bits(f16_value(a) - f16_value(b)))
H(mul_f16, "mul.f16 %0, %1, %2; ", f16_bits(f16_value(a) * f16_value(b)))
H(fma_f16, "fma.rn.f16 %0, %1, %2, %3; ", fused(a, b, c))
H(neg_f16, "neg.f16 %0, %1; ", a ^ 0x8000)
H(abs_f16, "abs.f16 %0, %1; ", a & 0x7fff)
OP(setp_lt_f16, r, h, h, h, "setp.lt.f16 p, %1, %2; selp.u32 %0, 1, 0, p;", f16_value(a) < f16_value(b))
OP(setp_neu_f16, r, h, h, h, "setp.neu.f16 p, %1, %2; selp.u32 %0, 1, 0, p;", f16_value(a) != f16_value(b))
OP(cvt_f32_f16, f, h, h, h, "cvt.f32.f16 %0, %1;", (float)f16_value(a))
OP(cvt_f64_f16, d, h, h, h, "cvt.f64.f16 %0, %1;", f16_value(a))
OP(cvt_rn_f16_f32, h, f, f, f, "cvt.rn.f16.f32 %0, %1; " NAN_ONE, f16_bits(a))
OP(cvt_rn_f16_f64, h, d, d, d, "cvt.rn.f16.f64 %0, %1; " NAN_ONE, f16_bits(a))
OP(cvt_rn_f16_s32, h, s, s, s, "cvt.rn.f16.s32 %0, %1;", f16_bits(a))
OP(cvt_rzi_s32_f16, s, h, h, h, "cvt.rzi.s32.f16 %0, %1;",
   isnan(f16_value(a))   ? 0
   : isinf(f16_value(a)) ? (f16_value(a) > 0 ? INT32_MAX : INT32_MIN)
                         : (int32_t)f16_value(a))

/* A pair: no NaN among the operands, so that both halves compare to the bit. */
static uint32_t number2(uint32_t pair)
{
	return pair & 0xbbffbbff;
}
OP_SAME(
    add_f16x2, r, ".reg .b32 x, y; and.b32 x, %1, 0xbbffbbff; and.b32 y, %2, 0xbbffbbff; add.f16x2 %0, x, y;",
    f16_bits(f16_value((uint16_t)number2(a)) + f16_value((uint16_t)number2(b))) |
        (uint32_t)f16_bits(f16_value((uint16_t)(number2(a) >> 16)) + f16_value((uint16_t)(number2(b) >> 16)))
            << 16)
OP_SAME(fma_f16x2, r,
        ".reg .b32 x, y, z; and.b32 x, %1, 0xbbffbbff; and.b32 y, %2, 0xbbffbbff; and.b32 z, %3, 0xbbffbbff; "
        "fma.rn.f16x2 %0, x, y, z;",
        fused((uint16_t)number2(a), (uint16_t)number2(b), (uint16_t)number2(c)) |
            (uint32_t)fused((uint16_t)(number2(a) >> 16), (uint16_t)(number2(b) >> 16),
                            (uint16_t)(number2(c) >> 16))
                << 16)

__global__ void functions(float *out, const float *in, __half *halves)
{
	int i = threadIdx.x;
	__half a = __float2half(in[i]), b = __float2half(in[63 - i]);
	__half2 pair = __floats2half2_rn(in[i], in[(i + 1) & 63]);
	halves[i] = __hadd(a, b);
	out[i * 6] = __half2float(__hmul(a, b));
	out[i * 6 + 1] = __half2float(__hfma(a, b, __float2half(1.0f)));
	out[i * 6 + 2] = __hlt(a, b) ? 1.0f : 0.0f;
	out[i * 6 + 3] = __half2float(__low2half(__hadd2(pair, pair)));
	out[i * 6 + 4] = __half2float(__high2half(pair));
	out[i * 6 + 5] = (float)(int)__half_as_ushort(__hsub(a, b));
}

static void test_functions(void)
{
	static float in[64], want[64 * 6];
	static uint16_t want_halves[64];
	for (int i = 0; i < 64; i++)
		in[i] = (float)((int)(check_random() % 2000) - 1000) / 7.0f;
	for (int i = 0; i < 64; i++) {
		uint16_t a = f16_bits(in[i]), b = f16_bits(in[63 - i]);
		want_halves[i] = f16_bits(f16_value(a) + f16_value(b));
		want[i * 6] = (float)f16_value(f16_bits(f16_value(a) * f16_value(b)));
		want[i * 6 + 1] = (float)f16_value(fused(a, b, f16_bits(1)));
		want[i * 6 + 2] = f16_value(a) < f16_value(b);
		want[i * 6 + 3] = (float)f16_value(f16_bits(2 * f16_value(a)));
		want[i * 6 + 4] = (float)f16_value(f16_bits(in[(i + 1) & 63]));
		want[i * 6 + 5] = (float)f16_bits(f16_value(a) - f16_value(b));
	}
	uint16_t *halves = zeros_like(want_halves);
	check_run("functions of cuda_fp16.h", want,
	          [&](float *out) { functions<<<1, 64>>>(out, to_device(in), (__half *)halves); });
	check_device("__hadd", halves, want_halves);
}

int main(void)
{
	check_ops();
	test_functions();
	return check_finish("half");
}
