/* Functions of the driver API. The library has those with a later version under that name, too (cuMemAlloc_v2). */
#ifndef SLUICE_CUDA_DRIVER_API_H
#define SLUICE_CUDA_DRIVER_API_H

#if defined(__cplusplus)
extern "C" {
#endif
#ifdef SLUICE_API /* the runtime itself */
#define SLUICE_CU SLUICE_API CUresult
#else
#define SLUICE_CU extern CUresult
#endif

/* ---- start, devices, errors ------------------------------------------------------------------------------- */

SLUICE_CU cuInit(unsigned int flags);
SLUICE_CU cuDriverGetVersion(int *version);
SLUICE_CU cuDeviceGet(CUdevice *device, int ordinal);
SLUICE_CU cuDeviceGetCount(int *count);
SLUICE_CU cuDeviceGetName(char *name, int length, CUdevice device);
SLUICE_CU cuDeviceGetUuid(CUuuid *uuid, CUdevice device);
SLUICE_CU cuDeviceTotalMem(size_t *bytes, CUdevice device);
SLUICE_CU cuDeviceGetAttribute(int *value, CUdevice_attribute attribute, CUdevice device);
SLUICE_CU cuDeviceComputeCapability(int *major, int *minor, CUdevice device);
SLUICE_CU cuDeviceGetPCIBusId(char *id, int length, CUdevice device);
SLUICE_CU cuDeviceGetByPCIBusId(CUdevice *device, const char *id);
SLUICE_CU cuDeviceCanAccessPeer(int *can, CUdevice device, CUdevice peer);
SLUICE_CU cuDeviceGetProperties(CUdevprop *properties, CUdevice device);
SLUICE_CU cuGetErrorName(CUresult error, const char **name);
SLUICE_CU cuGetErrorString(CUresult error, const char **text);

/* ---- contexts --------------------------------------------------------------------------------------------- */

SLUICE_CU cuCtxCreate(CUcontext *context, unsigned int flags, CUdevice device);
SLUICE_CU cuCtxCreate_v2(CUcontext *context, unsigned int flags, CUdevice device);
SLUICE_CU cuCtxCreate_v4(CUcontext *context, CUctxCreateParams *parameters, unsigned int flags,
                         CUdevice device);
SLUICE_CU cuCtxDestroy(CUcontext context);
SLUICE_CU cuCtxPushCurrent(CUcontext context);
SLUICE_CU cuCtxPopCurrent(CUcontext *context);
SLUICE_CU cuCtxSetCurrent(CUcontext context);
SLUICE_CU cuCtxGetCurrent(CUcontext *context);
SLUICE_CU cuCtxGetDevice(CUdevice *device);
SLUICE_CU cuCtxGetFlags(unsigned int *flags);
SLUICE_CU cuCtxGetApiVersion(CUcontext context, unsigned int *version);
SLUICE_CU cuCtxSynchronize(void);
SLUICE_CU cuCtxSetLimit(CUlimit limit, size_t value);
SLUICE_CU cuCtxGetLimit(size_t *value, CUlimit limit);
SLUICE_CU cuCtxSetCacheConfig(CUfunc_cache config);
SLUICE_CU cuCtxGetCacheConfig(CUfunc_cache *config);
SLUICE_CU cuCtxGetStreamPriorityRange(int *least, int *greatest);
SLUICE_CU cuDevicePrimaryCtxRetain(CUcontext *context, CUdevice device);
SLUICE_CU cuDevicePrimaryCtxRelease(CUdevice device);
SLUICE_CU cuDevicePrimaryCtxReset(CUdevice device);
SLUICE_CU cuDevicePrimaryCtxGetState(CUdevice device, unsigned int *flags, int *is_active);
SLUICE_CU cuDevicePrimaryCtxSetFlags(CUdevice device, unsigned int flags);

/* ---- modules ---------------------------------------------------------------------------------------------- */

SLUICE_CU cuModuleLoad(CUmodule *module, const char *file);
SLUICE_CU cuModuleLoadData(CUmodule *module, const void *image);
SLUICE_CU cuModuleLoadDataEx(CUmodule *module, const void *image, unsigned int count, CUjit_option *options,
                             void **values);
SLUICE_CU cuModuleLoadFatBinary(CUmodule *module, const void *image);
SLUICE_CU cuModuleUnload(CUmodule module);
SLUICE_CU cuModuleGetFunction(CUfunction *function, CUmodule module, const char *name);
SLUICE_CU cuModuleGetFunctionCount(unsigned int *count, CUmodule module);
SLUICE_CU cuModuleEnumerateFunctions(CUfunction *functions, unsigned int count, CUmodule module);
SLUICE_CU cuModuleGetGlobal(CUdeviceptr *address, size_t *bytes, CUmodule module, const char *name);
SLUICE_CU cuLinkCreate(unsigned int count, CUjit_option *options, void **values, CUlinkState *state);
SLUICE_CU cuLinkAddData(CUlinkState state, CUjitInputType type, void *data, size_t bytes, const char *name,
                        unsigned int count, CUjit_option *options, void **values);
SLUICE_CU cuLinkAddFile(CUlinkState state, CUjitInputType type, const char *path, unsigned int count,
                        CUjit_option *options, void **values);
SLUICE_CU cuLinkComplete(CUlinkState state, void **image, size_t *bytes);
SLUICE_CU cuLinkDestroy(CUlinkState state);

/* ---- functions -------------------------------------------------------------------------------------------- */

SLUICE_CU cuLaunchKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y, unsigned int grid_z,
                         unsigned int block_x, unsigned int block_y, unsigned int block_z,
                         unsigned int shared_bytes, CUstream stream, void **args, void **extra);
