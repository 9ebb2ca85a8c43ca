/*
 * Graphs: made, cloned and destroyed; questions about nodes, roots and edges, and the graph as a picture; the memory of
 * allocation nodes. Its address belongs to the graph and its copies for as long as one of them exists, so it is the
 * same at every launch; launches only mark it as live. A GPU shares physical memory between graphs that do not run
 * together; here each has its own.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/graph.h"
#include "cudart/operation.h"
#include "cudart/pool.h"

#include <cuda_runtime_api.h>

/* ---- lists ---------------------------------------------------------------------------------------------- */

void node_list_add(struct node_list *list, struct graph_node *node)
{
	if (list->count == list->capacity) {
		list->capacity = list->capacity ? 2 * list->capacity : 4;
		list->at = memory_grow(list->at, list->capacity, sizeof *list->at);
	}
	list->at[list->count++] = node;
}

bool node_list_has(const struct node_list *list, const struct graph_node *node)
{
	for (uint32_t i = 0; i < list->count; i++)
		if (list->at[i] == node)
			return true;
	return false;
}

void node_list_join(struct node_list *list, struct graph_node *node)
{
	if (!node_list_has(list, node))
		node_list_add(list, node);
}

void node_list_clear(struct node_list *list)
{
	free(list->at);
	*list = (struct node_list){0};
}

static void node_list_remove(struct node_list *list, const struct graph_node *node)
{
	uint32_t kept = 0;
	for (uint32_t i = 0; i < list->count; i++)
		if (list->at[i] != node)
			list->at[kept++] = list->at[i];
	list->count = kept;
}

/* ---- graphs and nodes ----------------------------------------------------------------------------------- */

struct graph *cugraph_find(const struct runtime *rt, cudaGraph_t handle)
{
	return handle_get(&rt->handles, HANDLE_GRAPH, handle);
}

struct graph_node *cugraph_node_find(const struct runtime *rt, cudaGraphNode_t handle)
{
	return handle_get(&rt->handles, HANDLE_GRAPH_NODE, handle);
}

struct graph *cugraph_new(struct runtime *rt, enum graph_visibility visibility)
{
	struct graph *graph = memory_zeroed(1, sizeof *graph);
	if (visibility == GRAPH_VISIBLE)
		graph->handle = handle_new(&rt->handles, HANDLE_GRAPH, graph);
	return graph;
}

static void node_drop(struct runtime *rt, struct graph_node *node)
{
	if (node->handle)
		handle_remove(&rt->handles, HANDLE_GRAPH_NODE, node->handle);
	operation_drop(rt, &node->work);
	node_list_clear(&node->depends);
	free(node);
}

void cugraph_free(struct runtime *rt, struct graph *graph)
{
	if (graph->handle)
		handle_remove(&rt->handles, HANDLE_GRAPH, graph->handle);
	for (uint32_t i = 0; i < graph->nodes.count; i++)
		node_drop(rt, graph->nodes.at[i]);
	node_list_clear(&graph->nodes);
	user_objects_release(rt, graph);
	free(graph);
}

struct graph_node *cugraph_add(struct runtime *rt, struct graph *graph, const struct operation *work)
{
	struct graph_node *node = memory_zeroed(1, sizeof *node);
	*node = (struct graph_node){.graph = graph, .work = *work, .index = graph->nodes.count};
	if (graph->handle)
		node->handle = handle_new(&rt->handles, HANDLE_GRAPH_NODE, node);
	if (work->type == cudaGraphNodeTypeGraph)
		work->child->owner = node;
	node_list_add(&graph->nodes, node);
	return node;
}

void cugraph_node_free(struct runtime *rt, struct graph_node *node)
{
	struct graph *graph = node->graph;
	node_list_remove(&graph->nodes, node);
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		node_list_remove(&graph->nodes.at[i]->depends, node);
		graph->nodes.at[i]->index = i;
	}
	node_drop(rt, node);
}

struct graph *cugraph_clone(struct runtime *rt, const struct graph *graph, enum graph_visibility visibility)
{
	struct graph *clone = cugraph_new(rt, visibility);
	clone->origin = graph->handle;
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const struct graph_node *from = graph->nodes.at[i];
		struct operation work = from->work;
		if (work.type == cudaGraphNodeTypeGraph)
			work.child = cugraph_clone(rt, from->work.child, visibility);
		else
			work = operation_clone(rt, &from->work);
		cugraph_add(rt, clone, &work)->origin = from->handle;
	}
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const struct node_list *depends = &graph->nodes.at[i]->depends;
		for (uint32_t d = 0; d < depends->count; d++)
			node_list_add(&clone->nodes.at[i]->depends, clone->nodes.at[depends->at[d]->index]);
	}
	user_objects_clone(clone, graph);
	return clone;
}

