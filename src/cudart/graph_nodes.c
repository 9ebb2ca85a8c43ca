/* Nodes of graphs: added, asked for their parameters, changed, in a graph or in an executable one. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
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

API(RUNTIME_CALL, cudaGraphCreate, (cudaGraph_t * graph, unsigned flags), create(rt, graph, flags))

static cudaError_t destroy(struct runtime *rt, cudaGraph_t handle)
{
	struct graph *graph = cugraph_find(rt, handle);
	if (!graph || graph->owner)
		return cudaErrorInvalidValue; /* a child graph goes with its node */
	cugraph_free(rt, graph);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphDestroy, (cudaGraph_t graph), destroy(rt, graph))

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

API(RUNTIME_CALL, cudaGraphClone, (cudaGraph_t * out, cudaGraph_t original), clone(rt, out, original))

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

API(RUNTIME_CALL, cudaGraphNodeFindInClone,
    (cudaGraphNode_t * node, cudaGraphNode_t original, cudaGraph_t graph),
    find_in_clone(rt, node, original, graph))

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

API_PART(RUNTIME_CALL, find_symbol, (const void *symbol, size_t bytes, size_t offset, void **out),
         symbol_address(rt, symbol, bytes, offset, out))

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

API(RUNTIME_CALL, cudaGraphAddMemAllocNode, (SLUICE_NODE_PLACE, struct cudaMemAllocNodeParams *params),
    params ? add_allocation(rt, &PLACE, params) : cudaErrorInvalidValue)

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

API(RUNTIME_CALL, cudaGraphDestroyNode, (cudaGraphNode_t node), destroy_node(rt, node))

/* ---- parameters ---------------------------------------------------------------------------------------------- */

/* ---- from descriptions ------------------------------------------------------------------------------------ */

/* The arguments that cuLaunchKernel()'s and a node's `extra` describe: {1, buffer, 2, &size, NULL}. */
static const uint8_t *extra_buffer(void *const *extra)
{
	const uint8_t *buffer = NULL;
	for (; *extra; extra += 2)
		if (extra[0] == (void *)1)
			buffer = extra[1];
	return buffer;
}

static cudaError_t unpack_extra(struct runtime *rt, const struct cudaKernelNodeParams *params, void ***args)
{
	struct function function;
	const uint8_t *packed = extra_buffer(params->extra);
	cudaError_t result = function_find(rt, params->func, &function);
	if (!result && !packed)
		result = cudaErrorInvalidValue;
	if (!result)
		*args = launch_unpack_args(&function, packed);
	return result;
}

static cudaError_t params_kernel(struct runtime *rt, const struct cudaKernelNodeParams *params,
                                 struct operation *out)
{
	void **unpacked = NULL;
	if (params->kernelParams && params->extra)
		return cudaErrorInvalidValue;
	cudaError_t result = params->extra ? unpack_extra(rt, params, &unpacked) : cudaSuccess;
	struct launch launch = {.host = params->func,
	                        .grid = params->gridDim,
	                        .block = params->blockDim,
	                        .args = unpacked ? unpacked : params->kernelParams,
	                        .shared_bytes = params->sharedMemBytes};
	if (!result)
		result = operation_kernel(rt, &launch, out);
	free(unpacked);
	return result;
}

static cudaError_t params_copy(struct runtime *rt, const struct cudaMemcpy3DParms *params,
                               struct operation *out)
{
	struct copy_work work;
	cudaError_t result = copy_3d_resolve(rt, params, &work);
	if (!result && (!work.box.width || !work.box.height || !work.box.depth))
		result = cudaErrorInvalidValue; /* unlike a call, a node must have something to copy */
	if (!result)
		result = copy_check(rt, work.to, work.box);
	if (!result)
		result = copy_check(rt, work.from, work.box);
	if (!result)
		*out = operation_copy(&work);
	return result;
}

struct cudaMemcpy3DParms copy_linear_params(void *to, const void *from, size_t bytes,
                                            enum cudaMemcpyKind kind)
{
	struct cudaPitchedPtr target = {.ptr = to, .pitch = bytes, .xsize = bytes, .ysize = 1};
	struct cudaPitchedPtr source = {
	    .ptr = (void *)(uintptr_t)from, .pitch = bytes, .xsize = bytes, .ysize = 1};
	return (struct cudaMemcpy3DParms){.dstPtr = target,
	                                  .srcPtr = source,
	                                  .extent = {.width = bytes, .height = 1, .depth = 1},
	                                  .kind = kind};
}

