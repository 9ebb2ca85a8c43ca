/* Types of CUDA graphs and of stream capture. Plain C; part of driver_types.h. */
#ifndef SLUICE_CUDA_GRAPH_TYPES_H
#define SLUICE_CUDA_GRAPH_TYPES_H

/* ---- capture -------------------------------------------------------------------------------------------- */

enum cudaStreamCaptureMode {
	cudaStreamCaptureModeGlobal = 0,
	cudaStreamCaptureModeThreadLocal = 1,
	cudaStreamCaptureModeRelaxed = 2
};

enum cudaStreamCaptureStatus {
	cudaStreamCaptureStatusNone = 0,
	cudaStreamCaptureStatusActive = 1,
	cudaStreamCaptureStatusInvalidated = 2
};

enum cudaStreamUpdateCaptureDependenciesFlags {
	cudaStreamAddCaptureDependencies = 0,
	cudaStreamSetCaptureDependencies = 1
};

/* ---- nodes ---------------------------------------------------------------------------------------------- */

enum cudaGraphNodeType {
	cudaGraphNodeTypeKernel = 0,
	cudaGraphNodeTypeMemcpy = 1,
	cudaGraphNodeTypeMemset = 2,
	cudaGraphNodeTypeHost = 3,
	cudaGraphNodeTypeGraph = 4,
	cudaGraphNodeTypeEmpty = 5,
	cudaGraphNodeTypeWaitEvent = 6,
	cudaGraphNodeTypeEventRecord = 7,
	cudaGraphNodeTypeExtSemaphoreSignal = 8,
	cudaGraphNodeTypeExtSemaphoreWait = 9,
	cudaGraphNodeTypeMemAlloc = 10,
	cudaGraphNodeTypeMemFree = 11,
	cudaGraphNodeTypeConditional = 13,
	cudaGraphNodeTypeCount
};

struct cudaKernelNodeParams {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};
struct cudaKernelNodeParamsV2 {
	void *func;
	dim3 gridDim, blockDim;
	unsigned int sharedMemBytes;
	void **kernelParams;
	void **extra;
};

struct cudaMemsetParams {
	void *dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width, height;
};
struct cudaMemsetParamsV2 {
	void *dst;
	size_t pitch;
	unsigned int value;
	unsigned int elementSize;
	size_t width, height;
};

struct cudaHostNodeParams {
	void(CUDART_CB *fn)(void *userData);
	void *userData;
};
struct cudaHostNodeParamsV2 {
	void(CUDART_CB *fn)(void *userData);
	void *userData;
};

struct cudaMemAllocNodeParams {
	struct cudaMemPoolProps poolProps;
	const struct cudaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};
struct cudaMemAllocNodeParamsV2 {
	struct cudaMemPoolProps poolProps;
	const struct cudaMemAccessDesc *accessDescs;
	size_t accessDescCount;
	size_t bytesize;
	void *dptr;
};

struct cudaMemFreeNodeParams {
	void *dptr;
};
struct cudaMemcpyNodeParams {
	int flags;
	int reserved[3];
	struct cudaMemcpy3DParms copyParams;
};
struct cudaChildGraphNodeParams {
	cudaGraph_t graph;
};
struct cudaEventWaitNodeParams {
	cudaEvent_t event;
};
struct cudaEventRecordNodeParams {
	cudaEvent_t event;
};

#if !defined(__cplusplus) ||                                                                                 \
    __cplusplus >= 201103L /* dim3 has a constructor, which C++98 takes in no union */
struct cudaGraphNodeParams {
	enum cudaGraphNodeType type;
	int reserved0[3];
	union {
		long long reserved1[29];
		struct cudaKernelNodeParamsV2 kernel;
		struct cudaMemcpyNodeParams memcpy;
		struct cudaMemsetParamsV2 memset;
		struct cudaHostNodeParamsV2 host;
		struct cudaChildGraphNodeParams graph;
		struct cudaEventWaitNodeParams eventWait;
		struct cudaEventRecordNodeParams eventRecord;
		struct cudaMemAllocNodeParamsV2 alloc;
		struct cudaMemFreeNodeParams free;
	};
	long long reserved2;
};
#else
struct cudaGraphNodeParams;
#endif

