/*
 * Streams. Work is done when it is asked for, so every stream is always empty
 * and in order; a stream is a number in the recording and a set of attributes,
 * and perhaps a place in a graph that is being captured (capture.c).
 */
#include "cudart/stream.h"

#include <stdlib.h>

#include "base/memory.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

/* Priorities that properties promise: 0 down to this one. */
enum { GREATEST_PRIORITY = -5 };

static struct stream *default_stream(struct stream **place)
{
	if (!*place)
		*place = memory_zeroed(1, sizeof **place);
	return *place;
}

struct stream *stream_find(struct runtime *rt, cudaStream_t stream)
{
	if (!stream || stream == cudaStreamLegacy)
		return default_stream(&rt->legacy_stream);
	if (stream == cudaStreamPerThread)
		return default_stream(&rt->per_thread_stream);
	return handle_get(&rt->handles, HANDLE_STREAM, stream);
}

uint32_t stream_number(struct runtime *rt, cudaStream_t stream)
{
	const struct stream *found = stream_find(rt, stream);
	return found ? found->number : 0;
}

cudaError_t stream_enter(struct runtime *rt, cudaStream_t handle)
{
	struct stream *stream = stream_find(rt, handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	if (!rt->captures)
		return cudaSuccess;
	if (stream == rt->legacy_stream)
		return capture_legacy(rt);
	if (stream->capture && stream->capture->is_invalid)
		return cudaErrorStreamCaptureInvalidated;
	rt->capturing = stream->capture ? stream : NULL;
	return cudaSuccess;
}

cudaError_t stream_leave(struct runtime *rt, cudaError_t result)
{
	/* What could not be added spoils the graph. */
	if (rt->capturing && result)
		capture_invalidate(rt->capturing->capture);
	rt->capturing = NULL;
	return result;
}

cudaError_t stream_idle(struct runtime *rt, cudaStream_t handle)
{
	struct stream *stream = stream_find(rt, handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	if (!rt->captures)
		return cudaSuccess;
	if (stream == rt->legacy_stream)
		return capture_legacy(rt);
	if (!stream->capture)
		return cudaSuccess;
	capture_invalidate(stream->capture);
	return cudaErrorStreamCaptureUnsupported;
}

static cudaError_t stream_new(struct runtime *rt, cudaStream_t *out, unsigned flags, int priority)
{
	if (!out || flags & ~(unsigned)cudaStreamNonBlocking)
		return cudaErrorInvalidValue;
	struct stream *stream = memory_zeroed(1, sizeof *stream);
	*stream = (struct stream){.number = ++rt->streams_made, .flags = flags};
	stream->priority = priority > 0 ? 0 : priority < GREATEST_PRIORITY ? GREATEST_PRIORITY : priority;
	*out = handle_new(&rt->handles, HANDLE_STREAM, stream);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamCreate, (cudaStream_t * out), stream_new(rt, out, cudaStreamDefault, 0))
API(RUNTIME_CALL, cudaStreamCreateWithFlags, (cudaStream_t * out, unsigned flags),
    stream_new(rt, out, flags, 0))
API(RUNTIME_CALL, cudaStreamCreateWithPriority, (cudaStream_t * out, unsigned flags, int priority),
    stream_new(rt, out, flags, priority))

static cudaError_t stream_free(struct runtime *rt, cudaStream_t stream)
{
	struct stream *found = handle_remove(&rt->handles, HANDLE_STREAM, stream);
	if (!found)
		return cudaErrorInvalidResourceHandle;
	capture_forget_stream(rt, found);
	node_list_clear(&found->tail);
	free(found->shown);
	free(found);
	return cudaSuccess;
}

void streams_clear(struct runtime *rt)
{
	void *handle;
	uint32_t at = 0;
	while ((handle = handle_next(&rt->handles, HANDLE_STREAM, &at)) != NULL)
		stream_free(rt, handle);
}

API(RUNTIME_CALL, cudaStreamDestroy, (cudaStream_t stream), stream_free(rt, stream))

static cudaError_t wait(struct runtime *rt, cudaStream_t stream)
{
	cudaError_t result = stream_idle(rt, stream);
	return result ? result : runtime_waited(rt);
}

API(RUNTIME_CALL, cudaStreamSynchronize, (cudaStream_t stream), wait(rt, stream))
API(RUNTIME_CALL, cudaStreamQuery, (cudaStream_t stream), wait(rt, stream))

static cudaError_t stream_facts(struct runtime *rt, cudaStream_t stream, unsigned *flags, int *priority)
{
	const struct stream *found = stream_find(rt, stream);
	if (!flags && !priority)
		return cudaErrorInvalidValue;
	if (!found)
		return cudaErrorInvalidResourceHandle;
	if (flags)
		*flags = found->flags;
	if (priority)
		*priority = found->priority;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamGetFlags, (cudaStream_t stream, unsigned *flags),
    stream_facts(rt, stream, flags, NULL))
API(RUNTIME_CALL, cudaStreamGetPriority, (cudaStream_t stream, int *priority),
    stream_facts(rt, stream, NULL, priority))

static cudaError_t priority_range(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = GREATEST_PRIORITY;
	return cudaSuccess;
}

API(RUNTIME_QUERY, cudaDeviceGetStreamPriorityRange, (int *least, int *greatest),
    priority_range(least, greatest))

/* Managed memory is everybody's, so attaching it to a stream is checked only. */
cudaError_t cudaStreamAttachMemAsync(cudaStream_t stream, void *pointer, size_t bytes, unsigned flags)
{
	(void)bytes;
	RUNTIME_CALL(ON_STREAM(
	    stream, flags != cudaMemAttachGlobal && flags != cudaMemAttachHost && flags != cudaMemAttachSingle
	                ? cudaErrorInvalidValue
	            : device_memory_tag(rt->memory, (uintptr_t)pointer) == ALLOCATION_MANAGED
	                ? cudaSuccess
	                : cudaErrorInvalidValue));
}

/* ---- host functions: all earlier work is done, so they run at once, without the lock -------------------- */

API_PART(RUNTIME_CALL, check_callback, (cudaStream_t stream, bool is_valid),
         is_valid ? stream_idle(rt, stream) : cudaErrorInvalidValue)

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned flags)
{
	cudaError_t result = check_callback(stream, callback && !flags);
	if (!result)
		callback(stream, cudaSuccess, user);
	return result;
}

static cudaError_t host_function(struct runtime *rt, const struct host_work *work, bool *is_captured)
{
	struct operation node = {.type = cudaGraphNodeTypeHost, .host = *work};
	*is_captured = rt->capturing != NULL;
	return *is_captured ? capture_add(rt, &node) : cudaSuccess;
}

API_PART(RUNTIME_CALL, enter_host_function,
         (cudaStream_t stream, const struct host_work *work, bool *is_captured),
         work->function ? ON_STREAM(stream, host_function(rt, work, is_captured)) : cudaErrorInvalidValue)

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	bool is_captured = false;
	cudaError_t result = enter_host_function(
	    stream, &(struct host_work){.function = function, .user = user}, &is_captured);
	if (!result && !is_captured)
		function(user);
	return result;
}

