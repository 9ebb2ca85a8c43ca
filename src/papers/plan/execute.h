/*
 * Carrying out a plan: programs are recorded, what is in the database is found
 * there, the rest is simulated in a pool of processes, and every run is in the
 * database as soon as it has ended.
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
	bool again;      /* simulate what is found */
	FILE *log;       /* progress and messages */
	const char *who; /* "sluice reproduce", for messages */
	/*
	 * Simulates the open jobs elsewhere, in place of a pool of processes here. *detached: some are still under way.
	 * False: err says why; what was collected is kept. NULL: a pool.
	 */
	bool (*elsewhere)(struct execution *e, const void *user, bool *detached, struct error *err);
	const void *elsewhere_user;
	/* Filled: */
	size_t found, simulated, failed;
	double seconds;
	int interrupted; /* signal; 0: none */
	bool detached;   /* runs are still under way elsewhere: there is nothing to report yet */
};

/* False: err says why not all could be done; what has ended is kept. A run that fails does not make it false. */
bool execute(struct execution *e, struct error *err);
/* Warp instructions per second of one process, as far as the database has seen; NULL: a guess. */
double execute_speed(struct store *store);
/* Records programs and finds traces; part of execute(). */
bool execute_recordings(struct execution *e, struct error *err);
/* What traces alone say, for the figures that ask. */
bool execute_facts(struct execution *e, struct error *err);
/* Keys of jobs whose recording is there; those in the database are marked. Returns how many are left to simulate. */
size_t execute_find(struct execution *e);
/* Takes an outcome of a job: into the database, and its state. */
void execute_take(struct execution *e, struct job *job, struct outcome *outcome);
/* Chooses the best candidate of every cell that has several; those whose runs failed are passed over. */
void execute_choose(struct execution *e);
/* What a job's run has to say, for values.h. */
struct cells execute_cells(struct execution *e);
void execute_cells_free(struct cells *cells);

/* execute_progress.c: a line on a terminal, or a line per minute. */
struct meter {
	FILE *out;
	const char *what;
	bool terminal, shown;
	int program_fd; /* as in struct progress */
	double start_s, last_s;
	size_t total, done, failed;
	double work, work_done; /* instructions */
};
struct meter meter_start(FILE *out, const char *what, size_t total, double work);
void meter_show(struct meter *meter, size_t running);
void meter_end(struct meter *meter);

#endif
