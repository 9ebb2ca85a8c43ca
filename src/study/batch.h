/*
 * Batches: one trace under many configurations, each in a process of its own. What was
 * simulated before is found in the results database, where every run goes.
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
	/*
	 * What json_write_run() says of the run, less what says nothing of its outcome (format, version, run,
	 * definitions); NULL: not run yet.
	 */
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
 * Fills the results of runs[which[0..count)] that have none. A process that
 * fails ends the others, and err says which; what has ended is kept. Our own
 * process must have no threads but this one.
 */
bool batch_simulate(struct batch *batch, struct batch_run *runs, const size_t *which, size_t count,
                    struct error *err);
/* False: err says that finished runs could not be kept. */
bool batch_close(struct batch *batch, struct error *err);
void batch_runs_free(struct batch_run *runs, size_t count);

#endif
