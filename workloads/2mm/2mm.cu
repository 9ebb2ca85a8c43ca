/*
 * E = (A B) D, two products one after the other. One thread per element of a product, warps along
 * its rows, the sum in memory.
 */
#include "../common/workload.h"

enum { COLUMNS_PER_CTA = 32, ROWS_PER_CTA = 8 };

/* The host checks every row as long as this many products suffice, and evenly spread rows beyond. */
static const size_t CHECKED_PRODUCTS = 1u << 28;

static struct workload_param param[] = {
	{"rows", "rows of A and E", 64, 16, 64, 1, 8192},
	{"n", "columns of A, rows and columns of B and D", 96, 1024, 2048, 1, 8192},
};

/* right is n x n; left is one address per warp, right one line. */
__global__ void multiply(const float *left, const float *right, float *product, int rows, int n)
{
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= rows || j >= n)
		return;
	product[i * n + j] = 0;
#pragma unroll 1
	for (int k = 0; k < n; k++)
		product[i * n + j] += left[i * n + k] * right[k * n + j];
}

static void multiply_row(const double *left, const float *right, double *product, size_t n)
{
	for (size_t j = 0; j < n; j++)
		product[j] = 0;
	for (size_t k = 0; k < n; k++)
		for (size_t j = 0; j < n; j++)
			product[j] += left[k] * right[k * n + j];
}

static bool check(const float *a, const float *b, const float *d, const float *e, size_t rows, size_t n)
{
	double *in = WORKLOAD_HOST(double, n), *out = WORKLOAD_HOST(double, n);
	float *want = WORKLOAD_HOST(float, n);
	size_t affordable = CHECKED_PRODUCTS / (2 * n * n) + 1, step = (rows + affordable - 1) / affordable;
	bool same = true;
	for (size_t i = 0; same && i < rows; i += step) {
		for (size_t k = 0; k < n; k++)
			in[k] = a[i * n + k];
		multiply_row(in, b, out, n);
		multiply_row(out, d, in, n);
		for (size_t j = 0; j < n; j++)
			want[j] = (float)in[j];
		same = workload_same_floats("row of E", e + i * n, want, n, 1e-4);
	}
	free(in);
	free(out);
	free(want);
	return same;
}

static float *random_on_device(struct workload *w, float *host, size_t count, float scale)
{
	float *device = WORKLOAD_DEVICE(float, count);
	for (size_t i = 0; i < count; i++)
		host[i] = scale * (workload_unit(w) - 0.5f);
	WORKLOAD_CUDA(cudaMemcpy(device, host, count * sizeof *host, cudaMemcpyHostToDevice));
	return device;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("2mm", "E = (A B) D", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), n = (int)workload_value(&w, "n");
	size_t band = (size_t)rows * n, square = (size_t)n * n;
	float *a = WORKLOAD_HOST(float, band), *e = WORKLOAD_HOST(float, band);
	float *b = WORKLOAD_HOST(float, square), *d = WORKLOAD_HOST(float, square);
	float keep_size = sqrtf(12.0f / n); /* products as large as their left factor, on average */
	float *device_a = random_on_device(&w, a, band, 2);
	float *device_b = random_on_device(&w, b, square, keep_size);
	float *device_d = random_on_device(&w, d, square, keep_size);
	float *device_ab = WORKLOAD_DEVICE(float, band), *device_e = WORKLOAD_DEVICE(float, band);
	dim3 cta(COLUMNS_PER_CTA, ROWS_PER_CTA);
	dim3 grid((n + cta.x - 1) / cta.x, (rows + cta.y - 1) / cta.y);

	workload_start(&w);
	multiply<<<grid, cta>>>(device_a, device_b, device_ab, rows, n);
	multiply<<<grid, cta>>>(device_ab, device_d, device_e, rows, n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(e, device_e, band * sizeof *e, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(a, b, d, e, rows, n));
}
