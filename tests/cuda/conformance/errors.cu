/* Error codes: bad launches, bad copies, double free; peek keeps and get clears; names and strings. */
#include "check.h"

__global__ void kernel(int *a)
{
	a[threadIdx.x] = 1;
}
__global__ void much_shared(int *a)
{
	extern __shared__ int s[];
	s[threadIdx.x] = 1;
	a[threadIdx.x] = s[0];
}

/* CUDA 13 calls a configuration that cannot be an invalid value; all before it have a code for that. */
#if CUDART_VERSION >= 13000
#define BAD_CONFIGURATION cudaErrorInvalidValue
#else
#define BAD_CONFIGURATION cudaErrorInvalidConfiguration
#endif

int main(void)
{
	int *a = (int *)check_zeros(4096), host[4] = {0};
	kernel<<<1, 2048>>>(a);
	check_equal("too many threads", cudaPeekAtLastError(), BAD_CONFIGURATION);
	check_equal("peeking keeps it", cudaGetLastError(), BAD_CONFIGURATION);
	check_equal("getting clears it", cudaGetLastError(), cudaSuccess);
	kernel<<<0, 32>>>(a);
	check_equal("an empty grid", cudaGetLastError(), BAD_CONFIGURATION);
	kernel<<<1, dim3(1, 1, 65)>>>(a);
	check_equal("a block too deep", cudaGetLastError(), BAD_CONFIGURATION);
	kernel<<<dim3(1, 65536), 32>>>(a);
	check_equal("a grid too high", cudaGetLastError(), BAD_CONFIGURATION);
	much_shared<<<1, 32, 200 << 10>>>(a);
	check_equal("too much shared memory", cudaGetLastError(), cudaErrorInvalidValue);
	CUDA(cudaFuncSetAttribute(much_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
	much_shared<<<1, 32, 64 << 10>>>(a);
	check_equal("more after asking", cudaGetLastError(), cudaSuccess);
	SYNC();
	check_equal("a bad direction", cudaMemcpy(a, host, 16, (enum cudaMemcpyKind)77),
	            cudaErrorInvalidMemcpyDirection);
	cudaGetLastError();
	check_equal("a null pointer", cudaMalloc((void **)NULL, 16), cudaErrorInvalidValue);
	void *huge = NULL;
	check_equal("more than there is", cudaMalloc(&huge, (size_t)1 << 46), cudaErrorMemoryAllocation);
	check_equal("and it is the last error", cudaGetLastError(), cudaErrorMemoryAllocation);
	check_equal("freeing what was not allocated", cudaFree((char *)a + 4), cudaErrorInvalidValue);
	cudaGetLastError();
	CUDA(cudaFree(a));
	check_equal("freeing twice", cudaFree(a), cudaErrorInvalidValue);
	cudaGetLastError();
	check_that("name of success", strcmp(cudaGetErrorName(cudaSuccess), "cudaSuccess") == 0);
	check_that("string of success", strcmp(cudaGetErrorString(cudaSuccess), "no error") == 0);
	check_that("string of out of memory",
	           strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory") == 0);
	check_that("string of invalid value",
	           strcmp(cudaGetErrorString(cudaErrorInvalidValue), "invalid argument") == 0);
	check_that("string of illegal address", strcmp(cudaGetErrorString(cudaErrorIllegalAddress),
	                                               "an illegal memory access was encountered") == 0);
	check_that("string of launch configuration", strcmp(cudaGetErrorString(cudaErrorInvalidConfiguration),
	                                                    "invalid configuration argument") == 0);
	check_that("an unknown code",
	           strcmp(cudaGetErrorString((cudaError_t)12345), "unrecognized error code") == 0);
	return check_finish("errors");
}
