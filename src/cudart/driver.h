/*
 * The driver API on top of the runtime's functions: both are one machine, so
 * most calls hand over. What differs: error codes, contexts, and the runtime's
 * last error, which driver calls leave alone.
 */
#ifndef SLUICE_CUDART_DRIVER_H
#define SLUICE_CUDART_DRIVER_H

#include "cudart/state.h"

CUresult driver_result(cudaError_t error);
/* Before and after a call: initialised, a context current; the last error is kept. */
CUresult driver_enter(void);
CUresult driver_leave(cudaError_t result);

/* The whole body of most driver functions; `call` is a call of the runtime API. */
#define DRIVER_CALL(call)                                                                                    \
	CUresult ready = driver_enter();                                                                     \
	return ready ? ready : driver_leave(call)

/* A whole driver function. */
#define DRIVER_API(name, parameters, ...)                                                                    \
	CUresult name parameters                                                                             \
	{                                                                                                    \
		DRIVER_CALL(__VA_ARGS__);                                                                    \
	}

/* A function of one version under the name of another. */
#define DRIVER_ALIAS(name, of) SLUICE_API extern __typeof__(of) name __attribute__((alias(#of)))

/* driver_context.c: the thread's current context; NULL: none. The lock is not needed. */
struct context *driver_current(void);

#endif
