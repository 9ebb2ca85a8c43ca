/* NVRTC: CUDA source compiled to PTX while a program runs; here by `sluice cc`, which needs clang there and then. */
#ifndef __NVRTC_H__
#define __NVRTC_H__

#include <stddef.h>

#include "cuda_runtime_api.h"

#if defined(__cplusplus)
extern "C" {
#endif

typedef enum {
	NVRTC_SUCCESS = 0,
	NVRTC_ERROR_OUT_OF_MEMORY = 1,
	NVRTC_ERROR_PROGRAM_CREATION_FAILURE = 2,
	NVRTC_ERROR_INVALID_INPUT = 3,
	NVRTC_ERROR_INVALID_PROGRAM = 4,
	NVRTC_ERROR_INVALID_OPTION = 5,
	NVRTC_ERROR_COMPILATION = 6,
	NVRTC_ERROR_BUILTIN_OPERATION_FAILURE = 7,
	NVRTC_ERROR_NO_NAME_EXPRESSIONS_AFTER_COMPILATION = 8,
	NVRTC_ERROR_NO_LOWERED_NAMES_BEFORE_COMPILATION = 9,
	NVRTC_ERROR_NAME_EXPRESSION_NOT_VALID = 10,
	NVRTC_ERROR_INTERNAL_ERROR = 11,
	NVRTC_ERROR_TIME_FILE_WRITE_FAILED = 12,
	NVRTC_ERROR_NO_PCH_CREATE_ATTEMPTED = 13,
	NVRTC_ERROR_PCH_CREATE_HEAP_EXHAUSTED = 14,
	NVRTC_ERROR_PCH_CREATE = 15,
	NVRTC_ERROR_CANCELLED = 16,
	NVRTC_ERROR_TIME_TRACE_FILE_WRITE_FAILED = 17
} nvrtcResult;

typedef struct _nvrtcProgram *nvrtcProgram;

SLUICE_API const char *nvrtcGetErrorString(nvrtcResult result);
SLUICE_API nvrtcResult nvrtcVersion(int *major, int *minor);
SLUICE_API nvrtcResult nvrtcGetNumSupportedArchs(int *count);
SLUICE_API nvrtcResult nvrtcGetSupportedArchs(int *archs);
SLUICE_API nvrtcResult nvrtcCreateProgram(nvrtcProgram *program, const char *source, const char *name,
                                          int header_count, const char *const *headers,
                                          const char *const *include_names);
SLUICE_API nvrtcResult nvrtcDestroyProgram(nvrtcProgram *program);
SLUICE_API nvrtcResult nvrtcCompileProgram(nvrtcProgram program, int option_count,
                                           const char *const *options);
SLUICE_API nvrtcResult nvrtcGetPTXSize(nvrtcProgram program, size_t *bytes);
SLUICE_API nvrtcResult nvrtcGetPTX(nvrtcProgram program, char *ptx);
/* There is no machine code; the driver API here takes PTX in its place. */
SLUICE_API nvrtcResult nvrtcGetCUBINSize(nvrtcProgram program, size_t *bytes);
SLUICE_API nvrtcResult nvrtcGetCUBIN(nvrtcProgram program, char *cubin);
SLUICE_API nvrtcResult nvrtcGetProgramLogSize(nvrtcProgram program, size_t *bytes);
SLUICE_API nvrtcResult nvrtcGetProgramLog(nvrtcProgram program, char *log);
/* Names of kernels; those of templates are not supported. */
SLUICE_API nvrtcResult nvrtcAddNameExpression(nvrtcProgram program, const char *expression);
SLUICE_API nvrtcResult nvrtcGetLoweredName(nvrtcProgram program, const char *expression, const char **name);

#if defined(__cplusplus)
}
#endif

#endif
