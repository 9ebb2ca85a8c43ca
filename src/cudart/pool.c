/*
 * Stream-ordered allocation and the pools it comes from.
 *
 * All work is done when it is asked for, so memory that is freed in a stream
 * is free at once, and a pool never has to keep any. Its figures follow CUDA's
 * rules all the same: what is reserved grows in steps and falls back to the
 * release threshold.
 */
#include "cudart/pool.h"

#include <stdlib.h>
#include <string.h>

#include "base/bits.h"
#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

/* As an H200's driver grows a pool. */
static const uint64_t reserve_step = UINT64_C(32) << 20;

struct pool {
	cudaMemPool_t handle;
	uint32_t index;
	bool is_gone; /* destroyed; what was allocated from it stays */
	struct cudaMemPoolProps props;
	int reuse[3]; /* cudaMemPoolReuse...: told again; there is nothing to decide */
	uint64_t threshold;
	uint64_t used, used_high, reserved, reserved_high;
};

/* ---- pools ----------------------------------------------------------------------------------------------- */

static struct pool *pool_new(struct runtime *rt, const struct cudaMemPoolProps *props)
{
	struct pool *pool = memory_zeroed(1, sizeof *pool);
	*pool = (struct pool){.index = rt->pool_count, .props = *props, .reuse = {1, 1, 1}};
	pool->handle = handle_new(&rt->handles, HANDLE_POOL, pool);
	rt->pools = memory_grow(rt->pools, rt->pool_count + 1, sizeof *rt->pools);
	rt->pools[rt->pool_count++] = pool;
	return pool;
}

static struct pool *default_pool(struct runtime *rt)
{
	static const struct cudaMemPoolProps props = {.allocType = cudaMemAllocationTypePinned,
	                                              .location = {.type = cudaMemLocationTypeDevice}};
	return rt->pool_count ? rt->pools[0] : pool_new(rt, &props);
}

static struct pool *current_pool(struct runtime *rt)
{
	return rt->current_pool ? rt->current_pool : default_pool(rt);
}

static struct pool *find(const struct runtime *rt, cudaMemPool_t handle)
{
	struct pool *pool = handle_get(&rt->handles, HANDLE_POOL, handle);
	return pool && !pool->is_gone ? pool : NULL;
}

void pools_clear(struct runtime *rt)
{
	free(rt->pools); /* the pools themselves go with their handles */
	rt->pools = NULL;
	rt->pool_count = 0;
	rt->current_pool = NULL;
}

static uint64_t round_up(uint64_t bytes)
{
	return (bytes + reserve_step - 1) / reserve_step * reserve_step;
}

static void account(struct pool *pool, uint64_t more)
{
	pool->used += more;
	pool->used_high = bits_max(pool->used_high, pool->used);
	pool->reserved = bits_max(pool->reserved, round_up(pool->used));
	pool->reserved_high = bits_max(pool->reserved_high, pool->reserved);
}

static void trim(struct pool *pool, uint64_t keep)
{
	uint64_t least = bits_max(round_up(pool->used), round_up(keep));
	pool->reserved = pool->reserved < least ? pool->reserved : least;
}

/* ---- allocation ------------------------------------------------------------------------------------------ */

/* A tag says which pool an allocation is of. */
enum { POOL_SHIFT = 8, KIND_MASK = (1 << POOL_SHIFT) - 1 };

static cudaError_t capture_allocation(struct runtime *rt, void **out, size_t bytes)
{
	struct graph_memory *memory = graph_memory_new(rt, bytes);
	if (!memory)
		return cudaErrorMemoryAllocation;
	*out = device_host(memory->address);
	struct operation node = {.type = cudaGraphNodeTypeMemAlloc, .memory = memory};
	return capture_add(rt, &node);
}

