/*
 * C = alpha op(A) op(B) + beta C; a vector is a matrix of one column. Lines of the sparse matrix that are rows of the
 * result (CSR, or CSC turned) are summed by a warp each, in a fixed order; elements of all others are added to the result by
 * atomics, after it has been multiplied by beta, so that the last bits of such sums depend on the order.
 */
#include "sparse.h"

enum { THREADS = 128, WARP = 32 };

static __device__ long long index_at(const void *from, int type, long long i)
{
	return type == CUSPARSE_INDEX_64I ? ((const long long *)from)[i] : ((const int *)from)[i];
}

/* A sparse matrix whose lines are rows of the result, or columns of it. */
struct lines {
	const void *offsets, *indexes, *values;
	int offset_type, index_type, base;
	long long count, elements;
};

/* Element (i, j) at i * row + j * column. */
template <class T> struct dense {
	T *at;
	long long row, column;

	__device__ T &operator()(long long i, long long j) const
	{
		return at[i * row + j * column];
	}
};

template <class T> struct scalars {
	T alpha, beta;
	const T *alpha_at, *beta_at; /* on the device */

	__device__ T get_alpha() const
	{
		return alpha_at ? *alpha_at : alpha;
	}
	__device__ T get_beta() const
	{
		return beta_at ? *beta_at : beta;
	}
};

/* beta 0: what is there, perhaps no number, does not count. */
template <class T> static __device__ T keep(T beta, T old)
{
	return beta == 0 ? T(0) : beta * old;
}

template <class T> static __global__ void rows_product(lines a, scalars<T> s, dense<const T> b, dense<T> c)
{
	long long row = (blockIdx.x * (long long)blockDim.x + threadIdx.x) / WARP, j = blockIdx.y;
	int lane = threadIdx.x % WARP;
	if (row >= a.count)
		return;
	long long first = index_at(a.offsets, a.offset_type, row) - a.base;
	long long end = index_at(a.offsets, a.offset_type, row + 1) - a.base;
	T sum = 0;
	for (long long i = first + lane; i < end; i += WARP)
		sum += ((const T *)a.values)[i] * b(index_at(a.indexes, a.index_type, i) - a.base, j);
	for (int step = WARP / 2; step; step /= 2)
		sum += __shfl_down_sync(0xffffffff, sum, step);
	if (lane == 0)
		c(row, j) = s.get_alpha() * sum + keep(s.get_beta(), c(row, j));
}

template <class T> static __global__ void scale(long long rows, scalars<T> s, dense<T> c)
{
	long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, j = blockIdx.y;
	if (i < rows)
		c(i, j) = keep(s.get_beta(), c(i, j));
}

/* Lines are rows of B: each element adds to the row of C that its index names. */
template <class T> static __global__ void columns_product(lines a, scalars<T> s, dense<const T> b, dense<T> c)
{
	long long line = (blockIdx.x * (long long)blockDim.x + threadIdx.x) / WARP, j = blockIdx.y;
	if (line >= a.count)
		return;
	long long first = index_at(a.offsets, a.offset_type, line) - a.base;
	long long end = index_at(a.offsets, a.offset_type, line + 1) - a.base;
	for (long long i = first + threadIdx.x % WARP; i < end; i += WARP)
		atomicAdd(&c(index_at(a.indexes, a.index_type, i) - a.base, j),
		          s.get_alpha() * ((const T *)a.values)[i] * b(line, j));
}

/* A thread per element: `offsets` is its row. */
template <class T>
static __global__ void elements_product(lines a, bool is_turned, scalars<T> s, dense<const T> b, dense<T> c)
{
	long long i = blockIdx.x * (long long)blockDim.x + threadIdx.x, j = blockIdx.y;
	if (i >= a.elements)
		return;
	long long row = index_at(a.offsets, a.offset_type, i) - a.base, column = index_at(a.indexes, a.index_type, i) - a.base;
	atomicAdd(&c(is_turned ? column : row, j), s.get_alpha() * ((const T *)a.values)[i] * b(is_turned ? row : column, j));
}

