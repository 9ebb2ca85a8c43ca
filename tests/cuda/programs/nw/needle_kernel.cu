/* One diagonal of blocks; inside a block, one diagonal of cells per step. Included by needle.cu. */
#include "needle.h"

__device__ __host__ int maximum(int a, int b, int c)
{
	int k = a <= b ? b : a;
	return k <= c ? c : k;
}

__global__ void needle_cuda_shared(const int *referrence, int *matrix_cuda, int cols, int penalty,
                                   int first_x, int first_y)
{
	__shared__ int temp[BLOCK_SIZE + 1][BLOCK_SIZE + 1], ref[BLOCK_SIZE][BLOCK_SIZE];
	int tx = threadIdx.x, b_index_x = first_x - (int)blockIdx.x, b_index_y = first_y + (int)blockIdx.x;
	int base = cols * BLOCK_SIZE * b_index_y + BLOCK_SIZE * b_index_x;
	if (tx == 0)
		temp[0][0] = matrix_cuda[base];
	for (int ty = 0; ty < BLOCK_SIZE; ty++)
		ref[ty][tx] = referrence[base + cols * (ty + 1) + tx + 1];
	temp[tx + 1][0] = matrix_cuda[base + cols * (tx + 1)];
	temp[0][tx + 1] = matrix_cuda[base + tx + 1];
	__syncthreads();
	for (int m = 0; m < 2 * BLOCK_SIZE - 1; m++) {
		int x = m < BLOCK_SIZE ? tx + 1 : tx + m - BLOCK_SIZE + 2;
		int y = m < BLOCK_SIZE ? m - tx + 1 : BLOCK_SIZE - tx;
		if (m < BLOCK_SIZE ? tx <= m : tx <= 2 * BLOCK_SIZE - 2 - m)
			temp[y][x] = maximum(temp[y - 1][x - 1] + ref[y - 1][x - 1], temp[y][x - 1] - penalty,
			                     temp[y - 1][x] - penalty);
		__syncthreads();
	}
	for (int ty = 0; ty < BLOCK_SIZE; ty++)
		matrix_cuda[base + cols * (ty + 1) + tx + 1] = temp[ty + 1][tx + 1];
}
