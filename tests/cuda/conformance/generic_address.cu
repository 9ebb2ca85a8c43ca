/* One pointer, four spaces: lanes of a warp access global, shared, local and constant memory through it at once. */
#include "check.h"

enum { THREADS = 128 };

__constant__ int constants[8] = {100, 101, 102, 103, 104, 105, 106, 107};
__device__ int globals[8] = {200, 201, 202, 203, 204, 205, 206, 207};

__device__ __attribute__((noinline)) static int sum(const int *p, int n)
{
	int r = 0;
	for (int i = 0; i < n; i++)
		r += p[i] * (i + 1);
	return r;
}

__device__ __attribute__((noinline)) static void bump(int *p, int n, int by)
{
	for (int i = 0; i < n; i++)
		p[i] += by;
}

__device__ static int space_of(const void *p)
{
	unsigned g, s, l, c;
	asm("{ .reg .pred p; isspacep.global p, %1; selp.u32 %0, 1, 0, p; }" : "=r"(g) : "l"(p));
	asm("{ .reg .pred p; isspacep.shared p, %1; selp.u32 %0, 2, 0, p; }" : "=r"(s) : "l"(p));
	asm("{ .reg .pred p; isspacep.local p, %1; selp.u32 %0, 4, 0, p; }" : "=r"(l) : "l"(p));
	asm("{ .reg .pred p; isspacep.const p, %1; selp.u32 %0, 8, 0, p; }" : "=r"(c) : "l"(p));
	return (int)(g | s | l | c);
}

__global__ void run(int *out)
{
	__shared__ int shared[THREADS];
	int local[8], i = threadIdx.x;
	for (int k = 0; k < 8; k++)
		local[k] = i + k;
	shared[i] = 1000 + i;
	__syncthreads();
	int *mine = i % 3 == 0 ? local : i % 3 == 1 ? &shared[i] : out + THREADS * 3 + i * 8;
	int length = i % 3 == 1 ? 1 : 8;
	bump(mine, length, 5);
	const int *p = i % 4 == 0 ? constants : i % 4 == 1 ? globals : mine;
	out[i * 3] = sum(p, i % 4 < 2 ? 8 : length);
	out[i * 3 + 1] = space_of(i % 3 == 0   ? (const void *)local
	                          : i % 3 == 1 ? (const void *)shared
	                                       : (const void *)out);
	out[i * 3 + 2] = (int)(__cvta_generic_to_shared(&shared[i]) - __cvta_generic_to_shared(&shared[0]));
	atomicAdd(mine, 1);
	out[THREADS * 11 + i] = *mine;
}

int main(void)
{
	static int want[THREADS * 12];
	for (int i = 0; i < THREADS; i++) {
		int value[8], length = i % 3 == 1 ? 1 : 8, total = 0;
		for (int k = 0; k < 8; k++) {
			value[k] = (i % 3 == 0 ? i + k : i % 3 == 1 ? 1000 + i : 0) + 5;
			if (i % 3 == 2)
				want[THREADS * 3 + i * 8 + k] = value[k] + (k == 0);
		}
		if (i % 4 < 2)
			for (int k = 0; k < 8; k++)
				total += (i % 4 == 0 ? 100 + k : 200 + k) * (k + 1);
		else
			for (int k = 0; k < length; k++)
				total += value[k] * (k + 1);
		want[i * 3] = total;
		want[i * 3 + 1] = i % 3 == 0 ? 4 : i % 3 == 1 ? 2 : 1;
		want[i * 3 + 2] = i * 4;
		want[THREADS * 11 + i] = value[0] + 1;
	}
	check_run("generic addressing", want, [&](int *out) { run<<<1, THREADS>>>(out); });
	return check_finish("generic_address");
}
