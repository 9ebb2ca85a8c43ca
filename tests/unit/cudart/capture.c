/*
 * Stream capture: what spoils one under way, which thread may end it, and how streams join. A capture that is spoiled ends
 * with CAPTURE_INVALIDATED, and its streams are as before.
 */
#include <pthread.h>
#include <stdbool.h>

#include "table.h"

static const enum cudaStreamCaptureMode global = cudaStreamCaptureModeGlobal,
                                        local = cudaStreamCaptureModeThreadLocal,
                                        relaxed = cudaStreamCaptureModeRelaxed;
static unsigned host[4];

static cudaStream_t new_stream(void)
{
	cudaStream_t stream = NULL;
	cudaStreamCreateWithFlags(&stream, cudaStreamDefault);
	return stream;
}

static unsigned *new_memory(void)
{
	void *memory = NULL;
	cudaMalloc(&memory, sizeof host);
	return memory;
}

/* ---- spoiled ---------------------------------------------------------------------------------------------------- */

static const struct cudaExtent extent = {16, 1, 1};
static const struct cudaChannelFormatDesc format = {.x = 32, .f = cudaChannelFormatKindFloat};
static const struct cudaMemLocation place = {cudaMemLocationTypeDevice, 0};
static void *unused;
static size_t unused_bytes;
static cudaArray_t unused_array;
static struct cudaPitchedPtr unused_box;
static struct cudaMemcpy3DPeerParms no_peer;
static struct cudaMemcpy3DParms no_box;
static const enum cudaMemcpyKind in = cudaMemcpyHostToDevice, out = cudaMemcpyDeviceToHost;

/* The capture of this stream is spoiled, and ends so. */
static bool is_spoiled(cudaStream_t stream, unsigned *memory)
{
	enum cudaStreamCaptureStatus status;
	cudaGraph_t graph;
	cudaStreamIsCapturing(stream, &status);
	return status == cudaStreamCaptureStatusInvalidated &&
	       seen(store(memory, 1, stream)) == CAPTURE_INVALIDATED &&
	       seen(cudaStreamEndCapture(stream, &graph)) == CAPTURE_INVALIDATED;
}

/* Each call, in the middle of a capture of `stream` with `memory` from before it, has this answer and spoils it. */
#define CHECK_SPOILS(want, call)                                                                             \
	{                                                                                                    \
		unsigned *memory = new_memory();                                                             \
		cudaStream_t stream = new_stream();                                                          \
		(void)memory;                                                                                \
		cudaStreamBeginCapture(stream, global);                                                      \
		CHECK_SEEN(want, call)                                                                       \
		CHECK(is_spoiled(stream, memory));                                                           \
		cudaStreamDestroy(stream);                                                                   \
		cudaFree(memory);                                                                            \
	}
#define SPOILS(want, ...) EACH(CHECK_SPOILS, want, __VA_ARGS__)

TEST(calls_that_may_wait_spoil_a_capture){
    SPOILS(CAPTURE_UNSUPPORTED, cudaDeviceSynchronize(), cudaMalloc(&unused, 16),
           cudaMallocManaged(&unused, 16, cudaMemAttachGlobal), cudaFree(memory),
           cudaMallocPitch(&unused, &unused_bytes, 16, 1), cudaMalloc3D(&unused_box, extent),
           cudaMallocHost(&unused, 16), cudaHostAlloc(&unused, 16, 0), cudaFreeHost(NULL),
           cudaHostRegister(host, sizeof host, 0), cudaHostUnregister(host),
           cudaMallocArray(&unused_array, &format, 4, 4, 0),
           cudaMalloc3DArray(&unused_array, &format, extent, 0), cudaFreeArray(NULL))
        SPOILS(CAPTURE_UNSUPPORTED, cudaStreamSynchronize(stream), cudaStreamQuery(stream),
               cudaMemPrefetchAsync_v2(memory, 16, place, 0, stream))}

