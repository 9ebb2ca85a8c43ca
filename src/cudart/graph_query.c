/* Questions about graphs: nodes, roots, edges, and the graph as a picture. */
#include <errno.h>
#include <stdio.h>
#include <string.h>

#include "cudart/graph.h"

#include <cuda_runtime_api.h>

static cudaError_t type_of(struct runtime *rt, cudaGraphNode_t handle, enum cudaGraphNodeType *type)
{
	const struct graph_node *node = cugraph_node_find(rt, handle);
	if (!node || !type)
		return cudaErrorInvalidValue;
	*type = node->work.type;
	return cudaSuccess;
}

cudaError_t cudaGraphNodeGetType(cudaGraphNode_t node, enum cudaGraphNodeType *type)
{
	RUNTIME_CALL(type_of(rt, node, type));
}

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

cudaError_t cudaGraphGetNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	RUNTIME_CALL(graph_nodes(rt, graph, nodes, count, ALL_NODES));
}

cudaError_t cudaGraphGetRootNodes(cudaGraph_t graph, cudaGraphNode_t *nodes, size_t *count)
{
	RUNTIME_CALL(graph_nodes(rt, graph, nodes, count, ROOT_NODES));
}

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

cudaError_t cudaGraphGetEdges(cudaGraph_t graph, cudaGraphNode_t *from, cudaGraphNode_t *to,
                              cudaGraphEdgeData *edges, size_t *count)
{
	RUNTIME_CALL(graph_edges(rt, graph, from, to, edges, count));
}

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

cudaError_t cudaGraphNodeGetDependencies(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                         cudaGraphEdgeData *edges, size_t *count)
{
	RUNTIME_CALL(node_dependencies(rt, node, nodes, edges, count));
}

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

cudaError_t cudaGraphNodeGetDependentNodes(cudaGraphNode_t node, cudaGraphNode_t *nodes,
                                           cudaGraphEdgeData *edges, size_t *count)
{
	RUNTIME_CALL(node_dependents(rt, node, nodes, edges, count));
}

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
