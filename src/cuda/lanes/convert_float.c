/*
 * cvt between floats of all sizes, and floats loaded for other conversions.
 *
 * A source becomes a double, which holds it exactly; what is stored is that double
 * rounded once. NaNs narrower than f64 become canonical on the way. Integer roundings
 * (cvt.rmi.f32.f32) happen between. Pairs of halves made of two floats
 * (cvt.rn.f16x2.f32) are at the end.
 */
#include <math.h>

#include "cuda/lanes/convert.h"

uint16_t lane_half_of(double x, int mode, unsigned mantissa_bits, int bias)
{
	uint64_t bits = lane_bits_f64(x), significand = (bits & 0x000fffffffffffffu) | 0x0010000000000000u;
	bool negative = bits >> 63;
	uint16_t sign = negative ? 0x8000 : 0;
	uint32_t infinity = 0x7fffu & ~((1u << mantissa_bits) - 1);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023, lowest = 1 - bias;
	if (x != x) /* the leading bits, made quiet */
		return (uint16_t)(sign | infinity | 1u << (mantissa_bits - 1) |
		                  (bits >> (52 - mantissa_bits) & ((1u << mantissa_bits) - 1)));
	if (exponent == 1024)
		return (uint16_t)(sign | infinity);
	int shift = 52 - (int)mantissa_bits + (exponent < lowest ? lowest - exponent : 0);
	shift = shift > 55 ? 55 : shift; /* beyond, only whether something is there counts */
	uint64_t lost = significand & (((uint64_t)1 << shift) - 1), half = (uint64_t)1 << (shift - 1);
	uint64_t kept = significand >> shift;
	if (x == 0)
		return sign;
	bool up = mode == FE_TONEAREST  ? lost > half || (lost == half && (kept & 1))
	          : mode == FE_DOWNWARD ? negative && lost
	          : mode == FE_UPWARD   ? !negative && lost
	                                : false;
	uint64_t field = exponent < lowest ? 0 : (uint64_t)(exponent - lowest);
	uint64_t magnitude =
	    (field << mantissa_bits) + kept + up; /* the hidden bit carries into the exponent */
	bool to_infinity =
	    mode == FE_TONEAREST || (mode == FE_DOWNWARD && negative) || (mode == FE_UPWARD && !negative);
	if (magnitude >= infinity)
		magnitude = to_infinity ? infinity : infinity - 1;
	return (uint16_t)(sign | magnitude);
}

/* ---- loads --------------------------------------------------------------------------------------------- */

#define ELEMENT_f16 lane_u16
#define ELEMENT_bf16 lane_u16
#define ELEMENT_f32 lane_f32
#define ELEMENT_f32z lane_f32
#define ELEMENT_f64 lane_f64
#define WIDEN_f16(x) lane_canonical_f32(lane_f16_to_f32(x))
#define WIDEN_bf16(x) lane_canonical_f32(lane_bf16_to_f32(x))
#define WIDEN_f32(x) lane_canonical_f32(x)
#define WIDEN_f32z(x) lane_canonical_f32(lane_flush_f32(x))
#define WIDEN_f64(x) x

