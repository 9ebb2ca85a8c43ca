/*
 * Streams. Work is done when it is asked for, so every stream is always empty
 * and in order; a stream is a number in the recording and a set of flags.
 */
#include <stdlib.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/state.h"

struct stream {
	uint32_t number;
	unsigned flags;
	int priority;
};

/* Priorities that properties promise: 0 down to this one. */
enum { GREATEST_PRIORITY = -1 };

static bool is_default(cudaStream_t stream)
{
	return !stream || stream == cudaStreamLegacy || stream == cudaStreamPerThread;
}

int64_t stream_number(const struct runtime *rt, cudaStream_t stream)
{
	if (is_default(stream))
		return 0;
	const struct stream *found = handle_get(&rt->handles, HANDLE_STREAM, stream);
	return found ? (int64_t)found->number : STREAM_UNKNOWN;
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

cudaError_t cudaStreamCreate(cudaStream_t *out)
{
	RUNTIME_CALL(stream_new(rt, out, cudaStreamDefault, 0));
}

cudaError_t cudaStreamCreateWithFlags(cudaStream_t *out, unsigned flags)
{
	RUNTIME_CALL(stream_new(rt, out, flags, 0));
}

cudaError_t cudaStreamCreateWithPriority(cudaStream_t *out, unsigned flags, int priority)
{
	RUNTIME_CALL(stream_new(rt, out, flags, priority));
}

static cudaError_t stream_free(struct runtime *rt, cudaStream_t stream)
{
	struct stream *found = is_default(stream) ? NULL : handle_remove(&rt->handles, HANDLE_STREAM, stream);
	free(found);
	return found ? cudaSuccess : cudaErrorInvalidResourceHandle;
}

cudaError_t cudaStreamDestroy(cudaStream_t stream)
{
	RUNTIME_CALL(stream_free(rt, stream));
}

cudaError_t cudaStreamSynchronize(cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, cudaSuccess));
}

cudaError_t cudaStreamQuery(cudaStream_t stream)
{
	RUNTIME_CALL(ON_STREAM(stream, cudaSuccess));
}

cudaError_t cudaStreamWaitEvent(cudaStream_t stream, cudaEvent_t event, unsigned flags)
{
	RUNTIME_CALL(flags ? cudaErrorInvalidValue
	                   : ON_STREAM(stream, handle_get(&rt->handles, HANDLE_EVENT, event)
	                                           ? cudaSuccess
	                                           : cudaErrorInvalidResourceHandle));
}

static cudaError_t stream_facts(struct runtime *rt, cudaStream_t stream, unsigned *flags, int *priority)
{
	const struct stream *found =
	    is_default(stream) ? NULL : handle_get(&rt->handles, HANDLE_STREAM, stream);
	if (!flags && !priority)
		return cudaErrorInvalidValue;
	if (!found && !is_default(stream))
		return cudaErrorInvalidResourceHandle;
	if (flags)
		*flags = found ? found->flags : cudaStreamDefault;
	if (priority)
		*priority = found ? found->priority : 0;
	return cudaSuccess;
}

cudaError_t cudaStreamGetFlags(cudaStream_t stream, unsigned *flags)
{
	RUNTIME_CALL(stream_facts(rt, stream, flags, NULL));
}

cudaError_t cudaStreamGetPriority(cudaStream_t stream, int *priority)
{
	RUNTIME_CALL(stream_facts(rt, stream, NULL, priority));
}

static cudaError_t priority_range(int *least, int *greatest)
{
	if (least)
		*least = 0;
	if (greatest)
		*greatest = GREATEST_PRIORITY;
	return cudaSuccess;
}

cudaError_t cudaDeviceGetStreamPriorityRange(int *least, int *greatest)
{
	RUNTIME_QUERY(priority_range(least, greatest));
}

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

static cudaError_t check_callback(cudaStream_t stream, bool is_valid)
{
	RUNTIME_CALL(is_valid ? ON_STREAM(stream, cudaSuccess) : cudaErrorInvalidValue);
}

cudaError_t cudaStreamAddCallback(cudaStream_t stream, cudaStreamCallback_t callback, void *user,
                                  unsigned flags)
{
	cudaError_t result = check_callback(stream, callback && !flags);
	if (!result)
		callback(stream, cudaSuccess, user);
	return result;
}

cudaError_t cudaLaunchHostFunc(cudaStream_t stream, cudaHostFn_t function, void *user)
{
	cudaError_t result = check_callback(stream, function != NULL);
	if (!result)
		function(user);
	return result;
}
