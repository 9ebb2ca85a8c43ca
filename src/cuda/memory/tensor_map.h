/*
 * What the 128 bytes of a tensor map hold, which CUDA leaves open: written by the driver API, read by bulk copies. Dimension
 * 0 is the innermost.
 */
#ifndef SLUICE_CUDA_MEMORY_TENSOR_MAP_H
#define SLUICE_CUDA_MEMORY_TENSOR_MAP_H

#include <stdint.h>

enum { TENSOR_MAP_BYTES = 128, TENSOR_MAP_ALIGN = 64, TENSOR_DIMENSIONS = 5 };
#define TENSOR_MAP_MAGIC UINT32_C(0x70616d74)

struct tensor_map {
	uint32_t magic;
	uint8_t rank, element_bytes;
	uint8_t swizzle_bytes; /* 0, 32, 64 or 128 */
	uint8_t fills_nan;     /* outside of the tensor; else zeros */
	uint64_t address;
	uint64_t size[TENSOR_DIMENSIONS];
	uint64_t stride[TENSOR_DIMENSIONS - 1]; /* in bytes, of dimension 1 and up */
	uint8_t box[TENSOR_DIMENSIONS];         /* less one */
	uint8_t each[TENSOR_DIMENSIONS];        /* of so many elements, one is copied */
	uint8_t is_bfloat, unused[29];
};
_Static_assert(sizeof(struct tensor_map) == TENSOR_MAP_BYTES, "CUtensorMap");

#endif
