/*
 * The driver API: devices, contexts, modules of PTX text, launches, memory,
 * streams and events. What it shares with the runtime API is the same object
 * there: a stream, an event, an address, a function.
 */
#ifndef __cuda_cuda_h__
#define __cuda_cuda_h__

#include <stddef.h>
#include <stdint.h>

#include "host_defines.h"
#include "sluice/driver_enums.h"

#ifndef CUDA_VERSION
#define CUDA_VERSION 12000
#endif

#define CU_LAUNCH_PARAM_END ((void *)0x00)
#define CU_LAUNCH_PARAM_BUFFER_POINTER ((void *)0x01)
#define CU_LAUNCH_PARAM_BUFFER_SIZE ((void *)0x02)
#define CU_STREAM_LEGACY ((CUstream)0x1)
#define CU_STREAM_PER_THREAD ((CUstream)0x2)
#define CU_MEMHOSTALLOC_PORTABLE 0x01
#define CU_MEMHOSTALLOC_DEVICEMAP 0x02
#define CU_MEMHOSTALLOC_WRITECOMBINED 0x04
#define CU_MEMHOSTREGISTER_PORTABLE 0x01
#define CU_MEMHOSTREGISTER_DEVICEMAP 0x02

typedef int CUdevice;
typedef CUdevice CUdevice_v1;
typedef unsigned long long CUdeviceptr;
typedef CUdeviceptr CUdeviceptr_v2;
typedef struct CUctx_st *CUcontext;
typedef struct CUmod_st *CUmodule;
typedef struct CUfunc_st *CUfunction;
typedef struct CUkern_st *CUkernel;
typedef struct CUlib_st *CUlibrary;
typedef struct CUstream_st *CUstream;
typedef struct CUevent_st *CUevent;
typedef struct CUarray_st *CUarray;
typedef struct CUlinkState_st *CUlinkState;
typedef unsigned long long CUtexObject;
typedef unsigned long long CUsurfObject;
typedef void(CUDAAPI *CUhostFn)(void *userData);
typedef void(CUDAAPI *CUstreamCallback)(CUstream stream, CUresult status, void *userData);
typedef size_t(CUDAAPI *CUoccupancyB2DSize)(int blockSize);

#ifndef CU_UUID_HAS_BEEN_DEFINED
#define CU_UUID_HAS_BEEN_DEFINED
typedef struct CUuuid_st {
	char bytes[16];
} CUuuid;
#endif

typedef uint32_t cuuint32_t;
typedef uint64_t cuuint64_t;

/* What a kernel copies boxes of a tensor by; to be passed as a __grid_constant__ parameter. */
typedef struct CUtensorMap_st {
#if defined(__cplusplus) && __cplusplus >= 201103L
	alignas(64)
#elif __STDC_VERSION__ >= 201112L
	_Alignas(64)
#endif
	    cuuint64_t opaque[16];
} CUtensorMap;

typedef struct CUDA_MEMCPY2D_st {
	size_t srcXInBytes, srcY;
	CUmemorytype srcMemoryType;
	const void *srcHost;
	CUdeviceptr srcDevice;
	CUarray srcArray;
	size_t srcPitch;
	size_t dstXInBytes, dstY;
	CUmemorytype dstMemoryType;
	void *dstHost;
	CUdeviceptr dstDevice;
	CUarray dstArray;
	size_t dstPitch;
	size_t WidthInBytes, Height;
} CUDA_MEMCPY2D;
typedef CUDA_MEMCPY2D CUDA_MEMCPY2D_v2;

#include "sluice/driver_arrays.h"
#include "sluice/driver_virtual.h"

typedef struct CUdevprop_st {
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int sharedMemPerBlock, totalConstantMemory, SIMDWidth, memPitch, regsPerBlock, clockRate,
	    textureAlign;
} CUdevprop;

typedef enum CUexecAffinityType_enum {
	CU_EXEC_AFFINITY_TYPE_SM_COUNT = 0,
	CU_EXEC_AFFINITY_TYPE_MAX
} CUexecAffinityType;
typedef struct CUexecAffinityParam_st {
	CUexecAffinityType type;
	union {
		struct {
			unsigned int val;
		} smCount;
	} param;
} CUexecAffinityParam;
typedef struct CUctxCigParam_st {
	int sharedDataType;
	void *sharedData;
} CUctxCigParam;
typedef struct CUctxCreateParams_st {
	CUexecAffinityParam *execAffinityParams;
	int numExecAffinityParams;
	CUctxCigParam *cigParams;
} CUctxCreateParams;

#include "sluice/driver_api.h"

/* CUDA 13 gave cuCtxCreate() four arguments: both forms are known. */
#ifndef SLUICE_API
#define SLUICE_CTX_CREATE(a, b, c, d, name, ...) name
#define cuCtxCreate(...) SLUICE_CTX_CREATE(__VA_ARGS__, cuCtxCreate_v4, cuCtxCreate_v2, 0)(__VA_ARGS__)
#endif

#endif
