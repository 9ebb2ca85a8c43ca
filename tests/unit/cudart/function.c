/* What kernels tell of themselves and let be set, and how many of them an SM and a GPC hold. */
#include <cuda.h>
#include <cuda_runtime_api.h>

#include "fixture.h"

/* clang-format off */
static const char text[] =
    ".version 7.8\n.target sm_90\n.address_size 64\n.visible .const .align 4 .u32 factor = 3;\n"
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
		GIVES(a.maxThreadsPerBlock, rows[i].threads,
		      cudaFuncGetAttributes(&a, function(rows[i].name)));
	}
	for (size_t i = 0; i < 3; i++) {
		OK(cudaFuncGetParamInfo(function("plain"), i, &offset, &bytes));
		CHECK(offset == offsets[i] && bytes == sizes[i]);
		OK(cudaFuncGetParamInfo(function("plain"), i, &offset, NULL));
	}
	ANSWERS(INVALID_VALUE, cudaFuncGetParamInfo(function("plain"), 3, &offset, &bytes),
	        cudaFuncGetParamInfo(function("plain"), 0, NULL, &bytes),
	        cudaFuncGetName(NULL, function("plain")), cudaFuncGetAttributes(NULL, function("plain")));
	ANSWERS(INVALID_FUNCTION, cudaFuncGetParamInfo(text, 0, &offset, &bytes),
	        cudaFuncGetName(&name, text), cudaFuncGetAttributes(&a, NULL));
}

TEST(handles_of_kernels_are_kernels)
{
	cudaFunction_t handle;
	cudaKernel_t kernel;
	OK(cudaGetFuncBySymbol(&handle, function("plain")));
	CHECK(handle);
	OK(cudaGetKernel(&kernel, function("plain")));
	CHECK(kernel);
	ANSWERS(INVALID_VALUE, cudaGetFuncBySymbol(NULL, function("plain")),
	        cudaGetKernel(NULL, function("plain")));
	ANSWERS(INVALID_FUNCTION, cudaGetFuncBySymbol(&handle, text));
}

TEST(settings_of_a_kernel_are_checked_and_told)
{
	static const struct {
		enum cudaFuncAttribute which;
		int value;
		int want;
	} rows[] = {{cudaFuncAttributeMaxDynamicSharedMemorySize, -1, INVALID_VALUE},
	            {cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 - 40000 + 1, INVALID_VALUE},
	            {cudaFuncAttributeMaxDynamicSharedMemorySize, 227 * 1024 - 40000, cudaSuccess},
	            {cudaFuncAttributePreferredSharedMemoryCarveout, -2, INVALID_VALUE},
	            {cudaFuncAttributePreferredSharedMemoryCarveout, 101, INVALID_VALUE},
	            {cudaFuncAttributePreferredSharedMemoryCarveout, 50, cudaSuccess},
	            {cudaFuncAttributeNonPortableClusterSizeAllowed, 1, cudaSuccess},
	            {cudaFuncAttributeClusterSchedulingPolicyPreference, -1, INVALID_VALUE},
	            {cudaFuncAttributeClusterSchedulingPolicyPreference, 3, INVALID_VALUE},
	            {cudaFuncAttributeClusterSchedulingPolicyPreference, 1, cudaSuccess},
	            {(enum cudaFuncAttribute)99, 1, INVALID_VALUE}};
	struct cudaFuncAttributes a;
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		CHECK_EQ(cudaFuncSetAttribute(function("wide"), rows[i].which, rows[i].value), rows[i].want);
		CHECK_EQ(cudaGetLastError(), rows[i].want);
	}
	GIVES(a.maxDynamicSharedSizeBytes, 227 * 1024 - 40000, cudaFuncGetAttributes(&a, function("wide")));
	CHECK_EQ(a.preferredShmemCarveout, 50);
	CHECK_EQ(a.nonPortableClusterSizeAllowed, 1);
	CHECK_EQ(a.clusterSchedulingPolicyPreference, 1);
	OK(cudaFuncSetCacheConfig(function("wide"), cudaFuncCachePreferL1));
	OK(cudaFuncSetSharedMemConfig(function("wide"), cudaSharedMemBankSizeFourByte));
	ANSWERS(INVALID_FUNCTION,
	        cudaFuncSetAttribute(text, cudaFuncAttributePreferredSharedMemoryCarveout, 1),
	        cudaFuncSetCacheConfig(text, cudaFuncCachePreferL1));
	ANSWERS(INVALID_VALUE, cudaFuncSetCacheConfig(function("wide"), (enum cudaFuncCache)4),
	        cudaFuncSetSharedMemConfig(function("wide"), (enum cudaSharedMemConfig)3));
}

