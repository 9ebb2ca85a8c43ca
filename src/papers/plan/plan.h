/*
 * The plan: the simulations that figures need, each once. Several cells may share a job. A series that takes values from
 * the search of another series gets its jobs after that search.
 */
#ifndef SLUICE_PAPERS_PLAN_PLAN_H
#define SLUICE_PAPERS_PLAN_PLAN_H

#include "base/numbering.h"
#include "papers/experiment/paper.h"
#include "papers/experiment/run_values.h"
#include "run/run.h"
#include "store/run_key.h"

enum { PLAN_NONE = UINT32_MAX };

/* A program as it runs on a machine, or a trace. */
struct recording {
	enum item_kind kind;
	const struct workload *workload;
	char *window;                        /* text of the launch window; NULL: all launches */
	char *path, *words, *machine, *name; /* words: arguments, separated by blanks */
	/* Once recorded: */
	bool ready;
	char *failed; /* why recording failed, or NULL */
	char *trace_path;
	uint64_t digest[2];
	char digest_text[RUN_KEY_SIZE];
	uint64_t insns, launches;
};

/* A machine with changes. */
struct plan_machine {
	char *name, *changes; /* changes: "a.b=1 c.d=2" */
	struct machine *machine;
	char key[RUN_KEY_SIZE];
};

enum job_state { JOB_OPEN, JOB_FOUND, JOB_SIMULATED, JOB_FAILED };
/* One simulation. Texts belong to figures or to the plan. */
struct job {
	uint32_t recording, machine;
	const char *policy, *look, *kernels; /* look, kernels: NULL for none */
	const char *window;                  /* to choose from a trace; NULL: all */
	bool is_part;                        /* the recording holds a window */
	uint64_t max_insns;
	bool cold_l2;
	enum job_state state;
	uint64_t config_digest[2];
	char key[RUN_KEY_SIZE];    /* empty: not recorded yet */
	char *message;             /* of one that failed */
	struct run_totals *totals; /* loaded on demand */
};

struct cell {
	uint32_t first, count; /* range of plan->candidate; count 0: none yet, or left out */
	uint32_t chosen;       /* job; PLAN_NONE: not known */
	bool waits;            /* for the result of a search */
};

struct figure_plan {
	const struct figure *figure;
	struct cell *cell; /* [series][point][item] */
	size_t cells;
	bool facts; /* the figure or its claims name facts of traces */
};

struct plan {
	const struct papers *papers;
	struct recording *recording;
	struct plan_machine *machine;
	struct job *job;
	uint32_t *candidate; /* jobs of cells */
	size_t recordings, machines, jobs, candidates;
	struct figure_plan *figure;
	size_t figures;
	struct numbering recording_names, machine_names, job_names;
	char **text; /* policies and looks with their variables filled in */
	size_t texts;
};

/*
 * Plan figures and check their policies, parameters, machine keys and looks. False: err says which file, where and why.
 * Call plan_free() in both cases.
 */
bool plan_make(struct plan *plan, const struct papers *papers, const struct figure *const *figures,
               size_t count, struct error *err);
void plan_free(struct plan *plan);
struct cell *plan_cell(const struct figure_plan *figure, size_t series, size_t point, size_t item);
const struct figure_plan *plan_figure(const struct plan *plan, const struct figure *figure);
/* Find the values of a series' search variables for a candidate. */
void plan_found(const struct series *series, size_t candidate, const char *value[SERIES_VARIABLES]);
/* Plan the jobs of waiting cells whose values are now known. Return the number of such cells. */
size_t plan_extend(struct plan *plan);
size_t plan_waiting(const struct plan *plan);
/* facts.c: return whether a figure, or a claim about it, names facts of traces. */
bool plan_needs_facts(const struct papers *papers, const struct figure *figure);
/* Whether the experiment may execute `path`, a program or a shared object that its file names; false: err says what to do. */
bool plan_may_execute(const struct plan *plan, const char *path, struct error *err);
/* Make the config of a job. The plan owns the machine, the caller the chain. */
bool plan_config(const struct plan *plan, const struct job *job, struct config *config, struct error *err);
struct run_options plan_options(const struct job *job, struct kernels *kernels);
/* Return how many warp instructions a job will simulate at most. */
uint64_t plan_insns(const struct plan *plan, const struct job *job);

#endif
