/* The internals of libsluice. Every failure, of input, memory or an internal error, becomes a struct sluice_error. */
#ifndef SLUICE_API_API_H
#define SLUICE_API_API_H

#include <stdatomic.h>

#include "record/program.h"
#include "report/run_json.h"
#include "run/run.h"
#include "workload/target.h"
#include <sluice/sluice.h>

/* ---- guard.c: errors and progress ---- */

/* Arguments of the caller's progress function, and its answer. */
struct ticker {
	sluice_progress_function *function; /* NULL: no progress is reported */
	void *user;
	struct sluice_progress progress;
	bool cancelled;
};
/* False: cancelled, now or before. */
bool ticker_tick(struct ticker *ticker, enum sluice_phase phase, uint64_t done);
bool ticker_go_on(void *ticker); /* the same, with unchanged progress */

/* Fills *to if it is not NULL; always false. */
bool fail(struct sluice_error *to, enum sluice_code code, const char *text);
/*
 * Calls work(argument), which says whether it succeeded, inside a trap (base/trap.h). False: *to says why; the text is
 * that of *err where the work itself gave up. After SLUICE_NO_MEMORY or SLUICE_INTERNAL nothing that the work made may be
 * touched.
 */
bool guard(bool (*work)(void *argument, struct error *err), void *argument, const struct ticker *ticker,
           struct sluice_error *to);
/* A caller's struct of another version, as ours: what it does not have is zero. False: its size is that of no version. */
bool read_options(void *to, size_t size, const void *from, struct sluice_error *error);

/* ---- handles: counted, since results refer to traces and machines ---- */

struct sluice_trace {
	atomic_uint references;
	struct trace *trace;
	struct target target;
	char name[256], path[PATH_MAX];
	bool is_program;
	struct program_run recording; /* of a program */
	char *window;                 /* text of the launch window, if it is to be chosen from a trace */
	char stdout_path[PATH_MAX], stderr_path[PATH_MAX];
};
/* What is to be chosen from the trace, for run_options; and those options alone. */
const char *trace_window(const struct sluice_trace *trace);
struct sluice_trace *trace_share(const struct sluice_trace *trace);

enum { WARNINGS_KEPT = 8 };
struct sluice_machine {
	atomic_uint references;
	struct machine *machine;
	char *name; /* as it was given; a file by its whole path */
	char **changes;
	size_t change_count;
	struct error warning[WARNINGS_KEPT];
	size_t warnings;
};
struct sluice_machine *machine_share(const struct sluice_machine *machine);

/* ---- results ---- */

struct series {
	size_t launch, count;
	char *name;
	double *value;
	struct series *next;
};

struct sluice_result {
	struct sluice_trace *trace;
	struct sluice_machine *machine;
	/* Simulated in this process: everything that json_write_run() wants, for when it is asked for. */
	struct config config; /* the machine belongs to `machine` */
	struct look *look;
	struct kernels kernels;
	struct run_options options;
	struct run_result run;
	/* Simulated in another: the document. */
	json_t *document;
	char *json; /* NULL: not asked for yet */
	/* Both. */
	const char *status, *policy;
	size_t launches;
	struct sluice_launch *launch;
	struct counters *counters; /* of the launches, then of all */
	double *metrics;           /* METRIC_COUNT of each */
	struct series *series;     /* that were asked for */
};
/* Fills what both kinds have from `run`, or from `document`; false: that is not a run's. */
void result_from_run(struct sluice_result *result);
bool result_from_document(struct sluice_result *result);

/* isolated.c: the run in a process of its own. False: *error says why. */
bool run_isolated(struct sluice_result *result, const struct sluice_run_options *options,
                  struct sluice_error *error);

/* worker.c: the other end, for `sluice`. Reads a request from `in`, answers to `out`; returns the exit status. */
int api_work(int in, int out);
/* Messages from there: what it is, and how many bytes follow. */
enum answer_kind { ANSWER_PROGRESS, ANSWER_ERROR, ANSWER_RESULT };
struct api_answer {
	uint32_t kind, code;
	uint64_t bytes;
};

#endif
