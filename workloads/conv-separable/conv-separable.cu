/*
 * Convolution of an image with 17 taps along rows, then along columns. A CTA loads the strip that it makes and a step
 * of halo on both sides into shared memory; each thread makes eight pixels, a CTA's width (or height) apart.
 */
#include "../common/workload.h"

enum { RADIUS = 8, TAPS = 2 * RADIUS + 1, STEPS = 8, ROW_X = 16, ROW_Y = 4, COLUMN_X = 16, COLUMN_Y = 8 };

/* One step of halo has to hold the radius. */
static_assert(ROW_X >= RADIUS && COLUMN_Y >= RADIUS, "halo too small");

static struct workload_param param[] = {
	{"rows", "rows of the image", 128, 1024, 3072, 1, 16384},
	{"columns", "columns of the image", 128, 1024, 3072, 1, 16384},
};

__constant__ float taps[TAPS];

/* Pixels outside are black. */
static __device__ float pixel(const float *in, int y, int x, int rows, int columns)
{
	return y >= 0 && y < rows && x >= 0 && x < columns ? in[y * columns + x] : 0;
}

__global__ void convolve_rows(const float *in, float *out, int rows, int columns)
{
	__shared__ float strip[ROW_Y][(STEPS + 2) * ROW_X];
	int first = (blockIdx.x * STEPS - 1) * ROW_X + threadIdx.x;
	int y = blockIdx.y * ROW_Y + threadIdx.y;
#pragma unroll
	for (int step = 0; step < STEPS + 2; step++)
		strip[threadIdx.y][step * ROW_X + threadIdx.x] = pixel(in, y, first + step * ROW_X, rows, columns);
	__syncthreads();
#pragma unroll
	for (int step = 1; step <= STEPS; step++) {
		float sum = 0;
#pragma unroll
		for (int k = -RADIUS; k <= RADIUS; k++)
			sum += taps[RADIUS - k] * strip[threadIdx.y][step * ROW_X + threadIdx.x + k];
		int x = first + step * ROW_X;
		if (y < rows && x < columns)
			out[y * columns + x] = sum;
	}
}

__global__ void convolve_columns(const float *in, float *out, int rows, int columns)
{
	/* By columns, with one word more so that the rows of a warp fall into different banks. */
	__shared__ float strip[COLUMN_X][(STEPS + 2) * COLUMN_Y + 1];
	int x = blockIdx.x * COLUMN_X + threadIdx.x;
	int first = (blockIdx.y * STEPS - 1) * COLUMN_Y + threadIdx.y;
#pragma unroll
	for (int step = 0; step < STEPS + 2; step++)
		strip[threadIdx.x][step * COLUMN_Y + threadIdx.y] =
			pixel(in, first + step * COLUMN_Y, x, rows, columns);
	__syncthreads();
#pragma unroll
	for (int step = 1; step <= STEPS; step++) {
		float sum = 0;
#pragma unroll
		for (int k = -RADIUS; k <= RADIUS; k++)
			sum += taps[RADIUS - k] * strip[threadIdx.x][step * COLUMN_Y + threadIdx.y + k];
		int y = first + step * COLUMN_Y;
		if (y < rows && x < columns)
			out[y * columns + x] = sum;
	}
}

/* out[i] = sum of tap[RADIUS - k] in[i + k] along one line whose pixels are `stride` apart. */
static void reference_line(const float *in, float *out, size_t length, size_t stride, const float *tap)
{
	for (size_t i = 0; i < length; i++) {
		double sum = 0;
		for (int k = -RADIUS; k <= RADIUS; k++)
			if ((long)i + k >= 0 && (long)i + k < (long)length)
				sum += (double)tap[RADIUS - k] * in[(size_t)((long)i + k) * stride];
		out[i * stride] = (float)sum;
	}
}

static void reference(const float *in, float *out, size_t rows, size_t columns, const float *tap)
{
	float *between = WORKLOAD_HOST(float, rows * columns);
	for (size_t y = 0; y < rows; y++)
		reference_line(in + y * columns, between + y * columns, columns, 1, tap);
	for (size_t x = 0; x < columns; x++)
		reference_line(between + x, out + x, rows, columns, tap);
	free(between);
}

static int divide_up(int value, int unit)
{
	return (value + unit - 1) / unit;
}

static void convolve(const float *in, float *between, float *out, int rows, int columns)
{
	dim3 row_threads(ROW_X, ROW_Y), row_ctas(divide_up(columns, STEPS * ROW_X), divide_up(rows, ROW_Y));
	dim3 column_threads(COLUMN_X, COLUMN_Y);
	dim3 column_ctas(divide_up(columns, COLUMN_X), divide_up(rows, STEPS * COLUMN_Y));
	convolve_rows<<<row_ctas, row_threads>>>(in, between, rows, columns);
	convolve_columns<<<column_ctas, column_threads>>>(between, out, rows, columns);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("conv-separable", "convolution, rows then columns", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	size_t cells = (size_t)rows * columns, bytes = cells * sizeof(float);
	float tap[TAPS];
	float *in = WORKLOAD_HOST(float, cells), *out = WORKLOAD_HOST(float, cells);
	float *want = WORKLOAD_HOST(float, cells);
	float *device_in = WORKLOAD_DEVICE(float, cells), *device_out = WORKLOAD_DEVICE(float, cells);
	float *device_between = WORKLOAD_DEVICE(float, cells);
	for (int k = 0; k < TAPS; k++)
		tap[k] = workload_unit(&w) / TAPS;
	for (size_t i = 0; i < cells; i++)
		in[i] = workload_unit(&w);
	WORKLOAD_CUDA(cudaMemcpyToSymbol(taps, tap, sizeof tap));
	WORKLOAD_CUDA(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));

	workload_start(&w);
	convolve(device_in, device_between, device_out, rows, columns);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
	reference(in, want, rows, columns, tap);
	return workload_close(&w, workload_same_floats("out", out, want, cells, 1e-5));
}
