/* Arithmetic of vector types for sample programs: operators, dot, cross, length, lerp, clamp and the like. */
#ifndef HELPER_MATH_H
#define HELPER_MATH_H

#include <math.h>

#include "cuda_runtime.h"

typedef unsigned int uint;
typedef unsigned short ushort;

#define SLUICE_VECTOR static inline __host__ __device__

/* ---- operators: between vectors, and of a vector with a scalar on either side --------------------------------- */

#define SLUICE_ALL_OPERATORS(type, element, n)                                                               \
	SLUICE_DEFINE_OPERATOR(+, type, element, n)                                                          \
	SLUICE_DEFINE_OPERATOR(-, type, element, n)                                                          \
	SLUICE_DEFINE_OPERATOR(*, type, element, n)                                                          \
	SLUICE_DEFINE_OPERATOR(/, type, element, n)
#define SLUICE_DEFINE_OPERATOR(op, type, element, n)                                                         \
	SLUICE_VECTOR type operator op(type a, type b)                                                       \
	{                                                                                                    \
		SLUICE_APPLY##n(op, b.x, b.y, b.z, b.w) return a;                                            \
	}                                                                                                    \
	SLUICE_VECTOR type operator op(type a, element b)                                                    \
	{                                                                                                    \
		SLUICE_APPLY##n(op, b, b, b, b) return a;                                                    \
	}                                                                                                    \
	SLUICE_VECTOR type operator op(element b, type v)                                                    \
	{                                                                                                    \
		type a = SLUICE_SPREAD##n(type, b);                                                          \
		return a op v;                                                                               \
	}                                                                                                    \
	SLUICE_VECTOR void operator op##=(type &a, type b)                                                   \
	{                                                                                                    \
		a = a op b;                                                                                  \
	}                                                                                                    \
	SLUICE_VECTOR void operator op##=(type &a, element b)                                                \
	{                                                                                                    \
		a = a op b;                                                                                  \
	}
#define SLUICE_APPLY2(op, bx, by, bz, bw) a.x = a.x op bx, a.y = a.y op by;
#define SLUICE_APPLY3(op, bx, by, bz, bw) a.x = a.x op bx, a.y = a.y op by, a.z = a.z op bz;
#define SLUICE_APPLY4(op, bx, by, bz, bw) a.x = a.x op bx, a.y = a.y op by, a.z = a.z op bz, a.w = a.w op bw;
#define SLUICE_SPREAD2(type, b) make_##type(b, b)
#define SLUICE_SPREAD3(type, b) make_##type(b, b, b)
#define SLUICE_SPREAD4(type, b) make_##type(b, b, b, b)

SLUICE_ALL_OPERATORS(float2, float, 2)
SLUICE_ALL_OPERATORS(float3, float, 3)
SLUICE_ALL_OPERATORS(float4, float, 4)
SLUICE_ALL_OPERATORS(int2, int, 2)
SLUICE_ALL_OPERATORS(int3, int, 3)
SLUICE_ALL_OPERATORS(int4, int, 4)
SLUICE_ALL_OPERATORS(uint2, unsigned int, 2)
SLUICE_ALL_OPERATORS(uint3, unsigned int, 3)
SLUICE_ALL_OPERATORS(uint4, unsigned int, 4)

#define SLUICE_NEGATE(type, element, n)                                                                      \
	SLUICE_VECTOR type operator-(type v)                                                                 \
	{                                                                                                    \
		return (element)0 - v;                                                                       \
	}
SLUICE_NEGATE(float2, float, 2)
SLUICE_NEGATE(float3, float, 3)
SLUICE_NEGATE(float4, float, 4)
SLUICE_NEGATE(int2, int, 2)
SLUICE_NEGATE(int3, int, 3)
SLUICE_NEGATE(int4, int, 4)
#undef SLUICE_NEGATE

/* ---- constructors ------------------------------------------------------------------------------------------- */

#define SLUICE_MAKERS(name, element)                                                                         \
	SLUICE_VECTOR name##2 make_##name##2(element s)                                                      \
	{                                                                                                    \
		return make_##name##2(s, s);                                                                 \
	}                                                                                                    \
	SLUICE_VECTOR name##2 make_##name##2(name##3 a)                                                      \
	{                                                                                                    \
		return make_##name##2(a.x, a.y);                                                             \
	}                                                                                                    \
	SLUICE_VECTOR name##3 make_##name##3(element s)                                                      \
	{                                                                                                    \
		return make_##name##3(s, s, s);                                                              \
	}                                                                                                    \
	SLUICE_VECTOR name##3 make_##name##3(name##2 a, element z)                                           \
	{                                                                                                    \
		return make_##name##3(a.x, a.y, z);                                                          \
	}                                                                                                    \
	SLUICE_VECTOR name##3 make_##name##3(name##2 a)                                                      \
	{                                                                                                    \
		return make_##name##3(a.x, a.y, 0);                                                          \
	}                                                                                                    \
	SLUICE_VECTOR name##3 make_##name##3(name##4 a)                                                      \
	{                                                                                                    \
		return make_##name##3(a.x, a.y, a.z);                                                        \
	}                                                                                                    \
	SLUICE_VECTOR name##4 make_##name##4(element s)                                                      \
	{                                                                                                    \
		return make_##name##4(s, s, s, s);                                                           \
	}                                                                                                    \
	SLUICE_VECTOR name##4 make_##name##4(name##3 a)                                                      \
	{                                                                                                    \
		return make_##name##4(a.x, a.y, a.z, 0);                                                     \
	}                                                                                                    \
	SLUICE_VECTOR name##4 make_##name##4(name##3 a, element w)                                           \
	{                                                                                                    \
		return make_##name##4(a.x, a.y, a.z, w);                                                     \
	}
