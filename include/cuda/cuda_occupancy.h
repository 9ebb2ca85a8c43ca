/*
 * The occupancy calculator that needs no device: how many blocks of a kernel
 * are resident in a multiprocessor, from the properties of the device and the
 * attributes of the kernel. Registers are given to warps in units of 256 and
 * shared memory in units of 128 bytes, as from compute capability 7.0 on.
 */
#ifndef __cuda_occupancy_h__
#define __cuda_occupancy_h__

#include <stdbool.h>
#include <stddef.h>

#include "driver_types.h"

#if defined(__cplusplus)
#define SLUICE_OCC static inline
#else
#define SLUICE_OCC static __inline__ __attribute__((unused))
#endif

typedef enum cudaOccError_enum {
	CUDA_OCC_SUCCESS = 0,
	CUDA_OCC_ERROR_INVALID_INPUT = 1,
	CUDA_OCC_ERROR_UNKNOWN_DEVICE = 2
} cudaOccError;

typedef enum cudaOccCacheConfig_enum {
	CACHE_PREFER_NONE = 0,
	CACHE_PREFER_SHARED = 1,
	CACHE_PREFER_L1 = 2,
	CACHE_PREFER_EQUAL = 3
} cudaOccCacheConfig;

typedef enum cudaOccPartitionedGCConfig_enum {
	PARTITIONED_GC_OFF,
	PARTITIONED_GC_ON,
	PARTITIONED_GC_ON_STRICT
} cudaOccPartitionedGCConfig;

typedef enum cudaOccLimitingFactors_enum {
	OCC_LIMIT_WARPS = 0x01,
	OCC_LIMIT_REGISTERS = 0x02,
	OCC_LIMIT_SHARED_MEMORY = 0x04,
	OCC_LIMIT_BLOCKS = 0x08
} cudaOccLimitingFactors;

typedef struct cudaOccDeviceProp {
	int computeMajor, computeMinor;
	int maxThreadsPerBlock, maxThreadsPerMultiprocessor;
	int regsPerBlock, regsPerMultiprocessor;
	int warpSize;
	size_t sharedMemPerBlock, sharedMemPerMultiprocessor;
	int numSms;
	size_t sharedMemPerBlockOptin, reservedSharedMemPerBlock;
#if defined(__cplusplus)
	cudaOccDeviceProp() = default;
	template <class Properties>
	cudaOccDeviceProp(const Properties &p)
	    : computeMajor(p.major), computeMinor(p.minor), maxThreadsPerBlock(p.maxThreadsPerBlock),
	      maxThreadsPerMultiprocessor(p.maxThreadsPerMultiProcessor), regsPerBlock(p.regsPerBlock),
	      regsPerMultiprocessor(p.regsPerMultiprocessor), warpSize(p.warpSize),
	      sharedMemPerBlock(p.sharedMemPerBlock),
	      sharedMemPerMultiprocessor(p.sharedMemPerMultiprocessor), numSms(p.multiProcessorCount),
	      sharedMemPerBlockOptin(p.sharedMemPerBlockOptin),
	      reservedSharedMemPerBlock(p.reservedSharedMemPerBlock)
	{
	}
#endif
} cudaOccDeviceProp;

typedef struct cudaOccFuncAttributes {
	int maxThreadsPerBlock, numRegs;
	size_t sharedSizeBytes;
	cudaOccPartitionedGCConfig partitionedGCConfig;
	int shmemLimitConfig;
	size_t maxDynamicSharedSizeBytes;
	int numBlockBarriers;
#if defined(__cplusplus)
	cudaOccFuncAttributes() = default;
	template <class Attributes>
	cudaOccFuncAttributes(const Attributes &a)
	    : maxThreadsPerBlock(a.maxThreadsPerBlock), numRegs(a.numRegs),
	      sharedSizeBytes(a.sharedSizeBytes), partitionedGCConfig(PARTITIONED_GC_OFF),
	      shmemLimitConfig(0), maxDynamicSharedSizeBytes((size_t)a.maxDynamicSharedSizeBytes),
	      numBlockBarriers(1)
	{
	}
#endif
} cudaOccFuncAttributes;

