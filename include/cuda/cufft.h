/*
 * cuFFT: transforms of complex and real numbers in one to three dimensions, of
 * any length, many at once. Results are not scaled: forward and back again
 * multiplies by the number of elements.
 */
#ifndef _CUFFT_H_
#define _CUFFT_H_

#include "cuComplex.h"
#include "cuda_runtime_api.h"
#include "library_types.h"

#define CUFFT_VER_MAJOR 11
#define CUFFT_VER_MINOR 0
#define CUFFT_VER_PATCH 0
#define CUFFT_VERSION 11000
#define CUFFT_FORWARD -1
#define CUFFT_INVERSE 1

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum cufftResult_t {
	CUFFT_SUCCESS = 0x0,
	CUFFT_INVALID_PLAN = 0x1,
	CUFFT_ALLOC_FAILED = 0x2,
	CUFFT_INVALID_TYPE = 0x3,
	CUFFT_INVALID_VALUE = 0x4,
	CUFFT_INTERNAL_ERROR = 0x5,
	CUFFT_EXEC_FAILED = 0x6,
	CUFFT_SETUP_FAILED = 0x7,
	CUFFT_INVALID_SIZE = 0x8,
	CUFFT_UNALIGNED_DATA = 0x9,
	CUFFT_INCOMPLETE_PARAMETER_LIST = 0xa,
	CUFFT_INVALID_DEVICE = 0xb,
	CUFFT_PARSE_ERROR = 0xc,
	CUFFT_NO_WORKSPACE = 0xd,
	CUFFT_NOT_IMPLEMENTED = 0xe,
	CUFFT_LICENSE_ERROR = 0xf,
	CUFFT_NOT_SUPPORTED = 0x10,
	CUFFT_MISSING_DEPENDENCY = 0x11,
	CUFFT_NVRTC_FAILURE = 0x12,
	CUFFT_NVJITLINK_FAILURE = 0x13,
	CUFFT_NVSHMEM_FAILURE = 0x14
} cufftResult;

typedef enum cufftType_t {
	CUFFT_R2C = 0x2a,
	CUFFT_C2R = 0x2c,
	CUFFT_C2C = 0x29,
	CUFFT_D2Z = 0x6a,
	CUFFT_Z2D = 0x6c,
	CUFFT_Z2Z = 0x69
} cufftType;

typedef float cufftReal;
typedef double cufftDoubleReal;
typedef cuComplex cufftComplex;
typedef cuDoubleComplex cufftDoubleComplex;
typedef int cufftHandle;

#define SLUICE_FFT __attribute__((visibility("default"))) cufftResult

SLUICE_FFT cufftPlan1d(cufftHandle *plan, int nx, cufftType type, int batch);
SLUICE_FFT cufftPlan2d(cufftHandle *plan, int nx, int ny, cufftType type);
SLUICE_FFT cufftPlan3d(cufftHandle *plan, int nx, int ny, int nz, cufftType type);
SLUICE_FFT cufftPlanMany(cufftHandle *plan, int rank, int *n, int *inembed, int istride, int idist,
                         int *onembed, int ostride, int odist, cufftType type, int batch);
SLUICE_FFT cufftCreate(cufftHandle *plan);
SLUICE_FFT cufftMakePlan1d(cufftHandle plan, int nx, cufftType type, int batch, size_t *work_bytes);
SLUICE_FFT cufftMakePlan2d(cufftHandle plan, int nx, int ny, cufftType type, size_t *work_bytes);
SLUICE_FFT cufftMakePlan3d(cufftHandle plan, int nx, int ny, int nz, cufftType type, size_t *work_bytes);
SLUICE_FFT cufftMakePlanMany(cufftHandle plan, int rank, int *n, int *inembed, int istride, int idist,
                             int *onembed, int ostride, int odist, cufftType type, int batch,
                             size_t *work_bytes);
SLUICE_FFT cufftDestroy(cufftHandle plan);
SLUICE_FFT cufftSetStream(cufftHandle plan, cudaStream_t stream);
SLUICE_FFT cufftGetSize(cufftHandle plan, size_t *work_bytes);
SLUICE_FFT cufftGetVersion(int *version);
SLUICE_FFT cufftExecC2C(cufftHandle plan, cufftComplex *in, cufftComplex *out, int direction);
SLUICE_FFT cufftExecR2C(cufftHandle plan, cufftReal *in, cufftComplex *out);
SLUICE_FFT cufftExecC2R(cufftHandle plan, cufftComplex *in, cufftReal *out);
SLUICE_FFT cufftExecZ2Z(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleComplex *out, int direction);
SLUICE_FFT cufftExecD2Z(cufftHandle plan, cufftDoubleReal *in, cufftDoubleComplex *out);
SLUICE_FFT cufftExecZ2D(cufftHandle plan, cufftDoubleComplex *in, cufftDoubleReal *out);

#undef SLUICE_FFT

#if defined(__cplusplus)
}
#endif

#endif