static unsigned blocks(long long threads)
{
	return (unsigned)((threads + THREADS - 1) / THREADS);
}

struct request {
	cusparseHandle_t handle;
	bool is_turned;
	const void *alpha, *beta;
	cusparseConstSpMatDescr_t a;
	long long rows, columns; /* of the result */
	const void *b;
	long long b_row, b_column;
	void *c;
	long long c_row, c_column;
};

template <class T> static cusparseStatus_t run(const request &r)
{
	cudaStream_t stream = r.handle->stream;
	cusparseConstSpMatDescr_t a = r.a;
	bool is_coo = a->format == CUSPARSE_FORMAT_COO, is_csr = a->format == CUSPARSE_FORMAT_CSR;
	lines l = {a->lines, a->indexes, a->values, a->line_type, a->index_type, a->base, is_csr ? a->rows : a->columns,
	           a->nonzeros};
	scalars<T> s = {};
	if (r.handle->pointer_mode == CUSPARSE_POINTER_MODE_DEVICE)
		s.alpha_at = (const T *)r.alpha, s.beta_at = (const T *)r.beta;
	else
		s.alpha = *(const T *)r.alpha, s.beta = *(const T *)r.beta;
	dense<const T> b = {(const T *)r.b, r.b_row, r.b_column};
	dense<T> c = {(T *)r.c, r.c_row, r.c_column};
	unsigned wide = (unsigned)r.columns;
	if (!r.rows || !wide)
		return CUSPARSE_STATUS_SUCCESS;
	if (!is_coo && is_csr != r.is_turned) {
		rows_product<T><<<dim3(blocks(l.count * WARP), wide), THREADS, 0, stream>>>(l, s, b, c);
	} else {
		scale<T><<<dim3(blocks(r.rows), wide), THREADS, 0, stream>>>(r.rows, s, c);
		if (is_coo && l.elements)
			elements_product<T><<<dim3(blocks(l.elements), wide), THREADS, 0, stream>>>(l, r.is_turned, s, b, c);
		else if (!is_coo && l.count)
			columns_product<T><<<dim3(blocks(l.count * WARP), wide), THREADS, 0, stream>>>(l, s, b, c);
	}
	return cudaPeekAtLastError() == cudaSuccess ? CUSPARSE_STATUS_SUCCESS : CUSPARSE_STATUS_EXECUTION_FAILED;
}

static cusparseStatus_t run_typed(const request &r, cudaDataType compute)
{
	if (compute == CUDA_R_32F)
		return run<float>(r);
	return run<double>(r);
}

static cusparseStatus_t check_types(cudaDataType a, cudaDataType b, cudaDataType c, cudaDataType compute)
{
	return a == b && b == c && c == compute && (compute == CUDA_R_32F || compute == CUDA_R_64F)
	           ? CUSPARSE_STATUS_SUCCESS
	           : CUSPARSE_STATUS_NOT_SUPPORTED;
}

static bool turns(cusparseOperation_t op)
{
	return op != CUSPARSE_OPERATION_NON_TRANSPOSE;
}

/* ---- with a vector -------------------------------------------------------------------------------------------- */

static cusparseStatus_t check_vector(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                     cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                     cusparseDnVecDescr_t y, cudaDataType compute)
{
	if (!handle)
		return CUSPARSE_STATUS_NOT_INITIALIZED;
	if (!alpha || !beta || !a || !x || !y || x->size != (turns(op) ? a->rows : a->columns) ||
	    y->size != (turns(op) ? a->columns : a->rows))
		return CUSPARSE_STATUS_INVALID_VALUE;
	return check_types(a->type, x->type, y->type, compute);
}

