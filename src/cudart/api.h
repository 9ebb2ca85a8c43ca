/*
 * The types of the CUDA runtime API, as the public documentation gives them:
 * error codes, enumerations, descriptors. Names and values are those of CUDA
 * 10.2, the version that clang is told of; a few fields of later versions are
 * appended where programs ask for them.
 *
 * Plain C, self-contained, valid as C++. The headers for users
 * (include/cuda) hold the same definitions, so layouts agree. Functions are in
 * calls.h.
 */
#ifndef SLUICE_CUDART_API_H
#define SLUICE_CUDART_API_H

#include <stddef.h>
#include <stdint.h>

#define CUDART_VERSION 10020

/* ---- errors: X(name, value, what cudaGetErrorString() says) --------------------------------------------- */

#define SLUICE_CUDA_ERRORS(X)                                                                                \
	X(cudaSuccess, 0, "no error")                                                                        \
	X(cudaErrorInvalidValue, 1, "invalid argument")                                                      \
	X(cudaErrorMemoryAllocation, 2, "out of memory")                                                     \
	X(cudaErrorInitializationError, 3, "initialization error")                                           \
	X(cudaErrorCudartUnloading, 4, "driver shutting down")                                               \
	X(cudaErrorProfilerDisabled, 5, "profiler disabled while using external profiling tool")             \
	X(cudaErrorProfilerNotInitialized, 6, "profiler not initialized: call cudaProfilerInitialize()")     \
	X(cudaErrorProfilerAlreadyStarted, 7, "profiler already started")                                    \
	X(cudaErrorProfilerAlreadyStopped, 8, "profiler already stopped")                                    \
	X(cudaErrorInvalidConfiguration, 9, "invalid configuration argument")                                \
	X(cudaErrorInvalidPitchValue, 12, "invalid pitch argument")                                          \
	X(cudaErrorInvalidSymbol, 13, "invalid device symbol")                                               \
	X(cudaErrorInvalidHostPointer, 16, "invalid host pointer")                                           \
	X(cudaErrorInvalidDevicePointer, 17, "invalid device pointer")                                       \
	X(cudaErrorInvalidTexture, 18, "invalid texture reference")                                          \
	X(cudaErrorInvalidTextureBinding, 19, "texture is not bound to a pointer")                           \
	X(cudaErrorInvalidChannelDescriptor, 20, "invalid channel descriptor")                               \
	X(cudaErrorInvalidMemcpyDirection, 21, "invalid copy direction for memcpy")                          \
	X(cudaErrorAddressOfConstant, 22, "invalid address of constant")                                     \
	X(cudaErrorTextureFetchFailed, 23, "fetch from texture failed")                                      \
	X(cudaErrorTextureNotBound, 24, "cannot fetch from a texture that is not bound")                     \
	X(cudaErrorSynchronizationError, 25, "incorrect use of __syncthreads()")                             \
	X(cudaErrorInvalidFilterSetting, 26, "linear filtering not supported for non-float type")            \
	X(cudaErrorInvalidNormSetting, 27, "read as normalized float not supported for data type")           \
	X(cudaErrorMixedDeviceExecution, 28,                                                                 \
	  "device emulation mode and device execution mode cannot be mixed")                                 \
	X(cudaErrorNotYetImplemented, 31, "feature not yet implemented")                                     \
	X(cudaErrorMemoryValueTooLarge, 32, "memory size or pointer value too large to fit in 32 bit")       \
	X(cudaErrorInsufficientDriver, 35, "CUDA driver version is insufficient for CUDA runtime version")   \
	X(cudaErrorInvalidSurface, 37, "invalid surface reference")                                          \
	X(cudaErrorDuplicateVariableName, 43, "duplicate global variable looked up by string name")          \
	X(cudaErrorDuplicateTextureName, 44, "duplicate texture looked up by string name")                   \
	X(cudaErrorDuplicateSurfaceName, 45, "duplicate surface looked up by string name")                   \
	X(cudaErrorDevicesUnavailable, 46, "CUDA-capable device(s) is/are busy or unavailable")              \
	X(cudaErrorIncompatibleDriverContext, 49, "incompatible driver context")                             \
	X(cudaErrorMissingConfiguration, 52, "__global__ function call is not configured")                   \
	X(cudaErrorPriorLaunchFailure, 53, "unspecified launch failure in prior launch")                     \
	X(cudaErrorLaunchMaxDepthExceeded, 65, "launch would exceed maximum depth of nested launches")       \
	X(cudaErrorLaunchFileScopedTex, 66,                                                                  \
	  "launch failed because kernel uses unsupported, file-scoped textures (texture objects are "        \
	  "supported)")                                                                                      \
	X(cudaErrorLaunchFileScopedSurf, 67,                                                                 \
	  "launch failed because kernel uses unsupported, file-scoped surfaces (surface objects are "        \
	  "supported)")                                                                                      \
	X(cudaErrorSyncDepthExceeded, 68,                                                                    \
	  "cudaDeviceSynchronize failed because caller's grid depth exceeds cudaLimitDevRuntimeSyncDepth")   \
	X(cudaErrorLaunchPendingCountExceeded, 69,                                                           \
	  "launch failed because launch would exceed cudaLimitDevRuntimePendingLaunchCount")                 \
	X(cudaErrorInvalidDeviceFunction, 98, "invalid device function")                                     \
	X(cudaErrorNoDevice, 100, "no CUDA-capable device is detected")                                      \
	X(cudaErrorInvalidDevice, 101, "invalid device ordinal")                                             \
	X(cudaErrorStartupFailure, 127, "startup failure in cuda runtime")                                   \
	X(cudaErrorInvalidKernelImage, 200, "device kernel image is invalid")                                \
	X(cudaErrorDeviceUninitialized, 201, "invalid device context")                                       \
	X(cudaErrorMapBufferObjectFailed, 205, "mapping of buffer object failed")                            \
	X(cudaErrorUnmapBufferObjectFailed, 206, "unmapping of buffer object failed")                        \
	X(cudaErrorArrayIsMapped, 207, "array is mapped")                                                    \
	X(cudaErrorAlreadyMapped, 208, "resource already mapped")                                            \
	X(cudaErrorNoKernelImageForDevice, 209, "no kernel image is available for execution on the device")  \
	X(cudaErrorAlreadyAcquired, 210, "resource already acquired")                                        \
	X(cudaErrorNotMapped, 211, "resource not mapped")                                                    \
	X(cudaErrorNotMappedAsArray, 212, "resource not mapped as array")                                    \
	X(cudaErrorNotMappedAsPointer, 213, "resource not mapped as pointer")                                \
	X(cudaErrorECCUncorrectable, 214, "uncorrectable ECC error encountered")                             \
	X(cudaErrorUnsupportedLimit, 215, "limit is not supported on this architecture")                     \
	X(cudaErrorDeviceAlreadyInUse, 216, "exclusive-thread device already in use by a different thread")  \
	X(cudaErrorPeerAccessUnsupported, 217, "peer access is not supported between these two devices")     \
	X(cudaErrorInvalidPtx, 218, "a PTX JIT compilation failed")                                          \
	X(cudaErrorInvalidGraphicsContext, 219, "invalid OpenGL or DirectX context")                         \
	X(cudaErrorNvlinkUncorrectable, 220, "uncorrectable NVLink error detected during the execution")     \
	X(cudaErrorJitCompilerNotFound, 221, "PTX JIT compiler library not found")                           \
	X(cudaErrorInvalidSource, 300, "device kernel image is invalid")                                     \
	X(cudaErrorFileNotFound, 301, "file not found")                                                      \
	X(cudaErrorSharedObjectSymbolNotFound, 302, "shared object symbol not found")                        \
	X(cudaErrorSharedObjectInitFailed, 303, "shared object initialization failed")                       \
	X(cudaErrorOperatingSystem, 304, "OS call failed or operation not supported on this OS")             \
	X(cudaErrorInvalidResourceHandle, 400, "invalid resource handle")                                    \
	X(cudaErrorIllegalState, 401, "the operation cannot be performed in the present state")              \
	X(cudaErrorSymbolNotFound, 500, "named symbol not found")                                            \
	X(cudaErrorNotReady, 600, "device not ready")                                                        \
	X(cudaErrorIllegalAddress, 700, "an illegal memory access was encountered")                          \
	X(cudaErrorLaunchOutOfResources, 701, "too many resources requested for launch")                     \
	X(cudaErrorLaunchTimeout, 702, "the launch timed out and was terminated")                            \
	X(cudaErrorLaunchIncompatibleTexturing, 703, "launch uses incompatible texturing mode")              \
	X(cudaErrorPeerAccessAlreadyEnabled, 704, "peer access is already enabled")                          \
	X(cudaErrorPeerAccessNotEnabled, 705, "peer access has not been enabled")                            \
	X(cudaErrorSetOnActiveProcess, 708, "cannot set while device is active in this process")             \
	X(cudaErrorContextIsDestroyed, 709, "context is destroyed")                                          \
	X(cudaErrorAssert, 710, "device-side assert triggered")                                              \
	X(cudaErrorTooManyPeers, 711, "peer mapping resources exhausted")                                    \
	X(cudaErrorHostMemoryAlreadyRegistered, 712,                                                         \
	  "part or all of the requested memory range is already mapped")                                     \
	X(cudaErrorHostMemoryNotRegistered, 713,                                                             \
	  "pointer does not correspond to a registered memory region")                                       \
	X(cudaErrorHardwareStackError, 714, "hardware stack error")                                          \
	X(cudaErrorIllegalInstruction, 715, "an illegal instruction was encountered")                        \
	X(cudaErrorMisalignedAddress, 716, "misaligned address")                                             \
	X(cudaErrorInvalidAddressSpace, 717, "operation not supported on global/shared address space")       \
	X(cudaErrorInvalidPc, 718, "invalid program counter")                                                \
	X(cudaErrorLaunchFailure, 719, "unspecified launch failure")                                         \
	X(cudaErrorCooperativeLaunchTooLarge, 720, "too many blocks in cooperative launch")                  \
	X(cudaErrorNotPermitted, 800, "operation not permitted")                                             \
	X(cudaErrorNotSupported, 801, "operation not supported")                                             \
	X(cudaErrorSystemNotReady, 802, "system not yet initialized")                                        \
	X(cudaErrorSystemDriverMismatch, 803,                                                                \
	  "system has unsupported display driver / cuda driver combination")                                 \
	X(cudaErrorCompatNotSupportedOnDevice, 804,                                                          \
	  "forward compatibility was attempted on non supported HW")                                         \
	X(cudaErrorStreamCaptureUnsupported, 900, "operation not permitted when stream is capturing")        \
	X(cudaErrorStreamCaptureInvalidated, 901, "operation failed due to a previous error during capture") \
	X(cudaErrorStreamCaptureMerge, 902,                                                                  \
	  "operation would result in a merge of separate capture sequences")                                 \
	X(cudaErrorStreamCaptureUnmatched, 903, "capture was not ended in the same stream as it began")      \
	X(cudaErrorStreamCaptureUnjoined, 904, "capturing stream has unjoined work")                         \
	X(cudaErrorStreamCaptureIsolation, 905, "dependency created on uncaptured work in another stream")   \
	X(cudaErrorStreamCaptureImplicit, 906,                                                               \
	  "operation would make the legacy stream depend on a capturing blocking stream")                    \
	X(cudaErrorCapturedEvent, 907,                                                                       \
	  "operation not permitted on an event last recorded in a capturing stream")                         \
	X(cudaErrorStreamCaptureWrongThread, 908,                                                            \
	  "attempt to terminate a thread-local capture sequence from another thread")                        \
	X(cudaErrorTimeout, 909, "wait operation timed out")                                                 \
	X(cudaErrorGraphExecUpdateFailure, 910,                                                              \
	  "the graph update was not performed because it included changes which violated constraints "       \
	  "specific to "                                                                                     \
	  "instantiated graph update")                                                                       \
	X(cudaErrorUnknown, 999, "unknown error")

