/* The driver API's memory: allocation, questions about addresses, copies, rectangles, fills. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

static CUdeviceptr as_address(const void *pointer)
{
	return (CUdeviceptr)(uintptr_t)pointer;
}

static void *as_pointer(CUdeviceptr address)
{
	return (void *)(uintptr_t)address;
}

/* ---- allocation --------------------------------------------------------------------------------------------------- */

TEST(every_kind_of_memory_can_be_had_and_given_back)
{
	CUdeviceptr device, pitched, managed, ordered, mapped;
	void *host, *flagged;
	static char plain[4096] __attribute__((aligned(4096)));
	size_t pitch = 0, free_bytes, total;
	OK(cuMemGetInfo(&free_bytes, &total));
	CHECK(free_bytes > 0 && free_bytes <= total);
	OK(cuMemAlloc(&device, 1000));
	OK(cuMemAllocPitch(&pitched, &pitch, 100, 5, 4));
	CHECK(pitch >= 100);
	OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemAllocAsync(&ordered, 64, NULL));
	OK(cuMemAllocHost(&host, 64));
	OK(cuMemHostAlloc(&flagged, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	OK(cuMemHostGetDevicePointer(&mapped, flagged, 0));
	CHECK(mapped == as_address(flagged));
	OK(cuMemHostRegister(plain, sizeof plain, 0));
	CHECK_EQ(cuMemHostRegister(plain, sizeof plain, 0), CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED);
	OK(cuMemHostUnregister(plain));
	CHECK_EQ(cuMemHostUnregister(plain), CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED);
	OK(cuMemFree(device));
	OK(cuMemFree(pitched));
	OK(cuMemFree(managed));
	OK(cuMemFreeAsync(ordered, NULL));
	OK(cuMemFreeHost(host));
	OK(cuMemFreeHost(flagged));
	OK(cuMemFree(0));
	CHECK_EQ(cuMemFree(device), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxSynchronize());
}

TEST(sizes_that_make_no_sense_are_refused)
{
	CUdeviceptr address;
	size_t pitch;
	CHECK_EQ(cuMemAlloc(&address, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemAlloc(NULL, 8), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemAlloc(&address, (size_t)1 << 60), CUDA_ERROR_OUT_OF_MEMORY);
	CHECK_EQ(cuMemAllocManaged(&address, 0, CU_MEM_ATTACH_GLOBAL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemAllocManaged(&address, 8, 0), CUDA_ERROR_INVALID_VALUE);
	static const struct {
		size_t width, height;
		unsigned element;
		CUresult want;
	} rows[] = {{64, 2, 4, 0},
	            {64, 2, 8, 0},
	            {64, 2, 16, 0},
	            {64, 2, 2, CUDA_ERROR_INVALID_VALUE},
	            {64, 2, 0, CUDA_ERROR_INVALID_VALUE},
	            {0, 2, 4, CUDA_ERROR_INVALID_VALUE},
	            {64, 0, 4, CUDA_ERROR_INVALID_VALUE}};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		CUresult got =
		    cuMemAllocPitch(&address, &pitch, rows[i].width, rows[i].height, rows[i].element);
		CHECK_EQ(got, rows[i].want);
		if (!got)
			OK(cuMemFree(address));
	}
}

/* ---- questions --------------------------------------------------------------------------------------------------------- */

TEST(an_address_range_is_the_allocation_around_an_address)
{
	CUdeviceptr device, base;
	size_t bytes;
	OK(cuMemAlloc(&device, 1000));
	OK(cuMemGetAddressRange(&base, &bytes, device + 10));
	CHECK(base == device);
	CHECK_EQ(bytes, 1000);
	OK(cuMemGetAddressRange(NULL, &bytes, device));
	base = 0;
	OK(cuMemGetAddressRange(&base, NULL, device + 999));
	CHECK(base == device);
	OK(cuMemFree(device));
	CHECK_EQ(cuMemGetAddressRange(&base, &bytes, device), CUDA_ERROR_NOT_FOUND);
}

struct seen {
	CUmemorytype type;
	CUresult has_host;
	unsigned is_managed;
};

static int look(CUdeviceptr address, struct seen want, size_t offset, size_t size)
{
	CUmemorytype type = 0;
	CUdeviceptr device = 0, start = 0;
	void *host = NULL;
	unsigned is_managed = 9;
	int ordinal = 9;
	size_t bytes = 0;
	int before = test_failures;
	EXPECT(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address), 0);
	EXPECT(type, want.type);
	EXPECT(cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address), 0);
	EXPECT(device == address, 1);
	EXPECT(cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, address), want.has_host);
	EXPECT(host == (want.has_host ? NULL : as_pointer(address)), 1);
	EXPECT(cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address), 0);
	EXPECT(is_managed, want.is_managed);
	EXPECT(cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address), 0);
	EXPECT(ordinal, 0);
	EXPECT(cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address), 0);
	EXPECT(start == address - offset, 1);
	EXPECT(cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address), 0);
	EXPECT(bytes, size);
	return test_failures - before;
}

