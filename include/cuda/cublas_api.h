/*
 * cuBLAS, as far as libcublas of sluice has it: vectors (amax, amin, asum, axpy, copy, dot, nrm2, scal, swap), gemv, ger,
 * gemm with its batched, strided and mixed forms, geam. Matrices are stored by columns.
 */
#ifndef CUBLAS_API_H_
#define CUBLAS_API_H_

#include <stdint.h>

#include "cuComplex.h"
#include "cuda_bf16.h"
#include "cuda_fp16.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUBLAS_VER_MAJOR 12
#define CUBLAS_VER_MINOR 0
#define CUBLAS_VER_PATCH 1
#define CUBLAS_VER_BUILD 189
#define CUBLAS_VERSION 120001

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
	CUBLAS_STATUS_SUCCESS = 0,
	CUBLAS_STATUS_NOT_INITIALIZED = 1,
	CUBLAS_STATUS_ALLOC_FAILED = 3,
	CUBLAS_STATUS_INVALID_VALUE = 7,
	CUBLAS_STATUS_ARCH_MISMATCH = 8,
	CUBLAS_STATUS_MAPPING_ERROR = 11,
	CUBLAS_STATUS_EXECUTION_FAILED = 13,
	CUBLAS_STATUS_INTERNAL_ERROR = 14,
	CUBLAS_STATUS_NOT_SUPPORTED = 15,
	CUBLAS_STATUS_LICENSE_ERROR = 16
} cublasStatus_t;

typedef enum {
	CUBLAS_FILL_MODE_LOWER = 0,
	CUBLAS_FILL_MODE_UPPER = 1,
	CUBLAS_FILL_MODE_FULL = 2
} cublasFillMode_t;
typedef enum { CUBLAS_DIAG_NON_UNIT = 0, CUBLAS_DIAG_UNIT = 1 } cublasDiagType_t;
typedef enum { CUBLAS_SIDE_LEFT = 0, CUBLAS_SIDE_RIGHT = 1 } cublasSideMode_t;
typedef enum {
	CUBLAS_OP_N = 0,
	CUBLAS_OP_T = 1,
	CUBLAS_OP_C = 2,
	CUBLAS_OP_HERMITAN = 2,
	CUBLAS_OP_CONJG = 3
} cublasOperation_t;
typedef enum { CUBLAS_POINTER_MODE_HOST = 0, CUBLAS_POINTER_MODE_DEVICE = 1 } cublasPointerMode_t;
typedef enum { CUBLAS_ATOMICS_NOT_ALLOWED = 0, CUBLAS_ATOMICS_ALLOWED = 1 } cublasAtomicsMode_t;
typedef enum {
	CUBLAS_GEMM_DFALT = -1,
	CUBLAS_GEMM_DEFAULT = -1,
	CUBLAS_GEMM_ALGO0 = 0,
	CUBLAS_GEMM_DEFAULT_TENSOR_OP = 99,
	CUBLAS_GEMM_DFALT_TENSOR_OP = 99
} cublasGemmAlgo_t;
typedef enum {
	CUBLAS_DEFAULT_MATH = 0,
	CUBLAS_TENSOR_OP_MATH = 1,
	CUBLAS_PEDANTIC_MATH = 2,
	CUBLAS_TF32_TENSOR_OP_MATH = 3,
	CUBLAS_MATH_DISALLOW_REDUCED_PRECISION_REDUCTION = 16
} cublasMath_t;
typedef cudaDataType cublasDataType_t;
typedef enum {
	CUBLAS_COMPUTE_16F = 64,
	CUBLAS_COMPUTE_16F_PEDANTIC = 65,
	CUBLAS_COMPUTE_32F = 68,
	CUBLAS_COMPUTE_32F_PEDANTIC = 69,
	CUBLAS_COMPUTE_32F_FAST_16F = 74,
	CUBLAS_COMPUTE_32F_FAST_16BF = 75,
	CUBLAS_COMPUTE_32F_FAST_TF32 = 77,
	CUBLAS_COMPUTE_64F = 70,
	CUBLAS_COMPUTE_64F_PEDANTIC = 71,
	CUBLAS_COMPUTE_32I = 72,
	CUBLAS_COMPUTE_32I_PEDANTIC = 73
} cublasComputeType_t;

typedef struct cublasContext *cublasHandle_t;

#define SLUICE_BLAS __attribute__((visibility("default"))) cublasStatus_t

SLUICE_BLAS cublasCreate_v2(cublasHandle_t *handle);
SLUICE_BLAS cublasDestroy_v2(cublasHandle_t handle);
SLUICE_BLAS cublasGetVersion_v2(cublasHandle_t handle, int *version);
SLUICE_BLAS cublasGetProperty(libraryPropertyType type, int *value);
SLUICE_BLAS cublasSetStream_v2(cublasHandle_t handle, cudaStream_t stream);
SLUICE_BLAS cublasGetStream_v2(cublasHandle_t handle, cudaStream_t *stream);
SLUICE_BLAS cublasSetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t mode);
SLUICE_BLAS cublasGetPointerMode_v2(cublasHandle_t handle, cublasPointerMode_t *mode);
SLUICE_BLAS cublasSetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t mode);
SLUICE_BLAS cublasGetAtomicsMode(cublasHandle_t handle, cublasAtomicsMode_t *mode);
SLUICE_BLAS cublasSetMathMode(cublasHandle_t handle, cublasMath_t mode);
SLUICE_BLAS cublasGetMathMode(cublasHandle_t handle, cublasMath_t *mode);
SLUICE_BLAS cublasSetWorkspace_v2(cublasHandle_t handle, void *workspace, size_t bytes);
__attribute__((visibility("default"))) const char *cublasGetStatusName(cublasStatus_t status);
__attribute__((visibility("default"))) const char *cublasGetStatusString(cublasStatus_t status);

