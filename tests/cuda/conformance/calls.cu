/* Calls that are not inlined: several arguments, structs by value and returned, arrays on the stack, recursion. */
#include "check.h"

#define APART __attribute__((noinline))

enum { N = 128 };

struct triple {
	double x;
	int y;
	short z[3];
};

APART __host__ __device__ static long long mix(char a, unsigned short b, int c, long long d, float e,
                                               double f)
{
	return a + b * 3 + c * 5 + d * 7 + (long long)(e * 11) + (long long)(f * 13);
}

APART __host__ __device__ static struct triple rotate(struct triple t, int by)
{
	struct triple r;
	r.x = t.x + by;
	r.y = t.y ^ by;
	for (int i = 0; i < 3; i++)
		r.z[i] = t.z[(i + by) % 3];
	return r;
}

APART __host__ __device__ static void fill(int *a, int n, int seed)
{
	unsigned x = (unsigned)seed;
	for (int i = 0; i < n; i++)
		a[i] = (int)(x = (x * 1103515245u + 12345u) & 0x7fffffff);
}

APART __host__ __device__ static int sorted_middle(int seed)
{
	int a[9];
	fill(a, 9, seed);
	for (int i = 1; i < 9; i++)
		for (int k = i; k > 0 && a[k - 1] > a[k]; k--) {
			int t = a[k];
			a[k] = a[k - 1];
			a[k - 1] = t;
		}
	return a[4];
}

__host__ __device__ static int fibonacci(int n)
{
	return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

__host__ __device__ static int ackermann(int m, int n)
{
	return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}

__host__ __device__ static int odd(int n);
APART __host__ __device__ static int even(int n)
{
	return n == 0 ? 1 : odd(n - 1);
}
APART __host__ __device__ static int odd(int n)
{
	return n == 0 ? 0 : even(n - 1);
}

__host__ __device__ static void compute(long long *r, int i)
{
	r[0] =
	    mix((char)(i - 60), (unsigned short)(i * 600), -i, (long long)i << 34, (float)i * 0.5f, i * 0.25);
	struct triple t = {i * 0.5, i, {(short)i, (short)(i + 1), (short)(i + 2)}};
	t = rotate(rotate(t, i % 3), 1);
	r[1] = (long long)(t.x * 4) + t.y * 1000 + t.z[0] * 3 + t.z[1] * 5 + t.z[2] * 7;
	r[2] = sorted_middle(i);
	r[3] = fibonacci(i % 11);
	r[4] = ackermann(i % 3, i % 4);
	r[5] = even(i % 23) * 2 + odd(i % 17);
}

__global__ void run(long long *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	compute(out + i * 6, i);
}

int main(void)
{
	static long long want[N * 6];
	for (int i = 0; i < N; i++)
		compute(want + i * 6, i);
	CUDA(cudaDeviceSetLimit(cudaLimitStackSize, 8192));
	check_run("calls and recursion", want, [&](long long *out) { run<<<N / 64, 64>>>(out); });
	return check_finish("calls");
}
