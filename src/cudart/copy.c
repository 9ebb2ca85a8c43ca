/*
 * Copying and filling memory: in one, two and three dimensions, on plain memory, symbols and boxes of arrays. What the device
 * side touches must lie inside one allocation; host pointers cannot be checked. Copies to the device are recorded,
 * since they go through the GPU's L2.
 */
#include <string.h>

#include "cudart/array.h"
#include "cudart/calls.h"
#include "cudart/copy.h"
#include "cudart/graph.h"
#include "cudart/operation.h"

#include <cuda_runtime_api.h>

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

/* ---- plain memory and symbols -------------------------------------------------------------------------------- */

/* ---- plain ---------------------------------------------------------------------------------------------- */

static cudaError_t copy_2d(struct runtime *rt, struct copy_side to, struct copy_side from,
                           struct copy_box box, enum cudaMemcpyKind kind)
{
	if (!copy_kind(rt, kind, device_host(to.address), device_host(from.address), &to.is_device,
	               &from.is_device))
		return cudaErrorInvalidMemcpyDirection;
	to.kind = kind;
	return copy_box(rt, to, from, box);
}

static cudaError_t copy_1d(struct runtime *rt, void *to, const void *from, size_t bytes,
                           enum cudaMemcpyKind kind)
{
	return copy_2d(rt, copy_linear(to, false), copy_linear(from, false),
	               (struct copy_box){.width = bytes, .height = 1, .depth = 1}, kind);
}

/* It waits for the device, so it also says what went wrong there; the copy is done all the same. */
static cudaError_t copy_and_wait(struct runtime *rt, void *to, const void *from, size_t bytes,
                                 enum cudaMemcpyKind kind)
{
	cudaError_t result = copy_1d(rt, to, from, bytes, kind);
	return result ? result : runtime_waited(rt);
}

API(RUNTIME_LEGACY, cudaMemcpy, (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind),
    copy_and_wait(rt, to, from, bytes, kind))
API(RUNTIME_CALL, cudaMemcpyAsync,
    (void *to, const void *from, size_t bytes, enum cudaMemcpyKind kind, cudaStream_t stream),
    ON_STREAM(stream, copy_1d(rt, to, from, bytes, kind)))

static cudaError_t copy_peer(struct runtime *rt, void *to, int to_device, const void *from, int from_device,
                             size_t bytes)
{
	if (to_device || from_device)
		return cudaErrorInvalidDevice;
	return copy_1d(rt, to, from, bytes, cudaMemcpyDeviceToDevice);
}

API(RUNTIME_LEGACY, cudaMemcpyPeer,
    (void *to, int to_device, const void *from, int from_device, size_t bytes),
    copy_peer(rt, to, to_device, from, from_device, bytes))
API(RUNTIME_CALL, cudaMemcpyPeerAsync,
    (void *to, int to_device, const void *from, int from_device, size_t bytes, cudaStream_t stream),
    ON_STREAM(stream, copy_peer(rt, to, to_device, from, from_device, bytes)))

/* ---- pitched -------------------------------------------------------------------------------------------- */

struct pitched {
	const void *at;
	size_t pitch;
};

static cudaError_t copy_pitched(struct runtime *rt, struct pitched to, struct pitched from, size_t width,
                                size_t height, enum cudaMemcpyKind kind)
{
	if (width > to.pitch || width > from.pitch)
		return height > 1 ? cudaErrorInvalidPitchValue : cudaErrorInvalidValue;
	return copy_2d(rt, (struct copy_side){.address = (uintptr_t)to.at, .pitch = to.pitch},
	               (struct copy_side){.address = (uintptr_t)from.at, .pitch = from.pitch},
	               (struct copy_box){.width = width, .height = height, .depth = 1}, kind);
}

API(RUNTIME_LEGACY, cudaMemcpy2D,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
     enum cudaMemcpyKind kind),
    copy_pitched(rt, (struct pitched){to, to_pitch}, (struct pitched){from, from_pitch}, width, height, kind))
API(RUNTIME_CALL, cudaMemcpy2DAsync,
    (void *to, size_t to_pitch, const void *from, size_t from_pitch, size_t width, size_t height,
     enum cudaMemcpyKind kind, cudaStream_t stream),
    ON_STREAM(stream, copy_pitched(rt, (struct pitched){to, to_pitch}, (struct pitched){from, from_pitch},
                                   width, height, kind)))

