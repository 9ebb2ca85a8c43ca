/* Tensor maps: what may be encoded. */
#include <string.h>

#include "checks.h"

#include <cuda.h>

static CUtensorMap map;

/* A tensor of 64 x 32 halves with boxes of 16 x 8, but for what a test changes. */
struct wish {
	CUtensorMapDataType type;
	unsigned rank;
	uintptr_t address;
	uint64_t size[2], stride;
	unsigned box[2], each[2];
	CUtensorMapInterleave interleave;
	CUtensorMapSwizzle swizzle;
	CUtensorMapFloatOOBfill fill;
};
#define WISH                                                                                                 \
	{                                                                                                    \
		CU_TENSOR_MAP_DATA_TYPE_FLOAT16, 2, 0x1000, {64, 32}, 128, {16, 8}, {1, 1},                  \
		    CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_32B,                                \
		    CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE                                                        \
	}

static CUresult encode(const struct wish *w)
{
	return cuTensorMapEncodeTiled(&map, w->type, w->rank, (void *)w->address, w->size, &w->stride, w->box,
	                              w->each, w->interleave, w->swizzle, CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
	                              w->fill);
}

TEST(a_map_is_encoded_and_its_address_can_be_replaced)
{
	struct wish w = WISH;
	CHECK_EQ(encode(&w), CUDA_SUCCESS);
	CUtensorMap first = map;
	CHECK_EQ(cuTensorMapReplaceAddress(&map, (void *)(uintptr_t)0x2000), CUDA_SUCCESS);
	CHECK(memcmp(&first, &map, sizeof map) != 0);
	w.address = 0x2000;
	first = map;
	CHECK_EQ(encode(&w), CUDA_SUCCESS);
	CHECK(!memcmp(&first, &map, sizeof map));
	CHECK_EQ(cuTensorMapReplaceAddress(&map, (void *)(uintptr_t)0x2001), CUDA_ERROR_INVALID_VALUE);
	memset(&map, 0, sizeof map);
	CHECK_EQ(cuTensorMapReplaceAddress(&map, (void *)(uintptr_t)0x2000), CUDA_ERROR_INVALID_VALUE);
}

#define REFUSES(...)                                                                                         \
	do {                                                                                                 \
		struct wish w = WISH;                                                                        \
		__VA_ARGS__;                                                                                 \
		CHECK_EQ(encode(&w), CUDA_ERROR_INVALID_VALUE);                                              \
	} while (0)

TEST(what_the_manual_forbids_is_refused)
{
	REFUSES(w.rank = 0);
	REFUSES(w.rank = 6);
	REFUSES(w.address = 0x1008);
	REFUSES(w.size[1] = 0);
	REFUSES(w.stride = 120);
	REFUSES(w.box[1] = 257);
	REFUSES(w.box[0] = 4);  /* 8 bytes */
	REFUSES(w.box[0] = 32); /* 64 bytes, more than are exchanged */
	REFUSES(w.each[0] = 9);
	REFUSES(w.type = (CUtensorMapDataType)99);
	REFUSES(w.type = CU_TENSOR_MAP_DATA_TYPE_UINT16;
	        w.fill = CU_TENSOR_MAP_FLOAT_OOB_FILL_NAN_REQUEST_ZERO_FMA);
	struct wish w = WISH;
	w.interleave = CU_TENSOR_MAP_INTERLEAVE_16B;
	CHECK_EQ(encode(&w), CUDA_ERROR_NOT_SUPPORTED);
}

TESTS(true)
