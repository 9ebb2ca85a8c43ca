/*
 * Stream capture: work asked of a capturing stream becomes nodes of a graph.
 * A stream joins a capture by waiting for an event that was recorded in it, and
 * all that joined must be joined again before the capture ends.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

/* ---- while it lasts ------------------------------------------------------------------------------------- */

void capture_invalidate(struct capture *capture)
{
	capture->is_invalid = true;
}

struct capture *capture_find(const struct runtime *rt, uint64_t id)
{
	struct capture *capture = rt->captures;
	while (capture && capture->id != id)
		capture = capture->next;
	return capture;
}

static void set_tail(struct stream *stream, struct graph_node *node)
{
	stream->tail.count = 0;
	node_list_add(&stream->tail, node);
}

cudaError_t capture_add(struct runtime *rt, struct operation *work)
{
	struct stream *stream = rt->capturing;
	struct graph_node *node = cugraph_add(rt, stream->capture->graph, work);
	for (uint32_t i = 0; i < stream->tail.count; i++)
		node_list_add(&node->depends, stream->tail.at[i]);
	set_tail(stream, node);
	return cudaSuccess;
}

cudaError_t capture_record(struct stream *stream, struct node_list *kept, uint64_t *capture_id)
{
	kept->count = 0;
	for (uint32_t i = 0; i < stream->tail.count; i++)
		node_list_add(kept, stream->tail.at[i]);
	*capture_id = stream->capture->id;
	return cudaSuccess;
}

static void join(struct capture *capture, struct stream *stream)
{
	capture->streams = memory_grow(capture->streams, capture->stream_count + 1, sizeof *capture->streams);
	capture->streams[capture->stream_count++] = stream;
	stream->capture = capture;
	stream->tail.count = 0;
}

cudaError_t capture_wait(struct runtime *rt, struct stream *stream, const struct node_list *nodes,
                         uint64_t capture_id)
{
	struct capture *capture = capture_find(rt, capture_id);
	if (!capture) {
		/* Recorded outside: what is captured must not wait for what is not. */
		if (stream->capture)
			capture_invalidate(stream->capture);
		return stream->capture ? cudaErrorStreamCaptureIsolation : cudaSuccess;
	}
	if (stream == rt->legacy_stream) {
		capture_invalidate(capture);
		return cudaErrorStreamCaptureImplicit;
	}
	if (stream->capture && stream->capture != capture) {
		capture_invalidate(stream->capture);
		capture_invalidate(capture);
		return cudaErrorStreamCaptureMerge;
	}
	if (!stream->capture)
		join(capture, stream);
	for (uint32_t i = 0; i < nodes->count; i++)
		node_list_join(&stream->tail, nodes->at[i]);
	return cudaSuccess;
}

/* ---- begin and end -------------------------------------------------------------------------------------- */

static cudaError_t check_begin(struct runtime *rt, const struct stream *stream,
                               enum cudaStreamCaptureMode mode)
{
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	if (stream == rt->legacy_stream)
		return cudaErrorStreamCaptureUnsupported;
	if ((unsigned)mode > cudaStreamCaptureModeRelaxed)
		return cudaErrorInvalidValue;
	return stream->capture ? cudaErrorIllegalState : cudaSuccess;
}

/* `graph` NULL: a new one. */
static struct capture *begin(struct runtime *rt, struct stream *stream, enum cudaStreamCaptureMode mode,
                             struct graph *graph)
{
	struct capture *capture = memory_zeroed(1, sizeof *capture);
	*capture = (struct capture){.next = rt->captures,
	                            .id = ++rt->captures_begun,
	                            .graph = graph ? graph : cugraph_new(rt, GRAPH_VISIBLE),
	                            .owns_graph = !graph,
	                            .mode = mode,
	                            .thread = pthread_self(),
	                            .origin = stream};
	rt->captures = capture;
	join(capture, stream);
	return capture;
}

static cudaError_t begin_new(struct runtime *rt, cudaStream_t handle, enum cudaStreamCaptureMode mode)
{
	struct stream *stream = stream_find(rt, handle);
	cudaError_t result = check_begin(rt, stream, mode);
	if (!result)
		begin(rt, stream, mode, NULL);
	return result;
}

API(RUNTIME_CALL, cudaStreamBeginCapture, (cudaStream_t stream, enum cudaStreamCaptureMode mode),
    begin_new(rt, stream, mode))

static cudaError_t begin_in(struct runtime *rt, cudaStream_t handle, cudaGraph_t to,
                            const cudaGraphNode_t *dependencies, size_t count,
                            enum cudaStreamCaptureMode mode)
{
	struct stream *stream = stream_find(rt, handle);
	struct graph *graph = cugraph_find(rt, to);
	cudaError_t result = check_begin(rt, stream, mode);
	if (result)
		return result;
	if (!graph || (count && !dependencies))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < count; i++) {
		const struct graph_node *node = cugraph_node_find(rt, dependencies[i]);
		if (!node || node->graph != graph)
			return cudaErrorInvalidValue;
	}
	begin(rt, stream, mode, graph);
	for (size_t i = 0; i < count; i++)
		node_list_join(&stream->tail, cugraph_node_find(rt, dependencies[i]));
	return cudaSuccess;
}

