/* What every host thread has of its own. Part of state.h. */
#ifndef SLUICE_CUDART_THREAD_H
#define SLUICE_CUDART_THREAD_H

#include <stdbool.h>

#include "cudart/api.h"

struct call_configuration {
	struct dim3 grid, block;
	size_t shared_bytes;
	cudaStream_t stream;
	uint8_t *arguments; /* cudaSetupArgument() */
	size_t argument_bytes;
};

/* Of every host thread. */
struct runtime_thread {
	cudaError_t last_error;
	unsigned inside; /* in our own code: what is opened is not the program's input */
	enum cudaStreamCaptureMode capture_mode;
	bool uses_runtime;      /* it has called the runtime API, which makes the primary context current */
	unsigned in_driver;     /* inside a call of the driver API */
	cudaError_t kept_error; /* the runtime's last error, which the driver API does not touch */
	struct context **contexts; /* of the driver API: a stack, the last one is current */
	unsigned context_count;
	struct call_configuration *calls;
	unsigned call_count, call_capacity;
};

#endif