typedef enum cudaError {
#define X(name, value, text) name = value,
	SLUICE_CUDA_ERRORS(X)
#undef X
	    cudaErrorApiFailureBase = 10000
} cudaError_t;

/* ---- flags ---------------------------------------------------------------------------------------------- */

#define cudaHostAllocDefault 0x00
#define cudaHostAllocPortable 0x01
#define cudaHostAllocMapped 0x02
#define cudaHostAllocWriteCombined 0x04
#define cudaHostRegisterDefault 0x00
#define cudaHostRegisterPortable 0x01
#define cudaHostRegisterMapped 0x02
#define cudaHostRegisterIoMemory 0x04
#define cudaPeerAccessDefault 0x00
#define cudaStreamDefault 0x00
#define cudaStreamNonBlocking 0x01
#define cudaStreamLegacy ((cudaStream_t)0x1)
#define cudaStreamPerThread ((cudaStream_t)0x2)
#define cudaEventDefault 0x00
#define cudaEventBlockingSync 0x01
#define cudaEventDisableTiming 0x02
#define cudaEventInterprocess 0x04
#define cudaDeviceScheduleAuto 0x00
#define cudaDeviceScheduleSpin 0x01
#define cudaDeviceScheduleYield 0x02
#define cudaDeviceScheduleBlockingSync 0x04
#define cudaDeviceBlockingSync 0x04
#define cudaDeviceScheduleMask 0x07
#define cudaDeviceMapHost 0x08
#define cudaDeviceLmemResizeToMax 0x10
#define cudaDeviceMask 0x1f
#define cudaArrayDefault 0x00
#define cudaArrayLayered 0x01
#define cudaArraySurfaceLoadStore 0x02
#define cudaArrayCubemap 0x04
#define cudaArrayTextureGather 0x08
#define cudaArrayColorAttachment 0x20
#define cudaIpcMemLazyEnablePeerAccess 0x01
#define cudaMemAttachGlobal 0x01
#define cudaMemAttachHost 0x02
#define cudaMemAttachSingle 0x04
#define cudaOccupancyDefault 0x00
#define cudaOccupancyDisableCachingOverride 0x01
#define cudaCpuDeviceId ((int)-1)
#define cudaInvalidDeviceId ((int)-2)
#define cudaCooperativeLaunchMultiDeviceNoPreSync 0x01
#define cudaCooperativeLaunchMultiDeviceNoPostSync 0x02
#define CUDA_IPC_HANDLE_SIZE 64

