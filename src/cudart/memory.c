/*
 * Allocation: device, managed, page-locked and registered host memory. All but the last lie in the device window, so that
 * kernels and the host may use one address for them. Handles for other processes can be made, as on any system with one
 * GPU. Opening one in the process that made it is CUDA's error; device memory of another process is not supported.
 */
#include <string.h>
#include <unistd.h>

#include "cudart/calls.h"
#include "cudart/operation.h"
#include "cudart/pool.h"

#include <cuda_runtime_api.h>

enum { PITCH_ALIGN = 512 };

/* ---- device --------------------------------------------------------------------------------------------- */

bool memory_has(const struct runtime *rt, uint64_t bytes)
{
	uint64_t used, all;
	device_memory_usage(rt->memory, &used, &all);
	used -= rt->pinned_bytes;
	return used <= rt->properties.totalGlobalMem && bytes <= rt->properties.totalGlobalMem - used;
}

static cudaError_t allocate(struct runtime *rt, void **out, size_t bytes, enum allocation kind)
{
	if (!out)
		return cudaErrorInvalidValue;
	*out = NULL;
	if (!bytes)
		return cudaSuccess; /* as CUDA does: no memory, no error */
	uint64_t address = kind == ALLOCATION_PINNED || memory_has(rt, bytes)
	                       ? device_memory_allocate(rt->memory, bytes)
	                       : 0;
	if (!address)
		return cudaErrorMemoryAllocation;
	device_memory_set_tag(rt->memory, address, kind);
	*out = device_host(address);
	return cudaSuccess;
}

/* Freed outside its graph: the address stays the graph's. */
static bool release_graph_memory(const struct runtime *rt, uint64_t address)
{
	struct graph_memory *memory = graph_memory_find(rt, address);
	if (!memory || !memory->is_live)
		return false;
	memory->is_live = false;
	return true;
}

static cudaError_t release(struct runtime *rt, const void *pointer, bool pinned)
{
	if (!pointer)
		return cudaSuccess;
	uint64_t address = (uintptr_t)pointer;
	uint32_t kind = device_memory_tag(rt->memory, address);
	bool matches =
	    pinned ? kind == ALLOCATION_PINNED : kind == ALLOCATION_DEVICE || kind == ALLOCATION_MANAGED;
	struct memory_range range;
	if (!matches || !device_memory_find(rt->memory, address, &range) || range.first != address)
		return cudaErrorInvalidValue;
	if (pinned)
		rt->pinned_bytes -= range.end - range.first;
	if (kind == ALLOCATION_MANAGED)
		managed_hints_forget(rt, address);
	device_memory_release(rt->memory, address);
	return cudaSuccess;
}

API(RUNTIME_UNSAFE, cudaMalloc, (void **out, size_t bytes), allocate(rt, out, bytes, ALLOCATION_DEVICE))

cudaError_t memory_release(struct runtime *rt, const void *pointer)
{
	uint64_t address = (uintptr_t)pointer;
	if (pointer && (pool_release(rt, address) || release_graph_memory(rt, address)))
		return cudaSuccess;
	return release(rt, pointer, false);
}

API(RUNTIME_UNSAFE, cudaMallocManaged, (void **out, size_t bytes, unsigned flags),
    !bytes || (flags != cudaMemAttachGlobal && flags != cudaMemAttachHost)
        ? cudaErrorInvalidValue
        : allocate(rt, out, bytes, ALLOCATION_MANAGED))
API(RUNTIME_UNSAFE, cudaFree, (void *pointer), memory_release(rt, pointer))

static cudaError_t allocate_pitched(struct runtime *rt, struct cudaPitchedPtr *out, struct cudaExtent extent)
{
	size_t rows, bytes;
	if (!out || extent.width > SIZE_MAX - PITCH_ALIGN)
		return cudaErrorInvalidValue;
	size_t pitch = (extent.width + PITCH_ALIGN - 1) / PITCH_ALIGN * PITCH_ALIGN;
	if (__builtin_mul_overflow(extent.height, extent.depth, &rows) ||
	    __builtin_mul_overflow(rows, pitch, &bytes))
		return cudaErrorMemoryAllocation;
	*out = (struct cudaPitchedPtr){.pitch = pitch, .xsize = extent.width, .ysize = extent.height};
	return allocate(rt, &out->ptr, bytes, ALLOCATION_DEVICE);
}

