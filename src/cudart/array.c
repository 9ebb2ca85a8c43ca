/*
 * Arrays and the copies from and to them. A GPU stores arrays in tiles that
 * only its texture unit knows; here they are rows, which gives the same values
 * and other addresses. Layers and faces of a cube are slices. Left out: mip levels.
 */
#include "cudart/array.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/pool.h"

enum { ROW_ALIGN = 32 };

struct array *array_find(const struct runtime *rt, cudaArray_const_t array)
{
	return handle_get(&rt->handles, HANDLE_ARRAY, array);
}

size_t array_texel_bytes(const struct cudaChannelFormatDesc *format)
{
	const int bits[4] = {format->x, format->y, format->z, format->w};
	unsigned channels = 0;
	while (channels < 4 && bits[channels])
		channels++;
	for (unsigned i = 0; i < 4; i++)
		if (bits[i] != (i < channels ? bits[0] : 0))
			return 0;
	bool is_float = format->f == cudaChannelFormatKindFloat;
	bool width_ok = bits[0] == 32 || bits[0] == 16 || (bits[0] == 8 && !is_float);
	if (channels == 0 || channels == 3 || !width_ok || (unsigned)format->f > cudaChannelFormatKindFloat)
		return 0;
	return channels * (unsigned)bits[0] / 8;
}

size_t array_slice_bytes(const struct array *array)
{
	return array->pitch_bytes * (array->extent.height ? array->extent.height : 1);
}

/* ---- making --------------------------------------------------------------------------------------------- */

static bool within(size_t value, int limit)
{
	return value <= (size_t)limit;
}

/* Layers and faces are counted by the depth. */
static bool layers_fit(const struct cudaDeviceProp *p, struct cudaExtent extent, unsigned flags)
{
	bool is_layered = flags & cudaArrayLayered;
	if (flags & cudaArrayCubemap) {
		int width = is_layered ? p->maxTextureCubemapLayered[0] : p->maxTextureCubemap;
		bool faces = is_layered ? extent.depth % 6 == 0 &&
		                              within(extent.depth, p->maxTextureCubemapLayered[1] * 6)
		                        : extent.depth == 6;
		return faces && extent.depth && extent.width == extent.height && within(extent.width, width);
	}
	const int *limit = p->maxTexture2DLayered;
	if (!extent.height)
		return extent.depth && within(extent.width, p->maxTexture1DLayered[0]) &&
		       within(extent.depth, p->maxTexture1DLayered[1]);
	return extent.depth && within(extent.width, limit[0]) && within(extent.height, limit[1]) &&
	       within(extent.depth, limit[2]);
}

static bool extent_fits(const struct cudaDeviceProp *p, struct cudaExtent extent, unsigned flags)
{
	if (!extent.width)
		return false;
	if (flags & (cudaArrayLayered | cudaArrayCubemap))
		return layers_fit(p, extent, flags);
	const int *limit = extent.depth ? p->maxTexture3D : p->maxTexture2D;
	if (!extent.height)
		return !extent.depth && within(extent.width, p->maxTexture1D);
	return within(extent.width, limit[0]) && within(extent.height, limit[1]) &&
	       within(extent.depth, p->maxTexture3D[2]);
}

static cudaError_t array_new(struct runtime *rt, cudaArray_t *out, const struct cudaChannelFormatDesc *format,
                             struct cudaExtent extent, unsigned flags)
{
	const unsigned known =
	    cudaArrayLayered | cudaArrayCubemap | cudaArraySurfaceLoadStore | cudaArrayTextureGather;
	if (!out || !format)
		return cudaErrorInvalidValue;
	if (flags & ~known)
		return cudaErrorNotSupported;
	if (!array_texel_bytes(format))
		return cudaErrorInvalidChannelDescriptor;
	if (!extent_fits(&rt->properties, extent, flags))
		return cudaErrorInvalidValue;
	struct array array = {
	    .format = *format, .extent = extent, .flags = flags, .texel_bytes = array_texel_bytes(format)};
	array.pitch_bytes = (extent.width * array.texel_bytes + ROW_ALIGN - 1) / ROW_ALIGN * ROW_ALIGN;
	size_t bytes = array_slice_bytes(&array) * (extent.depth ? extent.depth : 1);
	array.address = memory_has(rt, bytes) ? device_memory_allocate(rt->memory, bytes) : 0;
	if (!array.address)
		return cudaErrorMemoryAllocation;
	device_memory_set_tag(rt->memory, array.address, ALLOCATION_ARRAY);
	struct array *kept = memory_zeroed(1, sizeof *kept);
	*kept = array;
	*out = handle_new(&rt->handles, HANDLE_ARRAY, kept);
	return cudaSuccess;
}