/* ---- handles -------------------------------------------------------------------------------------------- */

typedef struct CUstream_st *cudaStream_t;
typedef struct CUevent_st *cudaEvent_t;
typedef struct cudaArray *cudaArray_t;
typedef const struct cudaArray *cudaArray_const_t;
typedef struct cudaMipmappedArray *cudaMipmappedArray_t;
typedef const struct cudaMipmappedArray *cudaMipmappedArray_const_t;
typedef struct cudaGraphicsResource *cudaGraphicsResource_t;
typedef struct CUgraph_st *cudaGraph_t;
typedef struct CUgraphNode_st *cudaGraphNode_t;
typedef struct CUgraphExec_st *cudaGraphExec_t;
typedef struct CUexternalMemory_st *cudaExternalMemory_t;
typedef struct CUexternalSemaphore_st *cudaExternalSemaphore_t;
typedef struct CUmemPoolHandle_st *cudaMemPool_t;
typedef unsigned long long cudaTextureObject_t;
typedef unsigned long long cudaSurfaceObject_t;

/* ---- enumerations --------------------------------------------------------------------------------------- */

enum cudaMemcpyKind {
	cudaMemcpyHostToHost = 0,
	cudaMemcpyHostToDevice = 1,
	cudaMemcpyDeviceToHost = 2,
	cudaMemcpyDeviceToDevice = 3,
	cudaMemcpyDefault = 4
};

