/*
 * A = Q R by the modified Gram-Schmidt method, three kernels per column of A: its length (one thread), its
 * direction (one thread per row), and its part in the columns to the right (one thread per column).
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"rows", "rows of A", 64, 256, 2048, 1, 8192},
	{"columns", "columns of A", 64, 256, 512, 1, 8192},
	{"steps", "columns that are removed from those to their right, rows at most; 0: all", 0, 0, 0, 0, 8192},
};

__global__ void find_length(const float *a, float *r, int k, int rows, int columns)
{
	if (blockIdx.x * blockDim.x + threadIdx.x)
		return;
	float square = 0;
#pragma unroll 1
	for (int i = 0; i < rows; i++)
		square += a[i * columns + k] * a[i * columns + k];
	r[k * columns + k] = sqrtf(square);
}

/* Down a column: neighbouring threads are a row apart. */
__global__ void find_direction(const float *a, const float *r, float *q, int k, int rows, int columns)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < rows)
		q[i * columns + k] = a[i * columns + k] / r[k * columns + k];
}

/* q is one address per warp, in another line at each step; a and r are read along their lines. */
__global__ void remove_direction(float *a, float *r, const float *q, int k, int rows, int columns)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j <= k || j >= columns)
		return;
	r[k * columns + j] = 0;
#pragma unroll 1
	for (int i = 0; i < rows; i++)
		r[k * columns + j] += q[i * columns + k] * a[i * columns + j];
#pragma unroll 1
	for (int i = 0; i < rows; i++)
		a[i * columns + j] -= q[i * columns + k] * r[k * columns + j];
}

/* Another way to the same rows of R: of the Cholesky factor of A^T A, in place of its upper triangle. */
static void reference_r(const float *a, double *r, size_t rows, size_t columns, size_t steps)
{
	for (size_t i = 0; i < rows; i++)
		for (size_t k = 0; k < steps; k++)
			for (size_t j = k; j < columns; j++)
				r[k * columns + j] += (double)a[i * columns + k] * a[i * columns + j];
	for (size_t k = 0; k < steps; k++) {
		double *pivot = r + k * columns, root = sqrt(pivot[k]);
		for (size_t j = k; j < columns; j++)
			pivot[j] /= root;
		for (size_t i = k + 1; i < steps; i++)
			for (size_t j = i; j < columns; j++)
				r[i * columns + j] -= pivot[i] * pivot[j];
	}
}

/* The row of Q, as far as it is known, that makes q R the row of A. */
static void reference_q(const float *a, const double *r, double *rest, float *q, size_t columns, size_t steps)
{
	for (size_t j = 0; j < steps; j++)
		rest[j] = a[j];
	for (size_t k = 0; k < steps; k++) {
		double direction = rest[k] / r[k * columns + k];
		for (size_t j = k; j < steps; j++)
			rest[j] -= direction * r[k * columns + j];
		q[k] = (float)direction;
	}
}

static bool check(const float *a, const float *q, const float *r, size_t rows, size_t columns, size_t steps)
{
	double *want_r = WORKLOAD_HOST(double, steps * columns), *rest = WORKLOAD_HOST(double, steps);
	float *want = WORKLOAD_HOST(float, columns);
	bool same = true;
	reference_r(a, want_r, rows, columns, steps);
	for (size_t k = 0; same && k < steps; k++) {
		for (size_t j = 0; j < columns; j++)
			want[j] = j < k ? 0 : (float)want_r[k * columns + j];
		same = workload_same_floats("row of R", r + k * columns, want, columns, 1e-4);
	}
	for (size_t i = 0; same && i < rows; i++) {
		reference_q(a + i * columns, want_r, rest, want, columns, steps);
		same = workload_same_floats("row of Q", q + i * columns, want, steps, 1e-4);
	}
	free(want_r);
	free(rest);
	free(want);
	return same;
}

/* The diagonal keeps the columns far from dependent at every size, so that rounding stays small. */
static void fill(struct workload *w, float *a, int rows, int columns)
{
	for (int i = 0; i < rows; i++)
		for (int j = 0; j < columns; j++)
			a[(size_t)i * columns + j] = workload_unit(w) - 0.5f + (i == j ? sqrtf((float)rows) : 0);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gramschmidt", "A = Q R by Gram-Schmidt", param, 3, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	int steps = (int)workload_value(&w, "steps") ? (int)workload_value(&w, "steps") : columns;
	if (steps > rows || steps > columns) {
		fprintf(stderr, "gramschmidt: %d steps are more than %d rows or %d columns\n", steps, rows, columns);
		return WORKLOAD_BAD_INPUT;
	}
	size_t cells = (size_t)rows * columns, square = (size_t)columns * columns;
	float *a = WORKLOAD_HOST(float, cells), *q = WORKLOAD_HOST(float, cells), *r = WORKLOAD_HOST(float, square);
	float *device_a = WORKLOAD_DEVICE(float, cells), *device_q = WORKLOAD_DEVICE(float, cells);
	float *device_r = WORKLOAD_DEVICE(float, square);
	fill(&w, a, rows, columns);
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(device_r, 0, square * sizeof *r));
	int row_ctas = (rows + THREADS - 1) / THREADS, column_ctas = (columns + THREADS - 1) / THREADS;

	workload_start(&w);
	for (int k = 0; k < steps; k++) {
		find_length<<<1, THREADS>>>(device_a, device_r, k, rows, columns);
		find_direction<<<row_ctas, THREADS>>>(device_a, device_r, device_q, k, rows, columns);
		remove_direction<<<column_ctas, THREADS>>>(device_a, device_r, device_q, k, rows, columns);
	}
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(q, device_q, cells * sizeof *q, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(r, device_r, square * sizeof *r, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(a, q, r, rows, columns, steps));
}
