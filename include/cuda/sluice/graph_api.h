/* Functions of CUDA graphs and stream capture, as CUDA 12 and 13 have them; older forms are in runtime.h. */
#ifndef SLUICE_CUDA_GRAPH_API_H
#define SLUICE_CUDA_GRAPH_API_H

#define SLUICE_CALL SLUICE_API cudaError_t
/* Where a new node goes, and what a node is an instance of. */
#define SLUICE_NODE_PLACE                                                                                    \
	cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies, size_t count
#define SLUICE_EXEC_NODE cudaGraphExec_t exec, cudaGraphNode_t node

/* ---- capture -------------------------------------------------------------------------------------------- */

SLUICE_CALL cudaStreamBeginCapture(cudaStream_t stream, enum cudaStreamCaptureMode mode);
SLUICE_CALL cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode);
SLUICE_CALL cudaStreamEndCapture(cudaStream_t stream, cudaGraph_t *graph);
SLUICE_CALL cudaStreamIsCapturing(cudaStream_t stream, enum cudaStreamCaptureStatus *status);
SLUICE_CALL cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode);
SLUICE_CALL cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id __dv(0), cudaGraph_t *graph __dv(0),
                                     const cudaGraphNode_t **dependencies __dv(0),
                                     const cudaGraphEdgeData **edges __dv(0), size_t *count __dv(0));
SLUICE_CALL cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id __dv(0), cudaGraph_t *graph __dv(0),
                                        const cudaGraphNode_t **dependencies __dv(0), size_t *count __dv(0));
SLUICE_CALL cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count,
                                                unsigned int flags __dv(0));

/* ---- building ------------------------------------------------------------------------------------------- */

SLUICE_CALL cudaGraphCreate(cudaGraph_t *graph, unsigned int flags);
SLUICE_CALL cudaGraphDestroy(cudaGraph_t graph);
SLUICE_CALL cudaGraphClone(cudaGraph_t *clone, cudaGraph_t original);
SLUICE_CALL cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t clone);
SLUICE_CALL cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *edges, size_t count,
                             struct cudaGraphNodeParams *params);
SLUICE_CALL cudaGraphAddKernelNode(SLUICE_NODE_PLACE, const struct cudaKernelNodeParams *params);
SLUICE_CALL cudaGraphAddMemcpyNode(SLUICE_NODE_PLACE, const struct cudaMemcpy3DParms *params);
SLUICE_CALL cudaGraphAddMemcpyNode1D(SLUICE_NODE_PLACE, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind);
SLUICE_CALL cudaGraphAddMemcpyNodeToSymbol(SLUICE_NODE_PLACE, const void *symbol, const void *from,
                                           size_t bytes, size_t offset, enum cudaMemcpyKind kind);
SLUICE_CALL cudaGraphAddMemcpyNodeFromSymbol(SLUICE_NODE_PLACE, void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind);
SLUICE_CALL cudaGraphAddMemsetNode(SLUICE_NODE_PLACE, const struct cudaMemsetParams *params);
SLUICE_CALL cudaGraphAddHostNode(SLUICE_NODE_PLACE, const struct cudaHostNodeParams *params);
SLUICE_CALL cudaGraphAddChildGraphNode(SLUICE_NODE_PLACE, cudaGraph_t child);
SLUICE_CALL cudaGraphAddEmptyNode(SLUICE_NODE_PLACE);
SLUICE_CALL cudaGraphAddEventRecordNode(SLUICE_NODE_PLACE, cudaEvent_t event);
SLUICE_CALL cudaGraphAddEventWaitNode(SLUICE_NODE_PLACE, cudaEvent_t event);
SLUICE_CALL cudaGraphAddMemAllocNode(SLUICE_NODE_PLACE, struct cudaMemAllocNodeParams *params);
SLUICE_CALL cudaGraphAddMemFreeNode(SLUICE_NODE_PLACE, void *address);
SLUICE_CALL cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count);
SLUICE_CALL cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count);
SLUICE_CALL cudaGraphDestroyNode(cudaGraphNode_t node);

/* ---- questions and changes ------------------------------------------------------------------------------ */

SLUICE_CALL cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type);
SLUICE_CALL cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
SLUICE_CALL cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count);
SLUICE_CALL cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count);
SLUICE_CALL cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *edges, size_t *count);
SLUICE_CALL cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges, size_t *count);
SLUICE_CALL cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params);
SLUICE_CALL cudaGraphKernelNodeGetParams(cudaGraphNode_t node, struct cudaKernelNodeParams *params);
SLUICE_CALL cudaGraphKernelNodeSetParams(cudaGraphNode_t node, const struct cudaKernelNodeParams *params);
SLUICE_CALL cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            cudaLaunchAttributeValue *value);
SLUICE_CALL cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID attribute,
                                            const cudaLaunchAttributeValue *value);