/* ---- symbols -------------------------------------------------------------------------------------------- */

static cudaError_t symbol_place(struct runtime *rt, const void *symbol, size_t bytes, size_t offset,
                                uint64_t *address)
{
	uint64_t size;
	cudaError_t result = registry_variable(rt, symbol, address, &size);
	if (result)
		return result;
	*address += offset;
	return offset > size || bytes > size - offset ? cudaErrorInvalidValue : cudaSuccess;
}

static cudaError_t copy_to_symbol(struct runtime *rt, const void *symbol, const void *from, size_t bytes,
                                  size_t offset, enum cudaMemcpyKind kind)
{
	uint64_t address;
	if (kind != cudaMemcpyHostToDevice && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	cudaError_t result = symbol_place(rt, symbol, bytes, offset, &address);
	return result ? result : copy_1d(rt, device_host(address), from, bytes, kind);
}

static cudaError_t copy_from_symbol(struct runtime *rt, void *to, const void *symbol, size_t bytes,
                                    size_t offset, enum cudaMemcpyKind kind)
{
	uint64_t address;
	if (kind != cudaMemcpyDeviceToHost && kind != cudaMemcpyDeviceToDevice && kind != cudaMemcpyDefault)
		return cudaErrorInvalidMemcpyDirection;
	cudaError_t result = symbol_place(rt, symbol, bytes, offset, &address);
	return result ? result : copy_1d(rt, to, device_host(address), bytes, kind);
}

API(RUNTIME_LEGACY, cudaMemcpyToSymbol,
    (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    copy_to_symbol(rt, symbol, from, bytes, offset, kind))
API(RUNTIME_CALL, cudaMemcpyToSymbolAsync,
    (const void *symbol, const void *from, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
     cudaStream_t stream),
    ON_STREAM(stream, copy_to_symbol(rt, symbol, from, bytes, offset, kind)))
API(RUNTIME_LEGACY, cudaMemcpyFromSymbol,
    (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind),
    copy_from_symbol(rt, to, symbol, bytes, offset, kind))
API(RUNTIME_CALL, cudaMemcpyFromSymbolAsync,
    (void *to, const void *symbol, size_t bytes, size_t offset, enum cudaMemcpyKind kind,
     cudaStream_t stream),
    ON_STREAM(stream, copy_from_symbol(rt, to, symbol, bytes, offset, kind)))

static cudaError_t symbol_facts(struct runtime *rt, const void *symbol, void **address_out, size_t *bytes_out)
{
	uint64_t address, bytes;
	if (!address_out && !bytes_out)
		return cudaErrorInvalidValue;
	cudaError_t result = registry_variable(rt, symbol, &address, &bytes);
	if (!result && address_out)
		*address_out = device_host(address);
	if (!result && bytes_out)
		*bytes_out = bytes;
	return result;
}

API(RUNTIME_CALL, cudaGetSymbolAddress, (void **out, const void *symbol), symbol_facts(rt, symbol, out, NULL))
API(RUNTIME_CALL, cudaGetSymbolSize, (size_t * out, const void *symbol), symbol_facts(rt, symbol, NULL, out))

/* ---- filling -------------------------------------------------------------------------------------------- */

static cudaError_t fill(struct runtime *rt, struct copy_side to, int value, struct copy_box box)
{
	to.is_device = true;
	return copy_fill(rt, to, (struct copy_value){(uint8_t)value, 1}, box);
}

static struct copy_side fill_3d_side(struct cudaPitchedPtr to)
{
	return (struct copy_side){
	    .address = (uintptr_t)to.ptr, .pitch = to.pitch, .slice = to.pitch * to.ysize};
}

API(RUNTIME_LEGACY, cudaMemset, (void *to, int value, size_t bytes),
    fill(rt, copy_linear(to, true), value, (struct copy_box){bytes, 1, 1}))
API(RUNTIME_CALL, cudaMemsetAsync, (void *to, int value, size_t bytes, cudaStream_t stream),
    ON_STREAM(stream, fill(rt, copy_linear(to, true), value, (struct copy_box){bytes, 1, 1})))
API(RUNTIME_LEGACY, cudaMemset2D, (void *to, size_t pitch, int value, size_t width, size_t height),
    fill(rt, (struct copy_side){.address = (uintptr_t)to, .pitch = pitch}, value,
         (struct copy_box){width, height, 1}))
API(RUNTIME_CALL, cudaMemset2DAsync,
    (void *to, size_t pitch, int value, size_t width, size_t height, cudaStream_t stream),
    ON_STREAM(stream, fill(rt, (struct copy_side){.address = (uintptr_t)to, .pitch = pitch}, value,
                           (struct copy_box){width, height, 1})))
API(RUNTIME_LEGACY, cudaMemset3D, (struct cudaPitchedPtr to, int value, struct cudaExtent extent),
    fill(rt, fill_3d_side(to), value, (struct copy_box){extent.width, extent.height, extent.depth}))
API(RUNTIME_CALL, cudaMemset3DAsync,
    (struct cudaPitchedPtr to, int value, struct cudaExtent extent, cudaStream_t stream),
    ON_STREAM(stream, fill(rt, fill_3d_side(to), value,
                           (struct copy_box){extent.width, extent.height, extent.depth})))

/* ---- boxes --------------------------------------------------------------------------------------------------- */

/* One side of a 3-D copy: an array or pitched memory, and where the box begins. */
struct corner {
	cudaArray_t array;
	struct cudaPos position;
	struct cudaPitchedPtr memory;
};

/* Whether [from, from + count) lies in `size`. */
static bool within(size_t from, size_t count, size_t size)
{
	return from <= size && count <= size - from;
}

static cudaError_t array_side(const struct runtime *rt, const struct corner *corner, struct cudaExtent extent,
                              struct copy_side *side)
{
	const struct array *array = array_find(rt, corner->array);
	if (!array || corner->memory.ptr)
		return cudaErrorInvalidValue; /* neither or both */
	size_t height = array->extent.height ? array->extent.height : 1;
	size_t depth = array->extent.depth ? array->extent.depth : 1;
	const struct cudaPos *at = &corner->position;
	if (!within(at->x, extent.width, array->extent.width) || !within(at->y, extent.height, height) ||
	    !within(at->z, extent.depth, depth))
		return cudaErrorInvalidValue;
	*side = (struct copy_side){
	    .pitch = array->pitch_bytes, .slice = array_slice_bytes(array), .is_device = true};
	side->address =
	    array->address + at->x * array->texel_bytes + at->y * side->pitch + at->z * side->slice;
	return cudaSuccess;
}

static cudaError_t memory_side(const struct corner *corner, struct cudaExtent extent, struct copy_side *side)
{
	const struct cudaPitchedPtr *memory = &corner->memory;
	if (!memory->ptr || (extent.depth > 1 && memory->ysize < extent.height))
		return cudaErrorInvalidValue;
	*side = (struct copy_side){.pitch = memory->pitch, .slice = memory->pitch * memory->ysize};
	side->address = (uintptr_t)memory->ptr + corner->position.x + corner->position.y * side->pitch +
	                corner->position.z * side->slice;
	return cudaSuccess;
}

static cudaError_t make_side(const struct runtime *rt, const struct corner *corner, struct cudaExtent extent,
                             struct copy_side *side)
{
	return corner->array ? array_side(rt, corner, extent, side) : memory_side(corner, extent, side);
}

/* The width counts texels as soon as an array takes part, else bytes. */
static cudaError_t texel_bytes(const struct runtime *rt, const struct cudaMemcpy3DParms *p, size_t *bytes)
{
	const struct array *from = p->srcArray ? array_find(rt, p->srcArray) : NULL;
	const struct array *to = p->dstArray ? array_find(rt, p->dstArray) : NULL;
	if ((p->srcArray && !from) || (p->dstArray && !to))
		return cudaErrorInvalidResourceHandle;
	if (from && to && from->texel_bytes != to->texel_bytes)
		return cudaErrorInvalidValue;
	*bytes = from ? from->texel_bytes : to ? to->texel_bytes : 1;
	return cudaSuccess;
}

cudaError_t copy_3d_resolve(const struct runtime *rt, const struct cudaMemcpy3DParms *p,
                            struct copy_work *out)
{
	size_t unit;
	struct copy_side to, from;
	if (!p)
		return cudaErrorInvalidValue;
	const struct corner source = {p->srcArray, p->srcPos, p->srcPtr};
	const struct corner target = {p->dstArray, p->dstPos, p->dstPtr};
	cudaError_t result = texel_bytes(rt, p, &unit);
	if (!result)
		result = make_side(rt, &target, p->extent, &to);
	if (!result)
		result = make_side(rt, &source, p->extent, &from);
	if (result)
		return result;
	bool to_device, from_device;
	if (!copy_kind(rt, p->kind, device_host(to.address), device_host(from.address), &to_device,
	               &from_device))
		return cudaErrorInvalidMemcpyDirection;
	to.kind = p->kind;
	to.is_device = to_device;
	from.is_device = from_device;
	*out = (struct copy_work){.to = to,
	                          .from = from,
	                          .box = {p->extent.width * unit, p->extent.height, p->extent.depth},
	                          .described = *p};
	return cudaSuccess;
}

static cudaError_t copy_3d(struct runtime *rt, const struct cudaMemcpy3DParms *p)
{
	struct copy_work work;
	cudaError_t result = copy_3d_resolve(rt, p, &work);
	return result ? result : copy_box(rt, work.to, work.from, work.box);
}

API(RUNTIME_LEGACY, cudaMemcpy3D, (const struct cudaMemcpy3DParms *p), copy_3d(rt, p))
API(RUNTIME_CALL, cudaMemcpy3DAsync, (const struct cudaMemcpy3DParms *p, cudaStream_t stream),
    ON_STREAM(stream, copy_3d(rt, p)))

/* Between devices, of which there is one. */
static cudaError_t copy_3d_peer(struct runtime *rt, const struct cudaMemcpy3DPeerParms *p)
{
	if (!p || p->srcDevice || p->dstDevice)
		return p ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	struct cudaMemcpy3DParms plain = {.srcArray = p->srcArray,
	                                  .srcPos = p->srcPos,
	                                  .srcPtr = p->srcPtr,
	                                  .dstArray = p->dstArray,
	                                  .dstPos = p->dstPos,
	                                  .dstPtr = p->dstPtr,
	                                  .extent = p->extent,
	                                  .kind = cudaMemcpyDeviceToDevice};
	return copy_3d(rt, &plain);
}

API(RUNTIME_LEGACY, cudaMemcpy3DPeer, (const struct cudaMemcpy3DPeerParms *p), copy_3d_peer(rt, p))
API(RUNTIME_CALL, cudaMemcpy3DPeerAsync, (const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream),
    ON_STREAM(stream, copy_3d_peer(rt, p)))

/* ---- array to array ------------------------------------------------------------------------------------- */

static cudaError_t copy_arrays(struct runtime *rt, struct corner to, struct corner from, size_t width_bytes,
                               size_t height)
{
	const struct array *array = array_find(rt, from.array);
	if (!array || width_bytes % array->texel_bytes || to.position.x % array->texel_bytes ||
	    from.position.x % array->texel_bytes)
		return cudaErrorInvalidValue;
	struct cudaMemcpy3DParms p = {.srcArray = from.array,
	                              .srcPos = from.position,
	                              .dstArray = to.array,
	                              .dstPos = to.position,
	                              .extent = {width_bytes / array->texel_bytes, height, 1},
	                              .kind = cudaMemcpyDeviceToDevice};
	p.srcPos.x /= array->texel_bytes;
	p.dstPos.x /= array->texel_bytes;
	return copy_3d(rt, &p);
}

cudaError_t cudaMemcpy2DArrayToArray(cudaArray_t to, size_t to_x, size_t to_y, cudaArray_const_t from,
                                     size_t from_x, size_t from_y, size_t width, size_t height,
                                     enum cudaMemcpyKind kind)
{
	struct corner target = {.array = to, .position = {to_x, to_y, 0}};
	struct corner source = {.array = (cudaArray_t)(uintptr_t)from, .position = {from_x, from_y, 0}};
	RUNTIME_LEGACY(kind == cudaMemcpyDeviceToDevice || kind == cudaMemcpyDefault
	                   ? copy_arrays(rt, target, source, width, height)
	                   : cudaErrorInvalidMemcpyDirection);
}
