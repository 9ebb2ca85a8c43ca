/*
 * A kernel's fault ends the device: from then on every call that needs it, whatever its arguments, answers with
 * the fault, and so does the next one. Arguments are not looked at, so nearly all of them are nothing here. (An H200
 * still answers a few that touch nothing but the host, such as building a graph; the fault is told there, too.)
 */
#include "table.h"

static const struct cudaExtent no_extent;
static const struct cudaMemLocation no_place;
static const enum cudaMemcpyKind any = cudaMemcpyDefault;

static unsigned calls;

/* Every claim may be tried alone. The fault is a graph's: what stands behind it is not done. */
static void fault(void)
{
	unsigned *nowhere = (unsigned *)8, value = 0;
	void *args[] = {&nowhere, &value};
	struct cudaKernelNodeParams kernel = {
	    .func = &kernel_store, .gridDim = size_of(1), .blockDim = size_of(1), .kernelParams = args};
	struct cudaHostNodeParams host = {count_call, &calls};
	cudaGraph_t graph;
	cudaGraphNode_t first, second;
	cudaGraphExec_t exec;
	if (!cudaDeviceSynchronize()) {
		cudaGraphCreate(&graph, 0);
		cudaGraphAddKernelNode(&first, graph, NULL, 0, &kernel);
		cudaGraphAddHostNode(&second, graph, &first, 1, &host);
		cudaGraphInstantiate(&exec, graph, 0);
		cudaGraphLaunch(exec, NULL);
	}
	cudaGetLastError();
}

TEST(what_stands_behind_a_fault_is_not_done)
{
	fault();
	ANSWERS(ILLEGAL_ADDRESS, cudaDeviceSynchronize());
	CHECK_EQ(calls, 0);
}

TEST(memory_is_neither_given_nor_taken_back)
{
	fault();
	ANSWERS(ILLEGAL_ADDRESS, cudaMalloc(NULL, 0), cudaMallocManaged(NULL, 0, 0), cudaFree(NULL),
	        cudaMallocPitch(NULL, NULL, 0, 0), cudaMalloc3D(NULL, no_extent), cudaMallocHost(NULL, 0),
	        cudaHostAlloc(NULL, 0, 0), cudaFreeHost(NULL), cudaHostRegister(NULL, 0, 0),
	        cudaHostUnregister(NULL), cudaHostGetDevicePointer(NULL, NULL, 0),
	        cudaHostGetFlags(NULL, NULL), cudaPointerGetAttributes(NULL, NULL),
	        cudaMemGetInfo(NULL, NULL), cudaMallocArray(NULL, NULL, 0, 0, 0),
	        cudaMalloc3DArray(NULL, NULL, no_extent, 0), cudaFreeArray(NULL),
	        cudaArrayGetInfo(NULL, NULL, NULL, NULL), cudaGetChannelDesc(NULL, NULL),
	        cudaMallocAsync(NULL, 0, NULL), cudaMallocFromPoolAsync(NULL, 0, NULL, NULL),
	        cudaFreeAsync(NULL, NULL), cudaMemPoolCreate(NULL, NULL), cudaMemPoolDestroy(NULL),
	        cudaDeviceGetDefaultMemPool(NULL, 0), cudaDeviceGetMemPool(NULL, 0),
	        cudaDeviceSetMemPool(0, NULL), cudaMemPoolTrimTo(NULL, 0),
	        cudaMemPoolGetAttribute(NULL, 1, NULL), cudaMemPoolSetAttribute(NULL, 1, NULL),
	        cudaMemPoolSetAccess(NULL, NULL, 0), cudaMemPoolGetAccess(NULL, NULL, NULL),
	        cudaMemPrefetchAsync_v2(NULL, 0, no_place, 0, NULL), cudaMemAdvise_v2(NULL, 0, 1, no_place),
	        cudaMemRangeGetAttribute(NULL, 0, 1, NULL, 0), cudaGetSymbolAddress(NULL, NULL),
	        cudaGetSymbolSize(NULL, NULL), cudaCreateSurfaceObject(NULL, NULL),
	        cudaDestroySurfaceObject(0), cudaGetSurfaceObjectResourceDesc(NULL, 0));
}

