/* A sum in shared memory, unrolled at compile time by the size of the block; the last warp needs no barrier. */
#include "reduction.h"

/* Templates and extern arrays: one name per type. */
template <class T> struct SharedMemory {
	__device__ inline operator T *()
	{
		extern __shared__ int __smem[];
		return (T *)__smem;
	}
};
template <> struct SharedMemory<double> {
	__device__ inline operator double *()
	{
		extern __shared__ double __smem_d[];
		return (double *)__smem_d;
	}
};

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduce(T *g_idata, T *g_odata, unsigned int n)
{
	T *sdata = SharedMemory<T>();
	unsigned int tid = threadIdx.x;
	unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
	unsigned int gridSize = blockSize * 2 * gridDim.x;
	T mySum = 0;
	while (i < n) {
		mySum += g_idata[i];
		if (nIsPow2 || i + blockSize < n)
			mySum += g_idata[i + blockSize];
		i += gridSize;
	}
	sdata[tid] = mySum;
	__syncthreads();
	if (blockSize >= 512) {
		if (tid < 256)
			sdata[tid] = mySum = mySum + sdata[tid + 256];
		__syncthreads();
	}
	if (blockSize >= 256) {
		if (tid < 128)
			sdata[tid] = mySum = mySum + sdata[tid + 128];
		__syncthreads();
	}
	if (blockSize >= 128) {
		if (tid < 64)
			sdata[tid] = mySum = mySum + sdata[tid + 64];
		__syncthreads();
	}
	if (tid < 32) {
		if (blockSize >= 64)
			mySum += sdata[tid + 32];
		for (int offset = 16; offset > 0; offset /= 2)
			mySum += __shfl_down_sync(0xffffffff, mySum, offset);
	}
	if (tid == 0)
		g_odata[blockIdx.x] = mySum;
}

template <class T> void reduce_on_device(int size, int threads, int blocks, T *d_idata, T *d_odata)
{
	int smemSize = threads * (int)sizeof(T);
	bool pow2 = (size & (size - 1)) == 0;
	switch (threads) {
	case 512:
		if (pow2)
			reduce<T, 512, true><<<blocks, 512, smemSize>>>(d_idata, d_odata, size);
		else
			reduce<T, 512, false><<<blocks, 512, smemSize>>>(d_idata, d_odata, size);
		break;
	case 256:
		reduce<T, 256, false><<<blocks, 256, smemSize>>>(d_idata, d_odata, size);
		break;
	case 64:
		reduce<T, 64, false><<<blocks, 64, smemSize>>>(d_idata, d_odata, size);
		break;
	}
}

template void reduce_on_device<int>(int, int, int, int *, int *);
template void reduce_on_device<float>(int, int, int, float *, float *);
template void reduce_on_device<double>(int, int, int, double *, double *);
