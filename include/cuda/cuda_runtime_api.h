/*
 * The functions of the CUDA runtime, for C and C++. A function that the
 * runtime does not support returns cudaErrorNotSupported and says so once on
 * standard error; those of whole areas that are missing (graphs, external
 * memory) are not declared.
 */
#ifndef __CUDA_RUNTIME_API_H__
#define __CUDA_RUNTIME_API_H__

#define CUDART_VERSION 12000
#define __CUDART_API_VERSION CUDART_VERSION

#include "driver_types.h"
#include "texture_types.h"

/* Default arguments exist in C++ only. */
#if defined(__cplusplus)
#define __dv(value) = value
extern "C" {
#else
#define __dv(value)
#endif

/* On the device the runtime is not there, but headers that offer both sides mention a few of its functions. */
#if defined(SLUICE_API)
/* The runtime itself: its own declarations of what it exports. */
#elif defined(__CUDA__) && defined(__clang__)
#define SLUICE_API extern __host__
#else
#define SLUICE_API extern
#endif

/* ---- devices -------------------------------------------------------------------------------------------- */

SLUICE_API cudaError_t cudaDeviceReset(void);
SLUICE_API cudaError_t cudaDeviceSynchronize(void);
SLUICE_API cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value);
SLUICE_API cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit);
SLUICE_API cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config);
SLUICE_API cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config);
SLUICE_API cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config);
SLUICE_API cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config);
SLUICE_API cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest);
SLUICE_API cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *id);
SLUICE_API cudaError_t cudaDeviceGetPCIBusId(char *id, int length, int device);
SLUICE_API cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr attribute, int source,
                                                 int target);
SLUICE_API cudaError_t cudaGetDeviceCount(int *count);
SLUICE_API cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *properties, int device);
SLUICE_API cudaError_t cudaDeviceGetAttribute(int *value, enum cudaDeviceAttr attribute, int device);
SLUICE_API cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *properties);
SLUICE_API cudaError_t cudaSetDevice(int device);
SLUICE_API cudaError_t cudaGetDevice(int *device);
SLUICE_API cudaError_t cudaSetValidDevices(int *devices, int count);
SLUICE_API cudaError_t cudaSetDeviceFlags(unsigned int flags);
SLUICE_API cudaError_t cudaGetDeviceFlags(unsigned int *flags);
SLUICE_API cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer);
SLUICE_API cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned int flags);
SLUICE_API cudaError_t cudaDeviceDisablePeerAccess(int peer);
SLUICE_API cudaError_t cudaDriverGetVersion(int *version);
SLUICE_API cudaError_t cudaRuntimeGetVersion(int *version);

/* Of the first versions. */
SLUICE_API cudaError_t cudaThreadExit(void);
SLUICE_API cudaError_t cudaThreadSynchronize(void);
SLUICE_API cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value);
SLUICE_API cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit);
SLUICE_API cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config);
SLUICE_API cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config);

/* ---- errors --------------------------------------------------------------------------------------------- */

SLUICE_API cudaError_t cudaGetLastError(void);
SLUICE_API cudaError_t cudaPeekAtLastError(void);
SLUICE_API const char *cudaGetErrorName(cudaError_t error);
SLUICE_API const char *cudaGetErrorString(cudaError_t error);

/* ---- streams and events --------------------------------------------------------------------------------- */

SLUICE_API cudaError_t cudaStreamCreate(cudaStream_t *stream);
SLUICE_API cudaError_t cudaStreamCreateWithFlags(cudaStream_t *stream, unsigned int flags);
SLUICE_API cudaError_t cudaStreamCreateWithPriority(cudaStream_t *stream, unsigned int flags, int priority);
SLUICE_API cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority);
SLUICE_API cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned int *flags);
SLUICE_API cudaError_t cudaStreamDestroy(cudaStream_t stream);
SLUICE_API cudaError_t cudaStreamSynchronize(cudaStream_t stream);
SLUICE_API cudaError_t cudaStreamQuery(cudaStream_t stream);
SLUICE_API cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event,
                                           unsigned int flags __dv(0));
SLUICE_API cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                             unsigned int flags);
SLUICE_API cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user);
SLUICE_API cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *address, size_t bytes __dv(0),
                                                unsigned int flags __dv(cudaMemAttachSingle));
SLUICE_API cudaError_t cudaEventCreate(cudaEvent_t *event);
SLUICE_API cudaError_t cudaEventCreateWithFlags(cudaEvent_t *event, unsigned int flags);
SLUICE_API cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaEventQuery(cudaEvent_t event);
SLUICE_API cudaError_t cudaEventSynchronize(cudaEvent_t event);
SLUICE_API cudaError_t cudaEventDestroy(cudaEvent_t event);
SLUICE_API cudaError_t cudaEventElapsedTime(float *milliseconds, cudaEvent_t start, cudaEvent_t end);

