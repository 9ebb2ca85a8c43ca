/*
 * Integer arithmetic on whole lane arrays: 16, 32 and 64 bits.
 *
 * Overflow wraps; signed forms compute in unsigned types where the bits are the
 * same. Division by zero, which PTX leaves open, gives all ones, and remainder
 * by zero the dividend; neither traps. Shifts and bit fields are in bits.c.
 */
#include "cuda/lanes/loop.h"

typedef unsigned __int128 wide_u128;
typedef __int128 wide_s128;

LANE_INLINE int32_t sign24(uint32_t x)
{
	return (int32_t)(x << 8) >> 8;
}
LANE_INLINE int32_t clamp_s32(int64_t x)
{
	return x < INT32_MIN ? INT32_MIN : x > INT32_MAX ? INT32_MAX : (int32_t)x;
}

/* x / -1 of the smallest number would trap on the host; PTX wraps. */
#define SIGNED_DIV(U) (y == 0 ? -1 : y == -1 ? (int64_t)(0 - (U)x) : x / y)
#define SIGNED_REM (y == 0 ? x : y == -1 ? 0 : x % y)
#define DISTANCE(U) (x < y ? (U)y - (U)x : (U)x - (U)y)

/* X1..X3(op, mode, flags, type, result, sources..., expression): U unsigned, S signed, W at least as wide as int. */
#define SIGNLESS_FORMS(X1, X2, X3, U, W)                                                                     \
	X2(add, none, 0, U, U, U, U, x + y)                                                                  \
	X2(sub, none, 0, U, U, U, U, x - y)                                                                  \
	X2(mul, lo, 0, U, U, U, U, (W)x *y)                                                                  \
	X3(mad, lo, 0, U, U, U, U, U, (W)x *y + z)                                                           \
	X1(neg, none, 0, U, U, U, 0 - x)                                                                     \
	X2(div, none, 0, U, U, U, U, y ? x / y : ~(W)0)                                                      \
	X2(rem, none, 0, U, U, U, U, y ? x % y : x)                                                          \
	X2(min, none, 0, U, U, U, U, x < y ? x : y)                                                          \
	X2(max, none, 0, U, U, U, U, x > y ? x : y)                                                          \
	X3(sad, none, 0, U, U, U, U, U, z + DISTANCE(W))                                                     \
	X2(and, none, 0, U, U, U, U, x &y)                                                                   \
	X2(or, none, 0, U, U, U, U, x | y)                                                                   \
	X2(xor, none, 0, U, U, U, U, x ^ y)                                                                  \
	X1(not, none, 0, U, U, U, ~x)                                                                        \
	X1(cnot, none, 0, U, U, U, x == 0)

#define SIGNED_FORMS(X1, X2, X3, S, W)                                                                       \
	X1(abs, none, 0, S, S, S, x < 0 ? 0 - (W)x : (W)x)                                                   \
	X2(div, none, 0, S, S, S, S, SIGNED_DIV(W))                                                          \
	X2(rem, none, 0, S, S, S, S, SIGNED_REM)                                                             \
	X2(min, none, 0, S, S, S, S, x < y ? x : y)                                                          \
	X2(max, none, 0, S, S, S, S, x > y ? x : y)                                                          \
	X3(sad, none, 0, S, S, S, S, S, (W)z + DISTANCE(W))

/* Products twice as wide as T: D. */
#define DOUBLE_FORMS(X2, X3, T, D, U, bits)                                                                  \
	X2(mul, hi, 0, T, T, T, T, ((D)x * y) >> bits)                                                       \
	X3(mad, hi, 0, T, T, T, T, T, (U)(((D)x * y) >> bits) + (U)z)
