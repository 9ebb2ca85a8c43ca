/* Building graphs: cudaGraphCreate, the functions that add nodes, dependencies, clones. */
#include <string.h>

#include "cudart/graph.h"

#include <cuda_runtime_api.h>

/* ---- graphs ------------------------------------------------------------------------------------------------ */

static cudaError_t create(struct runtime *rt, cudaGraph_t *out, unsigned flags)
{
	if (!out || flags)
		return cudaErrorInvalidValue;
	*out = cugraph_new(rt, GRAPH_VISIBLE)->handle;
	return cudaSuccess;
}

cudaError_t cudaGraphCreate(cudaGraph_t *graph, unsigned flags)
{
	RUNTIME_CALL(create(rt, graph, flags));
}

static cudaError_t destroy(struct runtime *rt, cudaGraph_t handle)
{
	struct graph *graph = cugraph_find(rt, handle);
	if (!graph || graph->owner)
		return cudaErrorInvalidValue; /* a child graph goes with its node */
	cugraph_free(rt, graph);
	return cudaSuccess;
}

cudaError_t cudaGraphDestroy(cudaGraph_t graph)
{
	RUNTIME_CALL(destroy(rt, graph));
}

static cudaError_t clone(struct runtime *rt, cudaGraph_t *out, cudaGraph_t original)
{
	const struct graph *graph = cugraph_find(rt, original);
	if (!graph || !out)
		return cudaErrorInvalidValue;
	if (cugraph_has_memory(graph))
		return cudaErrorNotSupported; /* two graphs cannot own one address; CUDA says the same */
	*out = cugraph_clone(rt, graph, GRAPH_VISIBLE)->handle;
	return cudaSuccess;
}

cudaError_t cudaGraphClone(cudaGraph_t *out, cudaGraph_t original)
{
	RUNTIME_CALL(clone(rt, out, original));
}

static cudaError_t find_in_clone(struct runtime *rt, cudaGraphNode_t *out, cudaGraphNode_t original,
                                 cudaGraph_t handle)
{
	const struct graph *graph = cugraph_find(rt, handle);
	const struct graph_node *from = cugraph_node_find(rt, original);
	if (!graph || !from || !out || !graph->origin)
		return cudaErrorInvalidValue;
	const struct graph_node *found = cugraph_exec_node(graph, original);
	if (!found)
		return cudaErrorInvalidValue;
	*out = found->handle;
	return cudaSuccess;
}

cudaError_t cudaGraphNodeFindInClone(cudaGraphNode_t *node, cudaGraphNode_t original, cudaGraph_t graph)
{
	RUNTIME_CALL(find_in_clone(rt, node, original, graph));
}

/* ---- adding nodes ------------------------------------------------------------------------------------------- */

struct place {
	cudaGraphNode_t *node;
	cudaGraph_t graph;
	const cudaGraphNode_t *dependencies;
	size_t count;
};

static cudaError_t check_place(struct runtime *rt, const struct place *place, struct graph **graph)
{
	*graph = cugraph_find(rt, place->graph);
	if (!*graph || !place->node || (place->count && !place->dependencies))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < place->count; i++) {
		const struct graph_node *node = cugraph_node_find(rt, place->dependencies[i]);
		if (!node || node->graph != *graph)
			return cudaErrorInvalidValue;
		for (size_t j = 0; j < i; j++)
			if (place->dependencies[j] == place->dependencies[i])
				return cudaErrorInvalidValue;
	}
	return cudaSuccess;
}

static cudaError_t add(struct runtime *rt, const struct place *place, struct cudaGraphNodeParams *params)
{
	struct graph *graph;
	struct operation work;
	cudaError_t result = check_place(rt, place, &graph);
	if (!result)
		result = params_node(rt, params, &work);
	if (result)
		return result;
	struct graph_node *node = cugraph_add(rt, graph, &work);
	for (size_t i = 0; i < place->count; i++)
		node_list_add(&node->depends, cugraph_node_find(rt, place->dependencies[i]));
	*place->node = node->handle;
	return cudaSuccess;
}

