/* Two programs in any size: one that streams, one that thrashes. */
#include "lib/synth.h"

struct trace *synth_vector_add(uint32_t ctas, uint32_t warps, uint32_t warp_size, uint8_t width,
                               uint32_t steps)
{
	struct synth *s = synth_new();
	uint64_t lanes = synth_lanes(warp_size), bytes = (uint64_t)ctas * warps * warp_size * width * steps;
	/* The arrays follow one another, a little apart, as an allocator would lay them. */
	uint64_t x = UINT64_C(0x10000000), y = x + bytes + 512, z = y + bytes + 512;
	synth_kernel(s, &(struct synth_shape){"vector_add", ctas, warps, warp_size, 0, 0});
	for (uint64_t cta = 0; cta < ctas; cta++)
		for (uint32_t w = 0; w < warps; w++) {
			synth_warp(s, cta, w);
			synth_plain(s, synth_op(0, OP_IMAD, 2, 0), lanes);
			for (uint64_t i = 0; i < steps; i++) {
				uint64_t at = ((i * ctas + cta) * warps + w) * warp_size * width;
				synth_stride(s, synth_memory(1, OP_LOAD, SPACE_GLOBAL, width, 4, 2), lanes,
				             x + at, width);
				synth_stride(s, synth_memory(2, OP_LOAD, SPACE_GLOBAL, width, 8, 2), lanes,
				             y + at, width);
				synth_plain(s, synth_op(3, OP_FP32, 4, 4), lanes);
				synth_plain(s, synth_op(4, OP_FP32, 4, 8), lanes);
				synth_stride(s, synth_memory(5, OP_STORE, SPACE_GLOBAL, width, 4, 2), lanes,
				             z + at, width);
				synth_plain(s, synth_op(6, OP_BRANCH, 0, 0), lanes);
			}
			synth_plain(s, synth_op(7, OP_EXIT, 0, 0), lanes);
		}
	return synth_finish(s);
}

struct trace *synth_row_walk(uint32_t ctas, uint32_t warps, uint32_t warp_size, uint32_t pitch_bytes,
                             uint32_t steps)
{
	struct synth *s = synth_new();
	uint64_t lanes = synth_lanes(warp_size), matrix = UINT64_C(0x10000000), vector = UINT64_C(0x8000000);
	synth_kernel(s, &(struct synth_shape){"row_walk", ctas, warps, warp_size, 0, 0});
	for (uint64_t cta = 0; cta < ctas; cta++)
		for (uint32_t w = 0; w < warps; w++) {
			uint64_t row = matrix + (cta * warps + w) * warp_size * pitch_bytes;
			synth_warp(s, cta, w);
			for (uint64_t j = 0; j < steps; j++) {
				synth_stride(s, synth_load(1, 4, 2), lanes, row + 4 * j, pitch_bytes);
				synth_stride(s, synth_load(2, 5, 2), lanes, vector + 4 * j, 0);
				synth_plain(s, synth_op(3, OP_FP32, 6, 4), lanes);
				synth_plain(s, synth_op(4, OP_FP32, 6, 5), lanes);
				synth_plain(s, synth_op(5, OP_INT, 2, 2), lanes);
				synth_plain(s, synth_op(6, OP_BRANCH, 0, 0), lanes);
			}
			synth_plain(s, synth_op(7, OP_EXIT, 0, 0), lanes);
		}
	return synth_finish(s);
}
