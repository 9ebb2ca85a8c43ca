/* Device management: there is one device, number 0, and it cannot reach others. */
#include <string.h>

#include "cudart/calls.h"
#include "cudart/state.h"

#include <cuda_runtime_api.h>

static cudaError_t store(int *out, int value)
{
	if (out)
		*out = value;
	return out ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGetDeviceCount(int *count)
{
	RUNTIME_QUERY(store(count, 1));
}

cudaError_t cudaGetDevice(int *device)
{
	RUNTIME_QUERY(store(device, 0));
}

cudaError_t cudaSetDevice(int device)
{
	RUNTIME_QUERY(device ? cudaErrorInvalidDevice : cudaSuccess);
}

static cudaError_t valid_devices(const int *devices, int count)
{
	if (count < 0 || (count && !devices))
		return cudaErrorInvalidValue;
	for (int i = 0; i < count; i++)
		if (devices[i])
			return cudaErrorInvalidDevice;
	return cudaSuccess;
}

cudaError_t cudaSetValidDevices(int *devices, int count)
{
	RUNTIME_QUERY(valid_devices(devices, count));
}

static cudaError_t properties(const struct runtime *rt, struct cudaDeviceProp *out, int device)
{
	if (!out)
		return cudaErrorInvalidValue;
	if (device)
		return cudaErrorInvalidDevice;
	*out = rt->properties;
	return cudaSuccess;
}

cudaError_t cudaGetDeviceProperties(struct cudaDeviceProp *out, int device)
{
	RUNTIME_QUERY(properties(rt, out, device));
}

/* Of one device, it is the best match. */
cudaError_t cudaChooseDevice(int *device, const struct cudaDeviceProp *wanted)
{
	RUNTIME_QUERY(wanted ? store(device, 0) : cudaErrorInvalidValue);
}

/* ---- settings ------------------------------------------------------------------------------------------- */

static cudaError_t set_flags(struct runtime *rt, unsigned flags)
{
	unsigned schedule = flags & cudaDeviceScheduleMask;
	if (flags & ~(unsigned)cudaDeviceMask || (schedule & (schedule - 1)))
		return cudaErrorInvalidValue;
	rt->device_flags = flags;
	return cudaSuccess;
}

cudaError_t cudaSetDeviceFlags(unsigned flags)
{
	RUNTIME_QUERY(set_flags(rt, flags));
}

static cudaError_t get_flags(const struct runtime *rt, unsigned *flags)
{
	if (flags)
		*flags = rt->device_flags | cudaDeviceMapHost;
	return flags ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaGetDeviceFlags(unsigned *flags)
{
	RUNTIME_QUERY(get_flags(rt, flags));
}

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

cudaError_t cudaDeviceSetCacheConfig(enum cudaFuncCache config)
{
	RUNTIME_CALL(set_cache_config(rt, config));
}

cudaError_t cudaDeviceGetCacheConfig(enum cudaFuncCache *config)
{
	RUNTIME_CALL(get_cache_config(rt, config));
}

cudaError_t cudaDeviceSetSharedMemConfig(enum cudaSharedMemConfig config)
{
	RUNTIME_CALL(set_shared_config(config));
}

cudaError_t cudaDeviceGetSharedMemConfig(enum cudaSharedMemConfig *config)
{
	RUNTIME_CALL(get_shared_config(config));
}

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

cudaError_t cudaDeviceSetLimit(enum cudaLimit limit, size_t value)
{
	RUNTIME_CALL(set_limit(rt, limit, value));
}

static cudaError_t get_limit(struct runtime *rt, size_t *value, enum cudaLimit limit)
{
	const size_t *place = limit_place(rt, limit);
	if (!place || !value)
		return value ? no_limit(limit) : cudaErrorInvalidValue;
	*value = *place;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetLimit(size_t *value, enum cudaLimit limit)
{
	RUNTIME_CALL(get_limit(rt, value, limit));
}

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
cudaError_t cudaDeviceSynchronize(void)
{
	RUNTIME_UNSAFE(runtime_waited(rt));
}

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

cudaError_t cudaDeviceReset(void)
{
	RUNTIME_QUERY(reset(rt));
}

cudaError_t cudaThreadExit(void)
{
	return cudaDeviceReset();
}

cudaError_t cudaProfilerStart(void)
{
	RUNTIME_CALL(cudaSuccess);
}

cudaError_t cudaProfilerStop(void)
{
	RUNTIME_CALL(cudaSuccess);
}

/* A wish about L2, like the access policies that it takes back. */
cudaError_t cudaCtxResetPersistingL2Cache(void)
{
	RUNTIME_CALL(cudaSuccess);
}

cudaError_t cudaInitDevice(int device, unsigned device_flags, unsigned flags)
{
	(void)device_flags, (void)flags; /* as measured: any are taken */
	RUNTIME_CALL(device ? cudaErrorInvalidDevice : cudaSuccess);
}

/* ---- versions ------------------------------------------------------------------------------------------- */

cudaError_t cudaDriverGetVersion(int *version)
{
	RUNTIME_QUERY(store(version, CUDA_VERSION));
}

cudaError_t cudaRuntimeGetVersion(int *version)
{
	RUNTIME_QUERY(store(version, CUDA_VERSION));
}

/* ---- peers ---------------------------------------------------------------------------------------------- */

cudaError_t cudaDeviceCanAccessPeer(int *can, int device, int peer)
{
	RUNTIME_QUERY(device || peer ? cudaErrorInvalidDevice : store(can, 0));
}

cudaError_t cudaDeviceEnablePeerAccess(int peer, unsigned flags)
{
	(void)flags;
	RUNTIME_QUERY(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessUnsupported);
}

cudaError_t cudaDeviceDisablePeerAccess(int peer)
{
	RUNTIME_QUERY(peer ? cudaErrorInvalidDevice : cudaErrorPeerAccessNotEnabled);
}

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

cudaError_t cudaDeviceGetPCIBusId(char *text, int bytes, int device)
{
	RUNTIME_QUERY(get_bus_id(text, bytes, device));
}

cudaError_t cudaDeviceGetByPCIBusId(int *device, const char *text)
{
	RUNTIME_QUERY(!text || !device            ? cudaErrorInvalidValue
	              : strcmp(text, bus_id) == 0 ? store(device, 0)
	                                          : cudaErrorInvalidDevice);
}
