/*
 * Stream capture: work becomes a graph that can be launched again and again; streams fork and join by events; what
 * must not happen meanwhile is refused with CUDA's codes.
 */
#include "check.h"

enum { N = 1 << 10 };

__global__ void step(int *a, int factor, int term)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < N)
		a[i] = a[i] * factor + term;
}

__global__ void add(int *to, const int *a, const int *b)
{
	int i = blockIdx.x * blockDim.x + threadIdx.x;
	if (i < N)
		to[i] = a[i] + b[i];
}

static void CUDART_CB count_calls(void *data)
{
	++*(int *)data;
}

static cudaStream_t new_stream(void)
{
	cudaStream_t stream;
	CUDA(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	return stream;
}

static size_t node_count(cudaGraph_t graph)
{
	size_t count = 0;
	CUDA(cudaGraphGetNodes(graph, NULL, &count));
	return count;
}

/* copy in, two kernels, a host function, copy out: replayed three times. */
static void replay(void)
{
	static int host[N], want[N];
	int *device, calls = 0;
	cudaStream_t stream = new_stream();
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	int *pinned;
	CUDA(cudaMallocHost((void **)&pinned, sizeof host), cudaMalloc(&device, sizeof host));
	for (int i = 0; i < N; i++)
		pinned[i] = want[i] = i;
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	enum cudaStreamCaptureStatus status;
	CUDA(cudaStreamIsCapturing(stream, &status));
	check_equal("a capture is active", status, cudaStreamCaptureStatusActive);
	CUDA(cudaMemcpyAsync(device, pinned, sizeof host, cudaMemcpyHostToDevice, stream));
	step<<<N / 256, 256, 0, stream>>>(device, 3, 1);
	step<<<N / 256, 256, 0, stream>>>(device, 2, 5);
	CUDA(cudaLaunchHostFunc(stream, count_calls, &calls),
	     cudaMemcpyAsync(pinned, device, sizeof host, cudaMemcpyDeviceToHost, stream),
	     cudaStreamEndCapture(stream, &graph));
	check_equal("nothing ran while it was captured", calls + pinned[1], 1);
	check_equal("nodes of a chain", (long long)node_count(graph), 5);
	CUDA(cudaGraphInstantiate(&exec, graph, 0), cudaGraphDestroy(graph));
	for (int launch = 0; launch < 3; launch++) {
		CUDA(cudaGraphLaunch(exec, stream), cudaStreamSynchronize(stream));
		for (int i = 0; i < N; i++)
			want[i] = (want[i] * 3 + 1) * 2 + 5;
		memcpy(host, pinned, sizeof host);
		check_same("a replay goes on from the last", host, want, sizeof *want, N);
	}
	check_equal("host functions of replays", calls, 3);
	CUDA(cudaGraphExecDestroy(exec), cudaFree(device), cudaFreeHost(pinned), cudaStreamDestroy(stream));
}

static void fork_and_join(void)
{
	static int got[N], want[N];
	int *a, *b, *c;
	cudaStream_t main_stream = new_stream(), side = new_stream();
	cudaEvent_t forked, joined;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	CUDA(cudaEventCreateWithFlags(&forked, cudaEventDisableTiming),
	     cudaEventCreateWithFlags(&joined, cudaEventDisableTiming), cudaMalloc(&a, sizeof got),
	     cudaMalloc(&b, sizeof got), cudaMalloc(&c, sizeof got),
	     cudaStreamBeginCapture(main_stream, cudaStreamCaptureModeThreadLocal),
	     cudaMemsetAsync(a, 0, sizeof got, main_stream), cudaEventRecord(forked, main_stream),
	     cudaStreamWaitEvent(side, forked, 0), cudaMemsetAsync(b, 0, sizeof got, side));
	step<<<N / 256, 256, 0, side>>>(b, 1, 7);
	CUDA(cudaEventRecord(joined, side));
	step<<<N / 256, 256, 0, main_stream>>>(a, 1, 11);
	CUDA(cudaStreamWaitEvent(main_stream, joined, 0));
	add<<<N / 256, 256, 0, main_stream>>>(c, a, b);
	unsigned long long id = 0, side_id = 1;
	enum cudaStreamCaptureStatus status;
	CUDA(cudaStreamGetCaptureInfo(main_stream, &status, &id),
	     cudaStreamGetCaptureInfo(side, &status, &side_id));
	check_that("the side belongs to the same capture",
	           id == side_id && status == cudaStreamCaptureStatusActive);
	CUDA(cudaStreamEndCapture(main_stream, &graph), cudaStreamIsCapturing(side, &status));
	check_equal("the end ends it for all", status, cudaStreamCaptureStatusNone);
	size_t roots = 0, edges = 0;
	CUDA(cudaGraphGetRootNodes(graph, NULL, &roots), cudaGraphGetEdges(graph, NULL, NULL, NULL, &edges));
	check_equal("nodes", (long long)node_count(graph), 5);
	check_equal("roots", (long long)roots, 1);
	check_equal("edges", (long long)edges, 5);
	CUDA(cudaGraphInstantiate(&exec, graph, 0));
	for (int i = 0; i < 2; i++)
		CUDA(cudaGraphLaunch(exec, main_stream));
	CUDA(cudaStreamSynchronize(main_stream), cudaMemcpy(got, c, sizeof got, cudaMemcpyDeviceToHost));
	for (int i = 0; i < N; i++)
		want[i] = 18;
	check_same("both branches arrive", got, want, sizeof *want, N);
	CUDA(cudaGraphExecDestroy(exec), cudaGraphDestroy(graph), cudaFree(a), cudaFree(b), cudaFree(c));
}

/* The call has this answer in a capture, which ends without a graph. */
#define SPOILS(stream, what, call, want)                                                                     \
	do {                                                                                                 \
		cudaGraph_t none;                                                                            \
		CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));                           \
		expect(what, call, want);                                                                    \
		expect("its end", cudaStreamEndCapture(stream, &none), cudaErrorStreamCaptureInvalidated);   \
	} while (0)