struct graph_node *cugraph_exec_node(const struct graph *graph, cudaGraphNode_t origin)
{
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		struct graph_node *node = graph->nodes.at[i];
		if (node->origin == origin)
			return node;
		if (node->work.type == cudaGraphNodeTypeGraph) {
			struct graph_node *inner = cugraph_exec_node(node->work.child, origin);
			if (inner)
				return inner;
		}
	}
	return NULL;
}

bool cugraph_has_memory(const struct graph *graph)
{
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const struct operation *work = &graph->nodes.at[i]->work;
		if (work->type == cudaGraphNodeTypeMemAlloc || work->type == cudaGraphNodeTypeMemFree ||
		    (work->type == cudaGraphNodeTypeGraph && cugraph_has_memory(work->child)))
			return true;
	}
	return false;
}

/* ---- walks ---------------------------------------------------------------------------------------------- */

/* Kahn's algorithm. A pass over the graph per level of depth would be slow for long chains: dependents are listed. */
bool cugraph_order(const struct graph *graph, struct node_list *order)
{
	uint32_t count = graph->nodes.count;
	uint32_t *left = memory_zeroed(count + 1, sizeof *left);
	struct node_list *dependents = memory_zeroed(count + 1, sizeof *dependents);
	*order = (struct node_list){0};
	for (uint32_t i = 0; i < count; i++) {
		const struct node_list *depends = &graph->nodes.at[i]->depends;
		left[i] = depends->count;
		for (uint32_t d = 0; d < depends->count; d++)
			node_list_add(&dependents[depends->at[d]->index], graph->nodes.at[i]);
		if (!depends->count)
			node_list_add(order, graph->nodes.at[i]);
	}
	for (uint32_t at = 0; at < order->count; at++) {
		const struct node_list *next = &dependents[order->at[at]->index];
		for (uint32_t i = 0; i < next->count; i++)
			if (!--left[next->at[i]->index])
				node_list_add(order, next->at[i]);
	}
	for (uint32_t i = 0; i < count; i++)
		node_list_clear(&dependents[i]);
	free(dependents);
	free(left);
	return order->count == count;
}

bool cugraph_reaches(const struct node_list *from, const struct graph_node *wanted)
{
	struct node_list stack = {0};
	const struct graph *graph = wanted->graph;
	bool found = false;
	for (uint32_t i = 0; i < graph->nodes.count; i++)
		graph->nodes.at[i]->mark = 0;
	for (uint32_t i = 0; i < from->count; i++)
		node_list_add(&stack, from->at[i]);
	while (stack.count && !found) {
		struct graph_node *node = stack.at[--stack.count];
		if (node->mark)
			continue;
		node->mark = 1;
		found = node == wanted;
		for (uint32_t i = 0; i < node->depends.count; i++)
			node_list_add(&stack, node->depends.at[i]);
	}
	node_list_clear(&stack);
	return found;
}

/* ---- questions ----------------------------------------------------------------------------------------------- */

static cudaError_t type_of(struct runtime *rt, cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
	const struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node || !type)
		return cudaErrorInvalidValue;
	*type = node->work.type;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphNodeGetType, (cudaGraphNode_t node, enum cudaGraphNodeType *type),
    type_of(rt, node, type))

/*
 * Lists are told in two steps: how many, then as many as the caller has room
 * for; places beyond the end are NULL and the count becomes what was written.
 */
struct listing {
	cudaGraphNode_t *nodes;
	size_t room, found;
};

static void list(struct listing *out, const struct graph_node *node)
{
	if (out->nodes && out->found < out->room)
		out->nodes[out->found] = node->handle;
	out->found++;
}

static void list_end(struct listing *out, size_t *count)
{
	for (size_t i = out->found; out->nodes && i < out->room; i++)
		out->nodes[i] = NULL;
	*count = out->nodes && out->found > out->room ? out->room : out->found;
}

enum which_nodes { ALL_NODES, ROOT_NODES };

