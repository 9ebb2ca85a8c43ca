/* Executable graphs that change: parameters of nodes, whole updates, disabled nodes, memory of graphs, user objects. */
#include "check.h"

enum { N = 128 };

__global__ void put(int *a, int value)
{
	a[threadIdx.x] = value;
}
__global__ void add(int *a, int value)
{
	a[threadIdx.x] += value;
}

static int first(const int *a)
{
	int value;
	CUDA(cudaDeviceSynchronize(), cudaMemcpy(&value, a, sizeof value, cudaMemcpyDeviceToHost));
	return value;
}

static cudaGraph_t capture(cudaStream_t stream, int *a, int value, int more, int adds)
{
	cudaGraph_t graph;
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	put<<<1, N, 0, stream>>>(a, value);
	for (int i = 0; i < adds; i++)
		add<<<1, N, 0, stream>>>(a, more);
	CUDA(cudaStreamEndCapture(stream, &graph));
	return graph;
}

static void single_nodes(void)
{
	int *a = (int *)check_zeros(N * sizeof(int)), value = 3, more = 4;
	cudaGraph_t graph;
	cudaGraphNode_t node[2];
	cudaGraphExec_t exec;
	struct cudaKernelNodeParams params = {};
	void *args[] = {&a, &value}, *more_args[] = {&a, &more};
	params.func = (void *)put;
	params.gridDim = dim3(1);
	params.blockDim = dim3(N);
	params.kernelParams = args;
	CUDA(cudaGraphCreate(&graph, 0), cudaGraphAddKernelNode(&node[0], graph, NULL, 0, &params));
	params.func = (void *)add;
	params.kernelParams = more_args;
	CUDA(cudaGraphAddKernelNode(&node[1], graph, &node[0], 1, &params),
	     cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, 0));
	check_equal("as built", first(a), 7);
	more = 10;
	CUDA(cudaGraphExecKernelNodeSetParams(exec, node[1], &params), cudaGraphLaunch(exec, 0));
	check_equal("with another argument", first(a), 13);
	struct cudaKernelNodeParams told;
	CUDA(cudaGraphKernelNodeGetParams(node[1], &told));
	check_equal("the graph itself has the old one", *(int *)told.kernelParams[1], 4);
	CUDA(cudaGraphKernelNodeSetParams(node[1], &params), cudaGraphKernelNodeGetParams(node[1], &told));
	check_that("until it is set, too", *(int *)told.kernelParams[1] == 10 && told.func == (void *)add);
	unsigned enabled = 7;
	CUDA(cudaGraphNodeSetEnabled(exec, node[1], 0), cudaGraphNodeGetEnabled(exec, node[1], &enabled),
	     cudaGraphLaunch(exec, 0));
	check_equal("without the second node", first(a) + (int)enabled, 3);
	CUDA(cudaGraphNodeSetEnabled(exec, node[1], 1), cudaGraphLaunch(exec, 0));
	check_equal("and with it again", first(a), 13);
	struct cudaMemsetParams wrong = {};
	wrong.dst = a;
	wrong.elementSize = 4;
	wrong.width = 1;
	wrong.height = 1;
	expect("parameters of another type", cudaGraphExecMemsetNodeSetParams(exec, node[1], &wrong),
	       cudaErrorInvalidValue);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(a));
}

static void whole_updates(void)
{
	int *a = (int *)check_zeros(N * sizeof(int)), *b = (int *)check_zeros(N * sizeof(int));
	cudaStream_t stream;
	CUDA(cudaStreamCreate(&stream));
	cudaGraph_t one = capture(stream, a, 1, 2, 2), other = capture(stream, b, 10, 5, 2),
	            longer = capture(stream, a, 1, 2, 3);
	cudaGraphExec_t exec;
	CUDA(cudaGraphInstantiate(&exec, one, 0), cudaGraphLaunch(exec, stream));
	check_equal("before", first(a), 5);
	cudaGraphExecUpdateResultInfo info;
	memset(&info, 0x55, sizeof info);
	CUDA(cudaGraphExecUpdate(exec, other, &info));
	check_equal("an update works", info.result, cudaGraphExecUpdateSuccess);
	CUDA(cudaGraphLaunch(exec, stream));
	check_equal("after", first(b), 20);
	check_equal("the old memory is left alone", first(a), 5);
	expect("a longer graph", cudaGraphExecUpdate(exec, longer, &info), cudaErrorGraphExecUpdateFailure);
	check_equal("has another topology", info.result, cudaGraphExecUpdateErrorTopologyChanged);
	CUDA(cudaGraphLaunch(exec, stream));
	check_equal("and nothing changed", first(b), 20);
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaMemsetAsync(b, 0, 4, stream));
	add<<<1, N, 0, stream>>>(b, 1);
	add<<<1, N, 0, stream>>>(b, 1);
	cudaGraph_t typed;
	CUDA(cudaStreamEndCapture(stream, &typed));
	expect("another type", cudaGraphExecUpdate(exec, typed, &info), cudaErrorGraphExecUpdateFailure);
	check_equal("is named", info.result, cudaGraphExecUpdateErrorNodeTypeChanged);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(one), cudaGraphDestroy(other),
	     cudaGraphDestroy(longer), cudaGraphDestroy(typed), cudaFree(a), cudaFree(b));
}

/* Memory that a capture allocates and frees is the graph's. */
static void memory_nodes(void)
{
	int *out = (int *)check_zeros(N * sizeof(int)), *temporary = NULL;
	cudaStream_t stream;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CUDA(cudaStreamCreate(&stream), cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
	     cudaMallocAsync((void **)&temporary, N * sizeof(int), stream));
	put<<<1, N, 0, stream>>>(temporary, 21);
	add<<<1, N, 0, stream>>>(temporary, 21);
	CUDA(cudaMemcpyAsync(out, temporary, N * sizeof(int), cudaMemcpyDeviceToDevice, stream),
	     cudaFreeAsync(temporary, stream), cudaStreamEndCapture(stream, &graph));
	cudaGraphNode_t nodes[5];
	size_t count = 5;
	enum cudaGraphNodeType type[2];
	CUDA(cudaGraphGetNodes(graph, nodes, &count), cudaGraphNodeGetType(nodes[0], &type[0]),
	     cudaGraphNodeGetType(nodes[4], &type[1]));
	check_that("allocation and release are nodes",
	           count == 5 && type[0] == cudaGraphNodeTypeMemAlloc && type[1] == cudaGraphNodeTypeMemFree);
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 3; i++)
		CUDA(cudaGraphLaunch(exec, stream));
	CUDA(cudaStreamSynchronize(stream));
	check_equal("through the graph's memory", first(out), 42);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(out));
}

static int destroyed;
static void CUDART_CB count_destroyed(void *data)
{
	destroyed += *(int *)data;
}

static void user_objects(void)
{
	int weight = 1;
	cudaUserObject_t object;
	cudaGraph_t graph;
	CUDA(cudaUserObjectCreate(&object, &weight, count_destroyed, 1, cudaUserObjectNoDestructorSync),
	     cudaGraphCreate(&graph, 0),
	     cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove));
	check_equal("a graph keeps it", destroyed, 0);
	CUDA(cudaGraphDestroy(graph), cudaDeviceSynchronize());
	for (int i = 0; i < 1000 && !destroyed; i++)
		CUDA(cudaDeviceSynchronize());
	check_equal("and its end is the object's", destroyed, 1);
}

int main(void)
{
	single_nodes();
	whole_updates();
	memory_nodes();
	user_objects();
	return check_finish("graphs_update");
}