typedef struct cudaOccDeviceState {
	cudaOccCacheConfig cacheConfig;
	int carveoutConfig;
#if defined(__cplusplus)
	cudaOccDeviceState() : cacheConfig(CACHE_PREFER_NONE), carveoutConfig(-1)
	{
	}
#endif
} cudaOccDeviceState;

typedef struct cudaOccResult {
	int activeBlocksPerMultiprocessor;
	unsigned int limitingFactors;
	int blockLimitRegs, blockLimitSharedMem, blockLimitWarps, blockLimitBlocks, blockLimitBarriers;
	int allocatedRegistersPerBlock;
	size_t allocatedSharedMemPerBlock;
	cudaOccPartitionedGCConfig partitionedGCConfig;
} cudaOccResult;

SLUICE_OCC int sluice_occ_least(int a, int b)
{
	return a < b ? a : b;
}

SLUICE_OCC int sluice_occ_round(int value, int unit)
{
	return (value + unit - 1) / unit * unit;
}

/* Of a device of compute capability 8.6 or 8.9: half as many, or three quarters. */
SLUICE_OCC int sluice_occ_most_blocks(const cudaOccDeviceProp *device)
{
	if (device->computeMajor == 8 && device->computeMinor)
		return device->computeMinor == 9 ? 24 : 16;
	return device->computeMajor == 7 && device->computeMinor == 5 ? 16 : 32;
}

SLUICE_OCC cudaOccError cudaOccMaxActiveBlocksPerMultiprocessor(cudaOccResult *result,
                                                                const cudaOccDeviceProp *device,
                                                                const cudaOccFuncAttributes *function,
                                                                const cudaOccDeviceState *state,
                                                                int blockSize, size_t dynamicSmemSize)
{
	const int register_unit = 256, shared_unit = 128, schedulers = 4, none = 0x7fffffff;
	(void)state;
	if (!result || !device || !function || blockSize <= 0 || device->warpSize <= 0)
		return CUDA_OCC_ERROR_INVALID_INPUT;
	int warps = (blockSize + device->warpSize - 1) / device->warpSize;
	int registers = sluice_occ_round(function->numRegs * device->warpSize, register_unit);
	int shared = sluice_occ_round(
	    (int)(function->sharedSizeBytes + dynamicSmemSize + device->reservedSharedMemPerBlock),
	    shared_unit);
	int warps_by_registers =
	    registers ? device->regsPerMultiprocessor / schedulers / registers * schedulers : none;
	bool fits = blockSize <= device->maxThreadsPerBlock &&
	            (!function->maxThreadsPerBlock || blockSize <= function->maxThreadsPerBlock);
	result->blockLimitWarps = fits ? device->maxThreadsPerMultiprocessor / device->warpSize / warps : 0;
	result->blockLimitBlocks = sluice_occ_most_blocks(device);
	result->blockLimitRegs = registers ? warps_by_registers / warps : none;
	result->blockLimitSharedMem =
	    shared ? (int)(device->sharedMemPerMultiprocessor / (size_t)shared) : none;
	result->blockLimitBarriers = result->blockLimitBlocks;
	int blocks = sluice_occ_least(result->blockLimitWarps, result->blockLimitBlocks);
	blocks = sluice_occ_least(blocks, result->blockLimitRegs);
	blocks = sluice_occ_least(blocks, result->blockLimitSharedMem);
	result->limitingFactors = (blocks == result->blockLimitWarps ? OCC_LIMIT_WARPS : 0u) |
	                          (blocks == result->blockLimitRegs ? OCC_LIMIT_REGISTERS : 0u) |
	                          (blocks == result->blockLimitSharedMem ? OCC_LIMIT_SHARED_MEMORY : 0u) |
	                          (blocks == result->blockLimitBlocks ? OCC_LIMIT_BLOCKS : 0u);
	result->activeBlocksPerMultiprocessor = blocks;
	result->allocatedRegistersPerBlock = registers * warps;
	result->allocatedSharedMemPerBlock = (size_t)shared;
	result->partitionedGCConfig = PARTITIONED_GC_OFF;
	return CUDA_OCC_SUCCESS;
}

#undef SLUICE_OCC

#endif
