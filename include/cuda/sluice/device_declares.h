/*
 * The functions of the math library. Results are all that most of them have: they read and write no memory, and saying so
 * lets a loop that calls one keep its variables in registers, as with nvcc, which has their code at hand.
 */
#ifndef SLUICE_CUDA_DEVICE_DECLARES_H
#define SLUICE_CUDA_DEVICE_DECLARES_H

#ifdef SLUICE_CLANG_CODE
#include <__clang_cuda_libdevice_declares.h>
#else

/* Nor do they wait for other lanes, which clang has to think of what it does not see. */
#if __has_attribute(noconvergent)
#define SLUICE_NOT_CONVERGENT __attribute__((noconvergent))
#else
#define SLUICE_NOT_CONVERGENT
#endif

/* clang's header declares them all alike: those with pointers get other names there, and theirs below. */
#define __nv_fast_sincosf sluice_nv_fast_sincosf
#define __nv_frexp sluice_nv_frexp
#define __nv_frexpf sluice_nv_frexpf
#define __nv_modf sluice_nv_modf
#define __nv_modff sluice_nv_modff
#define __nv_norm sluice_nv_norm
#define __nv_normf sluice_nv_normf
#define __nv_remquo sluice_nv_remquo
#define __nv_remquof sluice_nv_remquof
#define __nv_rnorm sluice_nv_rnorm
#define __nv_rnormf sluice_nv_rnormf
#define __nv_sincos sluice_nv_sincos
#define __nv_sincosf sluice_nv_sincosf
#define __nv_sincospi sluice_nv_sincospi
#define __nv_sincospif sluice_nv_sincospif
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device)) __attribute__((const)) SLUICE_NOT_CONVERGENT
#include <__clang_cuda_libdevice_declares.h>
#pragma pop_macro("__device__")
#undef __nv_fast_sincosf
#undef __nv_frexp
#undef __nv_frexpf
#undef __nv_modf
#undef __nv_modff
#undef __nv_norm
#undef __nv_normf
#undef __nv_remquo
#undef __nv_remquof
#undef __nv_rnorm
#undef __nv_rnormf
#undef __nv_sincos
#undef __nv_sincosf
#undef __nv_sincospi
#undef __nv_sincospif

extern "C" {
__device__ void __nv_fast_sincosf(float x, float *sine, float *cosine);
__device__ double __nv_frexp(double x, int *exponent);
__device__ float __nv_frexpf(float x, int *exponent);
__device__ double __nv_modf(double x, double *whole);
__device__ float __nv_modff(float x, float *whole);
__device__ double __nv_norm(int count, const double *x);
__device__ float __nv_normf(int count, const float *x);
__device__ double __nv_remquo(double x, double y, int *quotient);
__device__ float __nv_remquof(float x, float y, int *quotient);
__device__ double __nv_rnorm(int count, const double *x);
__device__ float __nv_rnormf(int count, const float *x);
__device__ void __nv_sincos(double x, double *sine, double *cosine);
__device__ void __nv_sincosf(float x, float *sine, float *cosine);
__device__ void __nv_sincospi(double x, double *sine, double *cosine);
__device__ void __nv_sincospif(float x, float *sine, float *cosine);
}
#endif

#endif
