/*
 * __nv_* functions that are exact: on integers, arithmetic with a rounding in its
 * name (as the PTX instructions), conversions, bits as numbers. Those on f32 and
 * f64 are in native_float.c and native_double.c. Float to integer clamps; a NaN
 * becomes what PTX's cvt makes of it.
 */
#include <math.h>
#include <string.h>

#include "cuda/lanes/native.h"

/* ---- integers ------------------------------------------------------------------------------------------ */

static int32_t sign24(int32_t x)
{
	return (int32_t)((uint32_t)x << 8) >> 8;
}
static uint64_t reverse(uint64_t x)
{
	uint64_t result = 0;
	for (unsigned i = 0; i < 64; i++)
		result |= (x >> i & 1) << (63 - i);
	return result;
}
/* prmt without sign replication: __byte_perm looks at three bits of each selector. */
static uint32_t permute(uint32_t x, uint32_t y, uint32_t select)
{
	uint64_t both = (uint64_t)y << 32 | x;
	uint32_t result = 0;
	for (unsigned i = 0; i < 4; i++)
		result |= (uint32_t)(both >> (select >> 4 * i & 7) * 8 & 0xff) << 8 * i;
	return result;
}
#define DISTANCE(U) (x < y ? (U)y - (U)x : (U)x - (U)y)

#define INTEGER_ONE(X)                                                                                       \
	X(abs, u32, s32, x < 0 ? 0 - (uint32_t)x : (uint32_t)x, COST_INT(1))                                 \
	X(brev, u32, u32, reverse(x) >> 32, COST_INT(1))                                                     \
	X(brevll, u64, u64, reverse(x), COST_INT(2))                                                         \
	X(clz, s32, u32, x ? __builtin_clz(x) : 32, COST_INT(2))                                             \
	X(clzll, s32, u64, x ? __builtin_clzll(x) : 64, COST_INT(5))                                         \
	X(ffs, s32, s32, __builtin_ffs(x), COST_INT(3))                                                      \
	X(ffsll, s32, s64, __builtin_ffsll(x), COST_INT(6))                                                  \
	X(llabs, u64, s64, x < 0 ? 0 - (uint64_t)x : (uint64_t)x, COST_INT(4))                               \
	X(popc, s32, u32, __builtin_popcount(x), COST_INT(1))                                                \
	X(popcll, s32, u64, __builtin_popcountll(x), COST_INT(3))

#define INTEGER_TWO(X)                                                                                       \
	X(hadd, s32, s32, s32, ((int64_t)x + y) >> 1, COST_INT(3))                                           \
	X(rhadd, s32, s32, s32, ((int64_t)x + y + 1) >> 1, COST_INT(3))                                      \
	X(uhadd, u32, u32, u32, ((uint64_t)x + y) >> 1, COST_INT(3))                                         \
	X(urhadd, u32, u32, u32, ((uint64_t)x + y + 1) >> 1, COST_INT(3))                                    \
	X(max, s32, s32, s32, x > y ? x : y, COST_INT(1))                                                    \
	X(min, s32, s32, s32, x < y ? x : y, COST_INT(1))                                                    \
	X(umax, u32, u32, u32, x > y ? x : y, COST_INT(1))                                                   \
	X(umin, u32, u32, u32, x < y ? x : y, COST_INT(1))                                                   \
	X(llmax, s64, s64, s64, x > y ? x : y, COST_INT(4))                                                  \
	X(llmin, s64, s64, s64, x < y ? x : y, COST_INT(4))                                                  \
	X(ullmax, u64, u64, u64, x > y ? x : y, COST_INT(4))                                                 \
	X(ullmin, u64, u64, u64, x < y ? x : y, COST_INT(4))                                                 \
	X(mul24, u32, s32, s32, (uint32_t)sign24(x) * (uint32_t)sign24(y), COST_INT(3))                      \
	X(umul24, u32, u32, u32, (x & 0xffffff) * (y & 0xffffff), COST_INT(3))                               \
	X(mulhi, s32, s32, s32, ((int64_t)x * y) >> 32, COST_INT(2))                                         \
	X(umulhi, u32, u32, u32, ((uint64_t)x * y) >> 32, COST_INT(2))                                       \
	X(mul64hi, s64, s64, s64, ((__int128)x * y) >> 64, COST_INT(12))                                     \
	X(umul64hi, u64, u64, u64, ((unsigned __int128)x * y) >> 64, COST_INT(8))

