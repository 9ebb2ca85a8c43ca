/* What the files of libcublas share: the handle, scalars that lie on either side, operations of matrices. */
#ifndef SLUICE_LIBS_BLAS_H
#define SLUICE_LIBS_BLAS_H

#include <cublas_api.h>

enum { PARTS_MAX = 256 }; /* blocks of a reduction; each leaves one part */

struct cublasContext {
	cudaStream_t stream;
	cublasPointerMode_t pointer_mode;
	cublasMath_t math;
	cublasAtomicsMode_t atomics;
	void *parts; /* of a reduction, on the device: PARTS_MAX of sixteen bytes and the result */
};

/* alpha or beta: from the host its value, from the device its place. */
template <class T> struct scalar {
	T value;
	const T *at;

	__device__ T get() const
	{
		return at ? *at : value;
	}
};

template <class T> static inline scalar<T> scalar_of(cublasHandle_t handle, const T *given)
{
	scalar<T> s = {T(), nullptr};
	if (handle->pointer_mode == CUBLAS_POINTER_MODE_DEVICE)
		s.at = given;
	else
		s.value = *given;
	return s;
}

/* Element i of a vector; with a negative step it begins at its end. */
template <class T> struct vector {
	T *first;
	long long step;

	__device__ T &operator[](long long i) const
	{
		return first[i * step];
	}
};

template <class T> static inline vector<T> vector_of(T *x, int n, int step)
{
	vector<T> v = {step < 0 ? x + (long long)(1 - n) * step : x, step};
	return v;
}

static inline bool is_transposed(cublasOperation_t operation)
{
	return operation == CUBLAS_OP_T || operation == CUBLAS_OP_C;
}

static inline bool is_operation(cublasOperation_t operation)
{
	return operation == CUBLAS_OP_N || is_transposed(operation);
}

static inline cublasStatus_t launched()
{
	return cudaPeekAtLastError() == cudaSuccess ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_EXECUTION_FAILED;
}

static inline int blocks_for(long long n, int threads, int most)
{
	long long blocks = (n + threads - 1) / threads;
	return (int)(blocks < most ? blocks : most);
}

#endif