SLUICE_BLAS cublasSetVector(int n, int element_bytes, const void *x, int incx, void *device, int incd);
SLUICE_BLAS cublasGetVector(int n, int element_bytes, const void *device, int incd, void *x, int incx);
SLUICE_BLAS cublasSetMatrix(int rows, int cols, int element_bytes, const void *a, int lda, void *device,
                            int ldd);
SLUICE_BLAS cublasGetMatrix(int rows, int cols, int element_bytes, const void *device, int ldd, void *a,
                            int lda);
SLUICE_BLAS cublasSetVectorAsync(int n, int element_bytes, const void *x, int incx, void *device, int incd,
                                 cudaStream_t stream);
SLUICE_BLAS cublasGetVectorAsync(int n, int element_bytes, const void *device, int incd, void *x, int incx,
                                 cudaStream_t stream);
SLUICE_BLAS cublasSetMatrixAsync(int rows, int cols, int element_bytes, const void *a, int lda, void *device,
                                 int ldd, cudaStream_t stream);
SLUICE_BLAS cublasGetMatrixAsync(int rows, int cols, int element_bytes, const void *device, int ldd, void *a,
                                 int lda, cudaStream_t stream);

/* ---- S is float, D double, H __half ------------------------------------------------------------------------ */

#define SLUICE_BLAS_VECTORS(S, T)                                                                            \
	SLUICE_BLAS cublasI##S##amax_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result);    \
	SLUICE_BLAS cublasI##S##amin_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result)
SLUICE_BLAS_VECTORS(s, float);
SLUICE_BLAS_VECTORS(d, double);
#undef SLUICE_BLAS_VECTORS

#define SLUICE_BLAS_REAL(S, T)                                                                               \
	SLUICE_BLAS cublas##S##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);       \
	SLUICE_BLAS cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result);       \
	SLUICE_BLAS cublas##S##dot_v2(cublasHandle_t handle, int n, const T *x, int incx, const T *y,        \
	                              int incy, T *result);                                                  \
	SLUICE_BLAS cublas##S##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx,   \
	                               T *y, int incy);                                                      \
	SLUICE_BLAS cublas##S##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx);        \
	SLUICE_BLAS cublas##S##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y, int incy);  \
	SLUICE_BLAS cublas##S##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy);        \
	SLUICE_BLAS cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,         \
	                               const T *alpha, const T *a, int lda, const T *x, int incx,            \
	                               const T *beta, T *y, int incy);                                       \
	SLUICE_BLAS cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x,       \
	                              int incx, const T *y, int incy, T *a, int lda);                        \
	SLUICE_BLAS cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                         \
	                            cublasOperation_t transb, int m, int n, const T *alpha, const T *a,      \
	                            int lda, const T *beta, const T *b, int ldb, T *c, int ldc);             \
	SLUICE_BLAS cublas##S##gemm_v2(                                                                      \
	    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,  \
	    const T *alpha, const T *a, int lda, const T *b, int ldb, const T *beta, T *c, int ldc);         \
	SLUICE_BLAS cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,                  \
	                                   cublasOperation_t transb, int m, int n, int k, const T *alpha,    \
	                                   const T *const a[], int lda, const T *const b[], int ldb,         \
	                                   const T *beta, T *const c[], int ldc, int count);                 \
	SLUICE_BLAS cublas##S##gemmStridedBatched(                                                           \
	    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,  \
	    const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,                    \
	    long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count)
SLUICE_BLAS_REAL(S, float);
SLUICE_BLAS_REAL(D, double);
#undef SLUICE_BLAS_REAL

#if defined(__cplusplus)
SLUICE_BLAS cublasHgemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                        int n, int k, const __half *alpha, const __half *a, int lda, const __half *b, int ldb,
                        const __half *beta, __half *c, int ldc);
SLUICE_BLAS cublasHgemmStridedBatched(cublasHandle_t handle, cublasOperation_t transa,
                                      cublasOperation_t transb, int m, int n, int k, const __half *alpha,
                                      const __half *a, int lda, long long stride_a, const __half *b, int ldb,
                                      long long stride_b, const __half *beta, __half *c, int ldc,
                                      long long stride_c, int count);
SLUICE_BLAS cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                         int n, int k, const void *alpha, const void *a, cudaDataType type_a, int lda,
                         const void *b, cudaDataType type_b, int ldb, const void *beta, void *c,
                         cudaDataType type_c, int ldc, cublasComputeType_t compute,
                         cublasGemmAlgo_t algorithm);
SLUICE_BLAS cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa,
                                       cublasOperation_t transb, int m, int n, int k, const void *alpha,
                                       const void *a, cudaDataType type_a, int lda, long long stride_a,
                                       const void *b, cudaDataType type_b, int ldb, long long stride_b,
                                       const void *beta, void *c, cudaDataType type_c, int ldc,
                                       long long stride_c, int count, cublasComputeType_t compute,
                                       cublasGemmAlgo_t algorithm);
#endif
SLUICE_BLAS cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m,
                          int n, int k, const float *alpha, const void *a, cudaDataType type_a, int lda,
                          const void *b, cudaDataType type_b, int ldb, const float *beta, void *c,
                          cudaDataType type_c, int ldc);

#undef SLUICE_BLAS

#if defined(__cplusplus)
}
#endif

#endif
