/*
 * Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc.
 *
 * The carry is a lane array of its own (`d`), 0 or 1. After a subtraction it is
 * the borrow, so that subc subtracts it; PTX says no more than that subc reads
 * what sub.cc wrote.
 */
#include "cuda/lanes/loop.h"

typedef unsigned __int128 wide_u128;
typedef __int128 wide_s128;

/* Sum and carry of p + q + carry, of W bits in a type D that is wider. */
#define ADD(D) (D) x + (D)y
#define SUB(D) (D) x - (D)y
#define LOW(P, D, T) (D)(T)((P)x * (P)y) + (D)z
#define HIGH(P, D, T, bits) (D)(T)((P)x * (P)y >> bits) + (D)z

/* X(name, T, D, arity, sum, carry in, carry out): 0 + or 0 - the carry in. */
#define SIZE_FORMS(X, T, D, bits)                                                                            \
	X(add, none, 1, T, D, bits, ADD(D), +0 *, 1)                                                         \
	X(addc, none, 1, T, D, bits, ADD(D), +, 1)                                                           \
	X(addc, none, 0, T, D, bits, ADD(D), +, 0)                                                           \
	X(sub, none, 1, T, D, bits, SUB(D), -0 *, 1)                                                         \
	X(subc, none, 1, T, D, bits, SUB(D), -, 1)                                                           \
	X(subc, none, 0, T, D, bits, SUB(D), -, 0)
#define MAD_FORMS(X, T, P, D, U, bits)                                                                       \
	X(mad, lo, 1, T, D, bits, LOW(P, D, U), +0 *, 1)                                                     \
	X(madc, lo, 1, T, D, bits, LOW(P, D, U), +, 1)                                                       \
	X(madc, lo, 0, T, D, bits, LOW(P, D, U), +, 0)                                                       \
	X(mad, hi, 1, T, D, bits, HIGH(P, D, U, bits), +0 *, 1)                                              \
	X(madc, hi, 1, T, D, bits, HIGH(P, D, U, bits), +, 1)                                                \
	X(madc, hi, 0, T, D, bits, HIGH(P, D, U, bits), +, 0)
#define SUM_LISTS(X) SIZE_FORMS(X, u32, uint64_t, 32) SIZE_FORMS(X, u64, wide_u128, 64)
#define MAD_LISTS(X)                                                                                         \
	MAD_FORMS(X, u32, uint64_t, uint64_t, uint32_t, 32)                                                  \
	MAD_FORMS(X, s32, int64_t, uint64_t, uint32_t, 32)                                                   \
	MAD_FORMS(X, u64, wide_u128, wide_u128, uint64_t, 64)                                                \
	MAD_FORMS(X, s64, wide_s128, wide_u128, uint64_t, 64)

#define STORE_0(sum, bits)
#define STORE_1(sum, bits) carry[i] = (uint32_t)((sum) >> bits) & 1;
#define BODY(D, bits, expr, in, out)                                                                         \
	D sum = (expr)in carry[i];                                                                           \
	STORE_##out(sum, bits)

#define DEFINE_SUM(op, mode, out, T, D, bits, expr, in, out2)                                                \
	LANE_FUNCTION(                                                                                       \
	    op##_##mode##_##out##_##T, const lane_##T *p = a; const lane_##T *q = b; lane_##T *r = dst;      \
	    lane_u32 *carry = d; LANE_LOOP(i) {                                                              \
		    lane_##T x = p[i];                                                                       \
		    lane_##T y = q[i];                                                                       \
		    BODY(D, bits, expr, in, out2)                                                            \
		    r[i] = (lane_##T)sum;                                                                    \
	    })
#define DEFINE_MAD(op, mode, out, T, D, bits, expr, in, out2)                                                \
	LANE_FUNCTION(                                                                                       \
	    op##_##mode##_##out##_##T, const lane_##T *p = a; const lane_##T *q = b;                         \
	    const lane_u##bits *s = c; lane_u##bits *r = dst; lane_u32 *carry = d; LANE_LOOP(i) {            \
		    lane_##T x = p[i];                                                                       \
		    lane_##T y = q[i];                                                                       \
		    lane_u##bits z = s[i];                                                                   \
		    BODY(D, bits, expr, in, out2)                                                            \
		    r[i] = (lane_u##bits)sum;                                                                \
	    })
SUM_LISTS(DEFINE_SUM)
MAD_LISTS(DEFINE_MAD)

#define ENTRY(op, mode, out, T, ...)                                                                         \
	LANE_FORM(op, T, mode, none, (out)*PTX_FLAG_CC, op##_##mode##_##out##_##T)
static const struct lane_form forms[] = {SUM_LISTS(ENTRY) MAD_LISTS(ENTRY)};

lane_fn *lane_find_carry(const struct ptx_insn *insn)
{
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .mode = insn->mode,
	                         .flags = insn->flags & LANE_FLAGS};
	bool is_sum = insn->mode == PTX_MODE_none || insn->mode == PTX_MODE_cc;
	if (insn->mode == PTX_MODE_cc)
		want.mode = PTX_MODE_none, want.flags |= PTX_FLAG_CC;
	if (is_sum && (insn->type == PTX_TYPE_s32 || insn->type == PTX_TYPE_b32))
		want.type = PTX_TYPE_u32;
	if (is_sum && (insn->type == PTX_TYPE_s64 || insn->type == PTX_TYPE_b64))
		want.type = PTX_TYPE_u64;
	return lane_form_find(forms, sizeof forms / sizeof *forms, &want);
}
