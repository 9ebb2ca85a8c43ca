/* What `sluice compare`, `tune` and `advise` share: one program or trace, simulated many times. */
#ifndef SLUICE_CLI_STUDY_H
#define SLUICE_CLI_STUDY_H

#include "cli/command.h"
#include "study/batch.h"
#include "study/compare/compare.h"

enum { STUDY_MAX_JOBS = 1024 };

struct study {
	const struct command *command;
	const char *machine, *kernel, *json;
	const char *other_output; /* a file of the command, which may be standard output; NULL: none */
	uint64_t jobs, max_insns, memory;
	bool cold_l2, help;
	struct arg_texts changes;
	struct kernels kernels;
	struct input input;
	struct trace *trace;
	/* Filled by study_open(). */
	struct run_options options;
	struct run_program facts_program;
	struct compare_facts facts;
	struct batch batch;
	char words_text[1024], changes_text[1024];
	double start_s;
};

/* Lines of a table of options; s: struct study *. */
#define STUDY_ARGS(s)                                                                                        \
	MEMORY_ARG((s)->memory),                                                                             \
	    {"--machine", "M", "machine: a name from 'sluice machine list' or a file (h200)",                \
	     .text = &(s)->machine},                                                                         \
	    {"--set", "KEY=VALUE", "change a value of the machine, e.g. l1d.ways=8; may be repeated",        \
	     .texts = &(s)->changes},                                                                        \
	    {"--kernel", "LIST", "launches to simulate, numbered from 1: 2 or 1,3,5-7 (all)",                \
	     .text = &(s)->kernel},                                                                          \
	    {"--max-insns",                                                                                  \
	     "N",                                                                                            \
	     "stop each run after N warp instructions, e.g. 500K, 20M (no limit)",                           \
	     .number = &(s)->max_insns,                                                                      \
	     .min = 1,                                                                                       \
	     .max = INT64_MAX},                                                                              \
	    {"--cold-l2", NULL, "empty L2 before every launch, not only the first", .flag = &(s)->cold_l2},  \
	    {"--jobs",                                                                                       \
	     "N",                                                                                            \
	     "processes at once (one per processor)",                                                        \
	     .number = &(s)->jobs,                                                                           \
	     .min = 1,                                                                                       \
	     .max = STUDY_MAX_JOBS},                                                                         \
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output",                    \
	     .text = &(s)->json},                                                                            \
	    RECORDING_ARGS(&(s)->input.program),                                                             \
	{                                                                                                    \
		"--help", NULL, "this text", .flag = &(s)->help                                              \
	}

struct study study_new(const struct command *command);
/* Parse the command line and find the target. False: *rc is the exit status. */
bool study_parse(struct study *study, int argc, char **argv, const struct arg *args, size_t count, int *rc);
/* The configuration of one run: the study's machine under `policy`. */
bool study_load(const struct study *study, struct config *config, const char *policy, struct error *err);
/* Record the program or open the trace, and print warnings; `machine` must outlive the study. */
bool study_open(struct study *study, const struct machine *machine, struct error *err);
/* Standard output, or standard error if JSON goes there. */
FILE *study_output(const struct study *study);
/* Print how much was simulated to standard error; false if standard output could not be written. */
bool study_finish(struct study *study, size_t runs, struct error *err);
void study_free(struct study *study);
int study_fail(const struct study *study, const struct error *err);

#endif
