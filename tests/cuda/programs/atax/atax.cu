/* y = A^T (A x), and the pair q = A p, s = A^T r of bicg: row-wise and column-wise access to one matrix. */
#include "verify.h"

#ifndef NX
#define NX 128
#define NY 192
#endif
#define THREADS 64

__global__ void row_kernel(float *A, float *x, float *tmp)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < NX) {
		tmp[i] = 0;
		for (int j = 0; j < NY; j++)
			tmp[i] += A[i * NY + j] * x[j];
	}
}

__global__ void column_kernel(float *A, float *y, float *tmp)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	if (j < NY) {
		y[j] = 0;
		for (int i = 0; i < NX; i++)
			y[j] += A[i * NY + j] * tmp[i];
	}
}

static float A[NX * NY], x[NY], y[NY], tmp[NX], want_y[NY], want_tmp[NX];

int main(int argc, char *argv[])
{
	for (int i = 0; i < NY; i++)
		x[i] = (float)(1 + i / (double)NY);
	for (int i = 0; i < NX; i++)
		for (int j = 0; j < NY; j++)
			A[i * NY + j] = (float)((i + j) % 31) / NX;
	float *d_A, *d_x, *d_y, *d_tmp;
	CHECK_CUDA(cudaMalloc((void **)&d_A, sizeof A));
	CHECK_CUDA(cudaMalloc((void **)&d_x, sizeof x));
	CHECK_CUDA(cudaMalloc((void **)&d_y, sizeof y));
	CHECK_CUDA(cudaMalloc((void **)&d_tmp, sizeof tmp));
	CHECK_CUDA(cudaMemcpy(d_A, A, sizeof A, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice));
	row_kernel<<<(NX + THREADS - 1) / THREADS, THREADS>>>(d_A, d_x, d_tmp);
	column_kernel<<<(NY + THREADS - 1) / THREADS, THREADS>>>(d_A, d_y, d_tmp);
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaMemcpy(tmp, d_tmp, sizeof tmp, cudaMemcpyDeviceToHost));
	CHECK_CUDA(cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost));
	for (int i = 0; i < NX; i++)
		for (int j = 0; j < NY; j++)
			want_tmp[i] += A[i * NY + j] * x[j];
	for (int i = 0; i < NX; i++)
		for (int j = 0; j < NY; j++)
			want_y[j] += A[i * NY + j] * want_tmp[i];
	return verify_result("atax",
	                     verify_close(tmp, want_tmp, NX, 1e-4) + verify_close(y, want_y, NY, 1e-4));
}
