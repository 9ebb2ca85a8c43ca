/* Building graphs and asking about them: what a node may be made of, where it may stand, what it tells again. */
#include "table.h"

static unsigned *device; /* four words */
static unsigned host[4];
static const struct cudaMemPoolProps pool = {.allocType = cudaMemAllocationTypePinned,
                                             .location = {.type = cudaMemLocationTypeDevice}};

static cudaGraph_t new_graph(void)
{
	cudaGraph_t graph = NULL;
	if (!device)
		cudaMalloc((void **)&device, sizeof host);
	cudaGraphCreate(&graph, 0);
	return graph;
}

/* ---- places ------------------------------------------------------------------------------------------------- */

TEST(a_node_depends_on_others_of_its_graph_once_each)
{
	cudaGraph_t graph = new_graph(), other = new_graph(), copy;
	cudaGraphNode_t node, a = new_empty(graph), b = new_empty(graph), foreign = new_empty(other);
	cudaGraphNode_t twice[] = {a, a}, strange[] = {a, foreign}, good[] = {a, b}, back[] = {b, a};
	cudaGraphNode_t same[] = {a, a}, none[] = {no_handle(), a};
	ANSWERS(INVALID_VALUE, cudaGraphCreate(NULL, 0), cudaGraphCreate(&copy, 1),
	        cudaGraphDestroy(no_handle()), cudaGraphAddEmptyNode(&node, no_handle(), NULL, 0),
	        cudaGraphAddEmptyNode(NULL, graph, NULL, 0), cudaGraphAddEmptyNode(&node, graph, NULL, 1),
	        cudaGraphAddEmptyNode(&node, graph, twice, 2),
	        cudaGraphAddEmptyNode(&node, graph, strange, 2), cudaGraphAddEmptyNode(&node, graph, none, 2),
	        cudaGraphAddDependencies(no_handle(), good, back, NULL, 1),
	        cudaGraphAddDependencies(graph, NULL, back, NULL, 1),
	        cudaGraphAddDependencies(graph, good, NULL, NULL, 1),
	        cudaGraphAddDependencies(graph, same, same, NULL, 1),
	        cudaGraphAddDependencies(graph, none, good, NULL, 1),
	        cudaGraphAddDependencies(graph, good, none, NULL, 1),
	        cudaGraphAddDependencies(graph, strange, back, NULL, 2),
	        cudaGraphAddDependencies(graph, back, strange, NULL, 2),
	        cudaGraphRemoveDependencies(graph, good, back, NULL, 1), cudaGraphDestroyNode(no_handle()));
	ANSWERS(cudaSuccess, cudaGraphAddDependencies(graph, NULL, NULL, NULL, 0));
	OK(cudaGraphAddDependencies(graph, good, back, NULL, 1));
	ANSWERS(INVALID_VALUE, cudaGraphAddDependencies(graph, good, back, NULL, 1));
	OK(cudaGraphRemoveDependencies(graph, good, back, NULL, 1), cudaGraphDestroyNode(a));
	ANSWERS(INVALID_VALUE, cudaGraphDestroyNode(a));
	OK(cudaGraphDestroy(other), cudaGraphDestroy(graph));
	ANSWERS(INVALID_VALUE, cudaGraphDestroy(graph));
}

TEST(a_child_belongs_to_its_node_and_clones_know_their_originals)
{
	cudaGraph_t graph = new_graph(), inner = new_graph(), child, clone;
	cudaGraphNode_t leaf = new_empty(inner), node, first = new_empty(graph), found, in_child;
	size_t count = 1;
	OK(cudaGraphAddChildGraphNode(&node, graph, &first, 1, inner),
	   cudaGraphChildGraphNodeGetGraph(node, &child), cudaGraphGetNodes(child, &in_child, &count),
	   cudaGraphClone(&clone, graph), cudaGraphNodeFindInClone(&found, node, clone),
	   cudaGraphNodeFindInClone(&found, in_child, clone));
	cudaGraphNode_t late = new_empty(graph);
	ANSWERS(INVALID_VALUE, cudaGraphDestroy(child), cudaGraphClone(NULL, graph),
	        cudaGraphClone(&clone, no_handle()), cudaGraphNodeFindInClone(NULL, node, clone),
	        cudaGraphNodeFindInClone(&found, no_handle(), clone),
	        cudaGraphNodeFindInClone(&found, node, no_handle()),
	        cudaGraphNodeFindInClone(&found, node, graph), cudaGraphNodeFindInClone(&found, late, clone),
	        cudaGraphNodeFindInClone(&found, leaf, clone),
	        cudaGraphAddChildGraphNode(&node, graph, NULL, 0, no_handle()),
	        cudaGraphChildGraphNodeGetGraph(first, &child));
	OK(cudaGraphDestroy(graph), cudaGraphDestroy(clone), cudaGraphDestroy(inner));
}