static cudaError_t graph_nodes(struct runtime *rt, cudaGraph_t handle, cudaGraphNode_t *nodes, size_t *count,
                               enum which_nodes which)
{
	const struct graph *graph = cugraph_find(rt, handle);
	if (!graph || !count)
		return cudaErrorInvalidValue;
	struct listing out = {.nodes = nodes, .room = nodes ? *count : 0};
	for (uint32_t i = 0; i < graph->nodes.count; i++)
		if (which == ALL_NODES || !graph->nodes.at[i]->depends.count)
			list(&out, graph->nodes.at[i]);
	list_end(&out, count);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphGetNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
    graph_nodes(rt, graph, nodes, count, ALL_NODES))
API(RUNTIME_CALL, cudaGraphGetRootNodes, (cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count),
    graph_nodes(rt, graph, nodes, count, ROOT_NODES))

static void clear_edges(cudaGraphEdgeData *edges, size_t count)
{
	if (edges)
		memset(edges, 0, count * sizeof *edges);
}

static cudaError_t graph_edges(struct runtime *rt, cudaGraph_t handle, cudaGraphNode_t *from,
                               cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count)
{
	const struct graph *graph = cugraph_find(rt, handle);
	if (!graph || !count || !from != !to)
		return cudaErrorInvalidValue;
	struct listing sources = {.nodes = from, .room = from ? *count : 0};
	struct listing targets = {.nodes = to, .room = to ? *count : 0};
	for (uint32_t i = 0; i < graph->nodes.count; i++) {
		const struct graph_node *node = graph->nodes.at[i];
		for (uint32_t d = 0; d < node->depends.count; d++) {
			list(&sources, node->depends.at[d]);
			list(&targets, node);
		}
	}
	list_end(&sources, count);
	list_end(&targets, count);
	clear_edges(edges, from ? *count : 0);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphGetEdges,
    (cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to, cudaGraphEdgeData *edges, size_t *count),
    graph_edges(rt, graph, from, to, edges, count))

static cudaError_t node_dependencies(struct runtime *rt, cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                     cudaGraphEdgeData *edges, size_t *count)
{
	const struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node || !count)
		return cudaErrorInvalidValue;
	struct listing out = {.nodes = nodes, .room = nodes ? *count : 0};
	for (uint32_t i = 0; i < node->depends.count; i++)
		list(&out, node->depends.at[i]);
	list_end(&out, count);
	clear_edges(edges, nodes ? *count : 0);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphNodeGetDependencies,
    (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
    node_dependencies(rt, node, nodes, edges, count))

static cudaError_t node_dependents(struct runtime *rt, cudaGraphNode_t handle, cudaGraphNode_t *nodes,
                                   cudaGraphEdgeData *edges, size_t *count)
{
	const struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node || !count)
		return cudaErrorInvalidValue;
	struct listing out = {.nodes = nodes, .room = nodes ? *count : 0};
	const struct node_list *all = &node->graph->nodes;
	for (uint32_t i = 0; i < all->count; i++)
		if (node_list_has(&all->at[i]->depends, node))
			list(&out, all->at[i]);
	list_end(&out, count);
	clear_edges(edges, nodes ? *count : 0);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphNodeGetDependentNodes,
    (cudaGraphNode_t node, cudaGraphNode_t *nodes, cudaGraphEdgeData *edges, size_t *count),
    node_dependents(rt, node, nodes, edges, count))

/* ---- as a picture, in the language of Graphviz ---------------------------------------------------------------- */

static const char *type_name(enum cudaGraphNodeType type)
{
	static const char *const names[] = {
	    [cudaGraphNodeTypeKernel] = "KERNEL",        [cudaGraphNodeTypeMemcpy] = "MEMCPY",
	    [cudaGraphNodeTypeMemset] = "MEMSET",        [cudaGraphNodeTypeHost] = "HOST",
	    [cudaGraphNodeTypeGraph] = "GRAPH",          [cudaGraphNodeTypeEmpty] = "EMPTY",
	    [cudaGraphNodeTypeWaitEvent] = "EVENT_WAIT", [cudaGraphNodeTypeEventRecord] = "EVENT_RECORD",
	    [cudaGraphNodeTypeMemAlloc] = "MEM_ALLOC",   [cudaGraphNodeTypeMemFree] = "MEM_FREE",
	};
	return (unsigned)type < sizeof names / sizeof *names && names[type] ? names[type] : "NODE";
}

