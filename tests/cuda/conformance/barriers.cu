/* bar.sync with warps that wait for one another, named barriers with a count, bar.arrive, and bar.red. */
#include "check.h"

enum { THREADS = 128 };

__global__ void reverse_rounds(int *out)
{
	__shared__ int a[THREADS];
	int i = threadIdx.x, value = i;
	for (int round = 0; round < 5; round++) {
		a[i] = value * 2 + round;
		__syncthreads();
		value = a[(i + 33 * (round + 1)) % THREADS];
		__syncthreads();
	}
	out[i] = value;
}

__global__ void reductions(int *out, const int *value)
{
	int i = threadIdx.x;
	out[i * 3] = __syncthreads_count(value[i] > 4);
	out[i * 3 + 1] = __syncthreads_and(value[i] >= 0);
	out[i * 3 + 2] = __syncthreads_or(value[i] == 1000);
}

/* Warps 0 and 1 produce, 2 and 3 consume: two named barriers of 128 threads, one side only arrives. */
__global__ void producer_consumer(int *out)
{
	__shared__ int box[64];
	int i = threadIdx.x;
	for (int round = 0; round < 4; round++) {
		if (i < 64) {
			if (round > 0)
				asm volatile("bar.sync 2, 128;" ::: "memory");
			box[i] = i * 10 + round;
			asm volatile("bar.arrive 1, 128;" ::: "memory");
		} else {
			asm volatile("bar.sync 1, 128;" ::: "memory");
			out[round * 64 + i - 64] = box[127 - i];
			if (round < 3)
				asm volatile("bar.arrive 2, 128;" ::: "memory");
		}
	}
}

/* Pairs of warps meet at a barrier of their own; barrier.sync is the general spelling. */
__global__ void pairs(int *out)
{
	__shared__ int a[THREADS];
	int i = threadIdx.x, id = 3 + i / 64;
	a[i] = i;
	asm volatile("barrier.sync %0, 64;" ::"r"(id) : "memory");
	out[i] = a[i ^ 32];
}

/* A warp that has left does not hold the others up. */
__global__ void leavers(int *out)
{
	__shared__ int a[THREADS];
	int i = threadIdx.x;
	a[i] = i + 5;
	if (i >= 64)
		return;
	__syncthreads();
	out[i] = a[63 - i];
}

static void run(const char *what, void (*kernel)(int *), const int *want, size_t count)
{
	check_run(
	    what, want, [&](int *out) { kernel<<<1, THREADS>>>(out); }, count);
}

int main(void)
{
	static int want[4 * THREADS], before[THREADS], after[THREADS];
	for (int i = 0; i < THREADS; i++)
		before[i] = i;
	for (int round = 0; round < 5; round++) {
		for (int i = 0; i < THREADS; i++)
			after[i] = before[(i + 33 * (round + 1)) % THREADS] * 2 + round;
		memcpy(before, after, sizeof before);
	}
	run("bar.sync", reverse_rounds, before, THREADS);

	static int value[THREADS], got[3 * THREADS];
	int count = 0;
	for (int i = 0; i < THREADS; i++)
		value[i] = (i * 5) % 9, count += value[i] > 4;
	for (int i = 0; i < THREADS; i++)
		want[i * 3] = count, want[i * 3 + 1] = 1, want[i * 3 + 2] = 0;
	int *out = zeros_like(got);
	reductions<<<1, THREADS>>>(out, to_device(value));
	check_from_device(got, out, sizeof got);
	for (int i = 0; i < THREADS; i++)
		got[i * 3 + 1] = !!got[i * 3 + 1], got[i * 3 + 2] = !!got[i * 3 + 2];
	check_same("bar.red popc, and, or", got, want, sizeof *got, 3 * THREADS);

	for (int round = 0; round < 4; round++)
		for (int i = 0; i < 64; i++)
			want[round * 64 + i] = (63 - i) * 10 + round;
	run("named barriers and arrive", producer_consumer, want, 4 * 64);
	for (int i = 0; i < THREADS; i++)
		want[i] = i ^ 32;
	run("barrier.sync of part of a CTA", pairs, want, THREADS);
	for (int i = 0; i < 64; i++)
		want[i] = 63 - i + 5;
	run("threads that have left", leavers, want, 64);
	return check_finish("barriers");
}
