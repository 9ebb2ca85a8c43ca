/*
 * y = A^T (A x). The first kernel gives a row of A to each thread, the second a column; both keep
 * their sums in memory.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"rows", "rows of A", 256, 1024, 4096, 1, 32768},
	{"columns", "columns of A", 256, 4096, 4096, 1, 32768},
};

/* Neighbouring threads are a row apart: 32 lines per load of A. */
__global__ void multiply(const float *a, const float *x, float *tmp, int rows, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows)
		return;
#pragma unroll 1
	for (int j = 0; j < columns; j++)
		tmp[i] += a[i * columns + j] * x[j];
}

/* Neighbouring threads share a line. */
__global__ void multiply_transposed(const float *a, const float *tmp, float *y, int rows, int columns)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= columns)
		return;
#pragma unroll 1
	for (int i = 0; i < rows; i++)
		y[j] += a[i * columns + j] * tmp[i];
}

static void reference(const float *a, const float *x, float *y, size_t rows, size_t columns)
{
	double *sum = WORKLOAD_HOST(double, columns);
	for (size_t i = 0; i < rows; i++) {
		double tmp = 0;
		for (size_t j = 0; j < columns; j++)
			tmp += (double)a[i * columns + j] * x[j];
		for (size_t j = 0; j < columns; j++)
			sum[j] += a[i * columns + j] * tmp;
	}
	for (size_t j = 0; j < columns; j++)
		y[j] = (float)sum[j];
	free(sum);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("atax", "y = A^T (A x)", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	size_t cells = (size_t)rows * columns;
	float *a = WORKLOAD_HOST(float, cells), *x = WORKLOAD_HOST(float, columns);
	float *y = WORKLOAD_HOST(float, columns), *want = WORKLOAD_HOST(float, columns);
	float *device_a = WORKLOAD_DEVICE(float, cells), *device_x = WORKLOAD_DEVICE(float, columns);
	float *device_tmp = WORKLOAD_DEVICE(float, rows), *device_y = WORKLOAD_DEVICE(float, columns);
	for (size_t i = 0; i < cells; i++)
		a[i] = workload_unit(&w);
	for (int j = 0; j < columns; j++)
		x[j] = workload_unit(&w) / columns;
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_x, x, columns * sizeof *x, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(device_tmp, 0, rows * sizeof(float)));
	WORKLOAD_CUDA(cudaMemset(device_y, 0, columns * sizeof(float)));

	workload_start(&w);
	multiply<<<(rows + THREADS - 1) / THREADS, THREADS>>>(device_a, device_x, device_tmp, rows, columns);
	multiply_transposed<<<(columns + THREADS - 1) / THREADS, THREADS>>>(device_a, device_tmp, device_y, rows,
	                                                                    columns);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, columns * sizeof *y, cudaMemcpyDeviceToHost));
	reference(a, x, want, rows, columns);
	return workload_close(&w, workload_same_floats("y", y, want, columns, 1e-4));
}