TEST(work_in_the_legacy_stream_spoils_captures_of_streams_that_wait_for_it)
{
	SPOILS(CAPTURE_IMPLICIT, cudaMemcpy(memory, host, 16, in), cudaMemcpyPeer(memory, 0, memory, 0, 16),
	       cudaMemcpy2D(memory, 16, host, 16, 16, 1, in), cudaMemcpyToSymbol(&variable, host, 16, 0, in),
	       cudaMemcpyFromSymbol(host, &variable, 16, 0, out), cudaMemset(memory, 0, 16),
	       cudaMemset2D(memory, 16, 0, 16, 1), cudaMemset3D(unused_box, 0, extent),
	       cudaMemcpyToArray(NULL, 0, 0, host, 4, in), cudaMemcpyFromArray(host, NULL, 0, 0, 4, out),
	       cudaMemcpy3D(&no_box), cudaMemcpy3DPeer(&no_peer),
	       cudaMemcpy2DToArray(NULL, 0, 0, host, 4, 4, 1, in),
	       cudaMemcpy2DFromArray(host, 4, NULL, 0, 0, 4, 1, out),
	       cudaMemcpy2DArrayToArray(NULL, 0, 0, NULL, 0, 0, 4, 1, cudaMemcpyDeviceToDevice),
	       store(memory, 1, NULL), cudaStreamSynchronize(NULL))
	cudaStream_t stream;
	cudaGraph_t graph;
	enum cudaStreamCaptureStatus status;
	unsigned *memory = new_memory();
	OK(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
	GIVES(status, cudaStreamCaptureStatusNone, cudaStreamIsCapturing(NULL, &status));
	OK(cudaStreamBeginCapture(stream, global));
	OK(cudaMemcpy(memory, host, 16, in)); /* they do not wait for each other */
	OK(cudaStreamQuery(cudaStreamPerThread));
	ANSWERS(CAPTURE_IMPLICIT, cudaStreamIsCapturing(NULL, &status));
	OK(cudaStreamEndCapture(stream, &graph), cudaGraphDestroy(graph), cudaStreamDestroy(stream),
	   cudaFree(memory));
}

/* ---- beginning and ending ----------------------------------------------------------------------------------------- */

TEST(a_capture_ends_where_it_began)
{
	cudaStream_t stream = new_stream();
	cudaGraph_t graph = NULL;
	enum cudaStreamCaptureStatus status;
	ANSWERS(INVALID_HANDLE, cudaStreamBeginCapture(no_handle(), global),
	        cudaStreamEndCapture(no_handle(), &graph), cudaStreamIsCapturing(no_handle(), &status));
	ANSWERS(CAPTURE_UNSUPPORTED, cudaStreamBeginCapture(NULL, global));
	ANSWERS(INVALID_VALUE, cudaStreamBeginCapture(stream, 3), cudaStreamIsCapturing(stream, NULL));
	ANSWERS(ILLEGAL_STATE, cudaStreamEndCapture(stream, &graph), cudaStreamEndCapture(stream, NULL));
	OK(cudaStreamBeginCapture(stream, global));
	ANSWERS(ILLEGAL_STATE, cudaStreamBeginCapture(stream, global));
	OK(cudaStreamEndCapture(stream, &graph));
	CHECK(graph != NULL);
	OK(cudaGraphDestroy(graph), cudaStreamBeginCapture(stream, global));
	OK(cudaStreamEndCapture(stream, NULL)); /* the graph is dropped */
	OK(cudaStreamBeginCapture(stream, relaxed));
	OK(cudaStreamDestroy(stream)); /* the capture goes with it */
	OK(cudaDeviceSynchronize());
}

TEST(a_capture_adds_to_a_graph_that_is_given)
{
	cudaStream_t stream = new_stream();
	cudaGraph_t graph, other, got;
	cudaGraphNode_t first, foreign, nodes[3], *nowhere = NULL;
	size_t count = 3;
	unsigned *memory = new_memory();
	OK(cudaGraphCreate(&graph, 0), cudaGraphCreate(&other, 0),
	   cudaGraphAddEmptyNode(&first, graph, NULL, 0), cudaGraphAddEmptyNode(&foreign, other, NULL, 0));
	cudaGraphNode_t unknown = no_handle();
	ANSWERS(INVALID_HANDLE, cudaStreamBeginCaptureToGraph(no_handle(), graph, NULL, NULL, 0, global));
	ANSWERS(INVALID_VALUE, cudaStreamBeginCaptureToGraph(stream, no_handle(), NULL, NULL, 0, global),
	        cudaStreamBeginCaptureToGraph(stream, graph, nowhere, NULL, 1, global),
	        cudaStreamBeginCaptureToGraph(stream, graph, &foreign, NULL, 1, global),
	        cudaStreamBeginCaptureToGraph(stream, graph, &unknown, NULL, 1, global));
	OK(cudaStreamBeginCaptureToGraph(stream, graph, &first, NULL, 1, global), store(memory, 1, stream));
	GIVES(got, graph, cudaStreamEndCapture(stream, &got));
	GIVES(count, 1, cudaGraphNodeGetDependentNodes(first, nodes, NULL, &count));
	/* A spoiled one leaves the graph where it was. */
	OK(cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, global));
	ANSWERS(CAPTURE_UNSUPPORTED, cudaDeviceSynchronize());
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(stream, &got));
	GIVES(count, 2, cudaGraphGetNodes(graph, NULL, &count));
	OK(cudaStreamBeginCaptureToGraph(stream, graph, NULL, NULL, 0, relaxed), cudaStreamDestroy(stream),
	   cudaGraphDestroy(graph), cudaDeviceReset());
}