#define INTEGER_THREE(X)                                                                                     \
	X(byte_perm, u32, u32, u32, u32, permute(x, y, z), COST_INT(2))                                      \
	X(sad, u32, s32, s32, u32, z + DISTANCE(uint32_t), COST_INT(1))                                      \
	X(usad, u32, u32, u32, u32, z + DISTANCE(uint32_t), COST_INT(1))

INTEGER_ONE(NATIVE_DEFINE1)
INTEGER_TWO(NATIVE_DEFINE2)
INTEGER_THREE(NATIVE_DEFINE3)

/* ---- arithmetic with a rounding in its name ------------------------------------------------------------ */

/* X(name, mode, type, expression, cost) for one, two and three operands */
#define MODES(X, name, T, expression, ...)                                                                   \
	X(name##_rn, rn, T, expression, __VA_ARGS__)                                                         \
	X(name##_rz, rz, T, expression, __VA_ARGS__)                                                         \
	X(name##_rd, rm, T, expression, __VA_ARGS__)                                                         \
	X(name##_ru, rp, T, expression, __VA_ARGS__)
#define ROUNDED_ONE(X)                                                                                       \
	MODES(X, frcp, f32, 1.0f / x, COST(3, 4, 0, 1, 1))                                                   \
	MODES(X, fsqrt, f32, sqrtf(x), COST(3, 5, 0, 1, 1))                                                  \
	MODES(X, drcp, f64, 1.0 / x, COST(5, 0, 6, 1, 1))                                                    \
	MODES(X, dsqrt, f64, sqrt(x), COST(5, 0, 8, 1, 1))
#define ROUNDED_TWO(X)                                                                                       \
	MODES(X, fadd, f32, x + y, COST_FP32(1))                                                             \
	MODES(X, fsub, f32, x - y, COST_FP32(1))                                                             \
	MODES(X, fmul, f32, x *y, COST_FP32(1))                                                              \
	MODES(X, fdiv, f32, x / y, COST(2, 7, 0, 1, 1))                                                      \
	MODES(X, dadd, f64, x + y, COST_FP64(1))                                                             \
	MODES(X, dsub, f64, x - y, COST_FP64(1))                                                             \
	MODES(X, dmul, f64, x *y, COST_FP64(1))                                                              \
	MODES(X, ddiv, f64, x / y, COST(4, 0, 9, 1, 1))
#define ROUNDED_THREE(X)                                                                                     \
	MODES(X, fmaf, f32, fmaf(x, y, z), COST_FP32(1))                                                     \
	MODES(X, fmaf_ieee, f32, fmaf(x, y, z), COST_FP32(1))                                                \
	MODES(X, fma, f64, fma(x, y, z), COST_FP64(1))

#define CANONICAL_f32(x) lane_canonical_f32(x)
#define CANONICAL_f64(x) (x)
#define ROUNDED(name, mode, T, sources, expression)                                                          \
	NATIVE_BEGIN(name)                                                                                   \
	LANE_ROUND_BEGIN_##mode NATIVE_LOOP(sources((lane_##T *)dst)[i] = CANONICAL_##T(expression);)        \
	    LANE_ROUND_END_##mode                                                                            \
	}
#define SOURCES1(T) NATIVE_SOURCE(T, x, a)
#define SOURCES2(T) SOURCES1(T) NATIVE_SOURCE(T, y, b)
#define SOURCES3(T) SOURCES2(T) NATIVE_SOURCE(T, z, c)
#define DEFINE1(name, mode, T, expression, ...) ROUNDED(name, mode, T, SOURCES1(T), expression)
#define DEFINE2(name, mode, T, expression, ...) ROUNDED(name, mode, T, SOURCES2(T), expression)
#define DEFINE3(name, mode, T, expression, ...) ROUNDED(name, mode, T, SOURCES3(T), expression)
ROUNDED_ONE(DEFINE1)
ROUNDED_TWO(DEFINE2)
ROUNDED_THREE(DEFINE3)

#define ENTRY1(name, mode, T, expression, ...) NATIVE_ENTRY1(name, T, T, , __VA_ARGS__)
#define ENTRY2(name, mode, T, expression, ...) NATIVE_ENTRY2(name, T, T, T, , __VA_ARGS__)
#define ENTRY3(name, mode, T, expression, ...) NATIVE_ENTRY3(name, T, T, T, T, , __VA_ARGS__)
/* ---- conversions --------------------------------------------------------------------------------------- */

/* X(name, result, source, expression, cost) */
#define TO_INTEGER(x, T, NAN_VALUE, integral)                                                                \
	(x != x ? (lane_##T)(NAN_VALUE) : (lane_##T)LANE_FIT_##T(integral((double)x)))
#define TO_INTEGERS(X, name, T, S, NAN_VALUE, ...)                                                           \
	X(name##_rn, T, S, TO_INTEGER(x, T, NAN_VALUE, nearbyint), __VA_ARGS__)                              \
	X(name##_rz, T, S, TO_INTEGER(x, T, NAN_VALUE, trunc), __VA_ARGS__)                                  \
	X(name##_rd, T, S, TO_INTEGER(x, T, NAN_VALUE, floor), __VA_ARGS__)                                  \
	X(name##_ru, T, S, TO_INTEGER(x, T, NAN_VALUE, ceil), __VA_ARGS__)
#define TOP_32 0x80000000u
#define TOP_64 0x8000000000000000u

#define CONVERT_INTEGERS(X)                                                                                  \
	TO_INTEGERS(X, float2int, s32, f32, 0, COST(0, 0, 0, 1, 0))                                          \
	TO_INTEGERS(X, float2uint, u32, f32, 0, COST(0, 0, 0, 1, 0))                                         \
	TO_INTEGERS(X, float2ll, s64, f32, TOP_64, COST(0, 0, 0, 2, 0))                                      \
	TO_INTEGERS(X, float2ull, u64, f32, TOP_64, COST(0, 0, 0, 2, 0))                                     \
	TO_INTEGERS(X, double2int, s32, f64, TOP_32, COST_FP64(1))                                           \
	TO_INTEGERS(X, double2uint, u32, f64, TOP_32, COST_FP64(1))                                          \
	TO_INTEGERS(X, double2ll, s64, f64, TOP_64, COST_FP64(2))                                            \
	TO_INTEGERS(X, double2ull, u64, f64, TOP_64, COST_FP64(2))                                           \
	X(llrint, s64, f64, TO_INTEGER(x, s64, TOP_64, nearbyint), COST_FP64(2))                             \
	X(llrintf, s64, f32, TO_INTEGER(x, s64, TOP_64, nearbyint), COST(0, 0, 0, 2, 0))                     \
	X(llround, s64, f64, TO_INTEGER(x, s64, TOP_64, round), COST(2, 0, 5, 0, 0))                         \
	X(llroundf, s64, f32, TO_INTEGER(x, s64, TOP_64, round), COST(1, 3, 0, 2, 0))

#define CONVERT_BITS(X)                                                                                      \
	X(double_as_longlong, u64, u64, x, COST_INT(2))                                                      \
	X(longlong_as_double, u64, u64, x, COST_INT(2))                                                      \
	X(float_as_int, u32, u32, x, COST_INT(1))                                                            \
	X(float_as_uint, u32, u32, x, COST_INT(1))                                                           \
	X(int_as_float, u32, u32, x, COST_INT(1))                                                            \
	X(uint_as_float, u32, u32, x, COST_INT(1))                                                           \
	X(double2hiint, u32, u64, x >> 32, COST_INT(1))                                                      \
	X(double2loint, u32, u64, x, COST_INT(1))                                                            \
	X(float2half_rn, u16, f32, LANE_HALF_f16((double)lane_canonical_f32(x), FE_TONEAREST),               \
	  COST(0, 0, 0, 1, 0))                                                                               \
	X(half2float, f32, u16, lane_canonical_f32(lane_f16_to_f32(x)), COST(0, 0, 0, 1, 0))
CONVERT_INTEGERS(NATIVE_DEFINE1)
CONVERT_BITS(NATIVE_DEFINE1)

#define CONVERT_PAIRS(X) X(hiloint2double, u64, u32, u32, (uint64_t)x << 32 | y, COST_INT(2))
CONVERT_PAIRS(NATIVE_DEFINE2)

/* ---- to floats, in a rounding mode ---------------------------------------------------------------------- */

#define CONVERT_FLOATS(X)                                                                                    \
	MODES(X, int2float, f32, s32, COST(0, 0, 0, 1, 0))                                                   \
	MODES(X, uint2float, f32, u32, COST(0, 0, 0, 1, 0))                                                  \
	MODES(X, ll2float, f32, s64, COST(0, 0, 0, 2, 0))                                                    \
	MODES(X, ull2float, f32, u64, COST(0, 0, 0, 2, 0))                                                   \
	MODES(X, ll2double, f64, s64, COST_FP64(2))                                                          \
	MODES(X, ull2double, f64, u64, COST_FP64(2))                                                         \
	MODES(X, double2float, f32, f64, COST_FP64(1))                                                       \
	X(int2double_rn, rn, f64, s32, COST_FP64(1))                                                         \
	X(uint2double_rn, rn, f64, u32, COST_FP64(1))
#define DEFINE_FLOAT(name, mode, R, S, ...)                                                                  \
	NATIVE_BEGIN(name)                                                                                   \
	LANE_ROUND_BEGIN_##mode NATIVE_LOOP(                                                                 \
	    ((lane_##R *)dst)[i] = CANONICAL_##R((lane_##R)((const lane_##S *)a)[i]);) LANE_ROUND_END_##mode \
	}
CONVERT_FLOATS(DEFINE_FLOAT)

#define ENTRY_FLOAT(name, mode, R, S, ...) NATIVE_ENTRY1(name, R, S, , __VA_ARGS__)
/* ---- the table ----------------------------------------------------------------------------------------- */

static const struct native_function exact_functions[] = {
    INTEGER_ONE(NATIVE_ENTRY1) INTEGER_TWO(NATIVE_ENTRY2) INTEGER_THREE(NATIVE_ENTRY3) ROUNDED_ONE(ENTRY1)
        ROUNDED_TWO(ENTRY2) ROUNDED_THREE(ENTRY3) CONVERT_INTEGERS(NATIVE_ENTRY1) CONVERT_BITS(NATIVE_ENTRY1)
            CONVERT_PAIRS(NATIVE_ENTRY2) CONVERT_FLOATS(ENTRY_FLOAT)};

const struct native_function *native_find(const char *name)
{
	static const struct native_table exact = {exact_functions,
	                                          sizeof exact_functions / sizeof *exact_functions};
	const struct native_table *const tables[] = {&native_floats, &native_doubles, &exact};
	for (size_t t = 0; t < sizeof tables / sizeof *tables; t++)
		for (size_t i = 0; i < tables[t]->count; i++)
			if (!strcmp(tables[t]->functions[i].name, name))
				return &tables[t]->functions[i];
	return NULL;
}
