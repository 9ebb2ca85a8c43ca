#include <cuda_runtime.h>
#include <cstdio>

extern "C" __global__ void scan(int *p)
{
	int lane = threadIdx.x, x = p[lane];
	for (int d = 1; d < 32; d *= 2) {
		int y = __shfl_up_sync(0xffffffff, x, d);
		x += lane >= d ? y : 0;
	}
	p[lane] = x;
}

int main()
{
	int *p;
	cudaMallocManaged(&p, 32 * sizeof *p);
	for (int i = 0; i < 32; i++)
		p[i] = i;
	scan<<<1, 32>>>(p);
	cudaDeviceSynchronize();
	bool right = p[31] == 31 * 32 / 2 && p[4] == 10;
	printf("make-ptx %s\n", right ? "PASS" : "FAIL");
	return !right;
}
