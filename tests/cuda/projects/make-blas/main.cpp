#include <cstdio>

#include <cublas_v2.h>
#include <cuda_runtime.h>

int main()
{
	const int n = 8;
	float a[n * n], b[n * n], c[n * n], *da, *db, *dc, one = 1, zero = 0;
	for (int i = 0; i < n * n; i++)
		a[i] = i % n == (i / n + 1) % n, b[i] = i; /* a shifts rows */
	cublasHandle_t handle;
	if (cublasCreate(&handle) != CUBLAS_STATUS_SUCCESS)
		return 1;
	cudaMalloc(&da, sizeof a);
	cudaMalloc(&db, sizeof b);
	cudaMalloc(&dc, sizeof c);
	cublasSetMatrix(n, n, sizeof *a, a, n, da, n);
	cublasSetMatrix(n, n, sizeof *b, b, n, db, n);
	cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, n, n, n, &one, da, n, db, n, &zero, dc, n);
	cublasGetMatrix(n, n, sizeof *c, dc, n, c, n);
	bool right = true;
	for (int i = 0; i < n * n; i++)
		right = right && c[i / n * n + (i + 1) % n] == b[i];
	cublasDestroy(handle);
	std::printf("make-blas %s\n", right ? "PASS" : "FAIL");
	return !right;
}
