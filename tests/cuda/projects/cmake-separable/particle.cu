#include "particle.h"

__global__ void advance_kernel(v3 *p, int n, v3 by)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < n)
		p[i] = p[i] + by;
}

void advance(v3 *device, int n, v3 by)
{
	advance_kernel<<<(n + 31) / 32, 32>>>(device, n, by);
}
