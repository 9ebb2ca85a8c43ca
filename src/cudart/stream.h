/* Streams and the capture that turns their work into a graph. */
#ifndef SLUICE_CUDART_STREAM_H
#define SLUICE_CUDART_STREAM_H

#include "cudart/launch.h"

struct graph;
struct graph_node;
struct operation;

struct node_list {
	struct graph_node **at;
	uint32_t count, capacity;
};

/* One cudaStreamBeginCapture() ... cudaStreamEndCapture(). */
struct capture {
	struct capture *next;
	uint64_t id;
	struct graph *graph;
	bool owns_graph; /* made by the capture, not given */
	bool is_invalid; /* something happened that cannot be captured */
	enum cudaStreamCaptureMode mode;
	pthread_t thread;
	struct stream *origin;
	struct stream **streams; /* origin first, then those that joined by an event */
	uint32_t stream_count;
	struct node_list left; /* last work of streams that were destroyed meanwhile */
};

struct stream {
	uint32_t number;
	unsigned flags;
	int priority;
	struct launch_attributes attributes;
	struct capture *capture; /* NULL: not capturing */
	struct node_list tail;   /* what the next node will depend on */
	cudaGraphNode_t *shown;  /* the tail as cudaStreamGetCaptureInfo() told it last */
};

/* NULL: no such stream. */
struct stream *stream_find(struct runtime *rt, cudaStream_t stream);

/* capture.c: work of a stream that is being captured becomes a node; the node's operation is taken over. */
cudaError_t capture_add(struct runtime *rt, struct operation *work);
/* An event was recorded in `stream`, or `stream` waits for it. */
cudaError_t capture_record(struct stream *stream, struct node_list *kept, uint64_t *capture_id);
cudaError_t capture_wait(struct runtime *rt, struct stream *stream, const struct node_list *nodes,
                         uint64_t capture_id);
void capture_invalidate(struct capture *capture);
/* NULL: it has ended. */
struct capture *capture_find(const struct runtime *rt, uint64_t id);
/* The stream is going away. */
void capture_forget_stream(struct runtime *rt, struct stream *stream);
/* All that the program made; the default ones stay. */
void streams_clear(struct runtime *rt);
/* All captures end; the streams are still there, and their graphs are the caller's to free. */
void captures_clear(struct runtime *rt);

#endif
