/* 64-bit atomics, float and double add, compare-and-swap on 16, 32 and 64 bits, and loops built on it. */
#include "check.h"

enum { THREADS = 128, BLOCKS = 4, TOTAL = THREADS * BLOCKS };
typedef unsigned long long u64;

__global__ void wide(u64 *cell)
{
	u64 i = blockIdx.x * blockDim.x + threadIdx.x;
	atomicAdd(&cell[0], i << 32);
	atomicMin((long long *)&cell[1], -(long long)i * 1000000007);
	atomicMax((long long *)&cell[2], (long long)(i << 33));
	atomicMin(&cell[3], ~i);
	atomicMax(&cell[4], i << 50);
	atomicAnd(&cell[5], ~(UINT64_C(1) << (i & 63)));
	atomicOr(&cell[6], UINT64_C(1) << (i & 63));
	atomicXor(&cell[7], i * UINT64_C(0x9e3779b97f4a7c15));
	atomicAdd(&cell[8], atomicExch(&cell[9], i));
}

static void wide_on_host(u64 *cell, u64 i)
{
	cell[0] += i << 32;
	if (-(long long)i * 1000000007 < (long long)cell[1])
		cell[1] = (u64)(-(long long)i * 1000000007);
	if ((long long)(i << 33) > (long long)cell[2])
		cell[2] = i << 33;
	if (~i < cell[3])
		cell[3] = ~i;
	if (i << 50 > cell[4])
		cell[4] = i << 50;
	cell[5] &= ~(UINT64_C(1) << (i & 63));
	cell[6] |= UINT64_C(1) << (i & 63);
	cell[7] ^= i * UINT64_C(0x9e3779b97f4a7c15);
}

/* Sums of small integers are exact in any order. */
__global__ void floating(float *f, double *d, float *shared_sum)
{
	__shared__ float s;
	unsigned i = blockIdx.x * blockDim.x + threadIdx.x;
	if (threadIdx.x == 0)
		s = 0.0f;
	__syncthreads();
	atomicAdd(f, (float)i * 0.25f);
	atomicAdd(d, (double)i * 0.125);
	atomicAdd(&s, (float)threadIdx.x);
	__syncthreads();
	if (threadIdx.x == 0)
		shared_sum[blockIdx.x] = s;
}

__global__ void swaps(int *cell, u64 *cell64, int *won, unsigned short *half)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	won[i] = atomicCAS(&cell[i % 16], 0, i + 1) == 0;
	u64 old = *cell64, seen;
	do {
		seen = old;
		old = atomicCAS(cell64, seen, seen * 3 % 1000003 + 1);
	} while (old != seen);
	unsigned short before = half[0], assumed;
	do {
		assumed = before;
		before = atomicCAS(&half[0], assumed, (unsigned short)(assumed + 3));
	} while (before != assumed);
}

/* The classic float maximum by compare-and-swap on its bits. */
__global__ void float_max(float *cell, const float *value)
{
	int *bits = (int *)cell, old = *bits, assumed;
	float mine = value[blockIdx.x * blockDim.x + threadIdx.x];
	do {
		assumed = old;
		if (__int_as_float(assumed) >= mine)
			break;
		old = atomicCAS(bits, assumed, __float_as_int(mine));
	} while (old != assumed);
}

static void test_wide(void)
{
	u64 initial[10] = {1, 0, 0, ~UINT64_C(0), 0, ~UINT64_C(0), 0, 5, 0, 0}, got[10], want[10];
	memcpy(want, initial, sizeof initial);
	for (u64 i = 0; i < TOTAL; i++)
		wide_on_host(want, i);
	u64 *cell = (u64 *)check_to_device(initial, sizeof initial);
	wide<<<BLOCKS, THREADS>>>(cell);
	check_from_device(got, cell, sizeof got);
	check_same("64-bit atomics", got, want, sizeof *got, 8);
	check_equal("64-bit exchange keeps every value", (long long)(got[8] + got[9]),
	            TOTAL * (TOTAL - 1) / 2);
}

static void test_floating(void)
{
	float f, per_block[BLOCKS], want_per_block[BLOCKS];
	double d;
	float *df = (float *)check_zeros(sizeof f), *ds = (float *)check_zeros(sizeof per_block);
	double *dd = (double *)check_zeros(sizeof d);
	floating<<<BLOCKS, THREADS>>>(df, dd, ds);
	check_from_device(&f, df, sizeof f);
	check_from_device(&d, dd, sizeof d);
	check_from_device(per_block, ds, sizeof per_block);
	float want_f = TOTAL * (TOTAL - 1) / 2 * 0.25f;
	double want_d = TOTAL * (TOTAL - 1) / 2 * 0.125;
	for (int b = 0; b < BLOCKS; b++)
		want_per_block[b] = THREADS * (THREADS - 1) / 2;
	check_same_f32("atomic float add", &f, &want_f, 1);
	check_same_f64("atomic double add", &d, &want_d, 1);
	check_same_f32("atomic float add on shared memory", per_block, want_per_block, BLOCKS);
}

static void test_swaps(void)
{
	static int won[TOTAL];
	u64 cell64 = 1, want64 = 1;
	unsigned short half[2] = {7, 9};
	int *cell = (int *)check_zeros(16 * sizeof *cell), *device_won = (int *)check_zeros(sizeof won);
	u64 *device64 = (u64 *)check_to_device(&cell64, sizeof cell64);
	unsigned short *device_half = (unsigned short *)check_to_device(half, sizeof half);
	swaps<<<BLOCKS, THREADS>>>(cell, device64, device_won, device_half);
	check_from_device(won, device_won, sizeof won);
	check_from_device(&cell64, device64, sizeof cell64);
	check_from_device(half, device_half, sizeof half);
	int winners = 0;
	for (int i = 0; i < TOTAL; i++) {
		winners += won[i];
		want64 = want64 * 3 % 1000003 + 1;
	}
	check_equal("one compare-and-swap per cell wins", winners, 16);
	check_equal("a 64-bit swap loop loses no step", (long long)cell64, (long long)want64);
	check_equal("a 16-bit swap loop loses no step", half[0], (unsigned short)(7 + 3 * TOTAL));
	check_equal("and leaves the other half alone", half[1], 9);
}

static void test_float_max(void)
{
	static float value[TOTAL];
	float largest = 0, got;
	for (int i = 0; i < TOTAL; i++) {
		value[i] = (float)(check_random() % 100000) / 7.0f;
		largest = fmaxf(largest, value[i]);
	}
	float *cell = (float *)check_zeros(sizeof *cell);
	float_max<<<BLOCKS, THREADS>>>(cell, (float *)check_to_device(value, sizeof value));
	check_from_device(&got, cell, sizeof got);
	check_same_f32("float maximum by swapping bits", &got, &largest, 1);
}

int main(void)
{
	test_wide();
	test_floating();
	test_swaps();
	test_float_max();
	return check_finish("atomics64");
}
