/*
 * The driver API: start, devices, errors, contexts. The runtime's state is the
 * process's: claims about a fresh one are made in forked processes, before this
 * one calls anything.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>
#include <pthread.h>

#include "fixture.h"

#define STALE(type) ((type)(uintptr_t)0x5150)

/* ---- start ---------------------------------------------------------------------------------------------------- */

static int fresh(void)
{
	int number = 5;
	size_t bytes;
	unsigned flags;
	char text[64];
	CUuuid uuid;
	CUcontext context;
	EXPECT(CUDA_SUCCESS, cuDriverGetVersion(&number));
	EXPECT(1, number >= 12000);
	EXPECT(NOT_INITIALIZED, cuDeviceGetCount(&number), cuDeviceGet(&number, 0),
	       cuDeviceGetName(text, sizeof text, 0), cuDeviceGetUuid(&uuid, 0), cuDeviceTotalMem(&bytes, 0),
	       cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
	       cuDeviceGetPCIBusId(text, sizeof text, 0), cuDeviceGetByPCIBusId(&number, "0000:00:00.0"),
	       cuDeviceCanAccessPeer(&number, 0, 0), cuCtxCreate(&context, 0, 0), cuCtxGetCurrent(&context),
	       cuCtxPushCurrent(NULL), cuCtxPopCurrent(&context), cuCtxSetCurrent(NULL),
	       cuCtxGetDevice(&number), cuCtxGetFlags(&flags), cuCtxSynchronize(),
	       cuDevicePrimaryCtxRetain(&context, 0), cuDevicePrimaryCtxRelease(0),
	       cuDevicePrimaryCtxReset(0), cuDevicePrimaryCtxGetState(0, &flags, &number),
	       cuDevicePrimaryCtxSetFlags(0, 0));
	EXPECT(INVALID_VALUE, cuInit(1));
	EXPECT(CUDA_SUCCESS, cuInit(0));
	EXPECT_GIVES(number, 1, cuDeviceGetCount(&number));
	return test_failures;
}

