/*
 * The two products of a step of the biconjugate gradient method, s = A^T r and q = A p. The first
 * kernel gives a column of A to each thread, the second a row; both keep their sums in memory.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"rows", "rows of A", 256, 1024, 4096, 1, 16384},
	{"columns", "columns of A", 256, 4096, 4096, 1, 16384},
};

/* Neighbouring threads share a line. */
__global__ void shadow_product(const float *a, const float *r, float *s, int rows, int columns)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j >= columns)
		return;
	s[j] = 0;
#pragma unroll 1
	for (int i = 0; i < rows; i++)
		s[j] += a[i * columns + j] * r[i];
}

/* Neighbouring threads are a row apart: 32 lines per load of A. */
__global__ void product(const float *a, const float *p, float *q, int rows, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows)
		return;
	q[i] = 0;
#pragma unroll 1
	for (int j = 0; j < columns; j++)
		q[i] += a[i * columns + j] * p[j];
}

static void reference(const float *a, const float *p, const float *r, float *q, float *s, size_t rows, size_t columns)
{
	double *sum = WORKLOAD_HOST(double, columns);
	for (size_t i = 0; i < rows; i++) {
		double dot = 0;
		for (size_t j = 0; j < columns; j++) {
			dot += (double)a[i * columns + j] * p[j];
			sum[j] += (double)a[i * columns + j] * r[i];
		}
		q[i] = (float)dot;
	}
	for (size_t j = 0; j < columns; j++)
		s[j] = (float)sum[j];
	free(sum);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("bicg", "q = A p and s = A^T r", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	size_t cells = (size_t)rows * columns;
	float *a = WORKLOAD_HOST(float, cells), *p = WORKLOAD_HOST(float, columns), *r = WORKLOAD_HOST(float, rows);
	float *q = WORKLOAD_HOST(float, rows), *s = WORKLOAD_HOST(float, columns);
	float *want_q = WORKLOAD_HOST(float, rows), *want_s = WORKLOAD_HOST(float, columns);
	float *device_a = workload_random_floats(&w, a, cells);
	float *device_p = workload_random_floats(&w, p, columns), *device_r = workload_random_floats(&w, r, rows);
	float *device_q = WORKLOAD_DEVICE(float, rows), *device_s = WORKLOAD_DEVICE(float, columns);

	workload_start(&w);
	shadow_product<<<(columns + THREADS - 1) / THREADS, THREADS>>>(device_a, device_r, device_s, rows, columns);
	product<<<(rows + THREADS - 1) / THREADS, THREADS>>>(device_a, device_p, device_q, rows, columns);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(q, device_q, rows * sizeof *q, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(s, device_s, columns * sizeof *s, cudaMemcpyDeviceToHost));
	reference(a, p, r, want_q, want_s, rows, columns);
	return workload_close(&w, workload_same_floats("q", q, want_q, rows, 1e-3) &&
	                              workload_same_floats("s", s, want_s, columns, 1e-3));
}
