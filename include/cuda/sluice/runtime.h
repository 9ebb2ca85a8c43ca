/*
 * The C++ side of the runtime: overloads that take typed pointers, kernels,
 * symbols and texture<> variables, and hand over to the C functions.
 */
#ifndef SLUICE_CUDA_RUNTIME_H
#define SLUICE_CUDA_RUNTIME_H

#include <cstddef>

#include "../cuda_runtime_api.h"

/* ---- allocation ----------------------------------------------------------------------------------------- */

#define SLUICE_TEMPLATE template <class T> static inline __host__ cudaError_t

SLUICE_TEMPLATE cudaMalloc(T **address, size_t bytes)
{
	return ::cudaMalloc((void **)(void *)address, bytes);
}

SLUICE_TEMPLATE cudaMallocHost(T **address, size_t bytes, unsigned int flags = 0)
{
	return ::cudaHostAlloc((void **)(void *)address, bytes, flags);
}

SLUICE_TEMPLATE cudaHostAlloc(T **address, size_t bytes, unsigned int flags)
{
	return ::cudaHostAlloc((void **)(void *)address, bytes, flags);
}

SLUICE_TEMPLATE cudaHostGetDevicePointer(T **device, void *host, unsigned int flags)
{
	return ::cudaHostGetDevicePointer((void **)(void *)device, host, flags);
}

SLUICE_TEMPLATE cudaMallocManaged(T **address, size_t bytes, unsigned int flags = cudaMemAttachGlobal)
{
	return ::cudaMallocManaged((void **)(void *)address, bytes, flags);
}

SLUICE_TEMPLATE cudaMallocPitch(T **address, size_t *pitch, size_t width, size_t height)
{
	return ::cudaMallocPitch((void **)(void *)address, pitch, width, height);
}

SLUICE_TEMPLATE cudaMallocAsync(T **address, size_t bytes, cudaStream_t stream)
{
	return ::cudaMallocAsync((void **)(void *)address, bytes, stream);
}

SLUICE_TEMPLATE cudaStreamAttachMemAsync(cudaStream_t stream, T *address, size_t bytes = 0,
                                         unsigned int flags = cudaMemAttachSingle)
{
	return ::cudaStreamAttachMemAsync(stream, (void *)address, bytes, flags);
}

static inline __host__ cudaError_t cudaMallocHost(void **address, size_t bytes, unsigned int flags)
{
	return ::cudaHostAlloc(address, bytes, flags);
}

static inline __host__ cudaError_t cudaEventCreate(cudaEvent_t *event, unsigned int flags)
{
	return ::cudaEventCreateWithFlags(event, flags);
}

/* ---- symbols: a variable stands for its address; a text is a name, as in CUDA 4 --------------------------- */

SLUICE_TEMPLATE cudaMemcpyToSymbol(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                   cudaMemcpyKind kind = cudaMemcpyHostToDevice)
{
	return ::cudaMemcpyToSymbol((const void *)&symbol, from, bytes, offset, kind);
}

SLUICE_TEMPLATE cudaMemcpyFromSymbol(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                     cudaMemcpyKind kind = cudaMemcpyDeviceToHost)
{
	return ::cudaMemcpyFromSymbol(to, (const void *)&symbol, bytes, offset, kind);
}

SLUICE_TEMPLATE cudaMemcpyToSymbolAsync(const T &symbol, const void *from, size_t bytes, size_t offset = 0,
                                        cudaMemcpyKind kind = cudaMemcpyHostToDevice, cudaStream_t stream = 0)
{
	return ::cudaMemcpyToSymbolAsync((const void *)&symbol, from, bytes, offset, kind, stream);
}

SLUICE_TEMPLATE cudaMemcpyFromSymbolAsync(void *to, const T &symbol, size_t bytes, size_t offset = 0,
                                          cudaMemcpyKind kind = cudaMemcpyDeviceToHost,
                                          cudaStream_t stream = 0)
{
	return ::cudaMemcpyFromSymbolAsync(to, (const void *)&symbol, bytes, offset, kind, stream);
}

SLUICE_TEMPLATE cudaGetSymbolAddress(void **address, const T &symbol)
{
	return ::cudaGetSymbolAddress(address, (const void *)&symbol);
}

template <class P, class T>
static inline __host__ cudaError_t cudaGetSymbolAddress(P **address, const T &symbol)
{
	return ::cudaGetSymbolAddress((void **)(void *)address, (const void *)&symbol);
}

