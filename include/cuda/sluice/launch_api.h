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
