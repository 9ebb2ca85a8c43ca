/* The second translation unit: the same names as the first, other contents. */
#include "several_files.h"

static __device__ int tag = 200;
static __constant__ int factor = 3;

static __global__ void same_name(int *out)
{
	out[threadIdx.x] = tag + (int)threadIdx.x * factor;
}

template <typename T> __global__ void common(T *out, T value)
{
	out[threadIdx.x] += value;
}

void second_launch(int *out)
{
	same_name<<<1, COUNT>>>(out);
	common<int><<<1, COUNT>>>(out, 7);
}
