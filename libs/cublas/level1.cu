/*
 * Vectors. Reductions go in two steps, so that their result does not depend
 * on the order in which blocks end: every block leaves a part, one block adds
 * the parts.
 */
#include "blas.h"

enum { THREADS = 256 };

/* ---- element by element ----------------------------------------------------------------------------------------- */

template <class T> struct axpy_op {
	__device__ void operator()(T alpha, const T &x, T &y) const
	{
		y += alpha * x;
	}
};
template <class T> struct copy_op {
	__device__ void operator()(T, const T &x, T &y) const
	{
		y = x;
	}
};
template <class T> struct scal_op {
	__device__ void operator()(T alpha, const T &, T &y) const
	{
		y *= alpha;
	}
};
template <class T> struct swap_op {
	__device__ void operator()(T, const T &x, T &y) const
	{
		T old = y;
		y = x;
		const_cast<T &>(x) = old;
	}
};

template <class T, class Op> __global__ void elements(int n, scalar<T> alpha, vector<const T> x, vector<T> y, Op op)
{
	T a = alpha.get();
	for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < n; i += (long long)gridDim.x * THREADS)
		op(a, x[i], y[i]);
}

template <class T, class Op>
static cublasStatus_t run_elements(cublasHandle_t handle, int n, const T *alpha, const T *x, int incx, T *y, int incy, Op op)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (n <= 0)
		return CUBLAS_STATUS_SUCCESS;
	scalar<T> a = {T(), nullptr};
	if (alpha)
		a = scalar_of(handle, alpha);
	elements<<<blocks_for(n, THREADS, 1024), THREADS, 0, handle->stream>>>(n, a, vector_of(x, n, incx),
	                                                                       vector_of(y, n, incy), op);
	return launched();
}

/* ---- reductions ------------------------------------------------------------------------------------------------- */

/* A number and where it was found. */
template <class T> struct place {
	T value;
	int index;
};

/* How a reduction begins with an element, joins two parts, and what comes out in the end. */
template <class T> struct sum_of_magnitudes {
	typedef T part;
	typedef T result;
	__device__ part none() const
	{
		return 0;
	}
	__device__ part take(T x, T, int) const
	{
		return x < 0 ? -x : x;
	}
	__device__ part join(part a, part b) const
	{
		return a + b;
	}
	__device__ result finish(part a) const
	{
		return a;
	}
};

template <class T> struct sum_of_products : sum_of_magnitudes<T> {
	__device__ T take(T x, T y, int) const
	{
		return x * y;
	}
};

/* Squares of a float are exact in double and do not overflow there. */
struct norm_of_floats {
	typedef double part;
	typedef float result;
	__device__ part none() const
	{
		return 0;
	}
	__device__ part take(float x, float, int) const
	{
		return (double)x * x;
	}
	__device__ part join(part a, part b) const
	{
		return a + b;
	}
	__device__ result finish(part a) const
	{
		return (float)sqrt(a);
	}
};

/* scale^2 * sum: squares of doubles may overflow or vanish. */
struct norm_of_doubles {
	struct part {
		double scale, sum;
	};
	typedef double result;
	__device__ part none() const
	{
		part p = {0, 0};
		return p;
	}
	__device__ part take(double x, double, int) const
	{
		part p = {fabs(x), x ? 1.0 : 0.0};
		return p;
	}
	__device__ part join(part a, part b) const
	{
		if (a.scale < b.scale) {
			part t = a;
			a = b;
			b = t;
		}
		if (b.scale > 0)
			a.sum += b.sum * (b.scale / a.scale) * (b.scale / a.scale);
		return a;
	}
	__device__ result finish(part a) const
	{
		return a.scale * sqrt(a.sum);
	}
};

/* The first of the largest (or smallest) magnitudes; counted from 1. */
template <class T, bool IS_MAX> struct extreme {
	typedef place<T> part;
	typedef int result;
	__device__ part none() const
	{
		part p = {0, 0x7fffffff};
		return p;
	}
	__device__ part take(T x, T, int i) const
	{
		part p = {x < 0 ? -x : x, i};
		return p;
	}
	__device__ part join(part a, part b) const
	{
		if (a.index == 0x7fffffff || b.index == 0x7fffffff)
			return a.index == 0x7fffffff ? b : a;
		if (a.value == b.value)
			return a.index < b.index ? a : b;
		return (a.value > b.value) == IS_MAX ? a : b;
	}
	__device__ result finish(part a) const
	{
		return a.index + 1;
	}
};

/* Of a block, in the order of its threads. */
template <class Op> __device__ typename Op::part join_block(typename Op::part mine, Op op)
{
	__shared__ typename Op::part parts[THREADS];
	parts[threadIdx.x] = mine;
	__syncthreads();
	for (int half = THREADS / 2; half; half /= 2) {
		if (threadIdx.x < half)
			parts[threadIdx.x] = op.join(parts[threadIdx.x], parts[threadIdx.x + half]);
		__syncthreads();
	}
	return parts[0];
}

template <class T, class Op>
__global__ void reduce_parts(int n, vector<const T> x, vector<const T> y, typename Op::part *parts, Op op)
{
	typename Op::part mine = op.none();
	for (long long i = blockIdx.x * (long long)THREADS + threadIdx.x; i < n; i += (long long)gridDim.x * THREADS)
		mine = op.join(mine, op.take(x[i], y.first ? y[i] : T(), (int)i));
	mine = join_block(mine, op);
	if (threadIdx.x == 0)
		parts[blockIdx.x] = mine;
}

