/*
 * Programs: a CUDA program is run once, and its trace, its output and its exit
 * status are kept in an entry of the cache. The entry is used again while
 * program, arguments, input files and machine are the same.
 */
#ifndef SLUICE_RECORD_PROGRAM_H
#define SLUICE_RECORD_PROGRAM_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "trace/trace.h"
#include "window/window.h"

enum program_kind {
	PROGRAM_NONE, /* nothing that could be run: a trace, by its name or its bytes; a folder; no such file */
	PROGRAM_EXECUTABLE, /* links Sluice's runtime */
	PROGRAM_FOREIGN,    /* another executable or a script: run only if it is named as a program */
	PROGRAM_SOURCE,     /* a .cu file, to be compiled first */
	PROGRAM_PTX         /* a .ptx file: sluice-ptx loads it and launches a kernel of it */
};
/* Tell the kind from name and bytes; nothing is executed. */
enum program_kind program_kind_of(const char *path);

struct program_request {
	const char *path;
	char **args; /* behind its name */
	size_t arg_count;
	const char *machine; /* name or file of the machine that the program sees */
	bool again;          /* run it even if it was recorded before */
	bool is_program;     /* named as a program: run it whatever it is */
	bool check_races;
	bool lenient_memory;
	uint64_t spin_budget;         /* 0: the runtime's own */
	uint64_t max_registers;       /* per thread; 0: as compiled */
	uint64_t fault_status;        /* of the commands, if a kernel failed; 0: the usual one */
	struct window_options window; /* the launches to record */
	const char *
	    exact_window; /* text of the window instead; a recording of all launches does not do. NULL: none */
	bool quiet;       /* messages of a compiler go into the error, not to standard error */
	/* Called several times a second while something is compiled or executed; false ends that. May be NULL. */
	bool (*go_on)(void *user);
	void *user;
};

struct program_run {
	char folder[PATH_MAX]; /* of the entry */
	bool executed;         /* now; else found */
	int exit_status;       /* of the program; 128 + signal if one killed it */
	int signal;            /* 0: none */
	bool reads_times;      /* the program asks how long kernels took */
	uint64_t launches, warp_insns, races;
	uint64_t recorded; /* of the launches */
	uint64_t ended;    /* the launch after which the program was ended; 0: it went on to its end */
	char ended_why[128];
	bool is_part;     /* the trace holds a window of the launches, under the program's numbers */
	char *window;     /* what is left to choose from the trace: the text of a window; NULL: nothing */
	char fault[1024]; /* what ended a launch early; empty: nothing */
};

/*
 * Find the recording or make it. On false, err says why there is none; if the
 * program ran, run->folder holds what it printed until program_drop().
 */
bool program_record(const struct program_request *request, struct program_run *run, struct error *err);
/* The same, then open the trace; a damaged entry is made again. */
struct trace *program_open(const struct program_request *request, struct program_run *run, struct error *err);
/* Return whether the program ended with a status or by a signal, or one of its launches ended early. */
bool program_failed(const struct program_run *run);
void program_drop(struct program_run *run);
/* Free what a run holds; its entry stays. */
void program_run_free(struct program_run *run);

/* Return the path of a file of the entry: "trace.sluice", "stdout", "stderr". */
const char *program_file(const struct program_run *run, const char *name, char path[PATH_MAX]);
/* Copy a file of the entry to a stream; a missing file counts as empty. */
bool program_forward(const struct program_run *run, const char *name, FILE *to, struct error *err);

/*
 * Run the program again without recording, with the given seconds for each
 * launch, unless it did so before. Its output is then in the files
 * "timed-....stdout" and ".stderr", whose common beginning is stored in `stem`.
 */
bool program_run_timed(const struct program_request *request, const struct program_run *run,
                       const double *seconds, size_t count, char stem[64], struct error *err);

#endif
