/* setp with every compare and type, two results, boolean combination; set, selp, slct. */
#include "op.h"

#define S(x) ((int32_t)(x))
#define NANS(a, b) ((a) != (a) || (b) != (b))

/* p|q, then combined with a third predicate by and, or, xor. */
#define COMPARE(name, T, l, op, type, expression)                                                            \
	OP(name, uint32_t, "r", T, l, T, l, uint32_t, "r",                                                   \
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

COMPARE(eq_s32, uint32_t, "r", "eq", "s32", a == b)
COMPARE(ne_b32, uint32_t, "r", "ne", "b32", a != b)
COMPARE(lt_s32, uint32_t, "r", "lt", "s32", S(a) < S(b))
COMPARE(le_u32, uint32_t, "r", "le", "u32", a <= b)
COMPARE(lo_u32, uint32_t, "r", "lo", "u32", a < b)
COMPARE(hs_u32, uint32_t, "r", "hs", "u32", a >= b)
COMPARE(gt_s64, uint64_t, "l", "gt", "s64", (int64_t)a > (int64_t)b)
COMPARE(hi_u64, uint64_t, "l", "hi", "u64", a > b)
COMPARE(ls_u64, uint64_t, "l", "ls", "u64", a <= b)
COMPARE(ge_s16, uint16_t, "h", "ge", "s16", (int16_t)a >= (int16_t)b)
COMPARE(lt_u16, uint16_t, "h", "lt", "u16", a < b)
COMPARE(eq_f32, float, "f", "eq", "f32", a == b)
COMPARE(ne_f32, float, "f", "ne", "f32", a != b && !NANS(a, b))
COMPARE(lt_f32, float, "f", "lt", "f32", a < b)
COMPARE(le_f32, float, "f", "le", "f32", a <= b)
COMPARE(gt_f32, float, "f", "gt", "f32", a > b)
COMPARE(ge_f32, float, "f", "ge", "f32", a >= b)
COMPARE(equ_f32, float, "f", "equ", "f32", a == b || NANS(a, b))
COMPARE(neu_f32, float, "f", "neu", "f32", a != b)
COMPARE(ltu_f32, float, "f", "ltu", "f32", !(a >= b))
COMPARE(leu_f32, float, "f", "leu", "f32", !(a > b))
COMPARE(gtu_f32, float, "f", "gtu", "f32", !(a <= b))
COMPARE(geu_f32, float, "f", "geu", "f32", !(a < b))
COMPARE(num_f32, float, "f", "num", "f32", !NANS(a, b))
COMPARE(nan_f32, float, "f", "nan", "f32", NANS(a, b))
COMPARE(lt_f64, double, "d", "lt", "f64", a < b)
COMPARE(geu_f64, double, "d", "geu", "f64", !(a < b))
COMPARE(neu_f64, double, "d", "neu", "f64", a != b)

OP_SAME(set_lt_u32_s32, uint32_t, "r", "set.lt.u32.s32 %0, %1, %2;", S(a) < S(b) ? 0xffffffff : 0)
OP(set_gt_f32_f32, float, "f", float, "f", float, "f", float, "f", "set.gt.f32.f32 %0, %1, %2;",
   a > b ? 1.0f : 0.0f)
OP(set_and, uint32_t, "r", float, "f", float, "f", uint32_t, "r",
   "setp.ne.u32 p, %3, 0; set.le.and.u32.f32 %0, %1, %2, p;", a <= b && c != 0 ? 0xffffffff : 0)
OP(slct_s32, uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r", "slct.u32.s32 %0, %1, %2, %3;",
   S(c) >= 0 ? a : b)
OP(slct_f32, uint64_t, "l", uint64_t, "l", uint64_t, "l", float, "f", "slct.u64.f32 %0, %1, %2, %3;",
   c >= 0.0f ? a : b)
OP(selp_f64, double, "d", double, "d", double, "d", uint32_t, "r",
   "setp.lt.s32 p, %3, 0; selp.f64 %0, %1, %2, p;", S(c) < 0 ? a : b)
OP(predicates, uint32_t, "r", uint32_t, "r", uint32_t, "r", uint32_t, "r",
   ".reg .pred s; setp.lt.u32 p, %1, %2; setp.lt.u32 q, %2, %3; and.pred s, p, q; xor.pred s, s, p; "
   "not.pred q, s; or.pred p, q, p; mov.pred s, p; mov.u32 %0, 5; @s mov.u32 %0, 9; @!p add.u32 %0, %0, 1;",
   ((!(((a < b) && (b < c)) != (a < b))) || (a < b)) ? 9 : 6)

int main(void)
{
	CHECK_OP(eq_s32);
	CHECK_OP(ne_b32);
	CHECK_OP(lt_s32);
	CHECK_OP(le_u32);
	CHECK_OP(lo_u32);
	CHECK_OP(hs_u32);
	CHECK_OP(gt_s64);
	CHECK_OP(hi_u64);
	CHECK_OP(ls_u64);
	CHECK_OP(ge_s16);
	CHECK_OP(lt_u16);
	CHECK_OP(eq_f32);
	CHECK_OP(ne_f32);
	CHECK_OP(lt_f32);
	CHECK_OP(le_f32);
	CHECK_OP(gt_f32);
	CHECK_OP(ge_f32);
	CHECK_OP(equ_f32);
	CHECK_OP(neu_f32);
	CHECK_OP(ltu_f32);
	CHECK_OP(leu_f32);
	CHECK_OP(gtu_f32);
	CHECK_OP(geu_f32);
	CHECK_OP(num_f32);
	CHECK_OP(nan_f32);
	CHECK_OP(lt_f64);
	CHECK_OP(geu_f64);
	CHECK_OP(neu_f64);
	CHECK_OP(set_lt_u32_s32);
	CHECK_OP(set_gt_f32_f32);
	CHECK_OP(set_and);
	CHECK_OP(slct_s32);
	CHECK_OP(slct_f32);
	CHECK_OP(selp_f64);
	CHECK_OP(predicates);
	return check_finish("compare");
}
