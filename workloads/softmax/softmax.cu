/*
 * Softmax of rows in one pass over memory for the maximum and the sum together, and a second one for the result. A CTA
 * has a row; each thread carries the maximum so far and a sum that it rescales when the maximum grows.
 */
#include "../common/workload.h"

enum { THREADS = 256, WARPS = THREADS / 32 };

static struct workload_param param[] = {
	{"rows", "rows", 64, 1024, 4096, 1, 1 << 20},
	{"columns", "elements of a row", 500, 4000, 32000, 1, 1 << 20},
};

struct sum {
	float most, total; /* of exp(x - most) */
};

static __device__ __forceinline__ struct sum merge(struct sum a, struct sum b)
{
	struct sum both = {fmaxf(a.most, b.most), 0};
	if (both.most > -INFINITY)
		both.total = a.total * __expf(a.most - both.most) + b.total * __expf(b.most - both.most);
	return both;
}

static __device__ struct sum merge_cta(struct sum own, struct sum *shared)
{
	for (int distance = 16; distance; distance /= 2) {
		struct sum other = {__shfl_xor_sync(0xffffffffu, own.most, distance),
		                    __shfl_xor_sync(0xffffffffu, own.total, distance)};
		own = merge(own, other);
	}
	if (threadIdx.x % 32 == 0)
		shared[threadIdx.x / 32] = own;
	__syncthreads();
	own = shared[0];
	for (int i = 1; i < WARPS; i++)
		own = merge(own, shared[i]);
	return own;
}

__global__ void __launch_bounds__(THREADS) softmax(const float *x, float *y, int columns)
{
	__shared__ struct sum shared[WARPS];
	struct sum own = {-INFINITY, 0};
	x += (size_t)blockIdx.x * columns, y += (size_t)blockIdx.x * columns;
	#pragma unroll 4
	for (int i = threadIdx.x; i < columns; i += THREADS) {
		float value = x[i];
		if (value > own.most) {
			own.total *= __expf(own.most - value);
			own.most = value;
		}
		own.total += __expf(value - own.most);
	}
	own = merge_cta(own, shared);
	float share = 1 / own.total;
	#pragma unroll 4
	for (int i = threadIdx.x; i < columns; i += THREADS)
		y[i] = __expf(x[i] - own.most) * share;
}

static void reference(const float *x, float *y, size_t n)
{
	double most = -INFINITY, sum = 0;
	for (size_t i = 0; i < n; i++)
		most = x[i] > most ? x[i] : most;
	for (size_t i = 0; i < n; i++)
		sum += exp(x[i] - most);
	for (size_t i = 0; i < n; i++)
		y[i] = (float)(exp(x[i] - most) / sum);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("softmax", "softmax of rows", param, 2, argc, argv);
	size_t rows = workload_value(&w, "rows"), columns = workload_value(&w, "columns"), cells = rows * columns;
	float *x = WORKLOAD_HOST(float, cells), *y = WORKLOAD_HOST(float, cells), *want = WORKLOAD_HOST(float, cells);
	float *device_x = WORKLOAD_DEVICE(float, cells), *device_y = WORKLOAD_DEVICE(float, cells);
	for (size_t i = 0; i < cells; i++)
		x[i] = 16 * workload_unit(&w) - 8;
	WORKLOAD_CUDA(cudaMemcpy(device_x, x, cells * sizeof *x, cudaMemcpyHostToDevice));

	workload_start(&w);
	softmax<<<(unsigned)rows, THREADS>>>(device_x, device_y, (int)columns);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, cells * sizeof *y, cudaMemcpyDeviceToHost));
	for (size_t row = 0; row < rows; row++)
		reference(x + row * columns, want + row * columns, columns);
	for (size_t i = 0; i < cells; i++) { /* relative, though all are below 1 */
		y[i] /= want[i];
		want[i] = 1;
	}
	return workload_close(&w, workload_same_floats("y", y, want, cells, 1e-4));
}
