/* Graphs built by hand: every type of node, dependencies, questions, clones, child graphs, errors. */
#include "check.h"

enum { N = 256 };

__device__ int variable;

__global__ void fill(int *a, int value)
{
	a[threadIdx.x] = value + threadIdx.x;
}
__global__ void scale(int *a, int factor)
{
	a[threadIdx.x] *= factor;
}
__global__ void sum(int *to, const int *a, const int *b)
{
	to[threadIdx.x] = a[threadIdx.x] + b[threadIdx.x] + variable;
}

static cudaGraphNode_t add_kernel(cudaGraph_t graph, const cudaGraphNode_t *after, size_t count,
                                  void *function, void **args)
{
	cudaGraphNode_t node;
	struct cudaKernelNodeParams params = {};
	params.func = function;
	params.gridDim = dim3(1);
	params.blockDim = dim3(N);
	params.kernelParams = args;
	CUDA(cudaGraphAddKernelNode(&node, graph, after, count, &params));
	return node;
}

static char order[16];
static size_t order_length;

static void CUDART_CB note(void *letter)
{
	order[order_length++] = *(const char *)letter;
}

static void diamond(void)
{
	static int got[N], want[N];
	int *a, *b, *c, two = 2, three = 3, base = 10;
	cudaGraph_t graph;
	cudaGraphNode_t fills[2], scales[2], last, out, symbol, all[2];
	cudaStream_t stream;
	CUDA(cudaStreamCreate(&stream), cudaMalloc(&a, sizeof got), cudaMalloc(&b, sizeof got),
	     cudaMalloc(&c, sizeof got), cudaGraphCreate(&graph, 0));
	int value = 1000;
	CUDA(cudaGraphAddMemcpyNodeToSymbol(&symbol, graph, NULL, 0, (const void *)&variable, &value,
	                                    sizeof value, 0, cudaMemcpyHostToDevice));
	void *fill_a[] = {&a, &base}, *scale_a[] = {&a, &two}, *scale_b[] = {&b, &three},
	     *sums[] = {&c, &a, &b};
	fills[0] = add_kernel(graph, NULL, 0, (void *)fill, fill_a);
	base = 999; /* arguments were copied */
	struct cudaMemsetParams memset_params = {};
	memset_params.dst = b;
	memset_params.value = 5;
	memset_params.elementSize = 4;
	memset_params.width = N;
	memset_params.height = 1;
	CUDA(cudaGraphAddMemsetNode(&fills[1], graph, NULL, 0, &memset_params));
	scales[0] = add_kernel(graph, &fills[0], 1, (void *)scale, scale_a);
	scales[1] = add_kernel(graph, &fills[1], 1, (void *)scale, scale_b);
	last = add_kernel(graph, scales, 2, (void *)sum, sums);
	CUDA(cudaGraphAddDependencies(graph, &symbol, &last, NULL, 1),
	     cudaGraphAddMemcpyNode1D(&out, graph, &last, 1, got, c, sizeof got, cudaMemcpyDeviceToHost));
	size_t count = 0, roots = 0, edges = 0, before = 0, behind = 0;
	CUDA(cudaGraphGetNodes(graph, NULL, &count), cudaGraphGetRootNodes(graph, NULL, &roots),
	     cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges),
	     cudaGraphNodeGetDependencies(last, NULL, NULL, &before),
	     cudaGraphNodeGetDependentNodes(last, NULL, NULL, &behind));
	check_equal("nodes", (long long)count, 7);
	check_equal("roots", (long long)roots, 3);
	check_equal("edges", (long long)edges, 6);
	check_equal("dependencies of the sum", (long long)before, 3);
	check_equal("nodes behind the sum", (long long)behind, 1);
	size_t two_nodes = 1;
	CUDA(cudaGraphNodeGetDependentNodes(fills[0], all, NULL, &two_nodes));
	check_that("the node behind a fill", two_nodes == 1 && all[0] == scales[0]);
	cudaGraphExec_t exec;
	CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, stream),
	     cudaStreamSynchronize(stream));
	for (int i = 0; i < N; i++)
		want[i] = 2 * (10 + i) + 15 + 1000;
	check_same("a diamond", got, want, sizeof *want, N);

	/* Without its dependency on the copy to the symbol the rest stays a graph; clones are independent. */
	cudaGraph_t clone;
	cudaGraphNode_t in_clone;
	CUDA(cudaGraphClone(&clone, graph), cudaGraphNodeFindInClone(&in_clone, fills[1], clone));
	memset_params.value = 6;
	CUDA(cudaGraphMemsetNodeSetParams(in_clone, &memset_params));
	cudaGraphExec_t clone_exec;
	CUDA(cudaGraphInstantiate(&clone_exec, clone, 0), cudaGraphLaunch(clone_exec, stream),
	     cudaStreamSynchronize(stream));
	for (int i = 0; i < N; i++)
		want[i] = 2 * (10 + i) + 18 + 1000;
	check_same("a changed clone", got, want, sizeof *want, N);
	CUDA(cudaGraphLaunch(exec, stream), cudaStreamSynchronize(stream));
	check_equal("the original is as it was", got[0], 1035);
	CUDA(cudaGraphDestroyNode(out), cudaGraphGetNodes(graph, NULL, &count));
	check_equal("a node less", (long long)count, 6);
	CUDA(cudaGraphRemoveDependencies(graph, &symbol, &last, NULL, 1),
	     cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
	check_equal("two edges less", (long long)edges, 4);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphExecDestroy(clone_exec), cudaGraphDestroy(clone),
	     cudaGraphDestroy(graph), cudaFree(a), cudaFree(b), cudaFree(c), cudaStreamDestroy(stream));
}

