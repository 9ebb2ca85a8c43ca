/* Arrays indexed at run time live in local memory: of several types, also through pointers, each thread its own. */
#include "check.h"

enum { N = 192 };

__host__ __device__ static unsigned long long scramble(int i)
{
	unsigned char bytes[24];
	int words[16];
	double doubles[5];
	long long wide[3] = {1, 2, 3};
	for (int k = 0; k < 24; k++)
		bytes[(k * 7 + i) % 24] = (unsigned char)(k * i);
	for (int k = 0; k < 16; k++)
		words[(k * 5 + i) & 15] = bytes[(k + i) % 24] * k - i;
	for (int k = 0; k < 5; k++)
		doubles[(k + i) % 5] = words[(k * i) & 15] * 0.5;
	for (int k = 0; k < 9; k++)
		wide[(k + i) % 3] += (long long)doubles[(k * i) % 5] + words[k];
	int *p = i & 1 ? words : words + 3;
	p[i % 4] += 1000;
	unsigned long long h = 0;
	for (int k = 0; k < 16; k++)
		h = h * 31 + (unsigned)words[k];
	for (int k = 0; k < 24; k++)
		h = h * 31 + bytes[k];
	for (int k = 0; k < 3; k++)
		h = h * 31 + (unsigned long long)wide[k];
	return h;
}

__global__ void run(unsigned long long *out)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	out[i] = scramble(i);
}

int main(void)
{
	static unsigned long long want[N];
	for (int i = 0; i < N; i++)
		want[i] = scramble(i);
	check_run("local arrays", want, [&](unsigned long long *out) { run<<<N / 96, 96>>>(out); });
	return check_finish("local_memory");
}
