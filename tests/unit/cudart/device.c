/*
 * The device and its settings: attributes, flags, limits, the bus; handles for
 * other processes.
 */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

static const char text[] =
    ".version 6.0\n.target sm_70\n.address_size 64\n.visible .entry plain()\n{\n	ret;\n}\n";

/* ---- the device -------------------------------------------------------------------------------------------------------- */

/*
 * An H200's answers, by number; -1: there is no such attribute. Ours differ at 32 (ECC), 36 (the machine file's clock), 38 and
 * 108 (the L2 of the machine file), 40 (copies do not overlap), 73 (no mip levels), 90 (no preemption), 96 (one device), and
 * at what is 0 from 112 on, which is not simulated.
 */
enum { NONE = -1 };
static const int attributes[] = {
    NONE,       1024,   1024,    1024,      64,     2147483647, 65535,   65535, 49152, 65536,    32,
    2147483647, 65536,  1980000, 512,       1,      132,        0,       0,     1,     0,        131072,
    131072,     65536,  16384,   16384,     16384,  32768,      32768,   2048,  512,   1,        0,
    0,          0,      0,       3200000,   6016,   61603840,   2048,    1,     1,     32768,    2048,
    NONE,       32768,  32768,   8192,      8192,   32768,      0,       32,    32768, 32768,    2046,
    32768,      131072, 65536,   16384,     16384,  16384,      32768,   2048,  32768, 32768,    2048,
    32768,      32768,  2046,    268435456, 131072, 65000,      2097120, 0,     0,     9,        0,
    0,          1,      1,       1,         233472, 65536,      1,       0,     0,     0,        2,
    0,          1,      0,       1,         NONE,   NONE,       NONE,    1,     0,     232448,   0,
    1,          0,      0,       NONE,      NONE,   NONE,       NONE,    32,    NONE,  38502400, 134217728,
    NONE,       1024,   0,       0,         0,      1,          0,       0,     0,     0,        1,
    0,          NONE,   NONE,    NONE,      1};
static const int beyond[] = {126, 148, 9999};

TEST(attributes_are_those_of_the_machine)
{
	int value;
	for (unsigned i = 0; i < sizeof attributes / sizeof *attributes; i++) {
		value = NONE;
		int want = attributes[i] == NONE ? INVALID_VALUE : 0;
		long long got = seen(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)i, 0));
		if (got != want || value != attributes[i])
			printf("# attribute %u\n", i);
		CHECK_EQ(got, want);
		CHECK_EQ(value, attributes[i]);
	}
	for (unsigned i = 0; i < sizeof beyond / sizeof *beyond; i++)
		ANSWERS(INVALID_VALUE, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)beyond[i], 0));
	ANSWERS(INVALID_VALUE, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
	ANSWERS(INVALID_DEVICE, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
}

TEST(there_is_one_device_to_choose)
{
	struct cudaDeviceProp properties;
	int device = 5, devices[] = {0, 0}, wrong = 3;
	OK(cudaGetDeviceProperties(&properties, 0));
	GIVES(device, 0, cudaChooseDevice(&device, &properties));
	OK(cudaSetValidDevices(devices, 1), cudaSetValidDevices(NULL, 0));
	OK(cudaInitDevice(0, 0, 0));
	OK(cudaInitDevice(0, 0, 8));
	OK(cudaDeviceCanAccessPeer(&device, 0, 0));
	ANSWERS(INVALID_VALUE, cudaGetDeviceProperties(NULL, 0), cudaChooseDevice(NULL, &properties),
	        cudaChooseDevice(&device, NULL), cudaGetDeviceCount(NULL), cudaGetDevice(NULL),
	        cudaSetValidDevices(NULL, 1), cudaSetValidDevices(devices, -1),
	        cudaDeviceCanAccessPeer(NULL, 0, 0));
	ANSWERS(cudaErrorPeerAccessUnsupported, cudaDeviceEnablePeerAccess(0, 0));
	ANSWERS(INVALID_DEVICE, cudaSetValidDevices(&wrong, 1), cudaInitDevice(1, 0, 0),
	        cudaDeviceDisablePeerAccess(1), cudaDeviceCanAccessPeer(&device, 1, 0));
}

TEST(the_device_has_a_place_on_the_bus)
{
	char id[16], lower[16];
	int device = 5;
	OK(cudaDeviceGetPCIBusId(id, 13, 0));
	CHECK_EQ(strlen(id), 12);
	GIVES(device, 0, cudaDeviceGetByPCIBusId(&device, id));
	ANSWERS(INVALID_VALUE, cudaDeviceGetPCIBusId(lower, 12, 0), cudaDeviceGetPCIBusId(NULL, 13, 0),
	        cudaDeviceGetByPCIBusId(NULL, id), cudaDeviceGetByPCIBusId(&device, NULL));
	ANSWERS(INVALID_DEVICE, cudaDeviceGetPCIBusId(lower, 13, 1),
	        cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.0"));
}

/* ---- settings -------------------------------------------------------------------------------------------------------------- */

TEST(flags_are_kept_and_memory_can_always_be_mapped)
{
	unsigned flags = 0;
	OK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
	GIVES(flags, cudaDeviceScheduleYield | cudaDeviceMapHost, cudaGetDeviceFlags(&flags));
	OK(cudaSetDeviceFlags(0));
	ANSWERS(INVALID_VALUE, cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin),
	        cudaSetDeviceFlags(0x1000), cudaGetDeviceFlags(NULL));
}

TEST(wishes_about_caches_are_kept)
{
	enum cudaFuncCache cache;
	enum cudaSharedMemConfig banks;
	OK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
	GIVES(cache, cudaFuncCachePreferL1, cudaThreadGetCacheConfig(&cache));
	OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
	OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
	GIVES(banks, cudaSharedMemBankSizeFourByte, cudaDeviceGetSharedMemConfig(&banks));
	ANSWERS(INVALID_VALUE, cudaDeviceSetCacheConfig((enum cudaFuncCache)4),
	        cudaDeviceGetCacheConfig(NULL), cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)3),
	        cudaDeviceGetSharedMemConfig(NULL));
	OK(cudaCtxResetPersistingL2Cache());
}

