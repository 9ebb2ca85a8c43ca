/*
 * Bias and GELU, as between the two products of a transformer's feed-forward layer: y = gelu(x + bias) in half precision,
 * eight elements of a row per thread, by the formula with tanh.
 */
#include "../common/tensor.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"rows", "tokens", 64, 1024, 8192, 1, 1 << 20},
	{"columns", "elements of a row, rounded up to 8", 512, 4096, 4096, 1, 1 << 16},
};

static __device__ __forceinline__ float gelu(float x)
{
	return 0.5f * x * (1 + tanhf(0.7978845608f * (x + 0.044715f * x * x * x)));
}

__global__ void __launch_bounds__(THREADS) activate(const uint4 *x, const uint4 *bias, uint4 *y, int pieces, int row_pieces)
{
	int i = blockIdx.x * THREADS + threadIdx.x;
	if (i >= pieces)
		return;
	uint4 in = x[i], add = bias[i % row_pieces], out;
	#pragma unroll
	for (int j = 0; j < 4; j++) {
		float2 a = __half22float2(((const half2 *)&in)[j]), b = __half22float2(((const half2 *)&add)[j]);
		((half2 *)&out)[j] = __floats2half2_rn(gelu(a.x + b.x), gelu(a.y + b.y));
	}
	y[i] = out;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("gelu", "bias and GELU in half precision", param, 2, argc, argv);
	size_t rows = workload_value(&w, "rows"), columns = tensor_round_up(workload_value(&w, "columns"), 8);
	size_t cells = rows * columns, pieces = cells / 8;
	if (pieces > INT32_MAX)
		workload_no_memory("index", "rows x columns", rows, columns);
	float *x = WORKLOAD_HOST(float, cells), *bias = WORKLOAD_HOST(float, columns);
	half *device_x = tensor_random(&w, x, cells), *device_bias = tensor_random(&w, bias, columns);
	half *device_y = WORKLOAD_DEVICE(half, cells);

	workload_start(&w);
	activate<<<(unsigned)((pieces + THREADS - 1) / THREADS), THREADS>>>(
	    (const uint4 *)device_x, (const uint4 *)device_bias, (uint4 *)device_y, (int)pieces, (int)(columns / 8));
	workload_stop(&w);

	float *y = tensor_read_halves(device_y, cells);
	for (size_t i = 0; i < cells; i++) {
		double in = (double)x[i] + bias[i % columns];
		x[i] = (float)(0.5 * in * (1 + tanh(0.7978845608 * (in + 0.044715 * in * in * in))));
	}
	return workload_close(&w, workload_same_floats("y", y, x, cells, 1e-3));
}
