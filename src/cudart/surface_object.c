/* Surface objects: handles of arrays that kernels read and write element by element. */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/texture_make.h"

#include <cuda_runtime_api.h>

struct surface_object {
	struct surface_object *next;
	uint64_t handle;
	struct cudaResourceDesc resource;
};

static struct surface_object **find(struct runtime *rt, uint64_t handle)
{
	struct surface_object **at = &rt->surfaces;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

/* As measured: of memory the format is looked at first; mip levels, which are left out, are no handle. */
static cudaError_t refuse(const struct cudaResourceDesc *resource)
{
	const struct cudaChannelFormatDesc *format = NULL;
	if (resource->resType == cudaResourceTypeLinear)
		format = &resource->res.linear.desc;
	if (resource->resType == cudaResourceTypePitch2D)
		format = &resource->res.pitch2D.desc;
	if (!format)
		return cudaErrorInvalidResourceHandle;
	return array_texel_bytes(format) ? cudaErrorInvalidValue : cudaErrorInvalidChannelDescriptor;
}

static cudaError_t create(struct runtime *rt, cudaSurfaceObject_t *out,
                          const struct cudaResourceDesc *resource)
{
	struct texture texture;
	const struct sampling sampling = {.filter = cudaFilterModePoint};
	if (!out || !resource)
		return cudaErrorInvalidValue;
	if (resource->resType != cudaResourceTypeArray)
		return refuse(resource);
	struct texels texels = {.type = cudaResourceTypeArray, .array = resource->res.array.array};
	cudaError_t result = texture_make(rt, &texels, &sampling, &texture);
	if (result)
		return result;
	struct exec *exec = runtime_exec(rt);
	if (!exec)
		return rt->start_error;
	struct surface_object *object = memory_zeroed(1, sizeof *object);
	*object = (struct surface_object){
	    .next = rt->surfaces, .handle = exec_new_texture(exec, &texture), .resource = *resource};
	rt->surfaces = object;
	*out = object->handle;
	return cudaSuccess;
}

cudaError_t cudaCreateSurfaceObject(cudaSurfaceObject_t *out, const struct cudaResourceDesc *resource)
{
	RUNTIME_CALL(create(rt, out, resource));
}

static void object_free(struct runtime *rt, struct surface_object **at)
{
	struct surface_object *object = *at;
	*at = object->next;
	exec_free_texture(rt->exec, object->handle);
	free(object);
}

void surface_objects_clear(struct runtime *rt)
{
	while (rt->surfaces)
		object_free(rt, &rt->surfaces);
}

/* What is no surface is no error, as on a GPU. */
static cudaError_t destroy(struct runtime *rt, cudaSurfaceObject_t handle)
{
	struct surface_object **at = find(rt, handle);
	if (*at)
		object_free(rt, at);
	return cudaSuccess;
}

cudaError_t cudaDestroySurfaceObject(cudaSurfaceObject_t object)
{
	RUNTIME_CALL(destroy(rt, object));
}

static cudaError_t describe(struct runtime *rt, struct cudaResourceDesc *out, cudaSurfaceObject_t handle)
{
	const struct surface_object *object = *find(rt, handle);
	if (!object || !out)
		return cudaErrorInvalidValue;
	*out = object->resource;
	return cudaSuccess;
}

cudaError_t cudaGetSurfaceObjectResourceDesc(struct cudaResourceDesc *out, cudaSurfaceObject_t object)
{
	RUNTIME_CALL(describe(rt, out, object));
}
