/*
 * Eight rounds of correlation's last kernel (PolyBench) by one CTA of one to eight warps, with its stores and without, from
 * round 0, 100 and 200 on: how many lines of a working set that outgrows L1 are found again, and what a store to 32 lines
 * costs. Prints a row per launch: stores, warps, first round. nvcc and `sluice cc` compile the same file:
 *
 *	nvcc -O3 -arch=sm_90 rounds.cu -o rounds && ncu --cache-control all --metrics ... ./rounds
 *	sluice cc -O3 rounds.cu -o rounds && sluice run ./rounds --cold-l2 --json rounds.json
 */
#include <cstdio>
#include <cuda_runtime.h>

enum { SIZE = 512, ROUNDS = 8 };

template <bool stores> __global__ void rounds(float *out, const float *data, int first)
{
	int j1 = blockIdx.x * blockDim.x + threadIdx.x;
	for (int j2 = j1 + 1 + first; j2 < SIZE && j2 < j1 + 1 + first + ROUNDS; j2++)
		if (stores) {
			out[j1 * SIZE + j2] = 0;
			for (int i = 0; i < SIZE; i++)
				out[j1 * SIZE + j2] += data[i * SIZE + j1] * data[i * SIZE + j2];
			out[j2 * SIZE + j1] = out[j1 * SIZE + j2];
		} else {
			float sum = 0;
#pragma unroll 1
			for (int i = 0; i < SIZE; i++)
				sum += data[i * SIZE + j1] * data[i * SIZE + j2];
			out[j1 * SIZE + j2] = sum;
		}
}

int main()
{
	float *data, *out;
	size_t bytes = SIZE * SIZE * sizeof *data;
	cudaMalloc(&data, bytes);
	cudaMalloc(&out, bytes);
	cudaMemset(data, 0, bytes);
	for (int stores = 0; stores < 2; stores++)
		for (int warps = 1; warps <= 8; warps++)
			for (int first = 0; first <= 200; first += 100) {
				printf("%d\t%d\t%d\n", stores, warps, first);
				if (stores)
					rounds<true><<<1, 32 * warps>>>(out, data, first);
				else
					rounds<false><<<1, 32 * warps>>>(out, data, first);
			}
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
