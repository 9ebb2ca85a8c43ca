/*
 * Kernels that launch kernels: templates, structs and shared memory as arguments, several generations, streams, and
 * that all of it has happened when the host has waited for the parent.
 */
// nvcc: -rdc=true -lcudadevrt
#include "check.h"

enum { N = 256 };

struct box {
	double scale;
	int offset;
	char pad;
};

__global__ void fill(int *a, int value)
{
	a[threadIdx.x] = value + threadIdx.x;
}

template <class T, int factor> __global__ void scale(T *a, box by)
{
	extern __shared__ int shared[];
	shared[threadIdx.x] = a[threadIdx.x];
	__syncthreads();
	a[threadIdx.x] = (T)(shared[blockDim.x - 1 - threadIdx.x] * by.scale * factor) + by.offset + by.pad;
}

__global__ void parent(int *a, int blocks)
{
	if (threadIdx.x == 0) {
		fill<<<1, N>>>(a, 10);
		box by = {2.0, 3, 1};
		scale<int, 5><<<1, N, N * sizeof(int)>>>(a, by);
	}
	if (threadIdx.x < blocks)
		fill<<<dim3(1), dim3(N, 1, 1)>>>(a + N * (threadIdx.x + 1), 1000 * threadIdx.x);
}

/* A tree: every grid launches two of the next generation. */
__global__ void tree(int *count, int depth)
{
	if (threadIdx.x == 0)
		atomicAdd(count + depth, 1);
	if (threadIdx.x < 2 && depth < 5)
		tree<<<1, 32>>>(count, depth + 1);
}

__device__ void launch_from_function(int *a, int value)
{
	fill<<<1, N>>>(a, value);
}

__global__ void through_function(int *a)
{
	cudaStream_t stream;
	if (threadIdx.x == 0) {
		launch_from_function(a, 5);
		cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
		fill<<<1, N, 0, stream>>>(a + N, 6);
		cudaStreamDestroy(stream);
		fill<<<1, N, 0, cudaStreamFireAndForget>>>(a + 2 * N, 7);
	}
}

/* Sorting by parts, each part by a grid of its own. */
__global__ void sort_parts(int *a, int left, int right, int depth)
{
	int i = left, j = right, pivot = a[(left + right) / 2];
	while (i <= j) {
		while (a[i] < pivot)
			i++;
		while (a[j] > pivot)
			j--;
		if (i <= j) {
			int t = a[i];
			a[i++] = a[j];
			a[j--] = t;
		}
	}
	if (left < j)
		sort_parts<<<1, 1, 0, cudaStreamFireAndForget>>>(a, left, j, depth + 1);
	if (i < right)
		sort_parts<<<1, 1, 0, cudaStreamFireAndForget>>>(a, i, right, depth + 1);
}

__global__ void too_large(int *error)
{
	fill<<<1, 4096>>>(error, 1);
	*error = cudaGetLastError() != cudaSuccess;
}

static int compare(const void *a, const void *b)
{
	return (*(const int *)a > *(const int *)b) - (*(const int *)a < *(const int *)b);
}

int main(void)
{
	enum { PARTS = 8 };
	static int got[N * PARTS], want[N * PARTS];
	int *a = (int *)check_zeros(sizeof got);
	parent<<<1, 32>>>(a, PARTS - 1);
	SYNC();
	CUDA(cudaMemcpy(got, a, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++) {
		want[i] = (10 + N - 1 - i) * 10 + 4;
		for (int part = 1; part < PARTS; part++)
			want[part * N + i] = 1000 * (part - 1) + i;
	}
	check_same("children of a parent", got, want, sizeof *want, N * PARTS);

	CUDA(cudaMemset(a, 0, sizeof got));
	tree<<<1, 32>>>(a, 0);
	const int generations[6] = {1, 2, 4, 8, 16, 32};
	check_kept("a tree of grids", a, generations, 6);

	through_function<<<1, 32>>>(a);
	SYNC();
	CUDA(cudaMemcpy(got, a, 3 * N * sizeof(int), cudaMemcpyDeviceToHost));
	for (int i = 0; i < 3 * N; i++)
		want[i] = 5 + i / N + i % N;
	check_same("from a function, in streams", got, want, sizeof *want, 3 * N);

	for (int i = 0; i < 500; i++)
		want[i] = got[i] = (int)(check_random() % 10000);
	CUDA(cudaMemcpy(a, got, 500 * sizeof(int), cudaMemcpyHostToDevice));
	sort_parts<<<1, 1>>>(a, 0, 499, 0);
	qsort(want, 500, sizeof *want, compare);
	check_kept("sorted by generations", a, want, 500);

	too_large<<<1, 1>>>(a);
	SYNC();
	CUDA(cudaMemcpy(got, a, sizeof(int), cudaMemcpyDeviceToHost));
	check_equal("a child that cannot be", got[0], 1);
	CUDA(cudaFree(a));
	return check_finish("device_launches");
}