/* ---- threads ------------------------------------------------------------------------------------------------------ */

struct elsewhere {
	cudaStream_t stream;
	enum cudaStreamCaptureMode mode; /* of the other thread */
	int ended, allocated;
};

static void *run_elsewhere(void *user)
{
	struct elsewhere *what = user;
	cudaGraph_t graph;
	void *memory = NULL;
	cudaThreadExchangeStreamCaptureMode(&what->mode);
	what->ended = (int)cudaStreamEndCapture(what->stream, &graph);
	what->allocated = (int)cudaMalloc(&memory, 16);
	return NULL;
}

/* What another thread hears in a capture of this one. */
static struct elsewhere ask_elsewhere(enum cudaStreamCaptureMode capture, enum cudaStreamCaptureMode thread)
{
	pthread_t other;
	cudaGraph_t graph;
	struct elsewhere what = {.stream = new_stream(), .mode = thread};
	cudaStreamBeginCapture(what.stream, capture);
	if (!pthread_create(&other, NULL, run_elsewhere, &what))
		pthread_join(other, NULL);
	if (capture != relaxed)
		cudaStreamEndCapture(what.stream, &graph);
	cudaGetLastError();
	return what;
}

TEST(another_thread_may_end_a_relaxed_capture_only)
{
	const struct {
		enum cudaStreamCaptureMode capture, thread;
		int ended, allocated;
	} rows[] = {
	    {global, global, cudaErrorStreamCaptureWrongThread, CAPTURE_UNSUPPORTED},
	    {global, local, cudaErrorStreamCaptureWrongThread, cudaSuccess},
	    {global, relaxed, cudaErrorStreamCaptureWrongThread, cudaSuccess},
	    {local, global, cudaErrorStreamCaptureWrongThread, cudaSuccess},
	    {relaxed, global, cudaSuccess, cudaSuccess},
	};
	for (unsigned i = 0; i < sizeof rows / sizeof *rows; i++) {
		struct elsewhere got = ask_elsewhere(rows[i].capture, rows[i].thread);
		CHECK_EQ(got.ended, rows[i].ended);
		CHECK_EQ(got.allocated, rows[i].allocated);
	}
}

TEST(a_thread_says_how_careful_it_is)
{
	enum cudaStreamCaptureMode mode = relaxed, odd = 3;
	cudaStream_t stream = new_stream();
	cudaGraph_t graph;
	void *memory;
	GIVES(mode, global, cudaThreadExchangeStreamCaptureMode(&mode));
	OK(cudaStreamBeginCapture(stream, global), cudaMalloc(&memory, 16));
	GIVES(mode, relaxed, cudaThreadExchangeStreamCaptureMode(&mode));
	OK(cudaStreamEndCapture(stream, &graph), cudaStreamBeginCapture(stream, local));
	ANSWERS(CAPTURE_UNSUPPORTED, cudaMalloc(&memory, 16));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(stream, &graph));
	ANSWERS(INVALID_VALUE, cudaThreadExchangeStreamCaptureMode(NULL),
	        cudaThreadExchangeStreamCaptureMode(&odd));
	OK(cudaStreamDestroy(stream));
}

/* ---- several streams ---------------------------------------------------------------------------------------------- */

TEST(a_stream_that_joined_is_joined_again)
{
	cudaStream_t origin = new_stream(), side = new_stream();
	cudaEvent_t fork, join, timed;
	cudaGraph_t graph;
	unsigned *memory = new_memory();
	OK(cudaEventCreate(&fork), cudaEventCreate(&join), cudaEventCreate(&timed),
	   cudaEventRecord(timed, NULL));
	for (int is_joined = 0; is_joined < 2; is_joined++) {
		OK(cudaStreamBeginCapture(origin, global), store(memory, 1, origin),
		   cudaEventRecord(fork, origin), cudaStreamWaitEvent(side, fork, 0),
		   cudaStreamWaitEvent(side, fork, 0), store(memory, 2, side), cudaEventRecord(join, side));
		if (is_joined)
			OK(cudaStreamWaitEvent(origin, join, 0));
		CHECK_EQ(seen(cudaStreamEndCapture(origin, &graph)),
		         is_joined ? cudaSuccess : cudaErrorStreamCaptureUnjoined);
	}
	ANSWERS(INVALID_VALUE, cudaStreamWaitEvent(side, fork, 0), cudaEventQuery(fork),
	        cudaEventSynchronize(fork), cudaEventElapsedTime(&(float){0}, fork, join),
	        cudaEventElapsedTime(&(float){0}, timed, join));
	OK(cudaStreamBeginCapture(origin, global), cudaEventRecord(fork, origin),
	   cudaStreamWaitEvent(side, fork, 0));
	ANSWERS(cudaErrorStreamCaptureUnmatched, cudaStreamEndCapture(side, &graph));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(origin, &graph));
	OK(cudaStreamBeginCapture(origin, global), cudaEventRecord(fork, origin),
	   cudaStreamWaitEvent(side, fork, 0));
	OK(cudaStreamDestroy(side)); /* it had no work of its own */
	OK(cudaStreamEndCapture(origin, &graph), cudaGraphDestroy(graph), cudaDeviceReset());
}

