/*
 * C = alpha A B + beta C. A CTA makes 128 rows and 16 columns of C: each of its threads keeps a row of 16 sums in
 * registers and reads A straight from global memory; only the CTA's 8 x 16 piece of B is in shared memory.
 */
#include "../common/workload.h"

enum { WIDTH = 16, DEPTH = 8, HEIGHT = WIDTH * DEPTH, SAMPLES = 65536 };

static struct workload_param param[] = {
	{"m", "rows of A and C", 128, 512, 1024, 1, 16384},
	{"n", "columns of B and C", 96, 256, 1056, 1, 16384},
	{"k", "columns of A, rows of B", 160, 256, 992, 1, 16384},
};

struct shape {
	int m, n, k;
};

/* A and C lie by columns, B by rows: neighbouring threads are on neighbouring words of each. */
__global__ void multiply(const float *a, const float *b, float *c, struct shape s, float alpha, float beta)
{
	__shared__ float piece[DEPTH][WIDTH];
	int thread = threadIdx.y * WIDTH + threadIdx.x;
	int row = blockIdx.x * HEIGHT + thread, column = blockIdx.y * WIDTH;
	float sum[WIDTH] = {};
	for (int first = 0; first < s.k; first += DEPTH) {
		piece[threadIdx.y][threadIdx.x] = b[(first + threadIdx.y) * s.n + column + threadIdx.x];
		__syncthreads();
#pragma unroll
		for (int i = 0; i < DEPTH; i++) {
			float factor = a[(first + i) * s.m + row];
#pragma unroll
			for (int j = 0; j < WIDTH; j++)
				sum[j] += factor * piece[i][j];
		}
		__syncthreads();
	}
#pragma unroll
	for (int j = 0; j < WIDTH; j++) {
		float *element = &c[(column + j) * s.m + row];
		*element = beta * *element + alpha * sum[j];
	}
}

static int round_up(int value, int unit)
{
	return (value + unit - 1) / unit * unit;
}

static void fill(struct workload *w, float *matrix, size_t lines, size_t length, size_t pitch)
{
	for (size_t i = 0; i < lines; i++)
		for (size_t j = 0; j < length; j++)
			matrix[i * pitch + j] = workload_unit(w);
}

/* All elements of C, or SAMPLES of them evenly spread over a large one. */
static bool right(const float *a, const float *b, const float *before, const float *after, struct shape used,
                  struct shape s, float alpha, float beta)
{
	size_t cells = (size_t)used.m * used.n, samples = cells < SAMPLES ? cells : SAMPLES;
	float *got = WORKLOAD_HOST(float, samples), *want = WORKLOAD_HOST(float, samples);
	for (size_t i = 0; i < samples; i++) {
		size_t cell = i * (cells - 1) / (samples > 1 ? samples - 1 : 1);
		size_t row = cell % used.m, column = cell / used.m;
		double sum = 0;
		for (int k = 0; k < used.k; k++)
			sum += (double)a[(size_t)k * s.m + row] * b[(size_t)k * s.n + column];
		want[i] = (float)(alpha * sum + beta * before[column * s.m + row]);
		got[i] = after[column * s.m + row];
	}
	bool same = workload_same_floats("sample of c", got, want, samples, 1e-4);
	free(got);
	free(want);
	return same;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("sgemm", "C = alpha A B + beta C", param, 3, argc, argv);
	struct shape used = {(int)workload_value(&w, "m"), (int)workload_value(&w, "n"), (int)workload_value(&w, "k")};
	/* What tiles hold beyond the matrices is zero. */
	struct shape s = {round_up(used.m, HEIGHT), round_up(used.n, WIDTH), round_up(used.k, DEPTH)};
	size_t cells_a = (size_t)s.m * s.k, cells_b = (size_t)s.k * s.n, cells_c = (size_t)s.m * s.n;
	float alpha = 1.5f, beta = 0.5f;
	float *a = WORKLOAD_HOST(float, cells_a), *b = WORKLOAD_HOST(float, cells_b);
	float *c = WORKLOAD_HOST(float, cells_c), *after = WORKLOAD_HOST(float, cells_c);
	float *device_a = WORKLOAD_DEVICE(float, cells_a), *device_b = WORKLOAD_DEVICE(float, cells_b);
	float *device_c = WORKLOAD_DEVICE(float, cells_c);
	fill(&w, a, used.k, used.m, s.m);
	fill(&w, b, used.k, used.n, s.n);
	fill(&w, c, used.n, used.m, s.m);
	WORKLOAD_CUDA(cudaMemcpy(device_a, a, cells_a * sizeof *a, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_b, b, cells_b * sizeof *b, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_c, c, cells_c * sizeof *c, cudaMemcpyHostToDevice));

	workload_start(&w);
	dim3 threads(WIDTH, DEPTH), ctas(s.m / HEIGHT, s.n / WIDTH);
	multiply<<<ctas, threads>>>(device_a, device_b, device_c, s, alpha, beta);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(after, device_c, cells_c * sizeof *c, cudaMemcpyDeviceToHost));
	return workload_close(&w, right(a, b, c, after, used, s, alpha, beta));
}
