/* What a texture handle refers to: filled by the runtime, read by the executor. */
#ifndef SLUICE_CUDA_MEMORY_TEXTURE_H
#define SLUICE_CUDA_MEMORY_TEXTURE_H

#include <stdbool.h>
#include <stdint.h>

enum texture_address { TEXTURE_WRAP, TEXTURE_CLAMP, TEXTURE_MIRROR, TEXTURE_BORDER };
enum texture_filter { TEXTURE_POINT, TEXTURE_LINEAR };
enum texel_kind { TEXEL_SIGNED, TEXEL_UNSIGNED, TEXEL_FLOAT };

struct texture {
	uint64_t address;      /* first texel, device memory; 0: not bound */
	uint32_t dimensions;   /* 1, 2 or 3 */
	bool is_linear_memory; /* bound to plain memory: integer coordinates, out of range reads give 0 */
	uint64_t width, height, depth; /* texels; of linear memory: how many */
	uint64_t pitch_bytes, slice_bytes;
	uint8_t channels, channel_bits; /* 1, 2, 4 x 8, 16, 32 */
	uint8_t kind;                   /* enum texel_kind */
	uint8_t address_mode[3];        /* enum texture_address */
	uint8_t filter;                 /* enum texture_filter */
	bool normalized_coordinates;
	bool read_normalized_float; /* integer texels are read as [0,1] or [-1,1] */
};

#endif
