#include "reduce.h"

#define BLOCK 128

__global__ void reduce_blocks(const float *in, float *out, int count)
{
	__shared__ float part[BLOCK];
	int i = blockIdx.x * BLOCK + threadIdx.x;
	part[threadIdx.x] = i < count ? in[i] : 0;
	__syncthreads();
	for (int half = BLOCK / 2; half; half /= 2) {
		if (threadIdx.x < half)
			part[threadIdx.x] += part[threadIdx.x + half];
		__syncthreads();
	}
	if (threadIdx.x == 0)
		atomicAdd(out, part[0]);
}

float reduce(const float *values, int count)
{
	float *in, *out, sum = 0;
	cudaMalloc((void **)&in, sizeof(float) * count);
	cudaMalloc((void **)&out, sizeof(float));
	cudaMemcpy(in, values, sizeof(float) * count, cudaMemcpyHostToDevice);
	cudaMemset(out, 0, sizeof(float));
	reduce_blocks<<<(count + BLOCK - 1) / BLOCK, BLOCK>>>(in, out, count);
	cudaMemcpy(&sum, out, sizeof(float), cudaMemcpyDeviceToHost);
	cudaFree(in);
	cudaFree(out);
	return sum;
}
