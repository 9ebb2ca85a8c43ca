// advise KIND: one kernel that is bound by one known thing, for tests of sluice advise. Every line of the table below is
// one kind; sizes suit a GPU of 15 SMs with L1s of 16 KB.
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <cuda_runtime.h>

// DRAM: every line is read once by a grid that fills the GPU.
__global__ void stream(const float *a, float *out, int steps)
{
	size_t pitch = (size_t)gridDim.x * blockDim.x, i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
	for (int s = 0; s < steps; s += 8, i += 8 * pitch) {
		float v[8];
#pragma unroll
		for (int k = 0; k < 8; k++)
			v[k] = a[i + k * pitch];
#pragma unroll
		for (int k = 0; k < 8; k++)
			sum += v[k];
	}
	if (sum == 1)
		out[0] = sum;
}

// Capacity of L1: every thread walks along its own row, so that a warp uses each of 32 lines 16 times; pitches of an odd
// number of lines spread them over the sets.
__global__ void rows(const float *a, float *out, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	float sum = 0;
#pragma unroll 1
	for (int j = 0; j < columns; j++)
		sum += a[(size_t)i * 32 * 129 + j];
	out[i] = sum;
}

// Conflicts: 32 lines per warp, 4 KB apart, that all lie in one set if sets follow the address.
__global__ void stride(const float *a, float *out, int rounds)
{
	float sum = 0;
#pragma unroll 1
	for (int r = 0; r < rounds; r++)
		sum += a[threadIdx.x * 1024 + (r & 31)];
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Issue slots: independent multiply-adds of many warps.
__global__ void compute(float *out, int rounds)
{
	float a = threadIdx.x, b = 1, c = 2, d = 3;
#pragma unroll 1
	for (int r = 0; r < rounds; r++) {
#pragma unroll
		for (int k = 0; k < 16; k++) {
			a = a * 1.5f + 2;
			b = b * 1.5f + 2;
			c = c * 1.5f + 2;
			d = d * 1.5f + 2;
		}
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = (a + b) + (c + d);
}

// Latency: one warp per SM, each load needs the one before.
__global__ void chase(const int *next, int *out, int steps)
{
	int at = blockIdx.x * steps * 64;
#pragma unroll 1
	for (int s = 0; s < steps; s++)
		at += 64 + next[at];
	out[blockIdx.x] = at;
}

// Banks: a warp's words all lie in one bank.
__global__ void banks(float *out, int rounds)
{
	__shared__ float words[32 * 32 + 64];
	volatile float *at = words + threadIdx.x % 32 * 32 + threadIdx.x / 32;
	*at = 1;
	__syncthreads();
	float sum = 0;
#pragma unroll 1
	for (int r = 0; r < rounds; r++)
		sum += (at[0] + at[1]) + (at[2] + at[3]);
	out[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

// Barriers, and nothing else.
__global__ void barrier(float *out, int rounds)
{
#pragma unroll 1
	for (int r = 0; r < rounds; r += 8) {
#pragma unroll
		for (int k = 0; k < 8; k++)
			__syncthreads();
	}
	out[blockIdx.x * blockDim.x + threadIdx.x] = rounds;
}

static float *zeros(size_t bytes)
{
	float *memory = nullptr;
	if (cudaMalloc(&memory, bytes) != cudaSuccess || cudaMemset(memory, 0, bytes) != cudaSuccess) {
		fprintf(stderr, "advise: no memory\n");
		exit(1);
	}
	return memory;
}

int main(int argc, char **argv)
{
	const char *kind = argc > 1 ? argv[1] : "";
	float *out = zeros(1 << 18);
	if (!strcmp(kind, "stream"))
		stream<<<90, 256>>>(zeros((size_t)90 * 256 * 4 * 32), out, 32);
	else if (!strcmp(kind, "rows"))
		rows<<<15, 192>>>(zeros((size_t)15 * 192 * 129 * 128), out, 16);
	else if (!strcmp(kind, "stride"))
		stride<<<15, 64>>>(zeros(64 * 4096), out, 64);
	else if (!strcmp(kind, "compute"))
		compute<<<30, 512>>>(out, 4);
	else if (!strcmp(kind, "chase"))
		chase<<<15, 1>>>((int *)zeros(15 * 128 * 256), (int *)out, 128);
	else if (!strcmp(kind, "banks"))
		banks<<<30, 256>>>(out, 12);
	else if (!strcmp(kind, "barrier"))
		barrier<<<15, 256>>>(out, 200);
	else {
		fprintf(stderr, "usage: advise stream|rows|stride|compute|chase|banks|barrier\n");
		return 2;
	}
	return cudaDeviceSynchronize() == cudaSuccess ? 0 : 1;
}