static cudaError_t allocate(struct runtime *rt, void **out, size_t bytes, struct pool *pool)
{
	if (!out || !pool)
		return cudaErrorInvalidValue;
	*out = NULL;
	if (!bytes)
		return cudaSuccess;
	if (rt->capturing)
		return capture_allocation(rt, out, bytes);
	if (pool->props.maxSize && bytes > pool->props.maxSize - pool->used)
		return cudaErrorMemoryAllocation;
	uint64_t address = memory_has(rt, bytes) ? device_memory_allocate(rt->memory, bytes) : 0;
	if (!address)
		return cudaErrorMemoryAllocation;
	device_memory_set_tag(rt->memory, address, ALLOCATION_POOL | pool->index << POOL_SHIFT);
	account(pool, bytes);
	*out = device_host(address);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMallocAsync, (void **out, size_t bytes, cudaStream_t stream),
    ON_STREAM(stream, allocate(rt, out, bytes, current_pool(rt))))
API(RUNTIME_CALL, cudaMallocFromPoolAsync,
    (void **out, size_t bytes, cudaMemPool_t pool, cudaStream_t stream),
    ON_STREAM(stream, allocate(rt, out, bytes, find(rt, pool))))

bool pool_release(struct runtime *rt, uint64_t address)
{
	struct memory_range range;
	uint32_t tag = device_memory_tag(rt->memory, address);
	if ((tag & KIND_MASK) != ALLOCATION_POOL || tag >> POOL_SHIFT >= rt->pool_count ||
	    !device_memory_find(rt->memory, address, &range) || range.first != address)
		return false;
	struct pool *pool = rt->pools[tag >> POOL_SHIFT];
	pool->used -= range.end - range.first;
	trim(pool, pool->threshold);
	return device_memory_release(rt->memory, address);
}

static cudaError_t capture_release(struct runtime *rt, uint64_t address)
{
	struct graph_memory *memory = graph_memory_find(rt, address);
	if (!memory)
		return cudaErrorInvalidValue; /* a graph frees what a graph allocates */
	memory->references++;
	struct operation node = {.type = cudaGraphNodeTypeMemFree, .memory = memory};
	return capture_add(rt, &node);
}

static cudaError_t release(struct runtime *rt, void *pointer)
{
	if (rt->capturing)
		return capture_release(rt, (uintptr_t)pointer);
	return memory_release(rt, pointer);
}

API(RUNTIME_CALL, cudaFreeAsync, (void *pointer, cudaStream_t stream),
    ON_STREAM(stream, release(rt, pointer)))

/* ---- making and choosing ---------------------------------------------------------------------------------- */

static cudaError_t create(struct runtime *rt, cudaMemPool_t *out, const struct cudaMemPoolProps *props)
{
	if (!out || !props || props->allocType != cudaMemAllocationTypePinned ||
	    props->location.type != cudaMemLocationTypeDevice || props->location.id)
		return cudaErrorInvalidValue;
	if (props->handleTypes) {
		runtime_say("cudaMemPoolCreate: pools that other processes can open are not supported");
		return cudaErrorNotSupported;
	}
	default_pool(rt);
	*out = pool_new(rt, props)->handle;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolCreate, (cudaMemPool_t * pool, const struct cudaMemPoolProps *props),
    create(rt, pool, props))

static cudaError_t destroy(struct runtime *rt, cudaMemPool_t handle)
{
	struct pool *pool = find(rt, handle);
	if (!pool || !pool->index)
		return cudaErrorInvalidValue;
	pool->is_gone = true;
	if (rt->current_pool == pool)
		rt->current_pool = NULL;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolDestroy, (cudaMemPool_t pool), destroy(rt, pool))

static cudaError_t tell(struct pool *pool, cudaMemPool_t *out, int device)
{
	if (device || !out)
		return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	*out = pool->handle;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDeviceGetDefaultMemPool, (cudaMemPool_t * pool, int device),
    tell(default_pool(rt), pool, device))
API(RUNTIME_CALL, cudaDeviceGetMemPool, (cudaMemPool_t * pool, int device),
    tell(current_pool(rt), pool, device))

static cudaError_t choose(struct runtime *rt, int device, cudaMemPool_t handle)
{
	struct pool *pool = find(rt, handle);
	if (device || !pool)
		return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	rt->current_pool = pool;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDeviceSetMemPool, (int device, cudaMemPool_t pool), choose(rt, device, pool))