static cudaError_t params_fill(struct runtime *rt, const struct cudaMemsetParams *params,
                               struct operation *out)
{
	if ((params->elementSize != 1 && params->elementSize != 2 && params->elementSize != 4) ||
	    !params->width || !params->height || (uintptr_t)params->dst % params->elementSize)
		return cudaErrorInvalidValue;
	struct fill_work work = {
	    .to = {.address = (uintptr_t)params->dst, .pitch = params->pitch, .is_device = true},
	    .described = *params};
	if (__builtin_mul_overflow(params->width, (size_t)params->elementSize, &work.box.width))
		return cudaErrorInvalidValue;
	work.box.height = params->height;
	work.box.depth = 1;
	cudaError_t result = copy_check(rt, work.to, work.box);
	if (!result)
		*out = operation_fill(&work);
	return result;
}

static cudaError_t params_host(const struct cudaHostNodeParams *params, struct operation *out)
{
	if (!params->fn)
		return cudaErrorInvalidValue;
	*out = (struct operation){.type = cudaGraphNodeTypeHost, .host = {params->fn, params->userData}};
	return cudaSuccess;
}

static cudaError_t params_event(struct runtime *rt, enum cudaGraphNodeType type, cudaEvent_t event,
                                struct operation *out)
{
	if (!event_exists(rt, event))
		return cudaErrorInvalidValue;
	*out = (struct operation){.type = type, .event = event};
	return cudaSuccess;
}

static cudaError_t params_memory(struct runtime *rt, struct cudaMemAllocNodeParams *params,
                                 struct operation *out)
{
	if (!params->bytesize || params->poolProps.allocType != cudaMemAllocationTypePinned ||
	    params->poolProps.location.type != cudaMemLocationTypeDevice || params->poolProps.location.id)
		return cudaErrorInvalidValue;
	struct graph_memory *memory = graph_memory_new(rt, params->bytesize);
	if (!memory)
		return cudaErrorMemoryAllocation;
	params->dptr = device_host(memory->address);
	*out = (struct operation){.type = cudaGraphNodeTypeMemAlloc, .memory = memory};
	return cudaSuccess;
}

static cudaError_t params_release(struct runtime *rt, const void *address, struct operation *out)
{
	struct graph_memory *memory = graph_memory_find(rt, (uintptr_t)address);
	if (!memory)
		return cudaErrorInvalidValue;
	memory->references++;
	*out = (struct operation){.type = cudaGraphNodeTypeMemFree, .memory = memory};
	return cudaSuccess;
}

static cudaError_t params_child(struct runtime *rt, cudaGraph_t handle, struct operation *out)
{
	const struct graph *child = cugraph_find(rt, handle);
	if (!child)
		return cudaErrorInvalidValue;
	if (cugraph_has_memory(child))
		return cudaErrorNotSupported;
	*out = (struct operation){.type = cudaGraphNodeTypeGraph,
	                          .child = cugraph_clone(rt, child, GRAPH_VISIBLE)};
	return cudaSuccess;
}

cudaError_t params_node(struct runtime *rt, struct cudaGraphNodeParams *params, struct operation *out)
{
	struct cudaMemAllocNodeParams alloc;
	cudaError_t result;
	if (!params)
		return cudaErrorInvalidValue;
	switch (params->type) {
	case cudaGraphNodeTypeKernel:
		return params_kernel(rt, (const struct cudaKernelNodeParams *)&params->kernel, out);
	case cudaGraphNodeTypeMemcpy:
		return params_copy(rt, &params->memcpy.copyParams, out);
	case cudaGraphNodeTypeMemset:
		return params_fill(rt, (const struct cudaMemsetParams *)&params->memset, out);
	case cudaGraphNodeTypeHost:
		return params_host((const struct cudaHostNodeParams *)&params->host, out);
	case cudaGraphNodeTypeGraph:
		return params_child(rt, params->graph.graph, out);
	case cudaGraphNodeTypeEmpty:
		*out = (struct operation){.type = cudaGraphNodeTypeEmpty};
		return cudaSuccess;
	case cudaGraphNodeTypeWaitEvent:
	case cudaGraphNodeTypeEventRecord:
		return params_event(rt, params->type, params->eventRecord.event, out);
	case cudaGraphNodeTypeMemAlloc:
		memcpy(&alloc, &params->alloc, sizeof alloc);
		result = params_memory(rt, &alloc, out);
		params->alloc.dptr = alloc.dptr;
		return result;
	case cudaGraphNodeTypeMemFree:
		return params_release(rt, params->free.dptr, out);
	default:
		runtime_say("graph nodes of type %d are not supported", (int)params->type);
		return cudaErrorNotSupported;
	}
}

