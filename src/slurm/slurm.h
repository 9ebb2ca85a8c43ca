/*
 * Simulations as array jobs of Slurm. A session is a folder on a file system that all nodes share: shard-N.json lists the
 * runs of task N, and every attempt appends checksummed records to its own file, result-N.ATTEMPT. A killed task loses at
 * most its current run, and the next attempt skips finished ones. Only the coordinator writes to the database.
 */
#ifndef SLUICE_SLURM_SLURM_H
#define SLUICE_SLURM_SLURM_H

#include "papers/plan/execute.h"

struct slurm_options {
	const char *sbatch; /* further options for sbatch; may be empty */
	const char *folder; /* shared by all nodes; contains the sessions */
	bool detach;        /* submit without waiting */
};

/*
 * The `elsewhere` of an execution; `options` is a struct slurm_options. Collect the results of earlier sessions, submit
 * jobs that are neither done nor queued and, unless detached, wait for the results.
 */
bool slurm_simulate(struct execution *e, const void *options, bool *detached, struct error *err);

/* ---- session.c ---- */

enum { SLURM_TRIES = 3 /* the first and two more */ };

struct shard {
	uint32_t *job; /* of the plan; PLAN_NONE: not in this plan */
	char (*key)[RUN_KEY_SIZE];
	size_t jobs, left;  /* left: not collected yet */
	size_t left_before; /* when it was submitted last */
	long slurm_job;     /* 0: not submitted */
	unsigned tries;
	bool given_up;
};
struct result_file {
	char name[96];
	size_t shard, offset; /* offset: bytes read so far */
};
struct session {
	char folder[PATH_MAX];
	struct shard *shard;
	size_t shards;
	struct result_file *file;
	size_t files;
};

/* Make a session for open jobs: write their lists and share their traces. */
bool session_make(struct session *session, struct execution *e, const char *folder, const uint32_t *jobs,
                  size_t count, struct error *err);
/* Load the session of an earlier call; false: there is none. */
bool session_load(struct session *session, const struct plan *plan, const char *folder);
/* Write down the Slurm job of each shard for later calls. */
bool session_save(const struct session *session, struct error *err);
/* Read what tasks have appended since the last call. Return how many runs of the plan were taken. */
size_t session_collect(struct session *session, struct execution *e);
void session_free(struct session *session);

/* ---- task.c ---- */

/* Run task N of a session on this node, skipping runs that have results. False: err says why. */
bool slurm_task(const char *folder, unsigned task, struct error *err);

#endif
