/* __nv_* arithmetic with a rounding in its name: exact, as the PTX instructions are. */
#include <math.h>

#include "cuda/lanes/native.h"

/* X(name, mode, type, expression, cost) for one, two and three operands */
#define MODES(X, name, T, expression, ...)                                                                   \
	X(name##_rn, rn, T, expression, __VA_ARGS__)                                                         \
	X(name##_rz, rz, T, expression, __VA_ARGS__)                                                         \
	X(name##_rd, rm, T, expression, __VA_ARGS__)                                                         \
	X(name##_ru, rp, T, expression, __VA_ARGS__)
#define ONE(X)                                                                                               \
	MODES(X, frcp, f32, 1.0f / x, COST(3, 4, 0, 1, 1))                                                   \
	MODES(X, fsqrt, f32, sqrtf(x), COST(3, 5, 0, 1, 1))                                                  \
	MODES(X, drcp, f64, 1.0 / x, COST(5, 0, 6, 1, 1))                                                    \
	MODES(X, dsqrt, f64, sqrt(x), COST(5, 0, 8, 1, 1))
#define TWO(X)                                                                                               \
	MODES(X, fadd, f32, x + y, COST_FP32(1))                                                             \
	MODES(X, fsub, f32, x - y, COST_FP32(1))                                                             \
	MODES(X, fmul, f32, x *y, COST_FP32(1))                                                              \
	MODES(X, fdiv, f32, x / y, COST(2, 7, 0, 1, 1))                                                      \
	MODES(X, dadd, f64, x + y, COST_FP64(1))                                                             \
	MODES(X, dsub, f64, x - y, COST_FP64(1))                                                             \
	MODES(X, dmul, f64, x *y, COST_FP64(1))                                                              \
	MODES(X, ddiv, f64, x / y, COST(4, 0, 9, 1, 1))
#define THREE(X)                                                                                             \
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
ONE(DEFINE1)
TWO(DEFINE2)
THREE(DEFINE3)

#define ENTRY1(name, mode, T, expression, ...) NATIVE_ENTRY1(name, T, T, , __VA_ARGS__)
#define ENTRY2(name, mode, T, expression, ...) NATIVE_ENTRY2(name, T, T, T, , __VA_ARGS__)
#define ENTRY3(name, mode, T, expression, ...) NATIVE_ENTRY3(name, T, T, T, T, , __VA_ARGS__)
NATIVE_TABLE(native_rounded, ONE(ENTRY1) TWO(ENTRY2) THREE(ENTRY3))
