/* cudaLaunchKernelEx with attributes, attributes of streams, access policies, attributes of functions, occupancy. */
#include <cooperative_groups.h>

#include "check.h"

namespace cg = cooperative_groups;

enum { N = 256 };

__global__ void add(int *a, int value, char small)
{
	a[blockIdx.x * blockDim.x + threadIdx.x] += value + small;
}

__global__ void over_the_grid(int *a)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = i;
	cg::this_grid().sync();
	a[i] += a[gridDim.x * blockDim.x - 1 - i] * 0 + (int)(gridDim.x * blockDim.x);
}

__global__ void static_shared(int *a)
{
	__shared__ int s[1024];
	s[threadIdx.x] = a[threadIdx.x];
	__syncthreads();
	a[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x];
}

__global__ void __launch_bounds__(128) bounded(int *a)
{
	extern __shared__ int s[];
	s[threadIdx.x] = a[threadIdx.x];
	a[threadIdx.x] = s[threadIdx.x] + 1;
}

static void launches(void)
{
	static int got[N], want[N];
	int *a = (int *)check_zeros(sizeof got);
	cudaLaunchAttribute attribute[3];
	cudaLaunchConfig_t config = {};
	memset(attribute, 0, sizeof attribute);
	config.gridDim = dim3(2);
	config.blockDim = dim3(N / 2);
	CUDA(cudaLaunchKernelEx(&config, add, a, 5, 'a'));
	short converted = 7;
	CUDA(cudaLaunchKernelEx(&config, add, a, converted, (char)1));
	attribute[0].id = cudaLaunchAttributeProgrammaticStreamSerialization;
	attribute[0].val.programmaticStreamSerializationAllowed = 1;
	attribute[1].id = cudaLaunchAttributePriority;
	attribute[1].val.priority = 0;
	attribute[2].id = cudaLaunchAttributeAccessPolicyWindow;
	attribute[2].val.accessPolicyWindow.base_ptr = a;
	attribute[2].val.accessPolicyWindow.num_bytes = sizeof got;
	attribute[2].val.accessPolicyWindow.hitRatio = 0.5f;
	attribute[2].val.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
	attribute[2].val.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
	config.attrs = attribute;
	config.numAttrs = 3;
	CUDA(cudaLaunchKernelEx(&config, add, a, 1, (char)0));
	int value = 100;
	char small = 2;
	void *args[] = {&a, &value, &small};
	CUDA(cudaLaunchKernelExC(&config, (const void *)add, args), cudaDeviceSynchronize(),
	     cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		want[i] = 5 + 'a' + 8 + 1 + 102;
	check_same("four launches", got, want, sizeof *want, N);

	attribute[0].id = cudaLaunchAttributeCooperative;
	attribute[0].val.cooperative = 1;
	config.numAttrs = 1;
	CUDA(cudaLaunchKernelEx(&config, over_the_grid, a), cudaDeviceSynchronize(),
	     cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		want[i] = i + N;
	check_same("a cooperative one", got, want, sizeof *want, N);
	config.gridDim = dim3(1 << 20);
	expect("too large to be cooperative", cudaLaunchKernelEx(&config, over_the_grid, a),
	       cudaErrorCooperativeLaunchTooLarge);
	config.gridDim = dim3(2);
	config.attrs = NULL;
	expect("attributes that are not there", cudaLaunchKernelEx(&config, add, a, 1, (char)0),
	       cudaErrorInvalidValue);
	CUDA(cudaFree(a));
}

static void streams(void)
{
	cudaStream_t stream, other;
	cudaStreamAttrValue value, told;
	memset(&value, 0, sizeof value);
	CUDA(cudaStreamCreate(&stream), cudaStreamCreate(&other));
	int window = 0, persisting = 0;
	CUDA(cudaDeviceGetAttribute(&window, cudaDevAttrMaxAccessPolicyWindowSize, 0),
	     cudaDeviceGetAttribute(&persisting, cudaDevAttrMaxPersistingL2CacheSize, 0));
	check_that("L2 can be set aside", window > 0 && persisting > 0);
	CUDA(cudaDeviceSetLimit(cudaLimitPersistingL2CacheSize, 1 << 20));
	void *memory;
	CUDA(cudaMalloc(&memory, 1 << 16));
	value.accessPolicyWindow.base_ptr = memory;
	value.accessPolicyWindow.num_bytes = 1 << 16;
	value.accessPolicyWindow.hitRatio = 1.0f;
	value.accessPolicyWindow.hitProp = cudaAccessPropertyPersisting;
	value.accessPolicyWindow.missProp = cudaAccessPropertyStreaming;
	CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
	     cudaStreamGetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &told));
	check_that("a window is told again",
	           told.accessPolicyWindow.base_ptr == memory &&
	               told.accessPolicyWindow.num_bytes == 1 << 16 &&
	               told.accessPolicyWindow.hitProp == cudaAccessPropertyPersisting);
	CUDA(cudaStreamCopyAttributes(other, stream),
	     cudaStreamGetAttribute(other, cudaStreamAttributeAccessPolicyWindow, &told));
	check_that("and copied", told.accessPolicyWindow.base_ptr == memory);
	value.accessPolicyWindow.hitRatio = 2.0f;
	expect("a ratio above 1",
	       cudaStreamSetAttribute(stream, cudaStreamAttributeAccessPolicyWindow, &value),
	       cudaErrorInvalidValue);
	value.syncPolicy = cudaSyncPolicyYield;
	CUDA(cudaStreamSetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &value),
	     cudaStreamGetAttribute(stream, cudaStreamAttributeSynchronizationPolicy, &told));
	check_equal("how waiting is done", told.syncPolicy, cudaSyncPolicyYield);
	expect("an attribute of launches alone",
	       cudaStreamGetAttribute(stream, cudaLaunchAttributeCooperative, &told), cudaErrorInvalidValue);
	CUDA(cudaCtxResetPersistingL2Cache(), cudaFree(memory));
}

