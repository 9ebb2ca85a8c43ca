/* cudaMemcpy3D: boxes between arrays and pitched memory, in any combination. */
#include "cudart/array.h"
#include "cudart/calls.h"
#include "cudart/operation.h"

#include <cuda_runtime_api.h>

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

cudaError_t cudaMemcpy3D(const struct cudaMemcpy3DParms *p)
{
	RUNTIME_LEGACY(copy_3d(rt, p));
}

cudaError_t cudaMemcpy3DAsync(const struct cudaMemcpy3DParms *p, cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_3d(rt, p)));
}

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

cudaError_t cudaMemcpy3DPeer(const struct cudaMemcpy3DPeerParms *p)
{
	RUNTIME_LEGACY(copy_3d_peer(rt, p));
}

cudaError_t cudaMemcpy3DPeerAsync(const struct cudaMemcpy3DPeerParms *p, cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, copy_3d_peer(rt, p)));
}

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
