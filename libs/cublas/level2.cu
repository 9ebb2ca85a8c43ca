/* A matrix and vectors: gemv, ger; and geam, which adds two matrices or transposes one. */
#include "blas.h"

enum { THREADS = 128, WARP = 32, TILE = 32, TILE_ROWS = 8 };

/* One thread per row, neighboring threads for neighboring rows: columns are read together. */
template <class T>
__global__ void gemv_columns(int m, int n, scalar<T> alpha, const T *a, int lda, vector<const T> x, scalar<T> beta, vector<T> y)
{
	__shared__ T part[THREADS];
	T al = alpha.get(), be = beta.get(), sum = 0;
	int row = blockIdx.x * THREADS + threadIdx.x;
	for (int first = 0; first < n; first += THREADS) {
		int count = n - first < THREADS ? n - first : THREADS;
		if (threadIdx.x < count)
			part[threadIdx.x] = x[first + threadIdx.x];
		__syncthreads();
		if (row < m)
			for (int j = 0; j < count; j++)
				sum += a[row + (long long)(first + j) * lda] * part[j];
		__syncthreads();
	}
	if (row < m)
		y[row] = al * sum + (be == T(0) ? T(0) : be * y[row]);
}

/* A warp a column: it adds what its lanes read of it. */
template <class T>
__global__ void gemv_rows(int m, int n, scalar<T> alpha, const T *a, int lda, vector<const T> x, scalar<T> beta, vector<T> y)
{
	T al = alpha.get(), be = beta.get(), sum = 0;
	int column = (blockIdx.x * THREADS + threadIdx.x) / WARP, lane = threadIdx.x % WARP;
	if (column >= n)
		return;
	for (int i = lane; i < m; i += WARP)
		sum += a[i + (long long)column * lda] * x[i];
	for (int d = WARP / 2; d; d /= 2)
		sum += __shfl_down_sync(0xffffffffu, sum, d);
	if (lane == 0)
		y[column] = al * sum + (be == T(0) ? T(0) : be * y[column]);
}

template <class T>
static cublasStatus_t run_gemv(cublasHandle_t handle, cublasOperation_t trans, int m, int n, const T *alpha, const T *a,
                               int lda, const T *x, int incx, const T *beta, T *y, int incy)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (m < 0 || n < 0 || !incx || !incy || lda < (m > 1 ? m : 1) || !is_operation(trans) || !alpha || !beta)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (!m || !n)
		return CUBLAS_STATUS_SUCCESS;
	scalar<T> al = scalar_of(handle, alpha), be = scalar_of(handle, beta);
	if (is_transposed(trans))
		gemv_rows<<<blocks_for((long long)n * WARP, THREADS, 1 << 30), THREADS, 0, handle->stream>>>(
		    m, n, al, a, lda, vector_of(x, m, incx), be, vector_of(y, n, incy));
	else
		gemv_columns<<<blocks_for(m, THREADS, 1 << 30), THREADS, 0, handle->stream>>>(
		    m, n, al, a, lda, vector_of(x, n, incx), be, vector_of(y, m, incy));
	return launched();
}

template <class T>
__global__ void ger(int m, int n, scalar<T> alpha, vector<const T> x, vector<const T> y, T *a, int lda)
{
	int row = blockIdx.x * THREADS + threadIdx.x, column = blockIdx.y;
	if (row < m)
		a[row + (long long)column * lda] += alpha.get() * x[row] * y[column];
}

template <class T>
static cublasStatus_t run_ger(cublasHandle_t handle, int m, int n, const T *alpha, const T *x, int incx, const T *y, int incy,
                              T *a, int lda)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (m < 0 || n < 0 || n > 65535 || !incx || !incy || lda < (m > 1 ? m : 1) || !alpha)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (!m || !n)
		return CUBLAS_STATUS_SUCCESS;
	ger<<<dim3(blocks_for(m, THREADS, 1 << 30), n), THREADS, 0, handle->stream>>>(
	    m, n, scalar_of(handle, alpha), vector_of(x, m, incx), vector_of(y, n, incy), a, lda);
	return launched();
}

