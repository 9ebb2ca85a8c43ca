/* Stream-ordered allocation: memory from pools, their figures and attributes, pools of one's own, errors. */
#include "check.h"

enum { N = 1 << 12 };

__global__ void fill(int *a, int value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	a[i] = value + i;
}

static uint64_t figure(cudaMemPool_t pool, enum cudaMemPoolAttr which)
{
	uint64_t value = ~UINT64_C(0);
	CUDA(cudaMemPoolGetAttribute(pool, which, &value));
	return value;
}

int main(void)
{
	static int got[N], want[N];
	int *a, *b, supported = 0;
	cudaStream_t stream;
	cudaMemPool_t pool, current, own;
	CUDA(cudaDeviceGetAttribute(&supported, cudaDevAttrMemoryPoolsSupported, 0));
	check_equal("pools are there", supported, 1);
	CUDA(cudaStreamCreate(&stream), cudaDeviceGetDefaultMemPool(&pool, 0),
	     cudaDeviceGetMemPool(&current, 0));
	check_that("the default pool is the current one", pool == current);
	check_equal("nothing is used", (long long)figure(pool, cudaMemPoolAttrUsedMemCurrent), 0);
	check_equal("no threshold", (long long)figure(pool, cudaMemPoolAttrReleaseThreshold), 0);
	int reuse = -1;
	CUDA(cudaMemPoolGetAttribute(pool, cudaMemPoolReuseFollowEventDependencies, &reuse));
	check_equal("reuse is allowed", reuse, 1);

	CUDA(cudaMallocAsync((void **)&a, sizeof got, stream),
	     cudaMallocAsync((void **)&b, sizeof got, stream));
	fill<<<N / 256, 256, 0, stream>>>(a, 3);
	CUDA(cudaMemcpyAsync(b, a, sizeof got, cudaMemcpyDeviceToDevice, stream),
	     cudaMemcpyAsync(got, b, sizeof got, cudaMemcpyDeviceToHost, stream),
	     cudaStreamSynchronize(stream));
	for (int i = 0; i < N; i++)
		want[i] = 3 + i;
	check_same("memory of a pool", got, want, sizeof *want, N);
	check_equal("used", (long long)figure(pool, cudaMemPoolAttrUsedMemCurrent), 2 * sizeof got);
	check_that("no less is reserved", figure(pool, cudaMemPoolAttrReservedMemCurrent) >= 2 * sizeof got);
	CUDA(cudaFreeAsync(a, stream), cudaStreamSynchronize(stream));
	check_equal("less after a release", (long long)figure(pool, cudaMemPoolAttrUsedMemCurrent),
	            sizeof got);
	check_equal("the high-water mark stays", (long long)figure(pool, cudaMemPoolAttrUsedMemHigh),
	            2 * sizeof got);
	uint64_t zero = 0, megabyte = 1 << 20;
	CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemHigh, &zero));
	check_equal("until it is set back", (long long)figure(pool, cudaMemPoolAttrUsedMemHigh), sizeof got);
	expect("a current figure cannot be set",
	       cudaMemPoolSetAttribute(pool, cudaMemPoolAttrUsedMemCurrent, &zero), cudaErrorInvalidValue);
	CUDA(cudaMemPoolSetAttribute(pool, cudaMemPoolAttrReleaseThreshold, &megabyte));
	check_equal("a threshold is kept", (long long)figure(pool, cudaMemPoolAttrReleaseThreshold), 1 << 20);
	CUDA(cudaFreeAsync(b, stream), cudaStreamSynchronize(stream));
	check_equal("nothing is used again", (long long)figure(pool, cudaMemPoolAttrUsedMemCurrent), 0);
	CUDA(cudaMemPoolTrimTo(pool, 0));
	expect("freeing twice", cudaFreeAsync(b, stream), cudaErrorInvalidValue);

	struct cudaMemPoolProps props = {};
	props.allocType = cudaMemAllocationTypePinned;
	props.location.type = cudaMemLocationTypeDevice;
	CUDA(cudaMemPoolCreate(&own, &props), cudaMallocFromPoolAsync((void **)&a, sizeof got, own, stream));
	check_equal("used of one's own", (long long)figure(own, cudaMemPoolAttrUsedMemCurrent), sizeof got);
	check_equal("and not of the default", (long long)figure(pool, cudaMemPoolAttrUsedMemCurrent), 0);
	CUDA(cudaDeviceSetMemPool(0, own), cudaDeviceGetMemPool(&current, 0));
	check_that("one's own as the current one", current == own);
	CUDA(cudaMallocAsync((void **)&b, sizeof got, stream));
	check_equal("allocation follows", (long long)figure(own, cudaMemPoolAttrUsedMemCurrent),
	            2 * sizeof got);
	CUDA(cudaDeviceSetMemPool(0, pool));
	struct cudaMemLocation here = {cudaMemLocationTypeDevice, 0};
	enum cudaMemAccessFlags access;
	CUDA(cudaMemPoolGetAccess(&access, own, &here));
	check_equal("the device may read and write", access, cudaMemAccessFlagsProtReadWrite);
	CUDA(cudaFreeAsync(a, stream));
	CUDA(cudaFree(b)); /* the old function frees it as well */
	CUDA(cudaStreamSynchronize(stream), cudaMemPoolDestroy(own));
	expect("the default pool stays", cudaMemPoolDestroy(pool), cudaErrorInvalidValue);
	expect("no place for the address", cudaMallocAsync((void **)NULL, 16, stream), cudaErrorInvalidValue);
	void *huge = NULL;
	expect("more than there is", cudaMallocAsync(&huge, (size_t)1 << 46, stream),
	       cudaErrorMemoryAllocation);
	CUDA(cudaStreamDestroy(stream));
	return check_finish("pools");
}
