/*
 * Virtual memory of the driver API: reserved addresses, physical memory, and mappings between them. A reservation is
 * memory of its own here; what a handle holds lies where it is mapped, and is kept aside while it is not. Left out:
 * the same handle at two places at once, sharing between processes, and faults in reserved addresses where nothing is
 * mapped.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/driver.h"

/* Pages of an H200's driver. */
static const size_t granularity = 2 << 20;

struct physical {
	size_t bytes;
	CUmemAllocationProp properties;
	uint64_t mapped_at;  /* 0: nowhere */
	bool is_released;    /* freed when it is unmapped */
	unsigned references; /* cuMemRetainAllocationHandle() */
	uint8_t *kept;       /* its bytes while it is not mapped; NULL: zeros */
};

static bool is_whole(uint64_t value)
{
	return value && value % granularity == 0;
}

static struct physical *find_handle(const struct runtime *rt, CUmemGenericAllocationHandle handle)
{
	return handle_get(&rt->handles, HANDLE_PHYSICAL, (void *)(uintptr_t)handle);
}

/* The handle that is mapped at this address. */
static struct physical *find_mapping(const struct runtime *rt, uint64_t address,
                                     CUmemGenericAllocationHandle *handle)
{
	uint32_t at = 0;
	void *one;
	while ((one = handle_next(&rt->handles, HANDLE_PHYSICAL, &at))) {
		struct physical *physical = handle_get(&rt->handles, HANDLE_PHYSICAL, one);
		if (physical->mapped_at && address >= physical->mapped_at &&
		    address < physical->mapped_at + physical->bytes) {
			*handle = (CUmemGenericAllocationHandle)(uintptr_t)one;
			return physical;
		}
	}
	return NULL;
}

static bool is_free(const struct runtime *rt, uint64_t address, size_t bytes)
{
	CUmemGenericAllocationHandle handle;
	for (size_t i = 0; i < bytes; i += granularity)
		if (find_mapping(rt, address + i, &handle))
			return false;
	return true;
}

static bool is_reserved(const struct runtime *rt, uint64_t address, size_t bytes)
{
	struct memory_range range;
	return device_memory_tag(rt->memory, address) == ALLOCATION_VIRTUAL &&
	       device_memory_find(rt->memory, address, &range) && bytes <= range.end - address;
}

/* ---- addresses --------------------------------------------------------------------------------------------- */

static cudaError_t reserve(struct runtime *rt, CUdeviceptr *out, size_t bytes, size_t alignment)
{
	if (!out || !is_whole(bytes) || (alignment & (alignment - 1)) || alignment > granularity)
		return cudaErrorInvalidValue;
	uint64_t address = device_memory_allocate(rt->memory, bytes);
	if (!address)
		return cudaErrorMemoryAllocation;
	device_memory_set_tag(rt->memory, address, ALLOCATION_VIRTUAL);
	*out = address;
	return cudaSuccess;
}

static cudaError_t unreserve(struct runtime *rt, CUdeviceptr address, size_t bytes)
{
	struct memory_range range;
	if (!is_reserved(rt, address, bytes) || !device_memory_find(rt->memory, address, &range) ||
	    range.first != address || range.end - range.first != bytes || !is_free(rt, address, bytes))
		return cudaErrorInvalidValue;
	return device_memory_release(rt->memory, address) ? cudaSuccess : cudaErrorInvalidValue;
}

API_PART(RUNTIME_CALL, address_reserve, (CUdeviceptr * out, size_t bytes, size_t alignment),
         reserve(rt, out, bytes, alignment))
API_PART(RUNTIME_CALL, address_free, (CUdeviceptr address, size_t bytes), unreserve(rt, address, bytes))

/* A wish for an address is a wish: another may come. */
CUresult cuMemAddressReserve(CUdeviceptr *out, size_t bytes, size_t alignment, CUdeviceptr wish,
                             unsigned long long flags)
{
	(void)wish;
	DRIVER_CALL(flags ? cudaErrorInvalidValue : address_reserve(out, bytes, alignment));
}
DRIVER_API(cuMemAddressFree, (CUdeviceptr address, size_t bytes), address_free(address, bytes))

/* ---- physical memory ---------------------------------------------------------------------------------------- */

static cudaError_t check_properties(const CUmemAllocationProp *p)
{
	if (!p || p->type != CU_MEM_ALLOCATION_TYPE_PINNED ||
	    p->location.type != CU_MEM_LOCATION_TYPE_DEVICE || p->location.id)
		return cudaErrorInvalidValue;
	/* A handle can ask to be shared; exporting it is what is refused. */
	return cudaSuccess;
}

