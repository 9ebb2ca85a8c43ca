/*
 * Layer normalisation: y = (x - mean) / sqrt(variance + epsilon) * gain + bias, of each row. A CTA has a row and keeps it
 * in registers; mean and variance go through shuffles and shared memory.
 */
#include "../common/workload.h"

enum { THREADS = 256, WARPS = THREADS / 32, PIECES = 4, COLUMNS_MOST = THREADS * 4 * PIECES };
#define EPSILON 1e-5f

static struct workload_param param[] = {
	{"rows", "tokens", 128, 4096, 16384, 1, 1 << 20},
	{"columns", "elements of a row, rounded up to 4", 256, 1024, 4096, 1, COLUMNS_MOST},
};

/* The sum over the CTA, in all threads. */
static __device__ float sum_of_cta(float x, float *shared)
{
	for (int distance = 16; distance; distance /= 2)
		x += __shfl_xor_sync(0xffffffffu, x, distance);
	__syncthreads(); /* an earlier sum has been read */
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = x;
	__syncthreads();
	x = 0;
	for (int i = 0; i < WARPS; i++)
		x += shared[i];
	return x;
}

__global__ void __launch_bounds__(THREADS) normalise(const float4 *x, const float4 *gain, const float4 *bias, float4 *y,
                                                     int quads)
{
	__shared__ float shared[WARPS];
	float4 own[PIECES];
	float sum = 0, square = 0;
	x += (size_t)blockIdx.x * quads, y += (size_t)blockIdx.x * quads;
#pragma unroll
	for (int p = 0; p < PIECES; p++) {
		int i = threadIdx.x + p * THREADS;
		own[p] = i < quads ? x[i] : make_float4(0, 0, 0, 0);
		sum += own[p].x + own[p].y + own[p].z + own[p].w;
	}
	float mean = sum_of_cta(sum, shared) / (quads * 4);
#pragma unroll
	for (int p = 0; p < PIECES; p++)
		if (threadIdx.x + p * THREADS < quads) {
			float a = own[p].x - mean, b = own[p].y - mean, c = own[p].z - mean, d = own[p].w - mean;
			square += a * a + b * b + c * c + d * d;
		}
	float scale = rsqrtf(sum_of_cta(square, shared) / (quads * 4) + EPSILON);
#pragma unroll
	for (int p = 0; p < PIECES; p++) {
		int i = threadIdx.x + p * THREADS;
		if (i >= quads)
			break;
		float4 g = gain[i], b = bias[i];
		y[i] = make_float4((own[p].x - mean) * scale * g.x + b.x, (own[p].y - mean) * scale * g.y + b.y,
		                   (own[p].z - mean) * scale * g.z + b.z, (own[p].w - mean) * scale * g.w + b.w);
	}
}

static void reference(const float *x, const float *gain, const float *bias, float *y, size_t n)
{
	double mean = 0, square = 0;
	for (size_t i = 0; i < n; i++)
		mean += x[i];
	mean /= (double)n;
	for (size_t i = 0; i < n; i++)
		square += (x[i] - mean) * (x[i] - mean);
	double scale = 1 / sqrt(square / (double)n + EPSILON);
	for (size_t i = 0; i < n; i++)
		y[i] = (float)((x[i] - mean) * scale * gain[i] + bias[i]);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("layer-norm", "layer normalisation of rows", param, 2, argc, argv);
	size_t rows = workload_value(&w, "rows"), columns = (workload_value(&w, "columns") + 3) / 4 * 4;
	size_t cells = rows * columns;
	float *x = WORKLOAD_HOST(float, cells), *gain = WORKLOAD_HOST(float, columns), *bias = WORKLOAD_HOST(float, columns);
	float *y = WORKLOAD_HOST(float, cells), *want = WORKLOAD_HOST(float, cells);
	float *device_x = workload_random_floats(&w, x, cells), *device_gain = workload_random_floats(&w, gain, columns);
	float *device_bias = workload_random_floats(&w, bias, columns), *device_y = WORKLOAD_DEVICE(float, cells);

	workload_start(&w);
	normalise<<<(unsigned)rows, THREADS>>>((const float4 *)device_x, (const float4 *)device_gain,
	                                       (const float4 *)device_bias, (float4 *)device_y, (int)(columns / 4));
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, cells * sizeof *y, cudaMemcpyDeviceToHost));
	for (size_t row = 0; row < rows; row++)
		reference(x + row * columns, gain, bias, want + row * columns, columns);
	return workload_close(&w, workload_same_floats("y", y, want, cells, 1e-4));
}
