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
	OK(cuMemAlloc(&device, 1000), cuMemAllocPitch(&pitched, &pitch, 100, 5, 4));
	CHECK(pitch >= 100);
	OK(cuMemAllocManaged(&managed, 64, CU_MEM_ATTACH_GLOBAL), cuMemAllocAsync(&ordered, 64, NULL),
	   cuMemAllocHost(&host, 64), cuMemHostAlloc(&flagged, 64, CU_MEMHOSTALLOC_DEVICEMAP));
	GIVES(mapped, as_address(flagged), cuMemHostGetDevicePointer(&mapped, flagged, 0));
	OK(cuMemHostRegister(plain, sizeof plain, 0));
	RETURNS(CUDA_ERROR_HOST_MEMORY_ALREADY_REGISTERED, cuMemHostRegister(plain, sizeof plain, 0));
	OK(cuMemHostUnregister(plain));
	RETURNS(CUDA_ERROR_HOST_MEMORY_NOT_REGISTERED, cuMemHostUnregister(plain));
	OK(cuMemFree(device), cuMemFree(pitched), cuMemFree(managed), cuMemFreeAsync(ordered, NULL),
	   cuMemFreeHost(host), cuMemFreeHost(flagged), cuMemFree(0));
	RETURNS(INVALID_VALUE, cuMemFree(device));
	OK(cuCtxSynchronize());
}

TEST(sizes_that_make_no_sense_are_refused)
{
	CUdeviceptr address;
	size_t pitch;
	RETURNS(INVALID_VALUE, cuMemAlloc(&address, 0), cuMemAlloc(NULL, 8),
	        cuMemAllocManaged(&address, 0, CU_MEM_ATTACH_GLOBAL), cuMemAllocManaged(&address, 8, 0));
	RETURNS(OUT_OF_MEMORY, cuMemAlloc(&address, (size_t)1 << 60));
	static const struct {
		size_t width, height;
		unsigned element;
		int want;
	} rows[] = {{64, 2, 4, 0},
	            {64, 2, 8, 0},
	            {64, 2, 16, 0},
	            {64, 2, 2, INVALID_VALUE},
	            {64, 2, 0, INVALID_VALUE},
	            {0, 2, 4, INVALID_VALUE},
	            {64, 0, 4, INVALID_VALUE}};
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
	GIVES(base, device, cuMemGetAddressRange(&base, &bytes, device + 10));
	CHECK_EQ(bytes, 1000);
	OK(cuMemGetAddressRange(NULL, &bytes, device));
	base = 0;
	GIVES(base, device, cuMemGetAddressRange(&base, NULL, device + 999));
	OK(cuMemFree(device));
	RETURNS(NOT_FOUND, cuMemGetAddressRange(&base, &bytes, device));
}

struct seen {
	CUmemorytype type;
	int has_host;
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
	EXPECT_GIVES(type, want.type,
	             cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, address));
	EXPECT(0, cuPointerGetAttribute(&device, CU_POINTER_ATTRIBUTE_DEVICE_POINTER, address));
	EXPECT(1, device == address);
	EXPECT(want.has_host, cuPointerGetAttribute(&host, CU_POINTER_ATTRIBUTE_HOST_POINTER, address));
	EXPECT(1, host == (want.has_host ? NULL : as_pointer(address)));
	EXPECT_GIVES(is_managed, want.is_managed,
	             cuPointerGetAttribute(&is_managed, CU_POINTER_ATTRIBUTE_IS_MANAGED, address));
	EXPECT(0, cuPointerGetAttribute(&ordinal, CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL, address), ordinal,
	       cuPointerGetAttribute(&start, CU_POINTER_ATTRIBUTE_RANGE_START_ADDR, address));
	EXPECT(1, start == address - offset);
	EXPECT_GIVES(bytes, size, cuPointerGetAttribute(&bytes, CU_POINTER_ATTRIBUTE_RANGE_SIZE, address));
	return test_failures - before;
}

TEST(a_pointer_tells_what_memory_it_is_in)
{
	static char plain[4096] __attribute__((aligned(4096)));
	CUdeviceptr device, managed;
	void *host;
	CUmemorytype type;
	OK(cuMemAlloc(&device, 1000), cuMemAllocManaged(&managed, 4096, CU_MEM_ATTACH_GLOBAL),
	   cuMemAllocHost(&host, 4096), cuMemHostRegister(plain, sizeof plain, CU_MEMHOSTREGISTER_DEVICEMAP),
	   look(device + 8, (struct seen){CU_MEMORYTYPE_DEVICE, INVALID_VALUE, 0}, 8, 1000),
	   look(managed + 8, (struct seen){CU_MEMORYTYPE_DEVICE, 0, 1}, 8, 4096),
	   look(as_address(host), (struct seen){CU_MEMORYTYPE_HOST, 0, 0}, 0, 4096));
	GIVES(type, CU_MEMORYTYPE_HOST,
	      cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, as_address(plain)));
	RETURNS(INVALID_VALUE, cuPointerGetAttribute(NULL, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, device));
	OK(cuMemHostUnregister(plain));
	RETURNS(INVALID_VALUE,
	        cuPointerGetAttribute(&type, CU_POINTER_ATTRIBUTE_MEMORY_TYPE, as_address(plain)));
	OK(cuMemFree(device), cuMemFree(managed), cuMemFreeHost(host));
}