static cudaError_t create(struct runtime *rt, CUmemGenericAllocationHandle *out, size_t bytes,
                          const CUmemAllocationProp *properties)
{
	cudaError_t result = out && is_whole(bytes) ? check_properties(properties) : cudaErrorInvalidValue;
	uint64_t used, total;
	device_memory_usage(rt->memory, &used, &total);
	if (!result && bytes > total - used)
		result = cudaErrorMemoryAllocation;
	if (result)
		return result;
	struct physical *physical = memory_zeroed(1, sizeof *physical);
	*physical = (struct physical){.bytes = bytes, .properties = *properties, .references = 1};
	*out = (CUmemGenericAllocationHandle)(uintptr_t)handle_new(&rt->handles, HANDLE_PHYSICAL, physical);
	return cudaSuccess;
}

static void drop(struct runtime *rt, CUmemGenericAllocationHandle handle, struct physical *physical)
{
	handle_remove(&rt->handles, HANDLE_PHYSICAL, (void *)(uintptr_t)handle);
	free(physical->kept);
	free(physical);
}

static cudaError_t release(struct runtime *rt, CUmemGenericAllocationHandle handle)
{
	struct physical *physical = find_handle(rt, handle);
	if (!physical || !physical->references)
		return cudaErrorInvalidValue;
	physical->references--;
	if (!physical->references && !physical->mapped_at)
		drop(rt, handle, physical);
	return cudaSuccess;
}

API_PART(RUNTIME_CALL, physical_create,
         (CUmemGenericAllocationHandle * out, size_t bytes, const CUmemAllocationProp *properties),
         create(rt, out, bytes, properties))
API_PART(RUNTIME_CALL, physical_release, (CUmemGenericAllocationHandle handle), release(rt, handle))

DRIVER_API(cuMemCreate,
           (CUmemGenericAllocationHandle * out, size_t bytes, const CUmemAllocationProp *properties,
            unsigned long long flags),
           flags ? cudaErrorInvalidValue : physical_create(out, bytes, properties))
DRIVER_API(cuMemRelease, (CUmemGenericAllocationHandle handle), physical_release(handle))

/* ---- mappings ------------------------------------------------------------------------------------------------ */

static cudaError_t map(struct runtime *rt, CUdeviceptr address, size_t bytes, size_t offset,
                       CUmemGenericAllocationHandle handle)
{
	struct physical *physical = find_handle(rt, handle);
	if (!physical || !is_whole(bytes) || address % granularity || offset || bytes != physical->bytes ||
	    !is_reserved(rt, address, bytes) || !is_free(rt, address, bytes))
		return cudaErrorInvalidValue;
	if (physical->mapped_at) {
		runtime_say("cuMemMap: the same memory at two addresses is not supported");
		return cudaErrorNotSupported;
	}
	if (physical->kept)
		memcpy(device_host(address), physical->kept, bytes);
	else
		memset(device_host(address), 0, bytes);
	free(physical->kept);
	physical->kept = NULL;
	physical->mapped_at = address;
	return cudaSuccess;
}

static void unmap_one(struct runtime *rt, CUmemGenericAllocationHandle handle, struct physical *physical)
{
	if (physical->references) {
		physical->kept = memory_zeroed(1, physical->bytes);
		memcpy(physical->kept, device_host(physical->mapped_at), physical->bytes);
	}
	memset(device_host(physical->mapped_at), 0, physical->bytes);
	physical->mapped_at = 0;
	if (!physical->references)
		drop(rt, handle, physical);
}

