/* What `sluice run` and `sluice record` share: options of recording, the output of a program. */
#ifndef SLUICE_CLI_RECORDING_H
#define SLUICE_CLI_RECORDING_H

#include "base/args.h"
#include "record/program.h"
#include "trace/trace.h"
#include "workload/target.h"

enum { RECORDING_FAILED = 4 /* exit status: the program itself failed */ };

/* Lines of a table of options; r: struct program_request *. */
#define RECORDING_ARGS(r)                                                                                    \
	{"--program", NULL, "before PROGRAM: run it although it does not link the runtime of sluice",        \
	 .flag = &(r)->is_program, .names_program = true},                                                   \
	    {"--again", NULL, "run the program again even if a recording exists", .flag = &(r)->again},      \
	    {"--check-races", NULL, "check for shared-memory races while recording",                         \
	     .flag = &(r)->check_races},                                                                     \
	    {"--lenient-memory", NULL, "allow reads just outside an allocation, with one warning per place", \
	     .flag = &(r)->lenient_memory},                                                                  \
	    {"--spin-budget",                                                                                \
	     "N",                                                                                            \
	     "most warp instructions that CTAs may spin without progress",                                   \
	     .number = &(r)->spin_budget,                                                                    \
	     .min = 1,                                                                                       \
	     .max = INT64_MAX},                                                                              \
	    {"--fault-status",                                                                               \
	     "N",                                                                                            \
	     "exit status if a kernel failed, whatever the program returns (4)",                             \
	     .number = &(r)->fault_status,                                                                   \
	     .min = 1,                                                                                       \
	     .max = 255},                                                                                    \
	    WINDOW_ARGS(&(r)->window),                                                                       \
	{                                                                                                    \
		"--maxrregcount", "N", "most registers per thread (as compiled)",                            \
		    .number = &(r)->max_registers, .min = 16, .max = 255                                     \
	}

/* For args_divide(): true for an executable file, the name of a workload, and an unknown name, which target_find() refuses. */
bool recording_is_program(const char *word);
/* Note on standard error that a file has the name of the chosen workload; `command` is "run" or the like. */
void recording_note_target(const char *command, const struct target *target);
/*
 * Record the program, or find its recording, pass on its output and open the trace. The output of a program that reads
 * times is not final and is not passed on. NULL: err says why; the output is passed on nevertheless.
 */
struct trace *recording_open(const struct program_request *request, struct program_run *run, FILE *out,
                             struct error *err);
/* Pass on "stem.stdout" and "stem.stderr", or "stdout" and "stderr" for an empty stem. */
bool recording_show(const struct program_run *run, const char *stem, FILE *out, struct error *err);
/* Print the line between the output of the program and ours, and how the program ended if it failed. */
/* The exit status that a program deserves: 0, or 4, or that of --fault-status. */
int recording_status(const struct program_request *request, const struct program_run *run);
void recording_print_line(FILE *out, const struct program_run *run);

#endif
