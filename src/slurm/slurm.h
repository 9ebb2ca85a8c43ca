/*
 * Simulations as array jobs of Slurm. A session is a folder on a file system
 * that all nodes see: shard-N.json lists the runs of task N, and every
 * attempt at it appends to a file of its own, result-N.ATTEMPT, record by record
 * with checksums: a task that is killed loses at most the run it was at, and the
 * next attempt passes over what is there. Nodes never touch the database: the coordinator collects.
 */
#ifndef SLUICE_SLURM_SLURM_H
#define SLUICE_SLURM_SLURM_H

#include "papers/plan/execute.h"

struct slurm_options {
	const char *sbatch; /* options for sbatch, separated by blanks; may be empty */
	const char *folder; /* shared by all nodes; sessions lie in it */
	bool detach;        /* submit, and end */
};

/*
 * The `elsewhere` of an execution; `options` is a struct slurm_options. Collects what earlier sessions left, submits
 * what is neither there nor under way, and unless it detaches waits until all is collected.
 */
bool slurm_simulate(struct execution *e, const void *options, bool *detached, struct error *err);

/* ---- session.c ---- */

enum { SLURM_TRIES = 3 /* the first and two more */ };

struct shard {
	uint32_t *job; /* of the plan; PLAN_NONE: none of this plan's */
	char (*key)[RUN_KEY_SIZE];
	size_t jobs, left; /* left: not collected yet */
	long slurm_job;    /* 0: not submitted */
	unsigned tries;
	bool given_up;
};
struct result_file {
	char name[96];
	size_t shard, offset; /* offset: so far it has been read */
};
struct session {
	char folder[PATH_MAX];
	struct shard *shard;
	size_t shards;
	struct result_file *file;
	size_t files;
};

/* A new session for open jobs, which are then listed in its files; traces are put beside them. */
bool session_make(struct session *session, struct execution *e, const char *folder, const uint32_t *jobs,
                  size_t count, struct error *err);
/* One that an earlier call left; false: none there. */
bool session_load(struct session *session, const struct plan *plan, const char *folder);
/* Which Slurm job has which shard, for those who come later. */
bool session_save(const struct session *session, struct error *err);
/* Reads what tasks have appended since; returns how many runs of the plan came in. */
size_t session_collect(struct session *session, struct execution *e);
void session_free(struct session *session);

/* ---- task.c ---- */

/* Task N of a session, on its node; false: err says why. Runs that its file has already are not made again. */
bool slurm_task(const char *folder, unsigned task, struct error *err);

#endif
