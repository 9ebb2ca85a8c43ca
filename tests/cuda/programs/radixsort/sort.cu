/* Least significant digit first, four bits a pass: count per block, scan the counts, scatter in order. */
#include "sort.cuh"
#include "verify.h"

#define BLOCK 128
#define RADIX 16

__global__ void count_digits(const unsigned *keys, unsigned *counts, int n, int shift)
{
	__shared__ unsigned histogram[RADIX];
	if (threadIdx.x < RADIX)
		histogram[threadIdx.x] = 0;
	__syncthreads();
	int i = blockIdx.x * BLOCK + threadIdx.x;
	if (i < n)
		atomicAdd(&histogram[keys[i] >> shift & (RADIX - 1)], 1);
	__syncthreads();
	if (threadIdx.x < RADIX)
		counts[threadIdx.x * gridDim.x + blockIdx.x] = histogram[threadIdx.x];
}

/* One block scans all counts, a chunk per round. */
__global__ void scan_counts(unsigned *counts, int n)
{
	__shared__ unsigned values[256];
	__shared__ unsigned carry;
	if (threadIdx.x == 0)
		carry = 0;
	for (int base = 0; base < n; base += 256) {
		int i = base + threadIdx.x;
		unsigned mine = i < n ? counts[i] : 0;
		values[threadIdx.x] = mine;
		__syncthreads();
		for (int step = 1; step < 256; step *= 2) {
			unsigned add = threadIdx.x >= step ? values[threadIdx.x - step] : 0;
			__syncthreads();
			values[threadIdx.x] += add;
			__syncthreads();
		}
		if (i < n)
			counts[i] = carry + values[threadIdx.x] - mine;
		__syncthreads();
		if (threadIdx.x == 255)
			carry += values[255];
		__syncthreads();
	}
}

__global__ void scatter(const unsigned *keys, unsigned *sorted, const unsigned *offsets, int n, int shift)
{
	__shared__ unsigned digits[BLOCK];
	int i = blockIdx.x * BLOCK + threadIdx.x;
	unsigned key = i < n ? keys[i] : 0xffffffff, digit = i < n ? key >> shift & (RADIX - 1) : RADIX;
	digits[threadIdx.x] = digit;
	__syncthreads();
	if (i >= n)
		return;
	unsigned rank = 0;
	for (int k = 0; k < (int)threadIdx.x; k++)
		rank += digits[k] == digit;
	sorted[offsets[digit * gridDim.x + blockIdx.x] + rank] = key;
}

void radix_sort(unsigned *d_keys, unsigned *d_scratch, int n)
{
	int blocks = (n + BLOCK - 1) / BLOCK;
	unsigned *d_counts;
	CHECK_CUDA(cudaMalloc((void **)&d_counts, RADIX * blocks * sizeof *d_counts));
	for (int shift = 0; shift < 32; shift += 4) {
		count_digits<<<blocks, BLOCK>>>(d_keys, d_counts, n, shift);
		scan_counts<<<1, 256>>>(d_counts, RADIX * blocks);
		scatter<<<blocks, BLOCK>>>(d_keys, d_scratch, d_counts, n, shift);
		unsigned *t = d_keys;
		d_keys = d_scratch;
		d_scratch = t;
	}
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaFree(d_counts));
}
