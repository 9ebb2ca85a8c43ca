/*
 * Mathematics that clang's headers leave to the toolkit: overloads for float
 * of the device's functions, and for host code the functions that the C
 * library lacks.
 */
#ifndef SLUICE_CUDA_DEVICE_MATH_H
#define SLUICE_CUDA_DEVICE_MATH_H

/* ---- overloads for float; clang declares most of these for <cmath> and defines none --------------------------- */

#define SLUICE_MATH1(result, name)                                                                           \
	static __device__ __forceinline__ result name(float x)                                               \
	{                                                                                                    \
		return name##f(x);                                                                           \
	}
#define SLUICE_MATH2(name, second)                                                                           \
	static __device__ __forceinline__ float name(float x, second y)                                      \
	{                                                                                                    \
		return name##f(x, y);                                                                        \
	}
SLUICE_MATH1(float, acosh)
SLUICE_MATH1(float, asinh)
SLUICE_MATH1(float, atanh)
SLUICE_MATH1(float, cbrt)
SLUICE_MATH1(float, erf)
SLUICE_MATH1(float, erfc)
SLUICE_MATH1(float, exp2)
SLUICE_MATH1(float, expm1)
SLUICE_MATH1(float, lgamma)
SLUICE_MATH1(float, log1p)
SLUICE_MATH1(float, log2)
SLUICE_MATH1(float, logb)
SLUICE_MATH1(float, nearbyint)
SLUICE_MATH1(float, rint)
SLUICE_MATH1(float, round)
SLUICE_MATH1(float, tgamma)
SLUICE_MATH1(float, trunc)
SLUICE_MATH1(int, ilogb)
SLUICE_MATH1(long, lrint)
SLUICE_MATH1(long, lround)
SLUICE_MATH1(long long, llrint)
SLUICE_MATH1(long long, llround)
SLUICE_MATH2(copysign, float)
SLUICE_MATH2(fdim, float)
SLUICE_MATH2(fmax, float)
SLUICE_MATH2(fmin, float)
SLUICE_MATH2(hypot, float)
SLUICE_MATH2(nextafter, float)
SLUICE_MATH2(remainder, float)
SLUICE_MATH2(scalbn, int)
SLUICE_MATH2(scalbln, long)
SLUICE_MATH1(float, rsqrt)
SLUICE_MATH1(float, rcbrt)
SLUICE_MATH1(float, sinpi)
SLUICE_MATH1(float, cospi)
SLUICE_MATH1(float, exp10)
SLUICE_MATH1(float, erfinv)
SLUICE_MATH1(float, erfcinv)
SLUICE_MATH1(float, erfcx)
SLUICE_MATH1(float, normcdf)
SLUICE_MATH1(float, normcdfinv)
#undef SLUICE_MATH1
#undef SLUICE_MATH2

static __device__ __forceinline__ float fma(float x, float y, float z)
{
	return fmaf(x, y, z);
}
static __device__ __forceinline__ float remquo(float x, float y, int *quotient)
{
	return remquof(x, y, quotient);
}
static __device__ __forceinline__ void sincos(float x, float *s, float *c)
{
	sincosf(x, s, c);
}
static __device__ __forceinline__ void sincospi(float x, float *s, float *c)
{
	sincospif(x, s, c);
}
/* The text chooses among NaNs; there is one. */
static __device__ __forceinline__ float nanf(const char *)
{
	return __int_as_float(0x7fffffff);
}
static __device__ __forceinline__ double nan(const char *)
{
	return __longlong_as_double(0x7fffffffffffffffLL);
}

/* ---- host ----------------------------------------------------------------------------------------------------- */

static inline __host__ float rsqrtf(float x)
{
	return 1.0f / sqrtf(x);
}
static inline __host__ double rsqrt(double x)
{
	return 1.0 / sqrt(x);
}
static inline __host__ float rcbrtf(float x)
{
	return 1.0f / cbrtf(x);
}
static inline __host__ double rcbrt(double x)
{
	return 1.0 / cbrt(x);
}
/* C23 has these, and the C library does from 2.41 on. */
#if !(__GLIBC_PREREQ(2, 41) && __GLIBC_USE(IEC_60559_FUNCS_EXT_C23))
static inline __host__ float sinpif(float x)
{
	return (float)sin(M_PI * (double)fmodf(x, 2.0f));
}
static inline __host__ double sinpi(double x)
{
	return sin(M_PI * fmod(x, 2.0));
}
static inline __host__ float cospif(float x)
{
	return (float)cos(M_PI * (double)fmodf(x, 2.0f));
}
static inline __host__ double cospi(double x)
{
	return cos(M_PI * fmod(x, 2.0));
}
#endif
static inline __host__ void sincospif(float x, float *s, float *c)
{
	*s = sinpif(x);
	*c = cospif(x);
}
static inline __host__ void sincospi(double x, double *s, double *c)
{
	*s = sinpi(x);
	*c = cospi(x);
}
static inline __host__ unsigned int umin(unsigned int a, unsigned int b)
{
	return a < b ? a : b;
}
static inline __host__ unsigned int umax(unsigned int a, unsigned int b)
{
	return a > b ? a : b;
}

static inline __host__ float rsqrt(float x)
{
	return rsqrtf(x);
}
static inline __host__ long long llmin(long long a, long long b)
{
	return a < b ? a : b;
}
static inline __host__ long long llmax(long long a, long long b)
{
	return a > b ? a : b;
}

#endif
