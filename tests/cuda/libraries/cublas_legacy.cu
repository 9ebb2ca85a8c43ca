/*
 * The interface of the first cuBLAS: no handle, characters, results returned.
 * options: -lcublas.
 */
#include <cstdio>

#include <cublas.h>

int main()
{
	const int n = 40;
	float a[n * n], b[n], c[n], *da, *db, *dc;
	for (int i = 0; i < n * n; i++)
		a[i] = i % n == i / n ? 2 : i % n == i / n + 1 ? 1 : 0; /* twice each, and the one above */
	for (int i = 0; i < n; i++)
		b[i] = i, c[i] = 1;
	bool right = cublasInit() == CUBLAS_STATUS_SUCCESS;
	cublasAlloc(n * n, sizeof *a, (void **)&da);
	cublasAlloc(n, sizeof *b, (void **)&db);
	cublasAlloc(n, sizeof *c, (void **)&dc);
	cublasSetMatrix(n, n, sizeof *a, a, n, da, n);
	cublasSetVector(n, sizeof *b, b, 1, db, 1);
	cublasSetVector(n, sizeof *c, c, 1, dc, 1);
	cublasSgemv('n', n, n, 1, da, n, db, 1, 3, dc, 1);
	cublasGetVector(n, sizeof *c, dc, 1, c, 1);
	for (int i = 0; i < n; i++)
		right = right && c[i] == 2 * i + (i ? i - 1 : 0) + 3;
	right = right && cublasSdot(n, db, 1, db, 1) == 20540 && cublasIsamax(n, db, 1) == n && cublasSasum(n, db, 1) == 780;
	float *product, corner;
	cublasAlloc(n * n, sizeof *a, (void **)&product);
	cublasSgemm('T', 'N', n, n, n, 1, da, n, da, n, 0, product, n);
	cublasGetVector(1, sizeof corner, product, 1, &corner, 1);
	right = right && corner == 5;
	right = right && cublasGetError() == CUBLAS_STATUS_SUCCESS;
	cublasSgemm('x', 'N', n, n, n, 1, da, n, da, n, 0, da, n);
	right = right && cublasGetError() == CUBLAS_STATUS_INVALID_VALUE && cublasGetError() == CUBLAS_STATUS_SUCCESS;
	right = right && cublasFree(da) == CUBLAS_STATUS_SUCCESS && cublasShutdown() == CUBLAS_STATUS_SUCCESS;
	puts(right ? "cublas_legacy PASS" : "cublas_legacy FAIL");
	return !right;
}
