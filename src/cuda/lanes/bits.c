/*
 * Shifts, bit fields, counting, permutation and small dot products.
 *
 * Shift amounts are clamped to the width as PTX says, never taken modulo it;
 * positions and lengths of bit fields count modulo 256.
 */
#include "cuda/lanes/loop.h"

/* ---- scalar helpers ------------------------------------------------------------------------------------ */

LANE_INLINE uint64_t ones(uint32_t count)
{
	return count >= 64 ? ~(uint64_t)0 : ((uint64_t)1 << count) - 1;
}

/* bfe and bfi of U: `ones` of a count, all of them from the width on. */
#define DEFINE_FIELDS(U, bits)                                                                               \
	LANE_INLINE lane_##U ones_##U(uint32_t count)                                                        \
	{                                                                                                    \
		lane_##U below = ((lane_##U)1 << (count & (bits - 1))) - 1;                                  \
		return count >= bits ? (lane_##U) ~(lane_##U)0 : below;                                      \
	}                                                                                                    \
	LANE_INLINE lane_##U right_##U(lane_##U x, uint32_t count)                                           \
	{                                                                                                    \
		return count >= bits ? 0 : x >> (count & (bits - 1));                                        \
	}                                                                                                    \
	LANE_INLINE lane_##U extract_##U(lane_##U x, uint32_t position, uint32_t length)                     \
	{                                                                                                    \
		return right_##U(x, position & 255) & ones_##U(length & 255);                                \
	}                                                                                                    \
	/* Bits beyond the value are copies of its sign. */                                                  \
	LANE_INLINE lane_##U extract_signed_##U(lane_##U x, uint32_t position, uint32_t length)              \
	{                                                                                                    \
		uint32_t at = position & 255, count = length & 255;                                          \
		uint32_t room = at >= bits ? 0 : bits - at, top = at + count - 1;                            \
		lane_##U sign = right_##U(x, top < bits - 1 ? top : bits - 1) & 1;                           \
		lane_##U fill = count ? 0 - sign : 0;                                                        \
		return extract_##U(x, at, count) | (fill & ~ones_##U(count < room ? count : room));          \
	}                                                                                                    \
	LANE_INLINE lane_##U insert_##U(lane_##U from, lane_##U into, uint32_t position, uint32_t length)    \
	{                                                                                                    \
		uint32_t at = position & 255, shift = at & (bits - 1);                                       \
		lane_##U mask = at >= bits ? 0 : ones_##U(length & 255) << shift;                            \
		return (into & ~mask) | (from << shift & mask);                                              \
	}
DEFINE_FIELDS(u32, 32)
DEFINE_FIELDS(u64, 64)

/* Position of the most significant bit that is not a copy of the sign; all ones: none. */
LANE_INLINE uint32_t find_top(uint64_t x)
{
	return x ? 63 - (uint32_t)__builtin_clzll(x) : UINT32_MAX;
}

LANE_INLINE uint64_t reverse64(uint64_t x)
{
	x = (x >> 1 & 0x5555555555555555u) | (x & 0x5555555555555555u) << 1;
	x = (x >> 2 & 0x3333333333333333u) | (x & 0x3333333333333333u) << 2;
	x = (x >> 4 & 0x0f0f0f0f0f0f0f0fu) | (x & 0x0f0f0f0f0f0f0f0fu) << 4;
	return __builtin_bswap64(x);
}

/* The bit of `lut` that the three inputs name, for all bit positions at once. */
LANE_INLINE uint32_t lookup3(uint32_t x, uint32_t y, uint32_t z, uint32_t lut)
{
	uint32_t result = 0;
	for (unsigned k = 0; k < 8; k++) {
		uint32_t match = (k & 4 ? x : ~x) & (k & 2 ? y : ~y) & (k & 1 ? z : ~z);
		result |= match & (0 - (lut >> k & 1));
	}
	return result;
}

/* Byte `select & 7` of the eight in y:x; with bit 3 its sign in all bits. */
LANE_INLINE uint32_t pick_byte(uint32_t x, uint32_t y, uint32_t select)
{
	uint64_t both = (uint64_t)y << 32 | x;
	uint32_t byte = (uint32_t)(both >> (select & 7) * 8) & 0xff;
	return select & 8 ? (byte & 0x80 ? 0xff : 0) : byte;
}
LANE_INLINE uint32_t pick_bytes(uint32_t x, uint32_t y, uint32_t s0, uint32_t s1, uint32_t s2, uint32_t s3)
{
	return pick_byte(x, y, s0) | pick_byte(x, y, s1) << 8 | pick_byte(x, y, s2) << 16 |
	       pick_byte(x, y, s3) << 24;
}
LANE_INLINE uint32_t clamp_edge(uint32_t i, uint32_t low, uint32_t high)
{
	return i < low ? low : i > high ? high : i;
}

/* hi:lo shifted; the amount is at most 32. */
LANE_INLINE uint32_t funnel_left(uint32_t lo, uint32_t hi, uint32_t n)
{
	return (uint32_t)(((uint64_t)hi << 32 | lo) << n >> 32);
}
LANE_INLINE uint32_t funnel_right(uint32_t lo, uint32_t hi, uint32_t n)
{
	return (uint32_t)(((uint64_t)hi << 32 | lo) >> n);
}
LANE_INLINE uint32_t at_most_32(uint32_t n)
{
	return n > 32 ? 32 : n;
}

LANE_INLINE uint32_t sign_extend(uint32_t x, uint32_t width, bool is_signed)
{
	uint32_t mask = (uint32_t)ones(width);
	bool sign = is_signed && width && width <= 32 && (x >> (width - 1) & 1);
	return width >= 32 ? x : sign ? x | ~mask : x & mask;
}
LANE_INLINE uint32_t bit_mask(uint32_t start, uint32_t width)
{
	return start >= 32 ? 0 : (uint32_t)(ones(width > 32 ? 32 : width) << start);
}

/* The n-th set bit from `base`, upwards if n > 0, downwards if n < 0, the base itself if 0. */
static uint32_t find_nth_set(uint32_t mask, uint32_t base, int32_t n)
{
	int64_t left = n > 0 ? n : -(int64_t)n, step = n < 0 ? -1 : 1;
	if (n == 0)
		return base < 32 && (mask >> base & 1) ? base : UINT32_MAX;
	for (int64_t i = base; i >= 0 && i < 32; i += step)
		if ((mask >> i & 1) && --left == 0)
			return (uint32_t)i;
	return UINT32_MAX;
}

LANE_INLINE int32_t byte_of(uint32_t x, unsigned i, bool is_signed)
{
	uint32_t byte = x >> 8 * i & 0xff;
	return is_signed ? (int8_t)byte : (int32_t)byte;
}
LANE_INLINE int32_t half_of(uint32_t x, unsigned i, bool is_signed)
{
	uint32_t half = x >> 16 * i & 0xffff;
	return is_signed ? (int16_t)half : (int32_t)half;
}
LANE_INLINE uint32_t dot4(uint32_t x, uint32_t y, uint32_t sum, bool x_signed, bool y_signed)
{
	for (unsigned i = 0; i < 4; i++)
		sum += (uint32_t)(byte_of(x, i, x_signed) * byte_of(y, i, y_signed));
	return sum;
}
LANE_INLINE uint32_t dot2(uint32_t x, uint32_t y, uint32_t sum, bool x_signed, bool y_signed, unsigned first)
{
	for (unsigned i = 0; i < 2; i++)
		sum += (uint32_t)(half_of(x, i, x_signed) * byte_of(y, first + i, y_signed));
	return sum;
}

/* ---- forms --------------------------------------------------------------------------------------------- */

/* X1..X4(op, mode, flags, type, result, sources..., expression) */
#define SHIFT_FORMS(X2, U, S, bits)                                                                          \
	X2(shl, none, 0, U, U, U, u32, y >= bits ? 0 : (uint64_t)x << y)                                     \
	X2(shr, none, 0, U, U, U, u32, y >= bits ? 0 : x >> y)                                               \
	X2(shr, none, 0, S, S, S, u32, x >> (y >= bits ? bits - 1 : y))
#define FIELD_FORMS(X1, X3, X4, U, S, bits)                                                                  \
	X3(bfe, none, 0, U, U, U, u32, u32, extract_##U(x, y, z))                                            \
	X3(bfe, none, 0, S, U, U, u32, u32, extract_signed_##U(x, y, z))                                     \
	X4(bfi, none, 0, U, U, U, U, u32, u32, insert_##U(x, y, z, w))                                       \
	X1(bfind, none, 0, U, u32, U, find_top(x))                                                           \
	X1(bfind, none, 0, S, u32, U, find_top(x >> (bits - 1) ? (lane_##U) ~x : x))                         \
	X1(bfind, none, SHIFTAMT, U, u32, U, x ? bits - 1 - find_top(x) : UINT32_MAX)                        \
	X1(bfind, none, SHIFTAMT, S, u32, S,                                                                 \
	   (x < 0 ? ~x : x) ? bits - 1 - find_top((uint64_t)(x < 0 ? ~x : x)) : UINT32_MAX)                  \
	X1(brev, none, 0, U, U, U, reverse64(x) >> (64 - bits))                                              \
	X1(clz, none, 0, U, u32, U, x ? bits - 1 - find_top(x) : bits)                                       \
	X1(popc, none, 0, U, u32, U, __builtin_popcountll(x))

#define PERMUTE_FORMS(X3)                                                                                    \
	X3(prmt, none, 0, u32, u32, u32, u32, u32,                                                           \
	   pick_bytes(x, y, z & 15, z >> 4 & 15, z >> 8 & 15, z >> 12 & 15))                                 \
	X3(prmt, f4e, 0, u32, u32, u32, u32, u32,                                                            \
	   pick_bytes(x, y, z & 3, (z & 3) + 1, (z & 3) + 2, (z & 3) + 3))                                   \
	X3(prmt, b4e, 0, u32, u32, u32, u32, u32,                                                            \
	   pick_bytes(x, y, z & 3, ((z & 3) + 7) & 7, ((z & 3) + 6) & 7, ((z & 3) + 5) & 7))                 \
	X3(prmt, rc8, 0, u32, u32, u32, u32, u32, pick_bytes(x, y, z & 3, z & 3, z & 3, z & 3))              \
	X3(prmt, ecl, 0, u32, u32, u32, u32, u32,                                                            \
	   pick_bytes(x, y, z & 3, clamp_edge(1, z & 3, 3), clamp_edge(2, z & 3, 3), 3))                     \
	X3(prmt, ecr, 0, u32, u32, u32, u32, u32,                                                            \
	   pick_bytes(x, y, 0, clamp_edge(1, 0, z & 3), clamp_edge(2, 0, z & 3), z & 3))                     \
	X3(prmt, rc16, 0, u32, u32, u32, u32, u32,                                                           \
	   pick_bytes(x, y, (z & 1) * 2, (z & 1) * 2 + 1, (z & 1) * 2, (z & 1) * 2 + 1))

#define FUNNEL_FORMS(X3)                                                                                     \
	X3(shf, l, 0, u32, u32, u32, u32, u32, funnel_left(x, y, at_most_32(z)))                             \
	X3(shf, l, WRAP, u32, u32, u32, u32, u32, funnel_left(x, y, z & 31))                                 \
	X3(shf, r, 0, u32, u32, u32, u32, u32, funnel_right(x, y, at_most_32(z)))                            \
	X3(shf, r, WRAP, u32, u32, u32, u32, u32, funnel_right(x, y, z & 31))

#define MASK_FORMS(X2, X3)                                                                                   \
	X2(szext, none, 0, u32, u32, u32, u32, sign_extend(x, y, false))                                     \
	X2(szext, none, 0, s32, u32, u32, u32, sign_extend(x, y, true))                                      \
	X2(szext, none, WRAP, u32, u32, u32, u32, sign_extend(x, y & 31, false))                             \
	X2(szext, none, WRAP, s32, u32, u32, u32, sign_extend(x, y & 31, true))                              \
	X2(bmsk, none, 0, u32, u32, u32, u32, bit_mask(x, y))                                                \
	X2(bmsk, none, WRAP, u32, u32, u32, u32, bit_mask(x & 31, y & 31))                                   \
	X3(fns, none, 0, u32, u32, u32, u32, s32, find_nth_set(x, y, z))

#define FORMS(X1, X2, X3, X4)                                                                                \
	SHIFT_FORMS(X2, u16, s16, 16)                                                                        \
	SHIFT_FORMS(X2, u32, s32, 32)                                                                        \
	SHIFT_FORMS(X2, u64, s64, 64)                                                                        \
	FIELD_FORMS(X1, X3, X4, u32, s32, 32)                                                                \
	FIELD_FORMS(X1, X3, X4, u64, s64, 64)                                                                \
	PERMUTE_FORMS(X3)                                                                                    \
	FUNNEL_FORMS(X3)                                                                                     \
	MASK_FORMS(X2, X3)                                                                                   \
	X4(lop3, none, 0, u32, u32, u32, u32, u32, u32, lookup3(x, y, z, w))

/* X(op, mode, signs, type, type2, expression) */
#define DOT_TYPES(X, op, mode, call, ...)                                                                    \
	X(op, mode, uu, u32, u32, call(x, y, z, false, false, ##__VA_ARGS__))                                \
	X(op, mode, us, u32, s32, call(x, y, z, false, true, ##__VA_ARGS__))                                 \
	X(op, mode, su, s32, u32, call(x, y, z, true, false, ##__VA_ARGS__))                                 \
	X(op, mode, ss, s32, s32, call(x, y, z, true, true, ##__VA_ARGS__))
#define DOT_FORMS(X)                                                                                         \
	DOT_TYPES(X, dp4a, none, dot4) DOT_TYPES(X, dp2a, lo, dot2, 0) DOT_TYPES(X, dp2a, hi, dot2, 2)

enum { FLAGS_0 = 0, FLAGS_SHIFTAMT = PTX_FLAG_SHIFTAMT, FLAGS_WRAP = PTX_FLAG_WRAP };

#define DEFINE_DOT(op, mode, signs, type, type2, ...)                                                        \
	LANE_MAP3(op##_##mode##_##signs, u32, u32, u32, u32, __VA_ARGS__)
FORMS(LANE_DEFINE1, LANE_DEFINE2, LANE_DEFINE3, LANE_DEFINE4)
DOT_FORMS(DEFINE_DOT)

#define ENTRY_DOT(op, mode, signs, type, type2, ...)                                                         \
	LANE_FORM2(op, type, type2, mode, none, 0, op##_##mode##_##signs)
static const struct lane_form forms[] = {FORMS(LANE_ENTRY, LANE_ENTRY, LANE_ENTRY, LANE_ENTRY)
                                             DOT_FORMS(ENTRY_DOT)};

lane_fn *lane_find_bits(const struct ptx_insn *insn)
{
	bool is_dot = insn->op == PTX_dp4a || insn->op == PTX_dp2a;
	unsigned flags = insn->flags & (insn->op == PTX_bfind ? PTX_FLAG_SHIFTAMT : PTX_FLAG_WRAP);
	struct lane_form want = {.op = (uint8_t)insn->op,
	                         .type = lane_unsigned_type(insn->type),
	                         .type2 = is_dot ? insn->type2 : (uint8_t)PTX_TYPE_none,
	                         .mode = insn->mode,
	                         .flags = (uint16_t)flags};
	return LANE_FORM_FIND(forms, &want);
}
