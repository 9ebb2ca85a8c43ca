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

/* An H200's answers, by number; where ours differ the remark says why. */
static const int attributes[] = {[1] = 1024,
                                 [2] = 1024,
                                 [3] = 1024,
                                 [4] = 64,
                                 [5] = 2147483647,
                                 [6] = 65535,
                                 [7] = 65535,
                                 [8] = 49152,
                                 [9] = 65536,
                                 [10] = 32,
                                 [11] = 2147483647,
                                 [12] = 65536,
                                 [13] = 1980000,
                                 [14] = 512,
                                 [15] = 1,
                                 [16] = 132,
                                 [17] = 0,
                                 [18] = 0,
                                 [19] = 1,
                                 [20] = 0,
                                 [21] = 131072,
                                 [22] = 131072,
                                 [23] = 65536,
                                 [24] = 16384,
                                 [25] = 16384,
                                 [26] = 16384,
                                 [27] = 32768,
                                 [28] = 32768,
                                 [29] = 2048,
                                 [30] = 512,
                                 [31] = 1,
                                 [32] = 0 /* ECC */,
                                 [33] = 0,
                                 [34] = 0,
                                 [35] = 0,
                                 [36] = 3200000 /* the machine file's clock */,
                                 [37] = 6016,
                                 [38] = 61603840 /* sets and ways of the machine file */,
                                 [39] = 2048,
                                 [40] = 1 /* copies do not overlap */,
                                 [41] = 1,
                                 [42] = 32768,
                                 [43] = 2048,
                                 [45] = 32768,
                                 [46] = 32768,
                                 [47] = 8192,
                                 [48] = 8192,
                                 [49] = 32768,
                                 [50] = 0,
                                 [51] = 32,
                                 [52] = 32768,
                                 [53] = 32768,
                                 [54] = 2046,
                                 [55] = 32768,
                                 [56] = 131072,
                                 [57] = 65536,
                                 [58] = 16384,
                                 [59] = 16384,
                                 [60] = 16384,
                                 [61] = 32768,
                                 [62] = 2048,
                                 [63] = 32768,
                                 [64] = 32768,
                                 [65] = 2048,
                                 [66] = 32768,
                                 [67] = 32768,
                                 [68] = 2046,
                                 [69] = 268435456,
                                 [70] = 131072,
                                 [71] = 65000,
                                 [72] = 2097120,
                                 [73] = 0 /* no mip levels */,
                                 [74] = 0,
                                 [75] = 9,
                                 [76] = 0,
                                 [77] = 0,
                                 [78] = 1,
                                 [79] = 1,
                                 [80] = 1,
                                 [81] = 233472,
                                 [82] = 65536,
                                 [83] = 1,
                                 [84] = 0,
                                 [85] = 0,
                                 [86] = 0,
                                 [87] = 2,
                                 [88] = 0,
                                 [89] = 1,
                                 [90] = 0 /* no preemption */,
                                 [91] = 1,
                                 [95] = 1,
                                 [96] = 0 /* one device */,
                                 [97] = 232448,
                                 [98] = 0,
                                 [99] = 1,
                                 [100] = 0,
                                 [101] = 0,
                                 [106] = 32,
                                 [108] = 38502400 /* of that L2 */,
                                 [109] = 134217728,
                                 [111] = 1024,
                                 [112] = 0 /* what follows of 0 is not simulated */,
                                 [113] = 0,
                                 [114] = 0,
                                 [115] = 1,
                                 [116] = 0,
                                 [117] = 0,
                                 [118] = 0,
                                 [119] = 0,
                                 [120] = 1,
                                 [121] = 0,
                                 [125] = 1};
static const int unknown[] = {0, 44, 92, 93, 94, 102, 103, 104, 105, 107, 110, 122, 123, 124, 126, 148, 9999};

static int is_unknown(int which)
{
	for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++)
		if (unknown[i] == which)
			return 1;
	return 0;
}

TEST(attributes_are_those_of_the_machine)
{
	int value;
	for (int i = 1; i < (int)(sizeof attributes / sizeof *attributes); i++) {
		if (is_unknown(i))
			continue;
		value = -7;
		CHECK_EQ(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)i, 0), cudaSuccess);
		if (value != attributes[i])
			printf("# attribute %d\n", i);
		CHECK_EQ(value, attributes[i]);
	}
	for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		value = -7;
		FAILS(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)unknown[i], 0),
		      cudaErrorInvalidValue);
		CHECK_EQ(value, -7);
	}
	FAILS(cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1), cudaErrorInvalidDevice);
}

