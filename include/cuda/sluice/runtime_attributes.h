/*
 * The C++ side of launches with attributes, of graphs and of managed memory's
 * hints: templates, and the parameter lists that earlier and later versions of
 * CUDA give to the same names.
 */
#ifndef SLUICE_CUDA_RUNTIME_ATTRIBUTES_H
#define SLUICE_CUDA_RUNTIME_ATTRIBUTES_H

#include "../cuda_runtime_api.h"

#define SLUICE_INLINE static inline __host__ cudaError_t

/* ---- kernels -------------------------------------------------------------------------------------------- */

#if __cplusplus >= 201103L
/* What is passed is converted to what the kernel takes, and pointed at. */
template <class... P>
__host__ cudaError_t sluice_launch_ex(const cudaLaunchConfig_t *config, void (*kernel)(P...), P... values)
{
	void *args[sizeof...(P) + 1] = {(void *)&values...};
	return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
}

template <class... P, class... A>
static inline __host__ cudaError_t cudaLaunchKernelEx(const cudaLaunchConfig_t *config, void (*kernel)(P...),
                                                      A &&...values)
{
	return sluice_launch_ex<P...>(config, kernel, static_cast<P>(static_cast<A &&>(values))...);
}
#endif

template <class T>
static inline __host__ cudaError_t cudaLaunchKernelExC(const cudaLaunchConfig_t *config, T *kernel,
                                                       void **args)
{
	return ::cudaLaunchKernelExC(config, (const void *)kernel, args);
}

template <class T>
SLUICE_INLINE cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, T *kernel, int blocks, int threads)
{
	return ::cudaOccupancyAvailableDynamicSMemPerBlock(bytes, (const void *)kernel, blocks, threads);
}

template <class T>
SLUICE_INLINE cudaOccupancyMaxPotentialClusterSize(int *size, T *kernel, const cudaLaunchConfig_t *config)
{
	return ::cudaOccupancyMaxPotentialClusterSize(size, (const void *)kernel, config);
}

template <class T>
SLUICE_INLINE cudaOccupancyMaxActiveClusters(int *clusters, T *kernel, const cudaLaunchConfig_t *config)
{
	return ::cudaOccupancyMaxActiveClusters(clusters, (const void *)kernel, config);
}

template <class T> SLUICE_INLINE cudaFuncGetName(const char **name, T *kernel)
{
	return ::cudaFuncGetName(name, (const void *)kernel);
}

template <class T> SLUICE_INLINE cudaGetFuncBySymbol(cudaFunction_t *function, T *kernel)
{
	return ::cudaGetFuncBySymbol(function, (const void *)kernel);
}

template <class T> SLUICE_INLINE cudaGetKernel(cudaKernel_t *handle, T *kernel)
{
	return ::cudaGetKernel(handle, (const void *)kernel);
}

/* ---- memory --------------------------------------------------------------------------------------------- */

SLUICE_INLINE cudaMallocAsync(void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync(address, bytes, pool, stream);
}

template <class T>
SLUICE_INLINE cudaMallocAsync(T **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)(void *)address, bytes, pool, stream);
}

template <class T>
SLUICE_INLINE cudaMallocFromPoolAsync(T **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream)
{
	return ::cudaMallocFromPoolAsync((void **)(void *)address, bytes, pool, stream);
}

SLUICE_INLINE cudaMemPrefetchAsync(const void *address, size_t bytes, cudaMemLocation location,
                                   unsigned int flags, cudaStream_t stream = 0)
{
	return ::cudaMemPrefetchAsync_v2(address, bytes, location, flags, stream);
}

SLUICE_INLINE cudaMemAdvise(const void *address, size_t bytes, cudaMemoryAdvise advice,
                            cudaMemLocation location)
{
	return ::cudaMemAdvise_v2(address, bytes, advice, location);
}

/* ---- graphs: symbols, and the lists of CUDA 10 to 12 ------------------------------------------------------ */

#define SLUICE_PLACE_GIVEN node, graph, dependencies, count

template <class T>
SLUICE_INLINE cudaGraphAddMemcpyNodeToSymbol(SLUICE_NODE_PLACE, const T &symbol, const void *from,
                                             size_t bytes, size_t offset, cudaMemcpyKind kind)
{
	return ::cudaGraphAddMemcpyNodeToSymbol(SLUICE_PLACE_GIVEN, (const void *)&symbol, from, bytes,
	                                        offset, kind);
}

template <class T>
SLUICE_INLINE cudaGraphAddMemcpyNodeFromSymbol(SLUICE_NODE_PLACE, void *to, const T &symbol, size_t bytes,
                                               size_t offset, cudaMemcpyKind kind)
{
	return ::cudaGraphAddMemcpyNodeFromSymbol(SLUICE_PLACE_GIVEN, to, (const void *)&symbol, bytes,
	                                          offset, kind);
}

SLUICE_INLINE cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                   char *log, size_t log_bytes)
{
	cudaError_t result = ::cudaGraphInstantiate(exec, graph, 0);
	if (error)
		*error = 0;
	if (log && log_bytes)
		*log = '\0';
	return result;
}

SLUICE_INLINE cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphNode_t *error,
                                  cudaGraphExecUpdateResult *what)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t result = ::cudaGraphExecUpdate(exec, graph, &info);
	if (error)
		*error = info.errorNode;
	if (what)
		*what = info.result;
	return result;
}

SLUICE_INLINE cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, size_t *count)
{
	return ::cudaGraphGetEdges(graph, from, to, 0, count);
}

SLUICE_INLINE cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
	return ::cudaGraphNodeGetDependencies(node, nodes, 0, count);
}

SLUICE_INLINE cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes, size_t *count)
{
	return ::cudaGraphNodeGetDependentNodes(node, nodes, 0, count);
}

SLUICE_INLINE cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                       const cudaGraphNode_t *to, size_t count)
{
	return ::cudaGraphAddDependencies(graph, from, to, 0, count);
}

SLUICE_INLINE cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                          const cudaGraphNode_t *to, size_t count)
{
	return ::cudaGraphRemoveDependencies(graph, from, to, 0, count);
}

SLUICE_INLINE cudaGraphAddNode(SLUICE_NODE_PLACE, cudaGraphNodeParams *params)
{
	return ::cudaGraphAddNode(node, graph, dependencies, 0, count, params);
}

SLUICE_INLINE cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                  size_t count, unsigned int flags = 0)
{
	return ::cudaStreamUpdateCaptureDependencies(stream, dependencies, 0, count, flags);
}

#undef SLUICE_PLACE_GIVEN
#undef SLUICE_INLINE

#endif
