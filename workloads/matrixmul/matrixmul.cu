/* C = A B without shared memory: a thread per element of C walks a row of A and a column of B. */
#include "../common/workload.h"

enum { SIDE = 16, SAMPLES = 65536 };

static struct workload_param param[] = {
	{"n", "rows and columns", 96, 256, 512, 1, 16384},
};

/* A warp shares its rows of A and reads B along rows. Four elements at a time, as compilers of the time unrolled. */
__global__ void multiply(const float *a, const float *b, float *c, int n)
{
	int column = blockIdx.x * blockDim.x + threadIdx.x, row = blockIdx.y * blockDim.y + threadIdx.y;
	if (column >= n || row >= n)
		return;
	float sum = 0;
#pragma unroll 8
	for (int k = 0; k < n; k++)
		sum += a[row * n + k] * b[k * n + column];
	c[row * n + column] = sum;
}

/* All elements of C, or SAMPLES of them evenly spread over a large one. */
static bool right(const float *a, const float *b, const float *c, size_t n)
{
	size_t cells = n * n, samples = cells < SAMPLES ? cells : SAMPLES;
	float *got = WORKLOAD_HOST(float, samples), *want = WORKLOAD_HOST(float, samples);
	for (size_t i = 0; i < samples; i++) {
		size_t cell = i * (cells - 1) / (samples > 1 ? samples - 1 : 1);
		double sum = 0;
		for (size_t k = 0; k < n; k++)
			sum += (double)a[cell / n * n + k] * b[k * n + cell % n];
		want[i] = (float)sum;
		got[i] = c[cell];
	}
	bool same = workload_same_floats("sample of c", got, want, samples, 1e-4);
	free(got);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("matrixmul", "C = A B without shared memory", param, 1, argc, argv);
	int n = (int)workload_value(&w, "n");
	size_t cells = (size_t)n * n, bytes = cells * sizeof(float);
	float *a = WORKLOAD_HOST(float, cells), *b = WORKLOAD_HOST(float, cells), *c = WORKLOAD_HOST(float, cells);
	float *device_a = WORKLOAD_DEVICE(float, cells), *device_b = WORKLOAD_DEVICE(float, cells);
	float *device_c = WORKLOAD_DEVICE(float, cells);
	for (size_t i = 0; i < cells; i++) {
		a[i] = workload_unit(&w);
		b[i] = workload_unit(&w);
	}
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	dim3 threads(SIDE, SIDE), ctas((n + SIDE - 1) / SIDE, (n + SIDE - 1) / SIDE);
	multiply<<<ctas, threads>>>(device_a, device_b, device_c, n);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(c, device_c, bytes, cudaMemcpyDeviceToHost));
	return workload_close(&w, right(a, b, c, n));
}
