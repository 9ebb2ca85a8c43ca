/* What `sluice run` and `sluice record` share: options of recording, what is shown of a program. */
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
	{                                                                                                    \
		"--maxrregcount", "N", "most registers per thread (as compiled)",                            \
		    .number = &(r)->max_registers, .min = 16, .max = 255                                     \
	}

/* For args_divide(): a file that can be run, a workload's name, or a name of nothing, which target_find() refuses. */
bool recording_is_program(const char *word);
/* Says on standard error that a file of the workload's name was not meant; `command` is ours: "run". */
void recording_note_target(const char *command, const struct target *target);
/*
 * Records, or finds the recording, passes on what the program printed (unless
 * it asks for times: what it prints then is not final) and opens the trace.
 * NULL: err says why; what the program printed is passed on all the same.
 */
struct trace *recording_open(const struct program_request *request, struct program_run *run, FILE *out,
                             struct error *err);
/* Passes on "stem.stdout" and "stem.stderr", or "stdout" and "stderr" for an empty stem. */
bool recording_show(const struct program_run *run, const char *stem, FILE *out, struct error *err);
/* The line between what the program printed and what we print, and how the program ended if it failed. */
void recording_print_line(FILE *out, const struct program_run *run);

#endif
