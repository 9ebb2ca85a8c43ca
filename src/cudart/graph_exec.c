/*
 * Executable graphs: instantiation, launches, changes. cudaGraphExecUpdate() replaces the work by that of a graph of the
 * same shape: nodes are paired in the order in which they were added, and all is checked before anything changes.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

static struct graph_exec *exec_find(const struct runtime *rt, cudaGraphExec_t handle)
{
	return handle_get(&rt->handles, HANDLE_GRAPH_EXEC, handle);
}

/* ---- instantiation ----------------------------------------------------------------------------------------- */

enum {
	INSTANTIATE_FLAGS = cudaGraphInstantiateFlagAutoFreeOnLaunch | cudaGraphInstantiateFlagUpload |
	                    cudaGraphInstantiateFlagUseNodePriority
};

/* Child graphs as well. */
static bool is_acyclic(const struct graph *graph)
{
	struct node_list order;
	bool ok = cugraph_order(graph, &order);
	node_list_clear(&order);
	for (uint32_t i = 0; ok && i < graph->nodes.count; i++)
		if (graph->nodes.at[i]->work.type == cudaGraphNodeTypeGraph)
			ok = is_acyclic(graph->nodes.at[i]->work.child);
	return ok;
}

static cudaError_t instantiate(struct runtime *rt, cudaGraphExec_t *out, cudaGraph_t handle,
                               unsigned long long flags)
{
	const struct graph *graph = cugraph_find(rt, handle);
	if (!graph || !out)
		return cudaErrorInvalidValue;
	if (flags & cudaGraphInstantiateFlagDeviceLaunch) {
		runtime_say("graphs that kernels launch are not supported");
		return cudaErrorNotSupported;
	}
	if (flags & ~(unsigned long long)INSTANTIATE_FLAGS || !is_acyclic(graph))
		return cudaErrorInvalidValue;
	struct graph_exec *exec = memory_zeroed(1, sizeof *exec);
	*exec = (struct graph_exec){
	    .graph = cugraph_clone(rt, graph, GRAPH_INTERNAL), .flags = flags, .references = 1};
	cugraph_order(exec->graph, &exec->order);
	*out = handle_new(&rt->handles, HANDLE_GRAPH_EXEC, exec);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphInstantiate, (cudaGraphExec_t * exec, cudaGraph_t graph, unsigned long long flags),
    instantiate(rt, exec, graph, flags))

cudaError_t cudaGraphInstantiateWithFlags(cudaGraphExec_t *exec, cudaGraph_t graph, unsigned long long flags)
{
	return cudaGraphInstantiate(exec, graph, flags);
}

cudaError_t cudaGraphInstantiateWithParams(cudaGraphExec_t *exec, cudaGraph_t graph,
                                           cudaGraphInstantiateParams *params)
{
	if (!params)
		return cudaGraphInstantiate(NULL, graph, 0);
	cudaError_t result = cudaGraphInstantiate(exec, graph, params->flags);
	params->errNode_out = NULL;
	params->result_out = result == cudaSuccess             ? cudaGraphInstantiateSuccess
	                     : result == cudaErrorNotSupported ? cudaGraphInstantiateNodeOperationNotSupported
	                                                       : cudaGraphInstantiateInvalidStructure;
	return result;
}

static void exec_unref(struct runtime *rt, struct graph_exec *exec)
{
	if (--exec->references)
		return;
	cugraph_free(rt, exec->graph);
	node_list_clear(&exec->order);
	free(exec);
}

static cudaError_t exec_destroy(struct runtime *rt, cudaGraphExec_t handle)
{
	struct graph_exec *exec = handle_remove(&rt->handles, HANDLE_GRAPH_EXEC, handle);
	if (!exec)
		return cudaErrorInvalidValue;
	exec_unref(rt, exec);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphExecDestroy, (cudaGraphExec_t exec), exec_destroy(rt, exec))

void graphs_clear(struct runtime *rt)
{
	void *handle;
	uint32_t at = 0;
	while ((handle = handle_next(&rt->handles, HANDLE_GRAPH_EXEC, &at)) != NULL)
		exec_destroy(rt, handle);
	at = 0;
	while ((handle = handle_next(&rt->handles, HANDLE_GRAPH, &at)) != NULL) {
		struct graph *graph = cugraph_find(rt, handle);
		while (graph->owner)
			graph = graph->owner->graph;
		cugraph_free(rt, graph);
	}
}

