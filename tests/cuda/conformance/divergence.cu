/* Branches that split warps: nested conditions, loops with break and continue, early return, unstructured exits. */
#include "check.h"

enum { THREADS = 96, BLOCKS = 3, TOTAL = THREADS * BLOCKS };

__host__ __device__ static int nested(int i)
{
	int r = 0;
	if (i & 1) {
		if (i & 2)
			r = i & 4 ? 10 : 20;
		else
			for (int k = 0; k < i % 7; k++)
				r += k * i;
	} else if (i % 3 == 0) {
		r = -i;
	} else {
		r = i * i;
	}
	return r + 1;
}

__host__ __device__ static int loops(int i)
{
	int sum = 0;
	for (int a = 0; a < 20; a++) {
		if (a % (i % 5 + 1) == 0)
			continue;
		int b = a;
		while (b > 0) {
			sum += b ^ i;
			if (sum % 11 == i % 11)
				break;
			b -= 1 + (i & 3);
		}
		if (sum > 400 + i)
			break;
	}
	return sum;
}

/* Collatz: lanes leave a loop at very different times. */
__host__ __device__ static int collatz(int i)
{
	unsigned n = (unsigned)i + 1;
	int steps = 0;
	while (n != 1) {
		n = n & 1 ? 3 * n + 1 : n / 2;
		steps++;
	}
	return steps;
}

__host__ __device__ static int tangled(int i)
{
	int x = i, r = 0;
first:
	r += 3;
	if (x % 4 == 1)
		goto third;
second:
	r = r * 2 + x;
	if (r > 5000)
		goto last;
third:
	x = x / 2;
	if (x > 10)
		goto first;
	if (x > 3)
		goto second;
last:
	return r;
}

__host__ __device__ static int shortcut(int i)
{
	int calls = 0;
	if ((i % 2 == 0 && i % 3 != 0) || (i > 100 && i < 200 && (i ^ 5) % 7 == 2))
		calls += 1;
	return calls * 100 + (i < 50 ? (i < 25 ? 1 : 2) : i < 75 ? 3 : 4);
}

__global__ void run(int *out, int *visits)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= TOTAL - 10)
		return;
	out[i * 5] = nested(i);
	out[i * 5 + 1] = loops(i);
	if (i % 17 == 3)
		return;
	out[i * 5 + 2] = collatz(i);
	out[i * 5 + 3] = tangled(i);
	out[i * 5 + 4] = shortcut(i);
	atomicAdd(visits, 1);
}

int main(void)
{
	static int want[TOTAL * 5];
	int visits = 0;
	for (int i = 0; i < TOTAL - 10; i++) {
		want[i * 5] = nested(i);
		want[i * 5 + 1] = loops(i);
		if (i % 17 == 3)
			continue;
		want[i * 5 + 2] = collatz(i);
		want[i * 5 + 3] = tangled(i);
		want[i * 5 + 4] = shortcut(i);
		visits++;
	}
	int *got_visits = zeros<int>(1);
	check_run("divergent control flow", want,
	          [&](int *out) { run<<<BLOCKS, THREADS>>>(out, got_visits); });
	check_equal("threads that reached the end", from_device(got_visits), visits);
	return check_finish("divergence");
}