API(RUNTIME_UNSAFE, cudaMallocArray,
    (cudaArray_t * out, const struct cudaChannelFormatDesc *format, size_t width, size_t height,
     unsigned flags),
    array_new(rt, out, format, (struct cudaExtent){width, height, 0}, flags))
API(RUNTIME_UNSAFE, cudaMalloc3DArray,
    (cudaArray_t * out, const struct cudaChannelFormatDesc *format, struct cudaExtent extent, unsigned flags),
    array_new(rt, out, format, extent, flags))

static cudaError_t array_free(struct runtime *rt, cudaArray_t handle)
{
	if (!handle)
		return cudaSuccess;
	struct array *array = handle_remove(&rt->handles, HANDLE_ARRAY, handle);
	if (!array)
		return cudaErrorInvalidValue;
	device_memory_release(rt->memory, array->address);
	free(array);
	return cudaSuccess;
}

API(RUNTIME_UNSAFE, cudaFreeArray, (cudaArray_t array), array_free(rt, array))

static cudaError_t array_info(struct runtime *rt, struct cudaChannelFormatDesc *format,
                              struct cudaExtent *extent, unsigned *flags, cudaArray_const_t handle)
{
	const struct array *array = array_find(rt, handle);
	if (!array)
		return cudaErrorInvalidResourceHandle;
	if (format)
		*format = array->format;
	if (extent)
		*extent = array->extent;
	if (flags)
		*flags = array->flags;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaArrayGetInfo,
    (struct cudaChannelFormatDesc * format, struct cudaExtent *extent, unsigned *flags, cudaArray_t array),
    array_info(rt, format, extent, flags, array))
API(RUNTIME_CALL, cudaGetChannelDesc, (struct cudaChannelFormatDesc * format, cudaArray_const_t array),
    format ? array_info(rt, format, NULL, NULL, array) : cudaErrorInvalidValue)

/* ---- copying: part of an array against plain memory ----------------------------------------------------- */

enum direction { TO_ARRAY, FROM_ARRAY };

struct array_copy {
	cudaArray_const_t array;
	size_t x_bytes, y; /* where in the array */
	const void *memory;
	size_t memory_pitch;
	size_t width_bytes, height;
	enum cudaMemcpyKind kind;
};

static cudaError_t array_rows(struct runtime *rt, struct copy_side array, const struct array_copy *what,
                              struct copy_side memory, struct copy_box box, enum direction direction)
{
	bool to_device, from_device;
	const void *at = device_host(memory.address), *in_array = device_host(array.address);
	bool valid = direction == TO_ARRAY
	                 ? copy_kind(rt, what->kind, in_array, at, &to_device, &from_device)
	                 : copy_kind(rt, what->kind, at, in_array, &to_device, &from_device);
	if (!valid)
		return cudaErrorInvalidMemcpyDirection;
	memory.is_device = direction == TO_ARRAY ? from_device : to_device;
	array.is_device = true;
	array.kind = memory.kind = what->kind;
	return direction == TO_ARRAY ? copy_box(rt, array, memory, box) : copy_box(rt, memory, array, box);
}

static cudaError_t copy_rectangle(struct runtime *rt, struct array_copy what, enum direction direction)
{
	const struct array *array = array_find(rt, what.array);
	if (!array)
		return cudaErrorInvalidResourceHandle;
	size_t width = array->extent.width * array->texel_bytes;
	size_t height = array->extent.height ? array->extent.height : 1;
	if (what.x_bytes > width || what.width_bytes > width - what.x_bytes || what.y > height ||
	    what.height > height - what.y)
		return cudaErrorInvalidValue;
	if (what.height > 1 && what.memory_pitch < what.width_bytes)
		return cudaErrorInvalidPitchValue;
	struct copy_side side = {.address = array->address + what.y * array->pitch_bytes + what.x_bytes,
	                         .pitch = array->pitch_bytes};
	struct copy_side memory = {.address = (uintptr_t)what.memory, .pitch = what.memory_pitch};
	return array_rows(rt, side, &what, memory, (struct copy_box){what.width_bytes, what.height, 1},
	                  direction);
}

