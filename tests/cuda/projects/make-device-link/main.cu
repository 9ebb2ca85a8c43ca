#include <cstdio>
#include "solver.cuh"

static __device__ int hidden = 3;
__constant__ float table[4] = {1, 2, 3, 4};

static __global__ void change()
{
	hidden += 10;
}

__global__ void solve(float *out)
{
	int i = threadIdx.x;
	out[i] = scale(Vec{(float)i, 1}, i & 3) + hidden + counter + ops[i & 1]((float)i);
	if (i == 0)
		bump(2);
}

int main()
{
	float *d, h[8];
	int c = 10;
	bool ok = cudaMalloc(&d, sizeof h) == cudaSuccess && cudaMemcpyToSymbol(counter, &c, sizeof c) == cudaSuccess;
	change<<<1, 1>>>();
	solve<<<1, 8>>>(d);
	add_hidden(d);
	ok = ok && cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess &&
	     cudaMemcpyFromSymbol(&c, counter, sizeof c) == cudaSuccess && c == 12;
	for (int i = 0; i < 8; i++) {
		float want = i * (1.f + (i & 3)) + 1 + 13 + 10 + (i & 1 ? i * 2.f : i + 1.f) + 8;
		if (ok && h[i] != want) {
			printf("%d: %g, not %g\n", i, h[i], want);
			ok = false;
		}
	}
	printf("make-device-link %s\n", ok ? "PASS" : "FAIL");
	return !ok;
}
