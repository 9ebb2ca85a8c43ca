/*
 * What formulas of figures and claims are about: the values of runs, cell by
 * cell. A cell is one series, one point of the sweep and one workload. Where
 * the runs come from is the business of `struct cells`; without it, every
 * value is missing, which is how formulas are checked when they are loaded.
 */
#ifndef SLUICE_PAPERS_EXPERIMENT_VALUES_H
#define SLUICE_PAPERS_EXPERIMENT_VALUES_H

#include <jansson.h>

#include "papers/experiment/paper.h"
#include "papers/experiment/run_values.h"

/* Gives the run behind a cell; false: there is none (yet), and *message, if not NULL, says why. */
struct cells {
	bool (*run)(void *user, const struct figure *figure, size_t series, size_t point, size_t item,
	            bool needs_detail, struct run_values *values, const char **message);
	void *user;
};

struct value_scope {
	const struct papers *papers;
	const struct paper *paper;
	const struct figure *figure; /* whose names need no prefix; NULL: of none */
	const struct cells *cells;   /* NULL: all values are missing */
	int depth;                   /* of derived values in one another */
	char *missing; /* message of the first run that is missing, for the caller to free; or NULL */
};

/* Evaluates in the scope; what it allocates belongs to the scratch. */
bool values_evaluate(struct value_scope *scope, const struct formula *formula, struct scratch *scratch,
                     struct array *out, struct error *err);
bool values_number(struct value_scope *scope, const struct formula *formula, double *number,
                   struct error *err);
/* A run's own expression: metrics, `best` of a search. NaN: missing. */
bool values_of_run(const struct figure *figure, const struct formula *formula, const struct run_values *run,
                   double *number, struct error *err);
/* Every formula of every file, without values. */
bool values_check(const struct papers *papers, struct error *err);
/* Axes of a figure: workloads, with its sets; series. They belong to the scratch. */
const struct axis *values_item_axis(const struct figure *figure, struct scratch *scratch);

/* Figures that a formula names: `visit` is called for each, perhaps twice. */
void values_figures(const struct papers *papers, const struct paper *paper, const struct figure *own,
                    const struct formula *formula, void (*visit)(void *user, const struct figure *figure),
                    void *user);

#endif
