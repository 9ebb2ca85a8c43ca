/*
 * A kernel's fault ends the device: from then on every call that needs it, whatever its arguments, answers with
 * the fault, and so does the next one. Arguments are not looked at, so nearly all of them are nothing here. (An H200
 * still answers a few that touch nothing but the host, such as building a graph; the fault is told there, too.)
 */
#include "table.h"

#define GONE(call) ROW(cudaErrorIllegalAddress, call)

static const struct cudaExtent no_extent;
static const struct cudaMemLocation no_place;
static const enum cudaMemcpyKind any = cudaMemcpyDefault;

static unsigned calls;

static void count_call(void *user)
{
	++*(unsigned *)user;
}

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
	FAILS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
	CHECK_EQ(calls, 0);
}

TEST(memory_is_neither_given_nor_taken_back)
{
	fault();
	ANSWERS(GONE(cudaMalloc(NULL, 0)), GONE(cudaMallocManaged(NULL, 0, 0)), GONE(cudaFree(NULL)),
	        GONE(cudaMallocPitch(NULL, NULL, 0, 0)), GONE(cudaMalloc3D(NULL, no_extent)),
	        GONE(cudaMallocHost(NULL, 0)), GONE(cudaHostAlloc(NULL, 0, 0)), GONE(cudaFreeHost(NULL)),
	        GONE(cudaHostRegister(NULL, 0, 0)), GONE(cudaHostUnregister(NULL)),
	        GONE(cudaHostGetDevicePointer(NULL, NULL, 0)), GONE(cudaHostGetFlags(NULL, NULL)),
	        GONE(cudaPointerGetAttributes(NULL, NULL)), GONE(cudaMemGetInfo(NULL, NULL)),
	        GONE(cudaMallocArray(NULL, NULL, 0, 0, 0)), GONE(cudaMalloc3DArray(NULL, NULL, no_extent, 0)),
	        GONE(cudaFreeArray(NULL)), GONE(cudaArrayGetInfo(NULL, NULL, NULL, NULL)),
	        GONE(cudaGetChannelDesc(NULL, NULL)), GONE(cudaMallocAsync(NULL, 0, NULL)),
	        GONE(cudaMallocFromPoolAsync(NULL, 0, NULL, NULL)), GONE(cudaFreeAsync(NULL, NULL)),
	        GONE(cudaMemPoolCreate(NULL, NULL)), GONE(cudaMemPoolDestroy(NULL)),
	        GONE(cudaDeviceGetDefaultMemPool(NULL, 0)), GONE(cudaDeviceGetMemPool(NULL, 0)),
	        GONE(cudaDeviceSetMemPool(0, NULL)), GONE(cudaMemPoolTrimTo(NULL, 0)),
	        GONE(cudaMemPoolGetAttribute(NULL, 1, NULL)), GONE(cudaMemPoolSetAttribute(NULL, 1, NULL)),
	        GONE(cudaMemPoolSetAccess(NULL, NULL, 0)), GONE(cudaMemPoolGetAccess(NULL, NULL, NULL)),
	        GONE(cudaMemPrefetchAsync_v2(NULL, 0, no_place, 0, NULL)),
	        GONE(cudaMemAdvise_v2(NULL, 0, 1, no_place)),
	        GONE(cudaMemRangeGetAttribute(NULL, 0, 1, NULL, 0)), GONE(cudaGetSymbolAddress(NULL, NULL)),
	        GONE(cudaGetSymbolSize(NULL, NULL)), GONE(cudaCreateSurfaceObject(NULL, NULL)),
	        GONE(cudaDestroySurfaceObject(0)), GONE(cudaGetSurfaceObjectResourceDesc(NULL, 0)));
}

