/*
 * One piece of a stream's work. Asked for outside a capture it is done at once
 * and never becomes an operation; in a graph it is kept and done at every launch.
 */
#ifndef SLUICE_CUDART_OPERATION_H
#define SLUICE_CUDART_OPERATION_H

#include "cudart/copy.h"
#include "cudart/launch.h"

struct graph;

/* Memory that an allocation node hands out: its address is the same at every launch. */
struct graph_memory {
	struct graph_memory *next; /* of rt->graph_memory */
	uint64_t address, bytes;
	uint32_t references; /* operations that know it */
	bool is_live;        /* allocated by a launch and not yet freed */
};

struct copy_work {
	struct copy_side to, from;
	struct copy_box box;
	struct cudaMemcpy3DParms described; /* for cudaGraphMemcpyNodeGetParams() */
};

struct fill_work {
	struct copy_side to;
	struct cudaMemsetParams described;
	struct copy_box box;
};

struct host_work {
	cudaHostFn_t function;
	void *user;
};

struct kernel_work {
	struct launch launch; /* args: our own copy */
	struct launch_attributes attributes;
};

struct operation {
	enum cudaGraphNodeType type;
	union {
		struct kernel_work *kernel;
		struct copy_work *copy;
		struct fill_work *fill;
		struct host_work host;
		struct graph *child; /* owned */
		cudaEvent_t event;
		struct graph_memory *memory; /* allocated or freed; counted */
	};
};

cudaError_t operation_kernel(struct runtime *rt, const struct launch *launch, struct operation *out);
struct operation operation_copy(const struct copy_work *copy);
struct operation operation_fill(const struct fill_work *fill);
/* A copy that shares nothing but the memory of allocation nodes. */
struct operation operation_clone(struct runtime *rt, const struct operation *work);
void operation_drop(struct runtime *rt, struct operation *work);
/* Does it; not for host functions and child graphs, which graph_exec.c takes apart. */
cudaError_t operation_run(struct runtime *rt, struct operation *work, cudaStream_t stream, bool auto_free);

/* copy.c: where the copy goes and comes from; it is not checked whether all of it is there. */
cudaError_t copy_3d_resolve(const struct runtime *rt, const struct cudaMemcpy3DParms *p,
                            struct copy_work *out);

/* event.c */
cudaError_t event_record(struct runtime *rt, cudaEvent_t event);
void events_clear(struct runtime *rt);
bool event_exists(const struct runtime *rt, cudaEvent_t event);
bool event_is_shared(const struct runtime *rt, cudaEvent_t event); /* made with cudaEventInterprocess */

/* graph.c: NULL: out of memory. */
struct graph_memory *graph_memory_new(struct runtime *rt, uint64_t bytes);
void graph_memory_unref(struct runtime *rt, struct graph_memory *memory);
/* NULL: no graph's memory begins here. */
struct graph_memory *graph_memory_find(const struct runtime *rt, uint64_t address);

#endif