/* ---- geam ------------------------------------------------------------------------------------------------------- */

/* A tile of op(a) in shared memory, read the way it lies. */
template <class T>
__device__ void load_tile(T (*tile)[TILE + 1], const T *a, int lda, bool is_turned, int row, int column, int m, int n)
{
	for (int i = threadIdx.y; i < TILE; i += TILE_ROWS) {
		int r = is_turned ? row + i : row + threadIdx.x, c = is_turned ? column + threadIdx.x : column + i;
		if (r < m && c < n)
			tile[c - column][r - row] = is_turned ? a[c + (long long)r * lda] : a[r + (long long)c * lda];
	}
}

template <class T>
__global__ void geam(bool turns_a, bool turns_b, int m, int n, scalar<T> alpha, const T *a, int lda, scalar<T> beta, const T *b,
                     int ldb, T *c, int ldc)
{
	__shared__ T from_a[TILE][TILE + 1], from_b[TILE][TILE + 1];
	int row = blockIdx.x * TILE, column = blockIdx.y * TILE;
	T al = alpha.get(), be = beta.get();
	if (al != T(0))
		load_tile(from_a, a, lda, turns_a, row, column, m, n);
	if (be != T(0))
		load_tile(from_b, b, ldb, turns_b, row, column, m, n);
	__syncthreads();
	for (int i = threadIdx.y; i < TILE; i += TILE_ROWS) {
		int r = row + threadIdx.x, k = column + i;
		if (r < m && k < n)
			c[r + (long long)k * ldc] = (al != T(0) ? al * from_a[i][threadIdx.x] : T(0)) +
			                            (be != T(0) ? be * from_b[i][threadIdx.x] : T(0));
	}
}

template <class T>
static cublasStatus_t run_geam(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                               const T *alpha, const T *a, int lda, const T *beta, const T *b, int ldb, T *c, int ldc)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (m < 0 || n < 0 || ldc < m || !is_operation(transa) || !is_operation(transb) || !alpha || !beta)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (!m || !n)
		return CUBLAS_STATUS_SUCCESS;
	dim3 grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE), block(TILE, TILE_ROWS);
	geam<<<grid, block, 0, handle->stream>>>(is_transposed(transa), is_transposed(transb), m, n, scalar_of(handle, alpha), a,
	                                         lda, scalar_of(handle, beta), b, ldb, c, ldc);
	return launched();
}

extern "C" {

#define MATRICES(S, T)                                                                                       \
	cublasStatus_t cublas##S##gemv_v2(cublasHandle_t handle, cublasOperation_t trans, int m, int n,      \
	                                  const T *alpha, const T *a, int lda, const T *x, int incx,         \
	                                  const T *beta, T *y, int incy)                                     \
	{                                                                                                    \
		return run_gemv(handle, trans, m, n, alpha, a, lda, x, incx, beta, y, incy);                 \
	}                                                                                                    \
	cublasStatus_t cublas##S##ger_v2(cublasHandle_t handle, int m, int n, const T *alpha, const T *x,    \
	                                 int incx, const T *y, int incy, T *a, int lda)                      \
	{                                                                                                    \
		return run_ger(handle, m, n, alpha, x, incx, y, incy, a, lda);                               \
	}                                                                                                    \
	cublasStatus_t cublas##S##geam(cublasHandle_t handle, cublasOperation_t transa,                      \
	                               cublasOperation_t transb, int m, int n, const T *alpha, const T *a,   \
	                               int lda, const T *beta, const T *b, int ldb, T *c, int ldc)           \
	{                                                                                                    \
		return run_geam(handle, transa, transb, m, n, alpha, a, lda, beta, b, ldb, c, ldc);          \
	}
MATRICES(S, float)
MATRICES(D, double)
}
