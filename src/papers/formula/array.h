/*
 * Arrays with named axes, the values of formulas. Two arrays are combined by the names of their axes and the labels of
 * their entries, so that figures whose workloads differ can be compared.
 */
#ifndef SLUICE_PAPERS_FORMULA_ARRAY_H
#define SLUICE_PAPERS_FORMULA_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"

/* Everything that an evaluation allocates; scratch_free() frees it at once. */
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
	const char *const *label; /* NULL: entries have no labels */
	size_t count;
	/* Labels that formulas may name although they are missing here: --quick leaves workloads out. */
	const char *const *known;
	size_t known_count;
	const struct label_set *sets;
	size_t set_count;
};

/* Return the place of a label, or `count`. */
size_t label_index(const char *const *label, size_t count, const char *wanted);
bool label_set_has(const struct label_set *set, const char *label);
/* Return the set of an axis by its name, or NULL. */
const struct label_set *axis_set(const struct axis *axis, const char *name);

enum { ARRAY_AXES = 8 };

struct array {
	size_t axes;
	const struct axis *axis[ARRAY_AXES];
	double *data; /* the last axis changes fastest; without axes one number */
	size_t count;
	const char *text; /* a text in place of a number, or NULL */
};

struct array array_number(struct scratch *scratch, double number);
struct array array_text(struct scratch *scratch, const char *text);
/* Filled with NaN. */
struct array array_new(struct scratch *scratch, const struct axis *const *axis, size_t axes);
/* Return the index of an axis by its name, or -1. */
int array_axis(const struct array *array, const char *name);

/* Apply `op` element by element; an operand that lacks an axis is repeated along it. */
bool array_combine(struct scratch *scratch, double (*op)(double a, double b), const struct array *a,
                   const struct array *b, struct array *out, struct error *err);
void array_map(struct scratch *scratch, double (*op)(double a), const struct array *a, struct array *out);
/* Replace the values along an axis by one value. */
void array_reduce(struct scratch *scratch, double (*reduce)(const double *value, size_t count),
                  const struct array *a, int axis, struct array *out);
/* Keep the entries of the mask along an axis. `single`: keep one and remove the axis; NaN if the mask is empty. */
void array_select(struct scratch *scratch, const struct array *a, int axis, const bool *mask, bool single,
                  struct array *out);

#endif
