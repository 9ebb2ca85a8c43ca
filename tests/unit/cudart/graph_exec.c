/* Executable graphs: what they run, what of them can be changed, and what an update refuses. */
#include <stdbool.h>
#include <unistd.h>

#include "table.h"

static const cudaError_t bad = cudaErrorInvalidValue;
static unsigned *device; /* four words */
static unsigned calls;

static void count_call(void *user)
{
	++*(unsigned *)user;
}

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

static cudaGraphNode_t add_empty(cudaGraph_t graph)
{
	cudaGraphNode_t node = NULL;
	cudaGraphAddEmptyNode(&node, graph, NULL, 0);
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
	cudaGraphNode_t a = add_empty(graph), b = add_empty(graph), child;
	OK(cudaGraphInstantiateWithParams(&exec, graph, &params));
	CHECK_EQ(params.result_out, cudaGraphInstantiateSuccess);
	OK(cudaGraphExecDestroy(exec));
	OK(cudaGraphInstantiateWithFlags(&exec, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	OK(cudaGraphExecGetFlags(exec, &flags));
	CHECK_EQ(flags, cudaGraphInstantiateFlagAutoFreeOnLaunch);
	OK(cudaGraphUpload(exec, NULL));
	ANSWERS(ROW(bad, cudaGraphInstantiate(NULL, graph, 0)),
	        ROW(bad, cudaGraphInstantiate(&exec, no_handle(), 0)),
	        ROW(bad, cudaGraphInstantiate(&exec, graph, 64)),
	        ROW(bad, cudaGraphInstantiateWithParams(&exec, graph, NULL)),
	        ROW(cudaErrorNotSupported, cudaGraphInstantiateWithParams(&exec, graph, &device_launch)),
	        ROW(bad, cudaGraphExecGetFlags(no_handle(), &flags)),
	        ROW(bad, cudaGraphExecGetFlags(exec, NULL)), ROW(bad, cudaGraphUpload(no_handle(), NULL)),
	        ROW(bad, cudaGraphLaunch(no_handle(), NULL)),
	        ROW(cudaErrorInvalidResourceHandle, cudaGraphLaunch(exec, no_handle())),
	        ROW(bad, cudaGraphExecDestroy(no_handle())));
	CHECK_EQ(device_launch.result_out, cudaGraphInstantiateNodeOperationNotSupported);
	OK(cudaGraphExecDestroy(exec));
	FAILS(cudaGraphExecDestroy(exec), bad);
	OK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
	OK(cudaGraphAddDependencies(graph, &b, &a, NULL, 1));
	FAILS(cudaGraphInstantiateWithParams(&exec, graph, &params), bad);
	CHECK_EQ(params.result_out, cudaGraphInstantiateInvalidStructure);
	OK(cudaGraphAddChildGraphNode(&child, outer, NULL, 0, graph));
	FAILS(cudaGraphInstantiate(&exec, outer, 0), bad);
	OK(cudaGraphDestroy(graph));
	OK(cudaGraphDestroy(outer));
}

TEST(single_nodes_of_an_executable_graph_are_changed_and_switched_off)
{
	cudaGraph_t graph = new_graph();
	cudaGraphExec_t exec;
	unsigned value = 8, on = 9;
	void *args[] = {&device, &value};
	cudaGraphNode_t fill = add_fill(graph, 1), empty = add_empty(graph), kernel;
	struct cudaMemsetParams two = fill_of(2), none = {0};
	struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeMemset};
	struct cudaKernelNodeParams eight = {
	    .func = &kernel_store, .gridDim = size_of(1), .blockDim = size_of(1), .kernelParams = args};
	OK(cudaGraphAddKernelNode(&kernel, graph, &fill, 1, &eight));
	memcpy(&any.memset, &two, sizeof two);
	OK(cudaGraphInstantiate(&exec, graph, 0));
	OK(cudaGraphNodeSetEnabled(exec, kernel, 0));
	OK(cudaGraphNodeGetEnabled(exec, kernel, &on));
	CHECK_EQ(on, 0);
	OK(cudaGraphExecNodeSetParams(exec, fill, &any));
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 2);
	OK(cudaGraphNodeSetEnabled(exec, kernel, 1));
	value = 6;
	OK(cudaGraphExecKernelNodeSetParams(exec, kernel, &eight));
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 6);
	ANSWERS(ROW(bad, cudaGraphExecNodeSetParams(exec, fill, NULL)),
	        ROW(bad, cudaGraphExecNodeSetParams(exec, empty, &any)),
	        ROW(bad, cudaGraphExecNodeSetParams(exec, no_handle(), &any)),
	        ROW(bad, cudaGraphExecNodeSetParams(exec, NULL, &any)),
	        ROW(bad, cudaGraphExecNodeSetParams(no_handle(), fill, &any)),
	        ROW(bad, cudaGraphExecMemsetNodeSetParams(exec, fill, &none)),
	        ROW(bad, cudaGraphExecMemsetNodeSetParams(exec, fill, NULL)),
	        ROW(bad, cudaGraphExecKernelNodeSetParams(exec, kernel, NULL)),
	        ROW(bad, cudaGraphNodeSetEnabled(exec, empty, 0)),
	        ROW(bad, cudaGraphNodeSetEnabled(exec, no_handle(), 0)),
	        ROW(bad, cudaGraphNodeGetEnabled(exec, empty, &on)),
	        ROW(bad, cudaGraphNodeGetEnabled(exec, kernel, NULL)),
	        ROW(bad, cudaGraphNodeGetEnabled(exec, no_handle(), &on)));
	OK(cudaGraphDestroy(graph));
	OK(cudaGraphExecDestroy(exec));
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
	OK(cudaEventCreate(&a));
	OK(cudaEventCreate(&b));
	OK(cudaGraphAddMemcpyNode1D(&copy, graph, NULL, 0, device, host, 8, in));
	OK(cudaGraphAddHostNode(&call, graph, &copy, 1, &host_call));
	OK(cudaGraphAddEventRecordNode(&record, graph, &call, 1, a));
	OK(cudaGraphAddEventWaitNode(&wait, graph, &record, 1, a));
	OK(cudaGraphInstantiate(&exec, graph, 0));
	OK(cudaGraphExecMemcpyNodeSetParams1D(exec, copy, device, host + 1, 8, in));
	OK(cudaGraphExecHostNodeSetParams(exec, call, &other));
	OK(cudaGraphExecEventRecordNodeSetEvent(exec, record, b));
	OK(cudaGraphExecEventWaitNodeSetEvent(exec, wait, b));
	OK(cudaGraphLaunch(exec, NULL));
	OK(cudaDeviceSynchronize());
	CHECK_EQ(first_word(), 12);
	CHECK(calls == 0 && more == 1);
	float ms;
	FAILS(cudaEventElapsedTime(&ms, a, a), cudaErrorInvalidResourceHandle);
	OK(cudaEventElapsedTime(&ms, b, b));
	ANSWERS(ROW(bad, cudaGraphExecMemcpyNodeSetParams(exec, copy, NULL)),
	        ROW(bad, cudaGraphExecMemcpyNodeSetParams1D(exec, copy, device, host, 17, in)),
	        ROW(bad, cudaGraphExecHostNodeSetParams(exec, call, NULL)),
	        ROW(bad, cudaGraphExecHostNodeSetParams(exec, call, &none)),
	        ROW(bad, cudaGraphExecEventRecordNodeSetEvent(exec, wait, a)),
	        ROW(bad, cudaGraphExecEventRecordNodeSetEvent(exec, record, no_handle())));
	OK(cudaEventDestroy(b)); /* the next launch meets a node whose event is gone */
	FAILS(cudaGraphLaunch(exec, NULL), cudaErrorInvalidResourceHandle);
	OK(cudaGraphDestroy(graph));
	OK(cudaGraphExecDestroy(exec));
	OK(cudaEventDestroy(a));
}

