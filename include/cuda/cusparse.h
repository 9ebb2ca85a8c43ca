/*
 * cuSPARSE, as far as libcusparse of sluice has it: products of a sparse matrix (CSR, CSC, COO) with a dense vector
 * (cusparseSpMV) or matrix (cusparseSpMM), in f32 and f64, with indexes of 32 or 64 bits.
 */
#ifndef CUSPARSE_H_
#define CUSPARSE_H_

#include <stddef.h>
#include <stdint.h>

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUSPARSE_VER_MAJOR 12
#define CUSPARSE_VER_MINOR 0
#define CUSPARSE_VER_PATCH 0
#define CUSPARSE_VERSION 12000

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
	CUSPARSE_STATUS_SUCCESS = 0,
	CUSPARSE_STATUS_NOT_INITIALIZED = 1,
	CUSPARSE_STATUS_ALLOC_FAILED = 2,
	CUSPARSE_STATUS_INVALID_VALUE = 3,
	CUSPARSE_STATUS_ARCH_MISMATCH = 4,
	CUSPARSE_STATUS_MAPPING_ERROR = 5,
	CUSPARSE_STATUS_EXECUTION_FAILED = 6,
	CUSPARSE_STATUS_INTERNAL_ERROR = 7,
	CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED = 8,
	CUSPARSE_STATUS_ZERO_PIVOT = 9,
	CUSPARSE_STATUS_NOT_SUPPORTED = 10,
	CUSPARSE_STATUS_INSUFFICIENT_RESOURCES = 11
} cusparseStatus_t;

typedef enum { CUSPARSE_POINTER_MODE_HOST = 0, CUSPARSE_POINTER_MODE_DEVICE = 1 } cusparsePointerMode_t;
typedef enum {
	CUSPARSE_OPERATION_NON_TRANSPOSE = 0,
	CUSPARSE_OPERATION_TRANSPOSE = 1,
	CUSPARSE_OPERATION_CONJUGATE_TRANSPOSE = 2
} cusparseOperation_t;
typedef enum {
	CUSPARSE_MATRIX_TYPE_GENERAL = 0,
	CUSPARSE_MATRIX_TYPE_SYMMETRIC = 1,
	CUSPARSE_MATRIX_TYPE_HERMITIAN = 2,
	CUSPARSE_MATRIX_TYPE_TRIANGULAR = 3
} cusparseMatrixType_t;
typedef enum { CUSPARSE_INDEX_BASE_ZERO = 0, CUSPARSE_INDEX_BASE_ONE = 1 } cusparseIndexBase_t;
typedef enum { CUSPARSE_INDEX_16U = 1, CUSPARSE_INDEX_32I = 2, CUSPARSE_INDEX_64I = 3 } cusparseIndexType_t;
typedef enum { CUSPARSE_ORDER_COL = 1, CUSPARSE_ORDER_ROW = 2 } cusparseOrder_t;
typedef enum { CUSPARSE_FORMAT_CSR = 1, CUSPARSE_FORMAT_CSC = 2, CUSPARSE_FORMAT_COO = 3 } cusparseFormat_t;

/* Which algorithm is asked for changes nothing: there is one for each format. */
typedef enum {
	CUSPARSE_SPMV_ALG_DEFAULT = 0,
	CUSPARSE_SPMV_COO_ALG1 = 1,
	CUSPARSE_SPMV_CSR_ALG1 = 2,
	CUSPARSE_SPMV_CSR_ALG2 = 3,
	CUSPARSE_SPMV_COO_ALG2 = 4,
	CUSPARSE_MV_ALG_DEFAULT = 0,
	CUSPARSE_CSRMV_ALG1 = 2,
	CUSPARSE_CSRMV_ALG2 = 3
} cusparseSpMVAlg_t;
typedef enum {
	CUSPARSE_SPMM_ALG_DEFAULT = 0,
	CUSPARSE_SPMM_COO_ALG1 = 1,
	CUSPARSE_SPMM_COO_ALG2 = 2,
	CUSPARSE_SPMM_COO_ALG3 = 3,
	CUSPARSE_SPMM_CSR_ALG1 = 4,
	CUSPARSE_SPMM_COO_ALG4 = 5,
	CUSPARSE_SPMM_CSR_ALG2 = 6,
	CUSPARSE_SPMM_CSR_ALG3 = 12
} cusparseSpMMAlg_t;