#define WIDE_FORMS(X2, X3, T, D, U)                                                                          \
	X2(mul, wide, 0, T, D, T, T, (lane_##D)x *y)                                                         \
	X3(mad, wide, 0, T, D, T, T, D, (U)((lane_##D)x * y) + (U)z)

#define FORMS(X1, X2, X3)                                                                                    \
	SIGNLESS_FORMS(X1, X2, X3, u16, uint32_t)                                                            \
	SIGNLESS_FORMS(X1, X2, X3, u32, uint32_t)                                                            \
	SIGNLESS_FORMS(X1, X2, X3, u64, uint64_t)                                                            \
	SIGNED_FORMS(X1, X2, X3, s16, uint32_t)                                                              \
	SIGNED_FORMS(X1, X2, X3, s32, uint32_t)                                                              \
	SIGNED_FORMS(X1, X2, X3, s64, uint64_t)                                                              \
	DOUBLE_FORMS(X2, X3, u16, uint32_t, uint32_t, 16)                                                    \
	DOUBLE_FORMS(X2, X3, s16, int32_t, uint32_t, 16)                                                     \
	DOUBLE_FORMS(X2, X3, u32, uint64_t, uint32_t, 32)                                                    \
	DOUBLE_FORMS(X2, X3, s32, int64_t, uint32_t, 32)                                                     \
	DOUBLE_FORMS(X2, X3, u64, wide_u128, uint64_t, 64)                                                   \
	DOUBLE_FORMS(X2, X3, s64, wide_s128, uint64_t, 64)                                                   \
	WIDE_FORMS(X2, X3, u16, u32, uint32_t)                                                               \
	WIDE_FORMS(X2, X3, s16, s32, uint32_t)                                                               \
	WIDE_FORMS(X2, X3, u32, u64, uint64_t)                                                               \
	WIDE_FORMS(X2, X3, s32, s64, uint64_t)                                                               \
	X2(add, none, SAT, s32, s32, s32, s32, clamp_s32((int64_t)x + y))                                    \
	X2(sub, none, SAT, s32, s32, s32, s32, clamp_s32((int64_t)x - y))                                    \
	X3(mad, hi, SAT, s32, s32, s32, s32, s32, clamp_s32((((int64_t)x * y) >> 32) + z))                   \
	X2(min, none, RELU, s32, s32, s32, s32, x < 0 || y < 0 ? 0 : x < y ? x : y)                          \
	X2(max, none, RELU, s32, s32, s32, s32, x < 0 && y < 0 ? 0 : x > y ? x : y)                          \
	X2(mul24, lo, 0, u32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff))                                \
	X2(mul24, hi, 0, u32, u32, u32, u32, ((uint64_t)(x & 0xffffff) * (y & 0xffffff)) >> 16)              \
	X2(mul24, lo, 0, s32, u32, u32, u32, (uint32_t)sign24(x) * (uint32_t)sign24(y))                      \
	X2(mul24, hi, 0, s32, u32, u32, u32, ((int64_t)sign24(x) * sign24(y)) >> 16)                         \
	X3(mad24, lo, 0, u32, u32, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff) + z)                       \
	X3(mad24, hi, 0, u32, u32, u32, u32, u32,                                                            \
	   (uint32_t)(((uint64_t)(x & 0xffffff) * (y & 0xffffff)) >> 16) + z)                                \
	X3(mad24, lo, 0, s32, u32, u32, u32, u32, (uint32_t)sign24(x) * (uint32_t)sign24(y) + z)             \
	X3(mad24, hi, 0, s32, u32, u32, u32, u32, (uint32_t)(((int64_t)sign24(x) * sign24(y)) >> 16) + z)    \
	X3(mad24, hi, SAT, s32, s32, u32, u32, s32, clamp_s32((((int64_t)sign24(x) * sign24(y)) >> 16) + z))

enum { FLAGS_0 = 0, FLAGS_SAT = PTX_FLAG_SAT, FLAGS_RELU = PTX_FLAG_RELU };

FORMS(LANE_DEFINE1, LANE_DEFINE2, LANE_DEFINE3)

LANE_MAP1(copy_u16, u16, u16, x)
LANE_MAP1(copy_u32, u32, u32, x)
LANE_MAP1(copy_u64, u64, u64, x)

static const struct lane_form forms[] = {
    FORMS(LANE_ENTRY, LANE_ENTRY, LANE_ENTRY) LANE_FORM(mov, u16, none, none, 0, copy_u16)
        LANE_FORM(mov, u32, none, none, 0, copy_u32) LANE_FORM(mov, u64, none, none, 0, copy_u64)};

/* The type whose form serves as well: signs do not matter to add, float bits not to mov. */
static uint8_t type_signless(uint8_t type)
{
	static const uint8_t signless[PTX_TYPE_COUNT] = {
	    [PTX_TYPE_b8] = PTX_TYPE_u16,     [PTX_TYPE_u8] = PTX_TYPE_u16,   [PTX_TYPE_s8] = PTX_TYPE_u16,
	    [PTX_TYPE_b16] = PTX_TYPE_u16,    [PTX_TYPE_s16] = PTX_TYPE_u16,  [PTX_TYPE_f16] = PTX_TYPE_u16,
	    [PTX_TYPE_bf16] = PTX_TYPE_u16,   [PTX_TYPE_pred] = PTX_TYPE_u32, [PTX_TYPE_b32] = PTX_TYPE_u32,
	    [PTX_TYPE_s32] = PTX_TYPE_u32,    [PTX_TYPE_f32] = PTX_TYPE_u32,  [PTX_TYPE_f16x2] = PTX_TYPE_u32,
	    [PTX_TYPE_bf16x2] = PTX_TYPE_u32, [PTX_TYPE_b64] = PTX_TYPE_u64,  [PTX_TYPE_s64] = PTX_TYPE_u64,
	    [PTX_TYPE_f64] = PTX_TYPE_u64};
	return signless[type] ? signless[type] : type;
}

static bool type_is_float(uint8_t type)
{
	return type >= PTX_TYPE_f16 && type <= PTX_TYPE_f64;
}

lane_fn *lane_find_integer(const struct ptx_insn *insn)
{
	if (type_is_float(insn->type) && insn->op != PTX_mov)
		return NULL;
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = insn->type,
	                         .mode = insn->mode,
	                         .flags = insn->flags & LANE_FLAGS};
	lane_fn *fn = LANE_FORM_FIND(forms, &want);
	want.type = type_signless(insn->type);
	return fn ? fn : LANE_FORM_FIND(forms, &want);
}

/* ---- carries ------------------------------------------------------------------------------------------- */

/*
 * Extended precision: add.cc, addc, sub.cc, subc, mad.cc, madc.
 *
 * The carry is a lane array of its own (`d`), 0 or 1. After a subtraction it is
 * the borrow, so that subc subtracts it; PTX says no more than that subc reads
 * what sub.cc wrote.
 */

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

#define CARRY_ENTRY(op, mode, out, T, ...)                                                                   \
	LANE_FORM(op, T, mode, none, (out)*PTX_FLAG_CC, op##_##mode##_##out##_##T)
static const struct lane_form carry_forms[] = {SUM_LISTS(CARRY_ENTRY) MAD_LISTS(CARRY_ENTRY)};

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
	return LANE_FORM_FIND(carry_forms, &want);
}

/* ---- pairs of 16-bit integers -------------------------------------------------------------------------- */

/* Pairs of 16-bit integers in a lane (u16x2, s16x2): an array of twice as many. */

/* X(op, type, flags, element, expression) */
#define PACKED_FORMS(X)                                                                                      \
	X(add, u16x2, 0, u16, x + y)                                                                         \
	X(add, s16x2, 0, u16, x + y)                                                                         \
	X(sub, u16x2, 0, u16, x - y)                                                                         \
	X(sub, s16x2, 0, u16, x - y)                                                                         \
	X(min, u16x2, 0, u16, x < y ? x : y)                                                                 \
	X(max, u16x2, 0, u16, x > y ? x : y)                                                                 \
	X(min, s16x2, 0, s16, x < y ? x : y)                                                                 \
	X(max, s16x2, 0, s16, x > y ? x : y)                                                                 \
	X(min, s16x2, RELU, s16, x < 0 || y < 0 ? 0 : x < y ? x : y)                                         \
	X(max, s16x2, RELU, s16, x < 0 && y < 0 ? 0 : x > y ? x : y)
#define DEFINE_PACKED(op, type, flags, T, expression)                                                        \
	LANE_FUNCTION(                                                                                       \
	    op##_##type##_##flags, const lane_##T *p = a; const lane_##T *q = b; lane_##T *r = dst;          \
	    lanes *= 2; LANE_LOOP(i) {                                                                       \
		    lane_##T x = p[i];                                                                       \
		    lane_##T y = q[i];                                                                       \
		    r[i] = (lane_##T)(expression);                                                           \
	    })
PACKED_FORMS(DEFINE_PACKED)

#define PACKED_ENTRY(op, type, flags, ...)                                                                   \
	LANE_FORM(op, type, none, none, FLAGS_##flags, op##_##type##_##flags)
static const struct lane_form packed_forms[] = {PACKED_FORMS(PACKED_ENTRY)};

lane_fn *lane_find_packed(const struct ptx_insn *insn)
{
	struct lane_form want = {
	    .op = (uint8_t)insn->op, .type = insn->type, .flags = insn->flags & LANE_FLAGS};
	return LANE_FORM_FIND(packed_forms, &want);
}
