/* Texture objects: handles that kernels get as arguments, and the descriptors they were made from. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/texture_make.h"

struct texture_object {
	struct texture_object *next;
	uint64_t handle;
	struct cudaResourceDesc resource;
	struct cudaTextureDesc description;
};

static struct texture_object **find(struct runtime *rt, uint64_t handle)
{
	struct texture_object **at = &rt->textures;
	while (*at && (*at)->handle != handle)
		at = &(*at)->next;
	return at;
}

static cudaError_t resource_texels(const struct cudaResourceDesc *resource, struct texels *texels)
{
	*texels = (struct texels){.type = resource->resType};
	switch (resource->resType) {
	case cudaResourceTypeArray:
		texels->array = resource->res.array.array;
		return cudaSuccess;
	case cudaResourceTypeLinear:
		texels->address = (uintptr_t)resource->res.linear.devPtr;
		texels->format = resource->res.linear.desc;
		texels->bytes = resource->res.linear.sizeInBytes;
		return cudaSuccess;
	case cudaResourceTypePitch2D:
		texels->address = (uintptr_t)resource->res.pitch2D.devPtr;
		texels->format = resource->res.pitch2D.desc;
		texels->width = resource->res.pitch2D.width;
		texels->height = resource->res.pitch2D.height;
		texels->pitch = resource->res.pitch2D.pitchInBytes;
		return cudaSuccess;
	default:
		return cudaErrorNotSupported;
	}
}

static cudaError_t description_sampling(const struct cudaTextureDesc *description, struct sampling *sampling)
{
	*sampling = (struct sampling){.filter = description->filterMode,
	                              .read_mode = description->readMode,
	                              .normalized_coordinates = description->normalizedCoords != 0,
	                              .is_srgb = description->sRGB != 0};
	for (unsigned i = 0; i < 3; i++)
		sampling->address_mode[i] = description->addressMode[i];
	for (unsigned i = 0; i < 4; i++)
		if (description->borderColor[i] != 0)
			return cudaErrorNotSupported;
	return cudaSuccess;
}

static cudaError_t object_make(struct runtime *rt, const struct cudaResourceDesc *resource,
                               const struct cudaTextureDesc *description, struct texture *texture)
{
	struct texels texels;
	struct sampling sampling;
	cudaError_t result = resource_texels(resource, &texels);
	if (!result)
		result = description_sampling(description, &sampling);
	if (!result && texels.type != cudaResourceTypeArray &&
	    (!texels.address || texels.address % rt->properties.textureAlignment ||
	     texels.pitch % rt->properties.texturePitchAlignment))
		result = cudaErrorInvalidValue;
	return result ? result : texture_make(rt, &texels, &sampling, texture);
}

static cudaError_t object_new(struct runtime *rt, cudaTextureObject_t *out,
                              const struct cudaResourceDesc *resource,
                              const struct cudaTextureDesc *description,
                              const struct cudaResourceViewDesc *view)
{
	struct texture texture;
	if (!out || !resource || !description)
		return cudaErrorInvalidValue;
	if (view)
		return cudaErrorNotSupported;
	cudaError_t result = object_make(rt, resource, description, &texture);
	if (result)
		return result;
	struct exec *exec = runtime_exec(rt);
	if (!exec)
		return rt->start_error;
	struct texture_object *object = memory_zeroed(1, sizeof *object);
	object->handle = exec_new_texture(exec, &texture);
	object->resource = *resource;
	object->description = *description;
	object->next = rt->textures;
	rt->textures = object;
	*out = object->handle;
	return cudaSuccess;
}

cudaError_t cudaCreateTextureObject(cudaTextureObject_t *out, const struct cudaResourceDesc *resource,
                                    const struct cudaTextureDesc *description,
                                    const struct cudaResourceViewDesc *view)
{
	RUNTIME_CALL(object_new(rt, out, resource, description, view));
}

static void object_free(struct runtime *rt, struct texture_object **at)
{
	struct texture_object *object = *at;
	*at = object->next;
	exec_free_texture(rt->exec, object->handle);
	free(object);
}

void texture_objects_clear(struct runtime *rt)
{
	while (rt->textures)
		object_free(rt, &rt->textures);
}

/* What is no texture is no error, as on a GPU. */
static cudaError_t object_destroy(struct runtime *rt, cudaTextureObject_t handle)
{
	struct texture_object **at = find(rt, handle);
	if (*at)
		object_free(rt, at);
	return cudaSuccess;
}

cudaError_t cudaDestroyTextureObject(cudaTextureObject_t object)
{
	RUNTIME_CALL(object_destroy(rt, object));
}

static cudaError_t object_facts(struct runtime *rt, cudaTextureObject_t handle,
                                struct cudaResourceDesc *resource, struct cudaTextureDesc *description)
{
	const struct texture_object *object = *find(rt, handle);
	if (!object || (!resource && !description))
		return cudaErrorInvalidValue;
	if (resource)
		*resource = object->resource;
	if (description)
		*description = object->description;
	return cudaSuccess;
}

cudaError_t cudaGetTextureObjectResourceDesc(struct cudaResourceDesc *out, cudaTextureObject_t object)
{
	RUNTIME_CALL(object_facts(rt, object, out, NULL));
}

cudaError_t cudaGetTextureObjectTextureDesc(struct cudaTextureDesc *out, cudaTextureObject_t object)
{
	RUNTIME_CALL(object_facts(rt, object, NULL, out));
}