typedef struct cusparseContext *cusparseHandle_t;
typedef struct cusparseMatDescr *cusparseMatDescr_t;
typedef struct cusparseSpMatDescr *cusparseSpMatDescr_t;
typedef struct cusparseDnVecDescr *cusparseDnVecDescr_t;
typedef struct cusparseDnMatDescr *cusparseDnMatDescr_t;
typedef const struct cusparseSpMatDescr *cusparseConstSpMatDescr_t;
typedef const struct cusparseDnVecDescr *cusparseConstDnVecDescr_t;
typedef const struct cusparseDnMatDescr *cusparseConstDnMatDescr_t;

#define SLUICE_SPARSE __attribute__((visibility("default"))) cusparseStatus_t

SLUICE_SPARSE cusparseCreate(cusparseHandle_t *handle);
SLUICE_SPARSE cusparseDestroy(cusparseHandle_t handle);
SLUICE_SPARSE cusparseGetVersion(cusparseHandle_t handle, int *version);
SLUICE_SPARSE cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream);
SLUICE_SPARSE cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream);
SLUICE_SPARSE cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode);
SLUICE_SPARSE cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode);
__attribute__((visibility("default"))) const char *cusparseGetErrorName(cusparseStatus_t status);
__attribute__((visibility("default"))) const char *cusparseGetErrorString(cusparseStatus_t status);

SLUICE_SPARSE cusparseCreateMatDescr(cusparseMatDescr_t *desc);
SLUICE_SPARSE cusparseDestroyMatDescr(cusparseMatDescr_t desc);
SLUICE_SPARSE cusparseSetMatType(cusparseMatDescr_t desc, cusparseMatrixType_t type);
SLUICE_SPARSE cusparseSetMatIndexBase(cusparseMatDescr_t desc, cusparseIndexBase_t base);

SLUICE_SPARSE cusparseCreateCsr(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                void *row_offsets, void *column_indexes, void *values,
                                cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                cusparseIndexBase_t base, cudaDataType type);
SLUICE_SPARSE cusparseCreateCsc(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                void *column_offsets, void *row_indexes, void *values,
                                cusparseIndexType_t offset_type, cusparseIndexType_t index_type,
                                cusparseIndexBase_t base, cudaDataType type);
SLUICE_SPARSE cusparseCreateCoo(cusparseSpMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t nonzeros,
                                void *row_indexes, void *column_indexes, void *values,
                                cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type);
SLUICE_SPARSE cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix);
SLUICE_SPARSE cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns,
                                   int64_t *nonzeros);
SLUICE_SPARSE cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values);
SLUICE_SPARSE cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values,
                                  cudaDataType type);
SLUICE_SPARSE cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector);
SLUICE_SPARSE cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values);
SLUICE_SPARSE cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values);
SLUICE_SPARSE cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld,
                                  void *values, cudaDataType type, cusparseOrder_t order);
SLUICE_SPARSE cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix);

/* y = alpha op(A) x + beta y */
SLUICE_SPARSE cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                      const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                      cusparseSpMVAlg_t algorithm, size_t *bytes);
SLUICE_SPARSE cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                      cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x,
                                      const void *beta, cusparseDnVecDescr_t y, cudaDataType compute,
                                      cusparseSpMVAlg_t algorithm, void *buffer);
SLUICE_SPARSE cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                           cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                           cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                           void *buffer);
/* C = alpha op(A) op(B) + beta C */
SLUICE_SPARSE cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a,
                                      cusparseOperation_t op_b, const void *alpha,
                                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                      const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                      cusparseSpMMAlg_t algorithm, size_t *bytes);
SLUICE_SPARSE cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a,
                                      cusparseOperation_t op_b, const void *alpha,
                                      cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                      const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                      cusparseSpMMAlg_t algorithm, void *buffer);
SLUICE_SPARSE cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                           const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                           const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                           cusparseSpMMAlg_t algorithm, void *buffer);

#if defined(__cplusplus)
}
#endif

#endif
