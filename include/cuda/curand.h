/* cuRAND from the host: generators that fill device memory. See curand_kernel.h for the generators themselves. */
#ifndef CURAND_H_
#define CURAND_H_

#include "cuda_runtime.h"
#include "library_types.h"

#define CURAND_VER_MAJOR 10
#define CURAND_VER_MINOR 3
#define CURAND_VER_PATCH 1
#define CURAND_VERSION 10301

typedef enum curandStatus {
	CURAND_STATUS_SUCCESS = 0,
	CURAND_STATUS_VERSION_MISMATCH = 100,
	CURAND_STATUS_NOT_INITIALIZED = 101,
	CURAND_STATUS_ALLOCATION_FAILED = 102,
	CURAND_STATUS_TYPE_ERROR = 103,
	CURAND_STATUS_OUT_OF_RANGE = 104,
	CURAND_STATUS_LENGTH_NOT_MULTIPLE = 105,
	CURAND_STATUS_DOUBLE_PRECISION_REQUIRED = 106,
	CURAND_STATUS_LAUNCH_FAILURE = 201,
	CURAND_STATUS_PREEXISTING_FAILURE = 202,
	CURAND_STATUS_INITIALIZATION_FAILED = 203,
	CURAND_STATUS_ARCH_MISMATCH = 204,
	CURAND_STATUS_INTERNAL_ERROR = 999
} curandStatus_t;

typedef enum curandRngType {
	CURAND_RNG_TEST = 0,
	CURAND_RNG_PSEUDO_DEFAULT = 100,
	CURAND_RNG_PSEUDO_XORWOW = 101,
	CURAND_RNG_PSEUDO_MRG32K3A = 121,
	CURAND_RNG_PSEUDO_MTGP32 = 141,
	CURAND_RNG_PSEUDO_MT19937 = 142,
	CURAND_RNG_PSEUDO_PHILOX4_32_10 = 161,
	CURAND_RNG_QUASI_DEFAULT = 200,
	CURAND_RNG_QUASI_SOBOL32 = 201
} curandRngType_t;

typedef enum curandOrdering {
	CURAND_ORDERING_PSEUDO_BEST = 100,
	CURAND_ORDERING_PSEUDO_DEFAULT = 101,
	CURAND_ORDERING_PSEUDO_SEEDED = 102,
	CURAND_ORDERING_PSEUDO_LEGACY = 103,
	CURAND_ORDERING_QUASI_DEFAULT = 201
} curandOrdering_t;

typedef struct curandGenerator_st *curandGenerator_t;

#if defined(__cplusplus)
extern "C" {
#endif

#define SLUICE_RAND __attribute__((visibility("default"))) curandStatus_t

SLUICE_RAND curandCreateGenerator(curandGenerator_t *generator, curandRngType_t type);
/* Numbers go to memory of the host; they are drawn on the device all the same. */
SLUICE_RAND curandCreateGeneratorHost(curandGenerator_t *generator, curandRngType_t type);
SLUICE_RAND curandDestroyGenerator(curandGenerator_t generator);
SLUICE_RAND curandGetVersion(int *version);
SLUICE_RAND curandSetStream(curandGenerator_t generator, cudaStream_t stream);
SLUICE_RAND curandSetPseudoRandomGeneratorSeed(curandGenerator_t generator, unsigned long long seed);
SLUICE_RAND curandSetGeneratorOffset(curandGenerator_t generator, unsigned long long offset);
SLUICE_RAND curandSetGeneratorOrdering(curandGenerator_t generator, curandOrdering_t order);
SLUICE_RAND curandGenerateSeeds(curandGenerator_t generator);
SLUICE_RAND curandGenerate(curandGenerator_t generator, unsigned int *out, size_t count);
SLUICE_RAND curandGenerateUniform(curandGenerator_t generator, float *out, size_t count);
SLUICE_RAND curandGenerateUniformDouble(curandGenerator_t generator, double *out, size_t count);
SLUICE_RAND curandGenerateNormal(curandGenerator_t generator, float *out, size_t count, float mean,
                                 float deviation);
SLUICE_RAND curandGenerateNormalDouble(curandGenerator_t generator, double *out, size_t count, double mean,
                                       double deviation);
SLUICE_RAND curandGenerateLogNormal(curandGenerator_t generator, float *out, size_t count, float mean,
                                    float deviation);
SLUICE_RAND curandGenerateLogNormalDouble(curandGenerator_t generator, double *out, size_t count, double mean,
                                          double deviation);
SLUICE_RAND curandGeneratePoisson(curandGenerator_t generator, unsigned int *out, size_t count,
                                  double lambda);

#undef SLUICE_RAND

#if defined(__cplusplus)
}
#endif

#endif
