/*
 * Textures and surfaces. Texture objects are handles that kernels get as arguments; texture references are texture<>
 * variables of the program, and what the variable says at the moment of binding counts. Surface objects are handles of
 * arrays that kernels read and write element by element. Left out: mip levels, sRGB, anisotropy.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/array.h"
#include "cudart/calls.h"

#include <cuda_runtime_api.h>

/* How texels are read: what a texture reference and a texture object have in common. */
struct sampling {
	enum cudaTextureAddressMode address_mode[3];
	enum cudaTextureFilterMode filter;
	enum cudaTextureReadMode read_mode;
	bool normalized_coordinates, is_srgb;
};

/* What is read. */
struct texels {
	enum cudaResourceType type; /* array, linear or pitched */
	cudaArray_const_t array;
	uint64_t address; /* of the others */
	struct cudaChannelFormatDesc format;
	size_t bytes;                /* linear */
	size_t width, height, pitch; /* pitched */
};

static cudaError_t set_format(struct texture *texture, const struct cudaChannelFormatDesc *format)
{
	static const uint8_t kind[] = {[cudaChannelFormatKindSigned] = TEXEL_SIGNED,
	                               [cudaChannelFormatKindUnsigned] = TEXEL_UNSIGNED,
	                               [cudaChannelFormatKindFloat] = TEXEL_FLOAT};
	size_t bytes = array_texel_bytes(format);
	if (!bytes)
		return cudaErrorInvalidChannelDescriptor;
	texture->channel_bits = (uint8_t)format->x;
	texture->channels = (uint8_t)(bytes * 8 / texture->channel_bits);
	texture->kind = kind[format->f];
	return cudaSuccess;
}

static cudaError_t set_sampling(struct texture *texture, const struct sampling *sampling)
{
	static const uint8_t mode[] = {[cudaAddressModeWrap] = TEXTURE_WRAP,
	                               [cudaAddressModeClamp] = TEXTURE_CLAMP,
	                               [cudaAddressModeMirror] = TEXTURE_MIRROR,
	                               [cudaAddressModeBorder] = TEXTURE_BORDER};
	if (sampling->is_srgb)
		return cudaErrorNotSupported;
	texture->read_normalized_float = sampling->read_mode == cudaReadModeNormalizedFloat;
	if (texture->read_normalized_float && (texture->channel_bits == 32 || texture->kind == TEXEL_FLOAT))
		return cudaErrorInvalidNormSetting;
	if (sampling->filter == cudaFilterModeLinear && texture->kind != TEXEL_FLOAT &&
	    !texture->read_normalized_float)
		return cudaErrorInvalidFilterSetting;
	if ((unsigned)sampling->filter > cudaFilterModeLinear)
		return cudaErrorInvalidValue;
	texture->filter = sampling->filter == cudaFilterModeLinear ? TEXTURE_LINEAR : TEXTURE_POINT;
	texture->normalized_coordinates = sampling->normalized_coordinates;
	for (unsigned i = 0; i < 3; i++) {
		if ((unsigned)sampling->address_mode[i] > cudaAddressModeBorder)
			return cudaErrorInvalidValue;
		texture->address_mode[i] = mode[sampling->address_mode[i]];
		/* Wrapping and mirroring exist for normalized coordinates only. */
		if (!sampling->normalized_coordinates && texture->address_mode[i] != TEXTURE_BORDER)
			texture->address_mode[i] = TEXTURE_CLAMP;
	}
	return cudaSuccess;
}

static void set_array(const struct array *array, struct texture *texture)
{
	bool is_layered = array->flags & (cudaArrayLayered | cudaArrayCubemap);
	texture->address = array->address;
	texture->dimensions = array->extent.depth && !is_layered ? 3 : array->extent.height ? 2 : 1;
	texture->width = array->extent.width;
	texture->height = array->extent.height ? array->extent.height : 1;
	texture->depth = array->extent.depth ? array->extent.depth : 1;
	texture->pitch_bytes = array->pitch_bytes;
	texture->slice_bytes = array_slice_bytes(array);
}

static cudaError_t set_pitched(const struct runtime *rt, const struct texels *texels, struct texture *texture,
                               size_t texel_bytes)
{
	const int *limit = rt->properties.maxTexture2DLinear;
	struct memory_range range;
	uint64_t span;
	if (!texels->width || !texels->height || texels->width > (size_t)limit[0] ||
	    texels->height > (size_t)limit[1] || texels->pitch < texels->width * texel_bytes)
		return cudaErrorInvalidValue;
	if (__builtin_mul_overflow(texels->pitch, texels->height - 1, &span) ||
	    !device_memory_find(rt->memory, texels->address, &range) ||
	    span + texels->width * texel_bytes > range.end - texels->address)
		return cudaErrorInvalidValue;
	texture->address = texels->address;
	texture->dimensions = 2;
	texture->width = texels->width;
	texture->height = texels->height;
	texture->depth = 1;
	texture->pitch_bytes = texels->pitch;
	texture->slice_bytes = texels->pitch * texels->height;
	return cudaSuccess;
}