/* ---- launches ------------------------------------------------------------------------------------------- */

SLUICE_API cudaError_t cudaLaunchKernel(const void *function, dim3 grid, dim3 block, void **args,
                                        size_t shared_bytes, cudaStream_t stream);
SLUICE_API cudaError_t cudaLaunchCooperativeKernel(const void *function, dim3 grid, dim3 block, void **args,
                                                   size_t shared_bytes, cudaStream_t stream);
SLUICE_API cudaError_t cudaFuncSetCacheConfig(const void *function, enum cudaFuncCache config);
SLUICE_API cudaError_t cudaFuncSetSharedMemConfig(const void *function, enum cudaSharedMemConfig config);
SLUICE_API cudaError_t cudaFuncGetAttributes(struct cudaFuncAttributes *attributes, const void *function);
SLUICE_API cudaError_t cudaFuncSetAttribute(const void *function, enum cudaFuncAttribute attribute,
                                            int value);
SLUICE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, const void *function,
                                                                     int threads, size_t shared_bytes);
SLUICE_API cudaError_t cudaOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(
    int *blocks, const void *function, int threads, size_t shared_bytes, unsigned int flags);
/* What clang makes of f<<<...>>>(). */
SLUICE_API unsigned int __cudaPushCallConfiguration(dim3 grid, dim3 block, size_t shared_bytes __dv(0),
                                                    void *stream __dv(0));
SLUICE_API cudaError_t __cudaPopCallConfiguration(dim3 *grid, dim3 *block, size_t *shared_bytes,
                                                  void *stream);

/* ---- memory --------------------------------------------------------------------------------------------- */

SLUICE_API cudaError_t cudaMalloc(void **address, size_t bytes);
SLUICE_API cudaError_t cudaMallocHost(void **address, size_t bytes);
SLUICE_API cudaError_t cudaMallocManaged(void **address, size_t bytes,
                                         unsigned int flags __dv(cudaMemAttachGlobal));
SLUICE_API cudaError_t cudaMallocPitch(void **address, size_t *pitch, size_t width, size_t height);
SLUICE_API cudaError_t cudaMalloc3D(struct cudaPitchedPtr *address, struct cudaExtent extent);
SLUICE_API cudaError_t cudaMallocAsync(void **address, size_t bytes, cudaStream_t stream);
SLUICE_API cudaError_t cudaMallocArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                       size_t width, size_t height __dv(0), unsigned int flags __dv(0));
SLUICE_API cudaError_t cudaMalloc3DArray(cudaArray_t *array, const struct cudaChannelFormatDesc *desc,
                                         struct cudaExtent extent, unsigned int flags __dv(0));
SLUICE_API cudaError_t cudaFree(void *address);
SLUICE_API cudaError_t cudaFreeAsync(void *address, cudaStream_t stream);
SLUICE_API cudaError_t cudaFreeHost(void *address);
SLUICE_API cudaError_t cudaFreeArray(cudaArray_t array);
SLUICE_API cudaError_t cudaHostAlloc(void **address, size_t bytes, unsigned int flags);
SLUICE_API cudaError_t cudaHostRegister(void *address, size_t bytes, unsigned int flags);
SLUICE_API cudaError_t cudaHostUnregister(void *address);
SLUICE_API cudaError_t cudaHostGetDevicePointer(void **device, void *host, unsigned int flags);
SLUICE_API cudaError_t cudaHostGetFlags(unsigned int *flags, void *host);
SLUICE_API cudaError_t cudaMemGetInfo(size_t *free_bytes, size_t *total_bytes);
SLUICE_API cudaError_t cudaArrayGetInfo(struct cudaChannelFormatDesc *desc, struct cudaExtent *extent,
                                        unsigned int *flags, cudaArray_t array);
SLUICE_API cudaError_t cudaPointerGetAttributes(struct cudaPointerAttributes *attributes,
                                                const void *address);