SLUICE_CU cuLaunchCooperativeKernel(CUfunction function, unsigned int grid_x, unsigned int grid_y,
                                    unsigned int grid_z, unsigned int block_x, unsigned int block_y,
                                    unsigned int block_z, unsigned int shared_bytes, CUstream stream,
                                    void **args);
SLUICE_CU cuLaunchHostFunc(CUstream stream, CUhostFn function, void *user);
SLUICE_CU cuFuncGetAttribute(int *value, CUfunction_attribute attribute, CUfunction function);
SLUICE_CU cuFuncSetAttribute(CUfunction function, CUfunction_attribute attribute, int value);
SLUICE_CU cuFuncSetCacheConfig(CUfunction function, CUfunc_cache config);
SLUICE_CU cuFuncSetSharedMemConfig(CUfunction function, CUsharedconfig config);
SLUICE_CU cuFuncGetModule(CUmodule *module, CUfunction function);
SLUICE_CU cuFuncGetName(const char **name, CUfunction function);
SLUICE_CU cuFuncGetParamInfo(CUfunction function, size_t index, size_t *offset, size_t *bytes);
SLUICE_CU cuOccupancyMaxActiveBlocksPerMultiprocessor(int *blocks, CUfunction function, int threads,
                                                      size_t shared_bytes);
SLUICE_CU cuOccupancyMaxActiveBlocksPerMultiprocessorWithFlags(int *blocks, CUfunction function, int threads,
                                                               size_t shared_bytes, unsigned int flags);
SLUICE_CU cuOccupancyMaxPotentialBlockSize(int *grid, int *block, CUfunction function,
                                           CUoccupancyB2DSize shared, size_t shared_bytes, int limit);

/* ---- tensor maps ------------------------------------------------------------------------------------------ */

SLUICE_CU cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                 const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                 const cuuint32_t *each, CUtensorMapInterleave interleave,
                                 CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                 CUtensorMapFloatOOBfill fill);
SLUICE_CU cuTensorMapReplaceAddress(CUtensorMap *map, void *address);

/* ---- memory ----------------------------------------------------------------------------------------------- */