/* ---- attributes ----------------------------------------------------------------------------------------- */

static cudaError_t set_attribute(struct runtime *rt, cudaStream_t handle, cudaLaunchAttributeID id,
                                 const cudaLaunchAttributeValue *value)
{
	struct stream *stream = stream_find(rt, handle);
	return stream ? attributes_set(rt, &stream->attributes, HOLDER_STREAM, id, value)
	              : cudaErrorInvalidResourceHandle;
}

API(RUNTIME_CALL, cudaStreamSetAttribute,
    (cudaStream_t stream, cudaLaunchAttributeID id, const cudaLaunchAttributeValue *value),
    set_attribute(rt, stream, id, value))

static cudaError_t get_attribute(struct runtime *rt, cudaStream_t handle, cudaLaunchAttributeID id,
                                 cudaLaunchAttributeValue *value)
{
	const struct stream *stream = stream_find(rt, handle);
	if (!stream)
		return cudaErrorInvalidResourceHandle;
	cudaError_t result = attributes_get(&stream->attributes, HOLDER_STREAM, id, value);
	if (!result && id == cudaLaunchAttributePriority)
		value->priority = stream->priority;
	return result;
}

API(RUNTIME_CALL, cudaStreamGetAttribute,
    (cudaStream_t stream, cudaLaunchAttributeID id, cudaLaunchAttributeValue *value),
    get_attribute(rt, stream, id, value))

static cudaError_t copy_attributes(struct runtime *rt, cudaStream_t to, cudaStream_t from)
{
	struct stream *target = stream_find(rt, to);
	const struct stream *source = stream_find(rt, from);
	if (!target || !source)
		return cudaErrorInvalidResourceHandle;
	target->attributes = source->attributes;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamCopyAttributes, (cudaStream_t to, cudaStream_t from),
    copy_attributes(rt, to, from))

static cudaError_t stream_id(struct runtime *rt, cudaStream_t handle, unsigned long long *id)
{
	const struct stream *stream = stream_find(rt, handle);
	if (!stream || !id)
		return stream ? cudaErrorInvalidValue : cudaErrorInvalidResourceHandle;
	*id = stream == rt->per_thread_stream ? 2 : stream->number ? stream->number + 2 : 1;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamGetId, (cudaStream_t stream, unsigned long long *id), stream_id(rt, stream, id))

static cudaError_t stream_device(struct runtime *rt, cudaStream_t stream, int *device)
{
	if (!stream_find(rt, stream) || !device)
		return device ? cudaErrorInvalidResourceHandle : cudaErrorInvalidValue;
	*device = 0;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamGetDevice, (cudaStream_t stream, int *device), stream_device(rt, stream, device))