TEST(nothing_is_copied)
{
	fault();
	struct cudaPitchedPtr nowhere = {0};
	ANSWERS(GONE(cudaMemcpy(NULL, NULL, 0, any)), GONE(cudaMemcpyAsync(NULL, NULL, 0, any, NULL)),
	        GONE(cudaMemcpyPeer(NULL, 0, NULL, 0, 0)),
	        GONE(cudaMemcpyPeerAsync(NULL, 0, NULL, 0, 0, NULL)),
	        GONE(cudaMemcpy2D(NULL, 0, NULL, 0, 0, 0, any)),
	        GONE(cudaMemcpy2DAsync(NULL, 0, NULL, 0, 0, 0, any, NULL)),
	        GONE(cudaMemcpyToSymbol(NULL, NULL, 0, 0, any)),
	        GONE(cudaMemcpyToSymbolAsync(NULL, NULL, 0, 0, any, NULL)),
	        GONE(cudaMemcpyFromSymbol(NULL, NULL, 0, 0, any)),
	        GONE(cudaMemcpyFromSymbolAsync(NULL, NULL, 0, 0, any, NULL)), GONE(cudaMemset(NULL, 0, 0)),
	        GONE(cudaMemsetAsync(NULL, 0, 0, NULL)), GONE(cudaMemset2D(NULL, 0, 0, 0, 0)),
	        GONE(cudaMemset2DAsync(NULL, 0, 0, 0, 0, NULL)), GONE(cudaMemset3D(nowhere, 0, no_extent)),
	        GONE(cudaMemset3DAsync(nowhere, 0, no_extent, NULL)),
	        GONE(cudaMemcpyToArray(NULL, 0, 0, NULL, 0, any)),
	        GONE(cudaMemcpyToArrayAsync(NULL, 0, 0, NULL, 0, any, NULL)),
	        GONE(cudaMemcpyFromArray(NULL, NULL, 0, 0, 0, any)),
	        GONE(cudaMemcpyFromArrayAsync(NULL, NULL, 0, 0, 0, any, NULL)),
	        GONE(cudaMemcpy2DToArray(NULL, 0, 0, NULL, 0, 0, 0, any)),
	        GONE(cudaMemcpy2DToArrayAsync(NULL, 0, 0, NULL, 0, 0, 0, any, NULL)),
	        GONE(cudaMemcpy2DFromArray(NULL, 0, NULL, 0, 0, 0, 0, any)),
	        GONE(cudaMemcpy2DFromArrayAsync(NULL, 0, NULL, 0, 0, 0, 0, any, NULL)),
	        GONE(cudaMemcpy3D(NULL)), GONE(cudaMemcpy3DAsync(NULL, NULL)), GONE(cudaMemcpy3DPeer(NULL)),
	        GONE(cudaMemcpy3DPeerAsync(NULL, NULL)),
	        GONE(cudaMemcpy2DArrayToArray(NULL, 0, 0, NULL, 0, 0, 0, 0, any)));
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
	ANSWERS(GONE(cudaStreamCreate(NULL)), GONE(cudaStreamCreateWithFlags(NULL, 0)),
	        GONE(cudaStreamCreateWithPriority(NULL, 0, 0)), GONE(cudaStreamDestroy(NULL)),
	        GONE(cudaStreamSynchronize(NULL)), GONE(cudaStreamQuery(NULL)),
	        GONE(cudaStreamGetFlags(NULL, NULL)), GONE(cudaStreamGetPriority(NULL, NULL)),
	        GONE(cudaStreamAttachMemAsync(NULL, NULL, 0, 0)),
	        GONE(cudaStreamAddCallback(NULL, say_nothing_of_stream, NULL, 0)),
	        GONE(cudaLaunchHostFunc(NULL, say_nothing, NULL)),
	        GONE(cudaStreamSetAttribute(NULL, 1, NULL)), GONE(cudaStreamGetAttribute(NULL, 1, NULL)),
	        GONE(cudaStreamCopyAttributes(NULL, NULL)), GONE(cudaStreamGetId(NULL, NULL)),
	        GONE(cudaStreamGetDevice(NULL, NULL)), GONE(cudaEventCreate(NULL)),
	        GONE(cudaEventCreateWithFlags(NULL, 0)), GONE(cudaEventDestroy(NULL)),
	        GONE(cudaEventRecord(NULL, NULL)), GONE(cudaEventRecordWithFlags(NULL, NULL, 0)),
	        GONE(cudaStreamWaitEvent(NULL, NULL, 0)), GONE(cudaEventSynchronize(NULL)),
	        GONE(cudaEventQuery(NULL)), GONE(cudaEventElapsedTime(NULL, NULL, NULL)),
	        GONE(cudaStreamBeginCapture(NULL, 0)),
	        GONE(cudaStreamBeginCaptureToGraph(NULL, NULL, NULL, NULL, 0, 0)),
	        GONE(cudaStreamEndCapture(NULL, NULL)), GONE(cudaStreamIsCapturing(NULL, NULL)),
	        GONE(cudaStreamGetCaptureInfo(NULL, NULL, NULL, NULL, NULL, NULL, NULL)),
	        GONE(cudaStreamUpdateCaptureDependencies(NULL, NULL, NULL, 0, 0)), GONE(store(NULL, 0, NULL)),
	        GONE(cudaLaunchCooperativeKernel(&kernel_nothing, size_of(1), size_of(1), NULL, 0, NULL)),
	        GONE(cudaLaunchKernelExC(&config, &kernel_nothing, NULL)));
	OK(cudaConfigureCall(size_of(1), size_of(1), 0, NULL));
	FAILS(cudaLaunch(&kernel_nothing), cudaErrorIllegalAddress);
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
	ANSWERS(GONE(cudaGraphCreate(NULL, 0)), GONE(cudaGraphDestroy(NULL)),
	        GONE(cudaGraphClone(NULL, NULL)), GONE(cudaGraphNodeFindInClone(NULL, NULL, NULL)),
	        GONE(cudaGraphAddNode(NULL, NULL, NULL, NULL, 0, NULL)),
	        GONE(cudaGraphAddKernelNode(NULL, NULL, NULL, 0, &kernel)),
	        GONE(cudaGraphAddMemcpyNode(NULL, NULL, NULL, 0, &copy)),
	        GONE(cudaGraphAddMemcpyNodeToSymbol(NULL, NULL, NULL, 0, NULL, NULL, 0, 0, any)),
	        GONE(cudaGraphAddMemcpyNodeFromSymbol(NULL, NULL, NULL, 0, NULL, NULL, 0, 0, any)),
	        GONE(cudaGraphAddMemsetNode(NULL, NULL, NULL, 0, &fill)),
	        GONE(cudaGraphAddHostNode(NULL, NULL, NULL, 0, &host)),
	        GONE(cudaGraphAddChildGraphNode(NULL, NULL, NULL, 0, NULL)),
	        GONE(cudaGraphAddEmptyNode(NULL, NULL, NULL, 0)),
	        GONE(cudaGraphAddEventRecordNode(NULL, NULL, NULL, 0, NULL)),
	        GONE(cudaGraphAddEventWaitNode(NULL, NULL, NULL, 0, NULL)),
	        GONE(cudaGraphAddMemAllocNode(NULL, NULL, NULL, 0, &memory)),
	        GONE(cudaGraphAddMemFreeNode(NULL, NULL, NULL, 0, NULL)),
	        GONE(cudaGraphAddDependencies(NULL, NULL, NULL, NULL, 0)),
	        GONE(cudaGraphRemoveDependencies(NULL, NULL, NULL, NULL, 0)),
	        GONE(cudaGraphDestroyNode(NULL)), GONE(cudaGraphInstantiate(NULL, NULL, 0)),
	        GONE(cudaGraphExecGetFlags(NULL, NULL)), GONE(cudaGraphUpload(NULL, NULL)),
	        GONE(cudaGraphLaunch(NULL, NULL)), GONE(cudaGraphExecDestroy(NULL)),
	        GONE(cudaGraphExecUpdate(NULL, NULL, NULL)),
	        GONE(cudaGraphExecNodeSetParams(NULL, NULL, NULL)),
	        GONE(cudaGraphExecKernelNodeSetParams(NULL, NULL, &kernel)),
	        GONE(cudaGraphExecMemcpyNodeSetParams(NULL, NULL, &copy)),
	        GONE(cudaGraphExecMemsetNodeSetParams(NULL, NULL, &fill)),
	        GONE(cudaGraphExecHostNodeSetParams(NULL, NULL, &host)),
	        GONE(cudaGraphExecChildGraphNodeSetParams(NULL, NULL, NULL)),
	        GONE(cudaGraphExecEventRecordNodeSetEvent(NULL, NULL, NULL)),
	        GONE(cudaGraphNodeSetEnabled(NULL, NULL, 0)), GONE(cudaGraphNodeGetEnabled(NULL, NULL, NULL)),
	        GONE(cudaDeviceGraphMemTrim(0)), GONE(cudaDeviceGetGraphMemAttribute(0, 0, NULL)),
	        GONE(cudaDeviceSetGraphMemAttribute(0, 0, NULL)));
}

