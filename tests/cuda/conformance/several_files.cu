/* Several translation units: kernels, symbols and shared names of each are its own; host calls cross between them. */
#include "several_files.h"

static __device__ int tag = 100;
__constant__ int factor = 2;

static __global__ void same_name(int *out)
{
	out[threadIdx.x] = tag + (int)threadIdx.x * factor;
}

template <typename T> __global__ void common(T *out, T value)
{
	out[threadIdx.x] += value;
}

void first_launch(int *out)
{
	same_name<<<1, COUNT>>>(out);
	common<int><<<1, COUNT>>>(out, 5);
}

int main(void)
{
	int want[COUNT];
	for (int i = 0; i < COUNT; i++)
		want[i] = 100 + i * 2 + 5;
	check_run("first file", want, first_launch);
	for (int i = 0; i < COUNT; i++)
		want[i] = 200 + i * 3 + 7;
	check_run("second file", want, second_launch);
	return check_finish("several_files");
}
