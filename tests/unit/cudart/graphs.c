/* Building graphs and asking about them: what a node may be made of, where it may stand, what it tells again. */
#include "table.h"

static const cudaError_t bad = cudaErrorInvalidValue;
static unsigned *device; /* four words */
static unsigned host[4];
static const struct cudaMemPoolProps pool = {.allocType = cudaMemAllocationTypePinned,
                                             .location = {.type = cudaMemLocationTypeDevice}};

static void count_call(void *user)
{
	++*(unsigned *)user;
}

static cudaGraph_t new_graph(void)
{
	cudaGraph_t graph = NULL;
	if (!device)
		cudaMalloc((void **)&device, sizeof host);
	cudaGraphCreate(&graph, 0);
	return graph;
}

static cudaGraphNode_t new_empty(cudaGraph_t graph)
{
	cudaGraphNode_t node = NULL;
	cudaGraphAddEmptyNode(&node, graph, NULL, 0);
	return node;
}

/* ---- places ------------------------------------------------------------------------------------------------- */

TEST(a_node_depends_on_others_of_its_graph_once_each)
{
	cudaGraph_t graph = new_graph(), other = new_graph(), copy;
	cudaGraphNode_t node, a = new_empty(graph), b = new_empty(graph), foreign = new_empty(other);
	cudaGraphNode_t twice[] = {a, a}, strange[] = {a, foreign}, good[] = {a, b}, back[] = {b, a};
	cudaGraphNode_t same[] = {a, a}, none[] = {no_handle(), a};
	ANSWERS(ROW(bad, cudaGraphCreate(NULL, 0)), ROW(bad, cudaGraphCreate(&copy, 1)),
	        ROW(bad, cudaGraphDestroy(no_handle())),
	        ROW(bad, cudaGraphAddEmptyNode(&node, no_handle(), NULL, 0)),
	        ROW(bad, cudaGraphAddEmptyNode(NULL, graph, NULL, 0)),
	        ROW(bad, cudaGraphAddEmptyNode(&node, graph, NULL, 1)),
	        ROW(bad, cudaGraphAddEmptyNode(&node, graph, twice, 2)),
	        ROW(bad, cudaGraphAddEmptyNode(&node, graph, strange, 2)),
	        ROW(bad, cudaGraphAddEmptyNode(&node, graph, none, 2)),
	        ROW(bad, cudaGraphAddDependencies(no_handle(), good, back, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, NULL, back, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, good, NULL, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, same, same, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, none, good, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, good, none, NULL, 1)),
	        ROW(bad, cudaGraphAddDependencies(graph, strange, back, NULL, 2)),
	        ROW(bad, cudaGraphAddDependencies(graph, back, strange, NULL, 2)),
	        ROW(bad, cudaGraphRemoveDependencies(graph, good, back, NULL, 1)),
	        ROW(cudaSuccess, cudaGraphAddDependencies(graph, NULL, NULL, NULL, 0)),
	        ROW(bad, cudaGraphDestroyNode(no_handle())));
	OK(cudaGraphAddDependencies(graph, good, back, NULL, 1));
	FAILS(cudaGraphAddDependencies(graph, good, back, NULL, 1), bad);
	OK(cudaGraphRemoveDependencies(graph, good, back, NULL, 1));
	OK(cudaGraphDestroyNode(a));
	FAILS(cudaGraphDestroyNode(a), bad);
	OK(cudaGraphDestroy(other));
	OK(cudaGraphDestroy(graph));
	FAILS(cudaGraphDestroy(graph), bad);
}