enum cudaChannelFormatKind {
	cudaChannelFormatKindSigned = 0,
	cudaChannelFormatKindUnsigned = 1,
	cudaChannelFormatKindFloat = 2,
	cudaChannelFormatKindNone = 3
};

enum cudaMemoryType {
	cudaMemoryTypeUnregistered = 0,
	cudaMemoryTypeHost = 1,
	cudaMemoryTypeDevice = 2,
	cudaMemoryTypeManaged = 3
};

enum cudaTextureAddressMode {
	cudaAddressModeWrap = 0,
	cudaAddressModeClamp = 1,
	cudaAddressModeMirror = 2,
	cudaAddressModeBorder = 3
};

enum cudaTextureFilterMode { cudaFilterModePoint = 0, cudaFilterModeLinear = 1 };
enum cudaTextureReadMode { cudaReadModeElementType = 0, cudaReadModeNormalizedFloat = 1 };
enum cudaSurfaceBoundaryMode {
	cudaBoundaryModeZero = 0,
	cudaBoundaryModeClamp = 1,
	cudaBoundaryModeTrap = 2
};
enum cudaSurfaceFormatMode { cudaFormatModeForced = 0, cudaFormatModeAuto = 1 };

enum cudaResourceType {
	cudaResourceTypeArray = 0,
	cudaResourceTypeMipmappedArray = 1,
	cudaResourceTypeLinear = 2,
	cudaResourceTypePitch2D = 3
};

enum cudaResourceViewFormat { cudaResViewFormatNone = 0 };

enum cudaFuncCache {
	cudaFuncCachePreferNone = 0,
	cudaFuncCachePreferShared = 1,
	cudaFuncCachePreferL1 = 2,
	cudaFuncCachePreferEqual = 3
};

