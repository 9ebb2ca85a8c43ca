/* From the API's descriptors to what the executor reads (cuda/memory/texture.h). */
#ifndef SLUICE_CUDART_TEXTURE_MAKE_H
#define SLUICE_CUDART_TEXTURE_MAKE_H

#include "cudart/array.h"

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

cudaError_t texture_make(const struct runtime *rt, const struct texels *texels,
                         const struct sampling *sampling, struct texture *out);

#endif
