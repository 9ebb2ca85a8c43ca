/* CTAs that wait for one another: a barrier of the whole grid by counting, and neighbours in a chain. */
#include "check.h"

enum { BLOCKS = 20, THREADS = 64, ROUNDS = 6 };

__device__ volatile int arrived;
__device__ volatile int released;

__device__ static void grid_barrier(int round)
{
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		if (atomicAdd((int *)&arrived, 1) == BLOCKS * (round + 1) - 1)
			released = round + 1;
		while (released <= round)
			;
		__threadfence();
	}
	__syncthreads();
}

__global__ void persistent(volatile int *a, volatile int *b)
{
	int i = blockIdx.x * THREADS + threadIdx.x, n = BLOCKS * THREADS;
	for (int round = 0; round < ROUNDS; round++) {
		volatile int *from = round & 1 ? b : a, *to = round & 1 ? a : b;
		to[i] = from[(i + 1) % n] + from[(i + n - 1) % n] + round;
		grid_barrier(round);
	}
}

/* Block k waits for block k - 1, and the last one starts the chain: needs all of them at once. */
__global__ void chain(volatile int *flag, volatile int *order)
{
	int k = blockIdx.x;
	if (threadIdx.x == 0) {
		if (k != BLOCKS - 1)
			while (flag[(k + 1) % BLOCKS] == 0)
				;
		*order += k;
		__threadfence();
		flag[k] = 1;
	}
}

int main(void)
{
	static int a[BLOCKS * THREADS], b[BLOCKS * THREADS], n = BLOCKS * THREADS;
	for (int i = 0; i < n; i++)
		a[i] = i % 17;
	int *da = to_device(a), *order = zeros<int>(1);
	for (int round = 0; round < ROUNDS; round++) {
		int *from = round & 1 ? b : a, *to = round & 1 ? a : b;
		for (int i = 0; i < n; i++)
			to[i] = (int)((unsigned)from[(i + 1) % n] + (unsigned)from[(i + n - 1) % n]) + round;
	}
	persistent<<<BLOCKS, THREADS>>>(da, zeros_like(b));
	check_device("grid barrier", da, a);
	chain<<<BLOCKS, 32>>>(zeros<int>(BLOCKS), order);
	check_equal("backward chain of CTAs", from_device(order), BLOCKS * (BLOCKS - 1) / 2);
	return check_finish("spin_barrier");
}