/* ---- updates ---------------------------------------------------------------------------------------------------- */

/* What an update of `exec` by `graph` answers. */
static enum cudaGraphExecUpdateResult update(cudaGraphExec_t exec, cudaGraph_t graph)
{
	cudaGraphExecUpdateResultInfo info;
	cudaError_t result = cudaGraphExecUpdate(exec, graph, &info);
	bool is_told = seen(result) == (info.result ? cudaErrorGraphExecUpdateFailure : cudaSuccess);
	return is_told ? info.result : cudaGraphExecUpdateError;
}

TEST(an_update_keeps_the_shape_and_the_kinds_of_work)
{
	cudaGraph_t graph = new_graph(), same = new_graph(), fewer = new_graph(), other = new_graph(),
	            edges = new_graph();
	cudaGraph_t crossed = new_graph();
	cudaGraphExec_t exec;
	cudaGraphNode_t a = add_fill(graph, 1), b = add_empty(graph), c = add_empty(graph), d;
	OK(cudaGraphAddDependencies(graph, &a, &b, NULL, 1));
	OK(cudaGraphAddDependencies(graph, &a, &c, NULL, 1));
	cudaGraphNode_t e = add_fill(same, 4), f = add_empty(same), g = add_empty(same);
	OK(cudaGraphAddDependencies(same, &e, &f, NULL, 1));
	OK(cudaGraphAddDependencies(same, &e, &g, NULL, 1));
	add_fill(fewer, 5);
	add_empty(other), add_fill(other, 1), add_empty(other);
	add_fill(edges, 1), add_empty(edges), add_empty(edges);
	d = add_fill(crossed, 1), e = add_empty(crossed), f = add_empty(crossed);
	OK(cudaGraphAddDependencies(crossed, &d, &e, NULL, 1));
	OK(cudaGraphAddDependencies(crossed, &e, &f, NULL, 1));
	OK(cudaGraphInstantiate(&exec, graph, 0));
	CHECK_EQ(update(exec, same), cudaGraphExecUpdateSuccess);
	CHECK_EQ(update(exec, fewer), cudaGraphExecUpdateErrorTopologyChanged);
	CHECK_EQ(update(exec, other), cudaGraphExecUpdateErrorNodeTypeChanged);
	CHECK_EQ(update(exec, edges), cudaGraphExecUpdateErrorTopologyChanged);
	CHECK_EQ(update(exec, crossed), cudaGraphExecUpdateErrorTopologyChanged);
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 4);
	ANSWERS(ROW(bad, cudaGraphExecUpdate(no_handle(), same, NULL)),
	        ROW(bad, cudaGraphExecUpdate(exec, no_handle(), NULL)),
	        ROW(cudaErrorGraphExecUpdateFailure, cudaGraphExecUpdate(exec, fewer, NULL)));
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
	empty = add_empty(outer);
	inside = add_fill(changed, 3);
	add_kernel(wrong, 3);
	/* The same child, and a kernel behind it where there was nothing to do. */
	OK(cudaGraphAddChildGraphNode(&node, after, NULL, 0, changed));
	add_kernel(after, 9);
	OK(cudaGraphInstantiate(&exec, outer, 0));
	CHECK_EQ(update(exec, after), cudaGraphExecUpdateErrorNodeTypeChanged);
	OK(cudaGraphAddChildGraphNode(&node, other, NULL, 0, wrong));
	add_empty(other);
	CHECK_EQ(update(exec, other), cudaGraphExecUpdateErrorNodeTypeChanged);
	OK(cudaGraphExecChildGraphNodeSetParams(exec, child, changed));
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 3);
	cudaGraph_t again = new_graph();
	OK(cudaGraphAddChildGraphNode(&node, again, NULL, 0, inner));
	add_empty(again);
	CHECK_EQ(update(exec, again), cudaGraphExecUpdateSuccess);
	OK(cudaGraphLaunch(exec, NULL));
	CHECK_EQ(first_word(), 1);
	ANSWERS(
	    ROW(cudaErrorGraphExecUpdateFailure, cudaGraphExecChildGraphNodeSetParams(exec, child, wrong)),
	    ROW(bad, cudaGraphExecChildGraphNodeSetParams(exec, empty, changed)),
	    ROW(bad, cudaGraphExecChildGraphNodeSetParams(exec, inside, changed)),
	    ROW(bad, cudaGraphExecChildGraphNodeSetParams(exec, NULL, changed)),
	    ROW(bad, cudaGraphExecChildGraphNodeSetParams(exec, child, no_handle())),
	    ROW(bad, cudaGraphExecChildGraphNodeSetParams(no_handle(), child, changed)));
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
	OK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	OK(cudaGraphInstantiate(&exec, graph, 0));
	FAILS(cudaFree(params.dptr), bad); /* nobody holds it yet */
	OK(cudaGraphLaunch(exec, NULL));
	OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrUsedMemCurrent, &used));
	CHECK_EQ(used, 64);
	OK(cudaMemset(params.dptr, 1, 64));
	FAILS(cudaGraphLaunch(exec, NULL), bad);
	OK(cudaFree(params.dptr));
	OK(cudaGraphLaunch(exec, NULL));
	OK(cudaFreeAsync(params.dptr, NULL));
	OK(cudaGraphExecDestroy(exec));
	OK(cudaGraphInstantiate(&again, graph, cudaGraphInstantiateFlagAutoFreeOnLaunch));
	OK(cudaGraphLaunch(again, NULL));
	OK(cudaGraphLaunch(again, NULL));
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
	OK(cudaGraphAddMemAllocNode(&node, graph, NULL, 0, &params));
	OK(cudaGraphInstantiate(&exec, graph, 0));
	OK(cudaGraphLaunch(exec, NULL));
	OK(cudaDeviceReset());
	device = NULL;
	OK(cudaDeviceGetGraphMemAttribute(0, cudaGraphMemAttrReservedMemCurrent, &used));
	CHECK_EQ(used, 0);
	FAILS(cudaFree(params.dptr), bad);
}

