/*
 * Values of figures and claims, from the runs of their cells. A cell is one series, one point of the sweep and one
 * workload. `struct cells` finds the runs; without it all values are missing, which checks a formula's names.
 */
#ifndef SLUICE_PAPERS_EXPERIMENT_VALUES_H
#define SLUICE_PAPERS_EXPERIMENT_VALUES_H

#include <jansson.h>

#include "papers/experiment/paper.h"
#include "papers/experiment/run_values.h"

/* Finds the run of a cell; false: there is none, and *message, if not NULL, says why. */
struct cells {
	bool (*run)(void *user, const struct figure *figure, size_t series, size_t point, size_t item,
	            bool needs_detail, struct run_values *values, const char **message);
	void *user;
};

struct value_scope {
	const struct papers *papers;
	const struct paper *paper;
	const struct figure *figure; /* names of its metrics need no prefix; may be NULL */
	const struct cells *cells;   /* NULL: all values are missing */
	int depth;                   /* of nested derived values */
	char *missing;               /* why the first missing run is missing, or NULL; the caller frees it */
};

/* Evaluate in the scope. The scratch owns the result. */
bool values_evaluate(struct value_scope *scope, const struct formula *formula, struct scratch *scratch,
                     struct array *out, struct error *err);
bool values_number(struct value_scope *scope, const struct formula *formula, double *number,
                   struct error *err);
/* Evaluate a formula of one run: a metric, or what a search optimizes. NaN: missing. */
bool values_of_run(const struct formula *formula, const struct run_values *run, double *number,
                   struct error *err);
/* Check every formula of every file without values. */
bool values_check(const struct papers *papers, struct error *err);
/* Return the axis of a figure's workloads with its sets. The scratch owns it. */
const struct axis *values_item_axis(const struct figure *figure, struct scratch *scratch);

/* Call `visit` for each figure that a formula names, perhaps more than once. */
void values_figures(const struct papers *papers, const struct paper *paper, const struct figure *own,
                    const struct formula *formula, void (*visit)(void *user, const struct figure *figure),
                    void *user);

#endif
