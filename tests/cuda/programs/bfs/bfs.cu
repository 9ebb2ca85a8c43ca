/* Breadth-first search over a CSR graph; the host launches level after level until no node was added. */
#include "verify.h"
#include <string.h>

#define MAX_THREADS_PER_BLOCK 256

#include "kernel.cuh"

static void generate(int nodes, Node **graph, int **edges, int *edge_count)
{
	unsigned seed = 99;
	*graph = (Node *)malloc(nodes * sizeof(Node));
	*edges = (int *)malloc(nodes * 8 * sizeof(int));
	*edge_count = 0;
	for (int i = 0; i < nodes; i++) {
		(*graph)[i].starting = *edge_count;
		seed = seed * 1664525u + 1013904223u;
		(*graph)[i].no_of_edges = (int)(seed >> 16) % 7 + 1;
		for (int k = 0; k < (*graph)[i].no_of_edges; k++) {
			seed = seed * 1664525u + 1013904223u;
			(*edges)[(*edge_count)++] =
			    k == 0 ? (i + 1) % nodes : (int)((seed >> 8) % (unsigned)nodes);
		}
	}
}

static void reference(const Node *graph, const int *edges, int *cost, int nodes, int source)
{
	int *queue = (int *)malloc(nodes * sizeof(int)), head = 0, tail = 0;
	for (int i = 0; i < nodes; i++)
		cost[i] = -1;
	cost[queue[tail++] = source] = 0;
	while (head < tail) {
		int n = queue[head++];
		for (int e = graph[n].starting; e < graph[n].starting + graph[n].no_of_edges; e++)
			if (cost[edges[e]] < 0) {
				cost[edges[e]] = cost[n] + 1;
				queue[tail++] = edges[e];
			}
	}
	free(queue);
}

int main(int argc, char **argv)
{
	int no_of_nodes = argc > 1 ? atoi(argv[1]) : 3000, edge_list_size, source = 0, k = 0, wrong = 0;
	Node *h_graph_nodes, *d_graph_nodes;
	int *h_graph_edges, *d_graph_edges, *d_cost;
	generate(no_of_nodes, &h_graph_nodes, &h_graph_edges, &edge_list_size);
	bool *mask = (bool *)calloc(no_of_nodes, 1), *d_mask, *d_updating, *d_visited, *d_over, stop;
	int *h_cost = (int *)malloc(sizeof(int) * no_of_nodes),
	    *want = (int *)malloc(sizeof(int) * no_of_nodes);
	for (int i = 0; i < no_of_nodes; i++)
		h_cost[i] = -1;
	h_cost[source] = 0;
	CHECK_CUDA(cudaMalloc((void **)&d_graph_nodes, sizeof(Node) * no_of_nodes));
	CHECK_CUDA(
	    cudaMemcpy(d_graph_nodes, h_graph_nodes, sizeof(Node) * no_of_nodes, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMalloc((void **)&d_graph_edges, sizeof(int) * edge_list_size));
	CHECK_CUDA(
	    cudaMemcpy(d_graph_edges, h_graph_edges, sizeof(int) * edge_list_size, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMalloc((void **)&d_mask, no_of_nodes));
	CHECK_CUDA(cudaMalloc((void **)&d_updating, no_of_nodes));
	CHECK_CUDA(cudaMalloc((void **)&d_visited, no_of_nodes));
	CHECK_CUDA(cudaMemcpy(d_updating, mask, no_of_nodes, cudaMemcpyHostToDevice));
	mask[source] = true;
	CHECK_CUDA(cudaMemcpy(d_mask, mask, no_of_nodes, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_visited, mask, no_of_nodes, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMalloc((void **)&d_cost, sizeof(int) * no_of_nodes));
	CHECK_CUDA(cudaMemcpy(d_cost, h_cost, sizeof(int) * no_of_nodes, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMalloc((void **)&d_over, sizeof(bool)));
	dim3 grid((no_of_nodes + MAX_THREADS_PER_BLOCK - 1) / MAX_THREADS_PER_BLOCK, 1, 1);
	dim3 threads(MAX_THREADS_PER_BLOCK, 1, 1);
	do {
		stop = false;
		CHECK_CUDA(cudaMemcpy(d_over, &stop, sizeof(bool), cudaMemcpyHostToDevice));
		Kernel<<<grid, threads, 0>>>(d_graph_nodes, d_graph_edges, d_mask, d_updating, d_visited,
		                             d_cost, no_of_nodes);
		Kernel2<<<grid, threads, 0>>>(d_mask, d_updating, d_visited, d_over, no_of_nodes);
		CHECK_CUDA(cudaMemcpy(&stop, d_over, sizeof(bool), cudaMemcpyDeviceToHost));
		k++;
	} while (stop);
	CHECK_CUDA(cudaMemcpy(h_cost, d_cost, sizeof(int) * no_of_nodes, cudaMemcpyDeviceToHost));
	printf("Kernel Executed %d times\n", k);
	reference(h_graph_nodes, h_graph_edges, want, no_of_nodes, source);
	for (int i = 0; i < no_of_nodes; i++)
		wrong += h_cost[i] != want[i];
	return verify_result("bfs", wrong);
}
