/* The numbers of a run by name, and formulas over them. */
#ifndef SLUICE_PAPERS_EXPERIMENT_RUN_VALUES_H
#define SLUICE_PAPERS_EXPERIMENT_RUN_VALUES_H

#include <jansson.h>

#include "papers/formula/formula.h"
#include "stats/counters.h"
#include "stats/energy.h"
#include "stats/metrics.h"

/* What a trace tells of a workload on a machine without a simulation. */
#define TRACE_FACTS(X)                                                                                       \
	X(insns)                                                                                             \
	X(launches)                                                                                          \
	X(smem_kb)                                                                                           \
	X(f_smem_percent)                                                                                    \
	X(smem_cta_bytes) X(ctas_per_sm) X(ctas_without_smem) X(ctas_given) X(barriers) X(footprint_kb)
enum trace_fact {
#define X(name) TRACE_FACT_##name,
	TRACE_FACTS(X)
#undef X
	    TRACE_FACTS_COUNT
};
extern const char *const trace_fact_names[TRACE_FACTS_COUNT];

enum { RUN_ENERGY_TOTAL = ENERGY_COUNT, RUN_ENERGY_POWER, RUN_ENERGY_COUNT };

/* Totals of a run; NaN: not known. */
struct run_totals {
	double counter[COUNTER_COUNT], metric[METRIC_COUNT], energy[RUN_ENERGY_COUNT];
	double wall_s;
};

struct run_values {
	bool dry;                        /* check names only: values are missing */
	const struct run_totals *totals; /* NULL: missing */
	const json_t *detail;            /* "launches" and their looks; NULL: not loaded */
	const double *facts;             /* TRACE_FACTS_COUNT of them; NULL: not known */
	const struct machine *machine;   /* NULL: not known */
	const char *look;                /* observers of the run; may be NULL */
	const char *const *found_name;   /* variables that a search chose */
	const double *found;
	size_t founds;
};

/* Return the scope of a run for formula_evaluate(); `values` must outlive it. */
struct formula_scope run_scope(const struct run_values *values);
/* run_matrix.c: functions of matrices and vectors that observers saw. *known is false if the name is none of them. */
bool run_call_matrix(const struct evaluation *e, const struct formula_node *node, struct array *out,
                     bool *known);
/* Return whether a formula needs more of a run than its totals. */
bool run_needs_detail(const struct formula *formula);
/* Return whether a formula names facts of the trace. */
bool run_needs_facts(const struct formula *formula);
/* Write "unknown metric 'x'; did you mean 'y'?", where y may be one of the names of `more`; return false. */
bool run_fail_unknown(const char *name, const char *const *more, size_t count, struct error *err);
/* Return the unit of a metric, or "". */
const char *run_unit(const char *name);
/* Read the totals of a result in JSON. */
void run_totals_read(struct run_totals *totals, const json_t *result);

#endif