cudaError_t cudaStreamBeginCaptureToGraph(cudaStream_t stream, cudaGraph_t graph,
                                          const cudaGraphNode_t *dependencies, const cudaGraphEdgeData *edges,
                                          size_t count, enum cudaStreamCaptureMode mode)
{
	(void)edges;
	RUNTIME_CALL(begin_in(rt, stream, graph, dependencies, count, mode));
}

/* Whether the last work of every stream is before the origin's. */
static bool is_joined(const struct capture *capture)
{
	for (uint32_t s = 1; s < capture->stream_count; s++)
		for (uint32_t i = 0; i < capture->streams[s]->tail.count; i++)
			if (!cugraph_reaches(&capture->origin->tail, capture->streams[s]->tail.at[i]))
				return false;
	for (uint32_t i = 0; i < capture->left.count; i++)
		if (!cugraph_reaches(&capture->origin->tail, capture->left.at[i]))
			return false;
	return true;
}

static void leave(struct stream *stream)
{
	stream->capture = NULL;
	stream->tail.count = 0;
	free(stream->shown);
	stream->shown = NULL;
}

static void unlink_capture(struct runtime *rt, struct capture *capture)
{
	struct capture **at = &rt->captures;
	while (*at != capture)
		at = &(*at)->next;
	*at = capture->next;
	for (uint32_t i = 0; i < capture->stream_count; i++)
		leave(capture->streams[i]);
	free(capture->streams);
	node_list_clear(&capture->left);
	free(capture);
}

void captures_clear(struct runtime *rt)
{
	while (rt->captures)
		unlink_capture(rt, rt->captures);
}

static cudaError_t finish(struct runtime *rt, struct capture *capture, cudaGraph_t *out)
{
	cudaError_t result = capture->is_invalid   ? cudaErrorStreamCaptureInvalidated
	                     : !is_joined(capture) ? cudaErrorStreamCaptureUnjoined
	                                           : cudaSuccess;
	if (!result && out)
		*out = capture->graph->handle;
	else if (capture->owns_graph)
		cugraph_free(rt, capture->graph);
	unlink_capture(rt, capture);
	return result;
}