enum cudaSharedMemConfig {
	cudaSharedMemBankSizeDefault = 0,
	cudaSharedMemBankSizeFourByte = 1,
	cudaSharedMemBankSizeEightByte = 2
};

enum cudaSharedCarveout {
	cudaSharedmemCarveoutDefault = -1,
	cudaSharedmemCarveoutMaxL1 = 0,
	cudaSharedmemCarveoutMaxShared = 100
};

enum cudaFuncAttribute {
	cudaFuncAttributeMaxDynamicSharedMemorySize = 8,
	cudaFuncAttributePreferredSharedMemoryCarveout = 9,
	cudaFuncAttributeMax
};

enum cudaComputeMode {
	cudaComputeModeDefault = 0,
	cudaComputeModeExclusive = 1,
	cudaComputeModeProhibited = 2,
	cudaComputeModeExclusiveProcess = 3
};

enum cudaLimit {
	cudaLimitStackSize = 0x00,
	cudaLimitPrintfFifoSize = 0x01,
	cudaLimitMallocHeapSize = 0x02,
	cudaLimitDevRuntimeSyncDepth = 0x03,
	cudaLimitDevRuntimePendingLaunchCount = 0x04,
	cudaLimitMaxL2FetchGranularity = 0x05
};

enum cudaMemoryAdvise {
	cudaMemAdviseSetReadMostly = 1,
	cudaMemAdviseUnsetReadMostly = 2,
	cudaMemAdviseSetPreferredLocation = 3,
	cudaMemAdviseUnsetPreferredLocation = 4,
	cudaMemAdviseSetAccessedBy = 5,
	cudaMemAdviseUnsetAccessedBy = 6
};

enum cudaMemRangeAttribute {
	cudaMemRangeAttributeReadMostly = 1,
	cudaMemRangeAttributePreferredLocation = 2,
	cudaMemRangeAttributeAccessedBy = 3,
	cudaMemRangeAttributeLastPrefetchLocation = 4
};

typedef enum cudaOutputMode { cudaKeyValuePair = 0x00, cudaCSV = 0x01 } cudaOutputMode_t;

enum cudaDeviceP2PAttr {
	cudaDevP2PAttrPerformanceRank = 1,
	cudaDevP2PAttrAccessSupported = 2,
	cudaDevP2PAttrNativeAtomicSupported = 3,
	cudaDevP2PAttrCudaArrayAccessSupported = 4
};

