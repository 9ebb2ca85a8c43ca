/* Integer instructions by name: mul24, mad24, mad.hi, sad, min/max, saturating add, 16-bit forms, abs and neg. */
#include "op.h"

static int32_t sign24(uint32_t x)
{
	return (int32_t)(x << 8) >> 8;
}

static uint32_t clamp_s32(int64_t x)
{
	return (uint32_t)(x > INT32_MAX ? INT32_MAX : x < INT32_MIN ? INT32_MIN : (int32_t)x);
}

#define S(x) ((int32_t)(x))
#define SL(x) ((int64_t)(x))
#define SH(x) ((int16_t)(x))

OP_SAME(mul24_lo_s32, r, "mul24.lo.s32 %0, %1, %2;", (int64_t)sign24(a) * sign24(b))
OP_SAME(mul24_hi_s32, r, "mul24.hi.s32 %0, %1, %2;", ((int64_t)sign24(a) * sign24(b)) >> 16)
OP_SAME(mul24_lo_u32, r, "mul24.lo.u32 %0, %1, %2;", (uint64_t)(a & 0xffffff) * (b & 0xffffff))
OP_SAME(mul24_hi_u32, r, "mul24.hi.u32 %0, %1, %2;", ((uint64_t)(a & 0xffffff) * (b & 0xffffff)) >> 16)
OP_SAME(mad24_lo_s32, r, "mad24.lo.s32 %0, %1, %2, %3;", (uint32_t)((int64_t)sign24(a) * sign24(b)) + c)
OP_SAME(mad24_lo_u32, r, "mad24.lo.u32 %0, %1, %2, %3;",
        (uint32_t)((uint64_t)(a & 0xffffff) * (b & 0xffffff)) + c)
OP_SAME(mad_lo_s32, r, "mad.lo.s32 %0, %1, %2, %3;", a *b + c)
OP_SAME(mad_hi_s32, r, "mad.hi.s32 %0, %1, %2, %3;", (uint32_t)(((int64_t)S(a) * S(b)) >> 32) + c)
OP_SAME(mad_hi_u32, r, "mad.hi.u32 %0, %1, %2, %3;", (uint32_t)(((uint64_t)a * b) >> 32) + c)
OP_SAME(mad_lo_u16, h, "mad.lo.u16 %0, %1, %2, %3;", (uint32_t)a *b + c)
OP_SAME(mad_lo_s64, l, "mad.lo.s64 %0, %1, %2, %3;", a *b + c)
OP(mad_wide_s32, l, r, r, l, "mad.wide.s32 %0, %1, %2, %3;", (uint64_t)((int64_t)S(a) * S(b)) + c)
OP(mad_wide_u32, l, r, r, l, "mad.wide.u32 %0, %1, %2, %3;", (uint64_t)a *b + c)
OP(mad_wide_u16, r, h, h, r, "mad.wide.u16 %0, %1, %2, %3;", (uint32_t)a *b + c)
OP(mul_wide_s16, r, h, h, r, "mul.wide.s16 %0, %1, %2;", SH(a) * SH(b))
OP(mul_wide_u16, r, h, h, r, "mul.wide.u16 %0, %1, %2;", (uint32_t)a *b)
OP_SAME(mul_hi_s16, h, "mul.hi.s16 %0, %1, %2;", (SH(a) * SH(b)) >> 16)
OP_SAME(mul_hi_u16, h, "mul.hi.u16 %0, %1, %2;", ((uint32_t)a * b) >> 16)
OP_SAME(sad_s32, r, "sad.s32 %0, %1, %2, %3;", c + (S(a) < S(b) ? b - a : a - b))
OP_SAME(sad_u32, r, "sad.u32 %0, %1, %2, %3;", c + (a < b ? b - a : a - b))
OP_SAME(add_sat_s32, r, "add.sat.s32 %0, %1, %2;", clamp_s32((int64_t)S(a) + S(b)))
OP_SAME(sub_sat_s32, r, "sub.sat.s32 %0, %1, %2;", clamp_s32((int64_t)S(a) - S(b)))
OP_SAME(min_s16, h, "min.s16 %0, %1, %2;", SH(a) < SH(b) ? a : b)
OP_SAME(max_u16, h, "max.u16 %0, %1, %2;", a > b ? a : b)
OP_SAME(min_s64, l, "min.s64 %0, %1, %2;", SL(a) < SL(b) ? a : b)
OP_SAME(max_s64, l, "max.s64 %0, %1, %2;", SL(a) > SL(b) ? a : b)
OP_SAME(min_u64, l, "min.u64 %0, %1, %2;", a < b ? a : b)
OP_SAME(max_u64, l, "max.u64 %0, %1, %2;", a > b ? a : b)
OP_SAME(abs_s16, h, "abs.s16 %0, %1;", SH(a) < 0 ? -a : a)
OP_SAME(abs_s32, r, "abs.s32 %0, %1;", S(a) < 0 ? 0u - a : a)
OP_SAME(abs_s64, l, "abs.s64 %0, %1;", SL(a) < 0 ? 0u - a : a)
OP_SAME(neg_s16, h, "neg.s16 %0, %1;", -a)
OP_SAME(neg_s64, l, "neg.s64 %0, %1;", 0u - a)
OP_SAME(rem_s32, r, "setp.eq.u32 p, %2, 0; selp.b32 %0, 7, %2, p; rem.s32 %0, %1, %0;",
        S(b) == -1 ? 0 : S(a) % (b == 0 ? 7 : S(b)))
OP_SAME(div_u64, l, "setp.eq.u64 p, %2, 0; selp.b64 %0, 7, %2, p; div.u64 %0, %1, %0;", a / (b == 0 ? 7 : b))
OP_SAME(rem_u64, l, "setp.eq.u64 p, %2, 0; selp.b64 %0, 7, %2, p; rem.u64 %0, %1, %0;", a % (b == 0 ? 7 : b))

OPS("int_ptx")
