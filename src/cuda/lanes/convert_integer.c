/*
 * cvt between integers, and integers loaded for other conversions.
 *
 * Registers may be wider than the types: a source is cut to its type, a result
 * is extended to its register by the sign of its own type.
 */
#include "cuda/lanes/convert.h"

#define DEFINE_LOAD(T, bits, ...)                                                                            \
	LANE_LOADER(lane_load_##T##_##bits)                                                                  \
	{                                                                                                    \
		const lane_u##bits *p = from;                                                                \
		lane_u64 *r = to;                                                                            \
		LANE_LOOP(i) r[i] = (lane_u64)(lane_##T)p[i];                                                \
	}
LANE_INTEGERS(DEFINE_LOAD, )

/* ---- plain: cut to the narrower of the two types, extend to the register ------------------------------- */

/* X(type, bits of the source's register, bits of the result's) */
#define PLAIN_BYTES(X, T)                                                                                    \
	X(T, 16, 16)                                                                                         \
	X(T, 16, 32)                                                                                         \
	X(T, 16, 64) X(T, 32, 16) X(T, 32, 32) X(T, 32, 64) X(T, 64, 16) X(T, 64, 32) X(T, 64, 64)
#define PLAIN_WORDS(X, T) X(T, 32, 32) X(T, 32, 64) X(T, 64, 32) X(T, 64, 64)
#define PLAIN(X)                                                                                             \
	PLAIN_BYTES(X, u8)                                                                                   \
	PLAIN_BYTES(X, s8)                                                                                   \
	PLAIN_BYTES(X, u16) PLAIN_BYTES(X, s16) PLAIN_WORDS(X, u32) PLAIN_WORDS(X, s32) X(u64, 64, 64)
#define DEFINE_PLAIN(T, from, to) LANE_MAP1(plain_##T##_##from##_##to, u##to, u##from, (lane_##T)x)
PLAIN(DEFINE_PLAIN)

static lane_fn *find_plain(uint8_t type, unsigned from, unsigned to)
{
#define ENTRY(T, f, t)                                                                                       \
	if (type == PTX_TYPE_##T && from == f && to == t)                                                    \
		return lane_choose(plain_##T##_##f##_##t##_base, plain_##T##_##f##_##t##_wide);
	PLAIN(ENTRY)
#undef ENTRY
	return NULL;
}

/* ---- saturating, and the rare extension by two signs ---------------------------------------------------- */

LANE_INLINE int64_t clamp_signed(int64_t x, int64_t low, int64_t high)
{
	return x < low ? low : x > high ? high : x;
}
LANE_INLINE uint64_t clamp_unsigned(int64_t x, bool is_negative, uint64_t high)
{
	return is_negative ? 0 : (uint64_t)x > high ? high : (uint64_t)x;
}
/* What fits a type, of a value that is below 0 if and only if `negative`. */
#define FIT_u8(x, negative) clamp_unsigned(x, negative, UINT8_MAX)
#define FIT_u16(x, negative) clamp_unsigned(x, negative, UINT16_MAX)
#define FIT_u32(x, negative) clamp_unsigned(x, negative, UINT32_MAX)
#define FIT_u64(x, negative) clamp_unsigned(x, negative, UINT64_MAX)
#define FIT_s(x, negative, high) ((x) < 0 && !(negative) ? high : clamp_signed(x, -high - 1, high))
#define FIT_s8(x, negative) FIT_s(x, negative, (int64_t)INT8_MAX)
#define FIT_s16(x, negative) FIT_s(x, negative, (int64_t)INT16_MAX)
#define FIT_s32(x, negative) FIT_s(x, negative, (int64_t)INT32_MAX)
#define FIT_s64(x, negative) FIT_s(x, negative, INT64_MAX)

#define DEFINE_STORE(T, bits, ...)                                                                           \
	static void fit_##T##_##bits(lane_u##bits *r, const int64_t *t, unsigned lanes, bool is_signed)      \
	{                                                                                                    \
		LANE_LOOP(i) r[i] = (lane_u##bits)(lane_##T)FIT_##T(t[i], is_signed && t[i] < 0);            \
	}                                                                                                    \
	static void cut_##T##_##bits(lane_u##bits *r, const int64_t *t, unsigned lanes)                      \
	{                                                                                                    \
		LANE_LOOP(i) r[i] = (lane_u##bits)(lane_##T)t[i];                                            \
	}
LANE_INTEGERS(DEFINE_STORE, )

/* Whether negative numbers are among the values: 64-bit unsigned sources look negative, too. */
enum {
	SIGNED_u8 = 0,
	SIGNED_u16 = 0,
	SIGNED_u32 = 0,
	SIGNED_u64 = 0,
	SIGNED_s8 = 1,
	SIGNED_s16 = 1,
	SIGNED_s32 = 1,
	SIGNED_s64 = 1
};

/* Lists do not expand inside themselves: the outer one is spelled a second time. */
/* clang-format off */
#define RESULTS(X, ...)                                                                                      \
	X(u8, 16, __VA_ARGS__)                                                                               \
	X(u8, 32, __VA_ARGS__)                                                                               \
	X(u8, 64, __VA_ARGS__) X(s8, 16, __VA_ARGS__) X(s8, 32, __VA_ARGS__) X(s8, 64, __VA_ARGS__)          \
	    X(u16, 16, __VA_ARGS__) X(u16, 32, __VA_ARGS__) X(u16, 64, __VA_ARGS__) X(s16, 16, __VA_ARGS__)  \
	        X(s16, 32, __VA_ARGS__) X(s16, 64, __VA_ARGS__) X(u32, 32, __VA_ARGS__)                      \
	            X(u32, 64, __VA_ARGS__) X(s32, 32, __VA_ARGS__) X(s32, 64, __VA_ARGS__)                  \
	                X(u64, 64, __VA_ARGS__) X(s64, 64, __VA_ARGS__)
/* clang-format on */

#define DEFINE_PAIR(T, to, S, from)                                                                          \
	LANE_COLD void sat_##S##_##from##_##T##_##to(LANE_PARAMETERS)                                        \
	{                                                                                                    \
		int64_t t[LANES_MAX];                                                                        \
		LANE_UNUSED;                                                                                 \
		lane_load_##S##_##from(t, a, lanes);                                                         \
		fit_##T##_##to(dst, t, lanes, SIGNED_##S);                                                   \
	}                                                                                                    \
	LANE_COLD void mixed_##S##_##from##_##T##_##to(LANE_PARAMETERS)                                      \
	{                                                                                                    \
		int64_t t[LANES_MAX];                                                                        \
		LANE_UNUSED;                                                                                 \
		lane_load_##S##_##from(t, a, lanes);                                                         \
		cut_##T##_##to(dst, t, lanes);                                                               \
	}
#define DEFINE_SOURCE(S, from, ...) RESULTS(DEFINE_PAIR, S, from)
LANE_INTEGERS(DEFINE_SOURCE, )

struct pair {
	lane_fn *sat, *mixed;
};
#define ENTRY_PAIR(T, to, S, from)                                                                           \
	[LANE_INTEGER_##S##_##from][LANE_INTEGER_##T##_##to] = {sat_##S##_##from##_##T##_##to,               \
	                                                        mixed_##S##_##from##_##T##_##to},
#define ENTRY_SOURCE(S, from, ...) RESULTS(ENTRY_PAIR, S, from)
static const struct pair pairs[LANE_INTEGER_COUNT][LANE_INTEGER_COUNT] = {LANE_INTEGERS(ENTRY_SOURCE, )};

/* ---- choice -------------------------------------------------------------------------------------------- */

static bool is_signed(uint8_t type)
{
	return type >= PTX_TYPE_s8 && type <= PTX_TYPE_s64;
}

/* The type that a plain conversion cuts to and extends by; none: it takes both types to tell. */
static uint8_t plain_type(const struct ptx_insn *insn, unsigned result_bits)
{
#define X(name, bits) [PTX_TYPE_##name] = bits,
	static const uint8_t width[PTX_TYPE_COUNT] = {PTX_TYPES(X)};
#undef X
	if (width[insn->type] <= width[insn->type2])
		return width[insn->type] == 64 ? (uint8_t)PTX_TYPE_u64 : insn->type;
	bool two_signs = is_signed(insn->type2) && !is_signed(insn->type) && result_bits > width[insn->type];
	return two_signs ? (uint8_t)PTX_TYPE_none : insn->type2;
}

lane_fn *lane_find_integer_to_integer(const struct ptx_insn *insn, const struct lane_shape *shape)
{
	unsigned from_bits = shape->source_bytes[0] * 8u, to_bits = shape->result_bytes * 8u;
	enum lane_integer from = lane_integer_of(insn->type2, shape->source_bytes[0]);
	enum lane_integer to = lane_integer_of(insn->type, shape->result_bytes);
	if (from == LANE_INTEGER_COUNT || to == LANE_INTEGER_COUNT)
		return NULL;
	if (insn->flags & PTX_FLAG_SAT)
		return pairs[from][to].sat;
	lane_fn *fn = find_plain(plain_type(insn, to_bits), from_bits, to_bits);
	return fn ? fn : pairs[from][to].mixed;
}
