/* Thread and block indices in three dimensions, lane and warp numbers, clocks that advance. */
#include "check.h"

enum { TOTAL = 3 * 2 * 2 * 5 * 4 * 3 };

__global__ void run(unsigned *out)
{
	unsigned block = (blockIdx.z * gridDim.y + blockIdx.y) * gridDim.x + blockIdx.x;
	unsigned thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
	unsigned lane, nwarp;
	asm("mov.u32 %0, %%laneid;" : "=r"(lane));
	asm("mov.u32 %0, %%nwarpid;" : "=r"(nwarp));
	unsigned *r = out + (block * blockDim.x * blockDim.y * blockDim.z + thread) * 6;
	r[0] = blockIdx.x | blockIdx.y << 4 | blockIdx.z << 8 | threadIdx.x << 12 | threadIdx.y << 16 |
	       threadIdx.z << 20;
	r[1] = gridDim.x | gridDim.y << 4 | gridDim.z << 8 | blockDim.x << 12 | blockDim.y << 16 |
	       blockDim.z << 20;
	r[2] = lane;
	r[3] = (unsigned)warpSize;
	r[4] = nwarp >= 2;
	long long t0 = clock64();
	unsigned c0 = (unsigned)clock();
	__threadfence();
	r[5] = clock64() > t0 && (unsigned)clock() - c0 > 0;
}

int main(void)
{
	static unsigned want[TOTAL * 6];
	unsigned *r = want;
	for (unsigned bz = 0; bz < 2; bz++)
		for (unsigned by = 0; by < 2; by++)
			for (unsigned bx = 0; bx < 3; bx++)
				for (unsigned t = 0; t < 60; t++, r += 6) {
					r[0] = bx | by << 4 | bz << 8 | t % 5 << 12 | t / 5 % 4 << 16 |
					       t / 20 << 20;
					r[1] = 3 | 2 << 4 | 2 << 8 | 5 << 12 | 4 << 16 | 3 << 20;
					r[2] = t % 32;
					r[3] = 32;
					r[4] = r[5] = 1;
				}
	check_run("special registers", want,
	          [&](unsigned *out) { run<<<dim3(3, 2, 2), dim3(5, 4, 3)>>>(out); });
	return check_finish("special_registers");
}
