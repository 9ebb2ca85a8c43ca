/* What kernels tell of themselves and let be set, and how many of them an SM and a GPC hold. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

/* clang-format off */
static const char text[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n"
    ".visible .entry plain(.param .u8 p0, .param .u64 p1, .param .align 4 .b8 p2[12])\n{\n	ret;\n}\n"
    ".visible .entry flat()\n.maxntid 1, 1, 1\n{\n	ret;\n}\n"
    ".visible .entry deep()\n.maxntid 16, 4, 2\n{\n	ret;\n}\n"
    ".visible .entry wide()\n{\n	.shared .align 4 .b8 kept[40000];\n	.reg .b32 %r<2>;\n"
    "	mov.u32 %r1, 7;\n	st.shared.u32 [kept], %r1;\n	ret;\n}\n";
/* clang-format on */

static CUfunction function(const char *name)
{
	static CUmodule module;
	CUfunction found = NULL;
	if (!module && (cudaFree(NULL) || cuModuleLoadData(&module, text)))
		return NULL;
	return cuModuleGetFunction(&found, module, name) ? NULL : found;
}

/* ---- kernels ------------------------------------------------------------------------------------------------------------------- */

TEST(kernels_tell_their_names_bounds_and_parameters)
{
	static const struct {
		const char *name;
		int threads;
	} rows[] = {{"plain", 1024}, {"flat", 1}, {"deep", 128}};
	static const size_t offsets[] = {0, 8, 16}, sizes[] = {1, 8, 12};
	struct cudaFuncAttributes a;
	const char *name;
	size_t offset, bytes;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		OK(cudaFuncGetName(&name, function(rows[i].name)));
		CHECK(!strcmp(name, rows[i].name));
		OK(cudaFuncGetAttributes(&a, function(rows[i].name)));
		CHECK_EQ(a.maxThreadsPerBlock, rows[i].threads);
	}
	for (size_t i = 0; i < 3; i++) {
		OK(cudaFuncGetParamInfo(function("plain"), i, &offset, &bytes));
		CHECK(offset == offsets[i] && bytes == sizes[i]);
		OK(cudaFuncGetParamInfo(function("plain"), i, &offset, NULL));
	}
	FAILS(cudaFuncGetParamInfo(function("plain"), 3, &offset, &bytes), cudaErrorInvalidValue);
	FAILS(cudaFuncGetParamInfo(function("plain"), 0, NULL, &bytes), cudaErrorInvalidValue);
	FAILS(cudaFuncGetParamInfo(text, 0, &offset, &bytes), cudaErrorInvalidDeviceFunction);
	FAILS(cudaFuncGetName(NULL, function("plain")), cudaErrorInvalidValue);
	FAILS(cudaFuncGetName(&name, text), cudaErrorInvalidDeviceFunction);
	FAILS(cudaFuncGetAttributes(NULL, function("plain")), cudaErrorInvalidValue);
	FAILS(cudaFuncGetAttributes(&a, NULL), cudaErrorInvalidDeviceFunction);
}

TEST(handles_of_kernels_are_kernels)
{
	cudaFunction_t handle;
	cudaKernel_t kernel;
	OK(cudaGetFuncBySymbol(&handle, function("plain")));
	CHECK(handle);
	OK(cudaGetKernel(&kernel, function("plain")));
	CHECK(kernel);
	FAILS(cudaGetFuncBySymbol(NULL, function("plain")), cudaErrorInvalidValue);
	FAILS(cudaGetKernel(NULL, function("plain")), cudaErrorInvalidValue);
	FAILS(cudaGetFuncBySymbol(&handle, text), cudaErrorInvalidDeviceFunction);
}