TEST(nothing_is_copied)
{
	fault();
	struct cudaPitchedPtr nowhere = {0};
	ANSWERS(
	    ILLEGAL_ADDRESS, cudaMemcpy(NULL, NULL, 0, any), cudaMemcpyAsync(NULL, NULL, 0, any, NULL),
	    cudaMemcpyPeer(NULL, 0, NULL, 0, 0), cudaMemcpyPeerAsync(NULL, 0, NULL, 0, 0, NULL),
	    cudaMemcpy2D(NULL, 0, NULL, 0, 0, 0, any), cudaMemcpy2DAsync(NULL, 0, NULL, 0, 0, 0, any, NULL),
	    cudaMemcpyToSymbol(NULL, NULL, 0, 0, any), cudaMemcpyToSymbolAsync(NULL, NULL, 0, 0, any, NULL),
	    cudaMemcpyFromSymbol(NULL, NULL, 0, 0, any),
	    cudaMemcpyFromSymbolAsync(NULL, NULL, 0, 0, any, NULL), cudaMemset(NULL, 0, 0),
	    cudaMemsetAsync(NULL, 0, 0, NULL), cudaMemset2D(NULL, 0, 0, 0, 0),
	    cudaMemset2DAsync(NULL, 0, 0, 0, 0, NULL), cudaMemset3D(nowhere, 0, no_extent),
	    cudaMemset3DAsync(nowhere, 0, no_extent, NULL), cudaMemcpyToArray(NULL, 0, 0, NULL, 0, any),
	    cudaMemcpyToArrayAsync(NULL, 0, 0, NULL, 0, any, NULL),
	    cudaMemcpyFromArray(NULL, NULL, 0, 0, 0, any),
	    cudaMemcpyFromArrayAsync(NULL, NULL, 0, 0, 0, any, NULL),
	    cudaMemcpy2DToArray(NULL, 0, 0, NULL, 0, 0, 0, any),
	    cudaMemcpy2DToArrayAsync(NULL, 0, 0, NULL, 0, 0, 0, any, NULL),
	    cudaMemcpy2DFromArray(NULL, 0, NULL, 0, 0, 0, 0, any),
	    cudaMemcpy2DFromArrayAsync(NULL, 0, NULL, 0, 0, 0, 0, any, NULL), cudaMemcpy3D(NULL),
	    cudaMemcpy3DAsync(NULL, NULL), cudaMemcpy3DPeer(NULL), cudaMemcpy3DPeerAsync(NULL, NULL),
	    cudaMemcpy2DArrayToArray(NULL, 0, 0, NULL, 0, 0, 0, 0, any));
}

static void say_nothing(void *user)
{
	(void)user;
}

static void say_nothing_of_stream(cudaStream_t stream, cudaError_t error, void *user)
{
	(void)stream, (void)error, (void)user;
}

TEST(streams_and_events_are_of_no_use)
{
	fault();
	cudaLaunchConfig_t config = {.gridDim = size_of(1), .blockDim = size_of(1)};
	ANSWERS(ILLEGAL_ADDRESS, cudaStreamCreate(NULL), cudaStreamCreateWithFlags(NULL, 0),
	        cudaStreamCreateWithPriority(NULL, 0, 0), cudaStreamDestroy(NULL),
	        cudaStreamSynchronize(NULL), cudaStreamQuery(NULL), cudaStreamGetFlags(NULL, NULL),
	        cudaStreamGetPriority(NULL, NULL), cudaStreamAttachMemAsync(NULL, NULL, 0, 0),
	        cudaStreamAddCallback(NULL, say_nothing_of_stream, NULL, 0),
	        cudaLaunchHostFunc(NULL, say_nothing, NULL), cudaStreamSetAttribute(NULL, 1, NULL),
	        cudaStreamGetAttribute(NULL, 1, NULL), cudaStreamCopyAttributes(NULL, NULL),
	        cudaStreamGetId(NULL, NULL), cudaStreamGetDevice(NULL, NULL), cudaEventCreate(NULL),
	        cudaEventCreateWithFlags(NULL, 0), cudaEventDestroy(NULL), cudaEventRecord(NULL, NULL),
	        cudaEventRecordWithFlags(NULL, NULL, 0), cudaStreamWaitEvent(NULL, NULL, 0),
	        cudaEventSynchronize(NULL), cudaEventQuery(NULL), cudaEventElapsedTime(NULL, NULL, NULL),
	        cudaStreamBeginCapture(NULL, 0), cudaStreamBeginCaptureToGraph(NULL, NULL, NULL, NULL, 0, 0),
	        cudaStreamEndCapture(NULL, NULL), cudaStreamIsCapturing(NULL, NULL),
	        cudaStreamGetCaptureInfo(NULL, NULL, NULL, NULL, NULL, NULL, NULL),
	        cudaStreamUpdateCaptureDependencies(NULL, NULL, NULL, 0, 0), store(NULL, 0, NULL),
	        cudaLaunchCooperativeKernel(&kernel_nothing, size_of(1), size_of(1), NULL, 0, NULL),
	        cudaLaunchKernelExC(&config, &kernel_nothing, NULL));
	OK(cudaConfigureCall(size_of(1), size_of(1), 0, NULL));
	ANSWERS(ILLEGAL_ADDRESS, cudaLaunch(&kernel_nothing));
	int least = 1, greatest = 1;
	OK(cudaDeviceGetStreamPriorityRange(&least, &greatest)); /* what the device is, it still is */
	CHECK(least == 0 && greatest == -5);
}

