/*
 * The window of a recording at run time.
 *
 * What lies before it is executed without a recorder. Behind its last launch a program is ended as by _exit(0): what it
 * wrote to stdio and std::cout is flushed, handlers of exit() and destructors are not called, since they may wait for
 * threads that wait for us. With --then-run it goes on, unrecorded.
 */
#define _GNU_SOURCE /* RTLD_DEFAULT */
#include "cudart/window.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/environment.h"
#include "cudart/state.h"

bool recording_window_read(struct runtime *rt, struct error *err)
{
	struct recording_window *w = &rt->window;
	const char *text = inputs_variable(ENV_WINDOW);
	if (w->is_read)
		return true;
	w->is_read = true;
	if (text && *text && !(w->window = window_new(text, err)))
		return false;
	w->is_profiled = !w->window || !window_starts_off(w->window);
	return true;
}

/* ---- launches -------------------------------------------------------------------------------------------- */

bool recording_window_wants(struct runtime *rt, const char *name, struct window_launch *launch)
{
	const struct recording_window *w = &rt->window;
	*launch = (struct window_launch){.number = exec_totals(rt->exec).launches + 1,
	                                 .name = name,
	                                 .is_profiled = w->is_profiled,
	                                 .is_in_range = w->open_ranges || runtime_thread()->ranges.wanted};
	return rt->recorder && !w->is_over && (!w->window || window_wants(w->window, launch));
}

/*
 * std::cout keeps bytes of its own after sync_with_stdio(false). In a program without <iostream> it is there and was never
 * constructed: its first word, which points to its virtual functions, is NULL then.
 */
static void flush_output(void)
{
	typedef void *flush_fn(void *);
	void *cout = dlsym(RTLD_DEFAULT, "_ZSt4cout"), *found = dlsym(RTLD_DEFAULT, "_ZNSo5flushEv");
	flush_fn *flush;
	memcpy(&flush, &found, sizeof flush);
	if (cout && *(void **)cout && flush)
		flush(cout);
	fflush(NULL);
}

static _Noreturn void end_program(struct runtime *rt, int status)
{
	flush_output();
	runtime_close(rt);
	flush_output();
	_exit(status);
}

void recording_window_done(struct runtime *rt, const struct window_launch *launch, bool was_recorded)
{
	struct recording_window *w = &rt->window;
	if (!rt->recorder || w->is_over || exec_totals(rt->exec).launches < launch->number)
		return;
	w->recorded += was_recorded;
	if (!w->window)
		return;
	window_count(w->window, launch);
	bool is_full = window_is_full(w->window, recorder_insns(rt->recorder));
	w->is_over = is_full || window_is_over(w->window, launch->number);
	if (!w->is_over || window_then_runs(w->window))
		return;
	w->last = launch->number;
	w->why_end = is_full ? "the recording holds the instructions asked for (--max-insns)"
	                     : "it was the last one asked for";
	end_program(rt, 0);
}

cudaError_t recording_window_profile(struct runtime *rt, bool on)
{
	struct error ignored;
	recording_window_read(rt, &ignored);
	rt->window.is_profiled = on || !rt->window.window || !window_starts_off(rt->window.window);
	return cudaSuccess;
}

void recording_window_too_large(void *user)
{
	end_program(user, EXIT_FAILURE);
}

/* ---- ranges, from include/cuda/nvToolsExt.h ------------------------------------------------------------------ */

static bool is_wanted_range(struct runtime *rt, const char *name)
{
	struct error ignored;
	recording_window_read(rt, &ignored);
	const char *wanted = rt->window.window ? window_nvtx(rt->window.window) : NULL;
	return wanted && name && !strcmp(wanted, name);
}

SLUICE_API int sluice_nvtx_push(const char *name);
int sluice_nvtx_push(const char *name)
{
	struct runtime *rt = runtime_lock();
	struct range_stack *stack = &runtime_thread()->ranges;
	if (stack->depth < RANGE_DEPTH_MAX && is_wanted_range(rt, name))
		stack->wanted |= UINT64_C(1) << stack->depth;
	int depth = (int)stack->depth++;
	runtime_unlock(rt);
	return depth;
}

SLUICE_API int sluice_nvtx_pop(void);
int sluice_nvtx_pop(void)
{
	struct range_stack *stack = &runtime_thread()->ranges;
	if (!stack->depth)
		return -1;
	stack->depth--;
	if (stack->depth < RANGE_DEPTH_MAX)
		stack->wanted &= ~(UINT64_C(1) << stack->depth);
	return (int)stack->depth;
}

/* The lowest bit of a range's number says whether it is the wanted one. */
SLUICE_API uint64_t sluice_nvtx_start(const char *name);
uint64_t sluice_nvtx_start(const char *name)
{
	struct runtime *rt = runtime_lock();
	uint64_t is_wanted = is_wanted_range(rt, name);
	rt->window.open_ranges += (uint32_t)is_wanted;
	uint64_t id = ++rt->window.ranges_started << 1 | is_wanted;
	runtime_unlock(rt);
	return id;
}

SLUICE_API void sluice_nvtx_end(uint64_t id);
void sluice_nvtx_end(uint64_t id)
{
	struct runtime *rt = runtime_lock();
	if ((id & 1) && rt->window.open_ranges)
		rt->window.open_ranges--;
	runtime_unlock(rt);
}
