/* Checks and fills a texture; see texture_make.h. Left out: mip levels, sRGB, anisotropy. */
#include "cudart/texture_make.h"

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

cudaError_t texture_make(const struct runtime *rt, const struct texels *texels,
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
