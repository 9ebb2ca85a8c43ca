/*
 * Radix sort of 32-bit keys, 4 bits at a time from the lowest: count digits, sum the counts, scatter the keys.
 * A thread owns 80 neighbouring keys, which it reads twice a pass, and 16 counters in shared memory.
 */
#include "../common/workload.h"

/* 80 keys are an odd number of L1 lines: the lines that threads read at a time spread over all sets. */
enum { THREADS = 64, KEYS = 80, DIGIT_BITS = 4, DIGITS = 1 << DIGIT_BITS, CTA_KEYS = THREADS * KEYS };

static struct workload_param param[] = {
	{"n", "keys", 4096, 65536, 65536, 1, 1 << 26},
};

/* Each thread's number of keys of each digit; one column per thread keeps banks apart. */
__device__ static void count_own_keys(unsigned (*count)[THREADS], const unsigned *keys, unsigned n, unsigned first,
                                      unsigned shift)
{
	for (int digit = 0; digit < DIGITS; digit++)
		count[digit][threadIdx.x] = 0;
#pragma unroll 1
	for (unsigned i = first; i < first + KEYS && i < n; i++)
		count[keys[i] >> shift & (DIGITS - 1)][threadIdx.x]++;
}

/* total[digit][CTA] */
__global__ void count_digits(const unsigned *keys, unsigned *total, unsigned n, unsigned shift)
{
	__shared__ unsigned count[DIGITS][THREADS];
	unsigned thread = threadIdx.x;
	count_own_keys(count, keys, n, blockIdx.x * CTA_KEYS + thread * KEYS, shift);
	__syncthreads();
	for (unsigned half = THREADS / 2; half > 0; half /= 2) {
		if (thread < half)
			for (int digit = 0; digit < DIGITS; digit++)
				count[digit][thread] += count[digit][thread + half];
		__syncthreads();
	}
	if (thread < DIGITS)
		total[thread * gridDim.x + blockIdx.x] = count[thread][0];
}

/* Exclusive sums within the CTA, in place. */
__device__ static unsigned sum_before(unsigned *value, unsigned own)
{
	unsigned thread = threadIdx.x;
	value[thread] = own;
	__syncthreads();
	for (unsigned distance = 1; distance < THREADS; distance *= 2) {
		unsigned other = thread >= distance ? value[thread - distance] : 0;
		__syncthreads();
		value[thread] += other;
		__syncthreads();
	}
	return value[thread] - own;
}

/* One CTA: totals become the place of the first key of each digit and CTA. */
__global__ void sum_totals(unsigned *total, unsigned totals)
{
	__shared__ unsigned value[THREADS];
	unsigned carry = 0;
	for (unsigned first = 0; first < totals; first += THREADS) {
		unsigned i = first + threadIdx.x, own = i < totals ? total[i] : 0;
		unsigned before = sum_before(value, own);
		if (i < totals)
			total[i] = carry + before;
		carry += value[THREADS - 1];
		__syncthreads();
	}
}

/* Keys go where their digit, CTA and thread begin; equal digits keep their order. */
__global__ void scatter_keys(const unsigned *keys, const unsigned *total, unsigned *sorted, unsigned n, unsigned shift)
{
	__shared__ unsigned place[DIGITS][THREADS];
	__shared__ unsigned value[THREADS];
	unsigned thread = threadIdx.x, first = blockIdx.x * CTA_KEYS + thread * KEYS;
	count_own_keys(place, keys, n, first, shift);
	for (int digit = 0; digit < DIGITS; digit++) {
		unsigned before = sum_before(value, place[digit][thread]);
		place[digit][thread] = total[digit * gridDim.x + blockIdx.x] + before;
		__syncthreads();
	}
#pragma unroll 1
	for (unsigned i = first; i < first + KEYS && i < n; i++) {
		unsigned key = keys[i];
		sorted[place[key >> shift & (DIGITS - 1)][thread]++] = key;
	}
}

static int ascending(const void *a, const void *b)
{
	unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;
	return (x > y) - (x < y);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("radixsort", "radix sort with 4-bit digits", param, 1, argc, argv);
	unsigned n = (unsigned)workload_value(&w, "n"), blocks = (n + CTA_KEYS - 1) / CTA_KEYS;
	unsigned *keys = WORKLOAD_HOST(unsigned, n), *got = WORKLOAD_HOST(unsigned, n);
	unsigned *from = WORKLOAD_DEVICE(unsigned, n), *to = WORKLOAD_DEVICE(unsigned, n);
	unsigned *total = WORKLOAD_DEVICE(unsigned, blocks *DIGITS);
	for (unsigned i = 0; i < n; i++)
		keys[i] = (unsigned)(workload_random(&w) >> 32);
	WORKLOAD_CUDA(cudaMemcpy(from, keys, n * sizeof *keys, cudaMemcpyHostToDevice));

	workload_start(&w);
	for (unsigned shift = 0; shift < 32; shift += DIGIT_BITS) {
		count_digits<<<blocks, THREADS>>>(from, total, n, shift);
		sum_totals<<<1, THREADS>>>(total, blocks * DIGITS);
		scatter_keys<<<blocks, THREADS>>>(from, total, to, n, shift);
		unsigned *sorted = to;
		to = from;
		from = sorted;
	}
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, from, n * sizeof *got, cudaMemcpyDeviceToHost));
	qsort(keys, n, sizeof *keys, ascending);
	return workload_close(&w, workload_same_ints("key", (const int *)got, (const int *)keys, n));
}
