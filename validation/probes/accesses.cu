/*
 * Which accesses of a sequence hit L1: one warp loads line after line and looks at the clock. Prints, for rings of lines
 * that outgrow L1, the hit rate of every round. What is seen does not pass through L1: the sequence is in constant memory, and
 * the answers leave by atomics.
 *
 *	nvcc -O3 -arch=sm_90 accesses.cu -o accesses && ./accesses
 */
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

enum { MOST = 30000, HIT_CYCLES = 130 }; /* a hit takes less: 36 cycles, and what the clock costs */

__constant__ unsigned short sequence[MOST];

__global__ void play(const char *lines, unsigned *hits, int count)
{
	unsigned seen = 0;
	for (int i = 0; i < count; i++) {
		unsigned before, after, value;
		const char *from = lines + (size_t)sequence[i] * 128 + threadIdx.x * 4;
		asm volatile("mov.u32 %0, %%clock;" : "=r"(before)::"memory");
		asm volatile("ld.global.ca.u32 %0, [%1];" : "=r"(value) : "l"(from) : "memory");
		if (value) /* never: the lines are zero, but the clock has to wait for the load */
			asm volatile("trap;");
		asm volatile("mov.u32 %0, %%clock;" : "=r"(after)::"memory");
		seen |= (unsigned)(after - before < HIT_CYCLES) << (i & 31);
		if ((i & 31) == 31 || i == count - 1) {
			if (threadIdx.x == 0)
				atomicOr(&hits[i / 32], seen);
			seen = 0;
		}
	}
}

static void ring(const char *lines, unsigned *hits, int length)
{
	std::vector<unsigned short> order;
	while ((int)order.size() + length <= MOST)
		for (int i = 0; i < length; i++)
			order.push_back((unsigned short)i);
	cudaMemcpyToSymbol(sequence, order.data(), order.size() * 2);
	cudaMemset(hits, 0, MOST / 8 + 4);
	play<<<1, 32>>>(lines, hits, (int)order.size());
	std::vector<unsigned> bits(MOST / 32 + 1);
	cudaMemcpy(bits.data(), hits, MOST / 8, cudaMemcpyDeviceToHost);
	printf("ring of %4d lines:", length);
	for (size_t from = 0; from < order.size(); from += (size_t)length) {
		int found = 0;
		for (size_t i = from; i < from + (size_t)length; i++)
			found += bits[i / 32] >> (i & 31) & 1;
		printf(" %3d", found * 100 / length);
	}
	printf("\n");
}

int main()
{
	char *lines;
	unsigned *hits;
	cudaMalloc(&lines, 4 << 20);
	cudaMemset(lines, 0, 4 << 20);
	cudaMalloc(&hits, MOST / 8 + 4);
	static const int lengths[] = {1728, 1760, 1792, 1856, 1920, 1984, 2048, 2112, 2240, 2304, 2432};
	for (int length : lengths)
		ring(lines, hits, length);
	cudaError_t e = cudaDeviceSynchronize();
	if (e != cudaSuccess)
		fprintf(stderr, "%s\n", cudaGetErrorString(e));
	return e != cudaSuccess;
}
