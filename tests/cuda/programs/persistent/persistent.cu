/* Breadth-first search by one launch: blocks take nodes from a queue and meet at a software barrier per level. */
#include "verify.h"

#define BLOCKS 8
#define THREADS 64
#define DEGREE 4

struct queue {
	volatile int count[2];
	int *nodes[2];
};

volatile __device__ int arrived = 0;
volatile __device__ int sense = 0;

__device__ void global_barrier(int *my_sense)
{
	*my_sense ^= 1;
	__syncthreads();
	if (threadIdx.x == 0) {
		__threadfence();
		if (atomicAdd((int *)&arrived, 1) == BLOCKS - 1) {
			arrived = 0;
			__threadfence();
			sense = *my_sense;
		} else {
			while (sense != *my_sense)
				;
		}
		__threadfence();
	}
	__syncthreads();
}

__global__ void search(const int *edges, int *level, struct queue *q)
{
	int my_sense = 0;
	for (int depth = 0;; depth++) {
		int from = depth & 1, to = from ^ 1, n = q->count[from];
		if (n == 0)
			break;
		for (int i = blockIdx.x * THREADS + threadIdx.x; i < n; i += BLOCKS * THREADS) {
			int node = ((volatile int *)q->nodes[from])[i];
			for (int e = 0; e < DEGREE; e++) {
				int other = edges[node * DEGREE + e];
				if (atomicCAS(&level[other], -1, depth + 1) == -1)
					q->nodes[to][atomicAdd((int *)&q->count[to], 1)] = other;
			}
		}
		global_barrier(&my_sense);
		if (blockIdx.x == 0 && threadIdx.x == 0)
			q->count[from] = 0;
		global_barrier(&my_sense);
	}
}

int main(void)
{
	enum { NODES = 2000 };
	static int edges[NODES * DEGREE], level[NODES], want[NODES], order[NODES];
	int head = 0, tail = 0, wrong = 0, zero = 0;
	for (int i = 0; i < NODES; i++) {
		for (int e = 0; e < DEGREE; e++)
			edges[i * DEGREE + e] =
			    e == 0 ? (i + 1) % NODES : (int)((i * 2654435761u + e * 40503u) >> 7) % NODES;
		level[i] = want[i] = i == 0 ? 0 : -1;
	}
	int *d_edges, *d_level;
	struct queue host = {{1, 0}, {NULL, NULL}}, *d_queue;
	CHECK_CUDA(cudaMalloc((void **)&d_edges, sizeof edges));
	CHECK_CUDA(cudaMalloc((void **)&d_level, sizeof level));
	CHECK_CUDA(cudaMalloc((void **)&host.nodes[0], sizeof order));
	CHECK_CUDA(cudaMalloc((void **)&host.nodes[1], sizeof order));
	CHECK_CUDA(cudaMalloc((void **)&d_queue, sizeof host));
	CHECK_CUDA(cudaMemcpy(d_edges, edges, sizeof edges, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_level, level, sizeof level, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(host.nodes[0], &zero, sizeof zero, cudaMemcpyHostToDevice));
	CHECK_CUDA(cudaMemcpy(d_queue, &host, sizeof host, cudaMemcpyHostToDevice));
	search<<<BLOCKS, THREADS>>>(d_edges, d_level, d_queue);
	CHECK_CUDA(cudaDeviceSynchronize());
	CHECK_CUDA(cudaMemcpy(level, d_level, sizeof level, cudaMemcpyDeviceToHost));
	order[tail++] = 0;
	while (head < tail) {
		int node = order[head++];
		for (int e = 0; e < DEGREE; e++) {
			int other = edges[node * DEGREE + e];
			if (want[other] < 0) {
				want[other] = want[node] + 1;
				order[tail++] = other;
			}
		}
	}
	for (int i = 0; i < NODES; i++)
		wrong += level[i] != want[i];
	return verify_result("persistent", wrong);
}
