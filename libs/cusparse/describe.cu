/* Handles and descriptions of matrices and vectors. */
#include "sparse.h"

cusparseStatus_t cusparseCreate(cusparseHandle_t *handle)
{
	if (!handle)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*handle = new cusparseContext();
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroy(cusparseHandle_t handle)
{
	delete handle;
	return handle ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_NOT_INITIALIZED;
}

template <class T> static cusparseStatus_t give(cusparseHandle_t handle, T *to, T value)
{
	if (!handle || !to)
		return handle ? CUSPARSE_STATUS_INVALID_VALUE : CUSPARSE_STATUS_NOT_INITIALIZED;
	*to = value;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseGetVersion(cusparseHandle_t handle, int *version)
{
	return give(handle, version, CUSPARSE_VERSION);
}

cusparseStatus_t cusparseSetStream(cusparseHandle_t handle, cudaStream_t stream)
{
	return give(handle, handle ? &handle->stream : nullptr, stream);
}

cusparseStatus_t cusparseGetStream(cusparseHandle_t handle, cudaStream_t *stream)
{
	return give(handle, stream, handle ? handle->stream : nullptr);
}

cusparseStatus_t cusparseSetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t mode)
{
	return give(handle, handle ? &handle->pointer_mode : nullptr, mode);
}

cusparseStatus_t cusparseGetPointerMode(cusparseHandle_t handle, cusparsePointerMode_t *mode)
{
	return give(handle, mode, handle ? handle->pointer_mode : CUSPARSE_POINTER_MODE_HOST);
}

const char *cusparseGetErrorName(cusparseStatus_t status)
{
	static const char *const names[] = {
	    "CUSPARSE_STATUS_SUCCESS",          "CUSPARSE_STATUS_NOT_INITIALIZED",
	    "CUSPARSE_STATUS_ALLOC_FAILED",     "CUSPARSE_STATUS_INVALID_VALUE",
	    "CUSPARSE_STATUS_ARCH_MISMATCH",    "CUSPARSE_STATUS_MAPPING_ERROR",
	    "CUSPARSE_STATUS_EXECUTION_FAILED", "CUSPARSE_STATUS_INTERNAL_ERROR",
	    "CUSPARSE_STATUS_MATRIX_TYPE_NOT_SUPPORTED", "CUSPARSE_STATUS_ZERO_PIVOT",
	    "CUSPARSE_STATUS_NOT_SUPPORTED",    "CUSPARSE_STATUS_INSUFFICIENT_RESOURCES"};
	return (unsigned)status < sizeof names / sizeof *names ? names[status] : "unrecognized error code";
}

const char *cusparseGetErrorString(cusparseStatus_t status)
{
	static const char *const texts[] = {"success", "initialization error", "out of memory", "invalid value",
	                                    "invalid architecture", "texture access error", "kernel launch failure",
	                                    "internal error", "matrix type not supported", "zero pivot",
	                                    "operation not supported", "insufficient resources"};
	return (unsigned)status < sizeof texts / sizeof *texts ? texts[status] : "unrecognized error code";
}

/* ---- descriptions --------------------------------------------------------------------------------------------- */

cusparseStatus_t cusparseCreateMatDescr(cusparseMatDescr_t *desc)
{
	if (!desc)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*desc = new cusparseMatDescr();
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyMatDescr(cusparseMatDescr_t desc)
{
	delete desc;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetMatType(cusparseMatDescr_t desc, cusparseMatrixType_t type)
{
	if (!desc || (unsigned)type > CUSPARSE_MATRIX_TYPE_TRIANGULAR)
		return CUSPARSE_STATUS_INVALID_VALUE;
	desc->type = type;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSetMatIndexBase(cusparseMatDescr_t desc, cusparseIndexBase_t base)
{
	if (!desc || (unsigned)base > CUSPARSE_INDEX_BASE_ONE)
		return CUSPARSE_STATUS_INVALID_VALUE;
	desc->base = base;
	return CUSPARSE_STATUS_SUCCESS;
}

static bool is_index(cusparseIndexType_t type)
{
	return type == CUSPARSE_INDEX_32I || type == CUSPARSE_INDEX_64I;
}

static cusparseStatus_t make(cusparseSpMatDescr_t *out, const cusparseSpMatDescr &matrix)
{
	if (!out || matrix.rows < 0 || matrix.columns < 0 || matrix.nonzeros < 0 || (unsigned)matrix.base > 1 ||
	    (matrix.nonzeros && (!matrix.lines || !matrix.indexes || !matrix.values)))
		return CUSPARSE_STATUS_INVALID_VALUE;
	if (!is_index(matrix.line_type) || !is_index(matrix.index_type))
		return CUSPARSE_STATUS_NOT_SUPPORTED;
	*out = new cusparseSpMatDescr(matrix);
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateCsr(cusparseSpMatDescr_t *out, int64_t rows, int64_t columns, int64_t nonzeros,
                                   void *row_offsets, void *column_indexes, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
	return make(out, {CUSPARSE_FORMAT_CSR, rows, columns, nonzeros, row_offsets, column_indexes, values, offset_type,
	                  index_type, base, type});
}

cusparseStatus_t cusparseCreateCsc(cusparseSpMatDescr_t *out, int64_t rows, int64_t columns, int64_t nonzeros,
                                   void *column_offsets, void *row_indexes, void *values, cusparseIndexType_t offset_type,
                                   cusparseIndexType_t index_type, cusparseIndexBase_t base, cudaDataType type)
{
	return make(out, {CUSPARSE_FORMAT_CSC, rows, columns, nonzeros, column_offsets, row_indexes, values, offset_type,
	                  index_type, base, type});
}

cusparseStatus_t cusparseCreateCoo(cusparseSpMatDescr_t *out, int64_t rows, int64_t columns, int64_t nonzeros,
                                   void *row_indexes, void *column_indexes, void *values, cusparseIndexType_t index_type,
                                   cusparseIndexBase_t base, cudaDataType type)
{
	return make(out, {CUSPARSE_FORMAT_COO, rows, columns, nonzeros, row_indexes, column_indexes, values, index_type,
	                  index_type, base, type});
}

cusparseStatus_t cusparseDestroySpMat(cusparseConstSpMatDescr_t matrix)
{
	delete matrix;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatGetSize(cusparseConstSpMatDescr_t matrix, int64_t *rows, int64_t *columns, int64_t *nonzeros)
{
	if (!matrix || !rows || !columns || !nonzeros)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*rows = matrix->rows, *columns = matrix->columns, *nonzeros = matrix->nonzeros;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseSpMatSetValues(cusparseSpMatDescr_t matrix, void *values)
{
	if (!matrix || !values)
		return CUSPARSE_STATUS_INVALID_VALUE;
	matrix->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnVec(cusparseDnVecDescr_t *vector, int64_t size, void *values, cudaDataType type)
{
	if (!vector || size < 0 || (size && !values))
		return CUSPARSE_STATUS_INVALID_VALUE;
	*vector = new cusparseDnVecDescr{size, values, type};
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyDnVec(cusparseConstDnVecDescr_t vector)
{
	delete vector;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecSetValues(cusparseDnVecDescr_t vector, void *values)
{
	if (!vector || !values)
		return CUSPARSE_STATUS_INVALID_VALUE;
	vector->values = values;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDnVecGetValues(cusparseDnVecDescr_t vector, void **values)
{
	if (!vector || !values)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*values = vector->values;
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseCreateDnMat(cusparseDnMatDescr_t *matrix, int64_t rows, int64_t columns, int64_t ld, void *values,
                                     cudaDataType type, cusparseOrder_t order)
{
	if (!matrix || rows < 0 || columns < 0 || (rows && columns && !values) ||
	    (order != CUSPARSE_ORDER_COL && order != CUSPARSE_ORDER_ROW) ||
	    ld < (order == CUSPARSE_ORDER_COL ? rows : columns))
		return CUSPARSE_STATUS_INVALID_VALUE;
	*matrix = new cusparseDnMatDescr{rows, columns, ld, values, type, order};
	return CUSPARSE_STATUS_SUCCESS;
}

cusparseStatus_t cusparseDestroyDnMat(cusparseConstDnMatDescr_t matrix)
{
	delete matrix;
	return CUSPARSE_STATUS_SUCCESS;
}
