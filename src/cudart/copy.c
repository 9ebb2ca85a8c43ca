/*
 * Copying and filling boxes of memory. What the device side touches must lie
 * inside one allocation; host pointers cannot be checked. Copies to the device
 * are recorded, since they go through the GPU's L2.
 */
#include "cudart/copy.h"

#include <string.h>

#include "cudart/graph.h"

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
	uint64_t window = rt->window_bytes;
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

cudaError_t copy_check(const struct runtime *rt, struct copy_side side, struct copy_box box)
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

/* ---- in a capture ---------------------------------------------------------------------------------------- */

static struct cudaPitchedPtr described_side(struct copy_side side)
{
	return (struct cudaPitchedPtr){.ptr = device_host(side.address),
	                               .pitch = side.pitch,
	                               .ysize = side.pitch ? side.slice / side.pitch : 0};
}

static cudaError_t capture_copy(struct runtime *rt, struct copy_side to, struct copy_side from,
                                struct copy_box box)
{
	struct copy_work work = {.to = to, .from = from, .box = box};
	work.described = (struct cudaMemcpy3DParms){.srcPtr = described_side(from),
	                                            .dstPtr = described_side(to),
	                                            .extent = {box.width, box.height, box.depth},
	                                            .kind = to.kind};
	struct operation node = operation_copy(&work);
	return capture_add(rt, &node);
}

static cudaError_t capture_fill_2d(struct runtime *rt, struct copy_side to, struct copy_value value,
                                   struct copy_box box)
{
	struct fill_work work = {.to = to, .box = box};
	work.described = (struct cudaMemsetParams){.dst = device_host(to.address),
	                                           .pitch = to.pitch,
	                                           .value = value.value,
	                                           .elementSize = value.bytes,
	                                           .width = box.width / value.bytes,
	                                           .height = box.height};
	struct operation node = operation_fill(&work);
	return capture_add(rt, &node);
}

/* A memset node has two dimensions: slices without a gap between them are one, others are a node each. */
static cudaError_t capture_fill(struct runtime *rt, struct copy_side to, struct copy_value value,
                                struct copy_box box)
{
	if (box.depth == 1 || to.slice == to.pitch * box.height)
		return capture_fill_2d(rt, to, value,
		                       (struct copy_box){box.width, box.height * box.depth, 1});
	cudaError_t result = cudaSuccess;
	for (size_t z = 0; z < box.depth; z++, to.address += to.slice)
		result = capture_fill_2d(rt, to, value, (struct copy_box){box.width, box.height, 1});
	return result;
}

/* ---- done ------------------------------------------------------------------------------------------------- */

cudaError_t copy_box(struct runtime *rt, struct copy_side to, struct copy_side from, struct copy_box box)
{
	if (!box.width || !box.height || !box.depth)
		return cudaSuccess;
	cudaError_t result = copy_check(rt, to, box);
	if (!result)
		result = copy_check(rt, from, box);
	if (result)
		return result;
	if (rt->capturing)
		return capture_copy(rt, to, from, box);
	for (size_t z = 0; z < box.depth; z++)
		for (size_t y = 0; y < box.height; y++) {
			memmove(device_host(row(to, y, z)), device_host(row(from, y, z)), box.width);
			if (rt->recorder && to.is_device && !from.is_device)
				recorder_copy(rt->recorder, row(to, y, z), box.width);
		}
	return cudaSuccess;
}

static void fill_row(uint8_t *at, struct copy_value value, size_t bytes)
{
	if (value.bytes == 1) {
		memset(at, (int)(value.value & 0xff), bytes);
		return;
	}
	for (size_t i = 0; i + value.bytes <= bytes; i += value.bytes)
		memcpy(at + i, &value.value, value.bytes); /* the low bytes, on the hosts that we run on */
}

cudaError_t copy_fill(struct runtime *rt, struct copy_side to, struct copy_value value, struct copy_box box)
{
	if (!box.width || !box.height || !box.depth)
		return cudaSuccess;
	cudaError_t result = copy_check(rt, to, box);
	if (result)
		return result;
	if (rt->capturing)
		return capture_fill(rt, to, value, box);
	for (size_t z = 0; z < box.depth; z++)
		for (size_t y = 0; y < box.height; y++)
			fill_row(device_host(row(to, y, z)), value, box.width);
	return cudaSuccess;
}