/* ---- what nodes do -------------------------------------------------------------------------------------------- */

static cudaError_t add_kernel(cudaGraph_t graph, struct cudaKernelNodeParams params, cudaGraphNode_t *node)
{
	return cudaGraphAddKernelNode(node, graph, NULL, 0, &params);
}

TEST(a_kernel_node_takes_arguments_one_by_one_or_packed)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node, empty = new_empty(graph);
	unsigned value = 7;
	struct {
		unsigned *at;
		unsigned value;
	} packed = {device, 9};
	size_t bytes = sizeof packed;
	void *args[] = {&device, &value}, *extra[] = {(void *)1, &packed, (void *)2, &bytes, NULL};
	void *nothing[] = {(void *)2, &bytes, NULL};
	struct cudaKernelNodeParams good = {
	    .func = &kernel_store, .gridDim = size_of(1), .blockDim = size_of(1), .kernelParams = args};
	struct cudaKernelNodeParams both = good, unpacked = good, none = good, unknown = good, large = good,
	                            no = good;
	both.extra = extra;
	no.kernelParams = none.kernelParams = unpacked.kernelParams = unknown.kernelParams = NULL;
	unpacked.extra = unknown.extra = extra;
	none.extra = nothing;
	unknown.func = host;
	large.blockDim = size_of(2000);
	ANSWERS(cudaSuccess, add_kernel(graph, good, &node));
	ANSWERS(INVALID_VALUE, add_kernel(graph, both, &node), add_kernel(graph, none, &node),
	        add_kernel(graph, no, &node), cudaGraphAddKernelNode(&node, graph, NULL, 0, NULL));
	ANSWERS(INVALID_FUNCTION, add_kernel(graph, unknown, &node));
	ANSWERS(INVALID_CONFIGURATION, add_kernel(graph, large, &node));
	OK(add_kernel(graph, unpacked, &node));
	struct cudaKernelNodeParams got;
	OK(cudaGraphKernelNodeGetParams(node, &got));
	CHECK(got.func == &kernel_store && *(unsigned **)got.kernelParams[0] == device &&
	      *(unsigned *)got.kernelParams[1] == 9 && !got.extra);
	OK(cudaGraphKernelNodeSetParams(node, &good), cudaGraphKernelNodeGetParams(node, &got));
	CHECK_EQ(*(unsigned *)got.kernelParams[1], 7);
	struct cudaKernelNodeParams plain = {
	    .func = &kernel_nothing, .gridDim = size_of(1), .blockDim = size_of(1)};
	OK(add_kernel(graph, plain, &node));
	plain.extra = extra;
	OK(add_kernel(graph, plain, &node));
	ANSWERS(INVALID_VALUE, cudaGraphKernelNodeGetParams(node, NULL),
	        cudaGraphKernelNodeGetParams(empty, &got), cudaGraphKernelNodeGetParams(no_handle(), &got),
	        cudaGraphKernelNodeSetParams(node, NULL), cudaGraphKernelNodeSetParams(empty, &good),
	        cudaGraphKernelNodeSetParams(no_handle(), &good), cudaGraphKernelNodeSetParams(node, &both));
	OK(cudaGraphDestroy(graph));
}