/* ---- questions -------------------------------------------------------------------------------------------------- */

TEST(a_graph_lists_its_nodes_and_edges_as_far_as_there_is_room)
{
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t a = add_empty(graph), b = add_empty(graph), c = add_empty(graph), from[4], to[4];
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
	OK(cudaGraphGetEdges(graph, NULL, NULL, NULL, &count));
	CHECK_EQ(count, 2);
	count = 1;
	OK(cudaGraphNodeGetDependentNodes(a, to, edges, &count));
	CHECK(count == 1 && to[0] == b);
	OK(cudaGraphNodeGetDependencies(b, NULL, NULL, &count));
	CHECK_EQ(count, 1);
	count = 2;
	OK(cudaGraphNodeGetDependencies(c, from, edges, &count));
	CHECK(count == 1 && from[0] == a && !from[1]);
	ANSWERS(ROW(bad, cudaGraphNodeGetType(a, NULL)), ROW(bad, cudaGraphNodeGetType(no_handle(), &type)),
	        ROW(bad, cudaGraphGetNodes(graph, NULL, NULL)),
	        ROW(bad, cudaGraphGetNodes(no_handle(), NULL, &count)),
	        ROW(bad, cudaGraphGetEdges(graph, NULL, NULL, NULL, NULL)),
	        ROW(bad, cudaGraphGetEdges(graph, from, NULL, NULL, &count)),
	        ROW(bad, cudaGraphGetEdges(no_handle(), NULL, NULL, NULL, &count)),
	        ROW(bad, cudaGraphNodeGetDependencies(a, NULL, NULL, NULL)),
	        ROW(bad, cudaGraphNodeGetDependencies(no_handle(), NULL, NULL, &count)),
	        ROW(bad, cudaGraphNodeGetDependentNodes(a, NULL, NULL, NULL)),
	        ROW(bad, cudaGraphNodeGetDependentNodes(no_handle(), NULL, NULL, &count)));
	OK(cudaGraphDestroy(graph));
}

