/* Launches and streams with attributes, pools, places of memory: functions of CUDA 11 to 13. */
#ifndef SLUICE_CUDA_LAUNCH_API_H
#define SLUICE_CUDA_LAUNCH_API_H

#define SLUICE_CALL SLUICE_API cudaError_t

SLUICE_CALL cudaLaunchKernelExC(const cudaLaunchConfig_t *config, const void *function, void **args);
SLUICE_CALL cudaStreamSetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   const cudaLaunchAttributeValue *value);
SLUICE_CALL cudaStreamGetAttribute(cudaStream_t stream, cudaLaunchAttributeID attribute,
                                   cudaLaunchAttributeValue *value);
SLUICE_CALL cudaStreamCopyAttributes(cudaStream_t to, cudaStream_t from);
SLUICE_CALL cudaStreamGetId(cudaStream_t stream, unsigned long long *id);
SLUICE_CALL cudaStreamGetDevice(cudaStream_t stream, int *device);
SLUICE_CALL cudaEventRecordWithFlags(cudaEvent_t event, cudaStream_t stream __dv(0),
                                     unsigned int flags __dv(0));

/* ---- kernels -------------------------------------------------------------------------------------------- */

SLUICE_CALL cudaFuncGetName(const char **name, const void *function);
SLUICE_CALL cudaFuncGetParamInfo(const void *function, size_t index, size_t *offset, size_t *bytes);
SLUICE_CALL cudaGetFuncBySymbol(cudaFunction_t *function, const void *symbol);
SLUICE_CALL cudaGetKernel(cudaKernel_t *kernel, const void *function);
SLUICE_CALL cudaOccupancyAvailableDynamicSMemPerBlock(size_t *bytes, const void *function, int blocks,
                                                      int threads);
SLUICE_CALL cudaOccupancyMaxPotentialClusterSize(int *size, const void *function,
                                                 const cudaLaunchConfig_t *config);
SLUICE_CALL cudaOccupancyMaxActiveClusters(int *clusters, const void *function,
                                           const cudaLaunchConfig_t *config);

/* ---- where managed memory should be --------------------------------------------------------------------- */

SLUICE_CALL cudaMemPrefetchAsync_v2(const void *address, size_t bytes, struct cudaMemLocation location,
                                    unsigned int flags, cudaStream_t stream);
SLUICE_CALL cudaMemAdvise_v2(const void *address, size_t bytes, enum cudaMemoryAdvise advice,
                             struct cudaMemLocation location);
SLUICE_CALL cudaMemRangeGetAttribute(void *data, size_t data_bytes, enum cudaMemRangeAttribute attribute,
                                     const void *address, size_t bytes);
SLUICE_CALL cudaMemRangeGetAttributes(void **data, size_t *data_bytes, enum cudaMemRangeAttribute *attributes,
                                      size_t count, const void *address, size_t bytes);
SLUICE_CALL cudaCtxResetPersistingL2Cache(void);
SLUICE_CALL cudaInitDevice(int device, unsigned int device_flags, unsigned int flags);

/* ---- other processes: the answers of a system with one GPU ------------------------------------------------ */

SLUICE_CALL cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event);
SLUICE_CALL cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle);
SLUICE_CALL cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *address);
SLUICE_CALL cudaIpcOpenMemHandle(void **address, cudaIpcMemHandle_t handle, unsigned int flags);
SLUICE_CALL cudaIpcCloseMemHandle(void *address);

/* ---- modules that a program loads ------------------------------------------------------------------------ */

SLUICE_CALL cudaLibraryLoadData(cudaLibrary_t *library, const void *code, enum cudaJitOption *jit_options,
                                void **jit_values, unsigned int jit_count, enum cudaLibraryOption *options,
                                void **values, unsigned int count);
SLUICE_CALL cudaLibraryLoadFromFile(cudaLibrary_t *library, const char *file, enum cudaJitOption *jit_options,
                                    void **jit_values, unsigned int jit_count,
                                    enum cudaLibraryOption *options, void **values, unsigned int count);
SLUICE_CALL cudaLibraryUnload(cudaLibrary_t library);
SLUICE_CALL cudaLibraryGetKernel(cudaKernel_t *kernel, cudaLibrary_t library, const char *name);
SLUICE_CALL cudaLibraryGetKernelCount(unsigned int *count, cudaLibrary_t library);
SLUICE_CALL cudaLibraryGetGlobal(void **address, size_t *bytes, cudaLibrary_t library, const char *name);
SLUICE_CALL cudaGetDriverEntryPoint(const char *name, void **function, unsigned long long flags,
                                    enum cudaDriverEntryPointQueryResult *status __dv(0));
SLUICE_CALL cudaGetDriverEntryPointByVersion(const char *name, void **function, unsigned int version,
                                             unsigned long long flags,
                                             enum cudaDriverEntryPointQueryResult *status __dv(0));

/* ---- surfaces ------------------------------------------------------------------------------------------- */

SLUICE_CALL cudaCreateSurfaceObject(cudaSurfaceObject_t *object, const struct cudaResourceDesc *resource);
SLUICE_CALL cudaDestroySurfaceObject(cudaSurfaceObject_t object);
SLUICE_CALL cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *resource, cudaSurfaceObject_t object);

/* ---- pools ---------------------------------------------------------------------------------------------- */

SLUICE_CALL cudaDeviceGetDefaultMemPool(cudaMemPool_t *pool, int device);
SLUICE_CALL cudaDeviceGetMemPool(cudaMemPool_t *pool, int device);
SLUICE_CALL cudaDeviceSetMemPool(int device, cudaMemPool_t pool);
SLUICE_CALL cudaMemPoolCreate(cudaMemPool_t *pool, const struct cudaMemPoolProps *props);
SLUICE_CALL cudaMemPoolDestroy(cudaMemPool_t pool);
SLUICE_CALL cudaMemPoolTrimTo(cudaMemPool_t pool, size_t keep);
SLUICE_CALL cudaMemPoolSetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
SLUICE_CALL cudaMemPoolGetAttribute(cudaMemPool_t pool, enum cudaMemPoolAttr attribute, void *value);
SLUICE_CALL cudaMemPoolSetAccess(cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count);
SLUICE_CALL cudaMemPoolGetAccess(enum cudaMemAccessFlags *flags, cudaMemPool_t pool,
                                 struct cudaMemLocation *location);
SLUICE_CALL cudaMallocFromPoolAsync(void **address, size_t bytes, cudaMemPool_t pool, cudaStream_t stream);

#undef SLUICE_CALL

#endif