/* ---- changes ----------------------------------------------------------------------------------------------- */

/* Attributes of a kernel node outlive its parameters. */
void params_replace(struct runtime *rt, struct graph_node *node, const struct operation *work)
{
	if (work->type == cudaGraphNodeTypeKernel)
		work->kernel->attributes = node->work.kernel->attributes;
	if (work->type == cudaGraphNodeTypeGraph)
		work->child->owner = node;
	operation_drop(rt, &node->work);
	node->work = *work;
}

static cudaError_t set(struct runtime *rt, cudaGraphNode_t handle, struct cudaGraphNodeParams *params)
{
	struct operation work;
	struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node || !params || node->work.type != params->type)
		return cudaErrorInvalidValue;
	cudaError_t result = params_node(rt, params, &work);
	if (!result)
		params_replace(rt, node, &work);
	return result;
}

API(RUNTIME_CALL, cudaGraphNodeSetParams, (cudaGraphNode_t node, struct cudaGraphNodeParams *params),
    set(rt, node, params))

static struct cudaGraphNodeParams of_event(enum cudaGraphNodeType type, cudaEvent_t event)
{
	struct cudaGraphNodeParams params = {.type = type};
	params.eventRecord.event = event;
	return params;
}

#define DEFINE_SET(name, params_type, node_type, member)                                                     \
	cudaError_t name(cudaGraphNode_t node, const struct params_type *given)                              \
	{                                                                                                    \
		struct cudaGraphNodeParams params = {.type = node_type};                                     \
		if (given)                                                                                   \
			memcpy(&params.member, given, sizeof *given);                                        \
		RUNTIME_CALL(given ? set(rt, node, &params) : cudaErrorInvalidValue);                        \
	}
DEFINE_SET(cudaGraphKernelNodeSetParams, cudaKernelNodeParams, cudaGraphNodeTypeKernel, kernel)
DEFINE_SET(cudaGraphMemcpyNodeSetParams, cudaMemcpy3DParms, cudaGraphNodeTypeMemcpy, memcpy.copyParams)
DEFINE_SET(cudaGraphMemsetNodeSetParams, cudaMemsetParams, cudaGraphNodeTypeMemset, memset)
DEFINE_SET(cudaGraphHostNodeSetParams, cudaHostNodeParams, cudaGraphNodeTypeHost, host)

cudaError_t cudaGraphMemcpyNodeSetParams1D(cudaGraphNode_t node, void *to, const void *from, size_t bytes,
                                           enum cudaMemcpyKind kind)
{
	struct cudaMemcpy3DParms params = copy_linear_params(to, from, bytes, kind);
	return cudaGraphMemcpyNodeSetParams(node, &params);
}

cudaError_t cudaGraphEventRecordNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	struct cudaGraphNodeParams params = of_event(cudaGraphNodeTypeEventRecord, event);
	RUNTIME_CALL(set(rt, node, &params));
}

cudaError_t cudaGraphEventWaitNodeSetEvent(cudaGraphNode_t node, cudaEvent_t event)
{
	struct cudaGraphNodeParams params = of_event(cudaGraphNodeTypeWaitEvent, event);
	RUNTIME_CALL(set(rt, node, &params));
}

/* ---- told again -------------------------------------------------------------------------------------------- */

static cudaError_t get(struct runtime *rt, cudaGraphNode_t handle, enum cudaGraphNodeType type,
                       const void *out, struct graph_node **node)
{
	*node = cugraph_node_find(rt, handle);
	return *node && out && (*node)->work.type == type ? cudaSuccess : cudaErrorInvalidValue;
}