/* ---- occupancy ------------------------------------------------------------------------------------------------------------------ */

TEST(occupancy_counts_threads_and_shared_memory)
{
	int blocks = -1;
	size_t bytes = 0;
	GIVES(blocks, 32, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 33, 0));
	/* A launch bound does not count, but no block has more than 1024 threads. */
	GIVES(blocks, 2, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("flat"), 1024, 0));
	GIVES(blocks, 0, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 1025, 0));
	GIVES(bytes, 48 * 1024, cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 1, 32));
	GIVES(bytes, 228 * 1024 / 32,
	      cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 32, 32));
	ANSWERS(INVALID_VALUE,
	        cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function("plain"), 0, 0),
	        cudaOccupancyAvailableDynamicSMemPerBlock(NULL, function("plain"), 1, 32),
	        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 0, 32),
	        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 1, 0),
	        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, function("plain"), 33, 32));
	ANSWERS(INVALID_FUNCTION, cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, text, 32, 0),
	        cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, text, 1, 32));
}

TEST(clusters_need_room_in_one_gpc)
{
	cudaLaunchAttribute attributes_of[2] = {{.id = cudaLaunchAttributePriority},
	                                        {.id = cudaLaunchAttributeClusterDimension}};
	cudaLaunchConfig_t config = {.gridDim = {64, 1, 2}, .blockDim = {1024, 1, 1}, .attrs = attributes_of};
	static const struct {
		unsigned x, y, z;
		int want;
		int clusters;
	} rows[] = {
	    {1, 1, 1, cudaSuccess, 264},    {2, 1, 1, cudaSuccess, 132},    {1, 1, 2, cudaSuccess, 132},
	    {8, 1, 1, cudaSuccess, 32}, /* 30 on an H200, whose GPCs differ more */
	    {1, 2, 1, INVALID_CLUSTER, -1}, {3, 1, 1, INVALID_CLUSTER, -1}, {1, 1, 4, INVALID_CLUSTER, -1},
	    {0, 1, 1, INVALID_CLUSTER, -1}, {16, 1, 1, INVALID_CLUSTER, -1}};
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
	ANSWERS(INVALID_VALUE, cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config));
	config.blockDim.x = 2048;
	GIVES(clusters, 0, cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config));
	config.blockDim.x = 1024;
	config.attrs = NULL;
	ANSWERS(INVALID_VALUE, cudaOccupancyMaxActiveClusters(&clusters, function("plain"), &config));
	config.numAttrs = 0;
	ANSWERS(INVALID_VALUE, cudaOccupancyMaxActiveClusters(NULL, function("plain"), &config),
	        cudaOccupancyMaxActiveClusters(&clusters, function("plain"), NULL));
	ANSWERS(INVALID_FUNCTION, cudaOccupancyMaxActiveClusters(&clusters, text, &config));
	GIVES(size, 8, cudaOccupancyMaxPotentialClusterSize(&size, function("plain"), &config));
	OK(cudaFuncSetAttribute(function("deep"), cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
	GIVES(size, 16, cudaOccupancyMaxPotentialClusterSize(&size, function("deep"), &config));
	attributes_of[1].val.clusterDim.x = 16;
	config.attrs = attributes_of;
	config.numAttrs = 2;
	OK(cudaOccupancyMaxActiveClusters(&clusters, function("deep"), &config));
	CHECK_EQ(clusters, 0); /* more threads than its bound */
	config.blockDim.x = 128;
	OK(cudaOccupancyMaxActiveClusters(&clusters, function("deep"), &config));
	CHECK(clusters > 0);
	ANSWERS(INVALID_VALUE, cudaOccupancyMaxPotentialClusterSize(NULL, function("plain"), &config),
	        cudaOccupancyMaxPotentialClusterSize(&size, function("plain"), NULL));
	ANSWERS(INVALID_FUNCTION, cudaOccupancyMaxPotentialClusterSize(&size, text, &config));
}

TESTS(true)
