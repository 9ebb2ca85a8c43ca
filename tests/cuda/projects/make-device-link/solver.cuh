#pragma once
struct Vec {
	float x, y;
};
typedef float (*op_t)(float);

/* physics.cu */
extern __device__ int counter;
extern __device__ op_t ops[2];
extern __device__ float scale(Vec v, int k);
__device__ void bump(int by);
void add_hidden(float *d);

/* main.cu */
extern __constant__ float table[4];

/* Both files have their own copy: a weak function. */
template <typename T> __device__ __noinline__ T limited(T v)
{
	return v > 1000 ? 1000 : v;
}
