/*
 * min() and max() in the global namespace, on both sides, for every pair of
 * arithmetic types that CUDA lists. clang has the device ones of (int, int).
 */
#ifndef SLUICE_CUDA_MINMAX_H
#define SLUICE_CUDA_MINMAX_H

#define SLUICE_MINMAX(space, result, a_type, b_type)                                                         \
	static inline space result min(a_type a, b_type b)                                                   \
	{                                                                                                    \
		return (result)a < (result)b ? (result)a : (result)b;                                        \
	}                                                                                                    \
	static inline space result max(a_type a, b_type b)                                                   \
	{                                                                                                    \
		return (result)a > (result)b ? (result)a : (result)b;                                        \
	}
#define SLUICE_MINMAX_MIXED(result, other)                                                                   \
	SLUICE_MINMAX(__host__ __device__, result, result, result)                                           \
	SLUICE_MINMAX(__host__ __device__, result, result, other)                                            \
	SLUICE_MINMAX(__host__ __device__, result, other, result)

SLUICE_MINMAX(__host__, int, int, int)
SLUICE_MINMAX_MIXED(unsigned int, int)
SLUICE_MINMAX(__host__ __device__, long, long, long)
SLUICE_MINMAX_MIXED(unsigned long, long)
SLUICE_MINMAX(__host__ __device__, long long, long long, long long)
SLUICE_MINMAX_MIXED(unsigned long long, long long)

#undef SLUICE_MINMAX
#undef SLUICE_MINMAX_MIXED

/* A NaN loses against a number, as in fmin() and fmax(). */
#define SLUICE_MINMAX_FLOAT(result, a_type, b_type, suffix)                                                  \
	static inline __host__ __device__ result min(a_type a, b_type b)                                     \
	{                                                                                                    \
		return fmin##suffix((result)a, (result)b);                                                   \
	}                                                                                                    \
	static inline __host__ __device__ result max(a_type a, b_type b)                                     \
	{                                                                                                    \
		return fmax##suffix((result)a, (result)b);                                                   \
	}
SLUICE_MINMAX_FLOAT(float, float, float, f)
SLUICE_MINMAX_FLOAT(double, double, double, )
SLUICE_MINMAX_FLOAT(double, float, double, )
SLUICE_MINMAX_FLOAT(double, double, float, )
#undef SLUICE_MINMAX_FLOAT

#endif