TEST(attributes_belong_to_kernel_nodes)
{
	cudaGraph_t graph = new_graph();
	struct cudaKernelNodeParams plain = {
	    .func = &kernel_nothing, .gridDim = size_of(1), .blockDim = size_of(1)};
	cudaGraphNode_t node, other, empty = new_empty(graph);
	cudaLaunchAttributeValue value = {.priority = -3}, got;
	const cudaLaunchAttributeID id = cudaLaunchAttributePriority;
	OK(add_kernel(graph, plain, &node), add_kernel(graph, plain, &other),
	   cudaGraphKernelNodeSetAttribute(node, id, &value), cudaGraphKernelNodeCopyAttributes(other, node));
	OK(cudaGraphKernelNodeSetParams(other, &plain)); /* they outlive the parameters */
	GIVES(got.priority, -3, cudaGraphKernelNodeGetAttribute(other, id, &got));
	ANSWERS(
	    INVALID_VALUE, cudaGraphKernelNodeSetAttribute(empty, id, &value),
	    cudaGraphKernelNodeSetAttribute(no_handle(), id, &value),
	    cudaGraphKernelNodeSetAttribute(node, id, NULL),
	    cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value),
	    cudaGraphKernelNodeGetAttribute(empty, id, &got), cudaGraphKernelNodeGetAttribute(node, id, NULL),
	    cudaGraphKernelNodeCopyAttributes(empty, node), cudaGraphKernelNodeCopyAttributes(node, empty));
	OK(cudaGraphDestroy(graph));
}

TEST(a_copy_node_lies_inside_both_of_its_sides)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node, empty = new_empty(graph);
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;
	struct cudaMemcpy3DParms got, nothing = {0},
	                              no_rows = {.srcPtr = {host, 4, 4, 1}, .dstPtr = {device, 4, 4, 1}};
	no_rows.extent = (struct cudaExtent){4, 0, 1};
	no_rows.kind = in;
	struct cudaMemcpy3DParms no_slices = no_rows;
	no_slices.extent = (struct cudaExtent){4, 1, 0};
	ANSWERS(INVALID_VALUE, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &no_slices),
	        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 17, in),
	        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, host, device, 17, out),
	        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, NULL, host, 4, in),
	        cudaGraphAddMemcpyNode(&node, graph, NULL, 0, NULL),
	        cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &nothing),
	        cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &no_rows),
	        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 0, in),
	        cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 8, 9, in),
	        cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 0, 17, in));
	ANSWERS(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 16, in),
	        cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 8, 8, in));
	ANSWERS(INVALID_DIRECTION,
	        cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 4, (enum cudaMemcpyKind)7));
	ANSWERS(INVALID_SYMBOL, cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, host, host, 8, 0, in),
	        cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, host, 8, 0, out));
	OK(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, &variable, 8, 8, out),
	   cudaGraphMemcpyNodeSetParams1D(node, device, host, 12, in),
	   cudaGraphMemcpyNodeGetParams(node, &got));
	CHECK(got.dstPtr.ptr == device && got.srcPtr.ptr == host && got.extent.width == 12 && got.kind == in);
	ANSWERS(INVALID_VALUE, cudaGraphMemcpyNodeGetParams(empty, &got),
	        cudaGraphMemcpyNodeSetParams(node, NULL), cudaGraphMemcpyNodeSetParams(empty, &got),
	        cudaGraphMemcpyNodeSetParams1D(node, device, host, 17, in));
	OK(cudaGraphDestroy(graph));
}

static cudaError_t add_fill(cudaGraph_t graph, struct cudaMemsetParams params)
{
	cudaGraphNode_t node;
	return cudaGraphAddMemsetNode(&node, graph, NULL, 0, &params);
}

TEST(a_fill_node_writes_whole_elements)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node, empty = new_empty(graph);
	char *odd = (char *)device + 1;
	struct cudaMemsetParams got,
	    good = {.dst = device, .elementSize = 4, .width = 4, .height = 1, .value = 3};
	OK(cudaGraphAddMemsetNode(&node, graph, NULL, 0, &good));
	ANSWERS(cudaSuccess, add_fill(graph, (struct cudaMemsetParams){odd, 0, 0, 1, 15, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 8, 0, 2, 2, 2}));
	ANSWERS(INVALID_VALUE, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 3, 1, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 0, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 1, 0}),
	        add_fill(graph, (struct cudaMemsetParams){odd, 0, 0, 4, 1, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, (size_t)1 << 62, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 5, 1}),
	        add_fill(graph, (struct cudaMemsetParams){device, 4, 0, 4, 2, 2}),
	        cudaGraphAddMemsetNode(&node, graph, NULL, 0, NULL));
	good.value = 5;
	OK(cudaGraphMemsetNodeSetParams(node, &good), cudaGraphMemsetNodeGetParams(node, &got));
	CHECK(got.dst == device && got.value == 5 && got.width == 4);
	ANSWERS(INVALID_VALUE, cudaGraphMemsetNodeGetParams(empty, &got),
	        cudaGraphMemsetNodeSetParams(node, NULL));
	OK(cudaGraphDestroy(graph));
}