TEST(there_is_one_device_to_choose)
{
	struct cudaDeviceProp properties;
	int device = 5, devices[] = {0, 0}, wrong = 3;
	OK(cudaGetDeviceProperties(&properties, 0));
	FAILS(cudaGetDeviceProperties(NULL, 0), cudaErrorInvalidValue);
	OK(cudaChooseDevice(&device, &properties));
	CHECK_EQ(device, 0);
	FAILS(cudaChooseDevice(NULL, &properties), cudaErrorInvalidValue);
	FAILS(cudaChooseDevice(&device, NULL), cudaErrorInvalidValue);
	FAILS(cudaGetDeviceCount(NULL), cudaErrorInvalidValue);
	FAILS(cudaGetDevice(NULL), cudaErrorInvalidValue);
	OK(cudaSetValidDevices(devices, 1));
	OK(cudaSetValidDevices(NULL, 0));
	FAILS(cudaSetValidDevices(NULL, 1), cudaErrorInvalidValue);
	FAILS(cudaSetValidDevices(devices, -1), cudaErrorInvalidValue);
	FAILS(cudaSetValidDevices(&wrong, 1), cudaErrorInvalidDevice);
	OK(cudaInitDevice(0, 0, 0));
	FAILS(cudaInitDevice(1, 0, 0), cudaErrorInvalidDevice);
	OK(cudaInitDevice(0, 0, 8));
	FAILS(cudaDeviceDisablePeerAccess(1), cudaErrorInvalidDevice);
	FAILS(cudaDeviceCanAccessPeer(&device, 1, 0), cudaErrorInvalidDevice);
	OK(cudaDeviceCanAccessPeer(&device, 0, 0));
	FAILS(cudaDeviceCanAccessPeer(NULL, 0, 0), cudaErrorInvalidValue);
}

TEST(the_device_has_a_place_on_the_bus)
{
	char id[16], lower[16];
	int device = 5;
	OK(cudaDeviceGetPCIBusId(id, 13, 0));
	CHECK_EQ(strlen(id), 12);
	OK(cudaDeviceGetByPCIBusId(&device, id));
	CHECK_EQ(device, 0);
	FAILS(cudaDeviceGetPCIBusId(lower, 12, 0), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetPCIBusId(NULL, 13, 0), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetPCIBusId(lower, 13, 1), cudaErrorInvalidDevice);
	FAILS(cudaDeviceGetByPCIBusId(NULL, id), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetByPCIBusId(&device, NULL), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetByPCIBusId(&device, "0000:ff:1f.0"), cudaErrorInvalidDevice);
}

/* ---- settings -------------------------------------------------------------------------------------------------------------- */

TEST(flags_are_kept_and_memory_can_always_be_mapped)
{
	unsigned flags = 0;
	OK(cudaSetDeviceFlags(cudaDeviceScheduleYield));
	OK(cudaGetDeviceFlags(&flags));
	CHECK_EQ(flags, cudaDeviceScheduleYield | cudaDeviceMapHost);
	FAILS(cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin), cudaErrorInvalidValue);
	FAILS(cudaSetDeviceFlags(0x1000), cudaErrorInvalidValue);
	OK(cudaSetDeviceFlags(0));
	FAILS(cudaGetDeviceFlags(NULL), cudaErrorInvalidValue);
}

TEST(wishes_about_caches_are_kept)
{
	enum cudaFuncCache cache;
	enum cudaSharedMemConfig banks;
	OK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
	OK(cudaThreadGetCacheConfig(&cache));
	CHECK_EQ(cache, cudaFuncCachePreferL1);
	OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
	FAILS(cudaDeviceSetCacheConfig((enum cudaFuncCache)4), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetCacheConfig(NULL), cudaErrorInvalidValue);
	OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
	OK(cudaDeviceGetSharedMemConfig(&banks));
	CHECK_EQ(banks, cudaSharedMemBankSizeFourByte);
	FAILS(cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)3), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetSharedMemConfig(NULL), cudaErrorInvalidValue);
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
		OK(cudaThreadGetLimit(&bytes, rows[i].limit));
		CHECK_EQ(bytes, rows[i].initial);
		OK(cudaThreadSetLimit(rows[i].limit, rows[i].value));
		OK(cudaDeviceGetLimit(&bytes, rows[i].limit));
		CHECK_EQ(bytes, rows[i].value);
	}
	int most;
	OK(cudaDeviceGetAttribute(&most, cudaDevAttrMaxPersistingL2CacheSize, 0));
	OK(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most));
	FAILS(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, (size_t)most + 1), cudaErrorInvalidValue);
	FAILS(cudaDeviceSetLimit(cudaLimitStackSize, 513 * 1024), cudaErrorInvalidValue);
	FAILS(cudaDeviceSetLimit((enum cudaLimit)77, 1), cudaErrorInvalidValue);
	FAILS(cudaDeviceGetLimit(&bytes, (enum cudaLimit)77), cudaErrorInvalidValue);
	FAILS(cudaDeviceSetLimit(cudaLimitDevRuntimeSyncDepth, 4), cudaErrorUnsupportedLimit);
	FAILS(cudaDeviceGetLimit(&bytes, cudaLimitDevRuntimeSyncDepth), cudaErrorUnsupportedLimit);
	FAILS(cudaDeviceGetLimit(NULL, cudaLimitStackSize), cudaErrorInvalidValue);
}

