/* Executable graphs: what they run, what of them can be changed, and what an update refuses. */
#include <stdbool.h>
#include <unistd.h>

#include "table.h"

static unsigned *device; /* four words */
static unsigned calls;

static const struct cudaHostNodeParams host_call = {count_call, &calls};

static cudaGraph_t new_graph(void)
{
	cudaGraph_t graph = NULL;
	if (!device)
		cudaMalloc((void **)&device, 16);
	cudaGraphCreate(&graph, 0);
	return graph;
}

static struct cudaMemsetParams fill_of(unsigned value)
{
	return (struct cudaMemsetParams){
	    .dst = device, .elementSize = 4, .width = 4, .height = 1, .value = value};
}

static cudaGraphNode_t add_fill(cudaGraph_t graph, unsigned value)
{
	cudaGraphNode_t node = NULL;
	struct cudaMemsetParams params = fill_of(value);
	cudaGraphAddMemsetNode(&node, graph, NULL, 0, &params);
	return node;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, unsigned value)
{
	cudaGraphNode_t node = NULL;
	void *args[] = {&device, &value};
	struct cudaKernelNodeParams params = {
	    .func = &kernel_store, .gridDim = size_of(1), .blockDim = size_of(1), .kernelParams = args};
	cudaGraphAddKernelNode(&node, graph, NULL, 0, &params);
	return node;
}

static unsigned first_word(void)
{
	unsigned value = 0;
	cudaMemcpy(&value, device, sizeof value, cudaMemcpyDeviceToHost);
	return value;
}

TEST(a_graph_is_instantiated_if_it_has_an_order)
{
	cudaGraph_t graph = new_graph(), outer = new_graph();
	cudaGraphExec_t exec;
	cudaGraphInstantiateParams params = {0},
	                           device_launch = {.flags = cudaGraphInstantiateFlagDeviceLaunch};
	unsigned long long flags;
	cudaGraphNode_t a = new_empty(graph), b = new_empty(graph), child;
	GIVES(params.result_out, cudaGraphInstantiateSuccess,
	      cudaGraphInstantiateWithParams(&exec, graph, &params));
	OK(cudaGraphExecDestroy(exec),
	   cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	GIVES(flags, cudaGraphInstantiateFlagAutoFreeOnLaunch, cudaGraphExecGetFlags(exec, &flags));
	OK(cudaGraphUpload(exec, NULL));
	ANSWERS(INVALID_VALUE, cudaGraphInstantiate(NULL, graph, 0),
	        cudaGraphInstantiate(&exec, no_handle(), 0), cudaGraphInstantiate(&exec, graph, 64),
	        cudaGraphInstantiateWithParams(&exec, graph, NULL),
	        cudaGraphExecGetFlags(no_handle(), &flags), cudaGraphExecGetFlags(exec, NULL),
	        cudaGraphUpload(no_handle(), NULL), cudaGraphLaunch(no_handle(), NULL),
	        cudaGraphExecDestroy(no_handle()));
	ANSWERS(NOT_SUPPORTED, cudaGraphInstantiateWithParams(&exec, graph, &device_launch));
	ANSWERS(INVALID_HANDLE, cudaGraphLaunch(exec, no_handle()));
	CHECK_EQ(device_launch.result_out, cudaGraphInstantiateNodeOperationNotSupported);
	OK(cudaGraphExecDestroy(exec));
	ANSWERS(INVALID_VALUE, cudaGraphExecDestroy(exec));
	OK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1),
	   cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
	ANSWERS(INVALID_VALUE, cudaGraphInstantiateWithParams(&exec, graph, &params));
	CHECK_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
	OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
	ANSWERS(INVALID_VALUE, cudaGraphInstantiate(&exec, outer, 0));
	OK(cudaGraphDestroy(graph), cudaGraphDestroy(outer));
}