TEST(host_and_event_nodes_are_told_again)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t call, record, wait, empty = new_empty(graph);
	cudaEvent_t a, b, got;
	unsigned calls = 0, others = 0;
	struct cudaHostNodeParams host_call = {count_call, &calls}, none = {NULL, &calls}, told;
	OK(cudaEventCreate(&a), cudaEventCreate(&b), cudaGraphAddHostNode(&call, graph, NULL, 0, &host_call),
	   cudaGraphAddEventRecordNode(&record, graph, &call, 1, a),
	   cudaGraphAddEventWaitNode(&wait, graph, &record, 1, a));
	host_call.userData = &others;
	OK(cudaGraphHostNodeSetParams(call, &host_call), cudaGraphHostNodeGetParams(call, &told));
	CHECK(told.fn == count_call && told.userData == &others);
	OK(cudaGraphEventRecordNodeSetEvent(record, b));
	GIVES(got, b, cudaGraphEventRecordNodeGetEvent(record, &got));
	OK(cudaGraphEventWaitNodeSetEvent(wait, b));
	GIVES(got, b, cudaGraphEventWaitNodeGetEvent(wait, &got));
	ANSWERS(INVALID_VALUE, cudaGraphAddHostNode(&call, graph, NULL, 0, NULL),
	        cudaGraphAddHostNode(&call, graph, NULL, 0, &none), cudaGraphHostNodeSetParams(call, NULL),
	        cudaGraphHostNodeSetParams(call, &none), cudaGraphHostNodeSetParams(empty, &host_call),
	        cudaGraphHostNodeGetParams(empty, &told),
	        cudaGraphAddEventRecordNode(&call, graph, NULL, 0, no_handle()),
	        cudaGraphAddEventWaitNode(&call, graph, NULL, 0, NULL),
	        cudaGraphEventRecordNodeSetEvent(wait, a), cudaGraphEventWaitNodeSetEvent(record, a),
	        cudaGraphEventRecordNodeSetEvent(record, no_handle()),
	        cudaGraphEventRecordNodeGetEvent(wait, &got), cudaGraphEventWaitNodeGetEvent(record, &got));
	OK(cudaGraphDestroy(graph), cudaEventDestroy(a), cudaEventDestroy(b));
}

TEST(nodes_of_any_type_are_added_and_changed_by_one_function)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node, child;
	unsigned calls = 0;
	struct cudaGraphNodeParams host_call = {.type = cudaGraphNodeTypeHost},
	                           empty = {.type = cudaGraphNodeTypeEmpty};
	struct cudaGraphNodeParams odd = {.type = cudaGraphNodeTypeConditional},
	                           sub = {.type = cudaGraphNodeTypeGraph};
	host_call.host.fn = count_call;
	host_call.host.userData = &calls;
	OK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &host_call),
	   cudaGraphNodeSetParams(node, &host_call));
	sub.graph.graph = new_graph();
	OK(cudaGraphAddNode(&child, graph, NULL, NULL, 0, &sub), cudaGraphNodeSetParams(child, &sub));
	ANSWERS(INVALID_VALUE, cudaGraphAddNode(&node, graph, NULL, NULL, 0, NULL),
	        cudaGraphNodeSetParams(node, NULL), cudaGraphNodeSetParams(node, &empty),
	        cudaGraphNodeSetParams(no_handle(), &empty));
	ANSWERS(NOT_SUPPORTED, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &odd));
	OK(cudaGraphDestroy(sub.graph.graph), cudaGraphDestroy(graph));
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static cudaError_t add_memory(cudaGraph_t graph, struct cudaMemPoolProps props, size_t bytes)
{
	cudaGraphNode_t node;
	struct cudaMemAllocNodeParams params = {.poolProps = props, .bytesize = bytes};
	return cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params);
}

