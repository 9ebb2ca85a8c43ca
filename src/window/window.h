/*
 * Launch windows, as profilers have them: which launches of a program are recorded, and which of a trace are simulated.
 *
 * A launch is wanted if its number is in the list, its name matches, the profiler is on and the range of NVTX is open;
 * of those, the first `skip` are left out and at most `count` are taken. Options become one text, lines KEY=VALUE, which
 * goes to the runtime in SLUICE_WINDOW, into the keys of recordings and results, and to other processes.
 */
#ifndef SLUICE_WINDOW_WINDOW_H
#define SLUICE_WINDOW_WINDOW_H

#include "base/args.h"
#include "window/kernels.h"

/* As given on a command line, in a file or by a caller; NULL, 0 and false: not given. */
struct window_options {
	const char *launches; /* "5-8" */
	uint64_t skip, count;
	const char *kernel_name; /* POSIX extended regular expression */
	const char *nvtx;        /* name of a range */
	const char
	    *profile_from_start; /* "on", "off": only between cudaProfilerStart() and cudaProfilerStop() */
	bool then_run;           /* the program goes on after the last wanted launch */
	uint64_t max_insns;    /* the recording ends with the launch that passes so many warp instructions */
	uint64_t record_limit; /* bytes; not part of the text */
};

/* Lines of a table of options; w: struct window_options *. */
#define WINDOW_ARGS(w)                                                                                       \
	{"--launches", "LIST", "only these launches, numbered from 1: 5-8 or 1,3,7- (all)",                  \
	 .text = &(w)->launches},                                                                            \
	    {"--launch-skip",      "N",      "leave out the first N launches of those that match (0)",       \
	     .number = &(w)->skip, .min = 0, .max = UINT32_MAX},                                             \
	    {"--launch-count",      "N",      "at most N launches of those that match (no limit)",           \
	     .number = &(w)->count, .min = 1, .max = UINT32_MAX},                                            \
	    {"--kernel-name", "REGEX", "only kernels whose name, demangled or mangled, matches (all)",       \
	     .text = &(w)->kernel_name},                                                                     \
	    {"--nvtx", "RANGE", "only launches inside the NVTX range of this name", .text = &(w)->nvtx},     \
	    {"--profile-from-start", "on|off",                                                               \
	     "off: only launches between cudaProfilerStart() and cudaProfilerStop() (on)",                   \
	     .text = &(w)->profile_from_start},                                                              \
	    {"--then-run", NULL, "let the program go on after the last launch that is recorded",             \
	     .flag = &(w)->then_run},                                                                        \
	{                                                                                                    \
		"--record-limit", "BYTES", "largest recording, e.g. 500M, 100G (32G)",                       \
		    .number = &(w)->record_limit, .min = 1, .max = INT64_MAX                                 \
	}

/* Whether the options choose launches; the bound of instructions alone chooses none. */
bool window_options_choose(const struct window_options *options);
/* The text; empty if all launches are wanted. The caller frees it. NULL: err says which option is wrong. */
char *window_text(const struct window_options *options, struct error *err);

struct window;
/* NULL: err. */
struct window *window_new(const char *text, struct error *err);
void window_free(struct window *window); /* NULL is allowed */

struct window_launch {
	uint64_t number;               /* from 1 */
	const char *name;              /* mangled, as traces have it */
	bool is_profiled, is_in_range; /* cudaProfilerStart() came; the range is open */
};
/* Whether the launch is wanted; nothing is counted yet. */
bool window_wants(const struct window *window, const struct window_launch *launch);
/* The launch was made, wanted or not. */
void window_count(struct window *window, const struct window_launch *launch);
/* No launch behind `number` can be wanted any more. */
bool window_is_over(const struct window *window, uint64_t number);
/* The recording holds as many warp instructions as it may. */
bool window_is_full(const struct window *window, uint64_t warp_insns);

const char *window_nvtx(const struct window *window); /* NULL: any */
bool window_starts_off(const struct window *window);  /* --profile-from-start off */
bool window_then_runs(const struct window *window);
/* Only a program can tell which launches are wanted, a trace cannot. */
bool window_needs_program(const struct window *window);
/* Every launch of the list exists; see kernels_check(). */
bool window_check(const struct window *window, const char *whose, uint64_t launches, struct error *err);
/* What was asked for, for messages: "--launches 5-8 --kernel-name gemm". */
const char *window_words(const struct window *window);

#endif
