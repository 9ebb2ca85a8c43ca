#include <cmath>
#include <cstdio>

#include <cublas_v2.h>

/* The largest eigenvalue of [2 1; 1 2] by iteration. */
int main()
{
	const double a[] = {2, 1, 1, 2}, start[] = {1, 0}, one = 1, zero = 0;
	double *da, *x, *y, norm = 0;
	cublasHandle_t handle;
	cublasCreate(&handle);
	cudaMalloc(&da, sizeof a);
	cudaMalloc(&x, sizeof start);
	cudaMalloc(&y, sizeof start);
	cudaMemcpy(da, a, sizeof a, cudaMemcpyHostToDevice);
	cudaMemcpy(x, start, sizeof start, cudaMemcpyHostToDevice);
	for (int i = 0; i < 20; i++) {
		cublasDgemv(handle, CUBLAS_OP_N, 2, 2, &one, da, 2, x, 1, &zero, y, 1);
		cublasDnrm2(handle, 2, y, 1, &norm);
		double scale = 1 / norm;
		cublasDscal(handle, 2, &scale, y, 1);
		cublasDcopy(handle, 2, y, 1, x, 1);
	}
	bool right = std::fabs(norm - 3) < 1e-9;
	std::printf("autoconf-libraries %s\n", right ? "PASS" : "FAIL");
	return !right;
}