TEST(single_nodes_of_an_executable_graph_are_changed_and_switched_off)
{
	cudaGraph_t graph = new_graph();
	cudaGraphExec_t exec;
	unsigned value = 8, on = 9;
	void *args[] = {&device, &value};
	cudaGraphNode_t fill = add_fill(graph, 1), empty = new_empty(graph), kernel;
	struct cudaMemsetParams two = fill_of(2), none = {0};
	struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeMemset};
	struct cudaKernelNodeParams eight = {
	    .func = &kernel_store, .gridDim = size_of(1), .blockDim = size_of(1), .kernelParams = args};
	OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &eight));
	memcpy(&any.memset, &two, sizeof two);
	OK(cudaGraphInstantiate(&exec, graph, 0), cudaGraphNodeSetEnabled(exec, kernel, 0));
	GIVES(on, 0, cudaGraphNodeGetEnabled(exec, kernel, &on));
	OK(cudaGraphExecNodeSetParams(exec, fill, &any), cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 2);
	OK(cudaGraphNodeSetEnabled(exec, kernel, 1));
	value = 6;
	OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &eight), cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 6);
	ANSWERS(INVALID_VALUE, cudaGraphExecNodeSetParams(exec, fill, NULL),
	        cudaGraphExecNodeSetParams(exec, empty, &any),
	        cudaGraphExecNodeSetParams(exec, no_handle(), &any),
	        cudaGraphExecNodeSetParams(exec, NULL, &any),
	        cudaGraphExecNodeSetParams(no_handle(), fill, &any),
	        cudaGraphExecMemsetNodeSetParams(exec, fill, &none),
	        cudaGraphExecMemsetNodeSetParams(exec, fill, NULL),
	        cudaGraphExecKernelNodeSetParams(exec, kernel, NULL), cudaGraphNodeSetEnabled(exec, empty, 0),
	        cudaGraphNodeSetEnabled(exec, no_handle(), 0), cudaGraphNodeGetEnabled(exec, empty, &on),
	        cudaGraphNodeGetEnabled(exec, kernel, NULL), cudaGraphNodeGetEnabled(exec, no_handle(), &on));
	OK(cudaGraphDestroy(graph), cudaGraphExecDestroy(exec));
}

TEST(copies_host_functions_and_events_are_changed_as_well)
{
	cudaGraph_t graph = new_graph();
	cudaGraphExec_t exec;
	cudaGraphNode_t copy, call, record, wait;
	cudaEvent_t a, b;
	static unsigned host[4] = {11, 12, 13, 14};
	unsigned more = 0;
	const enum cudaMemcpyKind in = cudaMemcpyHostToDevice;
	struct cudaHostNodeParams other = {count_call, &more}, none = {NULL, NULL};
	calls = 0;
	OK(cudaEventCreate(&a), cudaEventCreate(&b),
	   cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, device, host, 8, in),
	   cudaGraphAddHostNode(&call, graph, &copy, 1, &host_call),
	   cudaGraphAddEventRecordNode(&record, graph, &call, 1, a),
	   cudaGraphAddEventWaitNode(&wait, graph, &record, 1, a), cudaGraphInstantiate(&exec, graph, 0),
	   cudaGraphExecMemcpyNodeSetParams1D(exec, copy, device, host + 1, 8, in),
	   cudaGraphExecHostNodeSetParams(exec, call, &other),
	   cudaGraphExecEventRecordNodeSetEvent(exec, record, b),
	   cudaGraphExecEventWaitNodeSetEvent(exec, wait, b), cudaGraphLaunch(exec, NULL),
	   cudaDeviceSynchronize());
	CHECK_EQ(first_word(), 12);
	CHECK(calls == 0 && more == 1);
	float ms;
	ANSWERS(INVALID_HANDLE, cudaEventElapsedTime(&ms, a, a));
	OK(cudaEventElapsedTime(&ms, b, b));
	ANSWERS(INVALID_VALUE, cudaGraphExecMemcpyNodeSetParams(exec, copy, NULL),
	        cudaGraphExecMemcpyNodeSetParams1D(exec, copy, device, host, 17, in),
	        cudaGraphExecHostNodeSetParams(exec, call, NULL),
	        cudaGraphExecHostNodeSetParams(exec, call, &none),
	        cudaGraphExecEventRecordNodeSetEvent(exec, wait, a),
	        cudaGraphExecEventRecordNodeSetEvent(exec, record, no_handle()));
	OK(cudaEventDestroy(b)); /* the next launch meets a node whose event is gone */
	ANSWERS(INVALID_HANDLE, cudaGraphLaunch(exec, NULL));
	OK(cudaGraphDestroy(graph), cudaGraphExecDestroy(exec), cudaEventDestroy(a));
}

