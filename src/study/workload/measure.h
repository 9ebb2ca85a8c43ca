/*
 * Measuring what papers publish about a workload, on the machine of a paper: record the program, read the trace, and
 * simulate it as often as the characteristics need. Results of earlier simulations are reused.
 */
#ifndef SLUICE_STUDY_WORKLOAD_MEASURE_H
#define SLUICE_STUDY_WORKLOAD_MEASURE_H

#include "study/workload/rules.h"
#include "workload/target.h"

struct machine;
struct trace;

struct measure_options {
	enum workload_size size;
	uint64_t max_insns; /* warp instructions per simulation */
	uint32_t facts;     /* a bit per enum workload_fact: what is asked for, if it is published */
	size_t jobs;        /* simulations at once */
	bool again;         /* record and simulate even what is found */
};

/* One paper's row of one workload. */
struct measure_task {
	const struct workloads *workloads;
	const struct workload *workload;
	const struct workload_published *published;
};

/* Which rows and characteristics the user asks for; NULL and no names: all. */
struct measure_choice {
	const char *only, *paper; /* "apki,n_warp"; "ciao" */
	char *const *names;       /* of workloads that exist */
	size_t name_count;
};
/* Read `only` into options->facts and check that the paper exists. */
bool measure_read_choice(const struct measure_choice *choice, struct measure_options *options,
                         struct error *err);
/* Fill *tasks with the rows that publish something of what is asked for; the caller frees it. Return their number. */
size_t measure_choose(const struct measure_choice *choice, const struct workloads *workloads,
                      const struct measure_options *options, struct measure_task **tasks);

/* Plain data: processes hand it over as it is. */
struct measure_result {
	struct workload_measured measured;
	size_t runs, simulated; /* needed, and those that were not found */
	double seconds;
	bool failed;
	struct error error; /* why it failed */
};

/* The published characteristics that are asked for, as bits. */
uint32_t measure_wanted(const struct measure_task *task, const struct measure_options *options);
/* False: result->error says why. */
bool measure_workload(const struct measure_task *task, const struct measure_options *options,
                      struct measure_result *result);
/*
 * Run all tasks, each in its own process, `options->jobs` at once; with fewer tasks, each uses several processes. `done` is
 * called for every task that ends, in the order of their ends.
 */
bool measure_all(const struct measure_task *tasks, size_t count, const struct measure_options *options,
                 struct measure_result *results, void (*done)(void *user, size_t task), void *user,
                 struct error *err);

/* Measure what the trace alone determines: shared memory, CTAs per SM, barriers, footprint. */
bool measure_trace(const struct trace *trace, const struct machine *machine,
                   struct workload_measured *measured, struct error *err);

#endif