/* Whether the plain side of a run is all there. */
static cudaError_t check_run_memory(const struct runtime *rt, const struct array_copy *what,
                                    enum direction direction)
{
	bool to_device, from_device;
	if (!copy_kind(rt, what->kind, direction == TO_ARRAY ? NULL : what->memory,
	               direction == TO_ARRAY ? what->memory : NULL, &to_device, &from_device))
		return cudaErrorInvalidMemcpyDirection;
	struct copy_side memory = copy_linear(what->memory, direction == TO_ARRAY ? from_device : to_device);
	return what->width_bytes ? copy_check(rt, memory, (struct copy_box){what->width_bytes, 1, 1})
	                         : cudaSuccess;
}

/* A run of bytes that may begin in the middle of a row and go on in the next ones. */
static cudaError_t copy_run(struct runtime *rt, struct array_copy what, enum direction direction)
{
	const struct array *array = array_find(rt, what.array);
	if (!array)
		return cudaErrorInvalidResourceHandle;
	size_t width = array->extent.width * array->texel_bytes, left = what.width_bytes;
	size_t height = array->extent.height ? array->extent.height : 1;
	/* All of it is checked before the first byte moves. */
	if (what.x_bytes >= width || what.y >= height || left > (height - what.y) * width - what.x_bytes)
		return left ? cudaErrorInvalidValue : cudaSuccess;
	cudaError_t checked = check_run_memory(rt, &what, direction);
	if (checked)
		return checked;
	what.height = 1;
	while (left) {
		what.width_bytes = left < width - what.x_bytes ? left : width - what.x_bytes;
		cudaError_t result = copy_rectangle(rt, what, direction);
		if (result)
			return result;
		left -= what.width_bytes;
		what.memory = (const char *)what.memory + what.width_bytes;
		what.x_bytes = 0;
		what.y++;
	}
	return cudaSuccess;
}

cudaError_t cudaMemcpyToArray(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
                              enum cudaMemcpyKind kind)
{
	struct array_copy what = {
	    .array = array, .x_bytes = x, .y = y, .memory = from, .width_bytes = bytes, .kind = kind};
	RUNTIME_LEGACY(copy_run(rt, what, TO_ARRAY));
}

cudaError_t cudaMemcpyToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from, size_t bytes,
                                   enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct array_copy what = {
	    .array = array, .x_bytes = x, .y = y, .memory = from, .width_bytes = bytes, .kind = kind};
	RUNTIME_CALL(ON_STREAM(stream, copy_run(rt, what, TO_ARRAY)));
}

cudaError_t cudaMemcpyFromArray(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
                                enum cudaMemcpyKind kind)
{
	struct array_copy what = {
	    .array = array, .x_bytes = x, .y = y, .memory = to, .width_bytes = bytes, .kind = kind};
	RUNTIME_LEGACY(copy_run(rt, what, FROM_ARRAY));
}

cudaError_t cudaMemcpyFromArrayAsync(void *to, cudaArray_const_t array, size_t x, size_t y, size_t bytes,
                                     enum cudaMemcpyKind kind, cudaStream_t stream)
{
	struct array_copy what = {
	    .array = array, .x_bytes = x, .y = y, .memory = to, .width_bytes = bytes, .kind = kind};
	RUNTIME_CALL(ON_STREAM(stream, copy_run(rt, what, FROM_ARRAY)));
}

cudaError_t cudaMemcpy2DToArray(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
                                size_t width, size_t height, enum cudaMemcpyKind kind)
{
	struct array_copy what = {array, x, y, from, pitch, width, height, kind};
	RUNTIME_LEGACY(copy_rectangle(rt, what, TO_ARRAY));
}

cudaError_t cudaMemcpy2DToArrayAsync(cudaArray_t array, size_t x, size_t y, const void *from, size_t pitch,
                                     size_t width, size_t height, enum cudaMemcpyKind kind,
                                     cudaStream_t stream)
{
	struct array_copy what = {array, x, y, from, pitch, width, height, kind};
	RUNTIME_CALL(ON_STREAM(stream, copy_rectangle(rt, what, TO_ARRAY)));
}

cudaError_t cudaMemcpy2DFromArray(void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
                                  size_t width, size_t height, enum cudaMemcpyKind kind)
{
	struct array_copy what = {array, x, y, to, pitch, width, height, kind};
	RUNTIME_LEGACY(copy_rectangle(rt, what, FROM_ARRAY));
}

cudaError_t cudaMemcpy2DFromArrayAsync(void *to, size_t pitch, cudaArray_const_t array, size_t x, size_t y,
                                       size_t width, size_t height, enum cudaMemcpyKind kind,
                                       cudaStream_t stream)
{
	struct array_copy what = {array, x, y, to, pitch, width, height, kind};
	RUNTIME_CALL(ON_STREAM(stream, copy_rectangle(rt, what, FROM_ARRAY)));
}
