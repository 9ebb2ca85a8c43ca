/*
 * cuBLASLt, as far as libcublasLt of sluice has it: products of matrices in f32, f64, f16, bf16 and eight-bit integers with
 * epilogues (bias, ReLU, GELU, their gradients), batches, layouts by columns or rows. The heuristics know one algorithm.
 */
#ifndef CUBLASLT_H_
#define CUBLASLT_H_

#include <stddef.h>

#include "cublas_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef struct cublasLtContext *cublasLtHandle_t;
typedef struct cublasLtMatmulDescOpaque *cublasLtMatmulDesc_t;
typedef struct cublasLtMatrixLayoutOpaque *cublasLtMatrixLayout_t;
typedef struct cublasLtMatmulPreferenceOpaque *cublasLtMatmulPreference_t;

typedef struct {
	uint64_t data[8];
} cublasLtMatmulAlgo_t;

typedef struct {
	cublasLtMatmulAlgo_t algo;
	size_t workspaceSize;
	cublasStatus_t state;
	float wavesCount;
	int reserved[4];
} cublasLtMatmulHeuristicResult_t;

typedef enum {
	CUBLASLT_POINTER_MODE_HOST = 0,
	CUBLASLT_POINTER_MODE_DEVICE = 1,
	CUBLASLT_POINTER_MODE_DEVICE_VECTOR = 2,
	CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_ZERO = 3,
	CUBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4
} cublasLtPointerMode_t;

typedef enum { CUBLASLT_ORDER_COL = 0, CUBLASLT_ORDER_ROW = 1, CUBLASLT_ORDER_COL32 = 2 } cublasLtOrder_t;

typedef enum {
	CUBLASLT_MATRIX_LAYOUT_TYPE = 0,
	CUBLASLT_MATRIX_LAYOUT_ORDER = 1,
	CUBLASLT_MATRIX_LAYOUT_ROWS = 2,
	CUBLASLT_MATRIX_LAYOUT_COLS = 3,
	CUBLASLT_MATRIX_LAYOUT_LD = 4,
	CUBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 5,
	CUBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 6,
	CUBLASLT_MATRIX_LAYOUT_PLANE_OFFSET = 7
} cublasLtMatrixLayoutAttribute_t;

typedef enum {
	CUBLASLT_MATMUL_DESC_COMPUTE_TYPE = 0,
	CUBLASLT_MATMUL_DESC_SCALE_TYPE = 1,
	CUBLASLT_MATMUL_DESC_POINTER_MODE = 2,
	CUBLASLT_MATMUL_DESC_TRANSA = 3,
	CUBLASLT_MATMUL_DESC_TRANSB = 4,
	CUBLASLT_MATMUL_DESC_TRANSC = 5,
	CUBLASLT_MATMUL_DESC_FILL_MODE = 6,
	CUBLASLT_MATMUL_DESC_EPILOGUE = 7,
	CUBLASLT_MATMUL_DESC_BIAS_POINTER = 8,
	CUBLASLT_MATMUL_DESC_BIAS_BATCH_STRIDE = 10,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_POINTER = 11,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_LD = 12,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_BATCH_STRIDE = 13,
	CUBLASLT_MATMUL_DESC_ALPHA_VECTOR_BATCH_STRIDE = 14,
	CUBLASLT_MATMUL_DESC_SM_COUNT_TARGET = 15,
	CUBLASLT_MATMUL_DESC_A_SCALE_POINTER = 17,
	CUBLASLT_MATMUL_DESC_B_SCALE_POINTER = 18,
	CUBLASLT_MATMUL_DESC_C_SCALE_POINTER = 19,
	CUBLASLT_MATMUL_DESC_D_SCALE_POINTER = 20,
	CUBLASLT_MATMUL_DESC_AMAX_D_POINTER = 21,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_DATA_TYPE = 22,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_SCALE_POINTER = 23,
	CUBLASLT_MATMUL_DESC_EPILOGUE_AUX_AMAX_POINTER = 24,
	CUBLASLT_MATMUL_DESC_FAST_ACCUM = 25,
	CUBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 26
} cublasLtMatmulDescAttributes_t;

typedef enum {
	CUBLASLT_EPILOGUE_DEFAULT = 1,
	CUBLASLT_EPILOGUE_RELU = 2,
	CUBLASLT_EPILOGUE_RELU_AUX = 2 | 128,
	CUBLASLT_EPILOGUE_BIAS = 4,
	CUBLASLT_EPILOGUE_RELU_BIAS = 2 | 4,
	CUBLASLT_EPILOGUE_RELU_AUX_BIAS = 2 | 128 | 4,
	CUBLASLT_EPILOGUE_DRELU = 8 | 128,
	CUBLASLT_EPILOGUE_DRELU_BGRAD = 8 | 128 | 16,
	CUBLASLT_EPILOGUE_GELU = 32,
	CUBLASLT_EPILOGUE_GELU_AUX = 32 | 128,
	CUBLASLT_EPILOGUE_GELU_BIAS = 32 | 4,
	CUBLASLT_EPILOGUE_GELU_AUX_BIAS = 32 | 128 | 4,
	CUBLASLT_EPILOGUE_DGELU = 64 | 128,
	CUBLASLT_EPILOGUE_DGELU_BGRAD = 64 | 128 | 16,
	CUBLASLT_EPILOGUE_BGRADA = 256,
	CUBLASLT_EPILOGUE_BGRADB = 512
} cublasLtEpilogue_t;

