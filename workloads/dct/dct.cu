/*
 * Discrete cosine transform of an image, or its inverse, block by block: F = C f C^T with 8 x 8 matrices.
 * A CTA of 8 x 8 threads owns a block, a thread one coefficient. C is read from memory whenever needed; the block and
 * the half-done product C f are in shared memory.
 */
#include "../common/workload.h"

enum { SIDE = 8 };

static struct workload_param param[] = {
	{"width", "pixels of a row", 128, 1024, 2048, SIDE, 32768},
	{"height", "rows of the image", 64, 512, 2048, SIDE, 32768},
	{"inverse", "0: transform, 1: transform back", 0, 0, 0, 0, 1},
};

/* The inverse takes C^T for C, and C for C^T. */
__global__ void transform(const float *in, float *out, const float *basis, int width, int inverse)
{
	__shared__ float block[SIDE * SIDE], half[SIDE * SIDE];
	int column = threadIdx.x, row = threadIdx.y, mine = row * SIDE + column;
	size_t place = (size_t)(blockIdx.y * SIDE + row) * width + blockIdx.x * SIDE + column;
	block[mine] = in[place];
	__syncthreads();
	float sum = 0;
#pragma unroll 1
	for (int k = 0; k < SIDE; k++)
		sum += basis[inverse ? k * SIDE + row : row * SIDE + k] * block[k * SIDE + column];
	half[mine] = sum;
	__syncthreads();
	sum = 0;
#pragma unroll 1
	for (int k = 0; k < SIDE; k++)
		sum += half[row * SIDE + k] * basis[inverse ? k * SIDE + column : column * SIDE + k];
	out[place] = sum;
}

static double basis_value(int frequency, int at)
{
	return (frequency ? 0.5 : sqrt(0.125)) * cos((2 * at + 1) * frequency * M_PI / (2 * SIDE));
}

/* One coefficient by the definition, without the intermediate product. */
static float reference(const float *in, size_t width, size_t y, size_t x, int inverse)
{
	int row = (int)(y % SIDE), column = (int)(x % SIDE);
	const float *block = in + (y - row) * width + (x - column);
	double sum = 0;
	for (int i = 0; i < SIDE; i++)
		for (int j = 0; j < SIDE; j++)
			sum += block[i * width + j] * (inverse ? basis_value(i, row) * basis_value(j, column)
			                                       : basis_value(row, i) * basis_value(column, j));
	return (float)sum;
}

/* Every pixel of a small image; of a large one, one in 31 (odd: all places of a block occur). */
static bool verify(const float *in, const float *got, size_t width, size_t height, int inverse)
{
	size_t stride = width * height > 65536 ? 31 : 1, count = (width * height + stride - 1) / stride;
	float *want = WORKLOAD_HOST(float, count), *sample = WORKLOAD_HOST(float, count);
	for (size_t i = 0; i < count; i++) {
		sample[i] = got[i * stride];
		want[i] = reference(in, width, i * stride / width, i * stride % width, inverse);
	}
	return workload_same_floats("sampled coefficient", sample, want, count, 1e-4);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("dct", "discrete cosine transform of 8 x 8 blocks", param, 3, argc, argv);
	size_t width = workload_value(&w, "width"), height = workload_value(&w, "height"), pixels = width * height;
	int inverse = (int)workload_value(&w, "inverse");
	if (width % SIDE || height % SIDE) {
		fprintf(stderr, "dct: --width %zu --height %zu: multiples of %d are wanted\n", width, height, SIDE);
		return WORKLOAD_BAD_INPUT;
	}
	float *in = WORKLOAD_HOST(float, pixels), *out = WORKLOAD_HOST(float, pixels), basis[SIDE * SIDE];
	float *device_in = WORKLOAD_DEVICE(float, pixels), *device_out = WORKLOAD_DEVICE(float, pixels);
	float *device_basis = WORKLOAD_DEVICE(float, SIDE *SIDE);
	for (size_t i = 0; i < pixels; i++)
		in[i] = (float)workload_below(&w, 256);
	for (int i = 0; i < SIDE * SIDE; i++)
		basis[i] = (float)basis_value(i / SIDE, i % SIDE);
	WORKLOAD_CUDA(cudaMemcpy(device_in, in, pixels * sizeof *in, cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(device_basis, basis, sizeof basis, cudaMemcpyHostToDevice));

	dim3 block(SIDE, SIDE), grid((unsigned)(width / SIDE), (unsigned)(height / SIDE));
	workload_start(&w);
	transform<<<grid, block>>>(device_in, device_out, device_basis, (int)width, inverse);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(out, device_out, pixels * sizeof *out, cudaMemcpyDeviceToHost));
	return workload_close(&w, verify(in, out, width, height, inverse));
}