cusparseStatus_t cusparseSpMV_bufferSize(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                         size_t *bytes)
{
	(void)algorithm;
	if (!bytes)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*bytes = 0;
	return check_vector(handle, op, alpha, a, x, beta, y, compute);
}

cusparseStatus_t cusparseSpMV_preprocess(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                                         cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                                         cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm,
                                         void *buffer)
{
	(void)algorithm, (void)buffer;
	return check_vector(handle, op, alpha, a, x, beta, y, compute);
}

cusparseStatus_t cusparseSpMV(cusparseHandle_t handle, cusparseOperation_t op, const void *alpha,
                              cusparseConstSpMatDescr_t a, cusparseConstDnVecDescr_t x, const void *beta,
                              cusparseDnVecDescr_t y, cudaDataType compute, cusparseSpMVAlg_t algorithm, void *buffer)
{
	(void)algorithm, (void)buffer;
	cusparseStatus_t status = check_vector(handle, op, alpha, a, x, beta, y, compute);
	if (status != CUSPARSE_STATUS_SUCCESS)
		return status;
	return run_typed({handle, turns(op), alpha, beta, a, y->size, 1, x->values, 1, x->size, y->values, 1, y->size}, compute);
}

/* ---- with a matrix -------------------------------------------------------------------------------------------- */

static cusparseStatus_t check_matrix(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                     const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                     const void *beta, cusparseDnMatDescr_t c, cudaDataType compute)
{
	if (!handle)
		return CUSPARSE_STATUS_NOT_INITIALIZED;
	if (!alpha || !beta || !a || !b || !c)
		return CUSPARSE_STATUS_INVALID_VALUE;
	int64_t rows = turns(op_a) ? a->columns : a->rows, inner = turns(op_a) ? a->rows : a->columns;
	int64_t b_rows = turns(op_b) ? b->columns : b->rows, b_columns = turns(op_b) ? b->rows : b->columns;
	if (b_rows != inner || c->rows != rows || c->columns != b_columns || c->columns > 65535)
		return CUSPARSE_STATUS_INVALID_VALUE;
	return check_types(a->type, b->type, c->type, compute);
}

cusparseStatus_t cusparseSpMM_bufferSize(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t algorithm, size_t *bytes)
{
	(void)algorithm;
	if (!bytes)
		return CUSPARSE_STATUS_INVALID_VALUE;
	*bytes = 0;
	return check_matrix(handle, op_a, op_b, alpha, a, b, beta, c, compute);
}

cusparseStatus_t cusparseSpMM_preprocess(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                                         const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b,
                                         const void *beta, cusparseDnMatDescr_t c, cudaDataType compute,
                                         cusparseSpMMAlg_t algorithm, void *buffer)
{
	(void)algorithm, (void)buffer;
	return check_matrix(handle, op_a, op_b, alpha, a, b, beta, c, compute);
}

cusparseStatus_t cusparseSpMM(cusparseHandle_t handle, cusparseOperation_t op_a, cusparseOperation_t op_b,
                              const void *alpha, cusparseConstSpMatDescr_t a, cusparseConstDnMatDescr_t b, const void *beta,
                              cusparseDnMatDescr_t c, cudaDataType compute, cusparseSpMMAlg_t algorithm, void *buffer)
{
	(void)algorithm, (void)buffer;
	cusparseStatus_t status = check_matrix(handle, op_a, op_b, alpha, a, b, beta, c, compute);
	if (status != CUSPARSE_STATUS_SUCCESS)
		return status;
	bool b_by_rows = (b->order == CUSPARSE_ORDER_ROW) != turns(op_b), c_by_rows = c->order == CUSPARSE_ORDER_ROW;
	return run_typed({handle, turns(op_a), alpha, beta, a, c->rows, c->columns, b->values, b_by_rows ? b->ld : 1,
	                  b_by_rows ? 1 : b->ld, c->values, c_by_rows ? c->ld : 1, c_by_rows ? 1 : c->ld},
	                 compute);
}
