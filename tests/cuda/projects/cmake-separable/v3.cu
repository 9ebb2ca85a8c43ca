#include "v3.h"

__global__ void find_longest(const v3 *p, int n, int *most)
{
	for (int i = threadIdx.x; i < n; i += blockDim.x)
		atomicMax(most, (int)(p[i].x + p[i].y + p[i].z));
}

float longest(const v3 *device, int n)
{
	int *most, host = 0;
	cudaMalloc(&most, sizeof host);
	cudaMemset(most, 0, sizeof host);
	find_longest<<<1, 64>>>(device, n, most);
	cudaMemcpy(&host, most, sizeof host, cudaMemcpyDeviceToHost);
	cudaFree(most);
	return (float)host;
}
