/*
 * How native functions are written: a line per function, expanded into a loop and a table entry.
 *
 * What a function costs is a documented guess at the instructions a GPU runs for it
 * (docs/cuda-math.md): integer, fp32, fp64, special function unit, branch.
 */
#ifndef SLUICE_CUDA_NATIVE_H
#define SLUICE_CUDA_NATIVE_H

#include "cuda/lanes/convert.h"

struct native_table {
	const struct native_function *functions;
	size_t count;
};
#define NATIVE_TABLE(name, ...)                                                                              \
	static const struct native_function name##_functions[] = {__VA_ARGS__};                              \
	const struct native_table name = {name##_functions,                                                  \
	                                  sizeof name##_functions / sizeof *name##_functions};
extern const struct native_table native_floats, native_doubles;

/* X(name, R, types of the sources..., expression of x, y, z, w, cost...) */
#define NATIVE_LOOP(...)                                                                                     \
	for (unsigned i = 0; i < lanes; i++) {                                                               \
		__VA_ARGS__                                                                                  \
	}
#define NATIVE_BEGIN(name)                                                                                   \
	static void nv_##name(LANE_PARAMETERS)                                                               \
	{                                                                                                    \
		LANE_UNUSED;
#define NATIVE_SOURCE(T, x, from) lane_##T x = ((const lane_##T *)from)[i];

#define NATIVE_DEFINE1(name, R, A, expression, ...)                                                          \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(A, x, a)((lane_##R *)dst)[i] = (lane_##R)(expression);)                    \
	}
#define NATIVE_DEFINE2(name, R, A, B, expression, ...)                                                       \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(A, x, a) NATIVE_SOURCE(B, y, b)((lane_##R *)dst)[i] =                      \
	                (lane_##R)(expression);)                                                             \
	}
#define NATIVE_DEFINE3(name, R, A, B, C, expression, ...)                                                    \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(A, x, a) NATIVE_SOURCE(B, y, b)                                            \
	                NATIVE_SOURCE(C, z, c)((lane_##R *)dst)[i] = (lane_##R)(expression);)                \
	}
#define NATIVE_DEFINE4(name, R, A, B, C, D, expression, ...)                                                 \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(A, x, a) NATIVE_SOURCE(B, y, b) NATIVE_SOURCE(C, z, c)                     \
	                NATIVE_SOURCE(D, w, d)((lane_##R *)dst)[i] = (lane_##R)(expression);)                \
	}
#define NATIVE_ENTRY1(name, R, A, expression, ...)                                                           \
	{"__nv_" #name, nv_##name, PTX_TYPE_##R, 1, {PTX_TYPE_##A}, 0, {0}, {__VA_ARGS__}},
#define NATIVE_ENTRY2(name, R, A, B, expression, ...)                                                        \
	{"__nv_" #name, nv_##name, PTX_TYPE_##R, 2, {PTX_TYPE_##A, PTX_TYPE_##B}, 0, {0}, {__VA_ARGS__}},
#define NATIVE_ENTRY3(name, R, A, B, C, expression, ...)                                                     \
	{"__nv_" #name, nv_##name,    PTX_TYPE_##R, 3, {PTX_TYPE_##A, PTX_TYPE_##B, PTX_TYPE_##C}, 0,        \
	 {0},           {__VA_ARGS__}},
#define NATIVE_ENTRY4(name, R, A, B, C, D, expression, ...)                                                  \
	{"__nv_" #name,                                                                                      \
	 nv_##name,                                                                                          \
	 PTX_TYPE_##R,                                                                                       \
	 4,                                                                                                  \
	 {PTX_TYPE_##A, PTX_TYPE_##B, PTX_TYPE_##C, PTX_TYPE_##D},                                           \
	 0,                                                                                                  \
	 {0},                                                                                                \
	 {__VA_ARGS__}},

/* ---- what f32 and f64 share; the file defines OUT(e) and OUT2(e), results of x, and of x and y ---- */

/* A NaN loses, a signalling one too; -0 is below +0. */
#define NATIVE_DEFINE_ORDER(R)                                                                               \
	static lane_##R larger(lane_##R x, lane_##R y)                                                       \
	{                                                                                                    \
		return x != x ? y : y != y ? x : x == y ? (signbit(x) ? y : x) : x > y ? x : y;              \
	}                                                                                                    \
	static lane_##R smaller(lane_##R x, lane_##R y)                                                      \
	{                                                                                                    \
		return x != x ? y : y != y ? x : x == y ? (signbit(x) ? x : y) : x < y ? x : y;              \
	}

/* Functions that return a value and write one, or write two (sincos), through pointers. */
#define NATIVE_DEFINE_SINCOS(name, R, sine, cosine)                                                          \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(R, x, a)((lane_##R *)dst)[i] = OUT(sine(x));                               \
	            ((lane_##R *)d)[i] = OUT(cosine(x));)                                                    \
	}
#define NATIVE_DEFINE_FREXP(name, R)                                                                         \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(R, x, a) int exponent = 0; ((lane_##R *)dst)[i] = OUT(name(x, &exponent)); \
	            ((lane_s32 *)d)[i] = isfinite(x) ? exponent : 0;)                                        \
	}
#define NATIVE_DEFINE_MODF(name, R)                                                                          \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(R, x, a) lane_##R whole; ((lane_##R *)dst)[i] = OUT(name(x, &whole));      \
	            ((lane_##R *)d)[i] = OUT(whole);)                                                        \
	}
/* The quotient's low bits: CUDA promises three, the library gives three. */
#define NATIVE_DEFINE_REMQUO(name, R)                                                                        \
	NATIVE_BEGIN(name)                                                                                   \
	NATIVE_LOOP(NATIVE_SOURCE(R, x, a) NATIVE_SOURCE(R, y, b) int quotient = 0;                          \
	            ((lane_##R *)dst)[i] = OUT2(name(x, y, &quotient)); ((lane_s32 *)d)[i] = quotient;)      \
	}
#define NATIVE_ENTRY_SINCOS(name, function, R, ...)                                                          \
	{"__nv_" #name, function, PTX_TYPE_none, 1, {PTX_TYPE_##R}, 2, {PTX_TYPE_##R, PTX_TYPE_##R},         \
	 {__VA_ARGS__}},
#define NATIVE_ENTRY_OUTPUT1(name, R, D, ...)                                                                \
	{"__nv_" #name, nv_##name, PTX_TYPE_##R, 1, {PTX_TYPE_##R}, 1, {PTX_TYPE_##D}, {__VA_ARGS__}},
#define NATIVE_ENTRY_OUTPUT2(name, R, D, ...)                                                                \
	{"__nv_" #name,  nv_##name,    PTX_TYPE_##R, 2, {PTX_TYPE_##R, PTX_TYPE_##R}, 1,                     \
	 {PTX_TYPE_##D}, {__VA_ARGS__}},

/* Kinds of cost, for lists: COST(integer, fp32, fp64, sfu, branch), or only one of them. */
#define COST_INT(n) n, 0, 0, 0, 0
#define COST_FP32(n) 0, n, 0, 0, 0
#define COST_FP64(n) 0, 0, n, 0, 0
#define COST(integer, fp32, fp64, sfu, branch) integer, fp32, fp64, sfu, branch

/* Functions that no C library has; double and extended precision (native_special.c). */
long double native_erfinv(double x);
long double native_erfcinv(double x);
long double native_normcdf(double x);
long double native_normcdfinv(double x);
long double native_erfcx(double x);
long double native_bessel_i0(double x);
long double native_bessel_i1(double x);
long double native_sinpi(double x);
long double native_cospi(double x);
/* Length of a vector, without overflow; infinite as soon as one component is. */
long double native_norm(double x, double y, double z, double w);
double native_lgamma(double x);

#endif