SLUICE_API cudaError_t cudaMemPrefetchAsync(const void *address, size_t bytes, int device,
                                            cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemAdvise(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
                                     int device);

SLUICE_API cudaError_t cudaMemcpy(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpyAsync(void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind,
                                       cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpyPeer(void *to, int to_device, const void *from, int from_device,
                                      size_t bytes);
SLUICE_API cudaError_t cudaMemcpyPeerAsync(void *to, int to_device, const void *from, int from_device,
                                           size_t bytes, cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpy2D(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                    size_t width, size_t height, enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpy2DAsync(void *to, size_t to_pitch, const void *from, size_t from_pitch,
                                         size_t width, size_t height, enum cudaMemcpyKind kind,
                                         cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *parameters);
SLUICE_API cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *parameters,
                                         cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *parameters);
SLUICE_API cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *parameters,
                                             cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpyToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t bytes,
                                         enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t from, size_t x, size_t y, size_t bytes,
                                           enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpy2DToArray(cudaArray_t to, size_t x, size_t y, const void *from, size_t pitch,
                                           size_t width, size_t height, enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t from, size_t x,
                                             size_t y, size_t width, size_t height, enum cudaMemcpyKind kind);
SLUICE_API cudaError_t cudaMemcpyArrayToArray(cudaArray_t to, size_t to_x, size_t to_y,
                                              cudaArray_const_t from, size_t from_x, size_t from_y,
                                              size_t bytes,
                                              enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToDevice));
SLUICE_API cudaError_t cudaMemcpyToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                              size_t bytes, enum cudaMemcpyKind kind,
                                              cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t to, size_t x, size_t y, const void *from,
                                                size_t pitch, size_t width, size_t height,
                                                enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemset(void *address, int value, size_t bytes);
SLUICE_API cudaError_t cudaMemsetAsync(void *address, int value, size_t bytes, cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemset2D(void *address, size_t pitch, int value, size_t width, size_t height);
SLUICE_API cudaError_t cudaMemset2DAsync(void *address, size_t pitch, int value, size_t width, size_t height,
                                         cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemset3D(struct cudaPitchedPtr address, int value, struct cudaExtent extent);
SLUICE_API cudaError_t cudaMemset3DAsync(struct cudaPitchedPtr address, int value, struct cudaExtent extent,
                                         cudaStream_t stream __dv(0));

/* Variables of the device: `symbol` is the address of the host's shadow or, as in old programs, the name. */
SLUICE_API cudaError_t cudaMemcpyToSymbol(const void *symbol, const void *from, size_t bytes,
                                          size_t offset __dv(0),
                                          enum cudaMemcpyKind kind __dv(cudaMemcpyHostToDevice));
SLUICE_API cudaError_t cudaMemcpyFromSymbol(void *to, const void *symbol, size_t bytes, size_t offset __dv(0),
                                            enum cudaMemcpyKind kind __dv(cudaMemcpyDeviceToHost));
SLUICE_API cudaError_t cudaMemcpyToSymbolAsync(const void *symbol, const void *from, size_t bytes,
                                               size_t offset, enum cudaMemcpyKind kind,
                                               cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaMemcpyFromSymbolAsync(void *to, const void *symbol, size_t bytes, size_t offset,
                                                 enum cudaMemcpyKind kind, cudaStream_t stream __dv(0));
SLUICE_API cudaError_t cudaGetSymbolAddress(void **address, const void *symbol);
SLUICE_API cudaError_t cudaGetSymbolSize(size_t *bytes, const void *symbol);

/* ---- textures ------------------------------------------------------------------------------------------- */

SLUICE_API struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w,
                                                              enum cudaChannelFormatKind kind);
SLUICE_API cudaError_t cudaGetChannelDesc(struct cudaChannelFormatDesc *desc, cudaArray_const_t array);
SLUICE_API cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *texture,
                                       const void *address, const struct cudaChannelFormatDesc *desc,
                                       size_t bytes __dv(UINT_MAX));
SLUICE_API cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *texture,
                                         const void *address, const struct cudaChannelFormatDesc *desc,
                                         size_t width, size_t height, size_t pitch);
SLUICE_API cudaError_t cudaBindTextureToArray(const struct textureReference *texture, cudaArray_const_t array,
                                              const struct cudaChannelFormatDesc *desc);
SLUICE_API cudaError_t cudaUnbindTexture(const struct textureReference *texture);
SLUICE_API cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *texture);
SLUICE_API cudaError_t cudaGetTextureReference(const struct textureReference **texture, const void *symbol);
SLUICE_API cudaError_t cudaCreateTextureObject(cudaTextureObject_t *object,
                                               const struct cudaResourceDesc *resource,
                                               const struct cudaTextureDesc *texture,
                                               const struct cudaResourceViewDesc *view);
SLUICE_API cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object);
SLUICE_API cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *resource,
                                                        cudaTextureObject_t object);
SLUICE_API cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *texture,
                                                       cudaTextureObject_t object);

#include "sluice/graph_api.h"
#include "sluice/launch_api.h"

/* ---- profiling ------------------------------------------------------------------------------------------ */

SLUICE_API cudaError_t cudaProfilerStart(void);
SLUICE_API cudaError_t cudaProfilerStop(void);

#if defined(__cplusplus)
}
#endif

#include "driver_functions.h"

#endif