/* A thread that has called neither API: no context is current there, and the runtime's calls make one. */
static int no_context(void)
{
	CUcontext context = STALE(CUcontext);
	CUdevice device;
	unsigned flags = 7;
	int active = 7;
	EXPECT(CUDA_SUCCESS, cuInit(0), cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT(0, flags, active);
	EXPECT(CUDA_SUCCESS, cuCtxGetCurrent(&context));
	EXPECT(1, context == NULL);
	EXPECT(INVALID_CONTEXT, cuCtxGetApiVersion(NULL, &flags), cuCtxGetDevice(&device),
	       cuCtxGetFlags(&flags), cuCtxSynchronize(), cuCtxPopCurrent(&context));
	EXPECT(CUDA_SUCCESS, cuDevicePrimaryCtxRetain(&context, 0));
	EXPECT_GIVES(active, 1, cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT(INVALID_CONTEXT, cuCtxSynchronize());
	EXPECT(CUDA_SUCCESS, cuDevicePrimaryCtxRelease(0));
	EXPECT_GIVES(active, 0, cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT(INVALID_CONTEXT, cuDevicePrimaryCtxRelease(0));
	EXPECT(cudaSuccess, cudaFree(NULL));
	EXPECT_GIVES(active, 1, cuDevicePrimaryCtxGetState(0, &flags, &active));
	EXPECT(CUDA_SUCCESS, cuCtxGetCurrent(&context));
	EXPECT(1, context != NULL);
	EXPECT(CUDA_SUCCESS, cuCtxSynchronize());
	return test_failures;
}

TEST(nothing_but_the_version_is_answered_before_the_start)
{
	CHECK_EQ(fixture_run(fresh), 0);
}

TEST(without_a_context_there_is_nothing_to_work_in)
{
	CHECK_EQ(fixture_run(no_context), 0);
}

/* ---- devices and errors ------------------------------------------------------------------------------------------ */

TEST(there_is_one_device_with_a_name_and_memory)
{
	CUdevice device = 5;
	CUuuid uuid;
	char name[256], short_name[7], bus[32], tiny[12];
	int value, minor;
	size_t bytes, total;
	struct cudaDeviceProp properties;
	OK(cuInit(0));
	GIVES(device, 0, cuDeviceGet(&device, 0));
	SAYS(name, "NVIDIA H200", cuDeviceGetName(name, sizeof name, 0));
	SAYS(short_name, "NVIDIA", cuDeviceGetName(short_name, sizeof short_name, 0));
	OK(cuDeviceGetUuid(&uuid, 0), cudaGetDeviceProperties(&properties, 0));
	CHECK(!memcmp(&uuid, &properties.uuid, sizeof uuid));
	GIVES(bytes, properties.totalGlobalMem, cuDeviceTotalMem(&bytes, 0));
	OK(cudaFree(NULL));
	GIVES(total, properties.totalGlobalMem, cuMemGetInfo(&bytes, &total));
	OK(cuDeviceComputeCapability(&value, &minor, 0));
	CHECK(value == 9 && minor == 0);
	GIVES(value, 32, cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
	GIVES(device, 0, cuDeviceGetByPCIBusId(&device, bus));
	GIVES(value, 0, cuDeviceCanAccessPeer(&value, 0, 0));
	RETURNS(INVALID_VALUE, cuDeviceGet(NULL, 0), cuDeviceGetName(NULL, 5, 0), cuDeviceGetName(name, 0, 0),
	        cuDeviceGetUuid(NULL, 0), cuDeviceTotalMem(NULL, 0),
	        cuDeviceComputeCapability(NULL, &minor, 0), cuDeviceComputeCapability(&value, NULL, 0),
	        cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0),
	        cuDeviceGetPCIBusId(tiny, sizeof tiny, 0), cuDeviceGetByPCIBusId(&device, NULL),
	        cuDeviceGetByPCIBusId(NULL, bus));
	RETURNS(INVALID_DEVICE, cuDeviceGet(&device, 1), cuDeviceGet(&device, -1),
	        cuDeviceGetName(name, sizeof name, 1), cuDeviceGetUuid(&uuid, 1), cuDeviceTotalMem(&bytes, 1),
	        cuDeviceComputeCapability(&value, &minor, 1),
	        cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1),
	        cuDeviceGetPCIBusId(bus, sizeof bus, 1), cuDeviceGetByPCIBusId(&device, "0000:ff:1f.0"),
	        cuDeviceCanAccessPeer(&value, 0, 1));
}

TEST(errors_of_the_driver_have_names_and_texts)
{
	static const struct {
		CUresult code;
		const char *name, *text;
	} rows[] = {
	    {CUDA_SUCCESS, "CUDA_SUCCESS", "no error"},
	    {CUDA_ERROR_INVALID_VALUE, "CUDA_ERROR_INVALID_VALUE", "invalid argument"},
	    {CUDA_ERROR_NOT_INITIALIZED, "CUDA_ERROR_NOT_INITIALIZED", "initialization error"},
	    {CUDA_ERROR_INVALID_CONTEXT, "CUDA_ERROR_INVALID_CONTEXT", "invalid device context"},
	    {CUDA_ERROR_INVALID_HANDLE, "CUDA_ERROR_INVALID_HANDLE", "invalid resource handle"},
	    {CUDA_ERROR_NOT_FOUND, "CUDA_ERROR_NOT_FOUND", "named symbol not found"},
	    {CUDA_ERROR_ILLEGAL_ADDRESS, "CUDA_ERROR_ILLEGAL_ADDRESS",
	     "an illegal memory access was encountered"},
	};
	const char *name, *text;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		OK(cuGetErrorName(rows[i].code, &name));
		CHECK(!strcmp(name, rows[i].name));
		OK(cuGetErrorString(rows[i].code, &text));
		CHECK(!strcmp(text, rows[i].text));
	}
	RETURNS(INVALID_VALUE, cuGetErrorName((CUresult)12345, &name));
	CHECK(name == NULL);
	RETURNS(INVALID_VALUE, cuGetErrorString((CUresult)12345, &text));
	CHECK(text == NULL);
	RETURNS(INVALID_VALUE, cuGetErrorName(CUDA_SUCCESS, NULL), cuGetErrorString(CUDA_SUCCESS, NULL));
}

TEST(the_driver_leaves_the_runtimes_last_error_alone)
{
	CUdevice device;
	OK(cudaFree(NULL));
	RETURNS(INVALID_DEVICE, cudaSetDevice(7), cuDeviceGet(&device, 1), cudaGetLastError());
	RETURNS(INVALID_VALUE, cuCtxGetDevice(NULL), cuDeviceGetByPCIBusId(&device, NULL));
	OK(cudaGetLastError());
}

/* ---- contexts --------------------------------------------------------------------------------------------------------- */

TEST(contexts_are_a_stack_of_the_thread)
{
	CUcontext a, b, c, got = NULL;
	OK(cuInit(0), cuCtxCreate(&a, 0, 0), cuCtxCreate(&b, CU_CTX_SCHED_YIELD, 0));
	GIVES(got, b, cuCtxGetCurrent(&got));
	GIVES(got, b, cuCtxPopCurrent(&got));
	GIVES(got, a, cuCtxGetCurrent(&got));
	OK(cuCtxPushCurrent(b));
	/* Setting replaces what is on top. */
	OK(cuCtxSetCurrent(a));
	GIVES(got, a, cuCtxGetCurrent(&got));
	OK(cuCtxPopCurrent(NULL));
	GIVES(got, a, cuCtxGetCurrent(&got));
	OK(cuCtxCreate(&c, 0, 0));
	/* One that is not on top leaves the others where they are. */
	OK(cuCtxPushCurrent(b), cuCtxDestroy(b));
	GIVES(got, c, cuCtxGetCurrent(&got));
	OK(cuCtxDestroy(c));
	GIVES(got, a, cuCtxGetCurrent(&got));
	OK(cuCtxSetCurrent(NULL), cuCtxDestroy(a));
}

TEST(contexts_that_are_none_are_refused)
{
	CUcontext context, primary;
	unsigned version, flags;
	OK(cuInit(0));
	RETURNS(INVALID_VALUE, cuCtxCreate(NULL, 0, 0), cuCtxGetCurrent(NULL), cuCtxPushCurrent(NULL),
	        cuCtxDestroy(NULL), cuCtxGetApiVersion(NULL, NULL));
	RETURNS(INVALID_DEVICE, cuCtxCreate(&context, 0, 1));
	OK(cuCtxCreate(&context, CU_CTX_SCHED_BLOCKING_SYNC, 0), cuCtxGetApiVersion(context, &version));
	CHECK(version >= 3020);
	OK(cuCtxGetFlags(&flags));
	CHECK_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_BLOCKING_SYNC);
	RETURNS(INVALID_VALUE, cuCtxGetFlags(NULL));
	OK(cuCtxDestroy(context), cuDevicePrimaryCtxRetain(&primary, 0));
	RETURNS(INVALID_CONTEXT, cuCtxDestroy(primary));
	OK(cuDevicePrimaryCtxRelease(0));
}

