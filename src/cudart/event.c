/*
 * Events. Without simulated times an event is a moment of the host; with
 * SLUICE_LAUNCH_SECONDS it is the sum of the times of all launches before it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/memory.h"
#include "cudart/calls.h"
#include "cudart/graph.h"

#include <cuda_runtime_api.h>

struct event {
	unsigned flags;
	bool is_recorded;
	double seconds;
	/* Recorded in a capture: after these nodes. 0: it was not. */
	uint64_t capture_id;
	struct node_list captured;
};

/* ---- simulated times ------------------------------------------------------------------------------------ */

static bool read_numbers(struct launch_times *times, FILE *file, const char *path, struct error *err)
{
	char line[128];
	uint64_t capacity = 0;
	while (fgets(line, sizeof line, file)) {
		char *end;
		double seconds = strtod(line, &end);
		if (end == line || !(seconds >= 0) || strspn(end, " \t\r\n") != strlen(end))
			return error_at(err, path, times->count + 1, 1, "expected a number of seconds");
		if (times->count == capacity) {
			capacity = capacity ? 2 * capacity : 256;
			times->seconds = memory_grow(times->seconds, capacity, sizeof *times->seconds);
		}
		times->seconds[times->count++] = seconds;
	}
	return true;
}

cudaError_t times_read(struct launch_times *times, const char *path, struct error *err)
{
	FILE *file = fopen(path, "r");
	if (!file) {
		error_set(err, "%s: %s", path, strerror(errno));
		return cudaErrorFileNotFound;
	}
	times->seconds = memory_zeroed(1, sizeof *times->seconds);
	bool ok = read_numbers(times, file, path, err);
	fclose(file);
	return ok ? cudaSuccess : cudaErrorInvalidValue;
}

void times_add_launch(struct launch_times *times)
{
	if (!times->seconds)
		return;
	if (times->next < times->count)
		times->now += times->seconds[times->next];
	else if (times->next == times->count)
		runtime_say("launch %llu has no simulated time: the recording had fewer launches; events "
		            "stand still from here on",
		            (unsigned long long)times->next + 1);
	times->next++;
}

