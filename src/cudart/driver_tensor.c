/* Tensor maps, made on the host. */
#include <string.h>

#include "cuda/memory/tensor_map.h"
#include "cudart/driver.h"

#include <cuda_runtime_api.h>

/* Limits that the manual gives. */
enum { BOX_MAX = 256, EACH_MAX = 8, GRANULE = 16 };
#define SIZE_LIMIT (UINT64_C(1) << 32)
#define STRIDE_LIMIT (UINT64_C(1) << 40)

static uint8_t element_bytes(CUtensorMapDataType type)
{
	static const uint8_t bytes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};
	return (unsigned)type < sizeof bytes ? bytes[type] : 0;
}

static bool is_float(CUtensorMapDataType type)
{
	return type >= CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
}

/* The rows of a box begin with multiples of 16 bytes, and fit into the swizzled row. */
static bool is_row_fit(const struct tensor_map *m)
{
	uint32_t row = (m->box[0] + 1u) * m->element_bytes;
	return row % GRANULE == 0 && (!m->swizzle_bytes || row <= m->swizzle_bytes);
}

static bool take_dimension(struct tensor_map *m, uint32_t i, uint64_t size, uint32_t box, uint32_t each)
{
	if (!size || size > SIZE_LIMIT || !box || box > BOX_MAX || !each || each > EACH_MAX)
		return false;
	m->size[i] = size;
	m->box[i] = (uint8_t)(box - 1);
	m->each[i] = (uint8_t)each;
	return true;
}

static bool take_stride(struct tensor_map *m, uint32_t i, uint64_t stride)
{
	m->stride[i] = stride;
	return stride % GRANULE == 0 && stride < STRIDE_LIMIT;
}

static cudaError_t encode(CUtensorMap *out, const struct tensor_map *head, const cuuint64_t *size,
                          const cuuint64_t *stride, const cuuint32_t *box, const cuuint32_t *each)
{
	struct tensor_map m = *head;
	for (uint32_t i = 0; i < m.rank; i++)
		if (!take_dimension(&m, i, size[i], box[i], each[i]) ||
		    (i && !take_stride(&m, i - 1, stride[i - 1])))
			return cudaErrorInvalidValue;
	if (!is_row_fit(&m))
		return cudaErrorInvalidValue;
	memcpy(out, &m, sizeof m);
	return cudaSuccess;
}

/* Interleaved layouts, of compressed images, are not made. */
CUresult cuTensorMapEncodeTiled(CUtensorMap *map, CUtensorMapDataType type, cuuint32_t rank, void *address,
                                const cuuint64_t *size, const cuuint64_t *stride, const cuuint32_t *box,
                                const cuuint32_t *each, CUtensorMapInterleave interleave,
                                CUtensorMapSwizzle swizzle, CUtensorMapL2promotion promotion,
                                CUtensorMapFloatOOBfill fill)
{
	static const uint8_t swizzles[] = {0, 32, 64, 128};
	if (interleave != CU_TENSOR_MAP_INTERLEAVE_NONE || (unsigned)swizzle >= sizeof swizzles)
		return interleave <= CU_TENSOR_MAP_INTERLEAVE_32B ? CUDA_ERROR_NOT_SUPPORTED
		                                                  : CUDA_ERROR_INVALID_VALUE;
	if (!map || (uintptr_t)map % TENSOR_MAP_ALIGN || !element_bytes(type) || !rank ||
	    rank > TENSOR_DIMENSIONS || !address || (uintptr_t)address % GRANULE || !size ||
	    (rank > 1 && !stride) || !box || !each || promotion > CU_TENSOR_MAP_L2_PROMOTION_L2_256B ||
	    (fill && !is_float(type)))
		return CUDA_ERROR_INVALID_VALUE;
	const struct tensor_map head = {.magic = TENSOR_MAP_MAGIC,
	                                .rank = (uint8_t)rank,
	                                .element_bytes = element_bytes(type),
	                                .swizzle_bytes = swizzles[swizzle],
	                                .fills_nan = fill != 0,
	                                .is_bfloat = type == CU_TENSOR_MAP_DATA_TYPE_BFLOAT16,
	                                .address = (uintptr_t)address};
	return driver_result(encode(map, &head, size, stride, box, each));
}

CUresult cuTensorMapReplaceAddress(CUtensorMap *map, void *address)
{
	struct tensor_map m;
	if (!map || !address || (uintptr_t)address % GRANULE)
		return CUDA_ERROR_INVALID_VALUE;
	memcpy(&m, map, sizeof m);
	if (m.magic != TENSOR_MAP_MAGIC)
		return CUDA_ERROR_INVALID_VALUE;
	m.address = (uintptr_t)address;
	memcpy(map, &m, sizeof m);
	return CUDA_SUCCESS;
}