/* Handles of Sluice are numbers that are looked up; a GPU's driver may read what a stale one points to. */
TEST(stale_contexts_are_found_out)
{
	CUcontext context;
	unsigned version;
	OK(cuInit(0), cuCtxCreate(&context, 0, 0), cuCtxDestroy(context));
	RETURNS(INVALID_CONTEXT, cuCtxDestroy(context), cuCtxPushCurrent(context), cuCtxSetCurrent(context),
	        cuCtxGetApiVersion(context, &version));
	OK(cudaFree(NULL)); /* the primary context is current */
	GIVES(version, 3020, cuCtxGetApiVersion(NULL, &version));
}

static void *another_thread(void *got)
{
	CUcontext context = STALE(CUcontext);
	if (cuCtxGetCurrent(&context) == CUDA_SUCCESS)
		*(CUcontext *)got = context;
	return NULL;
}

TEST(another_thread_has_no_context_of_ours)
{
	CUcontext context, got = STALE(CUcontext);
	pthread_t thread;
	OK(cuInit(0), cuCtxCreate(&context, 0, 0), pthread_create(&thread, NULL, another_thread, &got),
	   pthread_join(thread, NULL));
	CHECK(got == NULL);
	OK(cuCtxDestroy(context));
}

TEST(the_primary_context_has_flags_and_a_count)
{
	CUcontext a, b;
	unsigned flags;
	int active;
	OK(cuInit(0));
	RETURNS(INVALID_VALUE, cuDevicePrimaryCtxRetain(NULL, 0),
	        cuDevicePrimaryCtxGetState(0, NULL, &active), cuDevicePrimaryCtxGetState(0, &flags, NULL));
	RETURNS(INVALID_DEVICE, cuDevicePrimaryCtxRetain(&a, 1), cuDevicePrimaryCtxRelease(1),
	        cuDevicePrimaryCtxReset(1), cuDevicePrimaryCtxGetState(1, &flags, &active),
	        cuDevicePrimaryCtxSetFlags(1, 0));
	OK(cuDevicePrimaryCtxRetain(&a, 0), cuDevicePrimaryCtxRetain(&b, 0));
	CHECK(a == b);
	OK(cuDevicePrimaryCtxRelease(0));
	GIVES(active, 1, cuDevicePrimaryCtxGetState(0, &flags, &active));
	OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD), cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
	OK(cuDevicePrimaryCtxRelease(0), cuDevicePrimaryCtxReset(0));
	OK(cuDevicePrimaryCtxRetain(&b, 0)); /* a reset leaves contexts */
	CHECK(a == b);
	OK(cuDevicePrimaryCtxRelease(0));
}

TEST(settings_of_a_context_are_kept)
{
	CUcontext context;
	CUdevice device = 3;
	CUfunc_cache config;
	size_t bytes;
	int least, greatest;
	OK(cuInit(0), cuCtxCreate(&context, 0, 0));
	GIVES(device, 0, cuCtxGetDevice(&device));
	RETURNS(INVALID_VALUE, cuCtxGetDevice(NULL));
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
	GIVES(bytes, 2 << 20, cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
	RETURNS(INVALID_VALUE, cuCtxGetLimit(NULL, CU_LIMIT_PRINTF_FIFO_SIZE),
	        cuCtxGetLimit(&bytes, (CUlimit)77), cuCtxSetLimit((CUlimit)77, 5));
	RETURNS(CUDA_ERROR_UNSUPPORTED_LIMIT, cuCtxGetLimit(&bytes, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH));
	OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
	GIVES(config, CU_FUNC_CACHE_PREFER_L1, cuCtxGetCacheConfig(&config));
	RETURNS(INVALID_VALUE, cuCtxSetCacheConfig((CUfunc_cache)9), cuCtxGetCacheConfig(NULL));
	OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE), cuCtxGetStreamPriorityRange(&least, &greatest));
	CHECK(least == 0 && greatest == -5);
	OK(cuProfilerStart(), cuProfilerStop(), cuCtxSynchronize(), cuCtxDestroy(context));
}

TESTS(true)