TEST(a_graph_is_drawn)
{
	char path[] = "/tmp/sluice-graph-XXXXXX", text[512] = "";
	cudaGraph_t graph = new_graph();
	cudaGraphNode_t kernel = add_kernel(graph, 1), empty = add_empty(graph);
	int fd = mkstemp(path);
	CHECK(fd >= 0);
	OK(cudaGraphAddDependencies(graph, &kernel, &empty, NULL, 1));
	OK(cudaGraphDebugDotPrint(graph, path, 0));
	CHECK(read(fd, text, sizeof text - 1) > 0);
	close(fd);
	unlink(path);
	CHECK(strcmp(text,
	             "digraph graph_0 {\n  n0 [label=\"0 KERNEL\\nstore\"];\n  n1 [label=\"1 EMPTY\"];\n"
	             "  n0 -> n1;\n}\n") == 0);
	ANSWERS(ROW(bad, cudaGraphDebugDotPrint(no_handle(), path, 0)),
	        ROW(bad, cudaGraphDebugDotPrint(graph, NULL, 0)),
	        ROW(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/nowhere/graph.dot", 0)),
	        ROW(cudaErrorOperatingSystem, cudaGraphDebugDotPrint(graph, "/dev/full", 0)));
	OK(cudaGraphDestroy(graph));
}

TEST_MAIN(TEST_ENTRY(a_graph_is_instantiated_if_it_has_an_order)
              TEST_ENTRY(single_nodes_of_an_executable_graph_are_changed_and_switched_off)
                  TEST_ENTRY(copies_host_functions_and_events_are_changed_as_well)
                      TEST_ENTRY(an_update_keeps_the_shape_and_the_kinds_of_work)
                          TEST_ENTRY(an_update_changes_where_a_copy_goes_but_not_between_what)
                              TEST_ENTRY(an_update_looks_into_child_graphs_and_behind_them)
                                  TEST_ENTRY(memory_of_a_launch_is_freed_before_the_next_or_by_it)
                                      TEST_ENTRY(a_reset_takes_the_memory_of_graphs_as_well) TEST_ENTRY(
                                          a_graph_lists_its_nodes_and_edges_as_far_as_there_is_room)
                                          TEST_ENTRY(a_graph_is_drawn))
