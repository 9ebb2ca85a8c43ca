/* The structure of graphs, see graph.h: nodes, edges, copies, order. */
#include "cudart/graph.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"

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