#define DEFINE_LOAD(kind, suffix, integral)                                                                  \
	LANE_LOADER(lane_load_##kind##suffix)                                                                \
	{                                                                                                    \
		const ELEMENT_##kind *p = from;                                                              \
		double *r = to;                                                                              \
		LANE_LOOP(i) r[i] = integral((double)WIDEN_##kind(p[i]));                                    \
	}
#define DEFINE_LOADS(kind, ...)                                                                              \
	DEFINE_LOAD(kind, , )                                                                                \
	DEFINE_LOAD(kind, _rni, __builtin_nearbyint)                                                         \
	DEFINE_LOAD(kind, _rzi, __builtin_trunc)                                                             \
	DEFINE_LOAD(kind, _rmi, __builtin_floor)                                                             \
	DEFINE_LOAD(kind, _rpi, __builtin_ceil)
LANE_FLOATS(DEFINE_LOADS, )

/* ---- stores -------------------------------------------------------------------------------------------- */

/* .sat and .relu before rounding: 0 and 1 are values of every type, so it is the same as after. */
LANE_INLINE double relu(double x)
{
	return __builtin_isgreater(x, 0.0) ? x : x != x ? x : 0.0;
}
#define AS_IS(x) (x)

/* X(kind, round, clamp) */
#define CLAMPS(X, kind, round)                                                                               \
	X(kind, round, none, AS_IS) X(kind, round, sat, lane_saturate_f64) X(kind, round, relu, relu)
#define ROUNDS(X, kind) CLAMPS(X, kind, rn) CLAMPS(X, kind, rz) CLAMPS(X, kind, rm) CLAMPS(X, kind, rp)
#define STORES(X) ROUNDS(X, f16) ROUNDS(X, bf16) ROUNDS(X, f32) ROUNDS(X, f32z) CLAMPS(X, f64, rn)

#define ROUNDED_f16(x, round) LANE_HALF_f16(x, LANE_MODE_##round)
#define ROUNDED_bf16(x, round) LANE_HALF_bf16(x, LANE_MODE_##round)
#define ROUNDED_f32(x, round) (float)(x)
#define ROUNDED_f32z(x, round) lane_flush_tiny((float)(x), (float)((x) * (double)LANE_SCALE))
#define ROUNDED_f64(x, round) (x)
#define DEFINE_STORE(kind, round, clamp, clamped)                                                            \
	static void store_##kind##_##round##_##clamp(ELEMENT_##kind *r, const double *t, unsigned lanes)     \
	{                                                                                                    \
		LANE_ROUND_BEGIN_##round LANE_LOOP(i) r[i] = ROUNDED_##kind(clamped(t[i]), round);           \
		LANE_ROUND_END_##round                                                                       \
	}
STORES(DEFINE_STORE)

/* ---- forms --------------------------------------------------------------------------------------------- */

/* Every source with every store; and the integer roundings, which exist within one type. */
#define DEFINE_FORM(kind, round, clamp, source)                                                              \
	LANE_COLD void from_##source##_##kind##_##round##_##clamp(LANE_PARAMETERS)                           \
	{                                                                                                    \
		double t[LANES_MAX];                                                                         \
		LANE_UNUSED;                                                                                 \
		lane_load_##source(t, a, lanes);                                                             \
		store_##kind##_##round##_##clamp(dst, t, lanes);                                             \
	}
#define DEFINE_FORMS(kind, round, clamp, ...)                                                                \
	DEFINE_FORM(kind, round, clamp, f16)                                                                 \
	DEFINE_FORM(kind, round, clamp, bf16)                                                                \
	DEFINE_FORM(kind, round, clamp, f32)                                                                 \
	DEFINE_FORM(kind, round, clamp, f32z)                                                                \
	DEFINE_FORM(kind, round, clamp, f64)
STORES(DEFINE_FORMS)

#define INTEGRALS(X, kind, clamp)                                                                            \
	X(kind, rn, clamp, kind##_rni)                                                                       \
	X(kind, rn, clamp, kind##_rzi) X(kind, rn, clamp, kind##_rmi) X(kind, rn, clamp, kind##_rpi)
#define DEFINE_INTEGRALS(kind, ...)                                                                          \
	INTEGRALS(DEFINE_FORM, kind, none)                                                                   \
	INTEGRALS(DEFINE_FORM, kind, sat) INTEGRALS(DEFINE_FORM, kind, relu)
LANE_FLOATS(DEFINE_INTEGRALS, )

/* ---- two floats to a pair of halves: the first is the high one ----------------------------------------- */

#define DEFINE_PAIR(kind, round, clamp, clamped)                                                             \
	static void pair_##kind##_##round##_##clamp(LANE_PARAMETERS)                                         \
	{                                                                                                    \
		const lane_f32 *p = a;                                                                       \
		const lane_f32 *q = b;                                                                       \
		lane_u32 *r = dst;                                                                           \
		LANE_UNUSED;                                                                                 \
		LANE_LOOP(i)                                                                                 \
		r[i] = (uint32_t)ROUNDED_##kind(clamped((double)lane_canonical_f32(p[i])), round) << 16 |    \
		       ROUNDED_##kind(clamped((double)lane_canonical_f32(q[i])), round);                     \
	}
#define PAIRS(X) CLAMPS(X, f16, rn) CLAMPS(X, f16, rz) CLAMPS(X, bf16, rn) CLAMPS(X, bf16, rz)
PAIRS(DEFINE_PAIR)

/* ---- choice -------------------------------------------------------------------------------------------- */

enum clamp { CLAMP_none, CLAMP_sat, CLAMP_relu, CLAMP_COUNT };
#define SOURCE_ENTRY(kind, round, clamp, source)                                                             \
	[LANE_FLOAT_##source][LANE_FLOAT_##kind][PTX_ROUND_##round][CLAMP_##clamp] =                         \
	    from_##source##_##kind##_##round##_##clamp,
#define ENTRY(kind, round, clamp, ...)                                                                       \
	SOURCE_ENTRY(kind, round, clamp, f16)                                                                \
	SOURCE_ENTRY(kind, round, clamp, bf16)                                                               \
	SOURCE_ENTRY(kind, round, clamp, f32)                                                                \
	SOURCE_ENTRY(kind, round, clamp, f32z) SOURCE_ENTRY(kind, round, clamp, f64)
#define INTEGRAL_ENTRIES(kind, clamp)                                                                        \
	[LANE_FLOAT_##kind][LANE_FLOAT_##kind][PTX_ROUND_rni][CLAMP_##clamp] =                               \
	    from_##kind##_rni_##kind##_rn_##clamp,                                                           \
	[LANE_FLOAT_##kind][LANE_FLOAT_##kind][PTX_ROUND_rzi][CLAMP_##clamp] =                               \
	    from_##kind##_rzi_##kind##_rn_##clamp,                                                           \
	[LANE_FLOAT_##kind][LANE_FLOAT_##kind][PTX_ROUND_rmi][CLAMP_##clamp] =                               \
	    from_##kind##_rmi_##kind##_rn_##clamp,                                                           \
	[LANE_FLOAT_##kind][LANE_FLOAT_##kind][PTX_ROUND_rpi][CLAMP_##clamp] =                               \
	    from_##kind##_rpi_##kind##_rn_##clamp,
#define INTEGRAL_ENTRY(kind, ...)                                                                            \
	INTEGRAL_ENTRIES(kind, none) INTEGRAL_ENTRIES(kind, sat) INTEGRAL_ENTRIES(kind, relu)
static lane_fn *const functions[LANE_FLOAT_COUNT][LANE_FLOAT_COUNT][PTX_ROUND_COUNT][CLAMP_COUNT] = {
    STORES(ENTRY) LANE_FLOATS(INTEGRAL_ENTRY, )};

#define PAIR_ENTRY(kind, round, clamp, ...)                                                                  \
	[LANE_FLOAT_##kind][PTX_ROUND_##round][CLAMP_##clamp] = pair_##kind##_##round##_##clamp,
static lane_fn *const pairs[LANE_FLOAT_COUNT][PTX_ROUND_COUNT][CLAMP_COUNT] = {PAIRS(PAIR_ENTRY)};

lane_fn *lane_find_float_to_float(const struct ptx_insn *insn)
{
	bool flush = insn->flags & PTX_FLAG_FTZ;
	enum clamp clamp = insn->flags & PTX_FLAG_SAT    ? CLAMP_sat
	                   : insn->flags & PTX_FLAG_RELU ? CLAMP_relu
	                                                 : CLAMP_none;
	/* To f16, .ftz does nothing: a denormal f32 is far below its smallest value anyhow. */
	enum lane_float from = lane_float_of(insn->type2, flush && insn->type != PTX_TYPE_f16),
	                to = lane_float_of(insn->type, flush);
	/* A conversion that is exact, or only clamps, names no rounding. */
	uint8_t round =
	    insn->round == PTX_ROUND_none || to == LANE_FLOAT_f64 ? (uint8_t)PTX_ROUND_rn : insn->round;
	if (to == LANE_FLOAT_f64 && insn->round >= PTX_ROUND_rni)
		round = insn->round;
	bool is_f32 = insn->type2 == PTX_TYPE_f32;
	if (insn->type == PTX_TYPE_f16x2 && is_f32)
		return pairs[LANE_FLOAT_f16][round][clamp];
	if (insn->type == PTX_TYPE_bf16x2 && is_f32)
		return pairs[LANE_FLOAT_bf16][round][clamp];
	if (from == LANE_FLOAT_COUNT || to == LANE_FLOAT_COUNT)
		return NULL;
	return functions[from][to][round][clamp];
}
