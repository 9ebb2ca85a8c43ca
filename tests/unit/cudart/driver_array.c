/* The driver API's arrays: made, described, filled, copied, read through texture objects, and refused. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

/* NULL: refused, which the first use will tell. */
static CUarray new_array(size_t width, size_t height, CUarray_format format, unsigned channels)
{
	CUarray array = NULL;
	return cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){width, height, format, channels}) ? NULL
	                                                                                        : array;
}

TEST(arrays_are_described_as_they_were_made)
{
	static const CUarray_format formats[] = {CU_AD_FORMAT_UNSIGNED_INT8,  CU_AD_FORMAT_UNSIGNED_INT16,
	                                         CU_AD_FORMAT_UNSIGNED_INT32, CU_AD_FORMAT_SIGNED_INT8,
	                                         CU_AD_FORMAT_SIGNED_INT16,   CU_AD_FORMAT_SIGNED_INT32,
	                                         CU_AD_FORMAT_HALF,           CU_AD_FORMAT_FLOAT};
	CUDA_ARRAY_DESCRIPTOR got;
	for (size_t i = 0; i < sizeof formats / sizeof *formats; i++)
		for (unsigned channels = 1; channels <= 4; channels *= 2) {
			CUarray array = new_array(16, 4, formats[i], channels);
			OK(cuArrayGetDescriptor(&got, array), cuArrayDestroy(array));
			CHECK(got.Width == 16 && got.Height == 4);
			CHECK(got.Format == formats[i] && got.NumChannels == channels);
		}
	CUarray solid;
	CUDA_ARRAY3D_DESCRIPTOR whole, wanted = {8, 4, 2, CU_AD_FORMAT_FLOAT, 1, CUDA_ARRAY3D_SURFACE_LDST};
	OK(cuArray3DCreate(&solid, &wanted), cuArray3DGetDescriptor(&whole, solid), cuArrayDestroy(solid));
	CHECK(whole.Depth == 2 && whole.Flags == CUDA_ARRAY3D_SURFACE_LDST);
}

TEST(wrong_arrays_are_refused)
{
	CUarray array;
	RETURNS(INVALID_VALUE, cuArrayCreate(&array, NULL),
	        cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){8, 8, CU_AD_FORMAT_FLOAT, 3}),
	        cuArrayCreate(&array, &(CUDA_ARRAY_DESCRIPTOR){8, 8, (CUarray_format)99, 1}),
	        cuArrayGetDescriptor(NULL, NULL));
}

TEST(bytes_come_back_from_an_array)
{
	enum { WIDTH = 16, HEIGHT = 4 };
	uint8_t from[HEIGHT][WIDTH], to[HEIGHT][WIDTH] = {{0}}, line[WIDTH];
	for (int i = 0; i < WIDTH * HEIGHT; i++)
		from[i / WIDTH][i % WIDTH] = (uint8_t)(i * 7);
	CUarray array = new_array(WIDTH, HEIGHT, CU_AD_FORMAT_UNSIGNED_INT8, 1),
	        other = new_array(WIDTH, HEIGHT, CU_AD_FORMAT_UNSIGNED_INT8, 1);
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_HOST,
	                      .srcHost = from,
	                      .dstMemoryType = CU_MEMORYTYPE_ARRAY,
	                      .dstArray = array,
	                      .WidthInBytes = WIDTH,
	                      .Height = HEIGHT};
	OK(cuMemcpy2D(&copy));
	copy = (CUDA_MEMCPY2D){.srcMemoryType = CU_MEMORYTYPE_ARRAY,
	                       .srcArray = array,
	                       .dstMemoryType = CU_MEMORYTYPE_ARRAY,
	                       .dstArray = other,
	                       .WidthInBytes = WIDTH,
	                       .Height = HEIGHT};
	OK(cuMemcpy2D(&copy));
	copy.srcArray = other;
	copy.dstMemoryType = CU_MEMORYTYPE_HOST;
	copy.dstHost = to;
	OK(cuMemcpy2D(&copy));
	CHECK(!memcmp(from, to, sizeof from));
	CUdeviceptr device;
	OK(cuMemAlloc(&device, WIDTH), cuMemcpyHtoA(array, 0, from[3], WIDTH),
	   cuMemcpyAtoD(device, array, 0, WIDTH), cuMemcpyDtoA(other, 0, device, WIDTH),
	   cuMemcpyAtoH(line, other, 0, WIDTH), cuMemFree(device));
	CHECK(!memcmp(line, from[3], WIDTH));
	OK(cuArrayDestroy(array), cuArrayDestroy(other));
}

TEST(texture_objects_stand_for_arrays_and_memory)
{
	CUtexObject object;
	CUdeviceptr memory;
	CUarray array = new_array(8, 8, CU_AD_FORMAT_UNSIGNED_INT8, 4);
	CUDA_TEXTURE_DESC how = {.filterMode = CU_TR_FILTER_MODE_LINEAR};
	CUDA_RESOURCE_DESC what = {.resType = CU_RESOURCE_TYPE_ARRAY, .res.array.hArray = array};
	struct cudaTextureDesc got;
	OK(cuTexObjectCreate(&object, &what, &how, NULL), cudaGetTextureObjectTextureDesc(&got, object),
	   cuTexObjectDestroy(object));
	CHECK_EQ(got.readMode, cudaReadModeNormalizedFloat);
	how = (CUDA_TEXTURE_DESC){.flags = CU_TRSF_READ_AS_INTEGER | CU_TRSF_NORMALIZED_COORDINATES};
	OK(cuTexObjectCreate(&object, &what, &how, NULL), cudaGetTextureObjectTextureDesc(&got, object),
	   cuTexObjectDestroy(object), cuMemAlloc(&memory, 4096));
	CHECK_EQ(got.readMode, cudaReadModeElementType);
	CHECK_EQ(got.normalizedCoords, 1);
	how.flags = 0;
	what = (CUDA_RESOURCE_DESC){.resType = CU_RESOURCE_TYPE_LINEAR};
	what.res.linear.devPtr = memory;
	what.res.linear.format = CU_AD_FORMAT_FLOAT;
	what.res.linear.numChannels = 1;
	what.res.linear.sizeInBytes = 4096;
	OK(cuTexObjectCreate(&object, &what, &how, NULL), cuTexObjectDestroy(object));
	what.res.linear.numChannels = 3;
	RETURNS(INVALID_VALUE, cuTexObjectCreate(&object, &what, &how, NULL),
	        cuTexObjectCreate(&object, NULL, &how, NULL), cuTexObjectCreate(NULL, &what, &how, NULL));
	what.resType = CU_RESOURCE_TYPE_MIPMAPPED_ARRAY;
	RETURNS(NOT_SUPPORTED, cuTexObjectCreate(&object, &what, &how, NULL),
	        cuTexObjectCreate(&object, &what, &how, &(CUDA_RESOURCE_VIEW_DESC){0}));
	OK(cuMemFree(memory), cuArrayDestroy(array));
}

TESTS(!cuInit(0) && !cudaFree(NULL))
