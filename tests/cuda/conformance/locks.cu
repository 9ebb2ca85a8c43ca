/* Locks by compare-and-swap: between CTAs, between lanes of one warp, tickets; the last CTA finishes a reduction. */
#include "check.h"

enum { BLOCKS = 8, THREADS = 64 };

__device__ int lock, counter;
__device__ unsigned next_ticket, serving;

__global__ void between_blocks(void)
{
	if (threadIdx.x == 0) {
		while (atomicCAS(&lock, 0, 1) != 0)
			;
		__threadfence();
		int value = *(volatile int *)&counter;
		*(volatile int *)&counter = value + blockIdx.x + 1;
		__threadfence();
		atomicExch(&lock, 0);
	}
}

/* The form that also works without independent thread scheduling: the critical section is inside the loop. */
__global__ void between_lanes(int *total)
{
	bool done = false;
	while (!done) {
		if (atomicCAS(&lock, 0, 1) == 0) {
			volatile int *t = total;
			*t = *t + (int)threadIdx.x;
			__threadfence();
			atomicExch(&lock, 0);
			done = true;
		}
	}
}

__global__ void tickets(int *log)
{
	if (threadIdx.x == 0) {
		unsigned mine = atomicAdd(&next_ticket, 1);
		while (*(volatile unsigned *)&serving != mine)
			;
		log[mine] = (int)mine * 3 + 1;
		__threadfence();
		*(volatile unsigned *)&serving = mine + 1;
	}
}

__device__ unsigned finished;
__device__ volatile int partial[BLOCKS];

__global__ void last_block(int *result, const int *value)
{
	__shared__ int sum;
	__shared__ bool last;
	if (threadIdx.x == 0)
		sum = 0;
	__syncthreads();
	atomicAdd(&sum, value[blockIdx.x * THREADS + threadIdx.x]);
	__syncthreads();
	if (threadIdx.x == 0) {
		partial[blockIdx.x] = sum;
		__threadfence();
		last = atomicInc(&finished, BLOCKS - 1) == BLOCKS - 1;
	}
	__syncthreads();
	if (last && threadIdx.x == 0) {
		int total = 0;
		for (int b = 0; b < BLOCKS; b++)
			total += partial[b];
		*result = total;
	}
}

__global__ void fences(int *out)
{
	__shared__ volatile int s[THREADS];
	int i = threadIdx.x;
	s[i] = i;
	__threadfence_block();
	asm volatile("membar.cta;" ::: "memory");
	asm volatile("membar.gl;" ::: "memory");
	asm volatile("membar.sys;" ::: "memory");
	asm volatile("fence.acq_rel.gpu;" ::: "memory");
	asm volatile("fence.sc.sys;" ::: "memory");
	__threadfence_system();
	__syncthreads();
	out[i] = s[THREADS - 1 - i];
}

int main(void)
{
	int got, value[BLOCKS * THREADS], want = 0;
	between_blocks<<<BLOCKS, THREADS>>>();
	SYNC();
	CUDA(cudaMemcpyFromSymbol(&got, counter, sizeof got));
	check_equal("a lock between CTAs", got, BLOCKS * (BLOCKS + 1) / 2);

	int *total = zeros<int>(1);
	between_lanes<<<2, THREADS>>>(total);
	check_equal("a lock between lanes", from_device(total), THREADS * (THREADS - 1));

	static int want_log[BLOCKS];
	for (int i = 0; i < BLOCKS; i++)
		want_log[i] = i * 3 + 1;
	check_run("tickets", want_log, [&](int *device_log) { tickets<<<BLOCKS, 32>>>(device_log); });

	for (int i = 0; i < BLOCKS * THREADS; i++)
		want += value[i] = i * 7 % 31;
	int *result = zeros<int>(1);
	last_block<<<BLOCKS, THREADS>>>(result, to_device(value));
	check_equal("the last CTA adds up", from_device(result), want);

	static int want_order[THREADS];
	for (int i = 0; i < THREADS; i++)
		want_order[i] = THREADS - 1 - i;
	check_run("fences", want_order, [&](int *out) { fences<<<1, THREADS>>>(out); });
	return check_finish("locks");
}