/* Programs leave the size at "all there is": it ends with the allocation, reads behind it give 0. */
static cudaError_t set_linear(const struct runtime *rt, const struct texels *texels, struct texture *texture,
                              size_t texel_bytes)
{
	struct memory_range range;
	if (!device_memory_find(rt->memory, texels->address, &range))
		return cudaErrorInvalidValue;
	uint64_t bytes = range.end - texels->address;
	bytes = texels->bytes < bytes ? texels->bytes : bytes;
	texture->address = texels->address;
	texture->dimensions = 1;
	texture->is_linear_memory = true;
	texture->width = bytes / texel_bytes;
	texture->height = texture->depth = 1;
	texture->pitch_bytes = texture->slice_bytes = bytes;
	return cudaSuccess;
}

static cudaError_t texture_make(const struct runtime *rt, const struct texels *texels,
                                const struct sampling *sampling, struct texture *out)
{
	struct texture texture = {0};
	const struct array *array =
	    texels->type == cudaResourceTypeArray ? array_find(rt, texels->array) : NULL;
	if (texels->type == cudaResourceTypeArray && !array)
		return cudaErrorInvalidResourceHandle;
	cudaError_t result = set_format(&texture, array ? &array->format : &texels->format);
	if (!result)
		result = set_sampling(&texture, sampling);
	if (result)
		return result;
	size_t texel_bytes = (size_t)texture.channels * texture.channel_bits / 8;
	if (array)
		set_array(array, &texture);
	else if (texels->type == cudaResourceTypePitch2D)
		result = set_pitched(rt, texels, &texture, texel_bytes);
	else
		result = set_linear(rt, texels, &texture, texel_bytes);
	if (!result)
		*out = texture;
	return result;
}

/* ---- texture objects ----------------------------------------------------------------------------------------- */

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

API(RUNTIME_CALL, cudaCreateTextureObject,
    (cudaTextureObject_t * out, const struct cudaResourceDesc *resource,
     const struct cudaTextureDesc *description, const struct cudaResourceViewDesc *view),
    object_new(rt, out, resource, description, view))

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

API(RUNTIME_CALL, cudaDestroyTextureObject, (cudaTextureObject_t object), object_destroy(rt, object))

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

API(RUNTIME_CALL, cudaGetTextureObjectResourceDesc,
    (struct cudaResourceDesc * out, cudaTextureObject_t object), object_facts(rt, object, out, NULL))
API(RUNTIME_CALL, cudaGetTextureObjectTextureDesc, (struct cudaTextureDesc * out, cudaTextureObject_t object),
    object_facts(rt, object, NULL, out))

/* ---- texture references -------------------------------------------------------------------------------------- */

static cudaError_t bind(struct runtime *rt, const struct textureReference *reference,
                        const struct texels *texels, size_t offset)
{
	struct symbol *symbol;
	struct texture *texture;
	cudaError_t result = registry_texture(rt, reference, &symbol, &texture);
	if (result)
		return result;
	struct sampling sampling = {.filter = reference->filterMode,
	                            .read_mode = symbol->reads_normalized ? cudaReadModeNormalizedFloat
	                                                                  : cudaReadModeElementType,
	                            .normalized_coordinates = reference->normalized != 0,
	                            .is_srgb = reference->sRGB != 0};
	for (unsigned i = 0; i < 3; i++)
		sampling.address_mode[i] = reference->addressMode[i];
	result = texture_make(rt, texels, &sampling, texture);
	symbol->is_bound = !result;
	symbol->bound_offset = offset;
	return result;
}

/* Textures start at aligned addresses; what is left over is the caller's to add to coordinates. */
static cudaError_t bind_memory(struct runtime *rt, size_t *offset, const struct textureReference *reference,
                               struct texels *texels)
{
	if (!texels->address)
		return cudaErrorInvalidValue;
	size_t misalignment = texels->address % rt->properties.textureAlignment;
	if (misalignment && !offset)
		return cudaErrorInvalidValue;
	if (offset)
		*offset = misalignment;
	texels->address -= misalignment;
	texels->bytes += misalignment;
	return bind(rt, reference, texels, misalignment);
}

cudaError_t cudaBindTexture(size_t *offset, const struct textureReference *reference, const void *pointer,
                            const struct cudaChannelFormatDesc *format, size_t bytes)
{
	struct texels texels = {
	    .type = cudaResourceTypeLinear, .address = (uintptr_t)pointer, .bytes = bytes};
	if (format)
		texels.format = *format;
	RUNTIME_CALL(format ? bind_memory(rt, offset, reference, &texels) : cudaErrorInvalidValue);
}