static cudaError_t exec_flags(struct runtime *rt, cudaGraphExec_t handle, unsigned long long *flags)
{
	const struct graph_exec *exec = exec_find(rt, handle);
	if (!exec || !flags)
		return cudaErrorInvalidValue;
	*flags = exec->flags;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphExecGetFlags, (cudaGraphExec_t exec, unsigned long long *flags),
    exec_flags(rt, exec, flags))

/* ---- launches ----------------------------------------------------------------------------------------------- */

/* A host function runs without the lock, as one of a stream does. */
static void call_host(struct runtime *rt, const struct host_work *host)
{
	runtime_unlock(rt);
	host->function(host->user);
	runtime_lock();
}

static cudaError_t run_nodes(struct runtime *rt, const struct node_list *order, cudaStream_t stream,
                             unsigned long long flags);

static cudaError_t run_child(struct runtime *rt, const struct graph *child, cudaStream_t stream,
                             unsigned long long flags)
{
	struct node_list order;
	cugraph_order(child, &order);
	cudaError_t result = run_nodes(rt, &order, stream, flags);
	node_list_clear(&order);
	return result;
}

static cudaError_t run_nodes(struct runtime *rt, const struct node_list *order, cudaStream_t stream,
                             unsigned long long flags)
{
	cudaError_t result = cudaSuccess;
	/* A fault ends the device, not the call: what is left is not run, and the next call says why. */
	for (uint32_t i = 0; !result && !rt->sticky && i < order->count; i++) {
		struct graph_node *node = order->at[i];
		if (node->is_disabled)
			continue;
		if (node->work.type == cudaGraphNodeTypeHost)
			call_host(rt, &node->work.host);
		else if (node->work.type == cudaGraphNodeTypeGraph)
			result = run_child(rt, node->work.child, stream, flags);
		else
			result = operation_run(rt, &node->work, stream,
			                       flags & cudaGraphInstantiateFlagAutoFreeOnLaunch);
	}
	return result;
}

static cudaError_t launch(struct runtime *rt, cudaGraphExec_t handle, cudaStream_t stream)
{
	struct graph_exec *exec = exec_find(rt, handle);
	if (!exec)
		return cudaErrorInvalidValue;
	exec->references++;
	cudaError_t result = run_nodes(rt, &exec->order, stream, exec->flags);
	exec_unref(rt, exec);
	return result;
}

cudaError_t cudaGraphLaunch(cudaGraphExec_t exec, cudaStream_t stream)
{
	/* Not to be captured: a graph becomes part of another by a child node. */
	RUNTIME_CALL((rt->stream_error = stream_idle(rt, stream)) ? rt->stream_error
	                                                          : launch(rt, exec, stream));
}

/* There is nothing to be sent ahead. */
API(RUNTIME_CALL, cudaGraphUpload, (cudaGraphExec_t exec, cudaStream_t stream),
    exec_find(rt, exec) ? stream_idle(rt, stream) : cudaErrorInvalidValue)

/* ---- single nodes -------------------------------------------------------------------------------------------- */

static cudaError_t exec_node(struct runtime *rt, cudaGraphExec_t handle, cudaGraphNode_t node,
                             struct graph_node **out)
{
	const struct graph_exec *exec = exec_find(rt, handle);
	*out = exec && node ? cugraph_exec_node(exec->graph, node) : NULL;
	return *out ? cudaSuccess : cudaErrorInvalidValue;
}

static cudaError_t exec_set(struct runtime *rt, cudaGraphExec_t handle, cudaGraphNode_t origin,
                            struct cudaGraphNodeParams *params)
{
	struct operation work;
	struct graph_node *node;
	cudaError_t result = exec_node(rt, handle, origin, &node);
	if (!result && node->work.type != params->type)
		result = cudaErrorInvalidValue;
	if (!result)
		result = params_node(rt, params, &work);
	if (!result)
		params_replace(rt, node, &work);
	return result;
}

API(RUNTIME_CALL, cudaGraphExecNodeSetParams, (SLUICE_EXEC_NODE, struct cudaGraphNodeParams *params),
    params ? exec_set(rt, exec, node, params) : cudaErrorInvalidValue)

