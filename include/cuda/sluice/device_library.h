/*
 * Functions of the device library that are one PTX instruction, defined. A function
 * that is declared alone could hold a barrier for all that clang knows (every
 * function of a device is "convergent"), and a loop that calls one is not unrolled,
 * #pragma unroll or not, as nvcc unrolls it.
 */
#ifndef SLUICE_CUDA_DEVICE_LIBRARY_H
#define SLUICE_CUDA_DEVICE_LIBRARY_H

#define SLUICE_LIBRARY1(type, name, function)                                                                \
	__device__ inline __attribute__((always_inline)) type __nv_##name(type x)                            \
	{                                                                                                    \
		return function(x);                                                                          \
	}
#define SLUICE_LIBRARY2(type, name, function)                                                                \
	__device__ inline __attribute__((always_inline)) type __nv_##name(type x, type y)                    \
	{                                                                                                    \
		return function(x, y);                                                                       \
	}
#define SLUICE_LARGER(x, y) ((x) > (y) ? (x) : (y))
#define SLUICE_SMALLER(x, y) ((x) < (y) ? (x) : (y))

extern "C" {
SLUICE_LIBRARY2(float, fmaxf, __builtin_fmaxf)
SLUICE_LIBRARY2(float, fminf, __builtin_fminf)
SLUICE_LIBRARY2(double, fmax, __builtin_fmax)
SLUICE_LIBRARY2(double, fmin, __builtin_fmin)
SLUICE_LIBRARY1(float, fabsf, __builtin_fabsf)
SLUICE_LIBRARY1(double, fabs, __builtin_fabs)
SLUICE_LIBRARY1(float, floorf, __builtin_floorf)
SLUICE_LIBRARY1(float, ceilf, __builtin_ceilf)
SLUICE_LIBRARY1(float, truncf, __builtin_truncf)
SLUICE_LIBRARY1(float, rintf, __builtin_rintf)
SLUICE_LIBRARY1(double, floor, __builtin_floor)
SLUICE_LIBRARY1(double, ceil, __builtin_ceil)
SLUICE_LIBRARY1(double, trunc, __builtin_trunc)
SLUICE_LIBRARY1(double, rint, __builtin_rint)
SLUICE_LIBRARY1(float, exp2f, __nvvm_ex2_approx_f)
SLUICE_LIBRARY2(int, max, SLUICE_LARGER)
SLUICE_LIBRARY2(int, min, SLUICE_SMALLER)
SLUICE_LIBRARY2(unsigned int, umax, SLUICE_LARGER)
SLUICE_LIBRARY2(unsigned int, umin, SLUICE_SMALLER)
SLUICE_LIBRARY2(long long, llmax, SLUICE_LARGER)
SLUICE_LIBRARY2(long long, llmin, SLUICE_SMALLER)
SLUICE_LIBRARY2(unsigned long long, ullmax, SLUICE_LARGER)
SLUICE_LIBRARY2(unsigned long long, ullmin, SLUICE_SMALLER)

__device__ inline __attribute__((always_inline)) float __nv_fmaf(float x, float y, float z)
{
	return __builtin_fmaf(x, y, z);
}

__device__ inline __attribute__((always_inline)) double __nv_fma(double x, double y, double z)
{
	return __builtin_fma(x, y, z);
}
}

#undef SLUICE_LIBRARY1
#undef SLUICE_LIBRARY2
#undef SLUICE_LARGER
#undef SLUICE_SMALLER
#endif