TEST(a_stream_that_joined_may_be_destroyed_when_its_work_is_joined)
{
	enum { NEVER, BEFORE, AFTER, MOMENTS };
	unsigned *memory = new_memory();
	for (int when = NEVER; when < MOMENTS; when++) {
		cudaStream_t origin = new_stream(), side = new_stream();
		cudaEvent_t fork, join;
		cudaGraph_t graph;
		size_t nodes = 0;
		OK(cudaEventCreate(&fork), cudaEventCreate(&join), cudaStreamBeginCapture(origin, global),
		   store(memory, 1, origin), cudaEventRecord(fork, origin),
		   cudaStreamWaitEvent(side, fork, 0), store(memory, 2, side), cudaEventRecord(join, side));
		if (when == BEFORE)
			OK(cudaStreamWaitEvent(origin, join, 0));
		OK(cudaStreamDestroy(side));
		if (when == AFTER)
			OK(cudaStreamWaitEvent(origin, join, 0));
		CHECK_EQ(seen(cudaStreamEndCapture(origin, &graph)),
		         when == NEVER ? cudaErrorStreamCaptureUnjoined : cudaSuccess);
		if (when != NEVER)
			OK(cudaGraphGetNodes(graph, NULL, &nodes), cudaGraphDestroy(graph));
		CHECK_EQ(nodes, when == NEVER ? 0 : 2);
		OK(cudaStreamDestroy(origin));
	}
	OK(cudaDeviceReset());
}

TEST(captures_do_not_wait_for_each_other_or_for_what_is_outside)
{
	cudaStream_t a = new_stream(), b = new_stream(), free_stream;
	cudaEvent_t outside, of_a;
	cudaGraph_t graph;
	OK(cudaStreamCreateWithFlags(&free_stream, cudaStreamNonBlocking), cudaEventCreate(&outside),
	   cudaEventCreate(&of_a), cudaEventRecord(outside, NULL), cudaStreamBeginCapture(a, global));
	OK(cudaStreamWaitEvent(b, outside, 0)); /* b captures nothing */
	ANSWERS(cudaErrorStreamCaptureIsolation, cudaStreamWaitEvent(a, outside, 0));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(a, &graph));
	OK(cudaStreamBeginCapture(a, global), cudaStreamBeginCapture(b, global), cudaEventRecord(of_a, a));
	ANSWERS(cudaErrorStreamCaptureMerge, cudaStreamWaitEvent(b, of_a, 0));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(b, &graph), cudaStreamEndCapture(a, &graph));
	OK(cudaStreamBeginCapture(free_stream, global), cudaEventRecord(of_a, free_stream));
	ANSWERS(CAPTURE_IMPLICIT, cudaStreamWaitEvent(NULL, of_a, 0));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(free_stream, &graph));
	OK(cudaStreamBeginCapture(a, global), cudaEventRecord(of_a, a));
	ANSWERS(cudaErrorCapturedEvent, cudaEventQuery(of_a));
	ANSWERS(CAPTURE_INVALIDATED, cudaStreamEndCapture(a, &graph));
	OK(cudaDeviceReset());
}

/* ---- what becomes of work ------------------------------------------------------------------------------------------ */

