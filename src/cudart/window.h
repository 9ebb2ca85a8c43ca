/*
 * Which launches are recorded: the window of SLUICE_WINDOW, asked before every launch; and the end of a program of which
 * no more launches are wanted.
 */
#ifndef SLUICE_CUDART_WINDOW_H
#define SLUICE_CUDART_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "cudart/api.h"
#include "window/window.h"

struct runtime;

struct recording_window {
	struct window *window; /* NULL: all launches */
	bool is_read;          /* from the environment */
	bool is_profiled;      /* cudaProfilerStart() came last, or nothing did */
	bool is_over;          /* the last wanted launch has been recorded */
	uint32_t open_ranges;  /* process ranges of NVTX that are open and have the wanted name */
	uint64_t ranges_started;
	uint64_t recorded;   /* launches */
	uint64_t last;       /* the launch after which the program was ended; 0: it was not */
	const char *why_end; /* "the last one asked for" */
};

/* Per thread: the ranges that nvtxRangePush() opened, a bit for each that has the wanted name. */
enum { RANGE_DEPTH_MAX = 64 };
struct range_stack {
	uint64_t wanted;
	uint32_t depth;
};

/* Launches that did not run to their end: said once more when the program ends. */
struct launch_failures {
	uint64_t count, first; /* first: from 1 */
	char kernel[256];
};

/* Reads the window once; false: err. */
bool recording_window_read(struct runtime *rt, struct error *err);
/* Whether the launch that comes next is recorded; `launch` is filled for recording_window_done(). */
bool recording_window_wants(struct runtime *rt, const char *name, struct window_launch *launch);
/* The launch has run. It may not return: the program is ended after the last wanted launch. */
void recording_window_done(struct runtime *rt, const struct window_launch *launch, bool was_recorded);
/* cudaProfilerStart() and cudaProfilerStop(). */
cudaError_t recording_window_profile(struct runtime *rt, bool on);
/* The recording has become too large: says so and ends the program. For recorder_limit(). */
void recording_window_too_large(void *rt);

#endif
