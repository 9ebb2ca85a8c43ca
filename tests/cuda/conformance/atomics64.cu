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
	u64 *cell = to_device(initial);
	wide<<<BLOCKS, THREADS>>>(cell);
	check_from_device(got, cell, sizeof got);
	check_same("64-bit atomics", got, want, sizeof *got, 8);
	check_equal("64-bit exchange keeps every value", (long long)(got[8] + got[9]),
	            TOTAL * (TOTAL - 1) / 2);
}

static void test_floating(void)
{
	float *f = zeros<float>(1), *per_block = zeros<float>(BLOCKS), want_per_block[BLOCKS];
	double *d = zeros<double>(1);
	floating<<<BLOCKS, THREADS>>>(f, d, per_block);
	float want_f[1] = {TOTAL * (TOTAL - 1) / 2 * 0.25f};
	double want_d[1] = {TOTAL * (TOTAL - 1) / 2 * 0.125};
	for (int b = 0; b < BLOCKS; b++)
		want_per_block[b] = THREADS * (THREADS - 1) / 2;
	check_device("atomic float add", f, want_f);
	check_device("atomic double add", d, want_d);
	check_device("atomic float add on shared memory", per_block, want_per_block);
}

static void test_swaps(void)
{
	static int won[TOTAL];
	u64 one[1] = {1}, want64 = 1, *cell64 = to_device(one);
	unsigned short half[2] = {7, 9}, *device_half = to_device(half);
	int *device_won = zeros_like(won), winners = 0;
	swaps<<<BLOCKS, THREADS>>>(zeros<int>(16), cell64, device_won, device_half);
	check_from_device(won, device_won, sizeof won);
	check_from_device(half, device_half, sizeof half);
	for (int i = 0; i < TOTAL; i++) {
		winners += won[i];
		want64 = want64 * 3 % 1000003 + 1;
	}
	check_equal("one compare-and-swap per cell wins", winners, 16);
	check_equal("a 64-bit swap loop loses no step", (long long)from_device(cell64), (long long)want64);
	check_equal("a 16-bit swap loop loses no step", half[0], (unsigned short)(7 + 3 * TOTAL));
	check_equal("and leaves the other half alone", half[1], 9);
}

static void test_float_max(void)
{
	static float value[TOTAL];
	float largest[1] = {0};
	for (int i = 0; i < TOTAL; i++) {
		value[i] = (float)(check_random() % 100000) / 7.0f;
		largest[0] = fmaxf(largest[0], value[i]);
	}
	check_run("float maximum by swapping bits", largest,
	          [&](float *cell) { float_max<<<BLOCKS, THREADS>>>(cell, to_device(value)); });
}

int main(void)
{
	test_wide();
	test_floating();
	test_swaps();
	test_float_max();
	return check_finish("atomics64");
}