#define DEFINE_GET(name, node_type, out_type, expr)                                                          \
	static cudaError_t get_##name(struct runtime *rt, cudaGraphNode_t handle, out_type *out)             \
	{                                                                                                    \
		struct graph_node *node;                                                                     \
		cudaError_t result = get(rt, handle, node_type, out, &node);                                 \
		if (!result)                                                                                 \
			*out = expr;                                                                         \
		return result;                                                                               \
	}                                                                                                    \
	cudaError_t name(cudaGraphNode_t node, out_type *out)                                                \
	{                                                                                                    \
		RUNTIME_CALL(get_##name(rt, node, out));                                                     \
	}

static struct cudaKernelNodeParams kernel_params(const struct launch *launch)
{
	return (struct cudaKernelNodeParams){.func = (void *)(uintptr_t)launch->host,
	                                     .gridDim = launch->grid,
	                                     .blockDim = launch->block,
	                                     .sharedMemBytes = (unsigned)launch->shared_bytes,
	                                     .kernelParams = launch->args};
}

static struct cudaMemAllocNodeParams alloc_params(const struct graph_memory *memory)
{
	return (struct cudaMemAllocNodeParams){.poolProps = {.allocType = cudaMemAllocationTypePinned,
	                                                     .location = {.type = cudaMemLocationTypeDevice}},
	                                       .bytesize = memory->bytes,
	                                       .dptr = device_host(memory->address)};
}

DEFINE_GET(cudaGraphKernelNodeGetParams, cudaGraphNodeTypeKernel, struct cudaKernelNodeParams,
           kernel_params(&node->work.kernel->launch))
DEFINE_GET(cudaGraphMemcpyNodeGetParams, cudaGraphNodeTypeMemcpy, struct cudaMemcpy3DParms,
           node->work.copy->described)
DEFINE_GET(cudaGraphMemsetNodeGetParams, cudaGraphNodeTypeMemset, struct cudaMemsetParams,
           node->work.fill->described)
DEFINE_GET(cudaGraphHostNodeGetParams, cudaGraphNodeTypeHost, struct cudaHostNodeParams,
           ((struct cudaHostNodeParams){node->work.host.function, node->work.host.user}))
DEFINE_GET(cudaGraphChildGraphNodeGetGraph, cudaGraphNodeTypeGraph, cudaGraph_t, node->work.child->handle)
DEFINE_GET(cudaGraphEventRecordNodeGetEvent, cudaGraphNodeTypeEventRecord, cudaEvent_t, node->work.event)
DEFINE_GET(cudaGraphEventWaitNodeGetEvent, cudaGraphNodeTypeWaitEvent, cudaEvent_t, node->work.event)
DEFINE_GET(cudaGraphMemAllocNodeGetParams, cudaGraphNodeTypeMemAlloc, struct cudaMemAllocNodeParams,
           alloc_params(node->work.memory))

static cudaError_t get_release(struct runtime *rt, cudaGraphNode_t handle, void **out)
{
	struct graph_node *node;
	cudaError_t result = get(rt, handle, cudaGraphNodeTypeMemFree, out, &node);
	if (!result)
		*out = device_host(node->work.memory->address);
	return result;
}

API(RUNTIME_CALL, cudaGraphMemFreeNodeGetParams, (cudaGraphNode_t node, void *address),
    get_release(rt, node, address))

/* ---- attributes of kernel nodes ------------------------------------------------------------------------------ */

static struct launch_attributes *node_attributes(struct runtime *rt, cudaGraphNode_t handle)
{
	struct graph_node *node = cugraph_node_find(rt, handle);
	return node && node->work.type == cudaGraphNodeTypeKernel ? &node->work.kernel->attributes : NULL;
}

static cudaError_t set_attribute(struct runtime *rt, cudaGraphNode_t node, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *value)
{
	struct launch_attributes *attributes = node_attributes(rt, node);
	return attributes ? attributes_set(rt, attributes, HOLDER_NODE, id, value) : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaGraphKernelNodeSetAttribute,
    (cudaGraphNode_t node, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value),
    set_attribute(rt, node, id, value))

static cudaError_t get_attribute(struct runtime *rt, cudaGraphNode_t node, cudaLaunchAttributeID id,
                                 cudaLaunchAttributeValue *value)
{
	const struct launch_attributes *attributes = node_attributes(rt, node);
	return attributes ? attributes_get(attributes, HOLDER_NODE, id, value) : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaGraphKernelNodeGetAttribute,
    (cudaGraphNode_t node, cudaLaunchAttributeID id, cudaLaunchAttributeValue *value),
    get_attribute(rt, node, id, value))

static cudaError_t copy_attributes(struct runtime *rt, cudaGraphNode_t to, cudaGraphNode_t from)
{
	struct launch_attributes *target = node_attributes(rt, to);
	const struct launch_attributes *source = node_attributes(rt, from);
	if (!target || !source)
		return cudaErrorInvalidValue;
	*target = *source;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphKernelNodeCopyAttributes, (cudaGraphNode_t to, cudaGraphNode_t from),
    copy_attributes(rt, to, from))