/* A GPU moves its heap and stacks; ours are made with the first module. */
TEST(heap_and_stacks_cannot_grow_once_they_are_made)
{
	CUmodule module;
	OK(cuModuleLoadData(&module, text));
	OK(cudaDeviceSetLimit(cudaLimitStackSize, 2048));
	FAILS(cudaDeviceSetLimit(cudaLimitStackSize, 100 * 1024), cudaErrorInvalidValue);
	FAILS(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 64 << 20), cudaErrorInvalidValue);
	OK(cudaDeviceSetLimit(cudaLimitMallocHeapSize, 1 << 20));
	OK(cudaDeviceSetLimit(cudaLimitPrintfFifoSize, 64 << 20));
}

/* ---- other processes ---------------------------------------------------------------------------------------------------------- */

TEST(handles_for_other_processes_can_be_made_but_not_opened_here)
{
	cudaIpcMemHandle_t memory, wrong;
	cudaIpcEventHandle_t shared;
	cudaEvent_t event, opened;
	void *device, *pinned, *again;
	OK(cudaMalloc(&device, 4096));
	OK(cudaMallocHost(&pinned, 4096));
	OK(cudaIpcGetMemHandle(&memory, device));
	FAILS(cudaIpcGetMemHandle(NULL, device), cudaErrorInvalidValue);
	FAILS(cudaIpcGetMemHandle(&wrong, pinned), cudaErrorInvalidValue);
	FAILS(cudaIpcOpenMemHandle(NULL, memory, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidValue);
	FAILS(cudaIpcOpenMemHandle(&again, memory, 0), cudaErrorInvalidValue);
	memset(&wrong, 0, sizeof wrong);
	FAILS(cudaIpcOpenMemHandle(&again, wrong, cudaIpcMemLazyEnablePeerAccess), cudaErrorInvalidValue);
	OK(cudaEventCreateWithFlags(&event, cudaEventInterprocess | cudaEventDisableTiming));
	OK(cudaIpcGetEventHandle(&shared, event));
	FAILS(cudaIpcGetEventHandle(NULL, event), cudaErrorInvalidValue);
	FAILS(cudaIpcOpenEventHandle(NULL, shared), cudaErrorInvalidValue);
	FAILS(cudaIpcOpenEventHandle(&opened, shared), cudaErrorDeviceUninitialized);
	OK(cudaEventDestroy(event));
	OK(cudaFree(device));
	OK(cudaFreeHost(pinned));
}

static cudaIpcMemHandle_t handed_over;

static int open_in_child(void)
{
	void *pointer;
	EXPECT(cudaIpcOpenMemHandle(&pointer, handed_over, cudaIpcMemLazyEnablePeerAccess),
	       cudaErrorNotSupported);
	return test_failures;
}

/* Left out: device memory is the process's own. */
TEST(memory_of_another_process_is_not_supported)
{
	void *device;
	OK(cudaMalloc(&device, 4096));
	OK(cudaIpcGetMemHandle(&handed_over, device));
	CHECK_EQ(fixture_run(open_in_child), 0);
	CHECK(strstr(fixture_said(), "cudaIpcOpenMemHandle: memory and events of another process"));
	OK(cudaFree(device));
}

TEST_MAIN(TEST_ENTRY(attributes_are_those_of_the_machine) TEST_ENTRY(there_is_one_device_to_choose)
              TEST_ENTRY(the_device_has_a_place_on_the_bus)
                  TEST_ENTRY(flags_are_kept_and_memory_can_always_be_mapped)
                      TEST_ENTRY(wishes_about_caches_are_kept)
                          TEST_ENTRY(limits_can_be_lowered_and_raised_within_bounds)
                              TEST_ENTRY(heap_and_stacks_cannot_grow_once_they_are_made)
                                  TEST_ENTRY(handles_for_other_processes_can_be_made_but_not_opened_here)
                                      TEST_ENTRY(memory_of_another_process_is_not_supported))
