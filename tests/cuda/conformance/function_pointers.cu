/* Indirect calls: a table of functions in device memory, one passed by symbol, virtual functions, divergent targets. */
#include "check.h"

enum { N = 256 };
typedef int (*operation)(int, int);

__host__ __device__ static int plus(int a, int b)
{
	return a + b;
}
__host__ __device__ static int minus(int a, int b)
{
	return a - b;
}
__host__ __device__ static int times(int a, int b)
{
	return a * b;
}
__host__ __device__ static int shifted(int a, int b)
{
	return (int)((unsigned)a << (b & 15));
}

__device__ operation table[4] = {plus, minus, times, shifted};
__device__ operation chosen = times;

class shape
{
      public:
	__device__ virtual int area(int scale) const = 0;
	__device__ virtual ~shape()
	{
	}
};
class square : public shape
{
	int side;

      public:
	__device__ explicit square(int s) : side(s)
	{
	}
	__device__ int area(int scale) const
	{
		return side * side * scale;
	}
};
class box : public shape
{
	int w, h;

      public:
	__device__ box(int a, int b) : w(a), h(b)
	{
	}
	__device__ int area(int scale) const
	{
		return w * h + scale;
	}
};

__device__ static int measure(const shape *s, int scale)
{
	return s->area(scale);
}

__global__ void run(int *out, operation passed)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i * 3] = table[i % 4](i, 3);
	out[i * 3 + 1] = passed(i, 7);
	square s(i);
	box b(i, 4);
	out[i * 3 + 2] = measure(i % 3 ? (const shape *)&s : (const shape *)&b, 2);
}

int main(void)
{
	static const operation on_host[4] = {plus, minus, times, shifted};
	static int want[N * 3];
	for (int i = 0; i < N; i++) {
		want[i * 3] = on_host[i % 4](i, 3);
		want[i * 3 + 1] = i * 7;
		want[i * 3 + 2] = i % 3 ? i * i * 2 : i * 4 + 2;
	}
	operation passed;
	CUDA(cudaMemcpyFromSymbol(&passed, chosen, sizeof passed));
	check_run("indirect calls", want, [&](int *out) { run<<<N / 64, 64>>>(out, passed); });
	return check_finish("function_pointers");
}