typedef enum {
	CUBLASLT_MATMUL_PREF_SEARCH_MODE = 0,
	CUBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1,
	CUBLASLT_MATMUL_PREF_REDUCTION_SCHEME_MASK = 3,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_A_BYTES = 5,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_B_BYTES = 6,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_C_BYTES = 7,
	CUBLASLT_MATMUL_PREF_MIN_ALIGNMENT_D_BYTES = 8,
	CUBLASLT_MATMUL_PREF_MAX_WAVES_COUNT = 9,
	CUBLASLT_MATMUL_PREF_IMPL_MASK = 12
} cublasLtMatmulPreferenceAttributes_t;

#define SLUICE_BLAS_LT __attribute__((visibility("default"))) cublasStatus_t

SLUICE_BLAS_LT cublasLtCreate(cublasLtHandle_t *handle);
SLUICE_BLAS_LT cublasLtDestroy(cublasLtHandle_t handle);
__attribute__((visibility("default"))) size_t cublasLtGetVersion(void);
__attribute__((visibility("default"))) size_t cublasLtGetCudartVersion(void);
__attribute__((visibility("default"))) const char *cublasLtGetStatusName(cublasStatus_t status);
__attribute__((visibility("default"))) const char *cublasLtGetStatusString(cublasStatus_t status);

SLUICE_BLAS_LT cublasLtMatmulDescCreate(cublasLtMatmulDesc_t *desc, cublasComputeType_t compute,
                                        cudaDataType scale);
SLUICE_BLAS_LT cublasLtMatmulDescDestroy(cublasLtMatmulDesc_t desc);
SLUICE_BLAS_LT cublasLtMatmulDescSetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              const void *value, size_t bytes);
SLUICE_BLAS_LT cublasLtMatmulDescGetAttribute(cublasLtMatmulDesc_t desc, cublasLtMatmulDescAttributes_t which,
                                              void *value, size_t bytes, size_t *written);
SLUICE_BLAS_LT cublasLtMatrixLayoutCreate(cublasLtMatrixLayout_t *layout, cudaDataType type, uint64_t rows,
                                          uint64_t columns, int64_t ld);
SLUICE_BLAS_LT cublasLtMatrixLayoutDestroy(cublasLtMatrixLayout_t layout);
SLUICE_BLAS_LT cublasLtMatrixLayoutSetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t which, const void *value,
                                                size_t bytes);
SLUICE_BLAS_LT cublasLtMatrixLayoutGetAttribute(cublasLtMatrixLayout_t layout,
                                                cublasLtMatrixLayoutAttribute_t which, void *value,
                                                size_t bytes, size_t *written);
SLUICE_BLAS_LT cublasLtMatmulPreferenceCreate(cublasLtMatmulPreference_t *preference);
SLUICE_BLAS_LT cublasLtMatmulPreferenceDestroy(cublasLtMatmulPreference_t preference);
SLUICE_BLAS_LT cublasLtMatmulPreferenceSetAttribute(cublasLtMatmulPreference_t preference,
                                                    cublasLtMatmulPreferenceAttributes_t which,
                                                    const void *value, size_t bytes);

/* One algorithm for what cublasLtMatmul() computes; for all else none, and CUBLAS_STATUS_NOT_SUPPORTED. */
SLUICE_BLAS_LT cublasLtMatmulAlgoGetHeuristic(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                              cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                              cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                              cublasLtMatmulPreference_t preference, int requested,
                                              cublasLtMatmulHeuristicResult_t *results, int *returned);
SLUICE_BLAS_LT cublasLtMatmulAlgoCheck(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc,
                                       cublasLtMatrixLayout_t a, cublasLtMatrixLayout_t b,
                                       cublasLtMatrixLayout_t c, cublasLtMatrixLayout_t d,
                                       const cublasLtMatmulAlgo_t *algo,
                                       cublasLtMatmulHeuristicResult_t *result);
/* D = epilogue(alpha op(A) op(B) + beta C) */
SLUICE_BLAS_LT cublasLtMatmul(cublasLtHandle_t handle, cublasLtMatmulDesc_t desc, const void *alpha,
                              const void *A, cublasLtMatrixLayout_t a, const void *B,
                              cublasLtMatrixLayout_t b, const void *beta, const void *C,
                              cublasLtMatrixLayout_t c, void *D, cublasLtMatrixLayout_t d,
                              const cublasLtMatmulAlgo_t *algo, void *workspace, size_t workspace_bytes,
                              cudaStream_t stream);

#if defined(__cplusplus)
}
#endif

#endif