/* Whole mappings only, one or several. */
static cudaError_t unmap(struct runtime *rt, CUdeviceptr address, size_t bytes)
{
	CUmemGenericAllocationHandle handle;
	struct physical *physical;
	for (size_t i = 0; i < bytes; i += physical->bytes)
		if (!(physical = find_mapping(rt, address + i, &handle)) ||
		    physical->mapped_at != address + i || physical->bytes > bytes - i)
			return cudaErrorInvalidValue;
	for (size_t i = 0, step; i < bytes; i += step) {
		physical = find_mapping(rt, address + i, &handle);
		step = physical->bytes;
		unmap_one(rt, handle, physical);
	}
	return bytes ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t set_access(struct runtime *rt, CUdeviceptr address, size_t bytes,
                              const CUmemAccessDesc *desc, size_t count)
{
	CUmemGenericAllocationHandle handle;
	for (size_t i = 0; i < count; i++)
		if (!desc || desc[i].location.type != CU_MEM_LOCATION_TYPE_DEVICE || desc[i].location.id)
			return cudaErrorInvalidValue;
	for (size_t i = 0; i < bytes; i += granularity)
		if (!find_mapping(rt, address + i, &handle))
			return cudaErrorInvalidValue;
	return count && bytes ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t get_access(struct runtime *rt, unsigned long long *flags, CUdeviceptr address)
{
	CUmemGenericAllocationHandle handle;
	if (!flags || !find_mapping(rt, address, &handle))
		return cudaErrorInvalidValue;
	*flags = CU_MEM_ACCESS_FLAGS_PROT_READWRITE;
	return cudaSuccess;
}

static cudaError_t properties_of(struct runtime *rt, CUmemAllocationProp *out,
                                 CUmemGenericAllocationHandle handle)
{
	const struct physical *physical = find_handle(rt, handle);
	if (!physical || !out)
		return cudaErrorInvalidValue;
	*out = physical->properties;
	return cudaSuccess;
}

static cudaError_t retain(struct runtime *rt, CUmemGenericAllocationHandle *out, const void *address)
{
	struct physical *physical = out ? find_mapping(rt, (uintptr_t)address, out) : NULL;
	if (!physical)
		return cudaErrorInvalidValue;
	physical->references++;
	return cudaSuccess;
}

API_PART(RUNTIME_UNSAFE, map_at,
         (CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle),
         map(rt, address, bytes, offset, handle))
API_PART(RUNTIME_UNSAFE, unmap_at, (CUdeviceptr address, size_t bytes), unmap(rt, address, bytes))
API_PART(RUNTIME_CALL, access_set,
         (CUdeviceptr address, size_t bytes, const CUmemAccessDesc *desc, size_t count),
         set_access(rt, address, bytes, desc, count))
API_PART(RUNTIME_CALL, access_get, (unsigned long long *flags, CUdeviceptr address),
         get_access(rt, flags, address))
API_PART(RUNTIME_CALL, physical_properties, (CUmemAllocationProp * out, CUmemGenericAllocationHandle handle),
         properties_of(rt, out, handle))
API_PART(RUNTIME_CALL, physical_retain, (CUmemGenericAllocationHandle * out, const void *address),
         retain(rt, out, address))

DRIVER_API(cuMemMap,
           (CUdeviceptr address, size_t bytes, size_t offset, CUmemGenericAllocationHandle handle,
            unsigned long long flags),
           flags ? cudaErrorInvalidValue : map_at(address, bytes, offset, handle))
DRIVER_API(cuMemUnmap, (CUdeviceptr address, size_t bytes), unmap_at(address, bytes))
DRIVER_API(cuMemSetAccess, (CUdeviceptr address, size_t bytes, const CUmemAccessDesc *desc, size_t count),
           access_set(address, bytes, desc, count))
DRIVER_API(cuMemGetAccess, (unsigned long long *flags, const CUmemLocation *location, CUdeviceptr address),
           location ? access_get(flags, address) : cudaErrorInvalidValue)
DRIVER_API(cuMemGetAllocationPropertiesFromHandle,
           (CUmemAllocationProp * out, CUmemGenericAllocationHandle handle), physical_properties(out, handle))
DRIVER_API(cuMemRetainAllocationHandle, (CUmemGenericAllocationHandle * out, void *address),
           physical_retain(out, address))

CUresult cuMemGetAllocationGranularity(size_t *out, const CUmemAllocationProp *properties,
                                       CUmemAllocationGranularity_flags option)
{
	(void)option;
	if (!out || check_properties(properties))
		return CUDA_ERROR_INVALID_VALUE;
	*out = granularity;
	return CUDA_SUCCESS;
}

static cudaError_t refuse_sharing(const char *name)
{
	runtime_say("%s is not supported", name);
	return cudaErrorNotSupported;
}

CUresult cuMemExportToShareableHandle(void *out, CUmemGenericAllocationHandle handle,
                                      CUmemAllocationHandleType type, unsigned long long flags)
{
	(void)out, (void)handle, (void)type, (void)flags;
	DRIVER_CALL(refuse_sharing("cuMemExportToShareableHandle"));
}

CUresult cuMemImportFromShareableHandle(CUmemGenericAllocationHandle *out, void *handle,
                                        CUmemAllocationHandleType type)
{
	(void)out, (void)handle, (void)type;
	DRIVER_CALL(refuse_sharing("cuMemImportFromShareableHandle"));
}
