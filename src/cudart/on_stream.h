/* Calls that belong to a stream, and captures that are under way meanwhile. Part of state.h. */
#ifndef SLUICE_CUDART_ON_STREAM_H
#define SLUICE_CUDART_ON_STREAM_H

#include "cudart/state.h"

/*
 * Work for a stream. A stream that is none fails before anything is done; what
 * is asked of one that is being captured (rt->capturing) becomes a node.
 */
cudaError_t stream_enter(struct runtime *rt, cudaStream_t stream);
cudaError_t stream_leave(struct runtime *rt, cudaError_t result);
#define ON_STREAM(stream, expr)                                                                              \
	((rt->stream_error = stream_enter(rt, stream)) ? rt->stream_error : stream_leave(rt, expr))
/* The same for what cannot be captured: waiting, asking. */
cudaError_t stream_idle(struct runtime *rt, cudaStream_t stream);
/* The number of a stream in recordings, 0: the default stream. */
uint32_t stream_number(struct runtime *rt, cudaStream_t stream);

/* capture.c: calls that may wait for the device, and work in the legacy stream, spoil captures under way. */
cudaError_t capture_unsafe(struct runtime *rt);
cudaError_t capture_legacy(struct runtime *rt);
/* Most API functions without a stream. */
#define RUNTIME_UNSAFE(expr) RUNTIME_CALL((rt->stream_error = capture_unsafe(rt)) ? rt->stream_error : (expr))
#define RUNTIME_LEGACY(expr) RUNTIME_CALL((rt->stream_error = capture_legacy(rt)) ? rt->stream_error : (expr))

#endif