TEST(a_child_belongs_to_its_node_and_clones_know_their_originals)
{
	cudaGraph_t graph = new_graph(), inner = new_graph(), child, clone;
	cudaGraphNode_t leaf = new_empty(inner), node, first = new_empty(graph), found, in_child;
	size_t count = 1;
	OK(cudaGraphAddChildGraphNode(&node, graph, &first, 1, inner));
	OK(cudaGraphChildGraphNodeGetGraph(node, &child));
	OK(cudaGraphGetNodes(child, &in_child, &count));
	OK(cudaGraphClone(&clone, graph));
	OK(cudaGraphNodeFindInClone(&found, node, clone));
	OK(cudaGraphNodeFindInClone(&found, in_child, clone));
	cudaGraphNode_t late = new_empty(graph);
	ANSWERS(ROW(bad, cudaGraphDestroy(child)), ROW(bad, cudaGraphClone(NULL, graph)),
	        ROW(bad, cudaGraphClone(&clone, no_handle())),
	        ROW(bad, cudaGraphNodeFindInClone(NULL, node, clone)),
	        ROW(bad, cudaGraphNodeFindInClone(&found, no_handle(), clone)),
	        ROW(bad, cudaGraphNodeFindInClone(&found, node, no_handle())),
	        ROW(bad, cudaGraphNodeFindInClone(&found, node, graph)),
	        ROW(bad, cudaGraphNodeFindInClone(&found, late, clone)),
	        ROW(bad, cudaGraphNodeFindInClone(&found, leaf, clone)),
	        ROW(bad, cudaGraphAddChildGraphNode(&node, graph, NULL, 0, no_handle())),
	        ROW(bad, cudaGraphChildGraphNodeGetGraph(first, &child)));
	OK(cudaGraphDestroy(graph));
	OK(cudaGraphDestroy(clone));
	OK(cudaGraphDestroy(inner));
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
	ANSWERS(ROW(cudaSuccess, add_kernel(graph, good, &node)), ROW(bad, add_kernel(graph, both, &node)),
	        ROW(bad, add_kernel(graph, none, &node)), ROW(bad, add_kernel(graph, no, &node)),
	        ROW(cudaErrorInvalidDeviceFunction, add_kernel(graph, unknown, &node)),
	        ROW(cudaErrorInvalidConfiguration, add_kernel(graph, large, &node)),
	        ROW(bad, cudaGraphAddKernelNode(&node, graph, NULL, 0, NULL)));
	OK(add_kernel(graph, unpacked, &node));
	struct cudaKernelNodeParams got;
	OK(cudaGraphKernelNodeGetParams(node, &got));
	CHECK(got.func == &kernel_store && *(unsigned **)got.kernelParams[0] == device &&
	      *(unsigned *)got.kernelParams[1] == 9 && !got.extra);
	OK(cudaGraphKernelNodeSetParams(node, &good));
	OK(cudaGraphKernelNodeGetParams(node, &got));
	CHECK_EQ(*(unsigned *)got.kernelParams[1], 7);
	struct cudaKernelNodeParams plain = {
	    .func = &kernel_nothing, .gridDim = size_of(1), .blockDim = size_of(1)};
	OK(add_kernel(graph, plain, &node));
	plain.extra = extra;
	OK(add_kernel(graph, plain, &node));
	ANSWERS(ROW(bad, cudaGraphKernelNodeGetParams(node, NULL)),
	        ROW(bad, cudaGraphKernelNodeGetParams(empty, &got)),
	        ROW(bad, cudaGraphKernelNodeGetParams(no_handle(), &got)),
	        ROW(bad, cudaGraphKernelNodeSetParams(node, NULL)),
	        ROW(bad, cudaGraphKernelNodeSetParams(empty, &good)),
	        ROW(bad, cudaGraphKernelNodeSetParams(no_handle(), &good)),
	        ROW(bad, cudaGraphKernelNodeSetParams(node, &both)));
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
	OK(add_kernel(graph, plain, &node));
	OK(add_kernel(graph, plain, &other));
	OK(cudaGraphKernelNodeSetAttribute(node, id, &value));
	OK(cudaGraphKernelNodeCopyAttributes(other, node));
	OK(cudaGraphKernelNodeSetParams(other, &plain)); /* they outlive the parameters */
	OK(cudaGraphKernelNodeGetAttribute(other, id, &got));
	CHECK_EQ(got.priority, -3);
	ANSWERS(
	    ROW(bad, cudaGraphKernelNodeSetAttribute(empty, id, &value)),
	    ROW(bad, cudaGraphKernelNodeSetAttribute(no_handle(), id, &value)),
	    ROW(bad, cudaGraphKernelNodeSetAttribute(node, id, NULL)),
	    ROW(bad, cudaGraphKernelNodeSetAttribute(node, cudaLaunchAttributeSynchronizationPolicy, &value)),
	    ROW(bad, cudaGraphKernelNodeGetAttribute(empty, id, &got)),
	    ROW(bad, cudaGraphKernelNodeGetAttribute(node, id, NULL)),
	    ROW(bad, cudaGraphKernelNodeCopyAttributes(empty, node)),
	    ROW(bad, cudaGraphKernelNodeCopyAttributes(node, empty)));
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
	ANSWERS(ROW(bad, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &no_slices)),
	        ROW(cudaSuccess, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 16, in)),
	        ROW(bad, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 17, in)),
	        ROW(bad, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, host, device, 17, out)),
	        ROW(bad, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, NULL, host, 4, in)),
	        ROW(cudaErrorInvalidMemcpyDirection,
	            cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 4, (enum cudaMemcpyKind)7)),
	        ROW(bad, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, NULL)),
	        ROW(bad, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &nothing)),
	        ROW(bad, cudaGraphAddMemcpyNode(&node, graph, NULL, 0, &no_rows)),
	        ROW(bad, cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, device, host, 0, in)),
	        ROW(cudaSuccess,
	            cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 8, 8, in)),
	        ROW(bad, cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 8, 9, in)),
	        ROW(bad, cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, &variable, host, 0, 17, in)),
	        ROW(cudaErrorInvalidSymbol,
	            cudaGraphAddMemcpyNodeToSymbol(&node, graph, NULL, 0, host, host, 8, 0, in)),
	        ROW(cudaErrorInvalidSymbol,
	            cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, host, 8, 0, out)));
	OK(cudaGraphAddMemcpyNodeFromSymbol(&node, graph, NULL, 0, host, &variable, 8, 8, out));
	OK(cudaGraphMemcpyNodeSetParams1D(node, device, host, 12, in));
	OK(cudaGraphMemcpyNodeGetParams(node, &got));
	CHECK(got.dstPtr.ptr == device && got.srcPtr.ptr == host && got.extent.width == 12 && got.kind == in);
	ANSWERS(ROW(bad, cudaGraphMemcpyNodeGetParams(empty, &got)),
	        ROW(bad, cudaGraphMemcpyNodeSetParams(node, NULL)),
	        ROW(bad, cudaGraphMemcpyNodeSetParams(empty, &got)),
	        ROW(bad, cudaGraphMemcpyNodeSetParams1D(node, device, host, 17, in)));
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
	ANSWERS(ROW(cudaSuccess, add_fill(graph, (struct cudaMemsetParams){odd, 0, 0, 1, 15, 1})),
	        ROW(cudaSuccess, add_fill(graph, (struct cudaMemsetParams){device, 8, 0, 2, 2, 2})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 3, 1, 1})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 0, 1})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 1, 0})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){odd, 0, 0, 4, 1, 1})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, (size_t)1 << 62, 1})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 0, 0, 4, 5, 1})),
	        ROW(bad, add_fill(graph, (struct cudaMemsetParams){device, 4, 0, 4, 2, 2})),
	        ROW(bad, cudaGraphAddMemsetNode(&node, graph, NULL, 0, NULL)));
	good.value = 5;
	OK(cudaGraphMemsetNodeSetParams(node, &good));
	OK(cudaGraphMemsetNodeGetParams(node, &got));
	CHECK(got.dst == device && got.value == 5 && got.width == 4);
	ANSWERS(ROW(bad, cudaGraphMemsetNodeGetParams(empty, &got)),
	        ROW(bad, cudaGraphMemsetNodeSetParams(node, NULL)));
	OK(cudaGraphDestroy(graph));
}