static void print_node(struct runtime *rt, FILE *file, const struct graph_node *node)
{
	const struct symbol *symbol =
	    node->work.type == cudaGraphNodeTypeKernel
	        ? registry_find(&rt->registry, node->work.kernel->launch.host, SYMBOL_FUNCTION)
	        : NULL;
	fprintf(file, "  n%u [label=\"%u %s%s%s\"];\n", node->index, node->index, type_name(node->work.type),
	        symbol ? "\\n" : "", symbol ? symbol->name : "");
	for (uint32_t d = 0; d < node->depends.count; d++)
		fprintf(file, "  n%u -> n%u;\n", node->depends.at[d]->index, node->index);
}

static cudaError_t print_graph(struct runtime *rt, cudaGraph_t handle, const char *path)
{
	const struct graph *graph = cugraph_find(rt, handle);
	if (!graph || !path)
		return cudaErrorInvalidValue;
	FILE *file = fopen(path, "w");
	if (!file) {
		runtime_say("cudaGraphDebugDotPrint: %s: %s", path, strerror(errno));
		return cudaErrorOperatingSystem;
	}
	fputs("digraph graph_0 {\n", file);
	for (uint32_t i = 0; i < graph->nodes.count; i++)
		print_node(rt, file, graph->nodes.at[i]);
	fputs("}\n", file);
	bool failed = ferror(file) != 0;
	return fclose(file) || failed ? cudaErrorOperatingSystem : cudaSuccess;
}

cudaError_t cudaGraphDebugDotPrint(cudaGraph_t graph, const char *path, unsigned flags)
{
	(void)flags; /* how much detail */
	RUNTIME_CALL(print_graph(rt, graph, path));
}

/* ---- memory -------------------------------------------------------------------------------------------------- */

struct graph_memory *graph_memory_new(struct runtime *rt, uint64_t bytes)
{
	uint64_t address = memory_has(rt, bytes) ? device_memory_allocate(rt->memory, bytes) : 0;
	if (!address)
		return NULL;
	device_memory_set_tag(rt->memory, address, ALLOCATION_GRAPH);
	struct graph_memory *memory = memory_zeroed(1, sizeof *memory);
	*memory = (struct graph_memory){
	    .next = rt->graph_memory, .address = address, .bytes = bytes, .references = 1};
	rt->graph_memory = memory;
	return memory;
}

void graph_memory_unref(struct runtime *rt, struct graph_memory *memory)
{
	if (--memory->references)
		return;
	struct graph_memory **at = &rt->graph_memory;
	while (*at != memory)
		at = &(*at)->next;
	*at = memory->next;
	device_memory_release(rt->memory, memory->address);
	free(memory);
}

struct graph_memory *graph_memory_find(const struct runtime *rt, uint64_t address)
{
	struct graph_memory *memory = rt->graph_memory;
	while (memory && memory->address != address)
		memory = memory->next;
	return memory;
}

/* ---- how much there is ------------------------------------------------------------------------------------ */

static uint64_t sum(const struct runtime *rt, bool live_only)
{
	uint64_t bytes = 0;
	for (const struct graph_memory *memory = rt->graph_memory; memory; memory = memory->next)
		bytes += memory->is_live || !live_only ? memory->bytes : 0;
	return bytes;
}

static cudaError_t get(struct runtime *rt, int device, enum cudaGraphMemAttributeType which, void *value)
{
	if (device || !value || (unsigned)which > cudaGraphMemAttrReservedMemHigh)
		return device ? cudaErrorInvalidDevice : cudaErrorInvalidValue;
	bool is_used = which == cudaGraphMemAttrUsedMemCurrent || which == cudaGraphMemAttrUsedMemHigh;
	*(uint64_t *)value = sum(rt, is_used);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaDeviceGetGraphMemAttribute,
    (int device, enum cudaGraphMemAttributeType which, void *value), get(rt, device, which, value))

/* Only the high-water marks can be set, to 0; ours follow the current values. */
static cudaError_t set(int device, enum cudaGraphMemAttributeType which, const void *value)
{
	bool is_mark = which == cudaGraphMemAttrUsedMemHigh || which == cudaGraphMemAttrReservedMemHigh;
	if (device)
		return cudaErrorInvalidDevice;
	return value && is_mark && !*(const uint64_t *)value ? cudaSuccess : cudaErrorInvalidValue;
}

API(RUNTIME_CALL, cudaDeviceSetGraphMemAttribute,
    (int device, enum cudaGraphMemAttributeType which, void *value), set(device, which, value))

/* Nothing is kept beyond what graphs hold. */
API(RUNTIME_CALL, cudaDeviceGraphMemTrim, (int device), device ? cudaErrorInvalidDevice : cudaSuccess)
