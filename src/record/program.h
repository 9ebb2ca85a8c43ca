/*
 * Programs: a CUDA program is run once, and what it did is kept: its trace,
 * what it printed, how it ended. The entry lies in the cache and is found again
 * while program, arguments, input files and machine are the same.
 */
#ifndef SLUICE_RECORD_PROGRAM_H
#define SLUICE_RECORD_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/trace.h"

enum program_kind {
	PROGRAM_NONE, /* nothing that could be run: a trace, by its name or its bytes; a folder; no such file */
	PROGRAM_EXECUTABLE, /* links our runtime */
	PROGRAM_FOREIGN,    /* another executable or a script: run only if it is named as a program */
	PROGRAM_SOURCE      /* a .cu file, to be compiled first */
};
/* Looks at name and bytes; never executes anything. */
enum program_kind program_kind_of(const char *path);

struct program_request {
	const char *path;
	char **args; /* behind its name */
	size_t arg_count;
	const char *machine; /* name or file; what that the program sees */
	bool again;          /* run it even if it was recorded before */
	bool is_program;     /* named as a program: run it whatever it is */
	bool check_races;
	bool lenient_memory;
	uint64_t spin_budget;   /* 0: the runtime's own */
	uint64_t max_registers; /* per thread; 0: as compiled */
	bool quiet;             /* what a compiler says goes into the error, not to standard error */
	/* Asked several times a second while something is compiled or executed; false ends that. May be NULL. */
	bool (*go_on)(void *user);
	void *user;
};

struct program_run {
	char folder[PATH_MAX]; /* of the entry */
	bool executed;         /* now; else found */
	int exit_status;       /* of the program; 128 + signal if one killed it */
	int signal;            /* 0: none */
	bool reads_times;      /* it asks how long kernels took */
	uint64_t launches, warp_insns, races;
	char fault[1024]; /* what ended a launch early; empty: nothing */
};

/*
 * Finds the recording or makes it. False: err says why there is none; if the
 * program ran, run->folder still holds what it printed, until program_drop().
 */
bool program_record(const struct program_request *request, struct program_run *run, struct error *err);
/* The same, and opens the trace; an entry that turns out to be damaged is made again. */
struct trace *program_open(const struct program_request *request, struct program_run *run, struct error *err);
/* It ended with a status, by a signal, or a launch of it ended early, whatever the program made of that. */
bool program_failed(const struct program_run *run);
void program_drop(struct program_run *run);

/* Paths in the entry: "trace.sluice", "stdout", "stderr". */
const char *program_file(const struct program_run *run, const char *name, char path[PATH_MAX]);
/* Copies a file of the entry to a stream; a missing one is empty. */
bool program_forward(const struct program_run *run, const char *name, FILE *to, struct error *err);

/*
 * Runs the program again, without recording, with the given seconds for each
 * launch, unless it did so before. What it prints is then in the files
 * "timed-....stdout" and ".stderr", whose common beginning goes to `stem`.
 */
bool program_run_timed(const struct program_request *request, const struct program_run *run,
                       const double *seconds, size_t count, char stem[64], struct error *err);

#endif