SLUICE_CU cuMemGetInfo(size_t *free_bytes, size_t *total_bytes);
SLUICE_CU cuMemAlloc(CUdeviceptr *address, size_t bytes);
SLUICE_CU cuMemAllocPitch(CUdeviceptr *address, size_t *pitch, size_t width, size_t height,
                          unsigned int element_bytes);
SLUICE_CU cuMemAllocManaged(CUdeviceptr *address, size_t bytes, unsigned int flags);
SLUICE_CU cuMemAllocAsync(CUdeviceptr *address, size_t bytes, CUstream stream);
SLUICE_CU cuMemFree(CUdeviceptr address);
SLUICE_CU cuMemFreeAsync(CUdeviceptr address, CUstream stream);
SLUICE_CU cuMemAllocHost(void **address, size_t bytes);
SLUICE_CU cuMemHostAlloc(void **address, size_t bytes, unsigned int flags);
SLUICE_CU cuMemFreeHost(void *address);
SLUICE_CU cuMemHostRegister(void *address, size_t bytes, unsigned int flags);
SLUICE_CU cuMemHostUnregister(void *address);
SLUICE_CU cuMemHostGetDevicePointer(CUdeviceptr *device, void *host, unsigned int flags);
SLUICE_CU cuMemGetAddressRange(CUdeviceptr *base, size_t *bytes, CUdeviceptr address);
SLUICE_CU cuPointerGetAttribute(void *data, CUpointer_attribute attribute, CUdeviceptr address);
SLUICE_CU cuMemcpy(CUdeviceptr to, CUdeviceptr from, size_t bytes);
SLUICE_CU cuMemcpyAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
SLUICE_CU cuMemcpyHtoD(CUdeviceptr to, const void *from, size_t bytes);
SLUICE_CU cuMemcpyDtoH(void *to, CUdeviceptr from, size_t bytes);
SLUICE_CU cuMemcpyDtoD(CUdeviceptr to, CUdeviceptr from, size_t bytes);
SLUICE_CU cuMemcpyHtoDAsync(CUdeviceptr to, const void *from, size_t bytes, CUstream stream);
SLUICE_CU cuMemcpyDtoHAsync(void *to, CUdeviceptr from, size_t bytes, CUstream stream);
SLUICE_CU cuMemcpyDtoDAsync(CUdeviceptr to, CUdeviceptr from, size_t bytes, CUstream stream);
SLUICE_CU cuMemcpy2D(const CUDA_MEMCPY2D *copy);
SLUICE_CU cuMemcpy2DUnaligned(const CUDA_MEMCPY2D *copy);
SLUICE_CU cuMemcpy2DAsync(const CUDA_MEMCPY2D *copy, CUstream stream);
SLUICE_CU cuMemsetD8(CUdeviceptr address, unsigned char value, size_t count);
SLUICE_CU cuMemsetD16(CUdeviceptr address, unsigned short value, size_t count);
SLUICE_CU cuMemsetD32(CUdeviceptr address, unsigned int value, size_t count);
SLUICE_CU cuMemsetD8Async(CUdeviceptr address, unsigned char value, size_t count, CUstream stream);
SLUICE_CU cuMemsetD16Async(CUdeviceptr address, unsigned short value, size_t count, CUstream stream);
SLUICE_CU cuMemsetD32Async(CUdeviceptr address, unsigned int value, size_t count, CUstream stream);

/* ---- virtual memory ----------------------------------------------------------------------------------------- */

SLUICE_CU cuMemAddressReserve(CUdeviceptr *address, size_t bytes, size_t alignment, CUdeviceptr wish,
                              unsigned long long flags);
SLUICE_CU cuMemAddressFree(CUdeviceptr address, size_t bytes);
SLUICE_CU cuMemCreate(CUmemGenericAllocationHandle *handle, size_t bytes,
                      const CUmemAllocationProp *properties, unsigned long long flags);
SLUICE_CU cuMemRelease(CUmemGenericAllocationHandle handle);
SLUICE_CU cuMemMap(CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
                   unsigned long long flags);
