#include "filter.h"

__global__ void average(const float *in, float *out, int n)
{
	extern __shared__ float tile[];
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	for (int k = threadIdx.x; k < blockDim.x + 2; k += blockDim.x) {
		int at = min(max((int)(blockIdx.x * blockDim.x) + k - 1, 0), n - 1);
		tile[k] = in[at];
	}
	__syncthreads();
	if (i < n)
		out[i] = (tile[threadIdx.x] + tile[threadIdx.x + 1] + tile[threadIdx.x + 2]) / 3;
}

int blur(float *values, int count)
{
	float *in, *out;
	cudaMalloc(&in, count * sizeof *in);
	cudaMalloc(&out, count * sizeof *out);
	cudaMemcpy(in, values, count * sizeof *in, cudaMemcpyHostToDevice);
	average<<<(count + 31) / 32, 32, 34 * sizeof(float)>>>(in, out, count);
	return (int)cudaMemcpy(values, out, count * sizeof *out, cudaMemcpyDeviceToHost);
}
