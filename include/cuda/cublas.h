/* cuBLAS of the first versions: no handle, characters for operations, results returned, errors kept. */
#ifndef CUBLAS_H_
#define CUBLAS_H_

#if defined(CUBLAS_V2_H_)
#error "cublas.h and cublas_v2.h cannot both be included"
#endif

#include "cublas_api.h"

typedef cublasStatus_t cublasStatus;

#if defined(__cplusplus)
extern "C" {
#endif

#define SLUICE_BLAS __attribute__((visibility("default")))

SLUICE_BLAS cublasStatus cublasInit(void);
SLUICE_BLAS cublasStatus cublasShutdown(void);
SLUICE_BLAS cublasStatus cublasGetError(void);
SLUICE_BLAS cublasStatus cublasAlloc(int n, int element_bytes, void **device);
SLUICE_BLAS cublasStatus cublasFree(void *device);
SLUICE_BLAS cublasStatus cublasSetKernelStream(cudaStream_t stream);

#define SLUICE_BLAS_LEGACY(S, s, T)                                                                          \
	SLUICE_BLAS int cublasI##s##amax(int n, const T *x, int incx);                                       \
	SLUICE_BLAS int cublasI##s##amin(int n, const T *x, int incx);                                       \
	SLUICE_BLAS T cublas##S##asum(int n, const T *x, int incx);                                          \
	SLUICE_BLAS T cublas##S##nrm2(int n, const T *x, int incx);                                          \
	SLUICE_BLAS T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy);                     \
	SLUICE_BLAS void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy);              \
	SLUICE_BLAS void cublas##S##scal(int n, T alpha, T *x, int incx);                                    \
	SLUICE_BLAS void cublas##S##copy(int n, const T *x, int incx, T *y, int incy);                       \
	SLUICE_BLAS void cublas##S##swap(int n, T *x, int incx, T *y, int incy);                             \
	SLUICE_BLAS void cublas##S##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x, \
	                                 int incx, T beta, T *y, int incy);                                  \
	SLUICE_BLAS void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy,   \
	                                T *a, int lda);                                                      \
	SLUICE_BLAS void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *a, \
	                                 int lda, const T *b, int ldb, T beta, T *c, int ldc)
SLUICE_BLAS_LEGACY(S, s, float);
SLUICE_BLAS_LEGACY(D, d, double);
#undef SLUICE_BLAS_LEGACY
#undef SLUICE_BLAS

#if defined(__cplusplus)
}
#endif

#endif
