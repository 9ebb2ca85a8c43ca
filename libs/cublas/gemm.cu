/*
 * C = alpha op(A) op(B) + beta C: a block computes a tile of 64 x 64, a thread
 * 4 x 4 of it, from slices of 16 in shared memory. Halves and bfloat16s are
 * multiplied and added as floats, eight-bit integers as integers.
 */
#include "blas.h"

enum { TILE = 64, DEPTH = 16, SIDE = 16, EACH = TILE / SIDE, THREADS = SIDE * SIDE };

template <class T> __device__ float widen(T x)
{
	return (float)x;
}
__device__ double widen(double x)
{
	return x;
}
__device__ int widen(signed char x)
{
	return x;
}

/* Matrices of a batch: by a stride, or each by its own pointer. */
template <class T> struct operand {
	T *first;
	T *const *each;
	long long stride;
	int ld;

	__device__ T *of(int batch) const
	{
		return each ? each[batch] : first + stride * batch;
	}
};

struct shape {
	int m, n, k;
	bool turns_a, turns_b;
};

/*
 * DEPTH x TILE elements of `a`, whose columns are `ld` apart. Lines of the slice run along the columns of a matrix that
 * is not turned, so that neighbours in memory are read by neighbours.
 */
template <class In, class Acc>
__device__ void load_slice(Acc (*slice)[TILE + 1], const In *a, int ld, bool along_depth, int line, int lines, int depth, int depths)
{
	for (int t = threadIdx.x; t < TILE * DEPTH; t += THREADS) {
		int l = along_depth ? t / DEPTH : t % TILE, d = along_depth ? t % DEPTH : t / TILE;
		bool is_inside = line + l < lines && depth + d < depths;
		long long at = along_depth ? depth + d + (long long)(line + l) * ld : line + l + (long long)(depth + d) * ld;
		slice[d][l] = is_inside ? widen(a[at]) : Acc(0);
	}
}

template <class In, class Out, class Acc, class Scalar>
__global__ __launch_bounds__(THREADS) void gemm(shape s, scalar<Scalar> alpha, operand<const In> as, operand<const In> bs,
                                                scalar<Scalar> beta, operand<Out> cs)
{
	__shared__ Acc from_a[DEPTH][TILE + 1], from_b[DEPTH][TILE + 1];
	const In *a = as.of(blockIdx.z), *b = bs.of(blockIdx.z);
	int row = blockIdx.x * TILE, column = blockIdx.y * TILE, x = threadIdx.x % SIDE, y = threadIdx.x / SIDE;
	Acc sum[EACH][EACH] = {};
	for (int depth = 0; depth < s.k; depth += DEPTH) {
		load_slice(from_a, a, as.ld, s.turns_a, row, s.m, depth, s.k);
		load_slice(from_b, b, bs.ld, !s.turns_b, column, s.n, depth, s.k);
		__syncthreads();
#pragma unroll
		for (int d = 0; d < DEPTH; d++) {
			Acc left[EACH], right[EACH];
#pragma unroll
			for (int i = 0; i < EACH; i++)
				left[i] = from_a[d][x + i * SIDE], right[i] = from_b[d][y + i * SIDE];
#pragma unroll
			for (int i = 0; i < EACH; i++)
#pragma unroll
				for (int j = 0; j < EACH; j++)
					sum[i][j] += left[i] * right[j];
		}
		__syncthreads();
	}
	Out *c = cs.of(blockIdx.z);
	Acc al = (Acc)alpha.get(), be = (Acc)beta.get();
	for (int j = 0; j < EACH; j++)
		for (int i = 0; i < EACH; i++) {
			int r = row + x + i * SIDE, k = column + y + j * SIDE;
			if (r >= s.m || k >= s.n)
				continue;
			Out *to = c + r + (long long)k * cs.ld;
			*to = (Out)(al * sum[i][j] + (be == Acc(0) ? Acc(0) : be * (Acc)*to));
		}
}