#define PLACE ((struct place){node, graph, dependencies, count})

cudaError_t cudaGraphAddNode(cudaGraphNode_t *node, cudaGraph_t graph, const cudaGraphNode_t *dependencies,
                             const cudaGraphEdgeData *edges, size_t count, struct cudaGraphNodeParams *params)
{
	(void)edges;
	RUNTIME_CALL(add(rt, &PLACE, params));
}

#define DEFINE_ADD(name, params_type, node_type, member)                                                     \
	cudaError_t name(SLUICE_NODE_PLACE, const struct params_type *given)                                 \
	{                                                                                                    \
		struct cudaGraphNodeParams params = {.type = node_type};                                     \
		if (given)                                                                                   \
			memcpy(&params.member, given, sizeof *given);                                        \
		RUNTIME_CALL(given ? add(rt, &PLACE, &params) : cudaErrorInvalidValue);                      \
	}
DEFINE_ADD(cudaGraphAddKernelNode, cudaKernelNodeParams, cudaGraphNodeTypeKernel, kernel)
DEFINE_ADD(cudaGraphAddMemcpyNode, cudaMemcpy3DParms, cudaGraphNodeTypeMemcpy, memcpy.copyParams)
DEFINE_ADD(cudaGraphAddMemsetNode, cudaMemsetParams, cudaGraphNodeTypeMemset, memset)
DEFINE_ADD(cudaGraphAddHostNode, cudaHostNodeParams, cudaGraphNodeTypeHost, host)

cudaError_t cudaGraphAddMemcpyNode1D(SLUICE_NODE_PLACE, void *to, const void *from, size_t bytes,
                                     enum cudaMemcpyKind kind)
{
	struct cudaMemcpy3DParms params = copy_linear_params(to, from, bytes, kind);
	return cudaGraphAddMemcpyNode(node, graph, dependencies, count, &params);
}

static cudaError_t symbol_address(struct runtime *rt, const void *symbol, size_t bytes, size_t offset,
                                  void **out)
{
	uint64_t address, size;
	cudaError_t result = registry_variable(rt, symbol, &address, &size);
	if (!result && (offset > size || bytes > size - offset))
		result = cudaErrorInvalidValue;
	if (!result)
		*out = device_host(address + offset);
	return result;
}

static cudaError_t find_symbol(const void *symbol, size_t bytes, size_t offset, void **out)
{
	RUNTIME_CALL(symbol_address(rt, symbol, bytes, offset, out));
}

cudaError_t cudaGraphAddMemcpyNodeToSymbol(SLUICE_NODE_PLACE, const void *symbol, const void *from,
                                           size_t bytes, size_t offset, enum cudaMemcpyKind kind)
{
	void *to;
	cudaError_t result = find_symbol(symbol, bytes, offset, &to);
	return result ? result
	              : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from, bytes, kind);
}

cudaError_t cudaGraphAddMemcpyNodeFromSymbol(SLUICE_NODE_PLACE, void *to, const void *symbol, size_t bytes,
                                             size_t offset, enum cudaMemcpyKind kind)
{
	void *from;
	cudaError_t result = find_symbol(symbol, bytes, offset, &from);
	return result ? result
	              : cudaGraphAddMemcpyNode1D(node, graph, dependencies, count, to, from, bytes, kind);
}

cudaError_t cudaGraphAddChildGraphNode(SLUICE_NODE_PLACE, cudaGraph_t child)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeGraph, .graph = {child}};
	RUNTIME_CALL(add(rt, &PLACE, &params));
}

cudaError_t cudaGraphAddEmptyNode(SLUICE_NODE_PLACE)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEmpty};
	RUNTIME_CALL(add(rt, &PLACE, &params));
}

cudaError_t cudaGraphAddEventRecordNode(SLUICE_NODE_PLACE, cudaEvent_t event)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeEventRecord, .eventRecord = {event}};
	RUNTIME_CALL(add(rt, &PLACE, &params));
}

