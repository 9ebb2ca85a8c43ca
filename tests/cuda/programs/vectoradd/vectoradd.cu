/* The first program of every tutorial: C = A + B, one thread per element, no header but the C library. */
#include <stdio.h>
#include <stdlib.h>

__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements)
{
	int i = blockDim.x * blockIdx.x + threadIdx.x;
	if (i < numElements)
		C[i] = A[i] + B[i];
}

int main(void)
{
	int numElements = 50000;
	size_t size = numElements * sizeof(float);
	float *h_A = (float *)malloc(size), *h_B = (float *)malloc(size), *h_C = (float *)malloc(size);
	for (int i = 0; i < numElements; ++i) {
		h_A[i] = rand() / (float)RAND_MAX;
		h_B[i] = rand() / (float)RAND_MAX;
	}
	float *d_A = NULL, *d_B = NULL, *d_C = NULL;
	cudaMalloc((void **)&d_A, size);
	cudaMalloc((void **)&d_B, size);
	cudaMalloc((void **)&d_C, size);
	cudaMemcpy(d_A, h_A, size, cudaMemcpyHostToDevice);
	cudaMemcpy(d_B, h_B, size, cudaMemcpyHostToDevice);
	int threadsPerBlock = 256;
	int blocksPerGrid = (numElements + threadsPerBlock - 1) / threadsPerBlock;
	vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, numElements);
	cudaError_t err = cudaGetLastError();
	if (err != cudaSuccess) {
		fprintf(stderr, "launch failed: %s\n", cudaGetErrorString(err));
		exit(EXIT_FAILURE);
	}
	cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost);
	for (int i = 0; i < numElements; ++i)
		if (h_A[i] + h_B[i] != h_C[i]) {
			printf("vectoradd FAIL at %d\n", i);
			exit(EXIT_FAILURE);
		}
	cudaFree(d_A);
	cudaFree(d_B);
	cudaFree(d_C);
	free(h_A);
	free(h_B);
	free(h_C);
	printf("vectoradd PASS\n");
	return 0;
}