SLUICE_CALL cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from);
SLUICE_CALL cudaGraphMemcpyNodeGetParams(cudaGraphNode_t node, struct cudaMemcpy3DParms *params);
SLUICE_CALL cudaGraphMemcpyNodeSetParams(cudaGraphNode_t node, const struct cudaMemcpy3DParms *params);
SLUICE_CALL cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind);
SLUICE_CALL cudaGraphMemsetNodeGetParams(cudaGraphNode_t node, struct cudaMemsetParams *params);
SLUICE_CALL cudaGraphMemsetNodeSetParams(cudaGraphNode_t node, const struct cudaMemsetParams *params);
SLUICE_CALL cudaGraphHostNodeGetParams(cudaGraphNode_t node, struct cudaHostNodeParams *params);
SLUICE_CALL cudaGraphHostNodeSetParams(cudaGraphNode_t node, const struct cudaHostNodeParams *params);
SLUICE_CALL cudaGraphChildGraphNodeGetGraph(cudaGraphNode_t node, cudaGraph_t *graph);
SLUICE_CALL cudaGraphEventRecordNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
SLUICE_CALL cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
SLUICE_CALL cudaGraphEventWaitNodeGetEvent(cudaGraphNode_t node, cudaEvent_t *event);
SLUICE_CALL cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event);
SLUICE_CALL cudaGraphMemAllocNodeGetParams(cudaGraphNode_t node, struct cudaMemAllocNodeParams *params);
SLUICE_CALL cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address);
SLUICE_CALL cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned int flags);

/* ---- executable graphs ---------------------------------------------------------------------------------- */

SLUICE_CALL cudaGraphInstantiate(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags __dv(0));
SLUICE_CALL cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph,
                                          unsigned long long flags __dv(0));
SLUICE_CALL cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params);
SLUICE_CALL cudaGraphExecGetFlags(cudaGraphExec_t exec, unsigned long long *flags);
SLUICE_CALL cudaGraphUpload(cudaGraphExec_t exec, cudaStream_t stream);
SLUICE_CALL cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream);
SLUICE_CALL cudaGraphExecDestroy(cudaGraphExec_t exec);
SLUICE_CALL cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info);
SLUICE_CALL cudaGraphExecNodeSetParams(SLUICE_EXEC_NODE, struct cudaGraphNodeParams *params);
SLUICE_CALL cudaGraphExecKernelNodeSetParams(SLUICE_EXEC_NODE, const struct cudaKernelNodeParams *params);
SLUICE_CALL cudaGraphExecMemcpyNodeSetParams(SLUICE_EXEC_NODE, const struct cudaMemcpy3DParms *params);
SLUICE_CALL cudaGraphExecMemcpyNodeSetParams1D(SLUICE_EXEC_NODE, void *to, const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind);
SLUICE_CALL cudaGraphExecMemsetNodeSetParams(SLUICE_EXEC_NODE, const struct cudaMemsetParams *params);
SLUICE_CALL cudaGraphExecHostNodeSetParams(SLUICE_EXEC_NODE, const struct cudaHostNodeParams *params);
SLUICE_CALL cudaGraphExecChildGraphNodeSetParams(SLUICE_EXEC_NODE, cudaGraph_t child);
SLUICE_CALL cudaGraphExecEventRecordNodeSetEvent(SLUICE_EXEC_NODE, cudaEvent_t event);
SLUICE_CALL cudaGraphExecEventWaitNodeSetEvent(SLUICE_EXEC_NODE, cudaEvent_t event);
SLUICE_CALL cudaGraphNodeSetEnabled(SLUICE_EXEC_NODE, unsigned int is_enabled);
SLUICE_CALL cudaGraphNodeGetEnabled(SLUICE_EXEC_NODE, unsigned int *is_enabled);
SLUICE_CALL cudaDeviceGraphMemTrim(int device);
SLUICE_CALL cudaDeviceGetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value);
SLUICE_CALL cudaDeviceSetGraphMemAttribute(int device, enum cudaGraphMemAttributeType which, void *value);

/* ---- objects that live as long as the graphs that use them ----------------------------------------------- */

SLUICE_CALL cudaUserObjectCreate(cudaUserObject_t *object, void *pointer, cudaHostFn_t destroy,
                                 unsigned int references, unsigned int flags);
SLUICE_CALL cudaUserObjectRetain(cudaUserObject_t object, unsigned int count __dv(1));
SLUICE_CALL cudaUserObjectRelease(cudaUserObject_t object, unsigned int count __dv(1));
SLUICE_CALL cudaGraphRetainUserObject(cudaGraph_t graph, cudaUserObject_t object, unsigned int count __dv(1),
                                      unsigned int flags __dv(0));
SLUICE_CALL cudaGraphReleaseUserObject(cudaGraph_t graph, cudaUserObject_t object,
                                       unsigned int count __dv(1));

#undef SLUICE_CALL

#endif