cudaError_t cudaBindTexture2D(size_t *offset, const struct textureReference *reference, const void *pointer,
                              const struct cudaChannelFormatDesc *format, size_t width, size_t height,
                              size_t pitch)
{
	struct texels texels = {.type = cudaResourceTypePitch2D,
	                        .address = (uintptr_t)pointer,
	                        .width = width,
	                        .height = height,
	                        .pitch = pitch};
	if (format)
		texels.format = *format;
	RUNTIME_CALL(!format ? cudaErrorInvalidValue
	             : pitch % (size_t)rt->properties.texturePitchAlignment
	                 ? cudaErrorInvalidPitchValue
	                 : bind_memory(rt, offset, reference, &texels));
}

static bool same_format(const struct cudaChannelFormatDesc *a, const struct cudaChannelFormatDesc *b)
{
	return a->x == b->x && a->y == b->y && a->z == b->z && a->w == b->w && a->f == b->f;
}

static cudaError_t bind_array(struct runtime *rt, const struct textureReference *reference,
                              cudaArray_const_t handle, const struct cudaChannelFormatDesc *format)
{
	const struct array *array = array_find(rt, handle);
	if (!array)
		return cudaErrorInvalidResourceHandle;
	if (format && !same_format(format, &array->format))
		return cudaErrorInvalidChannelDescriptor;
	return bind(rt, reference, &(struct texels){.type = cudaResourceTypeArray, .array = handle}, 0);
}

API(RUNTIME_CALL, cudaBindTextureToArray,
    (const struct textureReference *reference, cudaArray_const_t array,
     const struct cudaChannelFormatDesc *format),
    bind_array(rt, reference, array, format))

static cudaError_t unbind(struct runtime *rt, const struct textureReference *reference)
{
	struct symbol *symbol;
	struct texture *texture;
	cudaError_t result = registry_texture(rt, reference, &symbol, &texture);
	if (result)
		return result;
	*texture = (struct texture){0};
	symbol->is_bound = false;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaUnbindTexture, (const struct textureReference *reference), unbind(rt, reference))

static cudaError_t alignment_offset(struct runtime *rt, size_t *offset,
                                    const struct textureReference *reference)
{
	const struct symbol *symbol = registry_find(&rt->registry, reference, SYMBOL_TEXTURE);
	if (!symbol)
		return cudaErrorInvalidTexture;
	if (!symbol->is_bound)
		return cudaErrorInvalidTextureBinding;
	if (!offset)
		return cudaErrorInvalidValue;
	*offset = symbol->bound_offset;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGetTextureAlignmentOffset, (size_t * offset, const struct textureReference *reference),
    alignment_offset(rt, offset, reference))

/* By the variable itself, or by its name as in CUDA 4 and before. */
static cudaError_t find_reference(struct runtime *rt, const struct textureReference **out, const void *what)
{
	bool duplicate = false;
	if (!out || !what)
		return cudaErrorInvalidValue;
	const struct symbol *symbol = registry_find(&rt->registry, what, SYMBOL_TEXTURE);
	if (!symbol)
		symbol = registry_find_name(&rt->registry, what, SYMBOL_TEXTURE, &duplicate);
	if (!symbol || duplicate)
		return duplicate ? cudaErrorDuplicateTextureName : cudaErrorInvalidTexture;
	*out = symbol->host;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGetTextureReference, (const struct textureReference **out, const void *symbol),
    find_reference(rt, out, symbol))

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = f};
}

/* ---- surface objects ----------------------------------------------------------------------------------------- */

struct surface_object {
	struct surface_object *next;
	uint64_t handle;
	struct cudaResourceDesc resource;
};

static struct surface_object **find_surface(struct runtime *rt, uint64_t handle)
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

static cudaError_t create_surface(struct runtime *rt, cudaSurfaceObject_t *out,
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

API(RUNTIME_CALL, cudaCreateSurfaceObject,
    (cudaSurfaceObject_t * out, const struct cudaResourceDesc *resource), create_surface(rt, out, resource))

static void surface_free(struct runtime *rt, struct surface_object **at)
{
	struct surface_object *object = *at;
	*at = object->next;
	exec_free_texture(rt->exec, object->handle);
	free(object);
}

void surface_objects_clear(struct runtime *rt)
{
	while (rt->surfaces)
		surface_free(rt, &rt->surfaces);
}

/* What is no surface is no error, as on a GPU. */
static cudaError_t destroy_surface(struct runtime *rt, cudaSurfaceObject_t handle)
{
	struct surface_object **at = find_surface(rt, handle);
	if (*at)
		surface_free(rt, at);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDestroySurfaceObject, (cudaSurfaceObject_t object), destroy_surface(rt, object))

static cudaError_t describe_surface(struct runtime *rt, struct cudaResourceDesc *out,
                                    cudaSurfaceObject_t handle)
{
	const struct surface_object *object = *find_surface(rt, handle);
	if (!object || !out)
		return cudaErrorInvalidValue;
	*out = object->resource;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGetSurfaceObjectResourceDesc,
    (struct cudaResourceDesc * out, cudaSurfaceObject_t object), describe_surface(rt, out, object))