SLUICE_TEMPLATE cudaGetSymbolSize(size_t *bytes, const T &symbol)
{
	return ::cudaGetSymbolSize(bytes, (const void *)&symbol);
}

/* ---- kernels -------------------------------------------------------------------------------------------- */

SLUICE_TEMPLATE cudaLaunchKernel(T *function, dim3 grid, dim3 block, void **args, size_t shared_bytes = 0,
                                 cudaStream_t stream = 0)
{
	return ::cudaLaunchKernel((const void *)function, grid, block, args, shared_bytes, stream);
}

SLUICE_TEMPLATE cudaLaunchCooperativeKernel(T *function, dim3 grid, dim3 block, void **args,
                                            size_t shared_bytes = 0, cudaStream_t stream = 0)
{
	return ::cudaLaunchCooperativeKernel((const void *)function, grid, block, args, shared_bytes, stream);
}

SLUICE_TEMPLATE cudaFuncSetCacheConfig(T *function, cudaFuncCache config)
{
	return ::cudaFuncSetCacheConfig((const void *)function, config);
}

SLUICE_TEMPLATE cudaFuncSetSharedMemConfig(T *function, cudaSharedMemConfig config)
{
	return ::cudaFuncSetSharedMemConfig((const void *)function, config);
}

SLUICE_TEMPLATE cudaFuncGetAttributes(cudaFuncAttributes *attributes, T *function)
{
	return ::cudaFuncGetAttributes(attributes, (const void *)function);
}

SLUICE_TEMPLATE cudaFuncSetAttribute(T *function, cudaFuncAttribute attribute, int value)
{
	return ::cudaFuncSetAttribute((const void *)function, attribute, value);
}

SLUICE_TEMPLATE cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, T function, int threads,
                                                              size_t shared_bytes)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessor(blocks, (const void *)function, threads,
	                                                       shared_bytes);
}

SLUICE_TEMPLATE cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, T function, int threads,
                                                                       size_t shared_bytes,
                                                                       unsigned int flags)
{
	return ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(blocks, (const void *)function,
	                                                                threads, shared_bytes, flags);
}

/* The largest number of resident threads, and of those the largest block; `shared` tells the bytes of a block. */
template <class S, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(
    int *grid, int *block, T function, S shared, int limit = 0, unsigned int flags = 0)
{
	int device, sms, best = 0;
	cudaFuncAttributes attributes;
	cudaError_t error = ::cudaGetDevice(&device);
	if (!error)
		error = ::cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, device);
	if (!error)
		error = ::cudaFuncGetAttributes(&attributes, (const void *)function);
	if (error)
		return error;
	int most = attributes.maxThreadsPerBlock;
	if (limit > 0 && limit < most)
		most = limit;
	*grid = *block = 0;
	for (int threads = (most + 31) / 32 * 32; threads > 0; threads -= 32) {
		int size = threads < most ? threads : most, blocks;
		error = ::cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
		    &blocks, (const void *)function, size, (size_t)shared(size), flags);
		if (error)
			return error;
		if (blocks * size > best) {
			best = blocks * size;
			*block = size;
			*grid = blocks * sms;
		}
	}
	return cudaSuccess;
}

template <class S, class T>
static inline __host__ cudaError_t cudaOccupancyMaxPotentialBlockSizeVariableSMem(int *grid, int *block,
                                                                                  T function, S shared,
                                                                                  int limit = 0)
{
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, shared, limit);
}

struct sluice_constant_bytes {
	size_t bytes;
	size_t operator()(int) const
	{
		return bytes;
	}
};

SLUICE_TEMPLATE cudaOccupancyMaxPotentialBlockSize(int *grid, int *block, T function, size_t shared_bytes = 0,
                                                   int limit = 0)
{
	sluice_constant_bytes shared = {shared_bytes};
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, shared, limit);
}

SLUICE_TEMPLATE cudaOccupancyMaxPotentialBlockSizeWithFlags(int *grid, int *block, T function,
                                                            size_t shared_bytes = 0, int limit = 0,
                                                            unsigned int flags = 0)
{
	sluice_constant_bytes shared = {shared_bytes};
	return cudaOccupancyMaxPotentialBlockSizeVariableSMemWithFlags(grid, block, function, shared, limit,
	                                                               flags);
}

#undef SLUICE_TEMPLATE

#endif