SLUICE_MAKERS(float, float)
SLUICE_MAKERS(int, int)
SLUICE_MAKERS(uint, unsigned int)
#undef SLUICE_MAKERS

/* ---- functions ---------------------------------------------------------------------------------------------- */

SLUICE_VECTOR float dot(float2 a, float2 b)
{
	return a.x * b.x + a.y * b.y;
}
SLUICE_VECTOR float dot(float3 a, float3 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z;
}
SLUICE_VECTOR float dot(float4 a, float4 b)
{
	return a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
}
SLUICE_VECTOR float3 cross(float3 a, float3 b)
{
	return make_float3(a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x);
}
SLUICE_VECTOR float lerp(float a, float b, float t)
{
	return a + t * (b - a);
}
SLUICE_VECTOR float clamp(float f, float low, float high)
{
	return fmaxf(low, fminf(f, high));
}
SLUICE_VECTOR int clamp(int i, int low, int high)
{
	return i < low ? low : i > high ? high : i;
}
SLUICE_VECTOR unsigned int clamp(unsigned int i, unsigned int low, unsigned int high)
{
	return i < low ? low : i > high ? high : i;
}

#define SLUICE_MAP2(f) make_float2(f(a.x), f(a.y))
#define SLUICE_MAP3(f) make_float3(f(a.x), f(a.y), f(a.z))
#define SLUICE_MAP4(f) make_float4(f(a.x), f(a.y), f(a.z), f(a.w))
#define SLUICE_ZIP2(f) make_float2(f(a.x, b.x), f(a.y, b.y))
#define SLUICE_ZIP3(f) make_float3(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z))
#define SLUICE_ZIP4(f) make_float4(f(a.x, b.x), f(a.y, b.y), f(a.z, b.z), f(a.w, b.w))
#define SLUICE_GEOMETRY(type, n)                                                                             \
	SLUICE_VECTOR type lerp(type a, type b, float t)                                                     \
	{                                                                                                    \
		return a + t * (b - a);                                                                      \
	}                                                                                                    \
	SLUICE_VECTOR type fminf(type a, type b)                                                             \
	{                                                                                                    \
		return SLUICE_ZIP##n(fminf);                                                                 \
	}                                                                                                    \
	SLUICE_VECTOR type fmaxf(type a, type b)                                                             \
	{                                                                                                    \
		return SLUICE_ZIP##n(fmaxf);                                                                 \
	}                                                                                                    \
	SLUICE_VECTOR type clamp(type v, type low, type high)                                                \
	{                                                                                                    \
		return fmaxf(low, fminf(v, high));                                                           \
	}                                                                                                    \
	SLUICE_VECTOR type clamp(type v, float low, float high)                                              \
	{                                                                                                    \
		return clamp(v, make_##type(low), make_##type(high));                                        \
	}                                                                                                    \
	SLUICE_VECTOR float length(type v)                                                                   \
	{                                                                                                    \
		return sqrtf(dot(v, v));                                                                     \
	}                                                                                                    \
	SLUICE_VECTOR type normalize(type v)                                                                 \
	{                                                                                                    \
		return v * (1.0f / sqrtf(dot(v, v)));                                                        \
	}                                                                                                    \
	SLUICE_VECTOR type floorf(type a)                                                                    \
	{                                                                                                    \
		return SLUICE_MAP##n(floorf);                                                                \
	}                                                                                                    \
	SLUICE_VECTOR type fabs(type a)                                                                      \
	{                                                                                                    \
		return SLUICE_MAP##n(fabsf);                                                                 \
	}                                                                                                    \
	SLUICE_VECTOR type reflect(type i, type normal)                                                      \
	{                                                                                                    \
		return i - 2.0f * normal * dot(normal, i);                                                   \
	}
SLUICE_GEOMETRY(float2, 2)
SLUICE_GEOMETRY(float3, 3)
SLUICE_GEOMETRY(float4, 4)

#undef SLUICE_GEOMETRY
#undef SLUICE_MAP2
#undef SLUICE_MAP3
#undef SLUICE_MAP4
#undef SLUICE_ZIP2
#undef SLUICE_ZIP3
#undef SLUICE_ZIP4
#undef SLUICE_ALL_OPERATORS
#undef SLUICE_DEFINE_OPERATOR
#undef SLUICE_APPLY2
#undef SLUICE_APPLY3
#undef SLUICE_APPLY4
#undef SLUICE_SPREAD2
#undef SLUICE_SPREAD3
#undef SLUICE_SPREAD4
#undef SLUICE_VECTOR

#endif