TEST(a_pointer_tells_what_memory_it_is_in)
{
	static char plain[4096] __attribute__((aligned(4096)));
	CUdeviceptr device, managed;
	void *host;
	CUmemorytype type;
	OK(cuMemAlloc(&device, 1000));
	OK(cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL));
	OK(cuMemAllocHost(&host, 4096));
	OK(cuMemHostRegister(plain, sizeof plain, CU_MEMHOSTREGISTER_DEVICEMAP));
	OK(look(device + 8, (struct seen){CU_MEMORYTYPE_DEVICE, CUDA_ERROR_INVALID_VALUE, 0}, 8, 1000));
	OK(look(managed + 8, (struct seen){CU_MEMORYTYPE_DEVICE, 0, 1}, 8, 4096));
	OK(look(as_address(host), (struct seen){CU_MEMORYTYPE_HOST, 0, 0}, 0, 4096));
	OK(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, as_address(plain)));
	CHECK_EQ(type, CU_MEMORYTYPE_HOST);
	CHECK_EQ(cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device),
	         CUDA_ERROR_INVALID_VALUE);
	OK(cuMemHostUnregister(plain));
	CHECK_EQ(cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, as_address(plain)),
	         CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(device));
	OK(cuMemFree(managed));
	OK(cuMemFreeHost(host));
}

/* A GPU knows more of a pointer than this. */
TEST(attributes_that_are_not_known_are_not_supported)
{
	CUdeviceptr device;
	unsigned long long id;
	OK(cuMemAlloc(&device, 1000));
	CHECK_EQ(cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, device),
	         CUDA_ERROR_NOT_SUPPORTED);
	OK(cuMemFree(device));
}

/* ---- copies ------------------------------------------------------------------------------------------------------------ */

TEST(copies_take_every_direction)
{
	enum { N = 64 };
	char out[N], in[N];
	CUdeviceptr a, b;
	for (int i = 0; i < N; i++)
		out[i] = (char)(i * 5);
	OK(cuMemAlloc(&a, N));
	OK(cuMemAlloc(&b, N));
	for (int is_async = 0; is_async < 2; is_async++) {
		memset(in, 0, N);
		OK(cuMemsetD8(a, 0, N));
		OK(cuMemsetD8(b, 0, N));
		OK(is_async ? cuMemcpyHtoDAsync(a, out, N, NULL) : cuMemcpyHtoD(a, out, N));
		OK(is_async ? cuMemcpyDtoDAsync(b, a, N, NULL) : cuMemcpyDtoD(b, a, N));
		OK(is_async ? cuMemcpyDtoHAsync(in, b, N, NULL) : cuMemcpyDtoH(in, b, N));
		OK(cuCtxSynchronize());
		CHECK(!memcmp(in, out, N));
	}
	OK(cuMemsetD8(b, 0, N));
	OK(cuMemcpy(b, a, N));
	memset(in, 0, N);
	OK(cuMemcpyAsync(as_address(in), b, N, NULL));
	OK(cuCtxSynchronize());
	CHECK(!memcmp(in, out, N));
	CHECK_EQ(cuMemcpyHtoD(a, out, N + 1), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemcpyDtoH(in, a + N - 1, 2), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemcpyDtoD(a + 1, b, N), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(a));
	OK(cuMemFree(b));
}

