/*
 * The device, number 0, which cannot reach others: its properties and attributes from the machine file, its settings and
 * limits. What a machine file does not say (texture sizes, grid limits) is as on GPUs of compute capability 7.0 and later.
 * A machine older than what the program was compiled for reports what the program needs: papers simulate such machines.
 */
#include <stdio.h>
#include <string.h>

#include "cudart/calls.h"
#include "cudart/state.h"

#include <cuda_runtime_api.h>

/* ---- properties and attributes ------------------------------------------------------------------------------- */

static void fill_core(struct cudaDeviceProp *p, const struct machine *m, uint32_t target)
{
	static const size_t default_shared = 48 * 1024;
	uint32_t usable =
	    m->smem_bytes - (m->smem_bytes > m->smem_reserved_per_cta ? m->smem_reserved_per_cta : 0);
	p->sharedMemPerBlockOptin = usable;
	p->sharedMemPerBlock = usable < default_shared ? usable : default_shared;
	p->sharedMemPerMultiprocessor = m->smem_bytes;
	p->reservedSharedMemPerBlock = m->smem_reserved_per_cta;
	p->regsPerMultiprocessor = (int)m->sm_registers;
	p->regsPerBlock = m->sm_registers < 65536 ? (int)m->sm_registers : 65536;
	p->warpSize = (int)m->sm_warp_size;
	p->multiProcessorCount = (int)m->sm_count;
	p->maxThreadsPerMultiProcessor = (int)m->sm_threads;
	p->maxBlocksPerMultiProcessor = (int)m->sm_ctas;
	p->maxThreadsPerBlock = m->sm_threads < 1024 ? (int)m->sm_threads : 1024;
	p->clockRate = (int)(m->clock_core_mhz * 1000);
	uint32_t capability = m->sm_compute_capability > target ? m->sm_compute_capability : target;
	p->major = (int)(capability / 10);
	p->minor = (int)(capability % 10);
}

static void fill_memory(struct cudaDeviceProp *p, const struct machine *m)
{
	p->totalGlobalMem = (size_t)m->dram_capacity_mib << 20;
	p->totalConstMem = 64 * 1024;
	p->memPitch = INT32_MAX;
	p->memoryClockRate = (int)(m->clock_dram_mhz * 1000);
	/* A clock moves data on both edges. */
	p->memoryBusWidth = (int)(m->dram_channels * m->dram_bus_bytes_per_clock * 8 / 2);
	p->l2CacheSize =
	    (int)(m->dram_channels * m->l2_slices_per_channel * m->l2_sets * m->l2_ways * m->l2_line_bytes);
	p->globalL1CacheSupported = m->l1d_enabled != 0;
	p->localL1CacheSupported = 1;
	p->unifiedAddressing = 1;
	p->managedMemory = 1;
	p->concurrentManagedAccess = 1;
	p->canMapHostMemory = 1;
	p->canUseHostPointerForRegisteredMem = 1;
}

static void set(int *out, unsigned count, const int *values)
{
	memcpy(out, values, count * sizeof *out);
}

static void fill_textures(struct cudaDeviceProp *p)
{
	p->textureAlignment = 512;
	p->texturePitchAlignment = 32;
	p->surfaceAlignment = 512;
	p->maxTexture1D = 131072;
	p->maxTexture1DLinear = 1 << 28;
	set(p->maxTexture2D, 2, (const int[]){131072, 65536});
	set(p->maxTexture2DLinear, 3, (const int[]){131072, 65000, 2097120});
	set(p->maxTexture3D, 3, (const int[]){16384, 16384, 16384});
	set(p->maxTexture3DAlt, 3, (const int[]){8192, 8192, 32768});
	set(p->maxTexture2DGather, 2, (const int[]){32768, 32768});
	set(p->maxTexture1DLayered, 2, (const int[]){32768, 2048});
	set(p->maxTexture2DLayered, 3, (const int[]){32768, 32768, 2048});
	p->maxTextureCubemap = 32768;
	set(p->maxTextureCubemapLayered, 2, (const int[]){32768, 2046});
	p->maxSurface1D = 32768;
	set(p->maxSurface2D, 2, (const int[]){131072, 65536});
	set(p->maxSurface3D, 3, (const int[]){16384, 16384, 16384});
	set(p->maxSurface1DLayered, 2, (const int[]){32768, 2048});
	set(p->maxSurface2DLayered, 3, (const int[]){32768, 32768, 2048});
	p->maxSurfaceCubemap = 32768;
	set(p->maxSurfaceCubemapLayered, 2, (const int[]){32768, 2046});
}

