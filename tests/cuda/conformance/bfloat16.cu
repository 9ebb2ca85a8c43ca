/* bf16: conversions, fma, neg, abs, min, max. */
#include "half_ref.h"
#include "op.h"

static uint16_t canonical(uint16_t bits)
{
	return (bits & 0x7f80) == 0x7f80 && (bits & 0x7f) ? 0x7fff : bits;
}

/* Products of bf16 are exact in double; sums are made exact by rounding to odd. */
static uint16_t fused(uint16_t a, uint16_t b, uint16_t c)
{
	double p = bf16_value(a) * bf16_value(b), z = bf16_value(c), s = p + z, error = 0;
	if (isfinite(p) && isfinite(z) && isfinite(s)) {
		double t = s - p;
		error = (p - (s - t)) + (z - t);
	}
	if (error != 0) {
		uint64_t bits;
		memcpy(&bits, &s, sizeof bits);
		if (!(bits & 1))
			bits += (error > 0) == (s > 0) ? 1 : -1;
		memcpy(&s, &bits, sizeof s);
	}
	return bf16_bits(s);
}

static uint16_t least(uint16_t a, uint16_t b)
{
	double x = bf16_value(a), y = bf16_value(b);
	if (x != x || y != y)
		return canonical(x != x ? b : a);
	return x == y ? (uint16_t)(a | b) : x < y ? a : b;
}

#define NAN_ONE ".reg .b16 m; and.b16 m, %0, 32767; setp.gt.u16 p, m, 32640; selp.b16 %0, 32767, %0, p;"
#define B(name, ptx, expression) OP_SAME(name, h, ptx NAN_ONE, canonical(expression))

B(fma_bf16, "fma.rn.bf16 %0, %1, %2, %3; ", fused(a, b, c))
B(neg_bf16, "neg.bf16 %0, %1; ", a ^ 0x8000)
B(abs_bf16, "abs.bf16 %0, %1; ", a & 0x7fff)
B(min_bf16, "min.bf16 %0, %1, %2; ", least(a, b))
OP(cvt_rn_bf16_f32, h, f, f, f, "cvt.rn.bf16.f32 %0, %1; " NAN_ONE, bf16_bits(a))

OPS("bfloat16")