enum cudaDeviceAttr {
	cudaDevAttrMaxThreadsPerBlock = 1,
	cudaDevAttrMaxBlockDimX = 2,
	cudaDevAttrMaxBlockDimY = 3,
	cudaDevAttrMaxBlockDimZ = 4,
	cudaDevAttrMaxGridDimX = 5,
	cudaDevAttrMaxGridDimY = 6,
	cudaDevAttrMaxGridDimZ = 7,
	cudaDevAttrMaxSharedMemoryPerBlock = 8,
	cudaDevAttrTotalConstantMemory = 9,
	cudaDevAttrWarpSize = 10,
	cudaDevAttrMaxPitch = 11,
	cudaDevAttrMaxRegistersPerBlock = 12,
	cudaDevAttrClockRate = 13,
	cudaDevAttrTextureAlignment = 14,
	cudaDevAttrGpuOverlap = 15,
	cudaDevAttrMultiProcessorCount = 16,
	cudaDevAttrKernelExecTimeout = 17,
	cudaDevAttrIntegrated = 18,
	cudaDevAttrCanMapHostMemory = 19,
	cudaDevAttrComputeMode = 20,
	cudaDevAttrMaxTexture1DWidth = 21,
	cudaDevAttrMaxTexture2DWidth = 22,
	cudaDevAttrMaxTexture2DHeight = 23,
	cudaDevAttrMaxTexture3DWidth = 24,
	cudaDevAttrMaxTexture3DHeight = 25,
	cudaDevAttrMaxTexture3DDepth = 26,
	cudaDevAttrMaxTexture2DLayeredWidth = 27,
	cudaDevAttrMaxTexture2DLayeredHeight = 28,
	cudaDevAttrMaxTexture2DLayeredLayers = 29,
	cudaDevAttrSurfaceAlignment = 30,
	cudaDevAttrConcurrentKernels = 31,
	cudaDevAttrEccEnabled = 32,
	cudaDevAttrPciBusId = 33,
	cudaDevAttrPciDeviceId = 34,
	cudaDevAttrTccDriver = 35,
	cudaDevAttrMemoryClockRate = 36,
	cudaDevAttrGlobalMemoryBusWidth = 37,
	cudaDevAttrL2CacheSize = 38,
	cudaDevAttrMaxThreadsPerMultiProcessor = 39,
	cudaDevAttrAsyncEngineCount = 40,
	cudaDevAttrUnifiedAddressing = 41,
	cudaDevAttrMaxTexture1DLayeredWidth = 42,
	cudaDevAttrMaxTexture1DLayeredLayers = 43,
	cudaDevAttrMaxTexture2DGatherWidth = 45,
	cudaDevAttrMaxTexture2DGatherHeight = 46,
	cudaDevAttrMaxTexture3DWidthAlt = 47,
	cudaDevAttrMaxTexture3DHeightAlt = 48,
	cudaDevAttrMaxTexture3DDepthAlt = 49,
	cudaDevAttrPciDomainId = 50,
	cudaDevAttrTexturePitchAlignment = 51,
	cudaDevAttrMaxTextureCubemapWidth = 52,
	cudaDevAttrMaxTextureCubemapLayeredWidth = 53,
	cudaDevAttrMaxTextureCubemapLayeredLayers = 54,
	cudaDevAttrMaxSurface1DWidth = 55,
	cudaDevAttrMaxSurface2DWidth = 56,
	cudaDevAttrMaxSurface2DHeight = 57,
	cudaDevAttrMaxSurface3DWidth = 58,
	cudaDevAttrMaxSurface3DHeight = 59,
	cudaDevAttrMaxSurface3DDepth = 60,
	cudaDevAttrMaxSurface1DLayeredWidth = 61,
	cudaDevAttrMaxSurface1DLayeredLayers = 62,
	cudaDevAttrMaxSurface2DLayeredWidth = 63,
	cudaDevAttrMaxSurface2DLayeredHeight = 64,
	cudaDevAttrMaxSurface2DLayeredLayers = 65,
	cudaDevAttrMaxSurfaceCubemapWidth = 66,
	cudaDevAttrMaxSurfaceCubemapLayeredWidth = 67,
	cudaDevAttrMaxSurfaceCubemapLayeredLayers = 68,
	cudaDevAttrMaxTexture1DLinearWidth = 69,
	cudaDevAttrMaxTexture2DLinearWidth = 70,
	cudaDevAttrMaxTexture2DLinearHeight = 71,
	cudaDevAttrMaxTexture2DLinearPitch = 72,
	cudaDevAttrMaxTexture2DMipmappedWidth = 73,
	cudaDevAttrMaxTexture2DMipmappedHeight = 74,
	cudaDevAttrComputeCapabilityMajor = 75,
	cudaDevAttrComputeCapabilityMinor = 76,
	cudaDevAttrMaxTexture1DMipmappedWidth = 77,
	cudaDevAttrStreamPrioritiesSupported = 78,
	cudaDevAttrGlobalL1CacheSupported = 79,
	cudaDevAttrLocalL1CacheSupported = 80,
	cudaDevAttrMaxSharedMemoryPerMultiprocessor = 81,
	cudaDevAttrMaxRegistersPerMultiprocessor = 82,
	cudaDevAttrManagedMemory = 83,
	cudaDevAttrIsMultiGpuBoard = 84,
	cudaDevAttrMultiGpuBoardGroupID = 85,
	cudaDevAttrHostNativeAtomicSupported = 86,
	cudaDevAttrSingleToDoublePrecisionPerfRatio = 87,
	cudaDevAttrPageableMemoryAccess = 88,
	cudaDevAttrConcurrentManagedAccess = 89,
	cudaDevAttrComputePreemptionSupported = 90,
	cudaDevAttrCanUseHostPointerForRegisteredMem = 91,
	cudaDevAttrCooperativeLaunch = 95,
	cudaDevAttrCooperativeMultiDeviceLaunch = 96,
	cudaDevAttrMaxSharedMemoryPerBlockOptin = 97,
	cudaDevAttrCanFlushRemoteWrites = 98,
	cudaDevAttrHostRegisterSupported = 99,
	cudaDevAttrPageableMemoryAccessUsesHostPageTables = 100,
	cudaDevAttrDirectManagedMemAccessFromHost = 101,
	cudaDevAttrMaxBlocksPerMultiprocessor = 106,
	cudaDevAttrReservedSharedMemoryPerBlock = 111,
	cudaDevAttrMemoryPoolsSupported = 115
};

