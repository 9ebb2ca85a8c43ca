/*
 * Hints about where managed memory should be. There is one place for all
 * memory, so they change nothing; they are checked, kept per allocation and
 * told again. Left out: ranges that are a part of an allocation are taken for
 * the whole of it.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/pool.h"

#include <cuda_runtime_api.h>

struct managed_hints {
	struct managed_hints *next;
	uint64_t address;                     /* of the allocation */
	bool is_read_mostly, has_accessor[2]; /* the device, the host */
	struct cudaMemLocation preferred, prefetched;
};

static struct managed_hints *hints_of(struct runtime *rt, uint64_t address)
{
	struct managed_hints *hints = rt->managed_hints;
	while (hints && hints->address != address)
		hints = hints->next;
	if (hints)
		return hints;
	hints = memory_zeroed(1, sizeof *hints);
	*hints = (struct managed_hints){.next = rt->managed_hints, .address = address};
	return rt->managed_hints = hints;
}

void managed_hints_forget(struct runtime *rt, uint64_t address)
{
	struct managed_hints **at = &rt->managed_hints;
	while (*at && (*at)->address != address)
		at = &(*at)->next;
	struct managed_hints *gone = *at;
	if (gone)
		*at = gone->next;
	free(gone);
}

void managed_hints_clear(struct runtime *rt)
{
	while (rt->managed_hints)
		managed_hints_forget(rt, rt->managed_hints->address);
}

static cudaError_t find(struct runtime *rt, const void *pointer, size_t bytes, struct managed_hints **out)
{
	struct memory_range range;
	uint64_t address = (uintptr_t)pointer;
	if (!bytes || !device_memory_find(rt->memory, address, &range) || bytes > range.end - address ||
	    memory_kind(rt, address) != ALLOCATION_MANAGED)
		return cudaErrorInvalidValue;
	*out = hints_of(rt, range.first);
	return cudaSuccess;
}

static cudaError_t check_location(struct cudaMemLocation location)
{
	if (location.type == cudaMemLocationTypeDevice)
		return location.id ? cudaErrorInvalidDevice : cudaSuccess;
	return location.type >= cudaMemLocationTypeHost && location.type <= cudaMemLocationTypeHostNumaCurrent
	           ? cudaSuccess
	           : cudaErrorInvalidValue;
}

static struct cudaMemLocation location_of(int device)
{
	return (struct cudaMemLocation){.type = device == cudaCpuDeviceId ? cudaMemLocationTypeHost
	                                                                  : cudaMemLocationTypeDevice,
	                                .id = device == cudaCpuDeviceId ? 0 : device};
}

/* ---- prefetching --------------------------------------------------------------------------------------------- */

static cudaError_t prefetch(struct runtime *rt, const void *pointer, size_t bytes,
                            struct cudaMemLocation location, unsigned flags)
{
	struct managed_hints *hints;
	if (flags)
		return cudaErrorInvalidValue;
	cudaError_t result = find(rt, pointer, bytes, &hints);
	if (!result)
		result = check_location(location);
	if (!result)
		hints->prefetched = location;
	return result;
}

API(RUNTIME_CALL, cudaMemPrefetchAsync_v2,
    (const void *pointer, size_t bytes, struct cudaMemLocation location, unsigned flags, cudaStream_t stream),
    (rt->stream_error = stream_idle(rt, stream)) ? rt->stream_error
                                                 : prefetch(rt, pointer, bytes, location, flags))

cudaError_t cudaMemPrefetchAsync(const void *pointer, size_t bytes, int device, cudaStream_t stream)
{
	return cudaMemPrefetchAsync_v2(pointer, bytes, location_of(device), 0, stream);
}

/* ---- advice --------------------------------------------------------------------------------------------------- */

