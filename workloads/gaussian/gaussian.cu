/*
 * Solves A x = b by Gaussian elimination without pivoting: per column one kernel for the multipliers (a thread per row)
 * and one for the update (a thread per element, CTAs of 4 x 4); back substitution on the host.
 */
#include "../common/workload.h"

enum { ROW_THREADS = 512, TILE = 4 };

static struct workload_param param[] = {
	{"n", "rows and columns of A", 48, 128, 208, 2, 8192},
};

/* m[row][step]: how often the pivot row is taken from a row below it. */
__global__ void multipliers(float *m, const float *a, int n, int step)
{
	int row = step + 1 + blockIdx.x * ROW_THREADS + threadIdx.x;
	if (row >= n)
		return;
	m[row * n + step] = a[row * n + step] / a[step * n + step];
}

/* Neighbouring threads are a row apart, as in the original. The grid covers A in every step: CTAs past its end exit. */
__global__ void update(const float *m, float *a, float *b, int n, int step)
{
	int row = step + 1 + blockIdx.x * TILE + threadIdx.x;
	int column = step + blockIdx.y * TILE + threadIdx.y;
	if (row >= n || column >= n)
		return;
	a[row * n + column] -= m[row * n + step] * a[step * n + column];
	if (column == step)
		b[row] -= m[row * n + step] * b[step];
}

static void eliminate(float *m, float *a, float *b, int n)
{
	dim3 tile(TILE, TILE), tiles((n + TILE - 1) / TILE, (n + TILE - 1) / TILE);
	for (int step = 0; step < n - 1; step++) {
		multipliers<<<(n + ROW_THREADS - 1) / ROW_THREADS, ROW_THREADS>>>(m, a, n, step);
		update<<<tiles, tile>>>(m, a, b, n, step);
	}
}

/* Solves the upper triangle that elimination left. */
static void substitute_back(const float *a, const float *b, float *x, int n)
{
	for (int i = n - 1; i >= 0; i--) {
		double sum = b[i];
		for (int j = i + 1; j < n; j++)
			sum -= (double)a[(size_t)i * n + j] * x[j];
		x[i] = (float)(sum / a[(size_t)i * n + i]);
	}
}

/* A diagonal that outweighs its row needs no pivoting. b comes from a known x, which elimination has to find again. */
static void make_system(struct workload *w, float *a, float *b, float *x, int n)
{
	for (int i = 0; i < n; i++)
		x[i] = workload_unit(w);
	for (int i = 0; i < n; i++) {
		double sum = 0;
		for (int j = 0; j < n; j++) {
			float *element = &a[(size_t)i * n + j];
			*element = workload_unit(w) + (i == j ? (float)n : 0);
			sum += (double)*element * x[j];
		}
		b[i] = (float)sum;
	}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gaussian", "A x = b by Gaussian elimination", param, 1, argc, argv);
	int n = (int)workload_value(&w, "n");
	size_t cells = (size_t)n * n;
	float *a = WORKLOAD_HOST(float, cells), *b = WORKLOAD_HOST(float, n);
	float *x = WORKLOAD_HOST(float, n), *want = WORKLOAD_HOST(float, n);
	float *device_a = WORKLOAD_DEVICE(float, cells), *device_m = WORKLOAD_DEVICE(float, cells);
	float *device_b = WORKLOAD_DEVICE(float, n);
	make_system(&w, a, b, want, n);
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, n * sizeof *b, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(device_m, 0, cells * sizeof(float)));

	workload_start(&w);
	eliminate(device_m, device_a, device_b, n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(a, device_a, cells * sizeof *a, cudaMemcpyDeviceToHost));
	WORKLOAD_CUDA(cudaMemcpy(b, device_b, n * sizeof *b, cudaMemcpyDeviceToHost));
	substitute_back(a, b, x, n);
	return workload_close(&w, workload_same_floats("x", x, want, n, 1e-3));
}
