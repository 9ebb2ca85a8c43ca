/*
 * A convolution of 3 x 3 on tensor cores as a product of matrices that is never laid out: a row is a pixel of the result,
 * a column a filter, the depth 9 x channels. Images and filters are in half precision, channels last; pieces of a row
 * come by asynchronous copies from where the filter's tap finds them, zeros from outside the image.
 */
#include "../common/tensor.h"

enum { TILE = 64, DEPTH = 32, THREADS = 128, PITCH = DEPTH + 8, TAPS = 9 };

static struct workload_param param[] = {
	{"images", "images", 1, 8, 32, 1, 256},
	{"side", "rows and columns of an image", 8, 28, 56, 1, 512},
	{"channels", "channels, rounded up to 32", 32, 128, 128, 1, 2048},
	{"filters", "filters, rounded up to 64", 64, 128, 128, 1, 2048},
};

struct image {
	int count, side, channels, filters;
};

/* The part of the two matrices at one tap and 32 channels: 256 pieces of 16 bytes each. */
static __device__ __forceinline__ void fetch(half *rows, half *columns, const half *x, const half *filter, struct image s,
                                             int step)
{
	int chunks = s.channels / DEPTH, tap = step / chunks, channel = step % chunks * DEPTH;
	int pixels = s.count * s.side * s.side;
	#pragma unroll
	for (int p = 0; p < TILE * DEPTH / 8 / THREADS; p++) {
		int i = threadIdx.x + p * THREADS;
		int row = i / (DEPTH / 8), piece = i % (DEPTH / 8) * 8, pixel = blockIdx.x * TILE + row;
		int column = pixel % s.side + tap % 3 - 1, line = pixel / s.side % s.side + tap / 3 - 1;
		bool inside = pixel < pixels && column >= 0 && column < s.side && line >= 0 && line < s.side;
		size_t from = (size_t)pixel + (tap / 3 - 1) * s.side + tap % 3 - 1;
		copy_async_if(rows + row * PITCH + piece, inside ? x + from * s.channels + channel + piece : x, inside);
		copy_async(columns + row * PITCH + piece,
		           filter + ((size_t)(blockIdx.y * TILE + row) * TAPS + tap) * s.channels + channel + piece);
	}
}

/* A warp's 32 x 32 of the tile. */
static __device__ __forceinline__ void multiply_tiles(float (*sum)[4][4], const half *rows, const half *columns)
{
	int lane = threadIdx.x % 32;
	#pragma unroll
	for (int depth = 0; depth < DEPTH; depth += 16) {
		uint32_t a[2][4], b[2][4];
		#pragma unroll
		for (int i = 0; i < 2; i++) {
			tensor_load(a[i], rows + (i * 16 + lane % 16) * PITCH + depth + lane / 16 * 8);
			tensor_load(b[i], columns + (i * 16 + lane % 8 + lane / 16 * 8) * PITCH + depth + lane / 8 % 2 * 8);
		}
		#pragma unroll
		for (int i = 0; i < 2; i++)
			#pragma unroll
			for (int j = 0; j < 4; j++)
				tensor_multiply(sum[i][j], a[i], b[j / 2][j % 2 * 2], b[j / 2][j % 2 * 2 + 1]);
	}
}

__global__ void __launch_bounds__(THREADS) convolve(const half *x, const half *filter, float *y, struct image s)
{
	__shared__ __align__(16) half rows[2][TILE * PITCH], columns[2][TILE * PITCH];
	int warp = threadIdx.x / 32, lane = threadIdx.x % 32, steps = TAPS * s.channels / DEPTH;
	int row = warp / 2 * 32, column = warp % 2 * 32, pixels = s.count * s.side * s.side;
	float sum[2][4][4] = {};
	fetch(rows[0], columns[0], x, filter, s, 0);
	copy_async_commit();
	for (int step = 0; step < steps; step++) {
		copy_async_wait<0>();
		__syncthreads();
		if (step + 1 < steps)
			fetch(rows[(step + 1) % 2], columns[(step + 1) % 2], x, filter, s, step + 1);
		copy_async_commit();
		multiply_tiles(sum, rows[step % 2] + row * PITCH, columns[step % 2] + column * PITCH);
	}
	#pragma unroll
	for (int i = 0; i < 2; i++)
		#pragma unroll
		for (int low = 0; low < 2; low++) {
			int pixel = blockIdx.x * TILE + row + i * 16 + low * 8 + lane / 4;
			if (pixel >= pixels)
				continue;
			float *out = y + (size_t)pixel * s.filters + blockIdx.y * TILE + column + lane % 4 * 2;
			#pragma unroll
			for (int j = 0; j < 4; j++)
				*(float2 *)(out + j * 8) = make_float2(sum[i][j][low * 2], sum[i][j][low * 2 + 1]);
		}
}

/* All filters at one pixel. */
static void reference(const float *x, const float *filter, float *y, struct image s, int pixel)
{
	int column = pixel % s.side, line = pixel / s.side % s.side;
	for (int f = 0; f < s.filters; f++) {
		float sum = 0;
		for (int tap = 0; tap < TAPS; tap++) {
			int dx = tap % 3 - 1, dy = tap / 3 - 1;
			if (column + dx < 0 || column + dx >= s.side || line + dy < 0 || line + dy >= s.side)
				continue;
			const float *in = x + ((ptrdiff_t)pixel + dy * s.side + dx) * s.channels;
			const float *weight = filter + ((ptrdiff_t)f * TAPS + tap) * s.channels;
			for (int c = 0; c < s.channels; c++)
				sum += in[c] * weight[c];
		}
		y[f] = sum;
	}
}

static bool check(const float *x, const float *filter, const float *y, struct image s)
{
	int pixels = s.count * s.side * s.side;
	int step = (int)tensor_checked_step(pixels, s.filters, (size_t)TAPS * s.channels);
	float *want = WORKLOAD_HOST(float, s.filters);
	bool ok = true;
	for (int pixel = 0; ok && pixel < pixels; pixel += step) {
		reference(x, filter, want, s, pixel);
		ok = workload_same_floats("y", y + (size_t)pixel * s.filters, want, s.filters, 0);
	}
	free(want);
	return ok;
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("conv-implicit", "3 x 3 convolution as an implicit product on tensor cores", param, 4,
	                                  argc, argv);
	struct image s = {(int)workload_value(&w, "images"), (int)workload_value(&w, "side"),
	                  tensor_round_up(workload_value(&w, "channels"), DEPTH),
	                  tensor_round_up(workload_value(&w, "filters"), TILE)};
	size_t pixels = (size_t)s.count * s.side * s.side, weights = (size_t)s.filters * TAPS * s.channels;
	if (pixels > (size_t)INT32_MAX / 2)
		workload_no_memory("index", "images x side x side", s.count, (size_t)s.side * s.side);
	float *x = WORKLOAD_HOST(float, pixels *s.channels), *filter = WORKLOAD_HOST(float, weights);
	float *y = WORKLOAD_HOST(float, pixels *s.filters), *device_y = WORKLOAD_DEVICE(float, pixels *s.filters);
	half *device_x = tensor_random_exact(&w, x, pixels * s.channels);
	half *device_filter = tensor_random_exact(&w, filter, weights);

	workload_start(&w);
	convolve<<<dim3((unsigned)((pixels + TILE - 1) / TILE), s.filters / TILE), THREADS>>>(device_x, device_filter, device_y,
	                                                                                      s);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(y, device_y, pixels * s.filters * sizeof *y, cudaMemcpyDeviceToHost));
	return workload_close(&w, check(x, filter, y, s));
}