static cudaError_t allocate_2d(struct runtime *rt, void **out, size_t *pitch, size_t width, size_t height)
{
	struct cudaPitchedPtr pitched;
	if (!out || !pitch)
		return cudaErrorInvalidValue;
	cudaError_t result =
	    allocate_pitched(rt, &pitched, (struct cudaExtent){.width = width, .height = height, .depth = 1});
	if (!result) {
		*out = pitched.ptr;
		*pitch = pitched.pitch;
	}
	return result;
}

API(RUNTIME_UNSAFE, cudaMallocPitch, (void **out, size_t *pitch, size_t width, size_t height),
    allocate_2d(rt, out, pitch, width, height))
API(RUNTIME_UNSAFE, cudaMalloc3D, (struct cudaPitchedPtr * out, struct cudaExtent extent),
    allocate_pitched(rt, out, extent))

/* ---- host ----------------------------------------------------------------------------------------------- */

static cudaError_t allocate_pinned(struct runtime *rt, void **out, size_t bytes, unsigned flags)
{
	if (flags & ~(unsigned)(cudaHostAllocPortable | cudaHostAllocMapped | cudaHostAllocWriteCombined))
		return cudaErrorInvalidValue;
	cudaError_t result = allocate(rt, out, bytes, ALLOCATION_PINNED);
	if (!result)
		rt->pinned_bytes += bytes;
	return result;
}

API(RUNTIME_UNSAFE, cudaMallocHost, (void **out, size_t bytes),
    allocate_pinned(rt, out, bytes, cudaHostAllocDefault))
API(RUNTIME_UNSAFE, cudaHostAlloc, (void **out, size_t bytes, unsigned flags),
    allocate_pinned(rt, out, bytes, flags))
API(RUNTIME_UNSAFE, cudaFreeHost, (void *pointer), release(rt, pointer, true))

static cudaError_t register_host(struct runtime *rt, void *pointer, size_t bytes, unsigned flags)
{
	uint64_t address = (uintptr_t)pointer;
	if (!pointer || !bytes || flags & ~(unsigned)(cudaHostRegisterPortable | cudaHostRegisterMapped))
		return cudaErrorInvalidValue;
	if (!device_memory_adopt(rt->memory, address, bytes))
		return cudaErrorHostMemoryAlreadyRegistered;
	device_memory_set_tag(rt->memory, address, ALLOCATION_REGISTERED);
	return cudaSuccess;
}

API(RUNTIME_UNSAFE, cudaHostRegister, (void *pointer, size_t bytes, unsigned flags),
    register_host(rt, pointer, bytes, flags))
API(RUNTIME_UNSAFE, cudaHostUnregister, (void *pointer),
    !pointer                                                         ? cudaErrorInvalidValue
    : device_memory_forget(rt->memory, (uint64_t)(uintptr_t)pointer) ? cudaSuccess
                                                                     : cudaErrorHostMemoryNotRegistered)

static bool is_host_kind(const struct runtime *rt, const void *pointer)
{
	uint32_t kind = device_memory_tag(rt->memory, (uintptr_t)pointer);
	return kind == ALLOCATION_PINNED || kind == ALLOCATION_REGISTERED;
}

static cudaError_t host_device_pointer(struct runtime *rt, void **out, void *pointer, unsigned flags)
{
	if (!out || flags || !is_host_kind(rt, pointer))
		return cudaErrorInvalidValue;
	*out = pointer;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaHostGetDevicePointer, (void **out, void *pointer, unsigned flags),
    host_device_pointer(rt, out, pointer, flags))

static cudaError_t host_flags(struct runtime *rt, unsigned *flags, void *pointer)
{
	if (!flags || !is_host_kind(rt, pointer))
		return cudaErrorInvalidValue;
	*flags = cudaHostAllocMapped;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaHostGetFlags, (unsigned *flags, void *pointer), host_flags(rt, flags, pointer))

/* ---- questions ------------------------------------------------------------------------------------------ */

uint32_t memory_kind(const struct runtime *rt, uint64_t address)
{
	struct memory_range range;
	uint32_t tag = device_memory_tag(rt->memory, address);
	bool is_in_window = address - DEVICE_WINDOW < rt->window_bytes;
	bool is_variable = !tag && !is_in_window && device_memory_find(rt->memory, address, &range);
	return is_variable ? ALLOCATION_MANAGED : tag;
}

