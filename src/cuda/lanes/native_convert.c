/*
 * __nv_* conversions: numbers to numbers with a rounding, bits to numbers.
 * Float to integer clamps; a NaN becomes what PTX's cvt makes of it.
 */
#include <math.h>

#include "cuda/lanes/native.h"

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

#define INTEGERS(X)                                                                                          \
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

#define BITS(X)                                                                                              \
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
INTEGERS(NATIVE_DEFINE1)
BITS(NATIVE_DEFINE1)

#define PAIRS(X) X(hiloint2double, u64, u32, u32, (uint64_t)x << 32 | y, COST_INT(2))
PAIRS(NATIVE_DEFINE2)

/* ---- to floats, in a rounding mode ---------------------------------------------------------------------- */

/* X(name, mode, result, source, cost) */
#define MODES(X, name, R, S, ...)                                                                            \
	X(name##_rn, rn, R, S, __VA_ARGS__)                                                                  \
	X(name##_rz, rz, R, S, __VA_ARGS__)                                                                  \
	X(name##_rd, rm, R, S, __VA_ARGS__)                                                                  \
	X(name##_ru, rp, R, S, __VA_ARGS__)
#define FLOATS(X)                                                                                            \
	MODES(X, int2float, f32, s32, COST(0, 0, 0, 1, 0))                                                   \
	MODES(X, uint2float, f32, u32, COST(0, 0, 0, 1, 0))                                                  \
	MODES(X, ll2float, f32, s64, COST(0, 0, 0, 2, 0))                                                    \
	MODES(X, ull2float, f32, u64, COST(0, 0, 0, 2, 0))                                                   \
	MODES(X, ll2double, f64, s64, COST_FP64(2))                                                          \
	MODES(X, ull2double, f64, u64, COST_FP64(2))                                                         \
	MODES(X, double2float, f32, f64, COST_FP64(1))                                                       \
	X(int2double_rn, rn, f64, s32, COST_FP64(1))                                                         \
	X(uint2double_rn, rn, f64, u32, COST_FP64(1))
#define CANONICAL_f32(x) lane_canonical_f32(x)
#define CANONICAL_f64(x) (x)
#define DEFINE_FLOAT(name, mode, R, S, ...)                                                                  \
	NATIVE_BEGIN(name)                                                                                   \
	LANE_ROUND_BEGIN_##mode NATIVE_LOOP(                                                                 \
	    ((lane_##R *)dst)[i] = CANONICAL_##R((lane_##R)((const lane_##S *)a)[i]);) LANE_ROUND_END_##mode \
	}
FLOATS(DEFINE_FLOAT)

#define ENTRY_FLOAT(name, mode, R, S, ...) NATIVE_ENTRY1(name, R, S, , __VA_ARGS__)
NATIVE_TABLE(native_conversions,
             INTEGERS(NATIVE_ENTRY1) BITS(NATIVE_ENTRY1) PAIRS(NATIVE_ENTRY2) FLOATS(ENTRY_FLOAT))
