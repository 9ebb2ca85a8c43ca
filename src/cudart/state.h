/*
 * The runtime's one state, and how every call enters and leaves it.
 *
 * The API has no context argument, so there is one runtime per process. It
 * comes to life with the first call that needs a device; registration, which
 * runs before main(), only takes notes. One lock is held during a call, a
 * kernel's run included: work is done when it is asked for, in order.
 */
#ifndef SLUICE_CUDART_STATE_H
#define SLUICE_CUDART_STATE_H

#include <pthread.h>
#include <stdbool.h>
#include <sys/types.h>

#include "cuda/executor/exec.h"
#include "cudart/api.h"
#include "cudart/handle.h"
#include "cudart/inputs.h"
#include "cudart/registry.h"
#include "cudart/window.h"
#include "machine/machine.h"

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
	struct range_stack ranges;
	struct call_configuration *calls;
	unsigned call_count, call_capacity;
};

/* Kind of an allocation: the tag in device_memory. 0 is the executor's own. */
enum allocation {
	ALLOCATION_INTERNAL,
	ALLOCATION_DEVICE,
	ALLOCATION_MANAGED,
	ALLOCATION_PINNED,
	ALLOCATION_REGISTERED,
	ALLOCATION_ARRAY,
	ALLOCATION_POOL,
	ALLOCATION_GRAPH,
	ALLOCATION_VIRTUAL
};

enum { UNSUPPORTED_MAX = 128 };

struct launch_times {
	double *seconds; /* by launch, from SLUICE_LAUNCH_SECONDS; NULL: events measure the host */
	uint64_t count, next;
	double now; /* sum of the launches so far */
};

/* Threads get at least so much stack, whatever cudaLimitStackSize says: frames differ from a GPU's. */
enum { STACK_LEAST = 16 * 1024 };

struct runtime_limits {
	size_t stack_bytes, printf_bytes, heap_bytes;
	size_t pending_launches, fetch_bytes, persisting_l2_bytes;
};

struct runtime {
	pthread_mutex_t lock;
	pid_t process; /* that owns recording and report; a fork does not */
	bool is_started, is_closed;
	cudaError_t start_error;
	cudaError_t sticky; /* a fault leaves the device unusable */
	struct error fault; /* its report */
	struct launch_failures failed;
	cudaError_t unrun; /* a kernel could not be run; the next call that waits says so, once */
	struct machine *machine;
	struct cudaDeviceProp properties;
	struct device_memory *memory;
	uint64_t window_bytes; /* of addresses: the device's memory, and room for page-locked host memory */
	struct exec *exec;     /* made when the first module is loaded */
	struct exec_totals totals; /* once the executor is gone */
	char *sources;             /* recorder_sources(), once the recorder is gone; NULL: none */
	struct recorder *recorder;
	struct recording_window window;
	struct registry registry;
	struct handle_table handles;
	struct texture_object *textures;
	struct surface_object *surfaces;
	struct launch_times times;
	struct runtime_limits limits;
	uint64_t pinned_bytes;
	uint32_t streams_made;
	struct stream *legacy_stream, *per_thread_stream; /* made at the first use */
	struct stream *capturing; /* the stream of the call under way, if it is being captured */
	struct capture *captures; /* under way */
	uint64_t captures_begun;
	struct graph_memory *graph_memory;
	struct pool **pools, *current_pool; /* the default one first; NULL: that is the current one */
	uint32_t pool_count;
	struct managed_hints *managed_hints;
	struct child *children, *last_child; /* launched by the kernel that runs */
	uint32_t child_depth;
	cudaStream_t parent_stream;
	bool is_driver_started; /* cuInit(), or any call of the runtime API */
	struct context *primary_context;
	uint32_t register_limit; /* SLUICE_MAXRREGCOUNT; 0: none */
	unsigned device_flags;
	enum cudaFuncCache cache_config;
	bool elapsed_time_read;
	cudaError_t stream_error; /* scratch of ON_STREAM() */
	struct input_list inputs;
	bool was_refused[UNSUPPORTED_MAX]; /* an unsupported function names itself once */
};

struct runtime_thread *runtime_thread(void);
struct input_list *runtime_inputs(void);

/* This thread holds the lock: a signal handler ends the process inside of a call. Nothing can be finished then. */
bool runtime_is_inside(void);
/* Takes the lock; registration and the end of the process need no more. */
struct runtime *runtime_lock(void);
void runtime_unlock(struct runtime *rt);
/* Takes the lock and starts the runtime if need be. */
struct runtime *runtime_enter(void);
/* Releases the lock; an error becomes the thread's last one. */
cudaError_t runtime_leave(struct runtime *rt, cudaError_t result);
/* Whether the device can be used: 0, or why it did not start, or the fault that ended it. */
cudaError_t runtime_ready(const struct runtime *rt);
/* For calls that wait for the device: 0, or what happened to a kernel since the last one. */
cudaError_t runtime_waited(struct runtime *rt);
/* The executor, made if need be; NULL: said on stderr. */
struct exec *runtime_exec(struct runtime *rt);
/* Gives all that the program holds on the device back. */
void runtime_reset(struct runtime *rt);
/* One line on stderr, "sluice: " in front. */
void runtime_say(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
/* Ends recording and writes the report; once. */
void runtime_close(struct runtime *rt);

/* The whole body of most API functions: needs a device that works, and `expr` may use rt. */
#define RUNTIME_CALL(expr)                                                                                   \
	struct runtime *rt = runtime_enter();                                                                \
	const cudaError_t ready = runtime_ready(rt);                                                         \
	return runtime_leave(rt, ready ? ready : (expr))
/* The same for what a faulted device answers as well. */
#define RUNTIME_QUERY(expr)                                                                                  \
	struct runtime *rt = runtime_enter();                                                                \
	return runtime_leave(rt, rt->start_error ? rt->start_error : (expr))

/* A whole API function: `call` is RUNTIME_CALL or one of its kind, of the expression that follows. */
#define API(call, name, parameters, ...)                                                                     \
	cudaError_t name parameters                                                                          \
	{                                                                                                    \
		call(__VA_ARGS__);                                                                           \
	}
/* The same of a function that the driver API calls. */
#define API_PART(call, name, parameters, ...) static API(call, name, parameters, __VA_ARGS__)

/* ---- between the files of the runtime ------------------------------------------------------------------- */

void properties_fill(struct cudaDeviceProp *properties, const struct machine *machine, uint32_t target);
void report_write(const struct runtime *rt, const char *path);
cudaError_t times_read(struct launch_times *times, const char *path, struct error *err);
/* A launch was done: simulated time goes on. */
void times_add_launch(struct launch_times *times);
void texture_objects_clear(struct runtime *rt);
void surface_objects_clear(struct runtime *rt);

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