TEST(host_and_event_nodes_are_told_again)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t call, record, wait, empty = new_empty(graph);
	cudaEvent_t a, b, got;
	unsigned calls = 0, others = 0;
	struct cudaHostNodeParams host_call = {count_call, &calls}, none = {NULL, &calls}, told;
	OK(cudaEventCreate(&a));
	OK(cudaEventCreate(&b));
	OK(cudaGraphAddHostNode(&call, graph, NULL, 0, &host_call));
	OK(cudaGraphAddEventRecordNode(&record, graph, &call, 1, a));
	OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, a));
	host_call.userData = &others;
	OK(cudaGraphHostNodeSetParams(call, &host_call));
	OK(cudaGraphHostNodeGetParams(call, &told));
	CHECK(told.fn == count_call && told.userData == &others);
	OK(cudaGraphEventRecordNodeSetEvent(record, b));
	OK(cudaGraphEventRecordNodeGetEvent(record, &got));
	CHECK(got == b);
	OK(cudaGraphEventWaitNodeSetEvent(wait, b));
	OK(cudaGraphEventWaitNodeGetEvent(wait, &got));
	CHECK(got == b);
	ANSWERS(ROW(bad, cudaGraphAddHostNode(&call, graph, NULL, 0, NULL)),
	        ROW(bad, cudaGraphAddHostNode(&call, graph, NULL, 0, &none)),
	        ROW(bad, cudaGraphHostNodeSetParams(call, NULL)),
	        ROW(bad, cudaGraphHostNodeSetParams(call, &none)),
	        ROW(bad, cudaGraphHostNodeSetParams(empty, &host_call)),
	        ROW(bad, cudaGraphHostNodeGetParams(empty, &told)),
	        ROW(bad, cudaGraphAddEventRecordNode(&call, graph, NULL, 0, no_handle())),
	        ROW(bad, cudaGraphAddEventWaitNode(&call, graph, NULL, 0, NULL)),
	        ROW(bad, cudaGraphEventRecordNodeSetEvent(wait, a)),
	        ROW(bad, cudaGraphEventWaitNodeSetEvent(record, a)),
	        ROW(bad, cudaGraphEventRecordNodeSetEvent(record, no_handle())),
	        ROW(bad, cudaGraphEventRecordNodeGetEvent(wait, &got)),
	        ROW(bad, cudaGraphEventWaitNodeGetEvent(record, &got)));
	OK(cudaGraphDestroy(graph));
	OK(cudaEventDestroy(a));
	OK(cudaEventDestroy(b));
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
	OK(cudaGraphAddNode(&node, graph, NULL, NULL, 0, &host_call));
	OK(cudaGraphNodeSetParams(node, &host_call));
	sub.graph.graph = new_graph();
	OK(cudaGraphAddNode(&child, graph, NULL, NULL, 0, &sub));
	OK(cudaGraphNodeSetParams(child, &sub));
	ANSWERS(ROW(bad, cudaGraphAddNode(&node, graph, NULL, NULL, 0, NULL)),
	        ROW(cudaErrorNotSupported, cudaGraphAddNode(&node, graph, NULL, NULL, 0, &odd)),
	        ROW(bad, cudaGraphNodeSetParams(node, NULL)), ROW(bad, cudaGraphNodeSetParams(node, &empty)),
	        ROW(bad, cudaGraphNodeSetParams(no_handle(), &empty)));
	OK(cudaGraphDestroy(sub.graph.graph));
	OK(cudaGraphDestroy(graph));
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
	OK(cudaGraphAddMemFreeNode(&give, graph, &take, 1, params.dptr));
	OK(cudaGraphMemAllocNodeGetParams(take, &got));
	CHECK(got.bytesize == 64 && got.dptr == params.dptr);
	OK(cudaGraphMemFreeNodeGetParams(give, &freed));
	CHECK(freed == params.dptr);
	ANSWERS(ROW(bad, cudaGraphAddMemAllocNode(&other, graph, NULL, 0, NULL)),
	        ROW(bad, add_memory(graph, pool, 0)), ROW(bad, add_memory(graph, pageable, 64)),
	        ROW(bad, add_memory(graph, on_host, 64)), ROW(bad, add_memory(graph, far, 64)),
	        ROW(cudaErrorMemoryAllocation, add_memory(graph, pool, (size_t)1 << 50)),
	        ROW(bad, cudaGraphAddMemFreeNode(&other, graph, NULL, 0, device)),
	        ROW(bad, cudaGraphMemAllocNodeGetParams(empty, &got)),
	        ROW(bad, cudaGraphMemFreeNodeGetParams(take, &freed)),
	        ROW(bad, cudaGraphMemFreeNodeGetParams(give, NULL)),
	        ROW(cudaErrorNotSupported, cudaGraphAddChildGraphNode(&other, outer, NULL, 0, graph)),
	        ROW(cudaErrorNotSupported, cudaGraphDestroyNode(take)),
	        ROW(cudaErrorNotSupported, cudaGraphDestroyNode(give)),
	        ROW(cudaErrorNotSupported, cudaGraphClone(&copy, graph)));
	/* A child that was made without it may get some later. */
	cudaGraph_t inner = new_graph(), child;
	OK(cudaGraphAddChildGraphNode(&other, outer, NULL, 0, inner));
	OK(cudaGraphChildGraphNodeGetGraph(other, &child));
	OK(add_memory(child, pool, 64));
	FAILS(cudaGraphClone(&copy, outer), cudaErrorNotSupported);
	OK(cudaGraphDestroy(inner));
	OK(cudaGraphDestroy(graph));
	OK(cudaGraphDestroy(outer));
}

