/*
 * The runtime's state: made from the environment at the first call, torn down
 * at the end of the process. This file holds the process-wide variables that
 * the CUDA API forces on us, and no others of the library hold any.
 * The variables of the environment that it reads are those of base/environment.h.
 */
#define _GNU_SOURCE
#include "cudart/state.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <limits.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "base/memory.h"
#include "cudart/graph.h"
#include "cudart/launch.h"
#include "cudart/pool.h"

/* Addresses for page-locked host memory, next to the device's; the host pays only for pages that are touched. */
static const uint64_t pinned_window_bytes = UINT64_C(64) << 30;
static const struct runtime_limits default_limits = {.stack_bytes = 1024,
                                                     .printf_bytes = 1 << 20,
                                                     .heap_bytes = 8 << 20,
                                                     .pending_launches = 2048,
                                                     .fetch_bytes = 64};
/* Warp instructions without any progress before a launch counts as stuck: some ten seconds. */
static const uint64_t default_spin_budget = 100 * 1000 * 1000;

static struct runtime the_runtime = {.lock = PTHREAD_MUTEX_INITIALIZER,
                                     .inputs.lock = PTHREAD_MUTEX_INITIALIZER};
static _Thread_local struct runtime_thread the_thread;

struct runtime_thread *runtime_thread(void)
{
	return &the_thread;
}

struct input_list *runtime_inputs(void)
{
	return &the_runtime.inputs;
}

void runtime_say(const char *fmt, ...)
{
	va_list ap;
	va_start(ap, fmt);
	fflush(stdout);
	flockfile(stderr);
	fputs("sluice: ", stderr);
	vfprintf(stderr, fmt, ap);
	fputc('\n', stderr);
	funlockfile(stderr);
	va_end(ap);
}

/* ---- start ---------------------------------------------------------------------------------------------- */

static const char *setting(const char *name)
{
	const char *value = getenv(name);
	return value && *value ? value : NULL;
}

/* 0 if it is not set; anything but a number is an error. */
static bool setting_number(const char *name, uint64_t max, uint64_t *number, struct error *err)
{
	const char *text = setting(name);
	if (!text)
		return true;
	char *end;
	unsigned long long value = strtoull(text, &end, 10);
	if (*end || text[0] < '0' || value > max) /* a sign or a space in front is no number either */
		return error_set(err, "%s is '%s', expected a number up to %llu", name, text,
		                 (unsigned long long)max);
	*number = value;
	return true;
}

/* PREFIX/share/sluice/machines for a library at PREFIX/lib/libsluicert.so. */
static struct machine *load_installed_machine(const char *name)
{
	Dl_info self;
	char path[PATH_MAX], library[PATH_MAX];
	if (!dladdr((void *)runtime_say, &self) || !realpath(self.dli_fname, library))
		return NULL;
	for (int i = 0; i < 2; i++) {
		char *slash = strrchr(library, '/');
		if (!slash)
			return NULL;
		*slash = '\0';
	}
	if (snprintf(path, sizeof path, "%s/share/sluice/machines/%s.yaml", library, name) >=
	    (int)sizeof path)
		return NULL;
	return machine_load(path, NULL);
}

static bool start_machine(struct runtime *rt, struct error *err)
{
	const char *name = setting(ENV_MACHINE);
	name = name ? name : "h200";
	rt->machine = machine_load(name, err);
	if (!rt->machine && !strchr(name, '/'))
		rt->machine = load_installed_machine(name);
	if (rt->machine)
		properties_fill(&rt->properties, rt->machine, registry_target(&rt->registry));
	return rt->machine != NULL;
}

static bool start_record(struct runtime *rt, struct error *err)
{
	const char *record = setting(ENV_RECORD), *times = setting(ENV_LAUNCH_SECONDS);
	uint64_t limit = 0;
	if (times && times_read(&rt->times, times, err))
		return false;
	if (!record || getpid() != rt->process)
		return true;
	if (!recording_window_read(rt, err) || !setting_number(ENV_RECORD_LIMIT, INT64_MAX, &limit, err))
		return false;
	rt->recorder = recorder_new(record, err);
	if (rt->recorder)
		recorder_limit(rt->recorder, limit, recording_window_too_large, rt);
	return rt->recorder != NULL;
}

static bool start(struct runtime *rt, struct error *err)
{
	uint64_t registers = 0;
	rt->limits = default_limits;
	if (!setting_number(ENV_MAXRREGCOUNT, 255, &registers, err) || !start_machine(rt, err) ||
	    !start_record(rt, err))
		return false;
	rt->register_limit = (uint32_t)registers;
	rt->limits.persisting_l2_bytes =
	    (size_t)rt->properties.l2CacheSize / 16 * 3; /* as an H200's driver */
	rt->window_bytes = rt->properties.totalGlobalMem + pinned_window_bytes;
	rt->memory = device_memory_new(rt->window_bytes, err);
	return rt->memory != NULL;
}

static bool switched_on(const char *name)
{
	const char *value = setting(name);
	return value && strcmp(value, "0") != 0;
}

static void warn(void *rt, const char *text)
{
	(void)rt;
	runtime_say("warning: %s", text);
}

