/* Objects of the program that live as long as graphs refer to them. */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

struct user_object {
	cudaUserObject_t handle;
	cudaHostFn_t destroy;
	void *pointer;
	uint64_t references; /* of the program and of graphs together */
};

static struct user_object *find(const struct runtime *rt, cudaUserObject_t handle)
{
	return handle_get(&rt->handles, HANDLE_USER_OBJECT, handle);
}

static void unref(struct runtime *rt, struct user_object *object, uint32_t count)
{
	object->references -= count;
	if (object->references)
		return;
	handle_remove(&rt->handles, HANDLE_USER_OBJECT, object->handle);
	object->destroy(object->pointer);
	free(object);
}

static struct user_reference *reference(const struct graph *graph, const struct user_object *object)
{
	for (uint32_t i = 0; i < graph->user_count; i++)
		if (graph->users[i].object == object)
			return &graph->users[i];
	return NULL;
}

static void add_reference(struct graph *graph, struct user_object *object, uint32_t count)
{
	struct user_reference *known = reference(graph, object);
	if (known) {
		known->count += count;
		return;
	}
	graph->users = memory_grow(graph->users, graph->user_count + 1, sizeof *graph->users);
	graph->users[graph->user_count++] = (struct user_reference){.object = object, .count = count};
}

void user_objects_clone(struct graph *to, const struct graph *from)
{
	for (uint32_t i = 0; i < from->user_count; i++) {
		from->users[i].object->references++;
		add_reference(to, from->users[i].object, 1);
	}
}

void user_objects_release(struct runtime *rt, struct graph *graph)
{
	for (uint32_t i = 0; i < graph->user_count; i++)
		unref(rt, graph->users[i].object, graph->users[i].count);
	free(graph->users);
	graph->users = NULL;
	graph->user_count = 0;
}

/* ---- the API ---------------------------------------------------------------------------------------------- */

static cudaError_t create(struct runtime *rt, cudaUserObject_t *out, void *pointer, cudaHostFn_t destroy,
                          unsigned references, unsigned flags)
{
	if (!out || !destroy || !references || flags != cudaUserObjectNoDestructorSync)
		return cudaErrorInvalidValue;
	struct user_object *object = memory_zeroed(1, sizeof *object);
	*object = (struct user_object){.destroy = destroy, .pointer = pointer, .references = references};
	*out = object->handle = handle_new(&rt->handles, HANDLE_USER_OBJECT, object);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaUserObjectCreate,
    (cudaUserObject_t * object, void *pointer, cudaHostFn_t destroy, unsigned references, unsigned flags),
    create(rt, object, pointer, destroy, references, flags))

static cudaError_t retain(struct runtime *rt, cudaUserObject_t handle, unsigned count)
{
	struct user_object *object = find(rt, handle);
	if (!object || !count)
		return cudaErrorInvalidValue;
	object->references += count;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaUserObjectRetain, (cudaUserObject_t object, unsigned count), retain(rt, object, count))

static cudaError_t release(struct runtime *rt, cudaUserObject_t handle, unsigned count)
{
	struct user_object *object = find(rt, handle);
	if (!object || !count || count > object->references)
		return cudaErrorInvalidValue;
	unref(rt, object, count);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaUserObjectRelease, (cudaUserObject_t object, unsigned count),
    release(rt, object, count))

static cudaError_t graph_retain(struct runtime *rt, cudaGraph_t to, cudaUserObject_t handle, unsigned count,
                                unsigned flags)
{
	struct graph *graph = cugraph_find(rt, to);
	struct user_object *object = find(rt, handle);
	if (!graph || !object || !count || flags & ~(unsigned)cudaGraphUserObjectMove)
		return cudaErrorInvalidValue;
	if (!(flags & cudaGraphUserObjectMove))
		object->references += count; /* moved ones were counted for the program */
	add_reference(graph, object, count);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphRetainUserObject,
    (cudaGraph_t graph, cudaUserObject_t object, unsigned count, unsigned flags),
    graph_retain(rt, graph, object, count, flags))

static cudaError_t graph_release(struct runtime *rt, cudaGraph_t from, cudaUserObject_t handle,
                                 unsigned count)
{
	struct graph *graph = cugraph_find(rt, from);
	struct user_object *object = find(rt, handle);
	struct user_reference *known = graph && object ? reference(graph, object) : NULL;
	if (!known || !count || count > known->count)
		return cudaErrorInvalidValue;
	known->count -= count;
	if (!known->count)
		*known = graph->users[--graph->user_count];
	unref(rt, object, count);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaGraphReleaseUserObject, (cudaGraph_t graph, cudaUserObject_t object, unsigned count),
    graph_release(rt, graph, object, count))
