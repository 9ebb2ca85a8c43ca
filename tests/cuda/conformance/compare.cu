/* setp with every compare and type, two results, boolean combination; set, selp, slct. */
#include "op.h"

#define S(x) ((int32_t)(x))
#define NANS(a, b) ((a) != (a) || (b) != (b))

/* p|q, then combined with a third predicate by and, or, xor. */
#define COMPARE(name, t, op, type, expression)                                                               \
	OP(name, r, t, t, r,                                                                                 \
	   ".reg .pred s, t; .reg .b32 x; and.b32 x, %3, 1; setp.ne.u32 s, x, 0; "                           \
	   "setp." op "." type " p|q, %1, %2; selp.u32 %0, 1, 0, p; selp.u32 x, 2, 0, q; or.b32 %0, %0, x; " \
	   "setp." op ".and." type " t, %1, %2, s; selp.u32 x, 4, 0, t; or.b32 %0, %0, x; "                  \
	   "setp." op ".or." type " t, %1, %2, !s; selp.u32 x, 8, 0, t; or.b32 %0, %0, x; "                  \
	   "setp." op ".xor." type " t, %1, %2, s; selp.u32 x, 16, 0, t; or.b32 %0, %0, x; ",                \
	   outcome((expression), c & 1))

static uint32_t outcome(int p, int s)
{
	return (p ? 1u : 2u) | (p && s ? 4u : 0u) | (p || !s ? 8u : 0u) | (p != s ? 16u : 0u);
}

COMPARE(eq_s32, r, "eq", "s32", a == b)
COMPARE(ne_b32, r, "ne", "b32", a != b)
COMPARE(lt_s32, r, "lt", "s32", S(a) < S(b))
COMPARE(le_u32, r, "le", "u32", a <= b)
COMPARE(lo_u32, r, "lo", "u32", a < b)
COMPARE(hs_u32, r, "hs", "u32", a >= b)
COMPARE(gt_s64, l, "gt", "s64", (int64_t)a > (int64_t)b)
COMPARE(hi_u64, l, "hi", "u64", a > b)
COMPARE(ls_u64, l, "ls", "u64", a <= b)
COMPARE(ge_s16, h, "ge", "s16", (int16_t)a >= (int16_t)b)
COMPARE(lt_u16, h, "lt", "u16", a < b)
COMPARE(eq_f32, f, "eq", "f32", a == b)
COMPARE(ne_f32, f, "ne", "f32", a != b && !NANS(a, b))
COMPARE(lt_f32, f, "lt", "f32", a < b)
COMPARE(le_f32, f, "le", "f32", a <= b)
COMPARE(gt_f32, f, "gt", "f32", a > b)
COMPARE(ge_f32, f, "ge", "f32", a >= b)
COMPARE(equ_f32, f, "equ", "f32", a == b || NANS(a, b))
COMPARE(neu_f32, f, "neu", "f32", a != b)
COMPARE(ltu_f32, f, "ltu", "f32", !(a >= b))
COMPARE(leu_f32, f, "leu", "f32", !(a > b))
COMPARE(gtu_f32, f, "gtu", "f32", !(a <= b))
COMPARE(geu_f32, f, "geu", "f32", !(a < b))
COMPARE(num_f32, f, "num", "f32", !NANS(a, b))
COMPARE(nan_f32, f, "nan", "f32", NANS(a, b))
COMPARE(lt_f64, d, "lt", "f64", a < b)
COMPARE(geu_f64, d, "geu", "f64", !(a < b))
COMPARE(neu_f64, d, "neu", "f64", a != b)

OP_SAME(set_lt_u32_s32, r, "set.lt.u32.s32 %0, %1, %2;", S(a) < S(b) ? 0xffffffff : 0)
OP(set_gt_f32_f32, f, f, f, f, "set.gt.f32.f32 %0, %1, %2;", a > b ? 1.0f : 0.0f)
OP(set_and, r, f, f, r, "setp.ne.u32 p, %3, 0; set.le.and.u32.f32 %0, %1, %2, p;",
   a <= b && c != 0 ? 0xffffffff : 0)
OP(slct_s32, r, r, r, r, "slct.u32.s32 %0, %1, %2, %3;", S(c) >= 0 ? a : b)
OP(slct_f32, l, l, l, f, "slct.u64.f32 %0, %1, %2, %3;", c >= 0.0f ? a : b)
OP(selp_f64, d, d, d, r, "setp.lt.s32 p, %3, 0; selp.f64 %0, %1, %2, p;", S(c) < 0 ? a : b)
OP(predicates, r, r, r, r,
   ".reg .pred s; setp.lt.u32 p, %1, %2; setp.lt.u32 q, %2, %3; and.pred s, p, q; xor.pred s, s, p; "
   "not.pred q, s; or.pred p, q, p; mov.pred s, p; mov.u32 %0, 5; @s mov.u32 %0, 9; @!p add.u32 %0, %0, 1;",
   ((!(((a < b) && (b < c)) != (a < b))) || (a < b)) ? 9 : 6)

OPS("compare")