template <class Op> __global__ void reduce_last(int count, const typename Op::part *parts, typename Op::result *result, Op op)
{
	typename Op::part all = join_block(threadIdx.x < count ? parts[threadIdx.x] : op.none(), op);
	if (threadIdx.x == 0)
		*result = op.finish(all);
}

template <class T, class Op>
static cublasStatus_t run_reduction(cublasHandle_t handle, int n, const T *x, int incx, const T *y, int incy,
                                    typename Op::result *result, Op op)
{
	typedef typename Op::part part;
	typedef typename Op::result answer;
	static_assert(sizeof(part) <= 16 && PARTS_MAX <= THREADS, "room for the parts, a thread for each");
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	if (!result)
		return CUBLAS_STATUS_INVALID_VALUE;
	bool on_device = handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE;
	if (n <= 0 || (!y && incx <= 0))
		return (on_device ? cudaMemsetAsync(result, 0, sizeof *result, handle->stream)
		                  : (*result = 0, cudaSuccess)) == cudaSuccess
		           ? CUBLAS_STATUS_SUCCESS
		           : CUBLAS_STATUS_EXECUTION_FAILED;
	int blocks = blocks_for(n, THREADS, PARTS_MAX);
	part *parts = (part *)handle->parts;
	answer *to = on_device ? result : (answer *)((char *)handle->parts + 16 * PARTS_MAX);
	vector<const T> second = {nullptr, 0};
	if (y)
		second = vector_of(y, n, incy);
	reduce_parts<<<blocks, THREADS, 0, handle->stream>>>(n, vector_of(x, n, incx), second, parts, op);
	reduce_last<<<1, THREADS, 0, handle->stream>>>(blocks, parts, to, op);
	if (!on_device && (cudaMemcpyAsync(result, to, sizeof *result, cudaMemcpyDeviceToHost, handle->stream) ||
	                   cudaStreamSynchronize(handle->stream)))
		return CUBLAS_STATUS_EXECUTION_FAILED;
	return launched();
}

/* ---- the functions ---------------------------------------------------------------------------------------------- */

extern "C" {

#define VECTORS(S, s, T, NORM)                                                                               \
	cublasStatus_t cublas##S##axpy_v2(cublasHandle_t handle, int n, const T *alpha, const T *x,          \
	                                  int incx, T *y, int incy)                                          \
	{                                                                                                    \
		return alpha ? run_elements(handle, n, alpha, x, incx, y, incy, axpy_op<T>())                \
		             : CUBLAS_STATUS_INVALID_VALUE;                                                  \
	}                                                                                                    \
	cublasStatus_t cublas##S##scal_v2(cublasHandle_t handle, int n, const T *alpha, T *x, int incx)      \
	{                                                                                                    \
		return alpha ? run_elements(handle, n, alpha, (const T *)x, incx, x, incx, scal_op<T>())     \
		             : CUBLAS_STATUS_INVALID_VALUE;                                                  \
	}                                                                                                    \
	cublasStatus_t cublas##S##copy_v2(cublasHandle_t handle, int n, const T *x, int incx, T *y,          \
	                                  int incy)                                                          \
	{                                                                                                    \
		return run_elements(handle, n, (const T *)nullptr, x, incx, y, incy, copy_op<T>());          \
	}                                                                                                    \
	cublasStatus_t cublas##S##swap_v2(cublasHandle_t handle, int n, T *x, int incx, T *y, int incy)      \
	{                                                                                                    \
		return run_elements(handle, n, (const T *)nullptr, (const T *)x, incx, y, incy,              \
		                    swap_op<T>());                                                           \
	}                                                                                                    \
	cublasStatus_t cublas##S##asum_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result)     \
	{                                                                                                    \
		return run_reduction(handle, n, x, incx, (const T *)nullptr, 0, result,                      \
		                     sum_of_magnitudes<T>());                                                \
	}                                                                                                    \
	cublasStatus_t cublas##S##nrm2_v2(cublasHandle_t handle, int n, const T *x, int incx, T *result)     \
	{                                                                                                    \
		return run_reduction(handle, n, x, incx, (const T *)nullptr, 0, result, NORM());             \
	}                                                                                                    \
	cublasStatus_t cublas##S##dot_v2(cublasHandle_t handle, int n, const T *x, int incx, const T *y,     \
	                                 int incy, T *result)                                                \
	{                                                                                                    \
		return run_reduction(handle, n, x, incx, y, incy, result, sum_of_products<T>());             \
	}                                                                                                    \
	cublasStatus_t cublasI##s##amax_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result)  \
	{                                                                                                    \
		return run_reduction(handle, n, x, incx, (const T *)nullptr, 0, result, extreme<T, true>()); \
	}                                                                                                    \
	cublasStatus_t cublasI##s##amin_v2(cublasHandle_t handle, int n, const T *x, int incx, int *result)  \
	{                                                                                                    \
		return run_reduction(handle, n, x, incx, (const T *)nullptr, 0, result,                      \
		                     extreme<T, false>());                                                   \
	}
VECTORS(S, s, float, norm_of_floats)
VECTORS(D, d, double, norm_of_doubles)
}