#define DEFINE_EXEC_SET(name, params_type, node_type, member)                                                \
	cudaError_t name(SLUICE_EXEC_NODE, const struct params_type *given)                                  \
	{                                                                                                    \
		struct cudaGraphNodeParams params = {.type = node_type};                                     \
		if (given)                                                                                   \
			memcpy(&params.member, given, sizeof *given);                                        \
		RUNTIME_CALL(given ? exec_set(rt, exec, node, &params) : cudaErrorInvalidValue);             \
	}
DEFINE_EXEC_SET(cudaGraphExecKernelNodeSetParams, cudaKernelNodeParams, cudaGraphNodeTypeKernel, kernel)
DEFINE_EXEC_SET(cudaGraphExecMemcpyNodeSetParams, cudaMemcpy3DParms, cudaGraphNodeTypeMemcpy,
                memcpy.copyParams)
DEFINE_EXEC_SET(cudaGraphExecMemsetNodeSetParams, cudaMemsetParams, cudaGraphNodeTypeMemset, memset)
DEFINE_EXEC_SET(cudaGraphExecHostNodeSetParams, cudaHostNodeParams, cudaGraphNodeTypeHost, host)

cudaError_t cudaGraphExecMemcpyNodeSetParams1D(SLUICE_EXEC_NODE, void *to, const void *from, size_t bytes,
                                               enum cudaMemcpyKind kind)
{
	struct cudaMemcpy3DParms params = copy_linear_params(to, from, bytes, kind);
	return cudaGraphExecMemcpyNodeSetParams(exec, node, &params);
}

static cudaError_t exec_set_event(cudaGraphExec_t exec, cudaGraphNode_t node, enum cudaGraphNodeType type,
                                  cudaEvent_t event)
{
	struct cudaGraphNodeParams params = {.type = type, .eventRecord = {event}};
	RUNTIME_CALL(exec_set(rt, exec, node, &params));
}

cudaError_t cudaGraphExecEventRecordNodeSetEvent(SLUICE_EXEC_NODE, cudaEvent_t event)
{
	return exec_set_event(exec, node, cudaGraphNodeTypeEventRecord, event);
}

cudaError_t cudaGraphExecEventWaitNodeSetEvent(SLUICE_EXEC_NODE, cudaEvent_t event)
{
	return exec_set_event(exec, node, cudaGraphNodeTypeWaitEvent, event);
}

static cudaError_t set_enabled(struct runtime *rt, cudaGraphExec_t exec, cudaGraphNode_t origin, unsigned on)
{
	struct graph_node *node;
	cudaError_t result = exec_node(rt, exec, origin, &node);
	if (result)
		return result;
	if (node->work.type > cudaGraphNodeTypeMemset)
		return cudaErrorInvalidValue; /* only kernels, copies and fills can be switched off */
	node->is_disabled = !on;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphNodeSetEnabled, (SLUICE_EXEC_NODE, unsigned is_enabled),
    set_enabled(rt, exec, node, is_enabled))

static cudaError_t get_enabled(struct runtime *rt, cudaGraphExec_t exec, cudaGraphNode_t origin, unsigned *on)
{
	struct graph_node *node;
	cudaError_t result = exec_node(rt, exec, origin, &node);
	if (!result && (!on || node->work.type > cudaGraphNodeTypeMemset))
		result = cudaErrorInvalidValue;
	if (!result)
		*on = !node->is_disabled;
	return result;
}

API(RUNTIME_CALL, cudaGraphNodeGetEnabled, (SLUICE_EXEC_NODE, unsigned *is_enabled),
    get_enabled(rt, exec, node, is_enabled))

/* ---- updates ------------------------------------------------------------------------------------------------- */

static bool same_edges(const struct graph_node *old, const struct graph_node *new_node)
{
	if (old->depends.count != new_node->depends.count)
		return false;
	for (uint32_t i = 0; i < old->depends.count; i++) {
		bool found = false;
		for (uint32_t j = 0; j < old->depends.count; j++)
			found |= new_node->depends.at[j]->index == old->depends.at[i]->index;
		if (!found)
			return false;
	}
	return true;
}