typedef enum cudaGraphDependencyType_enum {
	cudaGraphDependencyTypeDefault = 0,
	cudaGraphDependencyTypeProgrammatic = 1
} cudaGraphDependencyType;

typedef struct cudaGraphEdgeData_st {
	unsigned char from_port, to_port, type;
	unsigned char reserved[5];
} cudaGraphEdgeData;

/* ---- executable graphs ---------------------------------------------------------------------------------- */

enum cudaGraphInstantiateFlags {
	cudaGraphInstantiateFlagAutoFreeOnLaunch = 1,
	cudaGraphInstantiateFlagUpload = 2,
	cudaGraphInstantiateFlagDeviceLaunch = 4,
	cudaGraphInstantiateFlagUseNodePriority = 8
};

typedef enum cudaGraphInstantiateResult {
	cudaGraphInstantiateSuccess = 0,
	cudaGraphInstantiateError = 1,
	cudaGraphInstantiateInvalidStructure = 2,
	cudaGraphInstantiateNodeOperationNotSupported = 3,
	cudaGraphInstantiateMultipleDevicesNotSupported = 4,
	cudaGraphInstantiateConditionalHandleUnused = 5
} cudaGraphInstantiateResult;

typedef struct cudaGraphInstantiateParams_st {
	unsigned long long flags;
	cudaStream_t uploadStream;
	cudaGraphNode_t errNode_out;
	cudaGraphInstantiateResult result_out;
} cudaGraphInstantiateParams;

enum cudaGraphExecUpdateResult {
	cudaGraphExecUpdateSuccess = 0,
	cudaGraphExecUpdateError = 1,
	cudaGraphExecUpdateErrorTopologyChanged = 2,
	cudaGraphExecUpdateErrorNodeTypeChanged = 3,
	cudaGraphExecUpdateErrorFunctionChanged = 4,
	cudaGraphExecUpdateErrorParametersChanged = 5,
	cudaGraphExecUpdateErrorNotSupported = 6,
	cudaGraphExecUpdateErrorUnsupportedFunctionChange = 7,
	cudaGraphExecUpdateErrorAttributesChanged = 8
};

typedef struct cudaGraphExecUpdateResultInfo_st {
	enum cudaGraphExecUpdateResult result;
	cudaGraphNode_t errorNode, errorFromNode;
} cudaGraphExecUpdateResultInfo;

enum cudaGraphMemAttributeType {
	cudaGraphMemAttrUsedMemCurrent = 0,
	cudaGraphMemAttrUsedMemHigh = 1,
	cudaGraphMemAttrReservedMemCurrent = 2,
	cudaGraphMemAttrReservedMemHigh = 3
};

enum cudaGraphDebugDotFlags {
	cudaGraphDebugDotFlagsVerbose = 1 << 0,
	cudaGraphDebugDotFlagsKernelNodeParams = 1 << 2,
	cudaGraphDebugDotFlagsMemcpyNodeParams = 1 << 3,
	cudaGraphDebugDotFlagsMemsetNodeParams = 1 << 4,
	cudaGraphDebugDotFlagsHostNodeParams = 1 << 5,
	cudaGraphDebugDotFlagsEventNodeParams = 1 << 6,
	cudaGraphDebugDotFlagsExtSemasSignalNodeParams = 1 << 7,
	cudaGraphDebugDotFlagsExtSemasWaitNodeParams = 1 << 8,
	cudaGraphDebugDotFlagsKernelNodeAttributes = 1 << 9,
	cudaGraphDebugDotFlagsHandles = 1 << 10
};

enum cudaUserObjectFlags { cudaUserObjectNoDestructorSync = 1 };
enum cudaUserObjectRetainFlags { cudaGraphUserObjectMove = 1 };

#endif