static void children_and_host_nodes(void)
{
	static const char letters[] = "abc";
	cudaGraph_t child, parent, inside;
	cudaGraphNode_t node[3], join, empty;
	cudaGraphExec_t exec;
	struct cudaHostNodeParams params = {};
	params.fn = note;
	CUDA(cudaGraphCreate(&child, 0));
	params.userData = (void *)&letters[1];
	CUDA(cudaGraphAddHostNode(&node[0], child, NULL, 0, &params), cudaGraphCreate(&parent, 0));
	params.userData = (void *)&letters[0];
	CUDA(cudaGraphAddHostNode(&node[1], parent, NULL, 0, &params),
	     cudaGraphAddEmptyNode(&empty, parent, &node[1], 1),
	     cudaGraphAddChildGraphNode(&join, parent, &empty, 1, child));
	params.userData = (void *)&letters[2];
	CUDA(cudaGraphAddHostNode(&node[2], parent, &join, 1, &params),
	     cudaGraphChildGraphNodeGetGraph(join, &inside));
	check_that("the child is a copy", inside != child);
	size_t count = 0;
	CUDA(cudaGraphGetNodes(inside, NULL, &count));
	check_equal("with its node", (long long)count, 1);
	CUDA(cudaGraphInstantiate(&exec, parent, 0), cudaGraphLaunch(exec, 0), cudaGraphLaunch(exec, 0),
	     cudaDeviceSynchronize());
	order[order_length] = '\0';
	check_that("in order", strcmp(order, "abcabc") == 0);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(parent), cudaGraphDestroy(child));
}

static void pitched_copy(void)
{
	enum { W = 12, H = 5 };
	static int host[H][W], got[H][W];
	void *device;
	size_t pitch;
	CUDA(cudaMallocPitch(&device, &pitch, W * sizeof(int), H));
	for (int y = 0; y < H; y++)
		for (int x = 0; x < W; x++)
			host[y][x] = 100 * y + x;
	cudaGraph_t graph;
	cudaGraphNode_t in, out;
	cudaGraphExec_t exec;
	struct cudaMemcpy3DParms params = {};
	CUDA(cudaGraphCreate(&graph, 0));
	params.srcPtr = make_cudaPitchedPtr(host, W * sizeof(int), W, H);
	params.dstPtr = make_cudaPitchedPtr(device, pitch, W, H);
	params.extent = make_cudaExtent(W * sizeof(int), H, 1);
	params.kind = cudaMemcpyHostToDevice;
	CUDA(cudaGraphAddMemcpyNode(&in, graph, NULL, 0, &params));
	params.srcPtr = make_cudaPitchedPtr(device, pitch, W, H);
	params.dstPtr = make_cudaPitchedPtr(got, W * sizeof(int), W, H);
	params.kind = cudaMemcpyDeviceToHost;
	CUDA(cudaGraphAddMemcpyNode(&out, graph, &in, 1, &params));
	struct cudaMemcpy3DParms told;
	CUDA(cudaGraphMemcpyNodeGetParams(out, &told));
	check_that("a copy is told as it was given", told.srcPtr.ptr == device && told.dstPtr.ptr == got &&
	                                                 told.extent.height == H &&
	                                                 told.kind == cudaMemcpyDeviceToHost);
	CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, 0), cudaDeviceSynchronize());
	check_same("rows", got, host, sizeof(int), W * H);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(device));
}