TEST(settings_of_a_kernel_are_checked_and_told)
{
	static const struct {
		enum cudaFuncAttribute which;
		int value;
		cudaError_t want;
	} rows[] = {
	    {cudaFuncAttributeMaxDynamicSharedMemorySize, -1, cudaErrorInvalidValue},
	    {cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 - 40000 + 1, cudaErrorInvalidValue},
	    {cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 - 40000, cudaSuccess},
	    {cudaFuncAttributePreferredSharedMemoryCarveout, -2, cudaErrorInvalidValue},
	    {cudaFuncAttributePreferredSharedMemoryCarveout, 101, cudaErrorInvalidValue},
	    {cudaFuncAttributePreferredSharedMemoryCarveout, 50, cudaSuccess},
	    {cudaFuncAttributeNonPortableClusterSizeAllowed, 1, cudaSuccess},
	    {cudaFuncAttributeClusterSchedulingPolicyPreference, -1, cudaErrorInvalidValue},
	    {cudaFuncAttributeClusterSchedulingPolicyPreference, 3, cudaErrorInvalidValue},
	    {cudaFuncAttributeClusterSchedulingPolicyPreference, 1, cudaSuccess},
	    {(enum cudaFuncAttribute)99, 1, cudaErrorInvalidValue}};
	struct cudaFuncAttributes a;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_EQ(cudaFuncSetAttribute(function("wide"), rows[i].which, rows[i].value), rows[i].want);
		CHECK_EQ(cudaGetLastError(), rows[i].want);
	}
	OK(cudaFuncGetAttributes(&a, function("wide")));
	CHECK_EQ(a.maxDynamicSharedSizeBytes, 227 * 1024 - 40000);
	CHECK_EQ(a.preferredShmemCarveout, 50);
	CHECK_EQ(a.nonPortableClusterSizeAllowed, 1);
	CHECK_EQ(a.clusterSchedulingPolicyPreference, 1);
	FAILS(cudaFuncSetAttribute(text, cudaFuncAttributePreferredSharedMemoryCarveout, 1),
	      cudaErrorInvalidDeviceFunction);
	OK(cudaFuncSetCacheConfig(function("wide"), cudaFuncCachePreferL1));
	FAILS(cudaFuncSetCacheConfig(function("wide"), (enum cudaFuncCache)4), cudaErrorInvalidValue);
	FAILS(cudaFuncSetCacheConfig(text, cudaFuncCachePreferL1), cudaErrorInvalidDeviceFunction);
	OK(cudaFuncSetSharedMemConfig(function("wide"), cudaSharedMemBankSizeFourByte));
	FAILS(cudaFuncSetSharedMemConfig(function("wide"), (enum cudaSharedMemConfig)3),
	      cudaErrorInvalidValue);
}

/* ---- occupancy ------------------------------------------------------------------------------------------------------------------ */

TEST(occupancy_counts_threads_and_shared_memory)
{
	int blocks = -1;
	size_t bytes = 0;
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 33, 0));
	CHECK_EQ(blocks, 32);
	/* A launch bound does not count, but no block has more than 1024 threads. */
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("flat"), 1024, 0));
	CHECK_EQ(blocks, 2);
	OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 1025, 0));
	CHECK_EQ(blocks, 0);
	FAILS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 0, 0),
	      cudaErrorInvalidValue);
	FAILS(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, text, 32, 0),
	      cudaErrorInvalidDeviceFunction);
	OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 1, 32));
	CHECK_EQ(bytes, 48 * 1024);
	OK(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 32, 32));
	CHECK_EQ(bytes, 228 * 1024 / 32);
	FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(NULL, function("plain"), 1, 32),
	      cudaErrorInvalidValue);
	FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 0, 32),
	      cudaErrorInvalidValue);
	FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 1, 0),
	      cudaErrorInvalidValue);
	FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 33, 32),
	      cudaErrorInvalidValue);
	FAILS(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, text, 1, 32), cudaErrorInvalidDeviceFunction);
}