static void refusals(void)
{
	cudaGraph_t graph = NULL;
	cudaStream_t stream = new_stream(), side = new_stream(), blocking;
	cudaEvent_t event, early;
	void *memory;
	int host = 0, *a = (int *)check_zeros(N * sizeof(int));
	CUDA(cudaStreamCreate(&blocking), cudaEventCreate(&event), cudaEventCreate(&early),
	     cudaEventRecord(early, side));
	expect("the legacy stream", cudaStreamBeginCapture(0, cudaStreamCaptureModeGlobal),
	       cudaErrorStreamCaptureUnsupported);
	expect("an end without a beginning", cudaStreamEndCapture(stream, &graph), cudaErrorIllegalState);
	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	expect("a second beginning", cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal),
	       cudaErrorIllegalState);
	expect("synchronising it", cudaStreamSynchronize(stream), cudaErrorStreamCaptureUnsupported);
	enum cudaStreamCaptureStatus status;
	CUDA(cudaStreamIsCapturing(stream, &status));
	check_equal("the capture is spoilt", status, cudaStreamCaptureStatusInvalidated);
	expect("more work", cudaMemsetAsync(a, 0, 4, stream), cudaErrorStreamCaptureInvalidated);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	check_that("gives no graph", graph == NULL);

	SPOILS(stream, "asking it", cudaStreamQuery(stream), cudaErrorStreamCaptureUnsupported);

	SPOILS(stream, "allocation", cudaMalloc(&memory, 16), cudaErrorStreamCaptureUnsupported);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	cudaGraphExec_t exec;
	CUDA(cudaStreamEndCapture(stream, &graph), cudaGraphInstantiate(&exec, graph, 0),
	     cudaGraphDestroy(graph), cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	expect("launching a graph", cudaGraphLaunch(exec, stream), cudaErrorStreamCaptureUnsupported);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);
	CUDA(cudaGraphExecDestroy(exec));

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed));
	expect("allocation in a relaxed capture", cudaMalloc(&memory, 16), cudaSuccess);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaSuccess);
	check_equal("an empty graph", (long long)node_count(graph), 0);
	CUDA(cudaGraphDestroy(graph), cudaFree(memory));

	SPOILS(stream, "waiting for the device", cudaDeviceSynchronize(), cudaErrorStreamCaptureUnsupported);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	step<<<1, 4096, 0, stream>>>(a, 1, 1);
	check_that("a launch that cannot be", cudaGetLastError() != cudaSuccess);
	expect("spoils it", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	expect("a copy in the legacy stream meets no blocking one",
	       cudaMemcpy(&host, a, 4, cudaMemcpyDeviceToHost), cudaSuccess);
	expect("waiting for an event of others", cudaEventSynchronize(early),
	       cudaErrorStreamCaptureUnsupported);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
	step<<<1, 32>>>(a, 1, 1);
	expect("a kernel in the legacy stream", cudaGetLastError(), cudaErrorStreamCaptureImplicit);
	expect("its end", cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(blocking, cudaStreamCaptureModeGlobal));
	expect("a copy in the legacy stream", cudaMemcpy(&host, a, 4, cudaMemcpyDeviceToHost),
	       cudaErrorStreamCaptureImplicit);
	expect("its end", cudaStreamEndCapture(blocking, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	step<<<1, 32, 0, stream>>>(a, 1, 1);
	CUDA(cudaEventRecord(event, stream), cudaStreamWaitEvent(side, event, 0));
	step<<<1, 32, 0, side>>>(a, 1, 1);
	expect("an end with open ends", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureUnjoined);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaEventRecord(event, stream),
	     cudaStreamWaitEvent(side, event, 0));
	expect("an end in another stream", cudaStreamEndCapture(side, &graph),
	       cudaErrorStreamCaptureUnmatched);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
	expect("waiting for what is not captured", cudaStreamWaitEvent(stream, early, 0),
	       cudaErrorStreamCaptureIsolation);
	expect("its end", cudaStreamEndCapture(stream, &graph), cudaErrorStreamCaptureInvalidated);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal), cudaEventRecord(event, stream));
	expect("asking for a captured event", cudaEventQuery(event), cudaErrorCapturedEvent);
	cudaStreamEndCapture(stream, &graph);
	cudaGetLastError();
	expect("and after the capture", cudaEventQuery(event), cudaErrorInvalidValue);
	expect("a wait for it", cudaStreamWaitEvent(side, event, 0), cudaErrorInvalidValue);

	CUDA(cudaStreamBeginCapture(stream, cudaStreamCaptureModeRelaxed),
	     cudaStreamBeginCapture(side, cudaStreamCaptureModeRelaxed), cudaEventRecord(event, stream));
	expect("two captures do not merge", cudaStreamWaitEvent(side, event, 0), cudaErrorStreamCaptureMerge);
	cudaStreamEndCapture(stream, &graph);
	cudaStreamEndCapture(side, &graph);
	cudaGetLastError();
	SYNC();
	CUDA(cudaFree(a));
}

int main(void)
{
	replay();
	fork_and_join();
	refusals();
	return check_finish("graphs_capture");
}
