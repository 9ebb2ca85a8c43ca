/* 3 x 3 convolution of an image: a thread per pixel reads its nine neighbours from global memory. */
#include "../common/workload.h"

enum { THREADS_X = 32, THREADS_Y = 8 };

static struct workload_param param[] = {
	{"rows", "rows of the image", 256, 1536, 4096, 3, 16384},
	{"columns", "columns of the image", 256, 1536, 4096, 3, 16384},
};

/* The mask, row by row. Macros, so that the taps are part of the instructions. */
#define TAP_NW 0.2f
#define TAP_N -0.3f
#define TAP_NE 0.4f
#define TAP_W 0.5f
#define TAP_MID 0.6f
#define TAP_E 0.7f
#define TAP_SW -0.8f
#define TAP_S -0.9f
#define TAP_SE 0.1f

/* The outermost pixels have no result. */
__global__ void convolve(const float *in, float *out, int rows, int columns)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
	if (i < 1 || i >= rows - 1 || j < 1 || j >= columns - 1)
		return;
	out[i * columns + j] = TAP_NW * in[(i - 1) * columns + (j - 1)] + TAP_N * in[(i - 1) * columns + j] +
	                       TAP_NE * in[(i - 1) * columns + (j + 1)] + TAP_W * in[i * columns + (j - 1)] +
	                       TAP_MID * in[i * columns + j] + TAP_E * in[i * columns + (j + 1)] +
	                       TAP_SW * in[(i + 1) * columns + (j - 1)] + TAP_S * in[(i + 1) * columns + j] +
	                       TAP_SE * in[(i + 1) * columns + (j + 1)];
}

static void reference(const float *in, float *out, int rows, int columns)
{
	const float mask[3][3] = {{TAP_NW, TAP_N, TAP_NE}, {TAP_W, TAP_MID, TAP_E}, {TAP_SW, TAP_S, TAP_SE}};
	for (int i = 1; i < rows - 1; i++)
		for (int j = 1; j < columns - 1; j++) {
			double sum = 0;
			for (int y = 0; y < 3; y++)
				for (int x = 0; x < 3; x++)
					sum += (double)mask[y][x] * in[(size_t)(i + y - 1) * columns + j + x - 1];
			out[(size_t)i * columns + j] = (float)sum;
		}
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("2dconv", "3 x 3 convolution of an image", param, 2, argc, argv);
	int rows = (int)workload_value(&w, "rows"), columns = (int)workload_value(&w, "columns");
	size_t cells = (size_t)rows * columns, bytes = cells * sizeof(float);
	float *in = WORKLOAD_HOST(float, cells), *out = WORKLOAD_HOST(float, cells);
	float *want = WORKLOAD_HOST(float, cells);
	float *device_in = WORKLOAD_DEVICE(float, cells), *device_out = WORKLOAD_DEVICE(float, cells);
	for (size_t i = 0; i < cells; i++)
		in[i] = workload_unit(&w);
	WORKLOAD_CUDA(cudaMemcpy(device_in, in, bytes, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemset(device_out, 0, bytes));

	workload_start(&w);
	dim3 threads(THREADS_X, THREADS_Y);
	dim3 ctas((columns + THREADS_X - 1) / THREADS_X, (rows + THREADS_Y - 1) / THREADS_Y);
	convolve<<<ctas, threads>>>(device_in, device_out, rows, columns);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(out, device_out, bytes, cudaMemcpyDeviceToHost));
	reference(in, want, rows, columns);
	return workload_close(&w, workload_same_floats("out", out, want, cells, 1e-5));
}