struct exec *runtime_exec(struct runtime *rt)
{
	if (rt->exec)
		return rt->exec;
	struct error err = {0};
	struct exec_options options = {
	    .warp_size = rt->machine->sm_warp_size,
	    .sm_count = rt->machine->sm_count,
	    .ctas_per_sm = rt->machine->sm_ctas,
	    .spin_budget = default_spin_budget,
	    .stack_bytes =
	        (uint32_t)(rt->limits.stack_bytes < STACK_LEAST ? STACK_LEAST : rt->limits.stack_bytes),
	    .heap_bytes = rt->limits.heap_bytes,
	    .place_variable = registry_place,
	    .launch_child = child_accept,
	    .user = rt,
	    .check_races = switched_on(ENV_CHECK_RACES),
	    .lenient_memory = switched_on(ENV_LENIENT_MEMORY),
	    .warn = warn,
	};
	if (setting_number(ENV_SPIN_BUDGET, UINT64_MAX, &options.spin_budget, &err))
		rt->exec = exec_new(rt->memory, &options, &err);
	if (!rt->exec) {
		runtime_say("%s", err.text);
		rt->start_error = cudaErrorInitializationError;
	}
	return rt->exec;
}

/* ---- calls ---------------------------------------------------------------------------------------------- */

bool runtime_is_inside(void)
{
	return the_thread.inside != 0;
}

struct runtime *runtime_lock(void)
{
	pthread_mutex_lock(&the_runtime.lock);
	the_thread.inside++;
	return &the_runtime;
}

void runtime_unlock(struct runtime *rt)
{
	the_thread.inside--;
	pthread_mutex_unlock(&rt->lock);
}

struct runtime *runtime_enter(void)
{
	struct runtime *rt = runtime_lock();
	if (!rt->is_started) {
		struct error err = {0};
		rt->is_started = true;
		if (!start(rt, &err)) {
			rt->start_error = cudaErrorInitializationError;
			runtime_say("%s", err.text);
		}
	}
	return rt;
}

cudaError_t runtime_leave(struct runtime *rt, cudaError_t result)
{
	if (!the_thread.in_driver)
		the_thread.uses_runtime = rt->is_driver_started = true;
	runtime_unlock(rt);
	if (result)
		the_thread.last_error = result;
	return result;
}

cudaError_t runtime_ready(const struct runtime *rt)
{
	if (rt->start_error)
		return rt->start_error;
	return rt->is_closed ? cudaErrorCudartUnloading : rt->sticky;
}

cudaError_t runtime_waited(struct runtime *rt)
{
	cudaError_t unrun = rt->unrun;
	rt->unrun = cudaSuccess;
	return unrun;
}

/* ---- end ------------------------------------------------------------------------------------------------ */

void runtime_reset(struct runtime *rt)
{
	texture_objects_clear(rt);
	surface_objects_clear(rt);
	registry_reset(rt);
	pools_clear(rt);
	captures_clear(rt);
	graphs_clear(rt);
	streams_clear(rt);
	events_clear(rt);
	managed_hints_clear(rt);
	handle_clear(&rt->handles);
	device_memory_release_tagged(rt->memory);
	rt->pinned_bytes = 0;
}

static void close_recorder(struct runtime *rt)
{
	struct error err = {0};
	if (rt->recorder && setting(ENV_REPORT))
		rt->sources = recorder_sources(rt->recorder);
	if (rt->recorder && !recorder_finish(rt->recorder, &err)) {
		runtime_say("%s", err.text);
		rt->fault = err;
	}
	rt->recorder = NULL;
}

/* The executor and its modules go after the recorder, which refers to them. */
static void close_exec(struct runtime *rt)
{
	if (!rt->exec)
		return;
	for (unsigned i = 0; exec_race(rt->exec, i); i++)
		runtime_say("%s", exec_race(rt->exec, i));
	rt->totals = exec_totals(rt->exec);
	registry_unload_all(rt);
	exec_free(rt->exec);
	rt->exec = NULL;
}

void runtime_close(struct runtime *rt)
{
	if (rt->is_closed || getpid() != rt->process)
		return;
	rt->is_closed = true;
	close_recorder(rt);
	close_exec(rt);
	window_free(rt->window.window);
	rt->window.window = NULL;
	if (rt->failed.count)
		runtime_say("%" PRIu64 " of the launches of this program failed, first launch %" PRIu64
		            ", of %s; what the program printed since then may be wrong",
		            rt->failed.count, rt->failed.first, rt->failed.kernel);
	if (setting(ENV_REPORT))
		report_write(rt, setting(ENV_REPORT));
}

/* A child has a copy of everything; recording and report stay with the parent. */
static void after_fork_in_child(void)
{
	the_runtime.recorder = NULL;
	runtime_unlock(&the_runtime);
}

static void before_fork(void)
{
	runtime_lock();
}

static void after_fork_in_parent(void)
{
	runtime_unlock(&the_runtime);
}

__attribute__((constructor)) static void library_loaded(void)
{
	the_runtime.process = getpid();
	pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
}

/* After main(), exit handlers and static destructors: nothing of the program runs any more. */
__attribute__((destructor)) static void library_unloaded(void)
{
	if (runtime_is_inside())
		return;
	struct runtime *rt = runtime_lock();
	bool has_failed = rt->failed.count && getpid() == rt->process;
	runtime_close(rt);
	runtime_unlock(rt);
	if (has_failed && setting(ENV_FAULT_STATUS)) {
		fflush(NULL);
		_exit(atoi(setting(ENV_FAULT_STATUS)));
	}
}
