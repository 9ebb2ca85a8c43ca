/*
 * Eight-bit floats, e4m3 and e5m2: storage, conversions with saturation and
 * without, on both sides. Values are computed with as floats.
 */
#ifndef __CUDA_FP8_H__
#define __CUDA_FP8_H__

#include "cuda_bf16.h"
#include "cuda_fp16.h"

#if defined(__cplusplus)

#define SLUICE_FP8 static __inline__ __host__ __device__ __attribute__((unused))

typedef unsigned char __nv_fp8_storage_t;
typedef unsigned short __nv_fp8x2_storage_t;
typedef unsigned int __nv_fp8x4_storage_t;
typedef enum __nv_saturation_t { __NV_NOSAT, __NV_SATFINITE } __nv_saturation_t;
typedef enum __nv_fp8_interpretation_t { __NV_E4M3, __NV_E5M2 } __nv_fp8_interpretation_t;

/* What the two formats are: bits of the fraction, bias of the exponent, the largest number, what stands beyond it. */
struct sluice_fp8_format {
	int fraction_bits, bias;
	unsigned char most, infinity, nan; /* e4m3 has no infinity: NaN stands for it */
};

SLUICE_FP8 sluice_fp8_format sluice_fp8_format_of(__nv_fp8_interpretation_t kind)
{
	sluice_fp8_format e4m3 = {3, 7, 0x7e, 0x7f, 0x7f}, e5m2 = {2, 15, 0x7b, 0x7c, 0x7f};
	return kind == __NV_E4M3 ? e4m3 : e5m2;
}

SLUICE_FP8 __nv_fp8_storage_t __nv_cvt_double_to_fp8(const double x, const __nv_saturation_t saturate,
                                                     const __nv_fp8_interpretation_t kind)
{
	const sluice_fp8_format f = sluice_fp8_format_of(kind);
	unsigned long long bits;
	memcpy(&bits, &x, sizeof bits);
	unsigned char sign = (unsigned char)(bits >> 56 & 0x80);
	int exponent = (int)(bits >> 52 & 0x7ff) - 1023;
	unsigned long long fraction = bits & 0xfffffffffffffull;
	if (exponent == 1024 && fraction)
		return f.nan;
	unsigned int value;
	if (exponent == 1024) {
		value = f.most + 1u;
	} else if (exponent < -40) {
		value = 0; /* far below half of the least */
	} else {
		int least = 1 - f.bias,
		    shift = 52 - f.fraction_bits + (exponent < least ? least - exponent : 0);
		unsigned long long whole = fraction | 0x10000000000000ull;
		unsigned long long kept = shift < 64 ? whole >> shift : 0;
		unsigned long long rest = shift < 64 ? whole & ((1ull << shift) - 1) : whole;
		unsigned long long tie = shift < 65 ? 1ull << (shift - 1) : ~0ull;
		kept += rest > tie || (rest == tie && (kept & 1));
		value = (unsigned int)kept;
		if (exponent >= least)
			value += (unsigned int)(exponent - least) << f.fraction_bits;
	}
	if (value > f.most)
		value = saturate == __NV_SATFINITE ? f.most : f.infinity;
	return (__nv_fp8_storage_t)(sign | value);
}

SLUICE_FP8 __nv_fp8_storage_t __nv_cvt_float_to_fp8(const float x, const __nv_saturation_t saturate,
                                                    const __nv_fp8_interpretation_t kind)
{
	return __nv_cvt_double_to_fp8((double)x, saturate, kind);
}

SLUICE_FP8 float sluice_fp8_to_float(const __nv_fp8_storage_t x, const __nv_fp8_interpretation_t kind)
{
	const sluice_fp8_format f = sluice_fp8_format_of(kind);
	unsigned int value = x & 0x7fu, word;
	float magnitude;
	if (value > f.most) {
		word = value == f.infinity && kind == __NV_E5M2 ? 0x7f800000 : 0x7fffffff;
		memcpy(&magnitude, &word, sizeof magnitude);
		return x & 0x80 && word == 0x7f800000 ? -magnitude : magnitude;
	}
	unsigned int exponent = value >> f.fraction_bits, fraction = value & ((1u << f.fraction_bits) - 1);
	int scale = (exponent ? (int)exponent : 1) - f.bias - f.fraction_bits;
	word = (unsigned int)(127 + scale) << 23;
	memcpy(&magnitude, &word, sizeof magnitude);
	magnitude *= (float)(fraction | (exponent ? 1u << f.fraction_bits : 0));
	return x & 0x80 ? -magnitude : magnitude;
}

