/*
 * cudaGraphExecUpdate: the work of an executable graph is replaced by that of a
 * graph of the same shape. Nodes are paired in the order in which they were
 * added; all is checked before anything changes.
 */
#include <string.h>

#include "cudart/graph.h"

#include <cuda_runtime_api.h>

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

cudaError_t cudaGraphExecUpdate(cudaGraphExec_t exec, cudaGraph_t graph, cudaGraphExecUpdateResultInfo *info)
{
	RUNTIME_CALL(exec_update(rt, exec, graph, info));
}

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

cudaError_t cudaGraphExecChildGraphNodeSetParams(SLUICE_EXEC_NODE, cudaGraph_t child)
{
	RUNTIME_CALL(child_update(rt, exec, node, child));
}
