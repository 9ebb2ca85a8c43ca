/* The first versions' interface: one handle for the program, the last error kept until it is asked for. */
#include <cublas.h>

static cublasHandle_t handle;
static cublasStatus last_error;

static void keep(cublasStatus status)
{
	if (status)
		last_error = status;
}

static cublasOperation_t operation(char c)
{
	return c == 'n' || c == 'N'   ? CUBLAS_OP_N
	       : c == 't' || c == 'T' ? CUBLAS_OP_T
	       : c == 'c' || c == 'C' ? CUBLAS_OP_C
	                              : CUBLAS_OP_CONJG; /* no such: refused further down */
}

extern "C" {

cublasStatus cublasInit(void)
{
	return handle ? CUBLAS_STATUS_SUCCESS : cublasCreate_v2(&handle);
}

cublasStatus cublasShutdown(void)
{
	cublasStatus status = cublasDestroy_v2(handle);
	handle = nullptr;
	return status;
}

cublasStatus cublasGetError(void)
{
	cublasStatus status = last_error;
	last_error = CUBLAS_STATUS_SUCCESS;
	return status;
}

cublasStatus cublasAlloc(int n, int element_bytes, void **device)
{
	if (n <= 0 || element_bytes <= 0)
		return CUBLAS_STATUS_INVALID_VALUE;
	return cudaMalloc(device, (size_t)n * element_bytes) ? CUBLAS_STATUS_ALLOC_FAILED : CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasFree(void *device)
{
	return cudaFree(device) ? CUBLAS_STATUS_INTERNAL_ERROR : CUBLAS_STATUS_SUCCESS;
}

cublasStatus cublasSetKernelStream(cudaStream_t stream)
{
	return cublasSetStream_v2(handle, stream);
}

#define LEGACY(S, s, T)                                                                                      \
	int cublasI##s##amax(int n, const T *x, int incx)                                                    \
	{                                                                                                    \
		int result = 0;                                                                              \
		keep(cublasI##s##amax_v2(handle, n, x, incx, &result));                                      \
		return result;                                                                               \
	}                                                                                                    \
	int cublasI##s##amin(int n, const T *x, int incx)                                                    \
	{                                                                                                    \
		int result = 0;                                                                              \
		keep(cublasI##s##amin_v2(handle, n, x, incx, &result));                                      \
		return result;                                                                               \
	}                                                                                                    \
	T cublas##S##asum(int n, const T *x, int incx)                                                       \
	{                                                                                                    \
		T result = 0;                                                                                \
		keep(cublas##S##asum_v2(handle, n, x, incx, &result));                                       \
		return result;                                                                               \
	}                                                                                                    \
	T cublas##S##nrm2(int n, const T *x, int incx)                                                       \
	{                                                                                                    \
		T result = 0;                                                                                \
		keep(cublas##S##nrm2_v2(handle, n, x, incx, &result));                                       \
		return result;                                                                               \
	}                                                                                                    \
	T cublas##S##dot(int n, const T *x, int incx, const T *y, int incy)                                  \
	{                                                                                                    \
		T result = 0;                                                                                \
		keep(cublas##S##dot_v2(handle, n, x, incx, y, incy, &result));                               \
		return result;                                                                               \
	}                                                                                                    \
	void cublas##S##axpy(int n, T alpha, const T *x, int incx, T *y, int incy)                           \
	{                                                                                                    \
		keep(cublas##S##axpy_v2(handle, n, &alpha, x, incx, y, incy));                               \
	}                                                                                                    \
	void cublas##S##scal(int n, T alpha, T *x, int incx)                                                 \
	{                                                                                                    \
		keep(cublas##S##scal_v2(handle, n, &alpha, x, incx));                                        \
	}                                                                                                    \
	void cublas##S##copy(int n, const T *x, int incx, T *y, int incy)                                    \
	{                                                                                                    \
		keep(cublas##S##copy_v2(handle, n, x, incx, y, incy));                                       \
	}                                                                                                    \
	void cublas##S##swap(int n, T *x, int incx, T *y, int incy)                                          \
	{                                                                                                    \
		keep(cublas##S##swap_v2(handle, n, x, incx, y, incy));                                       \
	}                                                                                                    \
	void cublas##S##gemv(char trans, int m, int n, T alpha, const T *a, int lda, const T *x, int incx,   \
	                     T beta, T *y, int incy)                                                         \
	{                                                                                                    \
		keep(cublas##S##gemv_v2(handle, operation(trans), m, n, &alpha, a, lda, x, incx, &beta, y,   \
		                        incy));                                                              \
	}                                                                                                    \
	void cublas##S##ger(int m, int n, T alpha, const T *x, int incx, const T *y, int incy, T *a,         \
	                    int lda)                                                                         \
	{                                                                                                    \
		keep(cublas##S##ger_v2(handle, m, n, &alpha, x, incx, y, incy, a, lda));                     \
	}                                                                                                    \
	void cublas##S##gemm(char transa, char transb, int m, int n, int k, T alpha, const T *a, int lda,    \
	                     const T *b, int ldb, T beta, T *c, int ldc)                                     \
	{                                                                                                    \
		keep(cublas##S##gemm_v2(handle, operation(transa), operation(transb), m, n, k, &alpha, a,    \
		                        lda, b, ldb, &beta, c, ldc));                                        \
	}
LEGACY(S, s, float)
LEGACY(D, d, double)
}
