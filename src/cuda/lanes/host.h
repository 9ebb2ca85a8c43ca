/*
 * Arrays of fma and sqrt by the host's vector instructions.
 *
 * Compilers take these two for library calls with side effects under -frounding-math
 * and -fmath-errno and leave them scalar; both round as the host's mode says. Elsewhere
 * than on x86 plain loops do.
 */
#ifndef SLUICE_CUDA_LANES_HOST_H
#define SLUICE_CUDA_LANES_HOST_H

#include "cuda/lanes/loop.h"

#if defined(__x86_64__)
#include <immintrin.h>

/* `count` is a multiple of 8; the result may be one of the sources. */
#define LANE_DEFINE_FMA(T, element, step, load, store, fma)                                                  \
	LANE_WIDE LANE_INLINE void lane_fma_##T(element *r, const element *p, const element *q,              \
	                                        const element *s, unsigned count)                            \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i += step)                                                   \
			store(r + i, fma(load(p + i), load(q + i), load(s + i)));                            \
	}
LANE_DEFINE_FMA(f32, float, 8, _mm256_loadu_ps, _mm256_storeu_ps, _mm256_fmadd_ps)
LANE_DEFINE_FMA(f64, double, 4, _mm256_loadu_pd, _mm256_storeu_pd, _mm256_fmadd_pd)

#define LANE_DEFINE_SQRT(T, element, step, load, store, sqrt)                                                \
	LANE_INLINE void lane_sqrt_##T(element *r, const element *p, unsigned count)                         \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i += step)                                                   \
			store(r + i, sqrt(load(p + i)));                                                     \
	}
LANE_DEFINE_SQRT(f32, float, 4, _mm_loadu_ps, _mm_storeu_ps, _mm_sqrt_ps)
LANE_DEFINE_SQRT(f64, double, 2, _mm_loadu_pd, _mm_storeu_pd, _mm_sqrt_pd)
#else
#define LANE_DEFINE_FMA(T, element, fma)                                                                     \
	LANE_INLINE void lane_fma_##T(element *r, const element *p, const element *q, const element *s,      \
	                              unsigned count)                                                        \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++)                                                         \
			r[i] = fma(p[i], q[i], s[i]);                                                        \
	}
LANE_DEFINE_FMA(f32, float, __builtin_fmaf)
LANE_DEFINE_FMA(f64, double, __builtin_fma)

#define LANE_DEFINE_SQRT(T, element, sqrt)                                                                   \
	LANE_INLINE void lane_sqrt_##T(element *r, const element *p, unsigned count)                         \
	{                                                                                                    \
		for (unsigned i = 0; i < count; i++)                                                         \
			r[i] = sqrt(p[i]);                                                                   \
	}
LANE_DEFINE_SQRT(f32, float, __builtin_sqrtf)
LANE_DEFINE_SQRT(f64, double, __builtin_sqrt)
#endif

#endif