static cudaError_t trim_to(struct runtime *rt, cudaMemPool_t handle, size_t keep)
{
	struct pool *pool = find(rt, handle);
	if (!pool)
		return cudaErrorInvalidValue;
	trim(pool, keep);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolTrimTo, (cudaMemPool_t pool, size_t keep), trim_to(rt, pool, keep))

/* ---- attributes ------------------------------------------------------------------------------------------- */

static uint64_t *figure(struct pool *pool, enum cudaMemPoolAttr which)
{
	switch (which) {
	case cudaMemPoolAttrReleaseThreshold:
		return &pool->threshold;
	case cudaMemPoolAttrReservedMemCurrent:
		return &pool->reserved;
	case cudaMemPoolAttrReservedMemHigh:
		return &pool->reserved_high;
	case cudaMemPoolAttrUsedMemCurrent:
		return &pool->used;
	case cudaMemPoolAttrUsedMemHigh:
		return &pool->used_high;
	default:
		return NULL;
	}
}

static bool is_reuse(enum cudaMemPoolAttr which)
{
	return which >= cudaMemPoolReuseFollowEventDependencies &&
	       which <= cudaMemPoolReuseAllowInternalDependencies;
}

static cudaError_t get_attribute(struct runtime *rt, cudaMemPool_t handle, enum cudaMemPoolAttr which,
                                 void *value)
{
	struct pool *pool = find(rt, handle);
	if (!pool || !value || (!is_reuse(which) && !figure(pool, which)))
		return cudaErrorInvalidValue;
	if (is_reuse(which))
		*(int *)value = pool->reuse[which - 1];
	else
		*(uint64_t *)value = *figure(pool, which);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolGetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value),
    get_attribute(rt, pool, which, value))

/* Current figures cannot be set, high-water marks only back to now. */
static cudaError_t set_attribute(struct runtime *rt, cudaMemPool_t handle, enum cudaMemPoolAttr which,
                                 const void *value)
{
	struct pool *pool = find(rt, handle);
	if (!pool || !value)
		return cudaErrorInvalidValue;
	if (is_reuse(which)) {
		pool->reuse[which - 1] = *(const int *)value != 0;
		return cudaSuccess;
	}
	if (which == cudaMemPoolAttrReleaseThreshold) {
		pool->threshold = *(const uint64_t *)value;
		return cudaSuccess;
	}
	bool is_mark = which == cudaMemPoolAttrReservedMemHigh || which == cudaMemPoolAttrUsedMemHigh;
	if (!is_mark || *(const uint64_t *)value)
		return cudaErrorInvalidValue;
	*figure(pool, which) = which == cudaMemPoolAttrUsedMemHigh ? pool->used : pool->reserved;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolSetAttribute, (cudaMemPool_t pool, enum cudaMemPoolAttr which, void *value),
    set_attribute(rt, pool, which, value))

/* The one device reads and writes its own memory; there is no other to be let in or kept out. */
static cudaError_t set_access(struct runtime *rt, cudaMemPool_t handle, const struct cudaMemAccessDesc *list,
                              size_t count)
{
	if (!find(rt, handle) || (count && !list))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < count; i++)
		if (list[i].location.type != cudaMemLocationTypeDevice || list[i].location.id ||
		    list[i].flags != cudaMemAccessFlagsProtReadWrite)
			return cudaErrorInvalidDevice; /* it cannot be kept out either */
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolSetAccess,
    (cudaMemPool_t pool, const struct cudaMemAccessDesc *list, size_t count),
    set_access(rt, pool, list, count))

static cudaError_t get_access(struct runtime *rt, enum cudaMemAccessFlags *flags, cudaMemPool_t handle,
                              const struct cudaMemLocation *location)
{
	if (!find(rt, handle) || !flags || !location || location->type != cudaMemLocationTypeDevice)
		return cudaErrorInvalidValue;
	if (location->id)
		return cudaErrorInvalidDevice;
	*flags = cudaMemAccessFlagsProtReadWrite;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemPoolGetAccess,
    (enum cudaMemAccessFlags * flags, cudaMemPool_t pool, struct cudaMemLocation *location),
    get_access(rt, flags, pool, location))
