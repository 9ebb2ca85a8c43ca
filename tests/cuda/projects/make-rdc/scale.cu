#include "common.cuh"

__global__ void scale_kernel(int *p, int by)
{
	p[threadIdx.x] = apply(p[threadIdx.x], by, true);
}

void scale(int *p, int by)
{
	scale_kernel<<<1, 32>>>(p, by);
}
