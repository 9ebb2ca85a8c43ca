/*
 * cuRAND in kernels: XORWOW, Philox 4x32-10 and MRG32k3a with seeds,
 * subsequences and offsets as cuRAND documents them; integers, uniform, normal,
 * log-normal and Poisson numbers. Quasi-random and Mersenne Twister generators
 * are left out.
 */
#ifndef CURAND_KERNEL_H_
#define CURAND_KERNEL_H_

#include "curand.h"

#if defined(__CUDA__) && defined(__clang__)

#define QUALIFIERS static __forceinline__ __device__

#include "sluice/curand_xorwow.h"

#include "sluice/curand_philox.h"

#include "sluice/curand_mrg.h"

#include "sluice/curand_distributions.h"

#endif
#endif
