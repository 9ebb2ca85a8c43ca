/*
 * Execution of a plan: record programs, find runs in the database, and simulate the rest in a pool of processes. A run
 * is stored as soon as it ends.
 */
#ifndef SLUICE_PAPERS_PLAN_EXECUTE_H
#define SLUICE_PAPERS_PLAN_EXECUTE_H

#include "papers/experiment/values.h"
#include "papers/plan/plan.h"
#include "store/store.h"

struct execution {
	struct plan *plan;
	struct store *store;
	size_t jobs;     /* processes at once */
	bool again;      /* simulate runs even if they are in the database */
	FILE *log;       /* progress and messages */
	const char *who; /* "sluice reproduce", for messages */
	/*
	 * Simulates the open jobs on other hosts; NULL: a pool of processes here. *detached: some are still running.
	 * False: err says why; collected results are kept.
	 */
	bool (*elsewhere)(struct execution *e, const void *user, bool *detached, struct error *err);
	const void *elsewhere_user;
	/* Results: */
	size_t found, simulated, failed;
	double seconds;
	int interrupted; /* signal; 0: none */
	bool detached;   /* runs are still running elsewhere: there is nothing to report yet */
};

/* Execute a plan. False: err says why not all was done; finished runs are kept. A failed run is no such reason. */
bool execute(struct execution *e, struct error *err);
/* Return warp instructions per second of one process from the runs of a database; NULL or none: a guess. */
double execute_speed(struct store *store);
/* Parts of execute(): record programs and import traces. */
bool execute_recordings(struct execution *e, struct error *err);
/* Find the facts of traces that figures ask for. */
bool execute_facts(struct execution *e, struct error *err);
/* Set the keys of open jobs and mark those that are in the database. Return how many are left to simulate. */
size_t execute_find(struct execution *e);
/* Store the outcome of a job and set its state. */
void execute_take(struct execution *e, struct job *job, struct outcome *outcome);
/* Choose the best candidate of every cell that has several, leaving out failed runs. */
void execute_choose(struct execution *e);
/* Return the cells of an execution for values.h; execute_cells_free() frees them. */
struct cells execute_cells(struct execution *e);
void execute_cells_free(struct cells *cells);

#endif