TEST(memory_of_a_graph_is_its_own)
{
	cudaGraph_t graph = new_graph(), copy, outer = new_graph();
	cudaGraphNode_t take, give, other, empty = new_empty(graph);
	struct cudaMemAllocNodeParams params = {.poolProps = pool, .bytesize = 64}, got;
	struct cudaMemPoolProps pageable = pool, on_host = pool, far = pool;
	void *freed;
	pageable.allocType = cudaMemAllocationTypeInvalid;
	on_host.location.type = cudaMemLocationTypeHost;
	far.location.id = 1;
	OK(cudaGraphAddMemAllocNode(&take, graph, NULL, 0, &params));
	CHECK(params.dptr != NULL);
	OK(cudaGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr),
	   cudaGraphMemAllocNodeGetParams(take, &got));
	CHECK(got.bytesize == 64 && got.dptr == params.dptr);
	GIVES(freed, params.dptr, cudaGraphMemFreeNodeGetParams(give, &freed));
	ANSWERS(INVALID_VALUE, cudaGraphAddMemAllocNode(&other, graph, NULL, 0, NULL),
	        add_memory(graph, pool, 0), add_memory(graph, pageable, 64), add_memory(graph, on_host, 64),
	        add_memory(graph, far, 64), cudaGraphAddMemFreeNode(&other, graph, NULL, 0, device),
	        cudaGraphMemAllocNodeGetParams(empty, &got), cudaGraphMemFreeNodeGetParams(take, &freed),
	        cudaGraphMemFreeNodeGetParams(give, NULL));
	ANSWERS(OUT_OF_MEMORY, add_memory(graph, pool, (size_t)1 << 50));
	ANSWERS(NOT_SUPPORTED, cudaGraphAddChildGraphNode(&other, outer, NULL, 0, graph),
	        cudaGraphDestroyNode(take), cudaGraphDestroyNode(give), cudaGraphClone(&copy, graph));
	/* A child that was made without it may get some later. */
	cudaGraph_t inner = new_graph(), child;
	OK(cudaGraphAddChildGraphNode(&other, outer, NULL, 0, inner),
	   cudaGraphChildGraphNodeGetGraph(other, &child), add_memory(child, pool, 64));
	ANSWERS(NOT_SUPPORTED, cudaGraphClone(&copy, outer));
	OK(cudaGraphDestroy(inner), cudaGraphDestroy(graph), cudaGraphDestroy(outer));
}

TEST(memory_of_graphs_is_counted)
{
	cudaGraph_t graph = new_graph();
	uint64_t before = 0, after = 0, zero = 0, one = 1;
	const enum cudaGraphMemAttributeType used = cudaGraphMemAttrUsedMemCurrent,
	                                     high = cudaGraphMemAttrUsedMemHigh,
	                                     kept = cudaGraphMemAttrReservedMemCurrent,
	                                     most = cudaGraphMemAttrReservedMemHigh;
	OK(cudaDeviceGetGraphMemAttribute(0, kept, &before), add_memory(graph, pool, 1 << 20),
	   add_memory(graph, pool, 1 << 20), cudaDeviceGetGraphMemAttribute(0, kept, &after));
	CHECK_EQ(after - before, 2 << 20);
	OK(cudaDeviceGetGraphMemAttribute(0, used, &after)); /* nothing was launched */
	CHECK_EQ(after, 0);
	OK(cudaDeviceGetGraphMemAttribute(0, high, &after), cudaDeviceGraphMemTrim(0));
	ANSWERS(INVALID_DEVICE, cudaDeviceGetGraphMemAttribute(1, used, &after),
	        cudaDeviceSetGraphMemAttribute(1, high, &zero), cudaDeviceGraphMemTrim(1));
	ANSWERS(INVALID_VALUE, cudaDeviceGetGraphMemAttribute(0, used, NULL),
	        cudaDeviceGetGraphMemAttribute(0, 9, &after), cudaDeviceSetGraphMemAttribute(0, high, &one),
	        cudaDeviceSetGraphMemAttribute(0, high, NULL),
	        cudaDeviceSetGraphMemAttribute(0, used, &zero));
	ANSWERS(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, high, &zero),
	        cudaDeviceSetGraphMemAttribute(0, most, &zero));
	OK(cudaGraphDestroy(graph));
}

TESTS(true)