TEST(rectangles_start_anywhere)
{
	enum { W = 8, H = 4, PITCH = 16 };
	unsigned char out[H][W], in[H][W];
	CUdeviceptr device;
	for (int i = 0; i < W * H; i++)
		out[i / W][i % W] = (unsigned char)(i + 1);
	OK(cuMemAlloc(&device, PITCH * H));
	OK(cuMemsetD8(device, 0, PITCH * H));
	/* A pitch of 0 is the width. */
	CUDA_MEMCPY2D down = {.srcMemoryType = CU_MEMORYTYPE_HOST,
	                      .srcHost = out,
	                      .dstMemoryType = CU_MEMORYTYPE_DEVICE,
	                      .dstDevice = device,
	                      .dstPitch = PITCH,
	                      .WidthInBytes = W,
	                      .Height = H};
	OK(cuMemcpy2D(&down));
	CUDA_MEMCPY2D up = {.srcMemoryType = CU_MEMORYTYPE_UNIFIED,
	                    .srcDevice = device,
	                    .srcPitch = PITCH,
	                    .srcXInBytes = 2,
	                    .srcY = 1,
	                    .dstMemoryType = CU_MEMORYTYPE_HOST,
	                    .dstHost = in,
	                    .dstPitch = W,
	                    .dstY = 1,
	                    .WidthInBytes = 3,
	                    .Height = 2};
	memset(in, 0, sizeof in);
	OK(cuMemcpy2DUnaligned(&up));
	CHECK(in[0][0] == 0 && in[1][0] == out[1][2] && in[2][2] == out[2][4] && in[2][3] == 0);
	memset(in, 0, sizeof in);
	up.dstPitch = 0;
	up.dstY = 0;
	OK(cuMemcpy2DAsync(&up, NULL));
	OK(cuCtxSynchronize());
	CHECK(in[0][0] == out[1][2] && in[0][3] == out[2][2] && in[0][5] == out[2][4]);
	up.Height = H;
	CHECK_EQ(cuMemcpy2D(&up), CUDA_ERROR_INVALID_VALUE);
	up.Height = 2;
	up.dstPitch = 2;
	CHECK_EQ(cuMemcpy2D(&up), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemcpy2D(NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(device));
}

/* Sluice's driver API has no arrays: both sides say so. */
TEST(rectangles_of_arrays_are_not_supported)
{
	char host[16];
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
	                      .dstMemoryType = CU_MEMORYTYPE_HOST,
	                      .dstHost = host,
	                      .WidthInBytes = 4,
	                      .Height = 1};
	CHECK_EQ(cuMemcpy2D(&copy), CUDA_ERROR_NOT_SUPPORTED);
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	CHECK_EQ(cuMemcpy2D(&copy), CUDA_ERROR_NOT_SUPPORTED);
}

/* ---- fills --------------------------------------------------------------------------------------------------------------- */

TEST(fills_know_elements_of_three_sizes)
{
	unsigned words[8] = {0};
	CUdeviceptr device;
	OK(cuMemAlloc(&device, sizeof words));
	OK(cuMemsetD32(device, 0x01020304, 8));
	OK(cuMemsetD16(device, 0x5566, 3));
	OK(cuMemsetD8(device, 0x77, 1));
	OK(cuMemsetD32Async(device + 28, 0xa0b0c0d0, 1, NULL));
	OK(cuMemsetD16Async(device + 24, 0x1122, 1, NULL));
	OK(cuMemsetD8Async(device + 27, 0x33, 1, NULL));
	OK(cuCtxSynchronize());
	OK(cuMemcpyDtoH(words, device, sizeof words));
	CHECK_EQ(words[0], 0x55665577);
	CHECK_EQ(words[1], 0x01025566);
	CHECK_EQ(words[2], 0x01020304);
	CHECK_EQ(words[6], 0x33021122);
	CHECK_EQ(words[7], 0xa0b0c0d0);
	CHECK_EQ(cuMemsetD16(device + 1, 0, 1), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemsetD32(device + 2, 0, 1), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemsetD32(device, 0, 9), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuMemsetD32(device, 0, SIZE_MAX / 2), CUDA_ERROR_INVALID_VALUE);
	OK(cuMemFree(device));
	CHECK_EQ(cuMemsetD8(device, 0, 1), CUDA_ERROR_INVALID_VALUE);
}

/* Sluice looks streams up; a GPU's driver may read what a wrong one points to. */
TEST(a_fill_in_a_stream_that_is_none_is_refused)
{
	CUdeviceptr device;
	CUstream stream;
	OK(cuMemAlloc(&device, 4));
	OK(cuStreamCreate(&stream, 0));
	OK(cuMemsetD8Async(device, 1, 4, stream));
	OK(cuStreamDestroy(stream));
	CHECK_EQ(cuMemsetD8Async(device, 1, 4, stream), CUDA_ERROR_INVALID_HANDLE);
	OK(cuMemFree(device));
}

static const struct test_case cases[] = {
    TEST_ENTRY(every_kind_of_memory_can_be_had_and_given_back)
        TEST_ENTRY(sizes_that_make_no_sense_are_refused)
            TEST_ENTRY(an_address_range_is_the_allocation_around_an_address)
                TEST_ENTRY(a_pointer_tells_what_memory_it_is_in)
                    TEST_ENTRY(attributes_that_are_not_known_are_not_supported)
                        TEST_ENTRY(copies_take_every_direction) TEST_ENTRY(rectangles_start_anywhere)
                            TEST_ENTRY(rectangles_of_arrays_are_not_supported)
                                TEST_ENTRY(fills_know_elements_of_three_sizes)
                                    TEST_ENTRY(a_fill_in_a_stream_that_is_none_is_refused)};

int main(int argc, char **argv)
{
	CUcontext context;
	if (cuInit(0) || cuDevicePrimaryCtxRetain(&context, 0) || cuCtxSetCurrent(context))
		return 1;
	return test_run(cases, sizeof cases / sizeof *cases, argc > 1 ? argv[1] : NULL);
}
