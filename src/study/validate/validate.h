/*
 * Validation: simulated counters compared with those of the hardware, launch by launch.
 *
 * Every launch starts with cold caches, as under a profiler. Programs whose name starts with "probe." exercise one
 * mechanism each; they are reported apart from the others.
 */
#ifndef SLUICE_STUDY_VALIDATE_VALIDATE_H
#define SLUICE_STUDY_VALIDATE_VALIDATE_H

#include <limits.h>

#include "accelsim/accelsim.h"
#include "base/cache.h"
#include "run/run.h"
#include "study/validate/hardware.h"
#include "study/validate/programs.h"

enum { MEASURES_MAX = 2 * COUNTER_COUNT + METRIC_COUNT };

enum measure_kind {
	MEASURE_EXACT,   /* the trace alone decides it: equal or wrong */
	MEASURE_PERCENT, /* error in percent of the hardware's value */
	MEASURE_POINTS,  /* a rate in percent: difference in percentage points */
};

struct measure {
	const struct counter_info *info;
	enum measure_kind kind;
	int counter, metric; /* one of them, the other is -1 */
	double over;         /* launches with a hardware value up to this are left out of the summary */
};

enum validate_group { GROUP_APPLICATIONS, GROUP_PROBE, GROUP_COUNT };

struct validate_launch {
	size_t program;
	enum validate_group group;
	uint32_t launch; /* from 0 */
	char *kernel;    /* the hardware table's name where there is one, else the trace's */
	struct trace_dim grid, block;
	enum launch_status status;
	bool compared;
	struct counters counters;                   /* all simulated ones */
	double sim[MEASURES_MAX], hw[MEASURES_MAX]; /* by measure; hw only if compared */
};

struct validation {
	struct programs programs;
	bool recorded; /* programs are workloads that we record, not traces of the GPU's own instructions */
	struct hardware hardware;
	struct measure measure[MEASURES_MAX];
	size_t measures;
	struct validate_launch *launch;
	size_t launches, compared;
	bool
	    skips_mismatch; /* set by the caller: rows whose kernel is another one in the trace are left out, not refused */
	bool *left_out;  /* by row */
	char **mismatch; /* why, one text for each row that is left out */
	size_t mismatches;
	size_t
	    rows_without_trace; /* rows of programs or launches that have no trace, or were not asked for */
	char *report;           /* of the first deadlocked launch, else NULL */
};

struct validate_options {
	uint32_t threads;
	size_t
	    jobs; /* programs at once, each in a process of its own; up to 1: one after the other in this one */
	const char *window; /* text of a launch window that holds for every program; NULL: none */
	/* Called during the work with the warp instructions of all programs so far; may be NULL. */
	void (*progress)(void *user, const char *program, uint64_t warp_insns);
	void *user;
};

/*
 * Reads DIR/counters.tsv and lists DIR/traces, or reads DIR/workloads.tsv, whose
 * programs are workloads; `only` as for programs_list().
 */
bool validate_open(struct validation *validation, const char *dir, const char *only, struct error *err);
/* Records the workloads on that machine, or finds their recordings; `progress` may be NULL. */
bool validate_record(struct validation *validation, const char *machine,
                     void (*progress)(void *user, const char *program), void *user, struct error *err);
/*
 * Imports every trace and checks that rows and launches belong together, so
 * that bad input shows before anything is simulated. *warp_insns: work to come.
 */
bool validate_prepare(struct validation *validation, const char *window, accelsim_progress progress,
                      void *user, uint64_t *warp_insns, struct error *err);
/* Simulates and compares. A deadlocked launch ends its program and leaves a report; bad input returns false. */
bool validate_run(struct validation *validation, const struct config *config,
                  const struct validate_options *options, struct error *err);
void validate_free(struct validation *validation);

/* Return the index of the measure over all launches in validation->measure; -1: it is not compared. */
int validate_find_counter(const struct validation *validation, enum counter counter);
int validate_find_metric(const struct validation *validation, enum metric metric);
/* Return the error in percent, in percentage points or as a difference, by the kind of measure; NaN: not comparable. */
double validate_error(const struct validation *validation, size_t launch, size_t measure);
const char *validate_group_name(enum validate_group group);

/* How well one measure agrees over several launches. */
struct agreement {
	size_t n;
	size_t
	    left_out; /* compared launches that the measure's threshold or a zero of the hardware excludes */
	double mean, median, p90, worst; /* of absolute errors; worst carries its sign */
	size_t worst_launch;
	double bias;  /* mean error, signed */
	double total; /* error of the sums, in percent */
	double pearson, log_pearson;
	size_t equal; /* launches without any difference */
};
/* Over the launches of a group. */
struct agreement validate_agree(const struct validation *validation, enum validate_group group,
                                size_t measure);
/* Over the launches of a program. */
struct agreement validate_agree_program(const struct validation *validation, size_t program, size_t measure);

#endif