TEST(limits_can_be_lowered_and_raised_within_bounds)
{
	static const struct {
		enum cudaLimit limit;
		size_t initial, value;
	} rows[] = {{cudaLimitPrintfFifoSize, 1 << 20, 4 << 20},
	            {cudaLimitMallocHeapSize, 8 << 20, 4 << 20},
	            {cudaLimitDevRuntimePendingLaunchCount, 2048, 4096},
	            {cudaLimitMaxL2FetchGranularity, 64, 32},
	            {cudaLimitStackSize, 1024, 512}};
	size_t bytes;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		GIVES(bytes, rows[i].initial, cudaThreadGetLimit(&bytes, rows[i].limit));
		OK(cudaThreadSetLimit(rows[i].limit, rows[i].value));
		GIVES(bytes, rows[i].value, cudaDeviceGetLimit(&bytes, rows[i].limit));
	}
	int most;
	OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0),
	   cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most));
	ANSWERS(INVALID_VALUE, cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most + 1),
	        cudaDeviceSetLimit(cudaLimitStackSize, 513 * 1024), cudaDeviceSetLimit((enum cudaLimit)77, 1),
	        cudaDeviceGetLimit(&bytes, (enum cudaLimit)77), cudaDeviceGetLimit(NULL, cudaLimitStackSize));
	ANSWERS(cudaErrorUnsupportedLimit, cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4),
	        cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimeSyncDepth));
}

/* A GPU moves its heap and stacks; ours are made with the first module. */
TEST(heap_and_stacks_cannot_grow_once_they_are_made)
{
	CUmodule module;
	OK(cuModuleLoadData(&module, text), cudaDeviceSetLimit(cudaLimitStackSize, 2048));
	ANSWERS(INVALID_VALUE, cudaDeviceSetLimit(cudaLimitStackSize, 100 * 1024),
	        cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20));
	OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20),
	   cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20));
}

/* ---- other processes ---------------------------------------------------------------------------------------------------------- */

TEST(handles_for_other_processes_can_be_made_but_not_opened_here)
{
	cudaIpcMemHandle_t memory, wrong;
	cudaIpcEventHandle_t shared;
	cudaEvent_t event, opened;
	void *device, *pinned, *again;
	OK(cudaMalloc(&device, 4096), cudaMallocHost(&pinned, 4096), cudaIpcGetMemHandle(&memory, device));
	ANSWERS(INVALID_VALUE, cudaIpcGetMemHandle(NULL, device), cudaIpcGetMemHandle(&wrong, pinned),
	        cudaIpcOpenMemHandle(NULL, memory, cudaIpcMemLazyEnablePeerAccess),
	        cudaIpcOpenMemHandle(&again, memory, 0));
	memset(&wrong, 0, sizeof wrong);
	ANSWERS(INVALID_VALUE, cudaIpcOpenMemHandle(&again, wrong, cudaIpcMemLazyEnablePeerAccess));
	OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming),
	   cudaIpcGetEventHandle(&shared, event));
	ANSWERS(INVALID_VALUE, cudaIpcGetEventHandle(NULL, event), cudaIpcOpenEventHandle(NULL, shared));
	ANSWERS(cudaErrorDeviceUninitialized, cudaIpcOpenEventHandle(&opened, shared));
	OK(cudaEventDestroy(event), cudaFree(device), cudaFreeHost(pinned));
}

static cudaIpcMemHandle_t handed_over;

static int open_in_child(void)
{
	void *pointer;
	EXPECT(NOT_SUPPORTED, cudaIpcOpenMemHandle(&pointer, handed_over, cudaIpcMemLazyEnablePeerAccess));
	return test_failures;
}

/* Left out: device memory is the process's own. */
TEST(memory_of_another_process_is_not_supported)
{
	void *device;
	OK(cudaMalloc(&device, 4096), cudaIpcGetMemHandle(&handed_over, device));
	CHECK_EQ(fixture_run(open_in_child), 0);
	CHECK(strstr(fixture_said(), "cudaIpcOpenMemHandle: memory and events of another process"));
	OK(cudaFree(device));
}

TESTS(true)