/* "NVIDIA H200 (GH100, 132 SMs, HBM3e)" is the NVIDIA H200: a title's remarks are not part of the name. */
static void fill_name(struct cudaDeviceProp *p, const struct machine *m)
{
	const char *remark = strstr(m->title, " (");
	size_t length = remark ? (size_t)(remark - m->title) : strlen(m->title);
	snprintf(p->name, sizeof p->name, "%.*s", (int)length, m->title);
}

/* What came after CUDA 10. */
static void fill_later(struct cudaDeviceProp *p)
{
	p->persistingL2CacheMaxSize = p->major >= 8 ? p->l2CacheSize / 8 * 5 : 0; /* an H200's share */
	p->accessPolicyMaxWindowSize = p->major >= 8 ? 128 << 20 : 0;
	p->hostRegisterSupported = 1;
	p->memoryPoolsSupported = 1;
	p->clusterLaunch = p->major >= 9;
	p->ipcEventSupported = 1;
}

void properties_fill(struct cudaDeviceProp *p, const struct machine *m, uint32_t target)
{
	memset(p, 0, sizeof *p);
	fill_name(p, m);
	fill_core(p, m, target);
	fill_memory(p, m);
	fill_textures(p);
	fill_later(p);
	set(p->maxThreadsDim, 3, (const int[]){p->maxThreadsPerBlock, p->maxThreadsPerBlock, 64});
	set(p->maxGridSize, 3, (const int[]){INT32_MAX, 65535, 65535});
	p->asyncEngineCount = 1;
	p->deviceOverlap = 1;
	p->concurrentKernels = 1;
	p->streamPrioritiesSupported = 1;
	p->cooperativeLaunch = 1;
	p->singleToDoublePrecisionPerfRatio = 2;
	p->computeMode = cudaComputeModeDefault;
}

/* ---- attributes: X(number, what property) --------------------------------------------------------------- */