/* ---- updates ---------------------------------------------------------------------------------------------------- */

/* What an update of `exec` by `graph` answers. */
static enum cudaGraphExecUpdateResult update(cudaGraphExec_t exec, cudaGraph_t graph)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t result = cudaGraphExecUpdate(exec, graph, &info);
	bool is_told = seen(result) == (info.result ? UPDATE_FAILURE : cudaSuccess);
	return is_told ? info.result : cudaGraphExecUpdateError;
}

TEST(an_update_keeps_the_shape_and_the_kinds_of_work)
{
	cudaGraph_t graph = new_graph(), same = new_graph(), fewer = new_graph(), other = new_graph(),
	            edges = new_graph();
	cudaGraph_t crossed = new_graph();
	cudaGraphExec_t exec;
	cudaGraphNode_t a = add_fill(graph, 1), b = new_empty(graph), c = new_empty(graph), d;
	OK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1),
	   cudaGraphAddDependencies(graph, &a, &c, NULL, 1));
	cudaGraphNode_t e = add_fill(same, 4), f = new_empty(same), g = new_empty(same);
	OK(cudaGraphAddDependencies(same, &e, &f, NULL, 1), cudaGraphAddDependencies(same, &e, &g, NULL, 1));
	add_fill(fewer, 5);
	new_empty(other), add_fill(other, 1), new_empty(other);
	add_fill(edges, 1), new_empty(edges), new_empty(edges);
	d = add_fill(crossed, 1), e = new_empty(crossed), f = new_empty(crossed);
	OK(cudaGraphAddDependencies(crossed, &d, &e, NULL, 1),
	   cudaGraphAddDependencies(crossed, &e, &f, NULL, 1), cudaGraphInstantiate(&exec, graph, 0));
	CHECK_EQ(update(exec, same), cudaGraphExecUpdateSuccess);
	CHECK_EQ(update(exec, fewer), cudaGraphExecUpdateErrorTopologyChanged);
	CHECK_EQ(update(exec, other), cudaGraphExecUpdateErrorNodeTypeChanged);
	CHECK_EQ(update(exec, edges), cudaGraphExecUpdateErrorTopologyChanged);
	CHECK_EQ(update(exec, crossed), cudaGraphExecUpdateErrorTopologyChanged);
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 4);
	ANSWERS(INVALID_VALUE, cudaGraphExecUpdate(no_handle(), same, NULL),
	        cudaGraphExecUpdate(exec, no_handle(), NULL));
	ANSWERS(UPDATE_FAILURE, cudaGraphExecUpdate(exec, fewer, NULL));
	OK(cudaDeviceReset());
	device = NULL;
}

static cudaGraph_t copying(enum cudaMemcpyKind kind, void *to, const void *from)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t node;
	cudaGraphAddMemcpyNode1D(&node, graph, NULL, 0, to, from, 8, kind);
	return graph;
}

TEST(an_update_changes_where_a_copy_goes_but_not_between_what)
{
	static unsigned host[2], more[2];
	const struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindUnsigned};
	cudaArray_t array;
	new_graph();
	OK(cudaMallocArray(&array, &format, 2, 0, 0));
	cudaGraph_t graph = copying(cudaMemcpyHostToDevice, device, host), to_array = new_graph(),
	            from_array = new_graph();
	struct cudaMemcpy3DParms p = {.dstArray = array,
	                              .srcPtr = {host, 8, 2, 1},
	                              .extent = {2, 1, 1},
	                              .kind = cudaMemcpyHostToDevice};
	struct cudaMemcpy3DParms q = {.srcArray = array,
	                              .dstPtr = {device, 8, 2, 1},
	                              .extent = {2, 1, 1},
	                              .kind = cudaMemcpyHostToDevice};
	cudaGraphNode_t node;
	OK(cudaGraphAddMemcpyNode(&node, to_array, NULL, 0, &p));
	q.kind = cudaMemcpyDeviceToDevice;
	OK(cudaGraphAddMemcpyNode(&node, from_array, NULL, 0, &q));
	cudaGraphExec_t exec, within;
	OK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK_EQ(update(exec, copying(cudaMemcpyHostToDevice, device, more)), cudaGraphExecUpdateSuccess);
	CHECK_EQ(update(exec, copying(cudaMemcpyDeviceToHost, host, device)),
	         cudaGraphExecUpdateErrorParametersChanged);
	CHECK_EQ(update(exec, to_array), cudaGraphExecUpdateErrorParametersChanged);
	OK(cudaGraphInstantiate(&within, copying(cudaMemcpyDeviceToDevice, device, device + 2), 0));
	CHECK_EQ(update(within, from_array), cudaGraphExecUpdateErrorParametersChanged);
	OK(cudaDeviceReset());
	device = NULL;
}

