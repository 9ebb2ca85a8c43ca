/*
 * What becomes of accesses between the source and machine code: a kernel per form, one warp, whose counters tell how many
 * instructions and requests there are. Prints a line per launch: series, value. nvcc and `sluice cc` compile the same file.
 */
#include <cstdio>
#include <cuda_runtime.h>

/* A row of a shared array, `PITCH` words apart, by constants. */
template <int PITCH> __global__ void pitch(const float *a, float *o)
{
	__shared__ float t[16][PITCH];
	int y = threadIdx.x / 2;
	for (int i = threadIdx.x; i < 16 * PITCH; i += 32)
		t[0][i] = a[i];
	__syncthreads();
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 16; k++)
		sum += t[y][k];
	o[threadIdx.x] = sum;
}

/* Of four words, those in MASK: of a shared array, of a float4 in place, of a copy of one. */
template <int MASK> __global__ void used(const float *a, float *o)
{
	__shared__ float t[128];
	for (int i = threadIdx.x; i < 128; i += 32)
		t[i] = a[i];
	__syncthreads();
	const float *p = &t[threadIdx.x * 4];
	float sum = 0;
#pragma unroll
	for (int k = 0; k < 4; k++)
		if (MASK >> k & 1)
			sum += p[k] * (k + 3);
	o[threadIdx.x] = sum;
}

template <int MASK> __device__ float some(const float4 &v)
{
	float sum = 0;
	if (MASK & 1)
		sum += v.x * 3;
	if (MASK & 2)
		sum += v.y * 5;
	if (MASK & 4)
		sum += v.z * 7;
	if (MASK & 8)
		sum += v.w * 9;
	return sum;
}

template <int MASK> __global__ void field(const float4 *a, float *o)
{
	o[threadIdx.x] = some<MASK>(a[threadIdx.x]);
}

template <int MASK> __global__ void copied(const float4 *a, float *o)
{
	float4 v = a[threadIdx.x];
	o[threadIdx.x] = some<MASK>(v);
}

/* A structure of WORDS floats, aligned as a float or to 16 bytes, is copied and a field changes. */
template <int WORDS> struct plain {
	float f[WORDS];
};
template <int WORDS> struct __align__(16) aligned {
	float f[WORDS];
};
template <typename T> __global__ void structure(const T *a, T *o)
{
	T v = a[threadIdx.x];
	v.f[0] += 1;
	o[threadIdx.x] = v;
}

/* Eight rounds in which one type is stored and another loaded from one place. */
template <typename FROM, typename TO> __global__ void types(const FROM *a, TO *o)
{
#pragma unroll 1
	for (int i = 0; i < 8; i++)
		o[threadIdx.x + 32 * i] = (TO)(a[threadIdx.x] + i);
}

/* Sums in shared memory, and a function of the math library. */
__global__ void sums(const double *a, double *o, int n)
{
	__shared__ double sum[32];
	sum[threadIdx.x] = 0;
#pragma unroll 1
	for (int i = 0; i < n; i++)
		sum[threadIdx.x] += exp(a[i]);
	__syncthreads();
	o[threadIdx.x] = sum[threadIdx.x ^ 1];
}

static float *a, *o;

template <int PITCH> static void pitches(void)
{
	pitch<PITCH><<<1, 32>>>(a, o);
	printf("row pitch, shared\t%d\n", PITCH);
}

template <int MASK> static void masks(void)
{
	used<MASK><<<1, 32>>>(a, o);
	printf("words used, shared\t%d\n", MASK);
	field<MASK><<<1, 32>>>((float4 *)a, o);
	printf("fields used in place\t%d\n", MASK);
	copied<MASK><<<1, 32>>>((float4 *)a, o);
	printf("fields used of a copy\t%d\n", MASK);
}

template <int WORDS> static void structures(void)
{
	structure<<<1, 32>>>((plain<WORDS> *)a, (plain<WORDS> *)o);
	printf("structure, words\t%d\n", WORDS);
	if (WORDS % 4)
		return;
	structure<<<1, 32>>>((aligned<WORDS> *)a, (aligned<WORDS> *)o);
	printf("structure aligned to 16, words\t%d\n", WORDS);
}

int main(void)
{
	cudaMalloc(&a, 1 << 20);
	cudaMalloc(&o, 1 << 20);
	cudaMemset(a, 0, 1 << 20);
	pitches<16>(), pitches<17>(), pitches<18>(), pitches<19>(), pitches<20>(), pitches<22>(), pitches<24>();
	masks<1>(), masks<2>(), masks<3>(), masks<4>(), masks<5>(), masks<6>(), masks<7>(), masks<8>();
	masks<9>(), masks<10>(), masks<11>(), masks<12>(), masks<13>(), masks<14>(), masks<15>();
	structures<1>(), structures<2>(), structures<3>(), structures<4>(), structures<5>(), structures<8>();
	structures<12>(), structures<16>(), structures<32>();
	types<<<1, 32>>>(a, (int *)o);
	printf("rounds of other types\t1\n");
	types<<<1, 32>>>((double *)a, o);
	printf("rounds of other types\t2\n");
	types<<<1, 32>>>((short *)a, (double *)o);
	printf("rounds of other types\t3\n");
	sums<<<1, 32>>>((double *)a, (double *)o, 16);
	printf("sums and exp(), rounds\t16\n");
	return cudaDeviceSynchronize() != cudaSuccess;
}
