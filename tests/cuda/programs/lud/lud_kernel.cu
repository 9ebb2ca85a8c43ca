/* Blocked LU decomposition: the diagonal block, the strips right of and below it, the rest. */
#include "verify.h"

__global__ void lud_diagonal(float *m, int matrix_dim, int offset)
{
	__shared__ float shadow[BLOCK_SIZE][BLOCK_SIZE];
	int tid = threadIdx.x, at = offset * matrix_dim + offset;
	for (int i = 0; i < BLOCK_SIZE; i++)
		shadow[i][tid] = m[at + i * matrix_dim + tid];
	__syncthreads();
	for (int i = 0; i < BLOCK_SIZE - 1; i++) {
		if (tid > i) {
			for (int j = 0; j < i; j++)
				shadow[tid][i] -= shadow[tid][j] * shadow[j][i];
			shadow[tid][i] /= shadow[i][i];
		}
		__syncthreads();
		if (tid > i)
			for (int j = 0; j < i + 1; j++)
				shadow[i + 1][tid] -= shadow[i + 1][j] * shadow[j][tid];
		__syncthreads();
	}
	for (int i = 1; i < BLOCK_SIZE; i++)
		m[at + i * matrix_dim + tid] = shadow[i][tid];
}

__global__ void lud_perimeter(float *m, int matrix_dim, int offset)
{
	__shared__ float dia[BLOCK_SIZE][BLOCK_SIZE], row[BLOCK_SIZE][BLOCK_SIZE],
	    col[BLOCK_SIZE][BLOCK_SIZE];
	int idx = threadIdx.x % BLOCK_SIZE;
	bool upper = threadIdx.x < BLOCK_SIZE;
	int next = offset + (blockIdx.x + 1) * BLOCK_SIZE;
	for (int i = upper ? 0 : BLOCK_SIZE / 2; i < (upper ? BLOCK_SIZE / 2 : BLOCK_SIZE); i++)
		dia[i][idx] = m[(offset + i) * matrix_dim + offset + idx];
	for (int i = 0; i < BLOCK_SIZE; i++)
		if (upper)
			row[i][idx] = m[(offset + i) * matrix_dim + next + idx];
		else
			col[i][idx] = m[(next + i) * matrix_dim + offset + idx];
	__syncthreads();
	if (upper) {
		for (int i = 1; i < BLOCK_SIZE; i++)
			for (int j = 0; j < i; j++)
				row[i][idx] -= dia[i][j] * row[j][idx];
	} else {
		for (int i = 0; i < BLOCK_SIZE; i++) {
			for (int j = 0; j < i; j++)
				col[idx][i] -= col[idx][j] * dia[j][i];
			col[idx][i] /= dia[i][i];
		}
	}
	__syncthreads();
	for (int i = 0; i < BLOCK_SIZE; i++)
		if (upper)
			m[(offset + i) * matrix_dim + next + idx] = row[i][idx];
		else
			m[(next + i) * matrix_dim + offset + idx] = col[i][idx];
}

__global__ void lud_internal(float *m, int matrix_dim, int offset)
{
	__shared__ float row[BLOCK_SIZE][BLOCK_SIZE], col[BLOCK_SIZE][BLOCK_SIZE];
	int y = offset + (blockIdx.y + 1) * BLOCK_SIZE, x = offset + (blockIdx.x + 1) * BLOCK_SIZE;
	row[threadIdx.y][threadIdx.x] = m[(offset + threadIdx.y) * matrix_dim + x + threadIdx.x];
	col[threadIdx.y][threadIdx.x] = m[(y + threadIdx.y) * matrix_dim + offset + threadIdx.x];
	__syncthreads();
	float sum = 0;
	for (int i = 0; i < BLOCK_SIZE; i++)
		sum += col[threadIdx.y][i] * row[i][threadIdx.x];
	m[(y + threadIdx.y) * matrix_dim + x + threadIdx.x] -= sum;
}

void lud_cuda(float *m, int matrix_dim)
{
	int i;
	dim3 dimBlock(BLOCK_SIZE, BLOCK_SIZE);
	for (i = 0; i < matrix_dim - BLOCK_SIZE; i += BLOCK_SIZE) {
		lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
		lud_perimeter<<<(matrix_dim - i) / BLOCK_SIZE - 1, BLOCK_SIZE * 2>>>(m, matrix_dim, i);
		dim3 dimGrid((matrix_dim - i) / BLOCK_SIZE - 1, (matrix_dim - i) / BLOCK_SIZE - 1);
		lud_internal<<<dimGrid, dimBlock>>>(m, matrix_dim, i);
	}
	lud_diagonal<<<1, BLOCK_SIZE>>>(m, matrix_dim, i);
	CHECK_CUDA(cudaGetLastError());
}
