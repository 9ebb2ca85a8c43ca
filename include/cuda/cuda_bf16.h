/*
 * bfloat16: conversions, arithmetic, comparisons and operators, on both
 * sides; functions, shuffles, loads and atomics on the device
 * (sluice/bf16_*.h). A float computes and is rounded to nearest even, as on
 * devices before sm_80.
 */
#ifndef __CUDA_BF16_H__
#define __CUDA_BF16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus)

#include <cstring>

#define SLUICE_BF16 static __inline__ __host__ __device__ __attribute__((unused))
#define SLUICE_BF16_DEVICE static __inline__ __device__ __attribute__((unused))

struct __align__(2) __nv_bfloat16_raw
{
	unsigned short x;
};
struct __align__(4) __nv_bfloat162_raw
{
	unsigned short x, y;
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

/* Rounded once: a float that lost something keeps a trace of it in its last bit. */
SLUICE_BF16 unsigned short sluice_bf16_from_double(double d)
{
	float f = (float)d;
	if ((double)f != d && d == d && f - f == 0) {
		unsigned int word;
		memcpy(&word, &f, sizeof word);
		bool is_away = (f < 0 ? -(double)f : (double)f) > (d < 0 ? -d : d);
		word = (word - is_away) | 1;
		memcpy(&f, &word, sizeof f);
	}
	return sluice_bf16_from_float(f);
}

struct __align__(2) __nv_bfloat16
{
	unsigned short __x;

	__nv_bfloat16() = default;
	__host__ __device__ __nv_bfloat16(const __nv_bfloat16_raw &raw) : __x(raw.x)
	{
	}
	__host__ __device__ operator __nv_bfloat16_raw() const
	{
		__nv_bfloat16_raw raw;
		raw.x = __x;
		return raw;
	}
	__host__ __device__ __nv_bfloat16 &operator=(const __nv_bfloat16_raw &raw)
	{
		__x = raw.x;
		return *this;
	}
	__host__ __device__ __nv_bfloat16(float f) : __x(sluice_bf16_from_float(f))
	{
	}
	__host__ __device__ __nv_bfloat16(double d) : __x(sluice_bf16_from_double(d))
	{
	}
	__host__ __device__ operator float() const
	{
		return sluice_bf16_to_float(__x);
	}
#define SLUICE_BF16_INTEGER(type)                                                                            \
	__host__ __device__ __nv_bfloat16(type i) : __x(sluice_bf16_from_double((double)i))                  \
	{                                                                                                    \
	}                                                                                                    \
	__host__ __device__ operator type() const                                                            \
	{                                                                                                    \
		return (type)sluice_bf16_to_float(__x);                                                      \
	}                                                                                                    \
	__host__ __device__ __nv_bfloat16 &operator=(type i)                                                 \
	{                                                                                                    \
		__x = sluice_bf16_from_double((double)i);                                                    \
		return *this;                                                                                \
	}
	SLUICE_BF16_INTEGER(short)
	SLUICE_BF16_INTEGER(unsigned short)
	SLUICE_BF16_INTEGER(int)
	SLUICE_BF16_INTEGER(unsigned int)
	SLUICE_BF16_INTEGER(long long)
	SLUICE_BF16_INTEGER(unsigned long long)
#undef SLUICE_BF16_INTEGER
	__host__ __device__ operator bool() const
	{
		return (__x & 0x7fff) != 0;
	}
	__host__ __device__ __nv_bfloat16 &operator=(float f)
	{
		__x = sluice_bf16_from_float(f);
		return *this;
	}
	__host__ __device__ __nv_bfloat16 &operator=(double d)
	{
		__x = sluice_bf16_from_double(d);
		return *this;
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
	__host__ __device__ __nv_bfloat162(const __nv_bfloat162_raw &raw)
	{
		x.__x = raw.x, y.__x = raw.y;
	}
	__host__ __device__ operator __nv_bfloat162_raw() const
	{
		__nv_bfloat162_raw raw;
		raw.x = x.__x, raw.y = y.__x;
		return raw;
	}
};

typedef __nv_bfloat16 nv_bfloat16;
typedef __nv_bfloat162 nv_bfloat162;

#include "sluice/bf16_convert.h"

#include "sluice/bf16_arithmetic.h"
#if defined(__CUDA__) && defined(__clang__)
#include "sluice/bf16_device.h"
#endif

#undef SLUICE_BF16_DEVICE
#undef SLUICE_BF16

#endif
#endif