static cudaError_t advise(struct runtime *rt, const void *pointer, size_t bytes, enum cudaMemoryAdvise advice,
                          struct cudaMemLocation location)
{
	struct managed_hints *hints;
	bool has_place = advice == cudaMemAdviseSetPreferredLocation ||
	                 advice == cudaMemAdviseSetAccessedBy || advice == cudaMemAdviseUnsetAccessedBy;
	if (advice < cudaMemAdviseSetReadMostly || advice > cudaMemAdviseUnsetAccessedBy)
		return cudaErrorInvalidValue;
	cudaError_t result = find(rt, pointer, bytes, &hints);
	if (!result && has_place)
		result = check_location(location);
	if (result)
		return result;
	bool is_host = location.type != cudaMemLocationTypeDevice;
	switch (advice) {
	case cudaMemAdviseSetReadMostly:
	case cudaMemAdviseUnsetReadMostly:
		hints->is_read_mostly = advice == cudaMemAdviseSetReadMostly;
		break;
	case cudaMemAdviseSetPreferredLocation:
		hints->preferred = location;
		break;
	case cudaMemAdviseUnsetPreferredLocation:
		hints->preferred = (struct cudaMemLocation){0};
		break;
	default:
		hints->has_accessor[is_host] = advice == cudaMemAdviseSetAccessedBy;
	}
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaMemAdvise_v2,
    (const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, struct cudaMemLocation location),
    advise(rt, pointer, bytes, advice, location))

cudaError_t cudaMemAdvise(const void *pointer, size_t bytes, enum cudaMemoryAdvise advice, int device)
{
	return cudaMemAdvise_v2(pointer, bytes, advice, location_of(device));
}

/* ---- told again ------------------------------------------------------------------------------------------------ */

static int device_of(struct cudaMemLocation location)
{
	return location.type == cudaMemLocationTypeNone     ? cudaInvalidDeviceId
	       : location.type == cudaMemLocationTypeDevice ? location.id
	                                                    : cudaCpuDeviceId;
}

static void tell_accessors(const struct managed_hints *hints, int *out, size_t room)
{
	size_t count = 0;
	if (hints->has_accessor[0] && count < room)
		out[count++] = 0;
	if (hints->has_accessor[1] && count < room)
		out[count++] = cudaCpuDeviceId;
	while (count < room)
		out[count++] = cudaInvalidDeviceId;
}

static cudaError_t tell(struct runtime *rt, int *out, size_t out_bytes, enum cudaMemRangeAttribute which,
                        const void *pointer, size_t bytes)
{
	struct managed_hints *hints;
	if (!out || !out_bytes || out_bytes % sizeof *out)
		return cudaErrorInvalidValue;
	cudaError_t result = find(rt, pointer, bytes, &hints);
	if (result)
		return result;
	switch (which) {
	case cudaMemRangeAttributeReadMostly:
		*out = hints->is_read_mostly;
		return cudaSuccess;
	case cudaMemRangeAttributePreferredLocation:
		*out = device_of(hints->preferred);
		return cudaSuccess;
	case cudaMemRangeAttributeAccessedBy:
		tell_accessors(hints, out, out_bytes / sizeof *out);
		return cudaSuccess;
	case cudaMemRangeAttributeLastPrefetchLocation:
		*out = device_of(hints->prefetched);
		return cudaSuccess;
	case cudaMemRangeAttributePreferredLocationType:
		*out = (int)hints->preferred.type;
		return cudaSuccess;
	case cudaMemRangeAttributePreferredLocationId:
		*out = hints->preferred.id;
		return cudaSuccess;
	case cudaMemRangeAttributeLastPrefetchLocationType:
		*out = (int)hints->prefetched.type;
		return cudaSuccess;
	case cudaMemRangeAttributeLastPrefetchLocationId:
		*out = hints->prefetched.id;
		return cudaSuccess;
	default:
		return cudaErrorInvalidValue;
	}
}

API(RUNTIME_CALL, cudaMemRangeGetAttribute,
    (void *data, size_t data_bytes, enum cudaMemRangeAttribute which, const void *pointer, size_t bytes),
    tell(rt, data, data_bytes, which, pointer, bytes))

cudaError_t cudaMemRangeGetAttributes(void **data, size_t *data_bytes, enum cudaMemRangeAttribute *which,
                                      size_t count, const void *pointer, size_t bytes)
{
	cudaError_t result = cudaSuccess;
	if (!data || !data_bytes || !which)
		return runtime_thread()->last_error = cudaErrorInvalidValue;
	for (size_t i = 0; !result && i < count; i++)
		result = cudaMemRangeGetAttribute(data[i], data_bytes[i], which[i], pointer, bytes);
	return result;
}