template <class In, class Out, class Acc, class Scalar>
static cublasStatus_t run_gemm(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                               const Scalar *alpha, operand<const In> a, operand<const In> b, const Scalar *beta,
                               operand<Out> c, int count)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	int rows_a = is_transposed(transa) ? k : m, rows_b = is_transposed(transb) ? n : k;
	if (m < 0 || n < 0 || k < 0 || count < 0 || a.ld < rows_a || b.ld < rows_b || c.ld < m || !alpha || !beta ||
	    !is_operation(transa) || !is_operation(transb) || (n + TILE - 1) / TILE > 65535 || count > 65535)
		return CUBLAS_STATUS_INVALID_VALUE;
	if (!m || !n || !count)
		return CUBLAS_STATUS_SUCCESS;
	shape s = {m, n, k, is_transposed(transa), is_transposed(transb)};
	dim3 grid((m + TILE - 1) / TILE, (n + TILE - 1) / TILE, count);
	gemm<In, Out, Acc, Scalar><<<grid, THREADS, 0, handle->stream>>>(s, scalar_of(handle, alpha), a, b,
	                                                                 scalar_of(handle, beta), c);
	return launched();
}

template <class T> static operand<T> one(T *first, int ld, long long stride = 0)
{
	operand<T> o = {first, nullptr, stride, ld};
	return o;
}

template <class T> static operand<T> batch(T *const *each, int ld)
{
	operand<T> o = {nullptr, each, 0, ld};
	return o;
}

/* ---- mixed types -------------------------------------------------------------------------------------------------- */

struct mixed {
	cublasHandle_t handle;
	cublasOperation_t transa, transb;
	int m, n, k;
	const void *alpha, *a, *b, *beta;
	void *c;
	int lda, ldb, ldc;
	long long stride_a, stride_b, stride_c;
	int count;
};

template <class In, class Out, class Acc, class Scalar> static cublasStatus_t run_mixed(const mixed &g)
{
	return run_gemm<In, Out, Acc, Scalar>(g.handle, g.transa, g.transb, g.m, g.n, g.k, (const Scalar *)g.alpha,
	                                      one((const In *)g.a, g.lda, g.stride_a), one((const In *)g.b, g.ldb, g.stride_b),
	                                      (const Scalar *)g.beta, one((Out *)g.c, g.ldc, g.stride_c), g.count);
}

/* One type of A and B, one of C, and what the sums are kept in. */
static cublasStatus_t run_types(const mixed &g, cudaDataType in, cudaDataType out, cublasComputeType_t compute)
{
	bool is_half = compute == CUBLAS_COMPUTE_16F || compute == CUBLAS_COMPUTE_16F_PEDANTIC;
	bool is_double = compute == CUBLAS_COMPUTE_64F || compute == CUBLAS_COMPUTE_64F_PEDANTIC;
	bool is_integer = compute == CUBLAS_COMPUTE_32I || compute == CUBLAS_COMPUTE_32I_PEDANTIC;
	if (is_half)
		return in == CUDA_R_16F && out == CUDA_R_16F ? run_mixed<__half, __half, float, __half>(g)
		                                             : CUBLAS_STATUS_NOT_SUPPORTED;
	if (is_double)
		return in == CUDA_R_64F && out == CUDA_R_64F ? run_mixed<double, double, double, double>(g)
		                                             : CUBLAS_STATUS_NOT_SUPPORTED;
	if (is_integer)
		return in == CUDA_R_8I && out == CUDA_R_32I ? run_mixed<signed char, int, int, int>(g)
		                                            : CUBLAS_STATUS_NOT_SUPPORTED;
	if (in == CUDA_R_32F && out == CUDA_R_32F)
		return run_mixed<float, float, float, float>(g);
	if (in == CUDA_R_16F && out == CUDA_R_16F)
		return run_mixed<__half, __half, float, float>(g);
	if (in == CUDA_R_16F && out == CUDA_R_32F)
		return run_mixed<__half, float, float, float>(g);
	if (in == CUDA_R_16BF && out == CUDA_R_16BF)
		return run_mixed<__nv_bfloat16, __nv_bfloat16, float, float>(g);
	if (in == CUDA_R_16BF && out == CUDA_R_32F)
		return run_mixed<__nv_bfloat16, float, float, float>(g);
	return CUBLAS_STATUS_NOT_SUPPORTED;
}