TEST(memory_of_graphs_is_counted)
{
	cudaGraph_t graph = new_graph();
	uint64_t before = 0, after = 0, zero = 0, one = 1;
	const enum cudaGraphMemAttributeType used = cudaGraphMemAttrUsedMemCurrent,
	                                     high = cudaGraphMemAttrUsedMemHigh,
	                                     kept = cudaGraphMemAttrReservedMemCurrent,
	                                     most = cudaGraphMemAttrReservedMemHigh;
	OK(cudaDeviceGetGraphMemAttribute(0, kept, &before));
	OK(add_memory(graph, pool, 1 << 20));
	OK(add_memory(graph, pool, 1 << 20));
	OK(cudaDeviceGetGraphMemAttribute(0, kept, &after));
	CHECK_EQ(after - before, 2 << 20);
	OK(cudaDeviceGetGraphMemAttribute(0, used, &after)); /* nothing was launched */
	CHECK_EQ(after, 0);
	OK(cudaDeviceGetGraphMemAttribute(0, high, &after));
	OK(cudaDeviceGraphMemTrim(0));
	ANSWERS(ROW(cudaErrorInvalidDevice, cudaDeviceGetGraphMemAttribute(1, used, &after)),
	        ROW(bad, cudaDeviceGetGraphMemAttribute(0, used, NULL)),
	        ROW(bad, cudaDeviceGetGraphMemAttribute(0, 9, &after)),
	        ROW(cudaErrorInvalidDevice, cudaDeviceSetGraphMemAttribute(1, high, &zero)),
	        ROW(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, high, &zero)),
	        ROW(cudaSuccess, cudaDeviceSetGraphMemAttribute(0, most, &zero)),
	        ROW(bad, cudaDeviceSetGraphMemAttribute(0, high, &one)),
	        ROW(bad, cudaDeviceSetGraphMemAttribute(0, high, NULL)),
	        ROW(bad, cudaDeviceSetGraphMemAttribute(0, used, &zero)),
	        ROW(cudaErrorInvalidDevice, cudaDeviceGraphMemTrim(1)));
	OK(cudaGraphDestroy(graph));
}

TEST_MAIN(TEST_ENTRY(a_node_depends_on_others_of_its_graph_once_each)
              TEST_ENTRY(a_child_belongs_to_its_node_and_clones_know_their_originals)
                  TEST_ENTRY(a_kernel_node_takes_arguments_one_by_one_or_packed)
                      TEST_ENTRY(attributes_belong_to_kernel_nodes)
                          TEST_ENTRY(a_copy_node_lies_inside_both_of_its_sides)
                              TEST_ENTRY(a_fill_node_writes_whole_elements)
                                  TEST_ENTRY(host_and_event_nodes_are_told_again)
                                      TEST_ENTRY(nodes_of_any_type_are_added_and_changed_by_one_function)
                                          TEST_ENTRY(memory_of_a_graph_is_its_own)
                                              TEST_ENTRY(memory_of_graphs_is_counted))
