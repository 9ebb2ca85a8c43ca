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
	EXPECT(cuDriverGetVersion(&number), CUDA_SUCCESS);
	EXPECT(number >= 12000, 1);
	EXPECT(cuDeviceGetCount(&number), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGet(&number, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGetName(text, sizeof text, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGetUuid(&uuid, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceTotalMem(&bytes, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGetAttribute(&number, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGetPCIBusId(text, sizeof text, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceGetByPCIBusId(&number, "0000:00:00.0"), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDeviceCanAccessPeer(&number, 0, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxCreate(&context, 0, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxGetCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxPushCurrent(NULL), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxPopCurrent(&context), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxSetCurrent(NULL), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxGetDevice(&number), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxGetFlags(&flags), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuCtxSynchronize(), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDevicePrimaryCtxRetain(&context, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDevicePrimaryCtxReset(0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &number), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuDevicePrimaryCtxSetFlags(0, 0), CUDA_ERROR_NOT_INITIALIZED);
	EXPECT(cuInit(1), CUDA_ERROR_INVALID_VALUE);
	EXPECT(cuInit(0), CUDA_SUCCESS);
	EXPECT(cuDeviceGetCount(&number), CUDA_SUCCESS);
	EXPECT(number, 1);
	return test_failures;
}

/* A thread that has called neither API: no context is current there, and the runtime's calls make one. */
static int no_context(void)
{
	CUcontext context = STALE(CUcontext);
	CUdevice device;
	unsigned flags = 7;
	int active = 7;
	EXPECT(cuInit(0), CUDA_SUCCESS);
	EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
	EXPECT(flags, 0);
	EXPECT(active, 0);
	EXPECT(cuCtxGetCurrent(&context), CUDA_SUCCESS);
	EXPECT(context == NULL, 1);
	EXPECT(cuCtxGetApiVersion(NULL, &flags), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuCtxGetDevice(&device), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuCtxGetFlags(&flags), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuCtxPopCurrent(&context), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuDevicePrimaryCtxRetain(&context, 0), CUDA_SUCCESS);
	EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
	EXPECT(active, 1);
	EXPECT(cuCtxSynchronize(), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cuDevicePrimaryCtxRelease(0), CUDA_SUCCESS);
	EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
	EXPECT(active, 0);
	EXPECT(cuDevicePrimaryCtxRelease(0), CUDA_ERROR_INVALID_CONTEXT);
	EXPECT(cudaFree(NULL), cudaSuccess);
	EXPECT(cuDevicePrimaryCtxGetState(0, &flags, &active), CUDA_SUCCESS);
	EXPECT(active, 1);
	EXPECT(cuCtxGetCurrent(&context), CUDA_SUCCESS);
	EXPECT(context != NULL, 1);
	EXPECT(cuCtxSynchronize(), CUDA_SUCCESS);
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
	size_t bytes;
	struct cudaDeviceProp properties;
	OK(cuInit(0));
	OK(cuDeviceGet(&device, 0));
	CHECK_EQ(device, 0);
	CHECK_EQ(cuDeviceGet(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDeviceGet(&device, -1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetName(name, sizeof name, 0));
	CHECK(!strcmp(name, "NVIDIA H200"));
	OK(cuDeviceGetName(short_name, sizeof short_name, 0));
	CHECK(!strcmp(short_name, "NVIDIA"));
	CHECK_EQ(cuDeviceGetName(NULL, 5, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetName(name, 0, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetName(name, sizeof name, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetUuid(&uuid, 0));
	OK(cudaGetDeviceProperties(&properties, 0));
	CHECK(!memcmp(&uuid, &properties.uuid, sizeof uuid));
	CHECK_EQ(cuDeviceGetUuid(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetUuid(&uuid, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceTotalMem(&bytes, 0));
	CHECK_EQ(bytes, properties.totalGlobalMem);
	CHECK_EQ(cuDeviceTotalMem(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceTotalMem(&bytes, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceComputeCapability(&value, &minor, 0));
	CHECK(value == 9 && minor == 0);
	CHECK_EQ(cuDeviceComputeCapability(NULL, &minor, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceComputeCapability(&value, NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceComputeCapability(&value, &minor, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0));
	CHECK_EQ(value, 32);
	CHECK_EQ(cuDeviceGetAttribute(NULL, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetAttribute(&value, CU_DEVICE_ATTRIBUTE_WARP_SIZE, 1), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceGetPCIBusId(bus, sizeof bus, 0));
	OK(cuDeviceGetByPCIBusId(&device, bus));
	CHECK_EQ(device, 0);
	CHECK_EQ(cuDeviceGetPCIBusId(tiny, sizeof tiny, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetPCIBusId(bus, sizeof bus, 1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDeviceGetByPCIBusId(&device, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetByPCIBusId(NULL, bus), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetByPCIBusId(&device, "0000:ff:1f.0"), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDeviceCanAccessPeer(&value, 0, 0));
	CHECK_EQ(value, 0);
	CHECK_EQ(cuDeviceCanAccessPeer(&value, 0, 1), CUDA_ERROR_INVALID_DEVICE);
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
	CHECK_EQ(cuGetErrorName((CUresult)12345, &name), CUDA_ERROR_INVALID_VALUE);
	CHECK(name == NULL);
	CHECK_EQ(cuGetErrorString((CUresult)12345, &text), CUDA_ERROR_INVALID_VALUE);
	CHECK(text == NULL);
	CHECK_EQ(cuGetErrorName(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuGetErrorString(CUDA_SUCCESS, NULL), CUDA_ERROR_INVALID_VALUE);
}

TEST(the_driver_leaves_the_runtimes_last_error_alone)
{
	CUdevice device;
	OK(cudaFree(NULL));
	CHECK_EQ(cudaSetDevice(7), cudaErrorInvalidDevice);
	CHECK_EQ(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuCtxGetDevice(NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDeviceGetByPCIBusId(&device, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cudaGetLastError(), cudaErrorInvalidDevice);
	CHECK_EQ(cudaGetLastError(), cudaSuccess);
}

/* ---- contexts --------------------------------------------------------------------------------------------------------- */

TEST(contexts_are_a_stack_of_the_thread)
{
	CUcontext a, b, c, got = NULL;
	OK(cuInit(0));
	OK(cuCtxCreate(&a, 0, 0));
	OK(cuCtxCreate(&b, CU_CTX_SCHED_YIELD, 0));
	OK(cuCtxGetCurrent(&got));
	CHECK(got == b);
	OK(cuCtxPopCurrent(&got));
	CHECK(got == b);
	OK(cuCtxGetCurrent(&got));
	CHECK(got == a);
	OK(cuCtxPushCurrent(b));
	/* Setting replaces what is on top. */
	OK(cuCtxSetCurrent(a));
	OK(cuCtxGetCurrent(&got));
	CHECK(got == a);
	OK(cuCtxPopCurrent(NULL));
	OK(cuCtxGetCurrent(&got));
	CHECK(got == a);
	OK(cuCtxCreate(&c, 0, 0));
	/* One that is not on top leaves the others where they are. */
	OK(cuCtxPushCurrent(b));
	OK(cuCtxDestroy(b));
	OK(cuCtxGetCurrent(&got));
	CHECK(got == c);
	OK(cuCtxDestroy(c));
	OK(cuCtxGetCurrent(&got));
	CHECK(got == a);
	OK(cuCtxSetCurrent(NULL));
	OK(cuCtxDestroy(a));
}

TEST(contexts_that_are_none_are_refused)
{
	CUcontext context, primary;
	unsigned version, flags;
	OK(cuInit(0));
	CHECK_EQ(cuCtxCreate(NULL, 0, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxCreate(&context, 0, 1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuCtxGetCurrent(NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxPushCurrent(NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxDestroy(NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxGetApiVersion(NULL, NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxCreate(&context, CU_CTX_SCHED_BLOCKING_SYNC, 0));
	OK(cuCtxGetApiVersion(context, &version));
	CHECK(version >= 3020);
	OK(cuCtxGetFlags(&flags));
	CHECK_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_BLOCKING_SYNC);
	CHECK_EQ(cuCtxGetFlags(NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxDestroy(context));
	OK(cuDevicePrimaryCtxRetain(&primary, 0));
	CHECK_EQ(cuCtxDestroy(primary), CUDA_ERROR_INVALID_CONTEXT);
	OK(cuDevicePrimaryCtxRelease(0));
}

/* Handles of Sluice are numbers that are looked up; a GPU's driver may read what a stale one points to. */
TEST(stale_contexts_are_found_out)
{
	CUcontext context;
	unsigned version;
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuCtxDestroy(context));
	CHECK_EQ(cuCtxDestroy(context), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQ(cuCtxPushCurrent(context), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQ(cuCtxSetCurrent(context), CUDA_ERROR_INVALID_CONTEXT);
	CHECK_EQ(cuCtxGetApiVersion(context, &version), CUDA_ERROR_INVALID_CONTEXT);
	OK(cudaFree(NULL)); /* the primary context is current */
	OK(cuCtxGetApiVersion(NULL, &version));
	CHECK_EQ(version, 3020);
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
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(pthread_create(&thread, NULL, another_thread, &got));
	OK(pthread_join(thread, NULL));
	CHECK(got == NULL);
	OK(cuCtxDestroy(context));
}

TEST(the_primary_context_has_flags_and_a_count)
{
	CUcontext a, b;
	unsigned flags;
	int active;
	OK(cuInit(0));
	CHECK_EQ(cuDevicePrimaryCtxRetain(NULL, 0), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDevicePrimaryCtxRetain(&a, 1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDevicePrimaryCtxRelease(1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDevicePrimaryCtxReset(1), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDevicePrimaryCtxGetState(1, &flags, &active), CUDA_ERROR_INVALID_DEVICE);
	CHECK_EQ(cuDevicePrimaryCtxGetState(0, NULL, &active), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDevicePrimaryCtxGetState(0, &flags, NULL), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuDevicePrimaryCtxSetFlags(1, 0), CUDA_ERROR_INVALID_DEVICE);
	OK(cuDevicePrimaryCtxRetain(&a, 0));
	OK(cuDevicePrimaryCtxRetain(&b, 0));
	CHECK(a == b);
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK_EQ(active, 1);
	OK(cuDevicePrimaryCtxSetFlags(0, CU_CTX_SCHED_YIELD));
	OK(cuDevicePrimaryCtxGetState(0, &flags, &active));
	CHECK_EQ(flags & CU_CTX_SCHED_MASK, CU_CTX_SCHED_YIELD);
	OK(cuDevicePrimaryCtxRelease(0));
	OK(cuDevicePrimaryCtxReset(0));
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
	OK(cuInit(0));
	OK(cuCtxCreate(&context, 0, 0));
	OK(cuCtxGetDevice(&device));
	CHECK_EQ(device, 0);
	CHECK_EQ(cuCtxGetDevice(NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxSetLimit(CU_LIMIT_PRINTF_FIFO_SIZE, 2 << 20));
	OK(cuCtxGetLimit(&bytes, CU_LIMIT_PRINTF_FIFO_SIZE));
	CHECK_EQ(bytes, 2 << 20);
	CHECK_EQ(cuCtxGetLimit(NULL, CU_LIMIT_PRINTF_FIFO_SIZE), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxGetLimit(&bytes, (CUlimit)77), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxSetLimit((CUlimit)77, 5), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxGetLimit(&bytes, CU_LIMIT_DEV_RUNTIME_SYNC_DEPTH), CUDA_ERROR_UNSUPPORTED_LIMIT);
	OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_L1));
	OK(cuCtxGetCacheConfig(&config));
	CHECK_EQ(config, CU_FUNC_CACHE_PREFER_L1);
	CHECK_EQ(cuCtxSetCacheConfig((CUfunc_cache)9), CUDA_ERROR_INVALID_VALUE);
	CHECK_EQ(cuCtxGetCacheConfig(NULL), CUDA_ERROR_INVALID_VALUE);
	OK(cuCtxSetCacheConfig(CU_FUNC_CACHE_PREFER_NONE));
	OK(cuCtxGetStreamPriorityRange(&least, &greatest));
	CHECK(least == 0 && greatest == -5);
	OK(cuProfilerStart());
	OK(cuProfilerStop());
	OK(cuCtxSynchronize());
	OK(cuCtxDestroy(context));
}

TEST_MAIN(TEST_ENTRY(nothing_but_the_version_is_answered_before_the_start)
              TEST_ENTRY(without_a_context_there_is_nothing_to_work_in)
                  TEST_ENTRY(there_is_one_device_with_a_name_and_memory)
                      TEST_ENTRY(errors_of_the_driver_have_names_and_texts)
                          TEST_ENTRY(the_driver_leaves_the_runtimes_last_error_alone)
                              TEST_ENTRY(contexts_are_a_stack_of_the_thread)
                                  TEST_ENTRY(contexts_that_are_none_are_refused)
                                      TEST_ENTRY(stale_contexts_are_found_out)
                                          TEST_ENTRY(another_thread_has_no_context_of_ours)
                                              TEST_ENTRY(the_primary_context_has_flags_and_a_count)
                                                  TEST_ENTRY(settings_of_a_context_are_kept))
