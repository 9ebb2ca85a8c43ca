/* Device queries: count, properties that must be consistent, attributes, versions, function attributes, occupancy. */
#include "check.h"

__global__ void __launch_bounds__(256, 2) kernel(float *a)
{
	__shared__ float s[64];
	s[threadIdx.x & 63] = a[threadIdx.x];
	__syncthreads();
	a[threadIdx.x] = s[(threadIdx.x + 1) & 63];
}

int main(void)
{
	int count = 0, device = -1, value = 0, driver = 0, runtime = 0, blocks = 0;
	struct cudaDeviceProp p;
	memset(&p, 0, sizeof p);
	CUDA(cudaGetDeviceCount(&count), cudaSetDevice(0), cudaGetDevice(&device),
	     cudaGetDeviceProperties(&p, 0), cudaDriverGetVersion(&driver), cudaRuntimeGetVersion(&runtime));
	printf("  %s, %d SMs, %zu bytes\n", p.name, p.multiProcessorCount, (size_t)p.totalGlobalMem);
	check_that("there is a device", count >= 1 && device == 0);
	check_that("it has a name", p.name[0] != 0);
	check_equal("warp size", p.warpSize, 32);
	check_equal("threads per block", p.maxThreadsPerBlock, 1024);
	check_that("sizes are sane",
	           p.totalGlobalMem > (1 << 28) && p.sharedMemPerBlock >= 48 << 10 &&
	               p.regsPerBlock >= 32768 && p.maxThreadsDim[0] == 1024 && p.maxGridSize[0] >= 65535 &&
	               p.multiProcessorCount > 0 && p.maxThreadsPerMultiProcessor >= 1024 && p.major >= 2 &&
	               p.totalConstMem == 65536 && p.memPitch > 0 && p.textureAlignment > 0);
	check_that("versions", driver >= 9000 && runtime >= 9000);
	CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
	check_that("attribute agrees with property", value == p.multiProcessorCount);
	CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrComputeCapabilityMajor, 0));
	check_that("capability agrees with property", value == p.major);
	CUDA(cudaDeviceGetAttribute(&value, cudaDevAttrMaxSharedMemoryPerBlock, 0));
	check_that("shared memory agrees with property", (size_t)value == p.sharedMemPerBlock);
	struct cudaFuncAttributes f;
	CUDA(cudaFuncGetAttributes(&f, (const void *)kernel));
	check_equal("static shared memory of a kernel", (long long)f.sharedSizeBytes, 256);
	check_equal("launch bound of a kernel", f.maxThreadsPerBlock, 256);
	check_that("registers of a kernel", f.numRegs > 0 && f.numRegs <= 255);
	CUDA(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel, 256, 0));
	check_that("occupancy", blocks >= 2 && blocks * 256 <= p.maxThreadsPerMultiProcessor);
	check_equal("no such device", cudaSetDevice(1000), cudaErrorInvalidDevice);
	check_equal("last error", cudaGetLastError(), cudaErrorInvalidDevice);
	CUDA(cudaDeviceReset());
	return check_finish("properties");
}
