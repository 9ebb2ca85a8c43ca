/* Three ways to transpose: straight, through a tile, and through a padded tile, chosen by a table of kernels. */
#include "verify.h"

const int TILE_DIM = 32;
const int BLOCK_ROWS = 8;

__global__ void copyNaive(float *odata, const float *idata, int width, int height)
{
	int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < width && y + j < height)
			odata[x * height + (y + j)] = idata[(y + j) * width + x];
}

template <int PAD> __global__ void transposeTile(float *odata, const float *idata, int width, int height)
{
	__shared__ float tile[TILE_DIM][TILE_DIM + PAD];
	int x = blockIdx.x * TILE_DIM + threadIdx.x, y = blockIdx.y * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < width && y + j < height)
			tile[threadIdx.y + j][threadIdx.x] = idata[(y + j) * width + x];
	__syncthreads();
	x = blockIdx.y * TILE_DIM + threadIdx.x;
	y = blockIdx.x * TILE_DIM + threadIdx.y;
	for (int j = 0; j < TILE_DIM; j += BLOCK_ROWS)
		if (x < height && y + j < width)
			odata[(y + j) * height + x] = tile[threadIdx.x][threadIdx.y + j];
}

int main(int argc, char **argv)
{
	int width = 130, height = 100, wrong = 0;
	size_t bytes = width * height * sizeof(float);
	float *in = (float *)malloc(bytes), *out = (float *)malloc(bytes), *d_in, *d_out;
	void (*kernel[3])(float *, const float *, int, int) = {copyNaive, transposeTile<0>, transposeTile<1>};
	for (int i = 0; i < width * height; i++)
		in[i] = (float)i;
	CHECK_CUDA(cudaMalloc((void **)&d_in, bytes));
	CHECK_CUDA(cudaMalloc((void **)&d_out, bytes));
	CHECK_CUDA(cudaMemcpy(d_in, in, bytes, cudaMemcpyHostToDevice));
	dim3 grid((width + TILE_DIM - 1) / TILE_DIM, (height + TILE_DIM - 1) / TILE_DIM),
	    threads(TILE_DIM, BLOCK_ROWS);
	for (int k = 0; k < 3; k++) {
		CHECK_CUDA(cudaMemset(d_out, 0, bytes));
		kernel[k]<<<grid, threads>>>(d_out, d_in, width, height);
		CHECK_CUDA(cudaGetLastError());
		CHECK_CUDA(cudaMemcpy(out, d_out, bytes, cudaMemcpyDeviceToHost));
		for (int y = 0; y < height; y++)
			for (int x = 0; x < width; x++)
				wrong += out[x * height + y] != in[y * width + x];
	}
	return verify_result("transpose", wrong);
}
