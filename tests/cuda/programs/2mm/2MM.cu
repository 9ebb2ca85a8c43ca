/* Two matrix products in a row, E = (A B) D, in the manner of linear-algebra suites: macros for sizes and types. */
#include "verify.h"
#include <string.h>
#include <sys/time.h>
#include <unistd.h>

#define PERCENT_DIFF_ERROR_THRESHOLD 0.05
#define DIM_THREAD_BLOCK_X 32
#define DIM_THREAD_BLOCK_Y 8

typedef float DATA_TYPE;

static double rtclock()
{
	struct timeval Tp;
	if (gettimeofday(&Tp, NULL) != 0)
		printf("Error return from gettimeofday\n");
	return Tp.tv_sec + Tp.tv_usec * 1.0e-6;
}

void init_array(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, DATA_TYPE *D)
{
	int i, j;
	for (i = 0; i < NI; i++)
		for (j = 0; j < NK; j++)
			A[i * NK + j] = ((DATA_TYPE)i * j) / NI;
	for (i = 0; i < NK; i++)
		for (j = 0; j < NJ; j++)
			B[i * NJ + j] = ((DATA_TYPE)i * (j + 1)) / NJ;
	for (i = 0; i < NI * NJ; i++)
		C[i] = 0;
	for (i = 0; i < NJ; i++)
		for (j = 0; j < NL; j++)
			D[i * NL + j] = ((DATA_TYPE)i * (j + 2)) / NK;
}

__global__ void mm_kernel(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, int n, int m, int depth)
{
	int j = blockIdx.x * blockDim.x + threadIdx.x;
	int i = blockIdx.y * blockDim.y + threadIdx.y;
	if ((i < n) && (j < m)) {
		int k;
		C[i * m + j] = 0;
		for (k = 0; k < depth; k++)
			C[i * m + j] += A[i * depth + k] * B[k * m + j];
	}
}

void mm_cpu(DATA_TYPE *A, DATA_TYPE *B, DATA_TYPE *C, int n, int m, int depth)
{
	for (int i = 0; i < n; i++)
		for (int j = 0; j < m; j++) {
			C[i * m + j] = 0.0;
			for (int k = 0; k < depth; ++k)
				C[i * m + j] += A[i * depth + k] * B[k * m + j];
		}
}

int main(int argc, char **argv)
{
	DATA_TYPE *A = (DATA_TYPE *)malloc(NI * NK * sizeof(DATA_TYPE)),
	          *B = (DATA_TYPE *)malloc(NK * NJ * sizeof(DATA_TYPE));
	DATA_TYPE *C = (DATA_TYPE *)malloc(NI * NJ * sizeof(DATA_TYPE)),
	          *D = (DATA_TYPE *)malloc(NJ * NL * sizeof(DATA_TYPE));
	DATA_TYPE *E = (DATA_TYPE *)malloc(NI * NL * sizeof(DATA_TYPE)),
	          *E_gpu = (DATA_TYPE *)malloc(NI * NL * sizeof(DATA_TYPE));
	DATA_TYPE *A_gpu, *B_gpu, *C_gpu, *D_gpu, *E_device;
	double t_start, t_end;
	init_array(A, B, C, D);
	CHECK_CUDA(cudaSetDevice(0));
	CHECK_CUDA(cudaMalloc((void **)&A_gpu, sizeof(DATA_TYPE) * NI * NK));
	CHECK_CUDA(cudaMalloc((void **)&B_gpu, sizeof(DATA_TYPE) * NK * NJ));
	CHECK_CUDA(cudaMalloc((void **)&C_gpu, sizeof(DATA_TYPE) * NI * NJ));
	CHECK_CUDA(cudaMalloc((void **)&D_gpu, sizeof(DATA_TYPE) * NJ * NL));
	CHECK_CUDA(cudaMalloc((void **)&E_device, sizeof(DATA_TYPE) * NI * NL));
	CHECK_CUDA(cudaMemcpy(A_gpu, A, sizeof(DATA_TYPE) * NI * NK, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(B_gpu, B, sizeof(DATA_TYPE) * NK * NJ, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(D_gpu, D, sizeof(DATA_TYPE) * NJ * NL, cudaMemcpyHostToDevice));
	dim3 block(DIM_THREAD_BLOCK_X, DIM_THREAD_BLOCK_Y);
	dim3 grid1((size_t)ceil((float)NJ / (float)block.x), (size_t)ceil((float)NI / (float)block.y));
	dim3 grid2((size_t)ceil((float)NL / (float)block.x), (size_t)ceil((float)NI / (float)block.y));
	t_start = rtclock();
	mm_kernel<<<grid1, block>>>(A_gpu, B_gpu, C_gpu, NI, NJ, NK);
	CHECK_CUDA(cudaDeviceSynchronize());
	mm_kernel<<<grid2, block>>>(C_gpu, D_gpu, E_device, NI, NL, NJ);
	CHECK_CUDA(cudaDeviceSynchronize());
	t_end = rtclock();
	fprintf(stderr, "GPU Runtime: %0.6lfs\n", t_end - t_start);
	CHECK_CUDA(cudaMemcpy(E_gpu, E_device, sizeof(DATA_TYPE) * NI * NL, cudaMemcpyDeviceToHost));
	mm_cpu(A, B, C, NI, NJ, NK);
	mm_cpu(C, D, E, NI, NL, NJ);
	int wrong = verify_close(E_gpu, E, NI * NL, PERCENT_DIFF_ERROR_THRESHOLD / 100);
	free(A);
	free(B);
	free(C);
	free(D);
	free(E);
	free(E_gpu);
	return verify_result("2mm", wrong);
}