TEST(graphs_are_neither_built_nor_launched)
{
	fault();
	struct cudaKernelNodeParams kernel = {0};
	struct cudaMemcpy3DParms copy = {0};
	struct cudaMemsetParams fill = {0};
	struct cudaHostNodeParams host = {0};
	struct cudaMemAllocNodeParams memory = {0};
	ANSWERS(
	    ILLEGAL_ADDRESS, cudaGraphCreate(NULL, 0), cudaGraphDestroy(NULL), cudaGraphClone(NULL, NULL),
	    cudaGraphNodeFindInClone(NULL, NULL, NULL), cudaGraphAddNode(NULL, NULL, NULL, NULL, 0, NULL),
	    cudaGraphAddKernelNode(NULL, NULL, NULL, 0, &kernel),
	    cudaGraphAddMemcpyNode(NULL, NULL, NULL, 0, &copy),
	    cudaGraphAddMemcpyNodeToSymbol(NULL, NULL, NULL, 0, NULL, NULL, 0, 0, any),
	    cudaGraphAddMemcpyNodeFromSymbol(NULL, NULL, NULL, 0, NULL, NULL, 0, 0, any),
	    cudaGraphAddMemsetNode(NULL, NULL, NULL, 0, &fill),
	    cudaGraphAddHostNode(NULL, NULL, NULL, 0, &host),
	    cudaGraphAddChildGraphNode(NULL, NULL, NULL, 0, NULL), cudaGraphAddEmptyNode(NULL, NULL, NULL, 0),
	    cudaGraphAddEventRecordNode(NULL, NULL, NULL, 0, NULL),
	    cudaGraphAddEventWaitNode(NULL, NULL, NULL, 0, NULL),
	    cudaGraphAddMemAllocNode(NULL, NULL, NULL, 0, &memory),
	    cudaGraphAddMemFreeNode(NULL, NULL, NULL, 0, NULL),
	    cudaGraphAddDependencies(NULL, NULL, NULL, NULL, 0),
	    cudaGraphRemoveDependencies(NULL, NULL, NULL, NULL, 0), cudaGraphDestroyNode(NULL),
	    cudaGraphInstantiate(NULL, NULL, 0), cudaGraphExecGetFlags(NULL, NULL),
	    cudaGraphUpload(NULL, NULL), cudaGraphLaunch(NULL, NULL), cudaGraphExecDestroy(NULL),
	    cudaGraphExecUpdate(NULL, NULL, NULL), cudaGraphExecNodeSetParams(NULL, NULL, NULL),
	    cudaGraphExecKernelNodeSetParams(NULL, NULL, &kernel),
	    cudaGraphExecMemcpyNodeSetParams(NULL, NULL, &copy),
	    cudaGraphExecMemsetNodeSetParams(NULL, NULL, &fill),
	    cudaGraphExecHostNodeSetParams(NULL, NULL, &host),
	    cudaGraphExecChildGraphNodeSetParams(NULL, NULL, NULL),
	    cudaGraphExecEventRecordNodeSetEvent(NULL, NULL, NULL), cudaGraphNodeSetEnabled(NULL, NULL, 0),
	    cudaGraphNodeGetEnabled(NULL, NULL, NULL), cudaDeviceGraphMemTrim(0),
	    cudaDeviceGetGraphMemAttribute(0, 0, NULL), cudaDeviceSetGraphMemAttribute(0, 0, NULL));
}

TEST(graphs_are_not_told_of_either)
{
	fault();
	struct cudaKernelNodeParams kernel = {0};
	struct cudaMemcpy3DParms copy = {0};
	struct cudaMemsetParams fill = {0};
	struct cudaHostNodeParams host = {0};
	ANSWERS(ILLEGAL_ADDRESS, cudaGraphNodeGetType(NULL, NULL), cudaGraphGetNodes(NULL, NULL, NULL),
	        cudaGraphGetRootNodes(NULL, NULL, NULL), cudaGraphGetEdges(NULL, NULL, NULL, NULL, NULL),
	        cudaGraphNodeGetDependencies(NULL, NULL, NULL, NULL),
	        cudaGraphNodeGetDependentNodes(NULL, NULL, NULL, NULL), cudaGraphNodeSetParams(NULL, NULL),
	        cudaGraphKernelNodeGetParams(NULL, NULL), cudaGraphKernelNodeSetParams(NULL, &kernel),
	        cudaGraphKernelNodeGetAttribute(NULL, 1, NULL),
	        cudaGraphKernelNodeSetAttribute(NULL, 1, NULL), cudaGraphKernelNodeCopyAttributes(NULL, NULL),
	        cudaGraphMemcpyNodeGetParams(NULL, NULL), cudaGraphMemcpyNodeSetParams(NULL, &copy),
	        cudaGraphMemsetNodeGetParams(NULL, NULL), cudaGraphMemsetNodeSetParams(NULL, &fill),
	        cudaGraphHostNodeGetParams(NULL, NULL), cudaGraphHostNodeSetParams(NULL, &host),
	        cudaGraphChildGraphNodeGetGraph(NULL, NULL), cudaGraphEventRecordNodeGetEvent(NULL, NULL),
	        cudaGraphEventRecordNodeSetEvent(NULL, NULL), cudaGraphEventWaitNodeGetEvent(NULL, NULL),
	        cudaGraphEventWaitNodeSetEvent(NULL, NULL), cudaGraphMemAllocNodeGetParams(NULL, NULL),
	        cudaGraphMemFreeNodeGetParams(NULL, NULL), cudaGraphDebugDotPrint(NULL, NULL, 0));
}

TESTS(true)