SLUICE_CU cuMemUnmap(CUdeviceptr address, size_t bytes);
SLUICE_CU cuMemSetAccess(CUdeviceptr address, size_t bytes, const CUmemAccessDesc *desc, size_t count);
SLUICE_CU cuMemGetAccess(unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address);
SLUICE_CU cuMemGetAllocationGranularity(size_t *bytes, const CUmemAllocationProp *properties,
                                        CUmemAllocationGranularity_flags option);
SLUICE_CU cuMemGetAllocationPropertiesFromHandle(CUmemAllocationProp *properties,
                                                 CUmemGenericAllocationHandle handle);
SLUICE_CU cuMemRetainAllocationHandle(CUmemGenericAllocationHandle *handle, void *address);
SLUICE_CU cuMemExportToShareableHandle(void *shared, CUmemGenericAllocationHandle handle,
                                       CUmemAllocationHandleType type, unsigned long long flags);
SLUICE_CU cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *handle, void *shared,
                                         CUmemAllocationHandleType type);

/* ---- arrays and textures ------------------------------------------------------------------------------------- */

SLUICE_CU cuArrayCreate(CUarray *array, const CUDA_ARRAY_DESCRIPTOR *descriptor);
SLUICE_CU cuArrayGetDescriptor(CUDA_ARRAY_DESCRIPTOR *descriptor, CUarray array);
SLUICE_CU cuArray3DCreate(CUarray *array, const CUDA_ARRAY3D_DESCRIPTOR *descriptor);
SLUICE_CU cuArray3DGetDescriptor(CUDA_ARRAY3D_DESCRIPTOR *descriptor, CUarray array);
SLUICE_CU cuArrayDestroy(CUarray array);
SLUICE_CU cuMemcpyHtoA(CUarray to, size_t offset, const void *from, size_t bytes);
SLUICE_CU cuMemcpyAtoH(void *to, CUarray from, size_t offset, size_t bytes);
SLUICE_CU cuMemcpyDtoA(CUarray to, size_t offset, CUdeviceptr from, size_t bytes);
SLUICE_CU cuMemcpyAtoD(CUdeviceptr to, CUarray from, size_t offset, size_t bytes);
SLUICE_CU cuTexObjectCreate(CUtexObject *object, const CUDA_RESOURCE_DESC *resource,
                            const CUDA_TEXTURE_DESC *texture, const CUDA_RESOURCE_VIEW_DESC *view);
SLUICE_CU cuTexObjectDestroy(CUtexObject object);

/* ---- streams and events ------------------------------------------------------------------------------------ */

SLUICE_CU cuStreamCreate(CUstream *stream, unsigned int flags);
SLUICE_CU cuStreamCreateWithPriority(CUstream *stream, unsigned int flags, int priority);
SLUICE_CU cuStreamDestroy(CUstream stream);
SLUICE_CU cuStreamSynchronize(CUstream stream);
SLUICE_CU cuStreamQuery(CUstream stream);
SLUICE_CU cuStreamWaitEvent(CUstream stream, CUevent event, unsigned int flags);
SLUICE_CU cuStreamAddCallback(CUstream stream, CUstreamCallback callback, void *user, unsigned int flags);
SLUICE_CU cuStreamGetFlags(CUstream stream, unsigned int *flags);
SLUICE_CU cuStreamGetPriority(CUstream stream, int *priority);
SLUICE_CU cuEventCreate(CUevent *event, unsigned int flags);
SLUICE_CU cuEventDestroy(CUevent event);
SLUICE_CU cuEventRecord(CUevent event, CUstream stream);
SLUICE_CU cuEventSynchronize(CUevent event);
SLUICE_CU cuEventQuery(CUevent event);
SLUICE_CU cuEventElapsedTime(float *milliseconds, CUevent start, CUevent end);
SLUICE_CU cuProfilerStart(void);
SLUICE_CU cuProfilerStop(void);

#undef SLUICE_CU
#if defined(__cplusplus)
}
#endif

#endif
