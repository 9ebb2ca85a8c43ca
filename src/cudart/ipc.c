/*
 * Handles for other processes. They can be made, as on any system with one GPU;
 * opening one in the process that made it is CUDA's error, and opening one of
 * another process is not supported: device memory is the process's own.
 */
#include <string.h>
#include <unistd.h>

#include "cudart/operation.h"

#include <cuda_runtime_api.h>

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

cudaError_t cudaIpcGetMemHandle(cudaIpcMemHandle_t *handle, void *pointer)
{
	RUNTIME_CALL(memory_handle(rt, handle, pointer));
}

cudaError_t cudaIpcOpenMemHandle(void **out, cudaIpcMemHandle_t handle, unsigned flags)
{
	RUNTIME_CALL(!out || flags != cudaIpcMemLazyEnablePeerAccess
	                 ? cudaErrorInvalidValue
	                 : open_handle(&handle, memory_mark, "cudaIpcOpenMemHandle"));
}

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

cudaError_t cudaIpcGetEventHandle(cudaIpcEventHandle_t *handle, cudaEvent_t event)
{
	RUNTIME_CALL(event_handle(rt, handle, event));
}

cudaError_t cudaIpcOpenEventHandle(cudaEvent_t *event, cudaIpcEventHandle_t handle)
{
	RUNTIME_CALL(event ? open_handle(&handle, event_mark, "cudaIpcOpenEventHandle")
	                   : cudaErrorInvalidValue);
}
