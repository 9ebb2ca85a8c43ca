/*
 * Which SM a CTA goes to: CTAs that stay until all of the first fill have started, and CTAs that end at once.
 *
 *	nvcc -O3 -arch=sm_90 placement.cu -o placement && ./placement
 *
 * A row per launch: CTAs, threads, how long each stays, then the SM of every CTA.
 */
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

__global__ void place(unsigned *sm, unsigned *when, int stay)
{
	unsigned id, slot;
	long long now = clock64();
	asm volatile("mov.u32 %0, %%smid;" : "=r"(id));
	asm volatile("mov.u32 %0, %%globaltimer_lo;" : "=r"(slot));
	if (threadIdx.x == 0) {
		sm[blockIdx.x] = id;
		when[blockIdx.x] = slot;
	}
	while (clock64() - now < stay)
		;
}

int main()
{
	static const int threads[] = {16, 256, 1024};
	static const int grids[] = {1,  2,  3,   4,   5,   8,   12,  16,  17,  24,  32,  48,  64,  66,
				    67, 96, 100, 128, 131, 132, 133, 140, 148, 200, 264, 300, 528, 1024, 2112, 4224};
	unsigned *sm, *when;
	cudaMalloc(&sm, 8192 * 4);
	cudaMalloc(&when, 8192 * 4);
	for (int stay = 200000; stay >= 0; stay -= 200000)
		for (int block : threads)
			for (int grid : grids)
				for (int again = 0; again < (grid == 1024 || grid == 132 ? 3 : 1); again++) {
					place<<<grid, block>>>(sm, when, stay);
					std::vector<unsigned> host((size_t)grid);
					cudaMemcpy(host.data(), sm, host.size() * 4, cudaMemcpyDeviceToHost);
					printf("%d %d %d:", grid, block, stay);
					for (unsigned id : host)
						printf(" %u", id);
					printf("\n");
				}
	return cudaDeviceSynchronize() != cudaSuccess;
}
