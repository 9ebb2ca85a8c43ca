/* Matrix product by tiles in shared memory; matrices are structs passed by value. */
#include "gemm.h"

#define TILE 16

__device__ float GetElement(const Matrix A, int row, int col)
{
	return row < A.height && col < A.width ? A.elements[row * A.stride + col] : 0.0f;
}

__global__ void MatMulKernel(Matrix A, Matrix B, Matrix C, float alpha, float beta)
{
	__shared__ float As[TILE][TILE];
	__shared__ float Bs[TILE][TILE];
	int row = blockIdx.y * TILE + threadIdx.y, col = blockIdx.x * TILE + threadIdx.x;
	float sum = 0;
	for (int m = 0; m < (A.width + TILE - 1) / TILE; ++m) {
		As[threadIdx.y][threadIdx.x] = GetElement(A, row, m * TILE + threadIdx.x);
		Bs[threadIdx.y][threadIdx.x] = GetElement(B, m * TILE + threadIdx.y, col);
		__syncthreads();
#pragma unroll
		for (int e = 0; e < TILE; ++e)
			sum += As[threadIdx.y][e] * Bs[e][threadIdx.x];
		__syncthreads();
	}
	if (row < C.height && col < C.width)
		C.elements[row * C.stride + col] = alpha * sum + beta * C.elements[row * C.stride + col];
}

void device_gemm(Matrix a, Matrix b, Matrix c, float alpha, float beta)
{
	dim3 block(TILE, TILE);
	dim3 grid((c.width + block.x - 1) / block.x, (c.height + block.y - 1) / block.y);
	MatMulKernel<<<grid, block>>>(a, b, c, alpha, beta);
}