static void events(void)
{
	cudaGraph_t graph;
	cudaGraphNode_t begin, work, end, wait;
	cudaGraphExec_t exec;
	cudaEvent_t event[2], told;
	int *a = (int *)check_zeros(N * sizeof(int)), one = 1;
	void *args[] = {&a, &one};
	for (int i = 0; i < 2; i++)
		CUDA(cudaEventCreate(&event[i]));
	CUDA(cudaGraphCreate(&graph, 0), cudaGraphAddEventRecordNode(&begin, graph, NULL, 0, event[0]));
	work = add_kernel(graph, &begin, 1, (void *)fill, args);
	CUDA(cudaGraphAddEventRecordNode(&end, graph, &work, 1, event[1]),
	     cudaGraphAddEventWaitNode(&wait, graph, &end, 1, event[0]),
	     cudaGraphEventRecordNodeGetEvent(end, &told));
	check_that("an event is told", told == event[1]);
	CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, 0), cudaEventSynchronize(event[1]));
	float ms = -1;
	CUDA(cudaEventElapsedTime(&ms, event[0], event[1]));
	check_that("events of a graph have times", ms >= 0 && ms < 60000);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(a));
}

static void errors(void)
{
	cudaGraph_t graph, other;
	cudaGraphNode_t node[3], foreign, pair[2];
	cudaGraphExec_t exec = NULL;
	int *a = (int *)check_zeros(N * sizeof(int)), one = 1;
	void *args[] = {&a, &one};
	CUDA(cudaGraphCreate(&graph, 0), cudaGraphCreate(&other, 0), cudaGraphInstantiate(&exec, graph, 0));
	expect("launching an empty graph", cudaGraphLaunch(exec, 0), cudaSuccess);
	CUDA(cudaGraphExecDestroy(exec));
	for (int i = 0; i < 3; i++)
		CUDA(cudaGraphAddEmptyNode(&node[i], graph, NULL, 0));
	CUDA(cudaGraphAddEmptyNode(&foreign, other, NULL, 0));
	expect("flags", cudaGraphCreate(&other, 1), cudaErrorInvalidValue);
	expect("a node of another graph", cudaGraphAddEmptyNode(&pair[0], graph, &foreign, 1),
	       cudaErrorInvalidValue);
	pair[0] = pair[1] = node[0];
	expect("the same node twice", cudaGraphAddEmptyNode(&pair[0], graph, pair, 2), cudaErrorInvalidValue);
	expect("an edge", cudaGraphAddDependencies(graph, &node[0], &node[1], NULL, 1), cudaSuccess);
	expect("an edge twice", cudaGraphAddDependencies(graph, &node[0], &node[1], NULL, 1),
	       cudaErrorInvalidValue);
	expect("an edge to itself", cudaGraphAddDependencies(graph, &node[2], &node[2], NULL, 1),
	       cudaErrorInvalidValue);
	expect("an edge that is not there", cudaGraphRemoveDependencies(graph, &node[0], &node[2], NULL, 1),
	       cudaErrorInvalidValue);
	CUDA(cudaGraphAddDependencies(graph, &node[1], &node[2], NULL, 1));
	expect("an edge that closes a circle", cudaGraphAddDependencies(graph, &node[2], &node[0], NULL, 1),
	       cudaSuccess);
	expect("instantiating a circle", cudaGraphInstantiate(&exec, graph, 0), cudaErrorInvalidValue);
	struct cudaKernelNodeParams params = {};
	expect("no kernel", cudaGraphAddKernelNode(&node[0], other, NULL, 0, &params),
	       cudaErrorInvalidDeviceFunction);
	params.func = (void *)fill;
	params.gridDim = dim3(1);
	params.blockDim = dim3(N);
	params.kernelParams = args;
	expect("a kernel", cudaGraphAddKernelNode(&node[0], other, NULL, 0, &params), cudaSuccess);
	struct cudaMemsetParams wrong = {};
	wrong.dst = a;
	wrong.elementSize = 3;
	wrong.width = 4;
	wrong.height = 1;
	expect("elements of three bytes", cudaGraphAddMemsetNode(&node[1], other, NULL, 0, &wrong),
	       cudaErrorInvalidValue);
	enum cudaGraphNodeType type;
	CUDA(cudaGraphNodeGetType(node[0], &type));
	check_equal("type of a kernel", type, cudaGraphNodeTypeKernel);
	struct cudaMemsetParams told;
	expect("parameters of another type", cudaGraphMemsetNodeGetParams(node[0], &told),
	       cudaErrorInvalidValue);
	expect("no executable graph", cudaGraphLaunch(NULL, 0), cudaErrorInvalidValue);
	expect("no graph", cudaGraphInstantiate(&exec, NULL, 0), cudaErrorInvalidValue);
	CUDA(cudaGraphDestroy(graph), cudaGraphDestroy(other), cudaFree(a));
}

int main(void)
{
	diamond();
	children_and_host_nodes();
	pitched_copy();
	events();
	errors();
	return check_finish("graphs_nodes");
}