TEST(graphs_are_not_told_of_either)
{
	fault();
	struct cudaKernelNodeParams kernel = {0};
	struct cudaMemcpy3DParms copy = {0};
	struct cudaMemsetParams fill = {0};
	struct cudaHostNodeParams host = {0};
	ANSWERS(
	    GONE(cudaGraphNodeGetType(NULL, NULL)), GONE(cudaGraphGetNodes(NULL, NULL, NULL)),
	    GONE(cudaGraphGetRootNodes(NULL, NULL, NULL)),
	    GONE(cudaGraphGetEdges(NULL, NULL, NULL, NULL, NULL)),
	    GONE(cudaGraphNodeGetDependencies(NULL, NULL, NULL, NULL)),
	    GONE(cudaGraphNodeGetDependentNodes(NULL, NULL, NULL, NULL)),
	    GONE(cudaGraphNodeSetParams(NULL, NULL)), GONE(cudaGraphKernelNodeGetParams(NULL, NULL)),
	    GONE(cudaGraphKernelNodeSetParams(NULL, &kernel)),
	    GONE(cudaGraphKernelNodeGetAttribute(NULL, 1, NULL)),
	    GONE(cudaGraphKernelNodeSetAttribute(NULL, 1, NULL)),
	    GONE(cudaGraphKernelNodeCopyAttributes(NULL, NULL)),
	    GONE(cudaGraphMemcpyNodeGetParams(NULL, NULL)), GONE(cudaGraphMemcpyNodeSetParams(NULL, &copy)),
	    GONE(cudaGraphMemsetNodeGetParams(NULL, NULL)), GONE(cudaGraphMemsetNodeSetParams(NULL, &fill)),
	    GONE(cudaGraphHostNodeGetParams(NULL, NULL)), GONE(cudaGraphHostNodeSetParams(NULL, &host)),
	    GONE(cudaGraphChildGraphNodeGetGraph(NULL, NULL)),
	    GONE(cudaGraphEventRecordNodeGetEvent(NULL, NULL)),
	    GONE(cudaGraphEventRecordNodeSetEvent(NULL, NULL)),
	    GONE(cudaGraphEventWaitNodeGetEvent(NULL, NULL)),
	    GONE(cudaGraphEventWaitNodeSetEvent(NULL, NULL)),
	    GONE(cudaGraphMemAllocNodeGetParams(NULL, NULL)), GONE(cudaGraphMemFreeNodeGetParams(NULL, NULL)),
	    GONE(cudaGraphDebugDotPrint(NULL, NULL, 0)));
}

TEST_MAIN(TEST_ENTRY(what_stands_behind_a_fault_is_not_done)
              TEST_ENTRY(memory_is_neither_given_nor_taken_back) TEST_ENTRY(nothing_is_copied)
                  TEST_ENTRY(streams_and_events_are_of_no_use)
                      TEST_ENTRY(graphs_are_neither_built_nor_launched)
                          TEST_ENTRY(graphs_are_not_told_of_either))
