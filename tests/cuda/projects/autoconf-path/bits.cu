#include <cstdio>

__device__ unsigned total;

__global__ void count(unsigned first)
{
	unsigned bits = __popc(first + threadIdx.x);
	for (int d = 16; d; d /= 2)
		bits += __shfl_down_sync(0xffffffffu, bits, d);
	if (threadIdx.x % 32 == 0)
		atomicAdd(&total, bits);
}

int main()
{
	unsigned got = 0, want = 0;
	count<<<1, 256>>>(1000);
	cudaMemcpyFromSymbol(&got, total, sizeof got);
	for (unsigned i = 0; i < 256; i++)
		want += __builtin_popcount(1000 + i);
	printf("autoconf-path %s\n", got == want ? "PASS" : "FAIL");
	return got != want;
}
