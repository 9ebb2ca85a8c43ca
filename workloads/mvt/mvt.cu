/*
 * x1 += A y1 and x2 += A^T y2. The first kernel gives a row of A to each thread, the second a
 * column; both keep their sums in memory.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"n", "rows and columns of A", 256, 2048, 4096, 1, 16384},
};

/* Neighbouring threads are a row apart: 32 lines per load of A. */
__global__ void add_product(const float *a, const float *y1, float *x1, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll 1
	for (int j = 0; j < n; j++)
		x1[i] += a[i * n + j] * y1[j];
}

/* Neighbouring threads share a line. */
__global__ void add_transposed_product(const float *a, const float *y2, float *x2, int n)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= n)
		return;
#pragma unroll 1
	for (int j = 0; j < n; j++)
		x2[i] += a[j * n + i] * y2[j];
}

/* x1 and x2 come as they were before the product. */
static void reference(const float *a, const float *y1, const float *y2, float *x1, float *x2, size_t n)
{
	double *sum = WORKLOAD_HOST(double, n);
	for (size_t i = 0; i < n; i++) {
		double dot = 0;
		for (size_t j = 0; j < n; j++) {
			dot += (double)a[i * n + j] * y1[j];
			sum[j] += (double)a[i * n + j] * y2[i];
		}
		x1[i] = (float)(x1[i] + dot);
	}
	for (size_t j = 0; j < n; j++)
		x2[j] = (float)(x2[j] + sum[j]);
	free(sum);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("mvt", "x1 += A y1 and x2 += A^T y2", param, 1, argc, argv);
	int n = (int)workload_value(&w, "n"), ctas = (n + THREADS - 1) / THREADS;
	size_t cells = (size_t)n * n, bytes = n * sizeof(float);
	float *a = WORKLOAD_HOST(float, cells), *y1 = WORKLOAD_HOST(float, n), *y2 = WORKLOAD_HOST(float, n);
	float *x1 = WORKLOAD_HOST(float, n), *x2 = WORKLOAD_HOST(float, n);
	float *want_x1 = WORKLOAD_HOST(float, n), *want_x2 = WORKLOAD_HOST(float, n);
	float *device_a = workload_random_floats(&w, a, cells);
	float *device_y1 = workload_random_floats(&w, y1, n), *device_y2 = workload_random_floats(&w, y2, n);
	float *device_x1 = workload_random_floats(&w, want_x1, n), *device_x2 = workload_random_floats(&w, want_x2, n);

	workload_start(&w);
	add_product<<<ctas, THREADS>>>(device_a, device_y1, device_x1, n);
	add_transposed_product<<<ctas, THREADS>>>(device_a, device_y2, device_x2, n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(x1, device_x1, bytes, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(x2, device_x2, bytes, cudaMemcpyDeviceToHost));
	reference(a, y1, y2, want_x1, want_x2, n);
	return workload_close(&w, workload_same_floats("x1", x1, want_x1, n, 1e-3) &&
	                              workload_same_floats("x2", x2, want_x2, n, 1e-3));
}