/* ---- structures ----------------------------------------------------------------------------------------- */

/* Users' headers give these constructors and typedefs of their own (vector_types.h): same layout. */
#ifndef SLUICE_CUDA_HAS_DIM3
struct dim3 {
	unsigned int x, y, z;
};
#endif

struct cudaChannelFormatDesc {
	int x, y, z, w;
	enum cudaChannelFormatKind f;
};

struct cudaPitchedPtr {
	void *ptr;
	size_t pitch, xsize, ysize;
};

struct cudaExtent {
	size_t width, height, depth;
};

struct cudaPos {
	size_t x, y, z;
};

struct cudaMemcpy3DParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	struct cudaExtent extent;
	enum cudaMemcpyKind kind;
};

struct cudaMemcpy3DPeerParms {
	cudaArray_t srcArray;
	struct cudaPos srcPos;
	struct cudaPitchedPtr srcPtr;
	int srcDevice;
	cudaArray_t dstArray;
	struct cudaPos dstPos;
	struct cudaPitchedPtr dstPtr;
	int dstDevice;
	struct cudaExtent extent;
};

struct cudaPointerAttributes {
	enum cudaMemoryType memoryType; /* host or device; `type` tells managed and unregistered, too */
	enum cudaMemoryType type;
	int device;
	void *devicePointer;
	void *hostPointer;
	int isManaged;
};

struct cudaFuncAttributes {
	size_t sharedSizeBytes;
	size_t constSizeBytes;
	size_t localSizeBytes;
	int maxThreadsPerBlock;
	int numRegs;
	int ptxVersion;
	int binaryVersion;
	int cacheModeCA;
	int maxDynamicSharedSizeBytes;
	int preferredShmemCarveout;
};

struct textureReference {
	int normalized;
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureAddressMode addressMode[3];
	struct cudaChannelFormatDesc channelDesc;
	int sRGB;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	int disableTrilinearOptimization;
	int __cudaReserved[14];
};

struct surfaceReference {
	struct cudaChannelFormatDesc channelDesc;
};

struct cudaResourceDesc {
	enum cudaResourceType resType;
	union {
		struct {
			cudaArray_t array;
		} array;
		struct {
			cudaMipmappedArray_t mipmap;
		} mipmap;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t sizeInBytes;
		} linear;
		struct {
			void *devPtr;
			struct cudaChannelFormatDesc desc;
			size_t width, height, pitchInBytes;
		} pitch2D;
	} res;
};

struct cudaResourceViewDesc {
	enum cudaResourceViewFormat format;
	size_t width, height, depth;
	unsigned int firstMipmapLevel, lastMipmapLevel, firstLayer, lastLayer;
};

struct cudaTextureDesc {
	enum cudaTextureAddressMode addressMode[3];
	enum cudaTextureFilterMode filterMode;
	enum cudaTextureReadMode readMode;
	int sRGB;
	float borderColor[4];
	int normalizedCoords;
	unsigned int maxAnisotropy;
	enum cudaTextureFilterMode mipmapFilterMode;
	float mipmapLevelBias;
	float minMipmapLevelClamp;
	float maxMipmapLevelClamp;
	int disableTrilinearOptimization;
};

typedef struct CUuuid_st {
	char bytes[16];
} cudaUUID_t;

