/*
 * cvt between integers and floats, put together from stages.
 *
 * Float to integer clamps to the range of the result. A NaN becomes 0, but the
 * value with only the top bit set where a 64-bit type is involved: PTX says so.
 * Integer to float is rounded once, from all 64 bits.
 */
#include "cuda/lanes/convert.h"

/* ---- float to integer ---------------------------------------------------------------------------------- */

enum {
	TOP_u8 = 7,
	TOP_u16 = 15,
	TOP_u32 = 31,
	TOP_u64 = 63,
	TOP_s8 = 7,
	TOP_s16 = 15,
	TOP_s32 = 31,
	TOP_s64 = 63
};

#define DEFINE_STORE(T, bits, ...)                                                                           \
	static void store_##T##_##bits(lane_u##bits *r, const double *t, unsigned lanes, bool is_double)     \
	{                                                                                                    \
		bool has_top = is_double || TOP_##T == 63;                                                   \
		lane_##T nan = (lane_##T)(has_top ? (uint64_t)1 << TOP_##T : 0);                             \
		for (unsigned i = 0; i < lanes; i++)                                                         \
			r[i] = (lane_u##bits)(t[i] != t[i] ? nan : (lane_##T)LANE_FIT_##T(t[i]));            \
	}
LANE_INTEGERS(DEFINE_STORE, )

enum { DOUBLE_f16 = 0, DOUBLE_bf16 = 0, DOUBLE_f32 = 0, DOUBLE_f32z = 0, DOUBLE_f64 = 1 };

#define DEFINE_TO_INTEGER(T, bits, source, round)                                                            \
	LANE_COLD void source##_##round##_##T##_##bits(LANE_PARAMETERS)                                      \
	{                                                                                                    \
		double t[LANES_MAX];                                                                         \
		LANE_UNUSED;                                                                                 \
		lane_load_##source##_##round(t, a, lanes);                                                   \
		store_##T##_##bits(dst, t, lanes, DOUBLE_##source);                                          \
	}
#define DEFINE_TO_INTEGERS(source, ...)                                                                      \
	LANE_INTEGERS(DEFINE_TO_INTEGER, source, rni)                                                        \
	LANE_INTEGERS(DEFINE_TO_INTEGER, source, rzi)                                                        \
	LANE_INTEGERS(DEFINE_TO_INTEGER, source, rmi) LANE_INTEGERS(DEFINE_TO_INTEGER, source, rpi)
LANE_FLOATS(DEFINE_TO_INTEGERS, )

#define ENTRY_TO_INTEGER(T, bits, source, round)                                                             \
	[LANE_FLOAT_##source][LANE_INTEGER_##T##_##bits][PTX_ROUND_##round] = source##_##round##_##T##_##bits,
#define ENTRY_TO_INTEGERS(source, ...)                                                                       \
	LANE_INTEGERS(ENTRY_TO_INTEGER, source, rni)                                                         \
	LANE_INTEGERS(ENTRY_TO_INTEGER, source, rzi)                                                         \
	LANE_INTEGERS(ENTRY_TO_INTEGER, source, rmi) LANE_INTEGERS(ENTRY_TO_INTEGER, source, rpi)
static lane_fn *const to_integer[LANE_FLOAT_COUNT][LANE_INTEGER_COUNT][PTX_ROUND_COUNT] = {
    LANE_FLOATS(ENTRY_TO_INTEGERS, )};

lane_fn *lane_find_float_to_integer(const struct ptx_insn *insn, const struct lane_shape *shape)
{
	enum lane_float from = lane_float_of(insn->type2, insn->flags & PTX_FLAG_FTZ);
	enum lane_integer to = lane_integer_of(insn->type, shape->result_bytes);
	uint8_t round = insn->round == PTX_ROUND_none ? (uint8_t)PTX_ROUND_rzi : insn->round;
	return from == LANE_FLOAT_COUNT || to == LANE_INTEGER_COUNT ? NULL : to_integer[from][to][round];
}

/* ---- integer to float ---------------------------------------------------------------------------------- */

/* Few enough bits for a double, the lowest of them standing for all that were lost: halves round right then. */
static double signed_to_odd(int64_t x)
{
	int64_t low = x & 0xffff;
	bool is_large = x > (INT64_C(1) << 48) || x < -(INT64_C(1) << 48);
	return (double)(is_large && low ? (x & ~INT64_C(0xffff)) | 0x8000 : x);
}
static double unsigned_to_odd(uint64_t x)
{
	return x >> 63 ? 2.0 * signed_to_odd((int64_t)(x >> 1 | (x & 1))) : signed_to_odd((int64_t)x);
}
#define ELEMENT_f16 lane_u16
#define ELEMENT_bf16 lane_u16
#define ELEMENT_f32 lane_f32
#define ELEMENT_f64 lane_f64
#define TO_f16(x, odd, round) LANE_HALF_f16(odd(x), LANE_MODE_##round)
#define TO_bf16(x, odd, round) LANE_HALF_bf16(odd(x), LANE_MODE_##round)
#define TO_f32(x, odd, round) (float)(x)
#define TO_f64(x, odd, round) (double)(x)

/* X(result, sign of the source, round) */
#define ROUNDS(X, kind, sign) X(kind, sign, rn) X(kind, sign, rz) X(kind, sign, rm) X(kind, sign, rp)
/* clang-format off */
#define STORES(X)                                                                                            \
	ROUNDS(X, f16, signed)                                                                               \
	ROUNDS(X, bf16, signed)                                                                              \
	ROUNDS(X, f32, signed) ROUNDS(X, f64, signed) ROUNDS(X, f16, unsigned) ROUNDS(X, bf16, unsigned)     \
	    ROUNDS(X, f32, unsigned) ROUNDS(X, f64, unsigned)
/* clang-format on */
#define ELEMENT_signed int64_t
#define ELEMENT_unsigned uint64_t
#define DEFINE_FROM_64(kind, sign, round)                                                                    \
	static void store_##kind##_##sign##_##round(ELEMENT_##kind *r, const ELEMENT_##sign *t,              \
	                                            unsigned lanes)                                          \
	{                                                                                                    \
		LANE_ROUND_BEGIN_##round LANE_LOOP(i) r[i] = TO_##kind(t[i], sign##_to_odd, round);          \
		LANE_ROUND_END_##round                                                                       \
	}
STORES(DEFINE_FROM_64)

/* .sat: an integer in [0, 1] is 0 or 1. */
static void clamp_signed(int64_t *t, unsigned lanes)
{
	LANE_LOOP(i) t[i] = t[i] > 0;
}
static void clamp_unsigned(uint64_t *t, unsigned lanes)
{
	LANE_LOOP(i) t[i] = t[i] > 0;
}

#define SIGN_u8 signed /* what fits into 63 bits takes the quicker conversion */
#define SIGN_u16 signed
#define SIGN_u32 signed
#define SIGN_u64 unsigned
#define SIGN_s8 signed
#define SIGN_s16 signed
#define SIGN_s32 signed
#define SIGN_s64 signed

#define DEFINE_TO_FLOAT(S, bits, sign, kind, round)                                                          \
	LANE_COLD void S##_##bits##_##kind##_##round(LANE_PARAMETERS)                                        \
	{                                                                                                    \
		ELEMENT_##sign t[LANES_MAX];                                                                 \
		LANE_UNUSED;                                                                                 \
		lane_load_##S##_##bits(t, a, lanes);                                                         \
		store_##kind##_##sign##_##round(dst, t, lanes);                                              \
	}
#define DEFINE_TO_ONE(S, bits, sign, kind)                                                                   \
	LANE_COLD void S##_##bits##_##kind##_sat(LANE_PARAMETERS)                                            \
	{                                                                                                    \
		ELEMENT_##sign t[LANES_MAX];                                                                 \
		LANE_UNUSED;                                                                                 \
		lane_load_##S##_##bits(t, a, lanes);                                                         \
		clamp_##sign(t, lanes);                                                                      \
		store_##kind##_##sign##_rn(dst, t, lanes);                                                   \
	}
/* The sign is itself a macro: one more step expands it before it is pasted. */
#define TO_FLOAT(...) DEFINE_TO_FLOAT(__VA_ARGS__)
#define TO_ONE(...) DEFINE_TO_ONE(__VA_ARGS__)
#define DEFINE_RESULT(S, bits, kind)                                                                         \
	TO_FLOAT(S, bits, SIGN_##S, kind, rn)                                                                \
	TO_FLOAT(S, bits, SIGN_##S, kind, rz)                                                                \
	TO_FLOAT(S, bits, SIGN_##S, kind, rm)                                                                \
	TO_FLOAT(S, bits, SIGN_##S, kind, rp)                                                                \
	TO_ONE(S, bits, SIGN_##S, kind)
#define DEFINE_RESULTS(S, bits, ...)                                                                         \
	DEFINE_RESULT(S, bits, f16)                                                                          \
	DEFINE_RESULT(S, bits, bf16) DEFINE_RESULT(S, bits, f32) DEFINE_RESULT(S, bits, f64)
LANE_INTEGERS(DEFINE_RESULTS, )

enum { SATURATED = PTX_ROUND_none }; /* the slot of .sat, whatever the rounding */
#define ENTRY_RESULT(S, bits, kind)                                                                          \
	[LANE_INTEGER_##S##_##bits][LANE_FLOAT_##kind] = {[PTX_ROUND_rn] = S##_##bits##_##kind##_rn,         \
	                                                  [PTX_ROUND_rz] = S##_##bits##_##kind##_rz,         \
	                                                  [PTX_ROUND_rm] = S##_##bits##_##kind##_rm,         \
	                                                  [PTX_ROUND_rp] = S##_##bits##_##kind##_rp,         \
	                                                  [SATURATED] = S##_##bits##_##kind##_sat},
#define ENTRY_RESULTS(S, bits, ...)                                                                          \
	ENTRY_RESULT(S, bits, f16)                                                                           \
	ENTRY_RESULT(S, bits, bf16) ENTRY_RESULT(S, bits, f32) ENTRY_RESULT(S, bits, f64)
static lane_fn *const to_float[LANE_INTEGER_COUNT][LANE_FLOAT_COUNT][PTX_ROUND_COUNT] = {
    LANE_INTEGERS(ENTRY_RESULTS, )};

lane_fn *lane_find_integer_to_float(const struct ptx_insn *insn, const struct lane_shape *shape)
{
	enum lane_integer from = lane_integer_of(insn->type2, shape->source_bytes[0]);
	enum lane_float to = lane_float_of(insn->type, false);
	uint8_t round = insn->round == PTX_ROUND_none ? (uint8_t)PTX_ROUND_rn : insn->round;
	if (insn->flags & PTX_FLAG_SAT)
		round = SATURATED;
	return from == LANE_INTEGER_COUNT || to == LANE_FLOAT_COUNT ? NULL : to_float[from][to][round];
}
