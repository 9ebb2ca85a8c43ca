/* Work that is kept: making, copying, doing it. See operation.h. */
#include "cudart/operation.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cudart/graph.h"

static void *keep(const void *what, size_t bytes)
{
	void *kept = memory_zeroed(1, bytes);
	memcpy(kept, what, bytes);
	return kept;
}

cudaError_t operation_kernel(struct runtime *rt, const struct launch *launch, struct operation *out)
{
	struct function function;
	cudaError_t result = launch_check(rt, launch, &function);
	if (result)
		return result;
	struct kernel_work work = {.launch = *launch};
	work.launch.args = launch_keep_args(&function, launch->args);
	work.launch.stream = NULL;
	if (launch->is_cooperative) {
		work.attributes.given |= 1u << cudaLaunchAttributeCooperative;
		work.attributes.value[cudaLaunchAttributeCooperative].cooperative = 1;
	}
	*out = (struct operation){.type = cudaGraphNodeTypeKernel, .kernel = keep(&work, sizeof work)};
	return cudaSuccess;
}

struct operation operation_copy(const struct copy_work *copy)
{
	return (struct operation){.type = cudaGraphNodeTypeMemcpy, .copy = keep(copy, sizeof *copy)};
}

struct operation operation_fill(const struct fill_work *fill)
{
	return (struct operation){.type = cudaGraphNodeTypeMemset, .fill = keep(fill, sizeof *fill)};
}

struct operation operation_clone(struct runtime *rt, const struct operation *work)
{
	struct operation clone = *work;
	struct function function;
	switch (work->type) {
	case cudaGraphNodeTypeKernel:
		clone.kernel = keep(work->kernel, sizeof *work->kernel);
		/* It was found when the node was made; arguments are needed to be kept again only if it is still there. */
		clone.kernel->launch.args = function_find(rt, work->kernel->launch.host, &function)
		                                ? NULL
		                                : launch_keep_args(&function, work->kernel->launch.args);
		break;
	case cudaGraphNodeTypeMemcpy:
		clone.copy = keep(work->copy, sizeof *work->copy);
		break;
	case cudaGraphNodeTypeMemset:
		clone.fill = keep(work->fill, sizeof *work->fill);
		break;
	case cudaGraphNodeTypeMemAlloc:
	case cudaGraphNodeTypeMemFree:
		clone.memory->references++;
		break;
	default:
		break;
	}
	return clone;
}

void operation_drop(struct runtime *rt, struct operation *work)
{
	switch (work->type) {
	case cudaGraphNodeTypeKernel:
		free(work->kernel->launch.args);
		free(work->kernel);
		break;
	case cudaGraphNodeTypeMemcpy:
		free(work->copy);
		break;
	case cudaGraphNodeTypeMemset:
		free(work->fill);
		break;
	case cudaGraphNodeTypeGraph:
		cugraph_free(rt, work->child);
		break;
	case cudaGraphNodeTypeMemAlloc:
	case cudaGraphNodeTypeMemFree:
		graph_memory_unref(rt, work->memory);
		break;
	default:
		break;
	}
	*work = (struct operation){.type = cudaGraphNodeTypeEmpty};
}

static cudaError_t run_kernel(struct runtime *rt, const struct kernel_work *work, cudaStream_t stream)
{
	struct function function;
	struct launch launch = work->launch;
	launch.stream = stream;
	attributes_apply(&work->attributes, &launch);
	cudaError_t result = launch_check(rt, &launch, &function);
	if (!result)
		launch_run(rt, &launch, &function);
	return result;
}

static cudaError_t run_allocation(struct graph_memory *memory, bool auto_free)
{
	if (memory->is_live && !auto_free)
		return cudaErrorInvalidValue; /* the last launch's has not been freed */
	memory->is_live = true;
	return cudaSuccess;
}

cudaError_t operation_run(struct runtime *rt, struct operation *work, cudaStream_t stream, bool auto_free)
{
	const struct fill_work *fill = work->fill;
	switch (work->type) {
	case cudaGraphNodeTypeKernel:
		return run_kernel(rt, work->kernel, stream);
	case cudaGraphNodeTypeMemcpy:
		return copy_box(rt, work->copy->to, work->copy->from, work->copy->box);
	case cudaGraphNodeTypeMemset:
		return copy_fill(rt, fill->to,
		                 (struct copy_value){fill->described.value, fill->described.elementSize},
		                 fill->box);
	case cudaGraphNodeTypeEventRecord:
		return event_record(rt, work->event);
	case cudaGraphNodeTypeMemAlloc:
		return run_allocation(work->memory, auto_free);
	case cudaGraphNodeTypeMemFree:
		work->memory->is_live = false;
		return cudaSuccess;
	default: /* empty; a wait is over: all earlier work is done */
		return cudaSuccess;
	}
}
