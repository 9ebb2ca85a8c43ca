/*
 * y = alpha A x + beta B x. One thread per row of both matrices; the two sums live in memory.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static const float ALPHA = 1.25f, BETA = 0.75f;

static struct workload_param param[] = {
	{"rows", "rows of A and B", 256, 1024, 4096, 1, 16384},
	{"columns", "columns of A and B", 256, 4096, 4096, 1, 16384},
};

/* Neighbouring threads are a row apart: 32 lines per load of A and of B. */
__global__ void sum_products(const float *a, const float *b, const float *x, float *tmp, float *y, int rows,
                             int columns, float alpha, float beta)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows)
		return;
#pragma unroll 1
	for (int j = 0; j < columns; j++) {
		tmp[i] += a[i * columns + j] * x[j];
		y[i] += b[i * columns + j] * x[j];
	}
	y[i] = alpha * tmp[i] + beta * y[i];
}

static void reference(const float *a, const float *b, const float *x, float *y, size_t rows, size_t columns)
{
	for (size_t i = 0; i < rows; i++) {
		double ax = 0, bx = 0;
		for (size_t j = 0; j < columns; j++) {
			ax += (double)a[i * columns + j] * x[j];
			bx += (double)b[i * columns + j] * x[j];
		}
		y[i] = (float)(ALPHA * ax + BETA * bx);
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gesummv", "y = alpha A x + beta B x", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	size_t cells = (size_t)rows * columns;
	float *a = WORKLOAD_HOST(float, cells), *b = WORKLOAD_HOST(float, cells), *x = WORKLOAD_HOST(float, columns);
	float *y = WORKLOAD_HOST(float, rows), *want = WORKLOAD_HOST(float, rows);
	float *device_a = workload_random_floats(&w, a, cells), *device_b = workload_random_floats(&w, b, cells);
	float *device_x = workload_random_floats(&w, x, columns);
	float *device_tmp = WORKLOAD_DEVICE(float, rows), *device_y = WORKLOAD_DEVICE(float, rows);
	WORKLOAD_CUDA(cudaMemset(device_tmp, 0, rows * sizeof(float)));
	WORKLOAD_CUDA(cudaMemset(device_y, 0, rows * sizeof(float)));

	workload_start(&w);
	sum_products<<<(rows + THREADS - 1) / THREADS, THREADS>>>(device_a, device_b, device_x, device_tmp, device_y,
	                                                          rows, columns, ALPHA, BETA);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, rows * sizeof *y, cudaMemcpyDeviceToHost));
	reference(a, b, x, want, rows, columns);
	return workload_close(&w, workload_same_floats("y", y, want, rows, 1e-3));
}
