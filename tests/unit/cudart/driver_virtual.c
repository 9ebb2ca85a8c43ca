/* The driver API's virtual memory: reserving, making, mapping, keeping, and refusals. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

enum { PAGE = 2 << 20 };

static const CUmemAllocationProp here = {.type = CU_MEM_ALLOCATION_TYPE_PINNED,
                                         .location = {CU_MEM_LOCATION_TYPE_DEVICE, 0}};
static const CUmemAccessDesc both = {{CU_MEM_LOCATION_TYPE_DEVICE, 0}, CU_MEM_ACCESS_FLAGS_PROT_READWRITE};

/* 0: refused, which the first use will tell. */
static CUdeviceptr reserve(size_t bytes)
{
	CUdeviceptr address = 0;
	return cuMemAddressReserve(&address, bytes, 0, 0, 0) ? 0 : address;
}

static CUmemGenericAllocationHandle make(size_t bytes)
{
	CUmemGenericAllocationHandle handle = 0;
	return cuMemCreate(&handle, bytes, &here, 0) ? 0 : handle;
}

TEST(pieces_are_mapped_side_by_side)
{
	size_t granularity = 0;
	OK(cuMemGetAllocationGranularity(&granularity, &here, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	CHECK_EQ(granularity, PAGE);
	CUdeviceptr at = reserve(3 * PAGE);
	CUmemGenericAllocationHandle one = make(PAGE), two = make(2 * PAGE);
	unsigned long long flags = 0;
	unsigned word = 0;
	OK(cuMemMap(at, PAGE, 0, one, 0), cuMemMap(at + PAGE, 2 * PAGE, 0, two, 0),
	   cuMemSetAccess(at, 3 * PAGE, &both, 1), cuMemsetD32(at, 7, 3 * PAGE / 4),
	   cuMemcpyDtoH(&word, at + 3 * PAGE - 4, 4), cuMemGetAccess(&flags, &both.location, at + PAGE));
	CHECK_EQ(word, 7);
	CHECK_EQ(flags, CU_MEM_ACCESS_FLAGS_PROT_READWRITE);
	RETURNS(INVALID_VALUE, cuMemAddressFree(at, 3 * PAGE), cuMemUnmap(at + PAGE, PAGE), cuMemFree(at));
	OK(cuMemUnmap(at, 3 * PAGE), cuMemRelease(one), cuMemRelease(two), cuMemAddressFree(at, 3 * PAGE));
	RETURNS(INVALID_VALUE, cuMemRelease(one));
}

TEST(memory_keeps_its_bytes_when_it_moves)
{
	CUdeviceptr a = reserve(PAGE), b = reserve(2 * PAGE);
	CUmemGenericAllocationHandle handle = make(PAGE), held;
	CUmemAllocationProp got;
	unsigned word = 1;
	OK(cuMemMap(a, PAGE, 0, handle, 0), cuMemsetD32(a, 99, PAGE / 4));
	RETURNS(NOT_SUPPORTED, cuMemMap(b, PAGE, 0, handle, 0));
	OK(cuMemUnmap(a, PAGE), cuMemMap(b + PAGE, PAGE, 0, handle, 0),
	   cuMemcpyDtoH(&word, b + PAGE + 64, 4));
	CHECK_EQ(word, 99);
	/* Released while it is mapped, it lives on until it is unmapped. */
	OK(cuMemRetainAllocationHandle(&held, (void *)(uintptr_t)(b + PAGE + 5)), cuMemRelease(handle),
	   cuMemGetAllocationPropertiesFromHandle(&got, held), cuMemRelease(held));
	CHECK(held == handle && got.type == CU_MEM_ALLOCATION_TYPE_PINNED);
	OK(cuMemcpyDtoH(&word, b + PAGE, 4), cuMemUnmap(b + PAGE, PAGE));
	CHECK_EQ(word, 99);
	RETURNS(INVALID_VALUE, cuMemMap(a, PAGE, 0, handle, 0));
	OK(cuMemAddressFree(a, PAGE), cuMemAddressFree(b, 2 * PAGE));
}

TEST(what_makes_no_sense_is_refused)
{
	CUdeviceptr at = reserve(2 * PAGE), other;
	CUmemGenericAllocationHandle handle = make(PAGE), none;
	CUmemAllocationProp elsewhere = here;
	CUmemAccessDesc far = both;
	elsewhere.location.id = far.location.id = 1;
	RETURNS(INVALID_VALUE, cuMemAddressReserve(&other, PAGE + 1, 0, 0, 0),
	        cuMemAddressReserve(&other, 0, 0, 0, 0), cuMemAddressReserve(NULL, PAGE, 0, 0, 0),
	        cuMemCreate(&none, 100, &here, 0), cuMemCreate(&none, PAGE, &elsewhere, 0),
	        cuMemCreate(&none, PAGE, NULL, 0), cuMemMap(at, PAGE, PAGE, handle, 0),
	        cuMemMap(at + 4096, PAGE, 0, handle, 0), cuMemMap(at, 2 * PAGE, 0, handle, 0),
	        cuMemMap(0, PAGE, 0, handle, 0), cuMemMap(at, PAGE, 0, 12345, 0), cuMemUnmap(at, PAGE),
	        cuMemSetAccess(at, PAGE, &both, 1), cuMemAddressFree(at, PAGE),
	        cuMemGetAllocationGranularity(&(size_t){0}, &elsewhere, CU_MEM_ALLOC_GRANULARITY_MINIMUM));
	OK(cuMemMap(at, PAGE, 0, handle, 0));
	RETURNS(INVALID_VALUE, cuMemSetAccess(at, PAGE, &far, 1), cuMemSetAccess(at, 2 * PAGE, &both, 1),
	        cuMemSetAccess(at, PAGE, &both, 0), cuMemMap(at, PAGE, 0, make(PAGE), 0));
	RETURNS(OUT_OF_MEMORY, cuMemCreate(&none, (size_t)1 << 50, &here, 0));
	RETURNS(NOT_SUPPORTED,
	        cuMemExportToShareableHandle(&none, handle, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR, 0),
	        cuMemImportFromShareableHandle(&none, NULL, CU_MEM_HANDLE_TYPE_POSIX_FILE_DESCRIPTOR));
}

TEST(a_context_of_cuda_13_is_a_context)
{
	CUcontext plain, thirteen;
	CUctxCreateParams none = {0}, affine = {.numExecAffinityParams = 1};
	CUdevprop properties;
	OK(cuCtxCreate(&plain, 0, 0), cuCtxCreate(&thirteen, NULL, 0, 0), cuCtxDestroy(thirteen),
	   cuCtxCreate(&thirteen, &none, 0, 0), cuCtxDestroy(thirteen), cuCtxDestroy(plain));
	RETURNS(NOT_SUPPORTED, cuCtxCreate(&thirteen, &affine, 0, 0));
	OK(cuDeviceGetProperties(&properties, 0));
	CHECK(properties.SIMDWidth == 32 && properties.maxThreadsPerBlock == 1024 &&
	      properties.clockRate > 0);
	RETURNS(INVALID_VALUE, cuDeviceGetProperties(NULL, 0));
}

TESTS(!cuInit(0) && !cudaFree(NULL))