#define ATTRIBUTES(X)                                                                                        \
	X(MaxThreadsPerBlock, maxThreadsPerBlock)                                                            \
	X(MaxBlockDimX, maxThreadsDim[0])                                                                    \
	X(MaxBlockDimY, maxThreadsDim[1])                                                                    \
	X(MaxBlockDimZ, maxThreadsDim[2])                                                                    \
	X(MaxGridDimX, maxGridSize[0])                                                                       \
	X(MaxGridDimY, maxGridSize[1])                                                                       \
	X(MaxGridDimZ, maxGridSize[2])                                                                       \
	X(MaxSharedMemoryPerBlock, sharedMemPerBlock)                                                        \
	X(TotalConstantMemory, totalConstMem)                                                                \
	X(WarpSize, warpSize)                                                                                \
	X(MaxPitch, memPitch)                                                                                \
	X(MaxRegistersPerBlock, regsPerBlock)                                                                \
	X(ClockRate, clockRate)                                                                              \
	X(TextureAlignment, textureAlignment)                                                                \
	X(GpuOverlap, deviceOverlap)                                                                         \
	X(MultiProcessorCount, multiProcessorCount)                                                          \
	X(KernelExecTimeout, kernelExecTimeoutEnabled)                                                       \
	X(Integrated, integrated)                                                                            \
	X(CanMapHostMemory, canMapHostMemory)                                                                \
	X(ComputeMode, computeMode)                                                                          \
	X(MaxTexture1DWidth, maxTexture1D)                                                                   \
	X(MaxTexture2DWidth, maxTexture2D[0])                                                                \
	X(MaxTexture2DHeight, maxTexture2D[1])                                                               \
	X(MaxTexture3DWidth, maxTexture3D[0])                                                                \
	X(MaxTexture3DHeight, maxTexture3D[1])                                                               \
	X(MaxTexture3DDepth, maxTexture3D[2])                                                                \
	X(MaxTexture2DLayeredWidth, maxTexture2DLayered[0])                                                  \
	X(MaxTexture2DLayeredHeight, maxTexture2DLayered[1])                                                 \
	X(MaxTexture2DLayeredLayers, maxTexture2DLayered[2])                                                 \
	X(SurfaceAlignment, surfaceAlignment)                                                                \
	X(ConcurrentKernels, concurrentKernels)                                                              \
	X(EccEnabled, ECCEnabled)                                                                            \
	X(PciBusId, pciBusID)                                                                                \
	X(PciDeviceId, pciDeviceID)                                                                          \
	X(TccDriver, tccDriver)                                                                              \
	X(MemoryClockRate, memoryClockRate)                                                                  \
	X(GlobalMemoryBusWidth, memoryBusWidth)                                                              \
	X(L2CacheSize, l2CacheSize)                                                                          \
	X(MaxThreadsPerMultiProcessor, maxThreadsPerMultiProcessor)                                          \
	X(AsyncEngineCount, asyncEngineCount)                                                                \
	X(UnifiedAddressing, unifiedAddressing)                                                              \
	X(MaxTexture1DLayeredWidth, maxTexture1DLayered[0])                                                  \
	X(MaxTexture1DLayeredLayers, maxTexture1DLayered[1])                                                 \
	X(MaxTexture2DGatherWidth, maxTexture2DGather[0])                                                    \
	X(MaxTexture2DGatherHeight, maxTexture2DGather[1])                                                   \
	X(MaxTexture3DWidthAlt, maxTexture3DAlt[0])                                                          \
	X(MaxTexture3DHeightAlt, maxTexture3DAlt[1])                                                         \
	X(MaxTexture3DDepthAlt, maxTexture3DAlt[2])                                                          \
	X(PciDomainId, pciDomainID)                                                                          \
	X(TexturePitchAlignment, texturePitchAlignment)                                                      \
	X(MaxTextureCubemapWidth, maxTextureCubemap)                                                         \
	X(MaxTextureCubemapLayeredWidth, maxTextureCubemapLayered[0])                                        \
	X(MaxTextureCubemapLayeredLayers, maxTextureCubemapLayered[1])                                       \
	X(MaxSurface1DWidth, maxSurface1D)                                                                   \
	X(MaxSurface2DWidth, maxSurface2D[0])                                                                \
	X(MaxSurface2DHeight, maxSurface2D[1])                                                               \
	X(MaxSurface3DWidth, maxSurface3D[0])                                                                \
	X(MaxSurface3DHeight, maxSurface3D[1])                                                               \
	X(MaxSurface3DDepth, maxSurface3D[2])                                                                \
	X(MaxSurface1DLayeredWidth, maxSurface1DLayered[0])                                                  \
	X(MaxSurface1DLayeredLayers, maxSurface1DLayered[1])                                                 \
	X(MaxSurface2DLayeredWidth, maxSurface2DLayered[0])                                                  \
	X(MaxSurface2DLayeredHeight, maxSurface2DLayered[1])                                                 \
	X(MaxSurface2DLayeredLayers, maxSurface2DLayered[2])                                                 \
	X(MaxSurfaceCubemapWidth, maxSurfaceCubemap)                                                         \
	X(MaxSurfaceCubemapLayeredWidth, maxSurfaceCubemapLayered[0])                                        \
	X(MaxSurfaceCubemapLayeredLayers, maxSurfaceCubemapLayered[1])                                       \
	X(MaxTexture1DLinearWidth, maxTexture1DLinear)                                                       \
	X(MaxTexture2DLinearWidth, maxTexture2DLinear[0])                                                    \
	X(MaxTexture2DLinearHeight, maxTexture2DLinear[1])                                                   \
	X(MaxTexture2DLinearPitch, maxTexture2DLinear[2])                                                    \
	X(MaxTexture2DMipmappedWidth, maxTexture2DMipmap[0])                                                 \
	X(MaxTexture2DMipmappedHeight, maxTexture2DMipmap[1])                                                \
	X(ComputeCapabilityMajor, major)                                                                     \
	X(ComputeCapabilityMinor, minor)                                                                     \
	X(MaxTexture1DMipmappedWidth, maxTexture1DMipmap)                                                    \
	X(StreamPrioritiesSupported, streamPrioritiesSupported)                                              \
	X(GlobalL1CacheSupported, globalL1CacheSupported)                                                    \
	X(LocalL1CacheSupported, localL1CacheSupported)                                                      \
	X(MaxSharedMemoryPerMultiprocessor, sharedMemPerMultiprocessor)                                      \
	X(MaxRegistersPerMultiprocessor, regsPerMultiprocessor)                                              \
	X(ManagedMemory, managedMemory)                                                                      \
	X(IsMultiGpuBoard, isMultiGpuBoard)                                                                  \
	X(MultiGpuBoardGroupID, multiGpuBoardGroupID)                                                        \
	X(HostNativeAtomicSupported, hostNativeAtomicSupported)                                              \
	X(SingleToDoublePrecisionPerfRatio, singleToDoublePrecisionPerfRatio)                                \
	X(PageableMemoryAccess, pageableMemoryAccess)                                                        \
	X(ConcurrentManagedAccess, concurrentManagedAccess)                                                  \
	X(ComputePreemptionSupported, computePreemptionSupported)                                            \
	X(CanUseHostPointerForRegisteredMem, canUseHostPointerForRegisteredMem)                              \
	X(CooperativeLaunch, cooperativeLaunch)                                                              \
	X(CooperativeMultiDeviceLaunch, cooperativeMultiDeviceLaunch)                                        \
	X(MaxSharedMemoryPerBlockOptin, sharedMemPerBlockOptin)                                              \
	X(HostRegisterSupported, canMapHostMemory)                                                           \
	X(PageableMemoryAccessUsesHostPageTables, pageableMemoryAccessUsesHostPageTables)                    \
	X(DirectManagedMemAccessFromHost, directManagedMemAccessFromHost)                                    \
	X(MaxBlocksPerMultiprocessor, maxBlocksPerMultiProcessor)                                            \
	X(MaxPersistingL2CacheSize, persistingL2CacheMaxSize)                                                \
	X(MaxAccessPolicyWindowSize, accessPolicyMaxWindowSize)                                              \
	X(ReservedSharedMemoryPerBlock, reservedSharedMemPerBlock)                                           \
	X(SparseCudaArraySupported, sparseCudaArraySupported)                                                \
	X(HostRegisterReadOnlySupported, hostRegisterReadOnlySupported)                                      \
	X(TimelineSemaphoreInteropSupported, timelineSemaphoreInteropSupported)                              \
	X(MemoryPoolsSupported, memoryPoolsSupported)                                                        \
	X(GPUDirectRDMASupported, gpuDirectRDMASupported)                                                    \
	X(GPUDirectRDMAFlushWritesOptions, gpuDirectRDMAFlushWritesOptions)                                  \
	X(GPUDirectRDMAWritesOrdering, gpuDirectRDMAWritesOrdering)                                          \
	X(MemoryPoolSupportedHandleTypes, memoryPoolSupportedHandleTypes)                                    \
	X(ClusterLaunch, clusterLaunch)                                                                      \
	X(DeferredMappingCudaArraySupported, deferredMappingCudaArraySupported)                              \
	X(IpcEventSupport, ipcEventSupported)

