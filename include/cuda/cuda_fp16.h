/*
 * Half precision: the types, conversions on both sides, arithmetic,
 * comparisons and functions (sluice/half_*.h). On the device they are PTX
 * instructions; on the host a float computes and is rounded.
 */
#ifndef __CUDA_FP16_H__
#define __CUDA_FP16_H__

#include "cuda_runtime.h"

#if defined(__cplusplus)

#include <cstring>

#define SLUICE_HALF static __inline__ __host__ __device__ __attribute__((unused))
#define SLUICE_HALF_DEVICE static __inline__ __device__ __attribute__((unused))

/* The bits alone, as CUDA names them: programs store and copy them. */
struct __half_raw {
	unsigned short x;
};
struct __align__(4) __half2_raw
{
	unsigned short x, y;
};

#include "sluice/half_bits.h"

struct __align__(2) __half
{
	unsigned short __x;

	__half() = default;
	__host__ __device__ __half(const __half_raw &raw) : __x(raw.x)
	{
	}
	__host__ __device__ operator __half_raw() const
	{
		__half_raw raw;
		raw.x = __x;
		return raw;
	}
	__host__ __device__ __half(float f) : __x(sluice_half_from_float(f))
	{
	}
	__host__ __device__ __half(double d) : __x(sluice_half_from_double(d))
	{
	}
	__host__ __device__ operator float() const
	{
		return sluice_half_to_float(__x);
	}
#define SLUICE_HALF_INTEGER(type)                                                                            \
	__host__ __device__ __half(type i) : __x(sluice_half_from_double((double)i))                         \
	{                                                                                                    \
	}                                                                                                    \
	__host__ __device__ operator type() const                                                            \
	{                                                                                                    \
		return (type)sluice_half_to_float(__x);                                                      \
	}                                                                                                    \
	__host__ __device__ __half &operator=(type i)                                                        \
	{                                                                                                    \
		__x = sluice_half_from_double((double)i);                                                    \
		return *this;                                                                                \
	}
	SLUICE_HALF_INTEGER(short)
	SLUICE_HALF_INTEGER(unsigned short)
	SLUICE_HALF_INTEGER(int)
	SLUICE_HALF_INTEGER(unsigned int)
	SLUICE_HALF_INTEGER(long long)
	SLUICE_HALF_INTEGER(unsigned long long)
#undef SLUICE_HALF_INTEGER
	__host__ __device__ operator bool() const
	{
		return (__x & 0x7fff) != 0;
	}
	__host__ __device__ __half &operator=(float f)
	{
		__x = sluice_half_from_float(f);
		return *this;
	}
	__host__ __device__ __half &operator=(double d)
	{
		__x = sluice_half_from_double(d);
		return *this;
	}
};

struct __align__(4) __half2
{
	__half x, y;

	__half2() = default;
	__host__ __device__ __half2(const __half &low, const __half &high) : x(low), y(high)
	{
	}
	__host__ __device__ __half2(const __half2_raw &raw)
	{
		x.__x = raw.x, y.__x = raw.y;
	}
	__host__ __device__ operator __half2_raw() const
	{
		__half2_raw raw;
		raw.x = x.__x, raw.y = y.__x;
		return raw;
	}
};

typedef __half half;
typedef __half2 half2;
typedef __half __nv_half;
typedef __half2 __nv_half2;
typedef __half nv_half;
typedef __half2 nv_half2;

#include "sluice/half_arithmetic.h"
#include "sluice/half_convert.h"
#if defined(__CUDA__) && defined(__clang__)
#include "sluice/half_device.h"
#endif

#undef SLUICE_HALF
#undef SLUICE_HALF_DEVICE

#endif
#endif
