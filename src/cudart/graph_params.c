/* Descriptions of nodes' work: checked and turned into operations, and told again. */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

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

cudaError_t cudaGraphNodeSetParams(cudaGraphNode_t node, struct cudaGraphNodeParams *params)
{
	RUNTIME_CALL(set(rt, node, params));
}

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

cudaError_t cudaGraphMemFreeNodeGetParams(cudaGraphNode_t node, void *address)
{
	RUNTIME_CALL(get_release(rt, node, address));
}

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

cudaError_t cudaGraphKernelNodeSetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            const cudaLaunchAttributeValue *value)
{
	RUNTIME_CALL(set_attribute(rt, node, id, value));
}

static cudaError_t get_attribute(struct runtime *rt, cudaGraphNode_t node, cudaLaunchAttributeID id,
                                 cudaLaunchAttributeValue *value)
{
	const struct launch_attributes *attributes = node_attributes(rt, node);
	return attributes ? attributes_get(attributes, HOLDER_NODE, id, value) : cudaErrorInvalidValue;
}

cudaError_t cudaGraphKernelNodeGetAttribute(cudaGraphNode_t node, cudaLaunchAttributeID id,
                                            cudaLaunchAttributeValue *value)
{
	RUNTIME_CALL(get_attribute(rt, node, id, value));
}

static cudaError_t copy_attributes(struct runtime *rt, cudaGraphNode_t to, cudaGraphNode_t from)
{
	struct launch_attributes *target = node_attributes(rt, to);
	const struct launch_attributes *source = node_attributes(rt, from);
	if (!target || !source)
		return cudaErrorInvalidValue;
	*target = *source;
	return cudaSuccess;
}

cudaError_t cudaGraphKernelNodeCopyAttributes(cudaGraphNode_t to, cudaGraphNode_t from)
{
	RUNTIME_CALL(copy_attributes(rt, to, from));
}