TEST(an_update_looks_into_child_graphs_and_behind_them)
{
	cudaGraph_t inner = new_graph(), outer = new_graph(), changed = new_graph(), wrong = new_graph(),
	            after = new_graph();
	cudaGraph_t other = new_graph();
	cudaGraphExec_t exec;
	cudaGraphNode_t node, empty, child, inside;
	add_fill(inner, 1);
	OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, inner));
	empty = new_empty(outer);
	inside = add_fill(changed, 3);
	add_kernel(wrong, 3);
	/* The same child, and a kernel behind it where there was nothing to do. */
	OK(cudaGraphAddChildGraphNode(&node, after, NULL, 0, changed));
	add_kernel(after, 9);
	OK(cudaGraphInstantiate(&exec, outer, 0));
	CHECK_EQ(update(exec, after), cudaGraphExecUpdateErrorNodeTypeChanged);
	OK(cudaGraphAddChildGraphNode(&node, other, NULL, 0, wrong));
	new_empty(other);
	CHECK_EQ(update(exec, other), cudaGraphExecUpdateErrorNodeTypeChanged);
	OK(cudaGraphExecChildGraphNodeSetParams(exec, child, changed), cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 3);
	cudaGraph_t again = new_graph();
	OK(cudaGraphAddChildGraphNode(&node, again, NULL, 0, inner));
	new_empty(again);
	CHECK_EQ(update(exec, again), cudaGraphExecUpdateSuccess);
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 1);
	ANSWERS(UPDATE_FAILURE, cudaGraphExecChildGraphNodeSetParams(exec, child, wrong));
	ANSWERS(INVALID_VALUE, cudaGraphExecChildGraphNodeSetParams(exec, empty, changed),
	        cudaGraphExecChildGraphNodeSetParams(exec, inside, changed),
	        cudaGraphExecChildGraphNodeSetParams(exec, NULL, changed),
	        cudaGraphExecChildGraphNodeSetParams(exec, child, no_handle()),
	        cudaGraphExecChildGraphNodeSetParams(no_handle(), child, changed));
	OK(cudaDeviceReset());
	device = NULL;
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

TEST(memory_of_a_launch_is_freed_before_the_next_or_by_it)
{
	cudaGraph_t graph = new_graph(), other = new_graph();
	cudaGraphExec_t exec, again;
	cudaGraphNode_t node;
	struct cudaMemAllocNodeParams params = {
	    .poolProps = {.allocType = cudaMemAllocationTypePinned,
	                  .location = {.type = cudaMemLocationTypeDevice}},
	    .bytesize = 64};
	uint64_t used = 0;
	OK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params), cudaGraphInstantiate(&exec, graph, 0));
	ANSWERS(INVALID_VALUE, cudaFree(params.dptr)); /* no launch has allocated it yet */
	OK(cudaGraphLaunch(exec, NULL));
	GIVES(used, 64, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
	OK(cudaMemset(params.dptr, 1, 64));
	ANSWERS(INVALID_VALUE, cudaGraphLaunch(exec, NULL));
	OK(cudaFree(params.dptr), cudaGraphLaunch(exec, NULL), cudaFreeAsync(params.dptr, NULL),
	   cudaGraphExecDestroy(exec),
	   cudaGraphInstantiate(&again, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch),
	   cudaGraphLaunch(again, NULL), cudaGraphLaunch(again, NULL));
	CHECK_EQ(update(again, graph), cudaGraphExecUpdateSuccess);
	OK(cudaGraphAddMemAllocNode(&node, other, NULL, 0, &params));
	CHECK_EQ(update(again, other), cudaGraphExecUpdateErrorNotSupported);
	OK(cudaDeviceReset());
	device = NULL;
}

