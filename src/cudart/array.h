/* CUDA arrays: memory for textures, here simply rows one after the other. */
#ifndef SLUICE_CUDART_ARRAY_H
#define SLUICE_CUDART_ARRAY_H

#include "cudart/copy.h"

struct array {
	struct cudaChannelFormatDesc format;
	struct cudaExtent extent; /* texels; height and depth 0: one- and two-dimensional */
	unsigned flags;
	uint64_t address;
	size_t texel_bytes, pitch_bytes;
};

/* NULL: no such array. */
struct array *array_find(const struct runtime *rt, cudaArray_const_t array);
/* Bytes of a texel, 0: not a format that textures have. */
size_t array_texel_bytes(const struct cudaChannelFormatDesc *format);
size_t array_slice_bytes(const struct array *array);

#endif
