/* Dense and sparse switches, fall through, a table of jumps taken differently by each lane (brx.idx). */
#include "check.h"

enum { N = 512 };

__host__ __device__ static unsigned dense(unsigned op, unsigned x, unsigned y)
{
	switch (op) {
	case 0:
		return x + y;
	case 1:
		return x - y;
	case 2:
		return x * y;
	case 3:
		return x ^ y;
	case 4:
		return x << (y & 31);
	case 5:
		return x >> (y & 31);
	case 6:
		return x % (y | 1);
	case 7:
		return ~x;
	case 8:
		return x & y;
	case 9:
		x += 7; /* fall through */
	case 10:
		return x | y;
	case 11:
		return x / (y | 1);
	default:
		return 12345;
	}
}

__host__ __device__ static int sparse(int x)
{
	switch (x) {
	case -5:
		return 1;
	case 100:
		return 2;
	case 10000:
		return 3;
	case 1 << 30:
		return 4;
	}
	return 0;
}

/* A small interpreter: every lane runs its own program. */
__host__ __device__ static unsigned interpret(unsigned program)
{
	unsigned a = 1, b = 2;
	for (int step = 0; step < 16; step++) {
		a = dense(program % 13, a, b);
		b = a + program;
		program = program * 1664525u + 1013904223u;
	}
	return a;
}

/* The jump table itself, spelled in PTX. */
__device__ static unsigned jump(unsigned index)
{
	unsigned r;
	asm volatile("{\n\t"
	             "targets: .branchtargets zero, one, two, three;\n\t"
	             "brx.idx %1, targets;\n\t"
	             "zero: mov.u32 %0, 10;\n\tbra.uni done;\n\t"
	             "one: mov.u32 %0, 21;\n\tbra.uni done;\n\t"
	             "two: mov.u32 %0, 32;\n\tbra.uni done;\n\t"
	             "three: mov.u32 %0, 43;\n\t"
	             "done:\n\t}"
	             : "=r"(r)
	             : "r"(index));
	return r;
}

__global__ void run(unsigned *out, const int *value)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i * 4] = dense((unsigned)value[i] % 14, (unsigned)i * 77, (unsigned)value[i]);
	out[i * 4 + 1] = (unsigned)sparse(value[i]);
	out[i * 4 + 2] = interpret((unsigned)value[i]);
	out[i * 4 + 3] = jump((unsigned)value[i] % 4);
}

int main(void)
{
	static int value[N];
	static unsigned want[N * 4];
	for (int i = 0; i < N; i++) {
		static const int special[] = {-5, 100, 10000, 1 << 30};
		value[i] = i % 5 == 0 ? special[i / 5 % 4] : (int)check_random();
		want[i * 4] = dense((unsigned)value[i] % 14, (unsigned)i * 77, (unsigned)value[i]);
		want[i * 4 + 1] = (unsigned)sparse(value[i]);
		want[i * 4 + 2] = interpret((unsigned)value[i]);
		want[i * 4 + 3] = (unsigned)value[i] % 4 * 11 + 10;
	}
	check_run("switches", want, [&](unsigned *out) { run<<<N / 64, 64>>>(out, to_device(value)); });
	return check_finish("switches");
}