/* What CUDA does not change in place: allocations, and where copies go between kinds of memory. */
static enum cudaGraphExecUpdateResult compare_work(const struct operation *old, const struct operation *work)
{
	if (old->type == cudaGraphNodeTypeMemAlloc || old->type == cudaGraphNodeTypeMemFree)
		return old->memory == work->memory ? cudaGraphExecUpdateSuccess
		                                   : cudaGraphExecUpdateErrorNotSupported;
	if (old->type == cudaGraphNodeTypeMemcpy &&
	    (old->copy->described.kind != work->copy->described.kind ||
	     !old->copy->described.srcArray != !work->copy->described.srcArray ||
	     !old->copy->described.dstArray != !work->copy->described.dstArray))
		return cudaGraphExecUpdateErrorParametersChanged;
	return cudaGraphExecUpdateSuccess;
}

static enum cudaGraphExecUpdateResult compare(const struct graph *old, const struct graph *graph,
                                              cudaGraphExecUpdateResultInfo *info)
{
	if (old->nodes.count != graph->nodes.count)
		return cudaGraphExecUpdateErrorTopologyChanged;
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const struct graph_node *a = old->nodes.at[i], *b = graph->nodes.at[i];
		enum cudaGraphExecUpdateResult result = cudaGraphExecUpdateSuccess;
		if (a->work.type != b->work.type)
			result = cudaGraphExecUpdateErrorNodeTypeChanged;
		else if (!same_edges(a, b))
			result = cudaGraphExecUpdateErrorTopologyChanged;
		else if (a->work.type == cudaGraphNodeTypeGraph)
			result = compare(a->work.child, b->work.child, info);
		else
			result = compare_work(&a->work, &b->work);
		if (result && !info->errorNode)
			info->errorNode = b->handle; /* in the child graph, if it is there */
		if (result)
			return result;
	}
	return cudaGraphExecUpdateSuccess;
}

/* The exec's nodes keep what they are copies of: handles of the graph it was made from stay good. */
static void replace(struct runtime *rt, struct graph *old, const struct graph *graph)
{
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		struct graph_node *node = old->nodes.at[i];
		const struct operation *work = &graph->nodes.at[i]->work;
		if (work->type == cudaGraphNodeTypeGraph) {
			replace(rt, node->work.child, work->child);
			continue;
		}
		struct operation fresh = operation_clone(rt, work);
		operation_drop(rt, &node->work);
		node->work = fresh;
	}
}

static cudaError_t update(struct runtime *rt, struct graph *old, const struct graph *graph,
                          cudaGraphExecUpdateResultInfo *info)
{
	info->result = compare(old, graph, info);
	if (info->result)
		return cudaErrorGraphExecUpdateFailure;
	replace(rt, old, graph);
	return cudaSuccess;
}

static cudaError_t exec_update(struct runtime *rt, cudaGraphExec_t handle, cudaGraph_t from,
                               cudaGraphExecUpdateResultInfo *info)
{
	cudaGraphExecUpdateResultInfo unused;
	const struct graph_exec *exec = handle_get(&rt->handles, HANDLE_GRAPH_EXEC, handle);
	const struct graph *graph = cugraph_find(rt, from);
	info = info ? info : &unused;
	*info = (cudaGraphExecUpdateResultInfo){.result = cudaGraphExecUpdateError};
	return exec && graph ? update(rt, exec->graph, graph, info) : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaGraphExecUpdate,
    (cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info),
    exec_update(rt, exec, graph, info))

static cudaError_t child_update(struct runtime *rt, cudaGraphExec_t handle, cudaGraphNode_t origin,
                                cudaGraph_t from)
{
	cudaGraphExecUpdateResultInfo info = {.result = cudaGraphExecUpdateError};
	const struct graph_exec *exec = handle_get(&rt->handles, HANDLE_GRAPH_EXEC, handle);
	const struct graph *graph = cugraph_find(rt, from);
	const struct graph_node *node = exec && origin ? cugraph_exec_node(exec->graph, origin) : NULL;
	if (!graph || !node || node->work.type != cudaGraphNodeTypeGraph)
		return cudaErrorInvalidValue;
	return update(rt, node->work.child, graph, &info);
}

API(RUNTIME_CALL, cudaGraphExecChildGraphNodeSetParams, (SLUICE_EXEC_NODE, cudaGraph_t child),
    child_update(rt, exec, node, child))