typedef struct cudaIpcEventHandle_st {
	char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcEventHandle_t;

typedef struct cudaIpcMemHandle_st {
	char reserved[CUDA_IPC_HANDLE_SIZE];
} cudaIpcMemHandle_t;

struct cudaLaunchParams {
	void *func;
	struct dim3 gridDim, blockDim;
	void **args;
	size_t sharedMem;
	cudaStream_t stream;
};

struct cudaDeviceProp {
	char name[256];
	cudaUUID_t uuid;
	char luid[8];
	unsigned int luidDeviceNodeMask;
	size_t totalGlobalMem;
	size_t sharedMemPerBlock;
	int regsPerBlock;
	int warpSize;
	size_t memPitch;
	int maxThreadsPerBlock;
	int maxThreadsDim[3];
	int maxGridSize[3];
	int clockRate;
	size_t totalConstMem;
	int major;
	int minor;
	size_t textureAlignment;
	size_t texturePitchAlignment;
	int deviceOverlap;
	int multiProcessorCount;
	int kernelExecTimeoutEnabled;
	int integrated;
	int canMapHostMemory;
	int computeMode;
	int maxTexture1D;
	int maxTexture1DMipmap;
	int maxTexture1DLinear;
	int maxTexture2D[2];
	int maxTexture2DMipmap[2];
	int maxTexture2DLinear[3];
	int maxTexture2DGather[2];
	int maxTexture3D[3];
	int maxTexture3DAlt[3];
	int maxTextureCubemap;
	int maxTexture1DLayered[2];
	int maxTexture2DLayered[3];
	int maxTextureCubemapLayered[2];
	int maxSurface1D;
	int maxSurface2D[2];
	int maxSurface3D[3];
	int maxSurface1DLayered[2];
	int maxSurface2DLayered[3];
	int maxSurfaceCubemap;
	int maxSurfaceCubemapLayered[2];
	size_t surfaceAlignment;
	int concurrentKernels;
	int ECCEnabled;
	int pciBusID;
	int pciDeviceID;
	int pciDomainID;
	int tccDriver;
	int asyncEngineCount;
	int unifiedAddressing;
	int memoryClockRate;
	int memoryBusWidth;
	int l2CacheSize;
	int maxThreadsPerMultiProcessor;
	int streamPrioritiesSupported;
	int globalL1CacheSupported;
	int localL1CacheSupported;
	size_t sharedMemPerMultiprocessor;
	int regsPerMultiprocessor;
	int managedMemory;
	int isMultiGpuBoard;
	int multiGpuBoardGroupID;
	int hostNativeAtomicSupported;
	int singleToDoublePrecisionPerfRatio;
	int pageableMemoryAccess;
	int concurrentManagedAccess;
	int computePreemptionSupported;
	int canUseHostPointerForRegisteredMem;
	int cooperativeLaunch;
	int cooperativeMultiDeviceLaunch;
	size_t sharedMemPerBlockOptin;
	int pageableMemoryAccessUsesHostPageTables;
	int directManagedMemAccessFromHost;
	/* of later versions */
	int maxBlocksPerMultiProcessor;
	size_t reservedSharedMemPerBlock;
};

/* ---- callbacks ------------------------------------------------------------------------------------------ */

typedef void (*cudaStreamCallback_t)(cudaStream_t stream, cudaError_t status, void *userData);
typedef void (*cudaHostFn_t)(void *userData);

/* ---- the driver API's types, as far as it is there --------------------------------------------------------- */

#define SLUICE_CUDA_DRIVER_ERRORS(X)                                                                         \
	X(CUDA_SUCCESS, 0)                                                                                   \
	X(CUDA_ERROR_INVALID_VALUE, 1)                                                                       \
	X(CUDA_ERROR_OUT_OF_MEMORY, 2)                                                                       \
	X(CUDA_ERROR_NOT_INITIALIZED, 3)                                                                     \
	X(CUDA_ERROR_DEINITIALIZED, 4)                                                                       \
	X(CUDA_ERROR_NO_DEVICE, 100)                                                                         \
	X(CUDA_ERROR_INVALID_DEVICE, 101)                                                                    \
	X(CUDA_ERROR_INVALID_IMAGE, 200)                                                                     \
	X(CUDA_ERROR_INVALID_CONTEXT, 201)                                                                   \
	X(CUDA_ERROR_INVALID_PTX, 218)                                                                       \
	X(CUDA_ERROR_INVALID_HANDLE, 400)                                                                    \
	X(CUDA_ERROR_NOT_FOUND, 500)                                                                         \
	X(CUDA_ERROR_NOT_READY, 600)                                                                         \
	X(CUDA_ERROR_ILLEGAL_ADDRESS, 700)                                                                   \
	X(CUDA_ERROR_LAUNCH_OUT_OF_RESOURCES, 701)                                                           \
	X(CUDA_ERROR_LAUNCH_FAILED, 719)                                                                     \
	X(CUDA_ERROR_NOT_SUPPORTED, 801)                                                                     \
	X(CUDA_ERROR_UNKNOWN, 999)

typedef enum cudaError_enum {
#define X(name, value) name = value,
	SLUICE_CUDA_DRIVER_ERRORS(X)
#undef X
} CUresult;

typedef int CUdevice;
typedef struct CUctx_st *CUcontext;
typedef unsigned long long CUdeviceptr;
typedef int CUdevice_attribute; /* same numbers as enum cudaDeviceAttr */

#endif
