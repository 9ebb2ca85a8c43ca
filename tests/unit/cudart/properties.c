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
		OK(cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)i, 0));
		if (value != attributes[i])
			printf("# attribute %d\n", i);
		CHECK_EQ(value, attributes[i]);
	}
	for (unsigned i = 0; i < sizeof unknown / sizeof *unknown; i++) {
		value = -7;
		ANSWERS(INVALID_VALUE, cudaDeviceGetAttribute(&value, (enum cudaDeviceAttr)unknown[i], 0));
		CHECK_EQ(value, -7);
	}
	ANSWERS(INVALID_VALUE, cudaDeviceGetAttribute(NULL, cudaDevAttrWarpSize, 0));
	ANSWERS(INVALID_DEVICE, cudaDeviceGetAttribute(&value, cudaDevAttrWarpSize, 1));
}

TEST(there_is_one_device_to_choose)
{
	struct cudaDeviceProp properties;
	int device = 5, devices[] = {0, 0}, wrong = 3;
	OK(cudaGetDeviceProperties(&properties, 0));
	ANSWERS(INVALID_VALUE, cudaGetDeviceProperties(NULL, 0));
	GIVES(device, 0, cudaChooseDevice(&device, &properties));
	ANSWERS(INVALID_VALUE, cudaChooseDevice(NULL, &properties), cudaChooseDevice(&device, NULL),
	        cudaGetDeviceCount(NULL), cudaGetDevice(NULL));
	OK(cudaSetValidDevices(devices, 1), cudaSetValidDevices(NULL, 0));
	ANSWERS(INVALID_VALUE, cudaSetValidDevices(NULL, 1), cudaSetValidDevices(devices, -1));
	ANSWERS(INVALID_DEVICE, cudaSetValidDevices(&wrong, 1));
	OK(cudaInitDevice(0, 0, 0));
	ANSWERS(INVALID_DEVICE, cudaInitDevice(1, 0, 0));
	OK(cudaInitDevice(0, 0, 8));
	ANSWERS(INVALID_DEVICE, cudaDeviceDisablePeerAccess(1), cudaDeviceCanAccessPeer(&device, 1, 0));
	OK(cudaDeviceCanAccessPeer(&device, 0, 0));
	ANSWERS(INVALID_VALUE, cudaDeviceCanAccessPeer(NULL, 0, 0));
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
	ANSWERS(INVALID_VALUE, cudaSetDeviceFlags(cudaDeviceScheduleYield | cudaDeviceScheduleSpin),
	        cudaSetDeviceFlags(0x1000));
	OK(cudaSetDeviceFlags(0));
	ANSWERS(INVALID_VALUE, cudaGetDeviceFlags(NULL));
}

TEST(wishes_about_caches_are_kept)
{
	enum cudaFuncCache cache;
	enum cudaSharedMemConfig banks;
	OK(cudaThreadSetCacheConfig(cudaFuncCachePreferL1));
	GIVES(cache, cudaFuncCachePreferL1, cudaThreadGetCacheConfig(&cache));
	OK(cudaDeviceSetCacheConfig(cudaFuncCachePreferNone));
	ANSWERS(INVALID_VALUE, cudaDeviceSetCacheConfig((enum cudaFuncCache)4),
	        cudaDeviceGetCacheConfig(NULL));
	OK(cudaDeviceSetSharedMemConfig(cudaSharedMemBankSizeEightByte));
	GIVES(banks, cudaSharedMemBankSizeFourByte, cudaDeviceGetSharedMemConfig(&banks));
	ANSWERS(INVALID_VALUE, cudaDeviceSetSharedMemConfig((enum cudaSharedMemConfig)3),
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
