/* Seven points in three dimensions: a tile per plane in shared memory, planes kept in registers while z goes up. */
#include "verify.h"

#define TX 32
#define TY 4
#define AT(x, y, z) (((z)*ny + (y)) * nx + (x))

__global__ void block2D_stencil(float c0, float c1, const float *A0, float *Anext, int nx, int ny, int nz)
{
	__shared__ float plane[TY + 2][TX + 2];
	int i = blockIdx.x * TX + threadIdx.x, j = blockIdx.y * TY + threadIdx.y;
	bool inside = i > 0 && j > 0 && i < nx - 1 && j < ny - 1, loads = i < nx && j < ny;
	float bottom = loads ? A0[AT(i, j, 0)] : 0, current = loads ? A0[AT(i, j, 1)] : 0;
	for (int k = 1; k < nz - 1; k++) {
		float top = loads ? A0[AT(i, j, k + 1)] : 0;
		plane[threadIdx.y + 1][threadIdx.x + 1] = current;
		if (threadIdx.x == 0 && loads && i > 0)
			plane[threadIdx.y + 1][0] = A0[AT(i - 1, j, k)];
		if (threadIdx.x == TX - 1 && loads && i < nx - 1)
			plane[threadIdx.y + 1][TX + 1] = A0[AT(i + 1, j, k)];
		if (threadIdx.y == 0 && loads && j > 0)
			plane[0][threadIdx.x + 1] = A0[AT(i, j - 1, k)];
		if (threadIdx.y == TY - 1 && loads && j < ny - 1)
			plane[TY + 1][threadIdx.x + 1] = A0[AT(i, j + 1, k)];
		__syncthreads();
		if (inside)
			Anext[AT(i, j, k)] = c1 * (plane[threadIdx.y + 1][threadIdx.x + 2] +
			                           plane[threadIdx.y + 1][threadIdx.x] +
			                           plane[threadIdx.y + 2][threadIdx.x + 1] +
			                           plane[threadIdx.y][threadIdx.x + 1] + top + bottom) +
			                     c0 * current;
		__syncthreads();
		bottom = current;
		current = top;
	}
}

extern "C" void run_stencil(float *data, int nx, int ny, int nz, int steps)
{
	size_t bytes = (size_t)nx * ny * nz * sizeof(float);
	float *d_A0, *d_Anext;
	CHECK_CUDA(cudaMalloc((void **)&d_A0, bytes));
	CHECK_CUDA(cudaMalloc((void **)&d_Anext, bytes));
	CHECK_CUDA(cudaMemcpy(d_A0, data, bytes, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_Anext, d_A0, bytes, cudaMemcpyDeviceToDevice));
	dim3 block(TX, TY, 1), grid((nx + TX - 1) / TX, (ny + TY - 1) / TY, 1);
	for (int t = 0; t < steps; t++) {
		block2D_stencil<<<grid, block>>>(0.4f, 0.1f, d_A0, d_Anext, nx, ny, nz);
		float *d_temp = d_A0;
		d_A0 = d_Anext;
		d_Anext = d_temp;
	}
	CHECK_CUDA(cudaMemcpy(data, d_A0, bytes, cudaMemcpyDeviceToHost));
	cudaFree(d_A0);
	cudaFree(d_Anext);
}
