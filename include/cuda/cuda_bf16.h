/*
 * bfloat16: conversions, arithmetic, comparisons and operators, on both
 * sides. A float computes and is rounded to nearest even, as on devices
 * before sm_80. Functions beyond these are left out.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus)

#include <cstring>

#define SLUICE_BF16 static __inline__ __host__ __device__ __attribute__((unused))

struct __nv_bfloat16_raw {
	unsigned short x;
};

SLUICE_BF16 float sluice_bf16_to_float(unsigned short bits)
{
	unsigned int word = (unsigned int)bits << 16;
	float f;
	memcpy(&f, &word, sizeof f);
	return f;
}

SLUICE_BF16 unsigned short sluice_bf16_from_float(float f)
{
	unsigned int word;
	memcpy(&word, &f, sizeof word);
	if ((word & 0x7fffffff) > 0x7f800000)
		return 0x7fff;
	return (unsigned short)((word + 0x7fff + (word >> 16 & 1)) >> 16);
}

struct __align__(2) __nv_bfloat16
{
	unsigned short __x;

	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x)
	{
	}
	__host__ __device__ __nv_bfloat16(float f) : __x(sluice_bf16_from_float(f))
	{
	}
	__host__ __device__ __nv_bfloat16(double d) : __x(sluice_bf16_from_float((float)d))
	{
	}
	__host__ __device__ __nv_bfloat16(int i) : __x(sluice_bf16_from_float((float)i))
	{
	}
	__host__ __device__ operator float() const
	{
		return sluice_bf16_to_float(__x);
	}
};

struct __align__(4) __nv_bfloat162
{
	__nv_bfloat16 x, y;

	__nv_bfloat162() = default;
	__host__ __device__ __nv_bfloat162(const __nv_bfloat16 &low, const __nv_bfloat16 &high)
	    : x(low), y(high)
	{
	}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

SLUICE_BF16 float __bfloat162float(const __nv_bfloat16 a)
{
	return sluice_bf16_to_float(a.__x);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16(const float a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 __nv_bfloat16 __float2bfloat16_rn(const float a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 __nv_bfloat16 __double2bfloat16(const double a)
{
	return __nv_bfloat16(a);
}
SLUICE_BF16 unsigned short __bfloat16_as_ushort(const __nv_bfloat16 a)
{
	return a.__x;
}
SLUICE_BF16 __nv_bfloat16 __ushort_as_bfloat16(const unsigned short bits)
{
	__nv_bfloat16 a;
	a.__x = bits;
	return a;
}
SLUICE_BF16 __nv_bfloat162 __halves2bfloat162(const __nv_bfloat16 low, const __nv_bfloat16 high)
{
	return __nv_bfloat162(low, high);
}
SLUICE_BF16 __nv_bfloat162 __bfloat162bfloat162(const __nv_bfloat16 a)
{
	return __nv_bfloat162(a, a);
}
SLUICE_BF16 __nv_bfloat162 __float2bfloat162_rn(const float a)
{
	return __bfloat162bfloat162(a);
}
SLUICE_BF16 __nv_bfloat162 __floats2bfloat162_rn(const float low, const float high)
{
	return __nv_bfloat162(low, high);
}
SLUICE_BF16 __nv_bfloat162 __float22bfloat162_rn(const float2 a)
{
	return __nv_bfloat162(a.x, a.y);
}
SLUICE_BF16 float2 __bfloat1622float2(const __nv_bfloat162 a)
{
	return make_float2(__bfloat162float(a.x), __bfloat162float(a.y));
}
SLUICE_BF16 float __low2float(const __nv_bfloat162 a)
{
	return __bfloat162float(a.x);
}
SLUICE_BF16 float __high2float(const __nv_bfloat162 a)
{
	return __bfloat162float(a.y);
}
SLUICE_BF16 __nv_bfloat16 __low2bfloat16(const __nv_bfloat162 a)
{
	return a.x;
}
SLUICE_BF16 __nv_bfloat16 __high2bfloat16(const __nv_bfloat162 a)
{
	return a.y;
}

#define SLUICE_BF16_BINARY(name, name2, op)                                                                  \
	SLUICE_BF16 __nv_bfloat16 name(const __nv_bfloat16 a, const __nv_bfloat16 b)                         \
	{                                                                                                    \
		return __nv_bfloat16(__bfloat162float(a) op __bfloat162float(b));                            \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 name2(const __nv_bfloat162 a, const __nv_bfloat162 b)                     \
	{                                                                                                    \
		return __nv_bfloat162(name(a.x, b.x), name(a.y, b.y));                                       \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat16 operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                \
	{                                                                                                    \
		return name(a, b);                                                                           \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 operator op(const __nv_bfloat162 &a, const __nv_bfloat162 &b)             \
	{                                                                                                    \
		return name2(a, b);                                                                          \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat16 &operator op##=(__nv_bfloat16 &a, const __nv_bfloat16 &b)                  \
	{                                                                                                    \
		return a = name(a, b);                                                                       \
	}                                                                                                    \
	SLUICE_BF16 __nv_bfloat162 &operator op##=(__nv_bfloat162 &a, const __nv_bfloat162 &b)               \
	{                                                                                                    \
		return a = name2(a, b);                                                                      \
	}
SLUICE_BF16_BINARY(__hadd, __hadd2, +)
SLUICE_BF16_BINARY(__hsub, __hsub2, -)
SLUICE_BF16_BINARY(__hmul, __hmul2, *)
SLUICE_BF16_BINARY(__hdiv, __h2div, /)
#undef SLUICE_BF16_BINARY

#define SLUICE_BF16_COMPARE(name, op)                                                                        \
	SLUICE_BF16 bool name(const __nv_bfloat16 a, const __nv_bfloat16 b)                                  \
	{                                                                                                    \
		return __bfloat162float(a) op __bfloat162float(b);                                           \
	}                                                                                                    \
	SLUICE_BF16 bool operator op(const __nv_bfloat16 &a, const __nv_bfloat16 &b)                         \
	{                                                                                                    \
		return name(a, b);                                                                           \
	}
SLUICE_BF16_COMPARE(__heq, ==)
SLUICE_BF16_COMPARE(__hne, !=)
SLUICE_BF16_COMPARE(__hlt, <)
SLUICE_BF16_COMPARE(__hle, <=)
SLUICE_BF16_COMPARE(__hgt, >)
SLUICE_BF16_COMPARE(__hge, >=)
#undef SLUICE_BF16_COMPARE

SLUICE_BF16 __nv_bfloat16 __hneg(const __nv_bfloat16 a)
{
	return __ushort_as_bfloat16((unsigned short)(a.__x ^ 0x8000));
}
SLUICE_BF16 __nv_bfloat16 __habs(const __nv_bfloat16 a)
{
	return __ushort_as_bfloat16((unsigned short)(a.__x & 0x7fff));
}
SLUICE_BF16 __nv_bfloat16 operator-(const __nv_bfloat16 &a)
{
	return __hneg(a);
}
SLUICE_BF16 bool __hisnan(const __nv_bfloat16 a)
{
	return (a.__x & 0x7fff) > 0x7f80;
}
SLUICE_BF16 __nv_bfloat16 __hmax(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
	return __hisnan(a) || __hlt(a, b) ? b : a;
}
SLUICE_BF16 __nv_bfloat16 __hmin(const __nv_bfloat16 a, const __nv_bfloat16 b)
{
	return __hisnan(a) || __hgt(a, b) ? b : a;
}
SLUICE_BF16 __nv_bfloat16 __hfma(const __nv_bfloat16 a, const __nv_bfloat16 b, const __nv_bfloat16 c)
{
	return __nv_bfloat16(fmaf(__bfloat162float(a), __bfloat162float(b), __bfloat162float(c)));
}
SLUICE_BF16 __nv_bfloat162 __hfma2(const __nv_bfloat162 a, const __nv_bfloat162 b, const __nv_bfloat162 c)
{
	return __nv_bfloat162(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}

#undef SLUICE_BF16

#endif
#endif
