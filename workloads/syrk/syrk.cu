/*
 * C = alpha A A^T + beta C, all of C though it is symmetric. One thread per element of C, warps along
 * its rows, the sum in memory: lane l of a warp walks row j + l of A.
 */
#include "../common/workload.h"

enum { COLUMNS_PER_CTA = 32, ROWS_PER_CTA = 8 };

/* The host checks every element as long as this many products suffice, and evenly spread ones beyond. */
static const size_t CHECKED_PRODUCTS = 1u << 28;
static const float ALPHA = 1.25f, BETA = 0.75f;

static struct workload_param param[] = {
	{"n", "rows of A, rows and columns of C", 64, 128, 256, 1, 8192},
	{"depth", "columns of A", 96, 256, 256, 1, 8192},
	{"band", "rows of C that are computed, n at most", 64, 128, 256, 1, 8192},
};

/* A[i] is one address per warp; A[j] is 32 lines, a row apart. */
__global__ void rank_k_update(const float *a, float *c, int band, int n, int depth, float alpha, float beta)
{
	int i = blockIdx.y * blockDim.y + threadIdx.y, j = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= band || j >= n)
		return;
	c[i * n + j] *= beta;
#pragma unroll 1
	for (int k = 0; k < depth; k++)
		c[i * n + j] += alpha * a[i * depth + k] * a[j * depth + k];
}

static double dot(const float *u, const float *v, size_t count)
{
	double sum = 0;
	for (size_t k = 0; k < count; k++)
		sum += (double)u[k] * v[k];
	return sum;
}

static bool check(const float *a, const float *c, const float *got, size_t band, size_t n, size_t depth)
{
	size_t cells = band * n, affordable = CHECKED_PRODUCTS / depth;
	size_t step = ((cells + affordable - 1) / affordable) | 1; /* odd: every column's turn comes */
	for (size_t cell = 0; cell < cells; cell += cells > affordable ? step : 1) {
		float want = (float)(BETA * c[cell] + ALPHA * dot(a + cell / n * depth, a + cell % n * depth, depth));
		if (!workload_same_floats("element of C", got + cell, &want, 1, 1e-3))
			return false;
	}
	return true;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("syrk", "C = alpha A A^T + beta C", param, 3, argc, argv);
	int n = (int)workload_value(&w, "n"), depth = (int)workload_value(&w, "depth");
	int band = (int)workload_value(&w, "band");
	if (band > n)
		band = n;
	size_t cells_a = (size_t)n * depth, cells_c = (size_t)n * n, cells_band = (size_t)band * n;
	float *a = WORKLOAD_HOST(float, cells_a), *c = WORKLOAD_HOST(float, cells_c);
	float *got = WORKLOAD_HOST(float, cells_band);
	float *device_a = workload_random_floats(&w, a, cells_a), *device_c = workload_random_floats(&w, c, cells_c);
	dim3 cta(COLUMNS_PER_CTA, ROWS_PER_CTA);
	dim3 grid((n + cta.x - 1) / cta.x, (band + cta.y - 1) / cta.y);

	workload_start(&w);
	rank_k_update<<<grid, cta>>>(device_a, device_c, band, n, depth, ALPHA, BETA);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(got, device_c, cells_band * sizeof *got, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(a, c, got, band, n, depth));
}