TEST(captured_work_is_done_when_the_graph_is_launched)
{
	cudaStream_t stream = new_stream();
	cudaEvent_t event;
	cudaGraph_t graph;
	cudaGraphExec_t exec;
	unsigned *memory = new_memory(), calls = 0, value = 0;
	void *taken = NULL;
	float ms;
	OK(cudaEventCreate(&event), cudaStreamBeginCapture(stream, global), store(memory, 42, stream),
	   cudaLaunchHostFunc(stream, count_call, &calls),
	   cudaEventRecordWithFlags(event, stream, cudaEventRecordExternal),
	   cudaStreamWaitEvent(stream, event, cudaEventWaitExternal),
	   cudaMemcpy2DAsync(host, 8, memory, 8, 8, 2, out, stream), cudaMallocAsync(&taken, 64, stream),
	   cudaMemsetAsync(taken, 0, 64, stream), cudaFreeAsync(taken, stream),
	   cudaLaunchCooperativeKernel(&kernel_nothing, size_of(1), size_of(1), NULL, 0, stream),
	   cudaStreamEndCapture(stream, &graph));
	CHECK(!calls && taken);
	ANSWERS(INVALID_HANDLE, cudaEventElapsedTime(&ms, event, event));
	OK(cudaGraphInstantiate(&exec, graph, 0), cudaGraphLaunch(exec, stream),
	   cudaStreamSynchronize(stream), cudaMemcpy(&value, memory, 4, out));
	CHECK(value == 42 && calls == 1 && host[0] == 42);
	OK(cudaEventElapsedTime(&ms, event, event), cudaDeviceReset());
}

TEST(work_that_cannot_be_captured_spoils_the_graph){
    SPOILS(INVALID_VALUE, cudaFreeAsync(memory, stream), cudaMemcpyAsync(memory, host, 17, in, stream))
        SPOILS(OUT_OF_MEMORY, cudaMallocAsync(&unused, (size_t)1 << 50, stream))
            SPOILS(INVALID_CONFIGURATION,
                   cudaLaunchKernel(&kernel_nothing, size_of(1), size_of(4096), NULL, 0, stream))}

/* ---- questions ----------------------------------------------------------------------------------------------------- */

TEST(a_capture_tells_its_graph_and_what_comes_next)
{
	cudaStream_t stream = new_stream();
	cudaGraph_t graph, got, other;
	const cudaGraphNode_t *last;
	const cudaGraphEdgeData *edges;
	cudaGraphNode_t more, foreign, unknown = no_handle(), *nowhere = NULL;
	unsigned long long id, again;
	size_t count;
	enum cudaStreamCaptureStatus status;
	unsigned *memory = new_memory();
	GIVES(status, cudaStreamCaptureStatusNone,
	      cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &edges, &count));
	ANSWERS(ILLEGAL_STATE, cudaStreamUpdateCaptureDependencies(stream, NULL, NULL, 0, 0));
	OK(cudaGraphCreate(&other, 0), cudaGraphAddEmptyNode(&foreign, other, NULL, 0),
	   cudaStreamBeginCapture(stream, global), store(memory, 1, stream),
	   cudaStreamGetCaptureInfo(stream, &status, &id, &graph, &last, &edges, &count));
	CHECK(status == cudaStreamCaptureStatusActive && count == 1 && !edges);
	GIVES(again, id, cudaStreamGetCaptureInfo_v2(stream, &status, &again, NULL, NULL, NULL));
	GIVES(got, graph, cudaStreamGetCaptureInfo_v2(stream, &status, NULL, &got, NULL, NULL));
	OK(cudaGraphAddEmptyNode(&more, graph, NULL, 0),
	   cudaStreamUpdateCaptureDependencies(stream, &more, NULL, 1, cudaStreamAddCaptureDependencies));
	GIVES(count, 2, cudaStreamGetCaptureInfo_v2(stream, &status, &id, NULL, NULL, &count));
	OK(cudaStreamUpdateCaptureDependencies(stream, &more, NULL, 1, cudaStreamSetCaptureDependencies),
	   cudaStreamGetCaptureInfo_v2(stream, &status, &id, NULL, &last, &count));
	CHECK(count == 1 && last[0] == more);
	ANSWERS(INVALID_HANDLE, cudaStreamUpdateCaptureDependencies(no_handle(), NULL, NULL, 0, 0),
	        cudaStreamGetCaptureInfo(no_handle(), &status, NULL, NULL, NULL, NULL, NULL));
	ANSWERS(INVALID_VALUE, cudaStreamUpdateCaptureDependencies(stream, &more, NULL, 1, 2),
	        cudaStreamUpdateCaptureDependencies(stream, nowhere, NULL, 1, 0),
	        cudaStreamUpdateCaptureDependencies(stream, &foreign, NULL, 1, 0),
	        cudaStreamUpdateCaptureDependencies(stream, &unknown, NULL, 1, 0));
	OK(cudaDeviceReset()); /* in the middle of it */
	OK(cudaMalloc(&unused, 16), cudaMemset(unused, 0, 16), cudaFree(unused));
}

TESTS(true)
