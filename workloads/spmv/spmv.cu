/*
 * y = A x, A sparse by rows (CSR). A thread walks the nonzeros of one row, so the lanes of a warp walk 32 places of the
 * value and column arrays side by side and gather from x.
 */
#include "../common/workload.h"

enum { THREADS = 128 };

static struct workload_param param[] = {
	{"rows", "rows and columns of A", 1024, 8192, 16384, 1, 1 << 20},
	{"nonzeros", "nonzeros of a row, on average", 64, 164, 164, 1, 1024},
};

struct matrix {
	int rows;
	int *start, *column; /* the nonzeros of row i: start[i] to start[i + 1] - 1 */
	float *value;
};

__global__ void multiply(struct matrix a, const float *x, float *y)
{
	int row = blockIdx.x * blockDim.x + threadIdx.x;
	if (row >= a.rows)
		return;
	float sum = 0;
	int end = a.start[row + 1];
#pragma unroll 1
	for (int i = a.start[row]; i < end; i++)
		sum += a.value[i] * x[a.column[i]];
	y[row] = sum;
}

/* Nonzeros anywhere in a row, in order: equally likely distances give about `average`, and never twice as many. */
static struct matrix make_matrix(struct workload *w, int rows, int average)
{
	size_t most = (size_t)rows * 2 * (size_t)average;
	struct matrix a = {rows, WORKLOAD_HOST(int, (size_t)rows + 1), WORKLOAD_HOST(int, most),
	                   WORKLOAD_HOST(float, most)};
	uint32_t distance = rows > average ? (uint32_t)(rows / average) : 1;
	for (int row = 0, count = 0; row < rows; row++) {
		uint32_t column = workload_below(w, distance);
		for (int i = 0; i < 2 * average && column < (uint32_t)rows; i++, count++) {
			a.column[count] = (int)column;
			a.value[count] = workload_unit(w) - 0.5f;
			column += 1 + workload_below(w, 2 * distance - 1);
		}
		a.start[row + 1] = count;
	}
	return a;
}

static void reference(const struct matrix *a, const float *x, float *y)
{
	for (int row = 0; row < a->rows; row++) {
		double sum = 0;
		for (int i = a->start[row]; i < a->start[row + 1]; i++)
			sum += (double)a->value[i] * x[a->column[i]];
		y[row] = (float)sum;
	}
}

static struct matrix to_device(const struct matrix *a)
{
	size_t starts = (size_t)a->rows + 1, nonzeros = (size_t)a->start[a->rows];
	struct matrix d = {a->rows, WORKLOAD_DEVICE(int, starts), WORKLOAD_DEVICE(int, nonzeros),
	                   WORKLOAD_DEVICE(float, nonzeros)};
	WORKLOAD_CUDA(cudaMemcpy(d.start, a->start, starts * sizeof(int), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.column, a->column, nonzeros * sizeof(int), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.value, a->value, nonzeros * sizeof(float), cudaMemcpyHostToDevice));
	return d;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("spmv", "sparse matrix times vector (CSR)", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), average = (int)workload_value(&w, "nonzeros");
	/* An int holds every place. */
	if ((long long)rows * 2 * average > INT32_MAX) {
		fprintf(stderr, "spmv: %d rows of up to %d nonzeros are too many\n", rows, 2 * average);
		return WORKLOAD_BAD_INPUT;
	}
	struct matrix a = make_matrix(&w, rows, average);
	float *x = WORKLOAD_HOST(float, rows), *y = WORKLOAD_HOST(float, rows), *want = WORKLOAD_HOST(float, rows);
	for (int i = 0; i < rows; i++)
		x[i] = workload_unit(&w);
	struct matrix device_a = to_device(&a);
	float *device_x = WORKLOAD_DEVICE(float, rows), *device_y = WORKLOAD_DEVICE(float, rows);
	WORKLOAD_CUDA(cudaMemcpy(device_x, x, rows * sizeof *x, cudaMemcpyHostToDevice));

	workload_start(&w);
	multiply<<<(rows + THREADS - 1) / THREADS, THREADS>>>(device_a, device_x, device_y);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, rows * sizeof *y, cudaMemcpyDeviceToHost));
	reference(&a, x, want);
	return workload_close(&w, workload_same_floats("y", y, want, rows, 1e-4));
}