static cudaError_t attribute(const struct cudaDeviceProp *p, int *value, enum cudaDeviceAttr which,
                             int device)
{
	if (!value)
		return cudaErrorInvalidValue;
	if (device)
		return cudaErrorInvalidDevice;
	switch (which) {
#define X(name, property)                                                                                    \
	case cudaDevAttr##name:                                                                              \
		*value = (int)p->property;                                                                   \
		return cudaSuccess;
		ATTRIBUTES(X)
#undef X
	case cudaDevAttrCanFlushRemoteWrites: /* not here */
		*value = 0;
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

API(RUNTIME_QUERY, cudaDeviceGetAttribute, (int *value, enum cudaDeviceAttr which, int device),
    attribute(&rt->properties, value, which, device))

/* ---- choice, settings and limits ----------------------------------------------------------------------------- */

static cudaError_t store(int *out, int value)
{
	if (out)
		*out = value;
	return out ? cudaSuccess : cudaErrorInvalidValue;
}

API(RUNTIME_QUERY, cudaGetDeviceCount, (int *count), store(count, 1))
API(RUNTIME_QUERY, cudaGetDevice, (int *device), store(device, 0))
API(RUNTIME_QUERY, cudaSetDevice, (int device), device ? cudaErrorInvalidDevice : cudaSuccess)

static cudaError_t valid_devices(const int *devices, int count)
{
	if (count < 0 || (count && !devices))
		return cudaErrorInvalidValue;
	for (int i = 0; i < count; i++)
		if (devices[i])
			return cudaErrorInvalidDevice;
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaSetValidDevices, (int *devices, int count), valid_devices(devices, count))

static cudaError_t properties(const struct runtime *rt, struct cudaDeviceProp *out, int device)
{
	if (!out)
		return cudaErrorInvalidValue;
	if (device)
		return cudaErrorInvalidDevice;
	*out = rt->properties;
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaGetDeviceProperties, (struct cudaDeviceProp * out, int device),
    properties(rt, out, device))

/* Of one device, it is the best match. */
API(RUNTIME_QUERY, cudaChooseDevice, (int *device, const struct cudaDeviceProp *wanted),
    wanted ? store(device, 0) : cudaErrorInvalidValue)

/* ---- settings ------------------------------------------------------------------------------------------- */

static cudaError_t set_flags(struct runtime *rt, unsigned flags)
{
	unsigned schedule = flags & cudaDeviceScheduleMask;
	if (flags & ~(unsigned)cudaDeviceMask || (schedule & (schedule - 1)))
		return cudaErrorInvalidValue;
	rt->device_flags = flags;
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaSetDeviceFlags, (unsigned flags), set_flags(rt, flags))

static cudaError_t get_flags(const struct runtime *rt, unsigned *flags)
{
	if (flags)
		*flags = rt->device_flags | cudaDeviceMapHost;
	return flags ? cudaSuccess : cudaErrorInvalidValue;
}

API(RUNTIME_QUERY, cudaGetDeviceFlags, (unsigned *flags), get_flags(rt, flags))

/* How L1 and shared memory divide their array is the machine's decision; the wish is kept and told. */
static cudaError_t set_cache_config(struct runtime *rt, enum cudaFuncCache config)
{
	if ((unsigned)config > cudaFuncCachePreferEqual)
		return cudaErrorInvalidValue;
	rt->cache_config = config;
	return cudaSuccess;
}

static cudaError_t get_cache_config(const struct runtime *rt, enum cudaFuncCache *config)
{
	if (config)
		*config = rt->cache_config;
	return config ? cudaSuccess : cudaErrorInvalidValue;
}

/* Banks are four bytes wide on every machine since compute capability 5. */
static cudaError_t get_shared_config(enum cudaSharedMemConfig *config)
{
	if (config)
		*config = cudaSharedMemBankSizeFourByte;
	return config ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_shared_config(enum cudaSharedMemConfig config)
{
	return (unsigned)config <= cudaSharedMemBankSizeEightByte ? cudaSuccess : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaDeviceSetCacheConfig, (enum cudaFuncCache config), set_cache_config(rt, config))
API(RUNTIME_CALL, cudaDeviceGetCacheConfig, (enum cudaFuncCache * config), get_cache_config(rt, config))
API(RUNTIME_CALL, cudaDeviceSetSharedMemConfig, (enum cudaSharedMemConfig config), set_shared_config(config))
API(RUNTIME_CALL, cudaDeviceGetSharedMemConfig, (enum cudaSharedMemConfig * config),
    get_shared_config(config))

cudaError_t cudaThreadSetCacheConfig(enum cudaFuncCache config)
{
	return cudaDeviceSetCacheConfig(config);
}

cudaError_t cudaThreadGetCacheConfig(enum cudaFuncCache *config)
{
	return cudaDeviceGetCacheConfig(config);
}

/* ---- limits --------------------------------------------------------------------------------------------- */

static size_t *limit_place(struct runtime *rt, enum cudaLimit limit)
{
	switch (limit) {
	case cudaLimitStackSize:
		return &rt->limits.stack_bytes;
	case cudaLimitPrintfFifoSize:
		return &rt->limits.printf_bytes;
	case cudaLimitMallocHeapSize:
		return &rt->limits.heap_bytes;
	case cudaLimitDevRuntimePendingLaunchCount:
		return &rt->limits.pending_launches;
	case cudaLimitMaxL2FetchGranularity:
		return &rt->limits.fetch_bytes;
	case cudaLimitPersistingL2CacheSize:
		return &rt->limits.persisting_l2_bytes;
	default:
		return NULL;
	}
}

/* Why there is no place: a number that is no limit, or one that this device does not have. */
static cudaError_t no_limit(enum cudaLimit limit)
{
	return (unsigned)limit > cudaLimitPersistingL2CacheSize ? cudaErrorInvalidValue
	                                                        : cudaErrorUnsupportedLimit;
}

static cudaError_t set_limit(struct runtime *rt, enum cudaLimit limit, size_t value)
{
	static const size_t stack_max = 512 * 1024; /* a thread's local memory */
	size_t *place = limit_place(rt, limit);
	if (!place)
		return no_limit(limit);
	if (limit == cudaLimitStackSize && value > stack_max)
		return cudaErrorInvalidValue;
	if (limit == cudaLimitPersistingL2CacheSize &&
	    value > (size_t)rt->properties.persistingL2CacheMaxSize)
		return cudaErrorInvalidValue;
	/* The executor is made with its stacks and heap: later on, only less can be asked for. */
	size_t least = limit == cudaLimitStackSize ? STACK_LEAST : 0;
	bool is_fixed = limit == cudaLimitStackSize || limit == cudaLimitMallocHeapSize;
	if (rt->exec && is_fixed && value > *place && value > least)
		return cudaErrorInvalidValue;
	*place = value;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDeviceSetLimit, (enum cudaLimit limit, size_t value), set_limit(rt, limit, value))

static cudaError_t get_limit(struct runtime *rt, size_t *value, enum cudaLimit limit)
{
	const size_t *place = limit_place(rt, limit);
	if (!place || !value)
		return value ? no_limit(limit) : cudaErrorInvalidValue;
	*value = *place;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDeviceGetLimit, (size_t * value, enum cudaLimit limit), get_limit(rt, value, limit))

cudaError_t cudaThreadSetLimit(enum cudaLimit limit, size_t value)
{
	return cudaDeviceSetLimit(limit, value);
}

cudaError_t cudaThreadGetLimit(size_t *value, enum cudaLimit limit)
{
	return cudaDeviceGetLimit(value, limit);
}

/* ---- waiting and ending --------------------------------------------------------------------------------- */

/* Everything is done already; what went wrong is said now. */
API(RUNTIME_UNSAFE, cudaDeviceSynchronize, (void), runtime_waited(rt))

cudaError_t cudaThreadSynchronize(void)
{
	return cudaDeviceSynchronize();
}

/* As measured: after a fault the reset itself works, but the device does not come back. */
static cudaError_t reset(struct runtime *rt)
{
	if (!rt->sticky)
		runtime_reset(rt);
	else
		rt->sticky = cudaErrorDevicesUnavailable;
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaDeviceReset, (void), reset(rt))

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}

API(RUNTIME_CALL, cudaProfilerStart, (void), recording_window_profile(rt, true))
API(RUNTIME_CALL, cudaProfilerStop, (void), recording_window_profile(rt, false))

/* A wish about L2, like the access policies that it takes back. */
API(RUNTIME_CALL, cudaCtxResetPersistingL2Cache, (void), cudaSuccess)

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
	(void)device_flags, (void)flags; /* as measured: any are taken */
	RUNTIME_CALL(device ? cudaErrorInvalidDevice : cudaSuccess);
}

/* ---- versions ------------------------------------------------------------------------------------------- */

API(RUNTIME_QUERY, cudaDriverGetVersion, (int *version), store(version, CUDA_VERSION))
API(RUNTIME_QUERY, cudaRuntimeGetVersion, (int *version), store(version, CUDA_VERSION))

/* ---- peers ---------------------------------------------------------------------------------------------- */

API(RUNTIME_QUERY, cudaDeviceCanAccessPeer, (int *can, int device, int peer),
    device || peer ? cudaErrorInvalidDevice : store(can, 0))

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	(void)flags;
	RUNTIME_QUERY(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

API(RUNTIME_QUERY, cudaDeviceDisablePeerAccess, (int peer),
    peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled)

cudaError_t cudaDeviceGetP2PAttribute(int *value, enum cudaDeviceP2PAttr which, int device, int peer)
{
	(void)value, (void)which, (void)device, (void)peer;
	RUNTIME_QUERY(cudaErrorInvalidDevice); /* needs two devices */
}

/* ---- the bus -------------------------------------------------------------------------------------------- */

static const char bus_id[] = "0000:00:00.0";

static cudaError_t get_bus_id(char *text, int bytes, int device)
{
	if (!text || bytes < (int)sizeof bus_id)
		return cudaErrorInvalidValue;
	if (device)
		return cudaErrorInvalidDevice;
	memcpy(text, bus_id, sizeof bus_id);
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaDeviceGetPCIBusId, (char *text, int bytes, int device),
    get_bus_id(text, bytes, device))
API(RUNTIME_QUERY, cudaDeviceGetByPCIBusId, (int *device, const char *text),
    !text || !device            ? cudaErrorInvalidValue
    : strcmp(text, bus_id) == 0 ? store(device, 0)
                                : cudaErrorInvalidDevice)
