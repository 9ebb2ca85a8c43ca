/*
 * Breadth-first search over adjacency lists, level by level, two kernels and one flag read by the host per level.
 * A thread owns a node: if it is on the frontier it walks its own edge list, so a warp walks up to 32 lists at once
 * and looks up what its neighbours are.
 */
#include "../common/workload.h"

enum { THREADS = 256 };

static struct workload_param param[] = {
	{"nodes", "nodes of the graph", 4096, 65536, 1000000, 1, 1 << 24},
	{"edges", "edges that leave a node, on average", 6, 6, 6, 1, 64},
};

struct node {
	int first, edges;
};

struct graph {
	struct node *node;
	int *edge;
	int nodes;
};

/* Per node, where the search stands. */
struct search {
	bool *frontier, *reached, *visited;
	int *distance;
};

/* Threads that reach one node at once store the same values: volatile makes that no race. */
__global__ void expand(struct graph g, struct search s)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= g.nodes || !s.frontier[i])
		return;
	s.frontier[i] = false;
#pragma unroll 1
	for (int e = g.node[i].first; e < g.node[i].first + g.node[i].edges; e++) {
		int to = g.edge[e];
		if (!s.visited[to]) {
			*(volatile int *)&s.distance[to] = s.distance[i] + 1;
			*(volatile bool *)&s.reached[to] = true;
		}
	}
}

/* What was reached is the next frontier. */
__global__ void advance(struct search s, int nodes, bool *more)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i >= nodes || !s.reached[i])
		return;
	s.frontier[i] = true;
	s.visited[i] = true;
	s.reached[i] = false;
	*(volatile bool *)more = true;
}

static struct graph make_graph(struct workload *w, int nodes, int average)
{
	struct graph g = {WORKLOAD_HOST(struct node, nodes), NULL, nodes};
	size_t edges = 0;
	for (int i = 0; i < nodes; i++) {
		g.node[i].first = (int)edges;
		g.node[i].edges = 1 + (int)workload_below(w, 2 * (uint32_t)average - 1);
		edges += (size_t)g.node[i].edges;
	}
	g.edge = WORKLOAD_HOST(int, edges);
	for (size_t e = 0; e < edges; e++)
		g.edge[e] = (int)workload_below(w, (uint32_t)nodes);
	return g;
}

/* With a queue; -1 where no path leads. */
static void reference(const struct graph *g, int *distance)
{
	int *queue = WORKLOAD_HOST(int, g->nodes), head = 0, tail = 0;
	memset(distance, -1, (size_t)g->nodes * sizeof *distance);
	distance[0] = 0;
	queue[tail++] = 0;
	while (head < tail) {
		int from = queue[head++];
		for (int e = 0; e < g->node[from].edges; e++) {
			int to = g->edge[g->node[from].first + e];
			if (distance[to] < 0) {
				distance[to] = distance[from] + 1;
				queue[tail++] = to;
			}
		}
	}
	free(queue);
}

static struct graph to_device(const struct graph *g)
{
	size_t edges = (size_t)g->node[g->nodes - 1].first + (size_t)g->node[g->nodes - 1].edges;
	struct graph d = {WORKLOAD_DEVICE(struct node, g->nodes), WORKLOAD_DEVICE(int, edges), g->nodes};
	WORKLOAD_CUDA(cudaMemcpy(d.node, g->node, g->nodes * sizeof(struct node), cudaMemcpyHostToDevice));
	WORKLOAD_CUDA(cudaMemcpy(d.edge, g->edge, edges * sizeof(int), cudaMemcpyHostToDevice));
	return d;
}

/* On the device, with node 0 alone on the frontier. */
static struct search start_search(size_t nodes)
{
	struct search s = {WORKLOAD_DEVICE(bool, nodes), WORKLOAD_DEVICE(bool, nodes), WORKLOAD_DEVICE(bool, nodes),
	                   WORKLOAD_DEVICE(int, nodes)};
	WORKLOAD_CUDA(cudaMemset(s.frontier, 0, nodes));
	WORKLOAD_CUDA(cudaMemset(s.reached, 0, nodes));
	WORKLOAD_CUDA(cudaMemset(s.visited, 0, nodes));
	WORKLOAD_CUDA(cudaMemset(s.distance, -1, nodes * sizeof(int)));
	WORKLOAD_CUDA(cudaMemset(s.frontier, 1, 1));
	WORKLOAD_CUDA(cudaMemset(s.visited, 1, 1));
	WORKLOAD_CUDA(cudaMemset(s.distance, 0, sizeof(int)));
	return s;
}

static void run_search(struct graph g, struct search s, bool *device_more)
{
	int ctas = (g.nodes + THREADS - 1) / THREADS;
	bool more;
	do {
		WORKLOAD_CUDA(cudaMemset(device_more, 0, sizeof more));
		expand<<<ctas, THREADS>>>(g, s);
		advance<<<ctas, THREADS>>>(s, g.nodes, device_more);
		WORKLOAD_CUDA(cudaMemcpy(&more, device_more, sizeof more, cudaMemcpyDeviceToHost));
	} while (more);
}

int main(int argc, char **argv)
{
	struct workload w = workload_open("bfs", "breadth-first search, level by level", param, 2, argc, argv);
	int nodes = (int)workload_value(&w, "nodes");
	struct graph g = make_graph(&w, nodes, (int)workload_value(&w, "edges"));
	struct graph device_graph = to_device(&g);
	struct search s = start_search((size_t)nodes);
	bool *device_more = WORKLOAD_DEVICE(bool, 1);
	int *distance = WORKLOAD_HOST(int, nodes), *want = WORKLOAD_HOST(int, nodes);

	workload_start(&w);
	run_search(device_graph, s, device_more);
	workload_stop(&w);

	WORKLOAD_CUDA(cudaMemcpy(distance, s.distance, nodes * sizeof *distance, cudaMemcpyDeviceToHost));
	reference(&g, want);
	return workload_close(&w, workload_same_ints("distance", distance, want, nodes));
}
