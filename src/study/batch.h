/*
 * Batches: one trace under many configurations, each in its own process. Every result goes to the results database;
 * results that are there already are reused.
 */
#ifndef SLUICE_STUDY_BATCH_H
#define SLUICE_STUDY_BATCH_H

#include <jansson.h>

#include "base/progress.h"
#include "run/run.h"

struct store;

struct batch_run {
	struct config config;
	char *
	    changes; /* to the machine, for the database, where they are not the batch's; freed with the run */
	/* The document of json_write_run() without format, version, run and definitions; NULL: not run yet. */
	json_t *result;
};

struct batch {
	const struct trace *trace;
	const char *name, *arguments,
	    *changes;     /* for the database: the program, its words, changes to the machine */
	const char *look; /* what to look at (look_new()); NULL: nothing */
	const struct run_options *options; /* progress and threads are not used */
	size_t jobs;                       /* processes at once */
	bool again;                        /* simulate even what is found */
	FILE *progress;                    /* where the share of the work is shown, if it is a terminal */
	size_t simulated;                  /* so far, by all calls */
	int interrupted;                   /* the signal that ended the work; 0: none */
	struct store *store;               /* opened by the first call, closed by batch_close() */
	uint64_t digest[2];                /* of the trace, filled by the first call */
};

/*
 * Fill the results of runs[which[0..count)] that have none. If a process fails, the others end, err says which failed, and
 * completed runs are kept. The calling process must have a single thread.
 */
bool batch_simulate(struct batch *batch, struct batch_run *runs, const size_t *which, size_t count,
                    struct error *err);
/* Return a counter of all launches; 0 if the result has none of that name. */
double batch_counter(const json_t *result, const char *name);
/* Return whether the run ended without progress. */
bool batch_is_stuck(const json_t *result);
/* Close the database. False: err says that completed runs could not be stored. */
bool batch_close(struct batch *batch, struct error *err);
void batch_runs_free(struct batch_run *runs, size_t count);

#endif
