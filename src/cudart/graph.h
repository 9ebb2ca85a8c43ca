/*
 * Graphs: nodes with their work, edges, and executable copies.
 *
 * Nodes are kept in the order in which they were added. An executable graph is
 * a copy of its own whose nodes remember what they are copies of.
 */
#ifndef SLUICE_CUDART_GRAPH_H
#define SLUICE_CUDART_GRAPH_H

#include "cudart/operation.h"
#include "cudart/stream.h"

struct graph_node {
	struct graph *graph;
	cudaGraphNode_t handle; /* NULL in executable graphs */
	cudaGraphNode_t origin; /* of a copy: the node it was made from */
	struct operation work;
	struct node_list depends; /* in the order in which the edges were added */
	uint32_t index;           /* in its graph */
	bool is_disabled;         /* of an executable graph */
	uint32_t mark;            /* scratch of walks */
};

struct user_reference {
	struct user_object *object;
	uint32_t count;
};

struct graph {
	cudaGraph_t handle;       /* NULL in executable graphs */
	cudaGraph_t origin;       /* of a clone */
	struct graph_node *owner; /* of a child graph: its node */
	struct node_list nodes;
	struct user_reference *users;
	uint32_t user_count;
};

struct graph_exec {
	struct graph *graph;
	struct node_list order; /* topological */
	unsigned long long flags;
	uint32_t references; /* the handle, and launches under way */
};

void node_list_add(struct node_list *list, struct graph_node *node);
/* Adds it unless it is there. */
void node_list_join(struct node_list *list, struct graph_node *node);
bool node_list_has(const struct node_list *list, const struct graph_node *node);
void node_list_clear(struct node_list *list);

struct graph *cugraph_find(const struct runtime *rt, cudaGraph_t handle);
struct graph_node *cugraph_node_find(const struct runtime *rt, cudaGraphNode_t handle);

enum graph_visibility { GRAPH_VISIBLE, GRAPH_INTERNAL };
struct graph *cugraph_new(struct runtime *rt, enum graph_visibility visibility);
void cugraph_free(struct runtime *rt, struct graph *graph);
/* Of a graph that is visible. */
struct graph *cugraph_clone(struct runtime *rt, const struct graph *graph, enum graph_visibility visibility);
/* Takes the operation over. */
struct graph_node *cugraph_add(struct runtime *rt, struct graph *graph, const struct operation *work);
void cugraph_node_free(struct runtime *rt, struct graph_node *node);
/* Nodes after all they depend on, ties in the order of adding. False: there is a cycle. */
bool cugraph_order(const struct graph *graph, struct node_list *order);
/* Whether `node` or one of those is `wanted`, or depends on it. */
bool cugraph_reaches(const struct node_list *from, const struct graph_node *wanted);

/* The copy of a visible node in an executable graph, its child graphs included; NULL: none. */
struct graph_node *cugraph_exec_node(const struct graph *graph, cudaGraphNode_t origin);
/* Whether it allocates or frees memory, its child graphs included: no other graph can own the same addresses. */
bool cugraph_has_memory(const struct graph *graph);
/* graph_exec.c: all of them go, executable ones first. */
void graphs_clear(struct runtime *rt);
/* user_object.c */
void user_objects_clone(struct graph *to, const struct graph *from);
void user_objects_release(struct runtime *rt, struct graph *graph);

/* graph_nodes.c: the API's description becomes an operation; it is checked. */
cudaError_t params_node(struct runtime *rt, struct cudaGraphNodeParams *params, struct operation *out);
/* Puts new work of the same type in the place of a node's, and takes it over. */
void params_replace(struct runtime *rt, struct graph_node *node, const struct operation *work);
struct cudaMemcpy3DParms copy_linear_params(void *to, const void *from, size_t bytes,
                                            enum cudaMemcpyKind kind);

#endif
