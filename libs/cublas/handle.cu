/* Handles, their settings, and copies between host and device. */
#include "blas.h"

#include <cstring>
#include <new>

extern "C" {

cublasStatus_t cublasCreate_v2(cublasHandle_t *handle)
{
	if (!handle)
		return CUBLAS_STATUS_INVALID_VALUE;
	cublasHandle_t made = new (std::nothrow) cublasContext();
	if (!made || cudaMalloc(&made->parts, 16 * (PARTS_MAX + 1)) != cudaSuccess) {
		delete made;
		return CUBLAS_STATUS_ALLOC_FAILED;
	}
	*handle = made;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasDestroy_v2(cublasHandle_t handle)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	cudaFree(handle->parts);
	delete handle;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetVersion_v2(cublasHandle_t handle, int *version)
{
	if (!handle)
		return CUBLAS_STATUS_NOT_INITIALIZED;
	*version = CUBLAS_VERSION;
	return CUBLAS_STATUS_SUCCESS;
}

cublasStatus_t cublasGetProperty(libraryPropertyType type, int *value)
{
	static const int properties[] = {CUBLAS_VER_MAJOR, CUBLAS_VER_MINOR, CUBLAS_VER_PATCH};
	if (!value || (unsigned)type > PATCH_LEVEL)
		return CUBLAS_STATUS_INVALID_VALUE;
	*value = properties[type];
	return CUBLAS_STATUS_SUCCESS;
}

#define SETTING(set, get, T, field)                                                                          \
	cublasStatus_t set(cublasHandle_t handle, T value)                                                   \
	{                                                                                                    \
		if (!handle)                                                                                 \
			return CUBLAS_STATUS_NOT_INITIALIZED;                                                \
		handle->field = value;                                                                       \
		return CUBLAS_STATUS_SUCCESS;                                                                \
	}                                                                                                    \
	cublasStatus_t get(cublasHandle_t handle, T *value)                                                  \
	{                                                                                                    \
		if (!handle)                                                                                 \
			return CUBLAS_STATUS_NOT_INITIALIZED;                                                \
		if (!value)                                                                                  \
			return CUBLAS_STATUS_INVALID_VALUE;                                                  \
		*value = handle->field;                                                                      \
		return CUBLAS_STATUS_SUCCESS;                                                                \
	}
SETTING(cublasSetStream_v2, cublasGetStream_v2, cudaStream_t, stream)
SETTING(cublasSetPointerMode_v2, cublasGetPointerMode_v2, cublasPointerMode_t, pointer_mode)
SETTING(cublasSetMathMode, cublasGetMathMode, cublasMath_t, math)
SETTING(cublasSetAtomicsMode, cublasGetAtomicsMode, cublasAtomicsMode_t, atomics)

/* Nothing here needs more room than the handle has. */
cublasStatus_t cublasSetWorkspace_v2(cublasHandle_t handle, void *, size_t)
{
	return handle ? CUBLAS_STATUS_SUCCESS : CUBLAS_STATUS_NOT_INITIALIZED;
}

const char *cublasGetStatusName(cublasStatus_t status)
{
#define NAME(name)                                                                                           \
	case name:                                                                                           \
		return #name;
	switch (status) {
		NAME(CUBLAS_STATUS_SUCCESS)
		NAME(CUBLAS_STATUS_NOT_INITIALIZED)
		NAME(CUBLAS_STATUS_ALLOC_FAILED)
		NAME(CUBLAS_STATUS_INVALID_VALUE)
		NAME(CUBLAS_STATUS_ARCH_MISMATCH)
		NAME(CUBLAS_STATUS_MAPPING_ERROR)
		NAME(CUBLAS_STATUS_EXECUTION_FAILED)
		NAME(CUBLAS_STATUS_INTERNAL_ERROR)
		NAME(CUBLAS_STATUS_NOT_SUPPORTED)
		NAME(CUBLAS_STATUS_LICENSE_ERROR)
	}
	return "CUBLAS_STATUS_UNKNOWN";
#undef NAME
}

const char *cublasGetStatusString(cublasStatus_t status)
{
	static const struct {
		cublasStatus_t status;
		const char *text;
	} texts[] = {{CUBLAS_STATUS_SUCCESS, "success"},
	             {CUBLAS_STATUS_NOT_INITIALIZED, "the library was not initialized"},
	             {CUBLAS_STATUS_ALLOC_FAILED, "the resource allocation failed"},
	             {CUBLAS_STATUS_INVALID_VALUE, "an invalid value was used as an argument"},
	             {CUBLAS_STATUS_EXECUTION_FAILED, "the function failed to launch on the GPU"},
	             {CUBLAS_STATUS_NOT_SUPPORTED, "the functionality is not supported"}};
	for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
		if (texts[i].status == status)
			return texts[i].text;
	return cublasGetStatusName(status);
}

/* ---- copies ------------------------------------------------------------------------------------------------- */

static cublasStatus_t copy(int rows, int cols, int bytes, const void *from, int from_ld, void *to, int to_ld,
                           cudaMemcpyKind kind, cudaStream_t stream, bool waits)
{
	if (rows < 0 || cols < 0 || bytes <= 0 || from_ld < rows || to_ld < rows || !from_ld || !to_ld)
		return CUBLAS_STATUS_INVALID_VALUE;
	size_t width = (size_t)rows * bytes, from_pitch = (size_t)from_ld * bytes, to_pitch = (size_t)to_ld * bytes;
	cudaError_t error = cudaMemcpy2DAsync(to, to_pitch, from, from_pitch, width, cols, kind, stream);
	if (!error && waits)
		error = cudaStreamSynchronize(stream);
	return error ? CUBLAS_STATUS_MAPPING_ERROR : CUBLAS_STATUS_SUCCESS;
}

/* A vector with a step is a matrix of one row. */
#define COPIES(name, kind, from, to)                                                                         \
	cublasStatus_t cublas##name##Matrix(int rows, int cols, int bytes, const void *a, int lda, void *b,  \
	                                    int ldb)                                                         \
	{                                                                                                    \
		return copy(rows, cols, bytes, a, lda, b, ldb, kind, 0, true);                               \
	}                                                                                                    \
	cublasStatus_t cublas##name##MatrixAsync(int rows, int cols, int bytes, const void *a, int lda,      \
	                                         void *b, int ldb, cudaStream_t stream)                      \
	{                                                                                                    \
		return copy(rows, cols, bytes, a, lda, b, ldb, kind, stream, false);                         \
	}                                                                                                    \
	cublasStatus_t cublas##name##Vector(int n, int bytes, const void *x, int incx, void *y, int incy)    \
	{                                                                                                    \
		return copy(1, n, bytes, x, incx, y, incy, kind, 0, true);                                   \
	}                                                                                                    \
	cublasStatus_t cublas##name##VectorAsync(int n, int bytes, const void *x, int incx, void *y,         \
	                                         int incy, cudaStream_t stream)                              \
	{                                                                                                    \
		return copy(1, n, bytes, x, incx, y, incy, kind, stream, false);                             \
	}
COPIES(Set, cudaMemcpyHostToDevice, host, device)
COPIES(Get, cudaMemcpyDeviceToHost, device, host)
}