extern "C" {

#define GEMMS(S, T, Acc, suffix)                                                                             \
	cublasStatus_t cublas##S##gemm##suffix(cublasHandle_t handle, cublasOperation_t transa,              \
	                                       cublasOperation_t transb, int m, int n, int k,                \
	                                       const T *alpha, const T *a, int lda, const T *b, int ldb,     \
	                                       const T *beta, T *c, int ldc)                                 \
	{                                                                                                    \
		return run_gemm<T, T, Acc, T>(handle, transa, transb, m, n, k, alpha, one(a, lda),           \
		                              one(b, ldb), beta, one(c, ldc), 1);                            \
	}                                                                                                    \
	cublasStatus_t cublas##S##gemmStridedBatched(                                                        \
	    cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,  \
	    const T *alpha, const T *a, int lda, long long stride_a, const T *b, int ldb,                    \
	    long long stride_b, const T *beta, T *c, int ldc, long long stride_c, int count)                 \
	{                                                                                                    \
		return run_gemm<T, T, Acc, T>(handle, transa, transb, m, n, k, alpha,                        \
		                              one(a, lda, stride_a), one(b, ldb, stride_b), beta,            \
		                              one(c, ldc, stride_c), count);                                 \
	}
#define GEMM_BATCHED(S, T)                                                                                   \
	cublasStatus_t cublas##S##gemmBatched(cublasHandle_t handle, cublasOperation_t transa,               \
	                                      cublasOperation_t transb, int m, int n, int k, const T *alpha, \
	                                      const T *const a[], int lda, const T *const b[], int ldb,      \
	                                      const T *beta, T *const c[], int ldc, int count)               \
	{                                                                                                    \
		return run_gemm<T, T, T, T>(handle, transa, transb, m, n, k, alpha, batch(a, lda),           \
		                            batch(b, ldb), beta, batch(c, ldc), count);                      \
	}
GEMMS(S, float, float, _v2)
GEMMS(D, double, double, _v2)
GEMMS(H, __half, float, )
GEMM_BATCHED(S, float)
GEMM_BATCHED(D, double)

cublasStatus_t cublasGemmStridedBatchedEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n,
                                          int k, const void *alpha, const void *a, cudaDataType type_a, int lda,
                                          long long stride_a, const void *b, cudaDataType type_b, int ldb, long long stride_b,
                                          const void *beta, void *c, cudaDataType type_c, int ldc, long long stride_c, int count,
                                          cublasComputeType_t compute, cublasGemmAlgo_t)
{
	mixed g = {handle, transa, transb, m, n, k, alpha, a, b, beta, c, lda, ldb, ldc, stride_a, stride_b, stride_c, count};
	return type_a == type_b ? run_types(g, type_a, type_c, compute) : CUBLAS_STATUS_NOT_SUPPORTED;
}

cublasStatus_t cublasGemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                            const void *alpha, const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                            int ldb, const void *beta, void *c, cudaDataType type_c, int ldc, cublasComputeType_t compute,
                            cublasGemmAlgo_t algorithm)
{
	return cublasGemmStridedBatchedEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, 0, b, type_b, ldb, 0, beta, c,
	                                  type_c, ldc, 0, 1, compute, algorithm);
}

cublasStatus_t cublasSgemmEx(cublasHandle_t handle, cublasOperation_t transa, cublasOperation_t transb, int m, int n, int k,
                             const float *alpha, const void *a, cudaDataType type_a, int lda, const void *b, cudaDataType type_b,
                             int ldb, const float *beta, void *c, cudaDataType type_c, int ldc)
{
	return cublasGemmEx(handle, transa, transb, m, n, k, alpha, a, type_a, lda, b, type_b, ldb, beta, c, type_c, ldc,
	                    CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT);
}
}