static cudaError_t pointer_attributes(struct runtime *rt, struct cudaPointerAttributes *out,
                                      const void *pointer)
{
	if (!out)
		return cudaErrorInvalidValue;
	memset(out, 0, sizeof *out);
	void *same = (void *)(uintptr_t)pointer;
	struct memory_range range;
	out->device = cudaInvalidDeviceId;
	out->hostPointer = same;
	if (!device_memory_find(rt->memory, (uintptr_t)pointer, &range))
		return cudaSuccess; /* the host's, as far as we know */
	out->device = 0;
	uint32_t kind = memory_kind(rt, (uintptr_t)pointer);
	bool on_host = is_host_kind(rt, pointer);
	out->memoryType = on_host ? cudaMemoryTypeHost : cudaMemoryTypeDevice;
	out->type = kind == ALLOCATION_MANAGED ? cudaMemoryTypeManaged : out->memoryType;
	out->isManaged = kind == ALLOCATION_MANAGED;
	out->devicePointer = same;
	out->hostPointer = on_host || kind == ALLOCATION_MANAGED ? same : NULL;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaPointerGetAttributes, (struct cudaPointerAttributes * out, const void *pointer),
    pointer_attributes(rt, out, pointer))

static cudaError_t memory_info(struct runtime *rt, size_t *free_bytes, size_t *total)
{
	uint64_t used, all;
	if (!free_bytes || !total)
		return cudaErrorInvalidValue;
	device_memory_usage(rt->memory, &used, &all);
	*total = rt->properties.totalGlobalMem;
	*free_bytes = *total > used - rt->pinned_bytes ? *total - (used - rt->pinned_bytes) : 0;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemGetInfo, (size_t * free_bytes, size_t *total), memory_info(rt, free_bytes, total))

/* ---- handles for other processes ----------------------------------------------------------------------------- */

struct ipc_handle {
	uint64_t address;
	pid_t process;
	char mark[8];
};
static const char memory_mark[8] = "memory", event_mark[8] = "event";

static void fill(void *out, size_t bytes, uint64_t address, const char *mark)
{
	struct ipc_handle handle = {.address = address, .process = getpid()};
	memcpy(handle.mark, mark, sizeof handle.mark);
	memset(out, 0, bytes);
	memcpy(out, &handle, sizeof handle);
}

static cudaError_t open_handle(const void *from, const char *mark, const char *function)
{
	struct ipc_handle handle;
	memcpy(&handle, from, sizeof handle);
	if (memcmp(handle.mark, mark, sizeof handle.mark) != 0)
		return cudaErrorInvalidValue;
	if (handle.process == getpid())
		return cudaErrorDeviceUninitialized;
	runtime_say("%s: memory and events of another process are not supported", function);
	return cudaErrorNotSupported;
}

/* ---- memory ---------------------------------------------------------------------------------------------- */

static cudaError_t memory_handle(struct runtime *rt, cudaIpcMemHandle_t *out, const void *pointer)
{
	struct memory_range range;
	if (!out || device_memory_tag(rt->memory, (uintptr_t)pointer) != ALLOCATION_DEVICE ||
	    !device_memory_find(rt->memory, (uintptr_t)pointer, &range))
		return cudaErrorInvalidValue;
	fill(out, sizeof *out, range.first, memory_mark);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaIpcGetMemHandle, (cudaIpcMemHandle_t * handle, void *pointer),
    memory_handle(rt, handle, pointer))
API(RUNTIME_CALL, cudaIpcOpenMemHandle, (void **out, cudaIpcMemHandle_t handle, unsigned flags),
    !out || flags != cudaIpcMemLazyEnablePeerAccess
        ? cudaErrorInvalidValue
        : open_handle(&handle, memory_mark, "cudaIpcOpenMemHandle"))

/* Nothing was ever opened. */
cudaError_t cudaIpcCloseMemHandle(void *pointer)
{
	(void)pointer;
	RUNTIME_CALL(cudaErrorInvalidValue);
}

/* ---- events ---------------------------------------------------------------------------------------------- */

static cudaError_t event_handle(struct runtime *rt, cudaIpcEventHandle_t *out, cudaEvent_t event)
{
	if (!out || !event_is_shared(rt, event))
		return out ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
	fill(out, sizeof *out, (uintptr_t)event, event_mark);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaIpcGetEventHandle, (cudaIpcEventHandle_t * handle, cudaEvent_t event),
    event_handle(rt, handle, event))
API(RUNTIME_CALL, cudaIpcOpenEventHandle, (cudaEvent_t * event, cudaIpcEventHandle_t handle),
    event ? open_handle(&handle, event_mark, "cudaIpcOpenEventHandle") : cudaErrorInvalidValue)
