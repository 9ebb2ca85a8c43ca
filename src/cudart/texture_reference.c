/*
 * Texture references: texture<> variables of the program, bound to memory or
 * arrays. What the variable says at the moment of binding counts.
 */
#include "cudart/calls.h"
#include "cudart/texture_make.h"

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

cudaError_t cudaBindTextureToArray(const struct textureReference *reference, cudaArray_const_t array,
                                   const struct cudaChannelFormatDesc *format)
{
	RUNTIME_CALL(bind_array(rt, reference, array, format));
}

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

cudaError_t cudaUnbindTexture(const struct textureReference *reference)
{
	RUNTIME_CALL(unbind(rt, reference));
}

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

cudaError_t cudaGetTextureAlignmentOffset(size_t *offset, const struct textureReference *reference)
{
	RUNTIME_CALL(alignment_offset(rt, offset, reference));
}

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

cudaError_t cudaGetTextureReference(const struct textureReference **out, const void *symbol)
{
	RUNTIME_CALL(find_reference(rt, out, symbol));
}

struct cudaChannelFormatDesc cudaCreateChannelDesc(int x, int y, int z, int w, enum cudaChannelFormatKind f)
{
	return (struct cudaChannelFormatDesc){.x = x, .y = y, .z = z, .w = w, .f = f};
}
