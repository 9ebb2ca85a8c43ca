#include <cstdio>
#include <cublas_v2.h>

__global__ void fill(float *p, int n, float by)
{
	int i = threadIdx.x;
	if (i < n)
		p[i] = i * by;
}

int main()
{
	const int n = 100;
	float *x, *y, alpha = -2, dot = 0;
	int index = 0;
	cublasHandle_t handle;
	cublasCreate(&handle);
	cudaMalloc(&x, n * sizeof *x);
	cudaMalloc(&y, n * sizeof *y);
	fill<<<1, 128>>>(x, n, 1);
	fill<<<1, 128>>>(y, n, 2);
	cublasSdot(handle, n, x, 1, y, 1, &dot);
	cublasIsamax(handle, n, x, 1, &index);
	cublasSaxpy(handle, n, &alpha, x, 1, y, 1); /* nothing is left */
	float rest = 1;
	cublasSasum(handle, n, y, 1, &rest);
	bool right = dot == 2 * 328350.0f && index == n && rest == 0;
	printf("cmake-blas %s\n", right ? "PASS" : "FAIL");
	return !right;
}