/* `out` NULL: the graph is dropped. */
static cudaError_t end(struct runtime *rt, cudaStream_t handle, cudaGraph_t *out)
{
	struct stream *stream = stream_find(rt, handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	struct capture *capture = stream->capture;
	if (!capture)
		return cudaErrorIllegalState;
	if (out)
		*out = NULL;
	if (capture->mode != cudaStreamCaptureModeRelaxed && !pthread_equal(capture->thread, pthread_self()))
		return cudaErrorStreamCaptureWrongThread;
	if (stream != capture->origin) {
		capture_invalidate(capture);
		return cudaErrorStreamCaptureUnmatched;
	}
	return finish(rt, capture, out);
}

API(RUNTIME_CALL, cudaStreamEndCapture, (cudaStream_t stream, cudaGraph_t *graph), end(rt, stream, graph))

void capture_forget_stream(struct runtime *rt, struct stream *stream)
{
	struct capture *capture = stream->capture;
	if (!capture)
		return;
	if (stream == capture->origin) {
		if (capture->owns_graph)
			cugraph_free(rt, capture->graph);
		unlink_capture(rt, capture);
		return;
	}
	uint32_t kept = 0;
	for (uint32_t i = 0; i < capture->stream_count; i++)
		if (capture->streams[i] != stream)
			capture->streams[kept++] = capture->streams[i];
	capture->stream_count = kept;
	/* Its work may be joined already, or by an event that was recorded in it. */
	for (uint32_t i = 0; i < stream->tail.count; i++)
		node_list_join(&capture->left, stream->tail.at[i]);
	leave(stream);
}

/* ---- questions ------------------------------------------------------------------------------------------ */

static enum cudaStreamCaptureStatus status_of(const struct stream *stream)
{
	return !stream->capture              ? cudaStreamCaptureStatusNone
	       : stream->capture->is_invalid ? cudaStreamCaptureStatusInvalidated
	                                     : cudaStreamCaptureStatusActive;
}

static cudaError_t is_capturing(struct runtime *rt, cudaStream_t handle, enum cudaStreamCaptureStatus *status)
{
	const struct stream *stream = stream_find(rt, handle);
	if (!stream || !status)
		return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	if (stream == rt->legacy_stream && rt->captures)
		return cudaErrorStreamCaptureImplicit;
	*status = status_of(stream);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamIsCapturing, (cudaStream_t stream, enum cudaStreamCaptureStatus *status),
    is_capturing(rt, stream, status))

struct capture_facts {
	unsigned long long *id;
	cudaGraph_t *graph;
	const cudaGraphNode_t **dependencies;
	size_t *count;
};

static void show_tail(struct stream *stream, const struct capture_facts *out)
{
	free(stream->shown);
	stream->shown = memory_zeroed(stream->tail.count + 1, sizeof *stream->shown);
	for (uint32_t i = 0; i < stream->tail.count; i++)
		stream->shown[i] = stream->tail.at[i]->handle;
	if (out->dependencies)
		*out->dependencies = stream->shown;
	if (out->count)
		*out->count = stream->tail.count;
}

static cudaError_t capture_info(struct runtime *rt, cudaStream_t handle, enum cudaStreamCaptureStatus *status,
                                struct capture_facts out)
{
	cudaError_t result = is_capturing(rt, handle, status);
	struct stream *stream = stream_find(rt, handle);
	if (result || *status != cudaStreamCaptureStatusActive)
		return result;
	if (out.id)
		*out.id = stream->capture->id;
	if (out.graph)
		*out.graph = stream->capture->graph->handle;
	show_tail(stream, &out);
	return cudaSuccess;
}

cudaError_t cudaStreamGetCaptureInfo(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                     unsigned long long *id, cudaGraph_t *graph,
                                     const cudaGraphNode_t **dependencies, const cudaGraphEdgeData **edges,
                                     size_t *count)
{
	if (edges)
		*edges = NULL; /* plain dependencies all */
	RUNTIME_CALL(
	    capture_info(rt, stream, status, (struct capture_facts){id, graph, dependencies, count}));
}

cudaError_t cudaStreamGetCaptureInfo_v2(cudaStream_t stream, enum cudaStreamCaptureStatus *status,
                                        unsigned long long *id, cudaGraph_t *graph,
                                        const cudaGraphNode_t **dependencies, size_t *count)
{
	return cudaStreamGetCaptureInfo(stream, status, id, graph, dependencies, NULL, count);
}

static cudaError_t update_dependencies(struct runtime *rt, cudaStream_t handle, const cudaGraphNode_t *nodes,
                                       size_t count, unsigned flags)
{
	struct stream *stream = stream_find(rt, handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	if (!stream->capture)
		return cudaErrorIllegalState;
	if (flags > cudaStreamSetCaptureDependencies || (count && !nodes))
		return cudaErrorInvalidValue;
	for (size_t i = 0; i < count; i++) {
		const struct graph_node *node = cugraph_node_find(rt, nodes[i]);
		if (!node || node->graph != stream->capture->graph)
			return cudaErrorInvalidValue;
	}
	if (flags == cudaStreamSetCaptureDependencies)
		stream->tail.count = 0;
	for (size_t i = 0; i < count; i++)
		node_list_join(&stream->tail, cugraph_node_find(rt, nodes[i]));
	return cudaSuccess;
}

cudaError_t cudaStreamUpdateCaptureDependencies(cudaStream_t stream, cudaGraphNode_t *dependencies,
                                                const cudaGraphEdgeData *edges, size_t count, unsigned flags)
{
	(void)edges;
	RUNTIME_CALL(update_dependencies(rt, stream, dependencies, count, flags));
}

/* ---- what must not happen meanwhile ---------------------------------------------------------------------- */

cudaError_t cudaThreadExchangeStreamCaptureMode(enum cudaStreamCaptureMode *mode)
{
	struct runtime_thread *thread = runtime_thread();
	if (!mode || (unsigned)*mode > cudaStreamCaptureModeRelaxed)
		return thread->last_error = cudaErrorInvalidValue;
	enum cudaStreamCaptureMode old = thread->capture_mode;
	thread->capture_mode = *mode;
	*mode = old;
	return cudaSuccess;
}

/* Whether a capture forbids this thread what may be unsafe. */
static bool forbids(const struct capture *capture, const struct runtime_thread *thread)
{
	bool is_own = pthread_equal(capture->thread, pthread_self()) != 0;
	if (capture->mode == cudaStreamCaptureModeRelaxed ||
	    thread->capture_mode == cudaStreamCaptureModeRelaxed)
		return false;
	if (capture->mode == cudaStreamCaptureModeThreadLocal ||
	    thread->capture_mode == cudaStreamCaptureModeThreadLocal)
		return is_own;
	return true;
}

cudaError_t capture_unsafe(struct runtime *rt)
{
	cudaError_t result = cudaSuccess;
	for (struct capture *capture = rt->captures; capture; capture = capture->next)
		if (forbids(capture, runtime_thread())) {
			capture_invalidate(capture);
			result = cudaErrorStreamCaptureUnsupported;
		}
	return result;
}

cudaError_t capture_legacy(struct runtime *rt)
{
	cudaError_t result = cudaSuccess;
	for (struct capture *capture = rt->captures; capture; capture = capture->next)
		for (uint32_t i = 0; i < capture->stream_count; i++)
			if (!(capture->streams[i]->flags & cudaStreamNonBlocking)) {
				capture_invalidate(capture);
				result = cudaErrorStreamCaptureImplicit;
			}
	return result;
}