static double now(const struct runtime *rt)
{
	if (rt->times.seconds)
		return rt->times.now;
	struct timespec t;
	clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* ---- the API -------------------------------------------------------------------------------------------- */

static cudaError_t event_new(struct runtime *rt, cudaEvent_t *out, unsigned flags)
{
	if (!out ||
	    flags & ~(unsigned)(cudaEventBlockingSync | cudaEventDisableTiming | cudaEventInterprocess))
		return cudaErrorInvalidValue;
	if (flags & cudaEventInterprocess && !(flags & cudaEventDisableTiming))
		return cudaErrorInvalidValue;
	struct event *event = memory_zeroed(1, sizeof *event);
	event->flags = flags;
	*out = handle_new(&rt->handles, HANDLE_EVENT, event);
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaEventCreate, (cudaEvent_t * out), event_new(rt, out, cudaEventDefault))
API(RUNTIME_CALL, cudaEventCreateWithFlags, (cudaEvent_t * out, unsigned flags), event_new(rt, out, flags))

static struct event *event_find(const struct runtime *rt, cudaEvent_t event)
{
	return handle_get(&rt->handles, HANDLE_EVENT, event);
}

static cudaError_t event_free(struct runtime *rt, cudaEvent_t handle)
{
	struct event *event = handle_remove(&rt->handles, HANDLE_EVENT, handle);
	if (!event)
		return cudaErrorInvalidResourceHandle;
	node_list_clear(&event->captured);
	free(event);
	return cudaSuccess;
}

void events_clear(struct runtime *rt)
{
	void *handle;
	uint32_t at = 0;
	while ((handle = handle_next(&rt->handles, HANDLE_EVENT, &at)) != NULL)
		event_free(rt, handle);
}

API(RUNTIME_CALL, cudaEventDestroy, (cudaEvent_t event), event_free(rt, event))

bool event_exists(const struct runtime *rt, cudaEvent_t event)
{
	return event_find(rt, event) != NULL;
}

bool event_is_shared(const struct runtime *rt, cudaEvent_t handle)
{
	const struct event *event = event_find(rt, handle);
	return event && event->flags & cudaEventInterprocess;
}

cudaError_t event_record(struct runtime *rt, cudaEvent_t handle)
{
	struct event *event = event_find(rt, handle);
	if (!event)
		return cudaErrorInvalidResourceHandle;
	event->is_recorded = true;
	event->capture_id = 0;
	event->seconds = now(rt);
	return cudaSuccess;
}

/* In a capture a record is a place in the graph; only an external one is a node. */
static cudaError_t record_in_stream(struct runtime *rt, cudaEvent_t handle, unsigned flags)
{
	struct event *event = event_find(rt, handle);
	if (!event)
		return cudaErrorInvalidResourceHandle;
	if (!rt->capturing)
		return flags == cudaEventRecordExternal ? cudaErrorIllegalState : event_record(rt, handle);
	struct operation node = {.type = cudaGraphNodeTypeEventRecord, .event = handle};
	if (flags == cudaEventRecordExternal)
		return capture_add(rt, &node);
	return capture_record(rt->capturing, &event->captured, &event->capture_id);
}

API(RUNTIME_CALL, cudaEventRecordWithFlags, (cudaEvent_t event, cudaStream_t stream, unsigned flags),
    flags > cudaEventRecordExternal ? cudaErrorInvalidValue
                                    : ON_STREAM(stream, record_in_stream(rt, event, flags)))

cudaError_t cudaEventRecord(cudaEvent_t event, cudaStream_t stream)
{
	return cudaEventRecordWithFlags(event, stream, cudaEventRecordDefault);
}

static cudaError_t wait_in_stream(struct runtime *rt, cudaStream_t stream, cudaEvent_t handle, unsigned flags)
{
	const struct event *event = event_find(rt, handle);
	if (!event)
		return cudaErrorInvalidResourceHandle;
	struct operation node = {.type = cudaGraphNodeTypeWaitEvent, .event = handle};
	if (flags == cudaEventWaitExternal)
		return rt->capturing ? capture_add(rt, &node) : cudaErrorIllegalState;
	if (event->capture_id && !capture_find(rt, event->capture_id))
		return cudaErrorInvalidValue;
	return rt->captures ? capture_wait(rt, stream_find(rt, stream), &event->captured, event->capture_id)
	                    : cudaSuccess;
}

API(RUNTIME_CALL, cudaStreamWaitEvent, (cudaStream_t stream, cudaEvent_t event, unsigned flags),
    flags > cudaEventWaitExternal ? cudaErrorInvalidValue
                                  : ON_STREAM(stream, wait_in_stream(rt, stream, event, flags)))

/* All work is done by the time anybody asks; what is captured was not asked for yet. */
static cudaError_t event_idle(struct runtime *rt, cudaEvent_t handle)
{
	const struct event *event = event_find(rt, handle);
	if (!event)
		return cudaErrorInvalidResourceHandle;
	if (!event->capture_id)
		return capture_unsafe(rt);
	struct capture *capture = capture_find(rt, event->capture_id);
	if (capture)
		capture_invalidate(capture);
	return capture ? cudaErrorCapturedEvent
	               : cudaErrorInvalidValue; /* of a graph that may run later, or never */
}

API(RUNTIME_CALL, cudaEventSynchronize, (cudaEvent_t event),
    (rt->stream_error = event_idle(rt, event)) ? rt->stream_error : runtime_waited(rt))
API(RUNTIME_CALL, cudaEventQuery, (cudaEvent_t event), event_idle(rt, event))

static cudaError_t elapsed(struct runtime *rt, float *milliseconds, cudaEvent_t start, cudaEvent_t end)
{
	static const double least_host_ms = 0.0005; /* an event's resolution: programs divide by the time */
	const struct event *a = event_find(rt, start), *b = event_find(rt, end);
	if (!milliseconds)
		return cudaErrorInvalidValue;
	if (a && b && (a->capture_id || b->capture_id))
		return cudaErrorInvalidValue;
	if (!a || !b || !a->is_recorded || !b->is_recorded || (a->flags | b->flags) & cudaEventDisableTiming)
		return cudaErrorInvalidResourceHandle;
	rt->elapsed_time_read = true;
	double ms = 1e3 * (b->seconds - a->seconds);
	if (!rt->times.seconds && start != end && ms >= 0 && ms < least_host_ms)
		ms = least_host_ms;
	*milliseconds = (float)ms;
	return cudaSuccess;
}

API(RUNTIME_CALL, cudaEventElapsedTime, (float *milliseconds, cudaEvent_t start, cudaEvent_t end),
    elapsed(rt, milliseconds, start, end))