TEST(clusters_need_room_in_one_gpc)
{
	cudaLaunchAttribute attributes_of[2] = {{.id = cudaLaunchAttributePriority},
	                                        {.id = cudaLaunchAttributeClusterDimension}};
	cudaLaunchConfig_t config = {.gridDim = {64, 1, 2}, .blockDim = {1024, 1, 1}, .attrs = attributes_of};
	static const struct {
		unsigned x, y, z;
		cudaError_t want;
		int clusters;
	} rows[] = {{1, 1, 1, cudaSuccess, 264},
	            {2, 1, 1, cudaSuccess, 132},
	            {1, 1, 2, cudaSuccess, 132},
	            {8, 1, 1, cudaSuccess, 32}, /* 30 on an H200, whose GPCs differ more */
	            {1, 2, 1, cudaErrorInvalidClusterSize, -1},
	            {3, 1, 1, cudaErrorInvalidClusterSize, -1},
	            {1, 1, 4, cudaErrorInvalidClusterSize, -1},
	            {0, 1, 1, cudaErrorInvalidClusterSize, -1},
	            {16, 1, 1, cudaErrorInvalidClusterSize, -1}};
	int clusters = 0, size = 0;
	config.numAttrs = 2;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		attributes_of[1].val.clusterDim.x = rows[i].x;
		attributes_of[1].val.clusterDim.y = rows[i].y;
		attributes_of[1].val.clusterDim.z = rows[i].z;
		clusters = -1;
		CHECK_EQ(cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config), rows[i].want);
		CHECK_EQ(cudaGetLastError(), rows[i].want);
		CHECK_EQ(clusters, rows[i].clusters);
	}
	attributes_of[1].val.clusterDim.x = 1;
	config.blockDim.x = 0;
	FAILS(cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config), cudaErrorInvalidValue);
	config.blockDim.x = 2048;
	OK(cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config));
	CHECK_EQ(clusters, 0);
	config.blockDim.x = 1024;
	config.attrs = NULL;
	FAILS(cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config), cudaErrorInvalidValue);
	config.numAttrs = 0;
	FAILS(cudaOccupancyMaxActiveClusters(NULL, function("plain"), &config), cudaErrorInvalidValue);
	FAILS(cudaOccupancyMaxActiveClusters(&clusters, function("plain"), NULL), cudaErrorInvalidValue);
	FAILS(cudaOccupancyMaxActiveClusters(&clusters, text, &config), cudaErrorInvalidDeviceFunction);
	OK(cudaOccupancyMaxPotentialClusterSize(&size, function("plain"), &config));
	CHECK_EQ(size, 8);
	OK(cudaFuncSetAttribute(function("deep"), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
	OK(cudaOccupancyMaxPotentialClusterSize(&size, function("deep"), &config));
	CHECK_EQ(size, 16);
	attributes_of[1].val.clusterDim.x = 16;
	config.attrs = attributes_of;
	config.numAttrs = 2;
	OK(cudaOccupancyMaxActiveClusters(&clusters, function("deep"), &config));
	CHECK_EQ(clusters, 0); /* more threads than its bound */
	config.blockDim.x = 128;
	OK(cudaOccupancyMaxActiveClusters(&clusters, function("deep"), &config));
	CHECK(clusters > 0);
	FAILS(cudaOccupancyMaxPotentialClusterSize(NULL, function("plain"), &config), cudaErrorInvalidValue);
	FAILS(cudaOccupancyMaxPotentialClusterSize(&size, function("plain"), NULL), cudaErrorInvalidValue);
	FAILS(cudaOccupancyMaxPotentialClusterSize(&size, text, &config), cudaErrorInvalidDeviceFunction);
}

TEST_MAIN(TEST_ENTRY(kernels_tell_their_names_bounds_and_parameters)
              TEST_ENTRY(handles_of_kernels_are_kernels) TEST_ENTRY(settings_of_a_kernel_are_checked_and_told)
                  TEST_ENTRY(occupancy_counts_threads_and_shared_memory)
                      TEST_ENTRY(clusters_need_room_in_one_gpc))