static void functions(void)
{
	struct cudaFuncAttributes attributes;
	CUDA(cudaFuncGetAttributes(&attributes, static_shared));
	check_equal("static shared memory", (long long)attributes.sharedSizeBytes, 4096);
	check_that("registers", attributes.numRegs > 0 && attributes.numRegs <= 255);
	check_equal("carveout", attributes.preferredShmemCarveout, cudaSharedmemCarveoutDefault);
	check_equal("dynamic shared memory", attributes.maxDynamicSharedSizeBytes, 48 * 1024 - 4096);
	CUDA(cudaFuncSetAttribute(static_shared, cudaFuncAttributePreferredSharedMemoryCarveout, 50),
	     cudaFuncGetAttributes(&attributes, static_shared));
	check_equal("carveout that was set", attributes.preferredShmemCarveout, 50);
	CUDA(cudaFuncGetAttributes(&attributes, bounded));
	check_equal("launch bounds", attributes.maxThreadsPerBlock, 128);
	expect("a carveout above 100",
	       cudaFuncSetAttribute(bounded, cudaFuncAttributePreferredSharedMemoryCarveout, 101),
	       cudaErrorInvalidValue);
	expect("too much shared memory",
	       cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
	       cudaErrorInvalidValue);
	expect("what compiling decides",
	       cudaFuncSetAttribute(bounded, cudaFuncAttributeClusterDimMustBeSet, 1), cudaErrorInvalidValue);
	CUDA(cudaFuncSetAttribute(bounded, cudaFuncAttributeMaxDynamicSharedMemorySize, 100 << 10),
	     cudaFuncGetAttributes(&attributes, bounded));
	check_equal("more after asking", attributes.maxDynamicSharedSizeBytes, 100 << 10);
	bounded<<<1, 256, 1024>>>((int *)NULL);
	check_that("more threads than its bounds", cudaGetLastError() != cudaSuccess);
}

/* On a machine with 64 warps, 32 CTAs and 228 KiB of shared memory per SM, as an H200 has. */
static void occupancy(void)
{
	int blocks = -1, grid = 0, block = 0, sms = 0;
	size_t bytes = 0;
	CUDA(cudaDeviceGetAttribute(&sms, cudaDevAttrMultiProcessorCount, 0),
	     cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 128, 100 << 10));
	check_equal("by shared memory", blocks, 2);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 1024, 0));
	check_equal("by threads", blocks, 2);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 32, 0));
	check_equal("by CTAs", blocks, 32);
	CUDA(cudaOccupancyMaxPotentialBlockSize(&grid, &block, add, 0, 0));
	check_that("the best block fills the SM", grid == 2 * sms && block == 1024);
	CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, bounded, 2, 128));
	check_equal("shared memory for two, as far as was asked for", (long long)bytes, 100 << 10);
	CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, bounded, 4, 128));
	check_equal("shared memory for four", (long long)bytes, 228 * 1024 / 4);
	CUDA(cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, static_shared, 1, 128));
	check_equal("without asking", (long long)bytes, 48 * 1024 - 4096);
	expect("for too many", cudaOccupancyAvailableDynamicSMemPerBlock(&bytes, add, 33, 128),
	       cudaErrorInvalidValue);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, bounded, 256, 0));
	check_equal("launch bounds do not count", blocks, 8);
	expect("no threads", cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, add, 0, 0),
	       cudaErrorInvalidValue);
}

int main(void)
{
	launches();
	streams();
	functions();
	occupancy();
	return check_finish("launch_attributes");
}
