/*
 * What formulas compute with: numbers in arrays that know their axes. Axes of
 * two arrays belong together by their names, entries of an axis by their
 * labels; so figures with other workloads, in another order, can be compared.
 */
#ifndef SLUICE_PAPERS_FORMULA_ARRAY_H
#define SLUICE_PAPERS_FORMULA_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Everything that an evaluation allocates, given back at once. */
struct scratch {
	void **block;
	size_t count;
};
/* Zeroed. */
void *scratch_new(struct scratch *scratch, size_t count, size_t size);
char *scratch_text(struct scratch *scratch, const char *text);
void scratch_free(struct scratch *scratch);

/* A named set of labels: a class of workloads. */
struct label_set {
	const char *name;
	const char *const *label;
	size_t count;
};

struct axis {
	const char *name;         /* "series", "workload", a variable, or "item" */
	const char *const *label; /* NULL: entries are told apart by their places alone */
	size_t count;
	/* Labels that may be asked for though they are not there, as --quick leaves workloads out. */
	const char *const *known;
	size_t known_count;
	const struct label_set *sets;
	size_t set_count;
};

enum { ARRAY_AXES = 8 };

struct array {
	size_t axes;
	const struct axis *axis[ARRAY_AXES];
	double *data; /* the last axis runs fastest; without axes one number */
	size_t count;
	const char *text; /* a text in place of numbers; NULL: numbers */
};

struct array array_number(struct scratch *scratch, double number);
struct array array_text(struct scratch *scratch, const char *text);
/* Filled with NaN. */
struct array array_new(struct scratch *scratch, const struct axis *const *axis, size_t axes);
/* Index among the axes; -1: it has none of that name. */
int array_axis(const struct array *array, const char *name);

/* Element by element; an axis that one side lacks is repeated. */
bool array_combine(struct scratch *scratch, double (*op)(double a, double b), const struct array *a,
                   const struct array *b, struct array *out, struct error *err);
void array_map(struct scratch *scratch, double (*op)(double a), const struct array *a, struct array *out);
/* Takes an axis away: `reduce` gets its values, and the axis to find labels. */
void array_reduce(struct scratch *scratch, double (*reduce)(const double *value, size_t count),
                  const struct array *a, int axis, struct array *out);
/* The entries of one axis that the mask has; `single` takes the axis away, with NaN if there is none. */
void array_select(struct scratch *scratch, const struct array *a, int axis, const bool *mask, bool single,
                  struct array *out);

#endif