cudaError_t cudaGraphAddEventWaitNode(SLUICE_NODE_PLACE, cudaEvent_t event)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeWaitEvent, .eventWait = {event}};
	RUNTIME_CALL(add(rt, &PLACE, &params));
}

cudaError_t cudaGraphAddMemFreeNode(SLUICE_NODE_PLACE, void *address)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemFree, .free = {address}};
	RUNTIME_CALL(add(rt, &PLACE, &params));
}

static cudaError_t add_allocation(struct runtime *rt, const struct place *place,
                                  struct cudaMemAllocNodeParams *given)
{
	struct cudaGraphNodeParams params = {.type = cudaGraphNodeTypeMemAlloc};
	memcpy(&params.alloc, given, sizeof *given);
	cudaError_t result = add(rt, place, &params);
	given->dptr = params.alloc.dptr;
	return result;
}

cudaError_t cudaGraphAddMemAllocNode(SLUICE_NODE_PLACE, struct cudaMemAllocNodeParams *params)
{
	RUNTIME_CALL(params ? add_allocation(rt, &PLACE, params) : cudaErrorInvalidValue);
}

/* ---- dependencies ------------------------------------------------------------------------------------------ */

static cudaError_t find_edge(struct runtime *rt, const struct graph *graph, cudaGraphNode_t from,
                             cudaGraphNode_t to, struct graph_node *ends[2])
{
	ends[0] = cugraph_node_find(rt, from);
	ends[1] = cugraph_node_find(rt, to);
	return ends[0] && ends[1] && ends[0] != ends[1] && ends[0]->graph == graph && ends[1]->graph == graph
	           ? cudaSuccess
	           : cudaErrorInvalidValue;
}

static void remove_edge(struct graph_node *from, struct graph_node *to)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < to->depends.count; i++)
		if (to->depends.at[i] != from)
			to->depends.at[kept++] = to->depends.at[i];
	to->depends.count = kept;
}

enum edge_change { EDGE_ADD, EDGE_REMOVE };

/* All edges are checked before the first one changes. */
static cudaError_t change_edges(struct runtime *rt, cudaGraph_t handle, const cudaGraphNode_t *from,
                                const cudaGraphNode_t *to, size_t count, enum edge_change change)
{
	struct graph_node *ends[2];
	const struct graph *graph = cugraph_find(rt, handle);
	if (!graph || (count && (!from || !to)))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < count; i++) {
		cudaError_t result = find_edge(rt, graph, from[i], to[i], ends);
		if (!result && node_list_has(&ends[1]->depends, ends[0]) != (change == EDGE_REMOVE))
			result = cudaErrorInvalidValue;
		if (result)
			return result;
	}
	for (size_t i = 0; i < count; i++) {
		find_edge(rt, graph, from[i], to[i], ends);
		if (change == EDGE_ADD)
			node_list_join(&ends[1]->depends, ends[0]);
		else
			remove_edge(ends[0], ends[1]);
	}
	return cudaSuccess;
}

cudaError_t cudaGraphAddDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                     const cudaGraphNode_t *to, const cudaGraphEdgeData *edges, size_t count)
{
	(void)edges;
	RUNTIME_CALL(change_edges(rt, graph, from, to, count, EDGE_ADD));
}

cudaError_t cudaGraphRemoveDependencies(cudaGraph_t graph, const cudaGraphNode_t *from,
                                        const cudaGraphNode_t *to, const cudaGraphEdgeData *edges,
                                        size_t count)
{
	(void)edges;
	RUNTIME_CALL(change_edges(rt, graph, from, to, count, EDGE_REMOVE));
}

static cudaError_t destroy_node(struct runtime *rt, cudaGraphNode_t handle)
{
	struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node)
		return cudaErrorInvalidValue;
	if (node->work.type == cudaGraphNodeTypeMemAlloc || node->work.type == cudaGraphNodeTypeMemFree)
		return cudaErrorNotSupported;
	cugraph_node_free(rt, node);
	return cudaSuccess;
}

cudaError_t cudaGraphDestroyNode(cudaGraphNode_t node)
{
	RUNTIME_CALL(destroy_node(rt, node));
}
