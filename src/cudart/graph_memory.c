/*
 * Memory of allocation nodes. The address belongs to the graph and its copies
 * for as long as one of them is there, so it is the same at every launch;
 * launches only say whether somebody holds it. A GPU shares physical memory
 * between graphs that do not run together; here each has its own.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/operation.h"
#include "cudart/pool.h"

#include <cuda_runtime_api.h>

struct graph_memory *graph_memory_new(struct runtime *rt, uint64_t bytes)
{
	uint64_t address = memory_has(rt, bytes) ? device_memory_allocate(rt->memory, bytes) : 0;
	if (!address)
		return NULL;
	device_memory_set_tag(rt->memory, address, ALLOCATION_GRAPH);
	struct graph_memory *memory = memory_zeroed(1, sizeof *memory);
	*memory = (struct graph_memory){
	    .next = rt->graph_memory, .address = address, .bytes = bytes, .references = 1};
	rt->graph_memory = memory;
	return memory;
}

void graph_memory_unref(struct runtime *rt, struct graph_memory *memory)
{
	if (--memory->references)
		return;
	struct graph_memory **at = &rt->graph_memory;
	while (*at != memory)
		at = &(*at)->next;
	*at = memory->next;
	device_memory_release(rt->memory, memory->address);
	free(memory);
}

struct graph_memory *graph_memory_find(const struct runtime *rt, uint64_t address)
{
	struct graph_memory *memory = rt->graph_memory;
	while (memory && memory->address != address)
		memory = memory->next;
	return memory;
}

/* ---- how much there is ------------------------------------------------------------------------------------ */

static uint64_t sum(const struct runtime *rt, bool live_only)
{
	uint64_t bytes = 0;
	for (const struct graph_memory *memory = rt->graph_memory; memory; memory = memory->next)
		bytes += memory->is_live || !live_only ? memory->bytes : 0;
	return bytes;
}

static cudaError_t get(struct runtime *rt, int device, enum cudaGraphMemAttributeType which, void *value)
{
	if (device || !value || (unsigned)which > cudaGraphMemAttrReservedMemHigh)
		return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	bool is_used = which == cudaGraphMemAttrUsedMemCurrent || which == cudaGraphMemAttrUsedMemHigh;
	*(uint64_t *)value = sum(rt, is_used);
	return cudaSuccess;
}

cudaError_t cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value)
{
	RUNTIME_CALL(get(rt, device, which, value));
}

/* Only the high-water marks can be set, to 0; ours follow the current values. */
static cudaError_t set(int device, enum cudaGraphMemAttributeType which, const void *value)
{
	bool is_mark = which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh;
	if (device)
		return cudaErrorInvalidDevice;
	return value && is_mark && !*(const uint64_t *)value ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value)
{
	RUNTIME_CALL(set(device, which, value));
}

/* Nothing is kept beyond what graphs hold. */
cudaError_t cudaDeviceGraphMemTrim(int device)
{
	RUNTIME_CALL(device ? cudaErrorInvalidDevice : cudaSuccess);
}
