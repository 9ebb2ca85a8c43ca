/*
 * Copying and filling boxes of memory. What the device side touches must lie
 * inside one allocation; host pointers cannot be checked. Copies to the device
 * are recorded, since they go through the GPU's L2.
 */
#include "cudart/copy.h"

#include <string.h>

struct copy_side copy_linear(const void *pointer, bool is_device)
{
	return (struct copy_side){.address = (uintptr_t)pointer, .is_device = is_device};
}

static bool is_known(const struct runtime *rt, const void *pointer)
{
	struct memory_range range;
	return device_memory_find(rt->memory, (uintptr_t)pointer, &range);
}

bool copy_kind(const struct runtime *rt, enum cudaMemcpyKind kind, const void *to, const void *from,
               bool *to_device, bool *from_device)
{
	/* Checked as device memory if they are in the device window, whatever the caller says of them. */
	uint64_t window = rt->properties.totalGlobalMem;
	*to_device =
	    (uintptr_t)to - DEVICE_WINDOW < window || (kind == cudaMemcpyDefault && is_known(rt, to));
	*from_device =
	    (uintptr_t)from - DEVICE_WINDOW < window || (kind == cudaMemcpyDefault && is_known(rt, from));
	*to_device |= kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice;
	*from_device |= kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice;
	return (unsigned)kind <= cudaMemcpyDefault;
}

/* From the first byte to one past the last. */
static bool box_span(struct copy_side side, struct copy_box box, uint64_t *span)
{
	uint64_t rows, slices;
	return !__builtin_mul_overflow((uint64_t)side.pitch, box.height - 1, &rows) &&
	       !__builtin_mul_overflow((uint64_t)side.slice, box.depth - 1, &slices) &&
	       !__builtin_add_overflow(rows, slices, &rows) &&
	       !__builtin_add_overflow(rows, (uint64_t)box.width, span);
}

static cudaError_t check(const struct runtime *rt, struct copy_side side, struct copy_box box)
{
	uint64_t span;
	struct memory_range range;
	if ((box.height > 1 && side.pitch < box.width) || !side.address || !box_span(side, box, &span))
		return cudaErrorInvalidValue;
	if (!side.is_device)
		return cudaSuccess;
	if (!device_memory_find(rt->memory, side.address, &range) || span > range.end - side.address)
		return cudaErrorInvalidValue;
	return cudaSuccess;
}

static uint64_t row(struct copy_side side, size_t y, size_t z)
{
	return side.address + y * side.pitch + z * side.slice;
}

cudaError_t copy_box(struct runtime *rt, struct copy_side to, struct copy_side from, struct copy_box box)
{
	if (!box.width || !box.height || !box.depth)
		return cudaSuccess;
	cudaError_t result = check(rt, to, box);
	if (!result)
		result = check(rt, from, box);
	if (result)
		return result;
	for (size_t z = 0; z < box.depth; z++)
		for (size_t y = 0; y < box.height; y++) {
			memmove(device_host(row(to, y, z)), device_host(row(from, y, z)), box.width);
			if (rt->recorder && to.is_device && !from.is_device)
				recorder_copy(rt->recorder, row(to, y, z), box.width);
		}
	return cudaSuccess;
}

cudaError_t copy_fill(struct runtime *rt, struct copy_side to, int value, struct copy_box box)
{
	if (!box.width || !box.height || !box.depth)
		return cudaSuccess;
	cudaError_t result = check(rt, to, box);
	if (result)
		return result;
	for (size_t z = 0; z < box.depth; z++)
		for (size_t y = 0; y < box.height; y++)
			memset(device_host(row(to, y, z)), value, box.width);
	return cudaSuccess;
}