SLUICE_FP8 __half_raw __nv_cvt_fp8_to_halfraw(const __nv_fp8_storage_t x,
                                              const __nv_fp8_interpretation_t kind)
{
	return __float2half(sluice_fp8_to_float(x, kind));
}
SLUICE_FP8 __nv_fp8_storage_t __nv_cvt_halfraw_to_fp8(const __half_raw x, const __nv_saturation_t saturate,
                                                      const __nv_fp8_interpretation_t kind)
{
	return __nv_cvt_float_to_fp8(__half2float(__half(x)), saturate, kind);
}
SLUICE_FP8 __nv_fp8_storage_t __nv_cvt_bfloat16raw_to_fp8(const __nv_bfloat16_raw x,
                                                          const __nv_saturation_t saturate,
                                                          const __nv_fp8_interpretation_t kind)
{
	return __nv_cvt_float_to_fp8(__bfloat162float(__nv_bfloat16(x)), saturate, kind);
}
SLUICE_FP8 __nv_fp8x2_storage_t __nv_cvt_float2_to_fp8x2(const float2 x, const __nv_saturation_t saturate,
                                                         const __nv_fp8_interpretation_t kind)
{
	unsigned int low = __nv_cvt_float_to_fp8(x.x, saturate, kind),
	             high = __nv_cvt_float_to_fp8(x.y, saturate, kind);
	return (__nv_fp8x2_storage_t)(low | high << 8);
}
SLUICE_FP8 __half2_raw __nv_cvt_fp8x2_to_halfraw2(const __nv_fp8x2_storage_t x,
                                                  const __nv_fp8_interpretation_t kind)
{
	__half2_raw pair;
	pair.x = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)x, kind).x;
	pair.y = __nv_cvt_fp8_to_halfraw((__nv_fp8_storage_t)(x >> 8), kind).x;
	return pair;
}

#define SLUICE_FP8_TYPES(name, kind)                                                                         \
	struct __nv_fp8_##name {                                                                             \
		__nv_fp8_storage_t __x;                                                                      \
		__nv_fp8_##name() = default;                                                                 \
		explicit __host__ __device__ __nv_fp8_##name(const float f)                                  \
		    : __x(__nv_cvt_float_to_fp8(f, __NV_SATFINITE, kind))                                    \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ __nv_fp8_##name(const double d)                                 \
		    : __x(__nv_cvt_double_to_fp8(d, __NV_SATFINITE, kind))                                   \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ __nv_fp8_##name(const int i)                                    \
		    : __x(__nv_cvt_double_to_fp8((double)i, __NV_SATFINITE, kind))                           \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ __nv_fp8_##name(const __half h)                                 \
		    : __x(__nv_cvt_float_to_fp8(__half2float(h), __NV_SATFINITE, kind))                      \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ __nv_fp8_##name(const __nv_bfloat16 b)                          \
		    : __x(__nv_cvt_float_to_fp8(__bfloat162float(b), __NV_SATFINITE, kind))                  \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ operator float() const                                          \
		{                                                                                            \
			return sluice_fp8_to_float(__x, kind);                                               \
		}                                                                                            \
		explicit __host__ __device__ operator double() const                                         \
		{                                                                                            \
			return (double)sluice_fp8_to_float(__x, kind);                                       \
		}                                                                                            \
		explicit __host__ __device__ operator __half() const                                         \
		{                                                                                            \
			return __float2half(sluice_fp8_to_float(__x, kind));                                 \
		}                                                                                            \
		explicit __host__ __device__ operator __nv_bfloat16() const                                  \
		{                                                                                            \
			return __float2bfloat16(sluice_fp8_to_float(__x, kind));                             \
		}                                                                                            \
	};                                                                                                   \
	struct __nv_fp8x2_##name {                                                                           \
		__nv_fp8x2_storage_t __x;                                                                    \
		__nv_fp8x2_##name() = default;                                                               \
		explicit __host__ __device__ __nv_fp8x2_##name(const float2 f)                               \
		    : __x(__nv_cvt_float2_to_fp8x2(f, __NV_SATFINITE, kind))                                 \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ operator float2() const                                         \
		{                                                                                            \
			return make_float2(sluice_fp8_to_float((__nv_fp8_storage_t)__x, kind),               \
			                   sluice_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind));       \
		}                                                                                            \
	};                                                                                                   \
	struct __nv_fp8x4_##name {                                                                           \
		__nv_fp8x4_storage_t __x;                                                                    \
		__nv_fp8x4_##name() = default;                                                               \
		explicit __host__ __device__ __nv_fp8x4_##name(const float4 f)                               \
		    : __x(__nv_cvt_float2_to_fp8x2(make_float2(f.x, f.y), __NV_SATFINITE, kind) |            \
		          (unsigned int)__nv_cvt_float2_to_fp8x2(make_float2(f.z, f.w), __NV_SATFINITE,      \
		                                                 kind)                                       \
		              << 16)                                                                         \
		{                                                                                            \
		}                                                                                            \
		explicit __host__ __device__ operator float4() const                                         \
		{                                                                                            \
			return make_float4(sluice_fp8_to_float((__nv_fp8_storage_t)__x, kind),               \
			                   sluice_fp8_to_float((__nv_fp8_storage_t)(__x >> 8), kind),        \
			                   sluice_fp8_to_float((__nv_fp8_storage_t)(__x >> 16), kind),       \
			                   sluice_fp8_to_float((__nv_fp8_storage_t)(__x >> 24), kind));      \
		}                                                                                            \
	};
SLUICE_FP8_TYPES(e4m3, __NV_E4M3)
SLUICE_FP8_TYPES(e5m2, __NV_E5M2)
#undef SLUICE_FP8_TYPES
#undef SLUICE_FP8

#endif
#endif
