/* 32-bit atomics on global and shared memory: every operation, old values, generic and by opcode; red. */
#include "check.h"

enum { THREADS = 256, BLOCKS = 4, CELLS = 12 };

__device__ static void operate(unsigned *cell, unsigned i)
{
	atomicAdd(&cell[0], i);
	atomicSub(&cell[1], i * 3);
	atomicAnd(&cell[2], ~(1u << (i & 31)) | 0x11111111);
	atomicOr(&cell[3], 1u << (i & 31));
	atomicXor(&cell[4], i * 2654435761u);
	atomicMin((int *)&cell[5], 500 - (int)i);
	atomicMax((int *)&cell[6], (int)i - 500);
	atomicMin(&cell[7], 0x80000000u + i);
	atomicMax(&cell[8], i * 16777216u);
	atomicInc(&cell[9], 99);
	atomicDec(&cell[10], 77);
	atomicAdd((int *)&cell[11], -(int)i);
}

__global__ void global_atomics(unsigned *cell)
{
	operate(cell, blockIdx.x * blockDim.x + threadIdx.x);
}

__global__ void shared_atomics(unsigned *out, const unsigned *initial)
{
	__shared__ unsigned cell[CELLS];
	if (threadIdx.x < CELLS)
		cell[threadIdx.x] = initial[threadIdx.x];
	__syncthreads();
	operate(cell, blockIdx.x * blockDim.x + threadIdx.x);
	__syncthreads();
	if (threadIdx.x < CELLS)
		out[blockIdx.x * CELLS + threadIdx.x] = cell[threadIdx.x];
}

/* Every thread takes a ticket: the old values of an atomic add are all different. */
__global__ void tickets(unsigned *counter, unsigned *taken)
{
	taken[atomicAdd(counter, 1)] += 1;
}

__global__ void exchange(unsigned *cell, unsigned *sum)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(sum, atomicExch(cell, i + 1));
}

__global__ void red(unsigned *cell)
{
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	asm volatile("red.global.add.u32 [%0], %1;" ::"l"(cell), "r"(i) : "memory");
	asm volatile("red.global.max.s32 [%0+4], %1;" ::"l"(cell), "r"(i) : "memory");
	asm volatile("red.or.b32 [%0+8], %1;" ::"l"(cell), "r"(1u << (i & 15)) : "memory");
	asm volatile("red.relaxed.gpu.global.inc.u32 [%0+12], 1000;" ::"l"(cell) : "memory");
}

static void operate_on_host(unsigned *cell, unsigned i)
{
	cell[0] += i;
	cell[1] -= i * 3;
	cell[2] &= ~(1u << (i & 31)) | 0x11111111;
	cell[3] |= 1u << (i & 31);
	cell[4] ^= i * 2654435761u;
	if (500 - (int)i < (int)cell[5])
		cell[5] = 500 - i;
	if ((int)i - 500 > (int)cell[6])
		cell[6] = i - 500;
	if (0x80000000u + i < cell[7])
		cell[7] = 0x80000000u + i;
	if (i * 16777216u > cell[8])
		cell[8] = i * 16777216u;
	cell[9] = cell[9] >= 99 ? 0 : cell[9] + 1;
	cell[10] = cell[10] == 0 || cell[10] > 77 ? 77 : cell[10] - 1;
	cell[11] -= i;
}

int main(void)
{
	const unsigned initial[CELLS] = {5, 6, 0xffffffff, 0, 1, 700, 0x80000000u, 0xffffffff, 3, 50, 90, 11};
	unsigned got[BLOCKS * CELLS], want[BLOCKS * CELLS];

	memcpy(want, initial, sizeof initial);
	for (unsigned i = 0; i < BLOCKS * THREADS; i++)
		operate_on_host(want, i);
	unsigned *cell = to_device(initial);
	global_atomics<<<BLOCKS, THREADS>>>(cell);
	check_device("global", cell, want, CELLS);

	for (unsigned b = 0; b < BLOCKS; b++) {
		memcpy(want + b * CELLS, initial, sizeof initial);
		for (unsigned i = 0; i < THREADS; i++)
			operate_on_host(want + b * CELLS, b * THREADS + i);
	}
	check_run("shared", want,
	          [&](unsigned *out) { shared_atomics<<<BLOCKS, THREADS>>>(out, to_device(initial)); });

	static unsigned taken[BLOCKS * THREADS], once[BLOCKS * THREADS];
	for (unsigned i = 0; i < BLOCKS * THREADS; i++)
		once[i] = 1;
	check_run("old values are distinct", once,
	          [&](unsigned *taken) { tickets<<<BLOCKS, THREADS>>>(zeros<unsigned>(1), taken); });

	unsigned *last = zeros<unsigned>(1), *sum = zeros<unsigned>(1);
	exchange<<<BLOCKS, THREADS>>>(last, sum);
	check_equal("exchange keeps every value once", from_device(last) + from_device(sum),
	            BLOCKS * THREADS * (BLOCKS * THREADS + 1) / 2);

	unsigned expected[4] = {BLOCKS * THREADS * (BLOCKS * THREADS - 1) / 2, BLOCKS * THREADS - 1, 0xffff,
	                        BLOCKS * THREADS % 1001};
	check_run("red", expected,
	          [&](unsigned *device_reduced) { red<<<BLOCKS, THREADS>>>(device_reduced); });
	return check_finish("atomics32");
}
