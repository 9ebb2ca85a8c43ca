/*
 * Latency of loads: one thread follows pointers. `latency l1`, `l2`, `memory`: of global memory, in two launches;
 * `latency shared`, `shared-miss`: of shared memory.
 */
#include <cuda_runtime.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4096, LINE = 128 / sizeof(void *), POINTERS = 48 * 1024 / sizeof(void *) };

__global__ void follow(void **at, void **end)
{
#pragma unroll 64
	for (int i = 0; i < STEPS; i++)
		at = (void **)*at;
	*end = at;
}

/* Lines of shared memory in a ring; each holds its successor's address. */
__global__ void follow_shared(int lines, void **end)
{
	__shared__ void *next[POINTERS];
	for (int i = 0; i < lines; i++)
		next[i * LINE] = &next[(i + 1) % lines * LINE];
	void **at = next;
#pragma unroll 64
	for (int i = 0; i < STEPS; i++)
		at = (void **)*at;
	*end = at;
}

static int usage(void)
{
	fprintf(stderr, "usage: latency l1|l2|memory|shared|shared-miss\n");
	return 2;
}

static int follow_global(int lines)
{
	void **ring, **host = (void **)malloc((size_t)lines * 128), **end;
	if (!host || cudaMalloc((void **)&ring, (size_t)lines * 128) || cudaMalloc((void **)&end, sizeof *end))
		return 1;
	for (int i = 0; i < lines; i++)
		host[i * LINE] = ring + (i + 1) % lines * LINE;
	cudaMemcpy(ring, host, (size_t)lines * 128, cudaMemcpyHostToDevice);
	for (int launch = 0; launch < 2; launch++)
		follow<<<1, 1>>>(ring, end);
	return cudaDeviceSynchronize() != cudaSuccess;
}

int main(int argc, char **argv)
{
	if (argc != 2)
		return usage();
	if (!strcmp(argv[1], "l1"))
		return follow_global(16);
	if (!strcmp(argv[1], "l2") || !strcmp(argv[1], "memory"))
		return follow_global(STEPS);
	bool miss = !strcmp(argv[1], "shared-miss");
	if (!miss && strcmp(argv[1], "shared"))
		return usage();
	void **end;
	if (cudaMalloc((void **)&end, sizeof *end))
		return 1;
	follow_shared<<<1, 1>>>(miss ? 256 : 16, end);
	return cudaDeviceSynchronize() != cudaSuccess;
}