TEST(a_reset_takes_the_memory_of_graphs_as_well)
{
	cudaGraph_t graph = new_graph();
	cudaGraphExec_t exec;
	cudaGraphNode_t node;
	struct cudaMemAllocNodeParams params = {
	    .poolProps = {.allocType = cudaMemAllocationTypePinned,
	                  .location = {.type = cudaMemLocationTypeDevice}},
	    .bytesize = 4096};
	uint64_t used = 1;
	OK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params), cudaGraphInstantiate(&exec, graph, 0),
	   cudaGraphLaunch(exec, NULL), cudaDeviceReset());
	device = NULL;
	GIVES(used, 0, cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used));
	ANSWERS(INVALID_VALUE, cudaFree(params.dptr));
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

TEST(a_graph_lists_its_nodes_and_edges_as_far_as_there_is_room)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t a = new_empty(graph), b = new_empty(graph), c = new_empty(graph), from[4], to[4];
	cudaGraphNode_t sources[] = {a, a}, targets[] = {b, c};
	cudaGraphEdgeData edges[4];
	enum cudaGraphNodeType type;
	size_t count = 4;
	OK(cudaGraphAddDependencies(graph, sources, targets, NULL, 2));
	memset(edges, 1, sizeof edges);
	OK(cudaGraphGetEdges(graph, from, to, edges, &count));
	CHECK(count == 2 && from[1] == a && to[1] == c && !from[2] && !to[3] && edges[0].type == 0);
	count = 2;
	OK(cudaGraphGetNodes(graph, from, &count));
	CHECK(count == 2 && from[0] == a && from[1] == b);
	GIVES(count, 2, cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
	count = 1;
	OK(cudaGraphNodeGetDependentNodes(a, to, edges, &count));
	CHECK(count == 1 && to[0] == b);
	GIVES(count, 1, cudaGraphNodeGetDependencies(b, NULL, NULL, &count));
	count = 2;
	OK(cudaGraphNodeGetDependencies(c, from, edges, &count));
	CHECK(count == 1 && from[0] == a && !from[1]);
	ANSWERS(INVALID_VALUE, cudaGraphNodeGetType(a, NULL), cudaGraphNodeGetType(no_handle(), &type),
	        cudaGraphGetNodes(graph, NULL, NULL), cudaGraphGetNodes(no_handle(), NULL, &count),
	        cudaGraphGetEdges(graph, NULL, NULL, NULL, NULL),
	        cudaGraphGetEdges(graph, from, NULL, NULL, &count),
	        cudaGraphGetEdges(no_handle(), NULL, NULL, NULL, &count),
	        cudaGraphNodeGetDependencies(a, NULL, NULL, NULL),
	        cudaGraphNodeGetDependencies(no_handle(), NULL, NULL, &count),
	        cudaGraphNodeGetDependentNodes(a, NULL, NULL, NULL),
	        cudaGraphNodeGetDependentNodes(no_handle(), NULL, NULL, &count));
	OK(cudaGraphDestroy(graph));
}

TEST(a_graph_is_drawn)
{
	char path[] = "/tmp/sluice-graph-XXXXXX", text[512] = "";
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t kernel = add_kernel(graph, 1), empty = new_empty(graph);
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	OK(cudaGraphAddDependencies(graph, &kernel, &empty, NULL, 1), cudaGraphDebugDotPrint(graph, path, 0));
	CHECK(read(fd, text, sizeof text - 1) > 0);
	close(fd);
	unlink(path);
	CHECK(strcmp(text,
	             "digraph graph_0 {\n  n0 [label=\"0 KERNEL\\nstore\"];\n  n1 [label=\"1 EMPTY\"];\n"
	             "  n0 -> n1;\n}\n") == 0);
	ANSWERS(INVALID_VALUE, cudaGraphDebugDotPrint(no_handle(), path, 0),
	        cudaGraphDebugDotPrint(graph, NULL, 0));
	ANSWERS(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0),
	        cudaGraphDebugDotPrint(graph, "/dev/full", 0));
	OK(cudaGraphDestroy(graph));
}

TESTS(true)