/* A GPU knows more of a pointer than this. */
TEST(attributes_that_are_not_known_are_not_supported)
{
	CUdeviceptr device;
	unsigned long long id;
	OK(cuMemAlloc(&device, 1000));
	RETURNS(NOT_SUPPORTED, cuPointerGetAttribute(&id, CU_POINTER_ATTRIBUTE_BUFFER_ID, device));
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
	OK(cuMemAlloc(&a, N), cuMemAlloc(&b, N));
	for (int is_async = 0; is_async < 2; is_async++) {
		memset(in, 0, N);
		OK(cuMemsetD8(a, 0, N), cuMemsetD8(b, 0, N),
		   is_async ? cuMemcpyHtoDAsync(a, out, N, NULL) : cuMemcpyHtoD(a, out, N),
		   is_async ? cuMemcpyDtoDAsync(b, a, N, NULL) : cuMemcpyDtoD(b, a, N),
		   is_async ? cuMemcpyDtoHAsync(in, b, N, NULL) : cuMemcpyDtoH(in, b, N), cuCtxSynchronize());
		CHECK(!memcmp(in, out, N));
	}
	OK(cuMemsetD8(b, 0, N), cuMemcpy(b, a, N));
	memset(in, 0, N);
	OK(cuMemcpyAsync(as_address(in), b, N, NULL), cuCtxSynchronize());
	CHECK(!memcmp(in, out, N));
	RETURNS(INVALID_VALUE, cuMemcpyHtoD(a, out, N + 1), cuMemcpyDtoH(in, a + N - 1, 2),
	        cuMemcpyDtoD(a + 1, b, N));
	OK(cuMemFree(a), cuMemFree(b));
}

TEST(rectangles_start_anywhere)
{
	enum { W = 8, H = 4, PITCH = 16 };
	unsigned char out[H][W], in[H][W];
	CUdeviceptr device;
	for (int i = 0; i < W * H; i++)
		out[i / W][i % W] = (unsigned char)(i + 1);
	OK(cuMemAlloc(&device, PITCH * H), cuMemsetD8(device, 0, PITCH * H));
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
	OK(cuMemcpy2DAsync(&up, NULL), cuCtxSynchronize());
	CHECK(in[0][0] == out[1][2] && in[0][3] == out[2][2] && in[0][5] == out[2][4]);
	up.Height = H;
	RETURNS(INVALID_VALUE, cuMemcpy2D(&up));
	up.Height = 2;
	up.dstPitch = 2;
	RETURNS(INVALID_VALUE, cuMemcpy2D(&up), cuMemcpy2D(NULL));
	OK(cuMemFree(device));
}

TEST(rectangles_of_arrays_that_are_none_are_refused)
{
	char host[16];
	CUDA_MEMCPY2D copy = {.srcMemoryType = CU_MEMORYTYPE_ARRAY,
	                      .dstMemoryType = CU_MEMORYTYPE_HOST,
	                      .dstHost = host,
	                      .WidthInBytes = 4,
	                      .Height = 1};
	RETURNS(INVALID_HANDLE, cuMemcpy2D(&copy));
	copy.srcMemoryType = CU_MEMORYTYPE_HOST;
	copy.srcHost = host;
	copy.dstMemoryType = CU_MEMORYTYPE_ARRAY;
	RETURNS(INVALID_HANDLE, cuMemcpy2D(&copy));
}

/* ---- fills --------------------------------------------------------------------------------------------------------------- */

TEST(fills_know_elements_of_three_sizes)
{
	unsigned words[8] = {0};
	CUdeviceptr device;
	OK(cuMemAlloc(&device, sizeof words), cuMemsetD32(device, 0x01020304, 8),
	   cuMemsetD16(device, 0x5566, 3), cuMemsetD8(device, 0x77, 1),
	   cuMemsetD32Async(device + 28, 0xa0b0c0d0, 1, NULL), cuMemsetD16Async(device + 24, 0x1122, 1, NULL),
	   cuMemsetD8Async(device + 27, 0x33, 1, NULL), cuCtxSynchronize(),
	   cuMemcpyDtoH(words, device, sizeof words));
	CHECK_EQ(words[0], 0x55665577);
	CHECK_EQ(words[1], 0x01025566);
	CHECK_EQ(words[2], 0x01020304);
	CHECK_EQ(words[6], 0x33021122);
	CHECK_EQ(words[7], 0xa0b0c0d0);
	RETURNS(INVALID_VALUE, cuMemsetD16(device + 1, 0, 1), cuMemsetD32(device + 2, 0, 1),
	        cuMemsetD32(device, 0, 9), cuMemsetD32(device, 0, SIZE_MAX / 2));
	OK(cuMemFree(device));
	RETURNS(INVALID_VALUE, cuMemsetD8(device, 0, 1));
}

/* Sluice looks streams up; a GPU's driver may read what a wrong one points to. */
TEST(a_fill_in_a_stream_that_is_none_is_refused)
{
	CUdeviceptr device;
	CUstream stream;
	OK(cuMemAlloc(&device, 4), cuStreamCreate(&stream, 0), cuMemsetD8Async(device, 1, 4, stream),
	   cuStreamDestroy(stream));
	RETURNS(INVALID_HANDLE, cuMemsetD8Async(device, 1, 4, stream));
	OK(cuMemFree(device));
}

static bool ready(void)
{
	CUcontext context;
	return !cuInit(0) && !cuDevicePrimaryCtxRetain(&context, 0) && !cuCtxSetCurrent(context);
}

TESTS(ready())
