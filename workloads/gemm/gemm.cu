/*
 * C = alpha A B + beta C. One thread per element of C, warps along its rows, the sum in memory.
 */
#include "../common/workload.h"

enum { COLUMNS_PER_CTA = 32, ROWS_PER_CTA = 8 };

/* The host checks every row as long as this many products suffice, and evenly spread rows beyond. */
static const size_t CHECKED_PRODUCTS = 1u << 28;
static const float ALPHA = 1.25f, BETA = 0.75f;

static struct workload_param param[] = {
	{"rows", "rows of A and C", 64, 160, 512, 1, 8192},
	{"columns", "columns of B and C", 96, 160, 512, 1, 8192},
	{"depth", "columns of A, rows of B", 96, 160, 512, 1, 8192},
};

__global__ void multiply_add(const float *a, const float *b, float *c, int rows, int columns, int depth, float alpha,
                             float beta)
{
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows || j >= columns)
		return;
	c[i * columns + j] *= beta;
#pragma unroll 1
	for (int k = 0; k < depth; k++)
		c[i * columns + j] += alpha * a[i * depth + k] * b[k * columns + j];
}

static void reference_row(const float *a, const float *b, float *c, double *sum, int columns, int depth)
{
	for (int j = 0; j < columns; j++)
		sum[j] = (double)BETA * c[j];
	for (int k = 0; k < depth; k++)
		for (int j = 0; j < columns; j++)
			sum[j] += (double)ALPHA * a[k] * b[(size_t)k * columns + j];
	for (int j = 0; j < columns; j++)
		c[j] = (float)sum[j];
}

static bool check(const float *a, const float *b, float *c, const float *got, int rows, int columns, int depth)
{
	double *sum = WORKLOAD_HOST(double, columns);
	size_t affordable = CHECKED_PRODUCTS / ((size_t)columns * depth) + 1;
	size_t step = (rows + affordable - 1) / affordable;
	bool same = true;
	for (size_t i = 0; same && i < (size_t)rows; i += step) {
		reference_row(a + i * depth, b, c + i * columns, sum, columns, depth);
		same = workload_same_floats("row of C", got + i * columns, c + i * columns, columns, 1e-3);
	}
	free(sum);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gemm", "C = alpha A B + beta C", param, 3, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	int depth = (int)workload_value(&w, "depth");
	size_t cells_a = (size_t)rows * depth, cells_b = (size_t)depth * columns, cells_c = (size_t)rows * columns;
	float *a = WORKLOAD_HOST(float, cells_a), *b = WORKLOAD_HOST(float, cells_b);
	float *c = WORKLOAD_HOST(float, cells_c), *got = WORKLOAD_HOST(float, cells_c);
	float *device_a = workload_random_floats(&w, a, cells_a), *device_b = workload_random_floats(&w, b, cells_b);
	float *device_c = workload_random_floats(&w, c, cells_c);
	dim3 cta(COLUMNS_PER_CTA, ROWS_PER_CTA);
	dim3 grid((columns + cta.x - 1) / cta.x, (rows + cta.y - 1) / cta.y);

	workload_start(&w);
	multiply_add<<<grid, cta>>>(device_a, device_b, device_c, rows, columns, depth, ALPHA, BETA);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_c, cells_c * sizeof *got, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(a, b, c, got, rows, columns, depth));
}
