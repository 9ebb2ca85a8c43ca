/* 256 bins: counters per warp in shared memory, by atomics, merged by a second kernel; four bytes to a word. */
#include "verify.h"

#define BINS 256
#define WARPS 4
#define THREADS (WARPS * 32)
#define PARTS 24

__global__ void histogram256Kernel(unsigned *partial, const unsigned *data, unsigned count)
{
	__shared__ unsigned hist[WARPS][BINS];
	unsigned *mine = hist[threadIdx.x >> 5];
	for (int i = threadIdx.x & 31; i < BINS; i += 32)
		mine[i] = 0;
	__syncthreads();
	for (unsigned pos = blockIdx.x * blockDim.x + threadIdx.x; pos < count;
	     pos += blockDim.x * gridDim.x) {
		unsigned word = data[pos];
		atomicAdd(mine + (word & 0xff), 1);
		atomicAdd(mine + (word >> 8 & 0xff), 1);
		atomicAdd(mine + (word >> 16 & 0xff), 1);
		atomicAdd(mine + (word >> 24), 1);
	}
	__syncthreads();
	for (int bin = threadIdx.x; bin < BINS; bin += THREADS) {
		unsigned sum = 0;
		for (int w = 0; w < WARPS; w++)
			sum += hist[w][bin];
		partial[blockIdx.x * BINS + bin] = sum;
	}
}

__global__ void mergeHistogram256Kernel(unsigned *out, const unsigned *partial, unsigned parts)
{
	__shared__ unsigned data[64];
	unsigned sum = 0;
	for (unsigned i = threadIdx.x; i < parts; i += 64)
		sum += partial[blockIdx.x + i * BINS];
	data[threadIdx.x] = sum;
	for (unsigned stride = 32; stride > 0; stride >>= 1) {
		__syncthreads();
		if (threadIdx.x < stride)
			data[threadIdx.x] += data[threadIdx.x + stride];
	}
	if (threadIdx.x == 0)
		out[blockIdx.x] = data[0];
}

int main(int argc, char **argv)
{
	unsigned bytes = 1 << 16, want[BINS] = {0}, got[BINS], wrong = 0;
	unsigned char *host = (unsigned char *)malloc(bytes);
	unsigned *data, *partial, *out;
	for (unsigned i = 0; i < bytes; i++)
		want[host[i] = (unsigned char)((i * i >> 7) + i)]++;
	CHECK_CUDA(cudaMalloc((void **)&data, bytes));
	CHECK_CUDA(cudaMalloc((void **)&partial, PARTS * BINS * sizeof *partial));
	CHECK_CUDA(cudaMalloc((void **)&out, sizeof got));
	CHECK_CUDA(cudaMemcpy(data, host, bytes, cudaMemcpyHostToDevice));
	histogram256Kernel<<<PARTS, THREADS>>>(partial, data, bytes / 4);
	mergeHistogram256Kernel<<<BINS, 64>>>(out, partial, PARTS);
	CHECK_CUDA(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < BINS; i++)
		wrong += got[i] != want[i];
	return verify_result("histogram", (int)wrong);
}
