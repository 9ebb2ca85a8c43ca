/* Values of figures by name. */
#include "papers/experiment/values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"

enum { DERIVED_DEPTH = 16 };

/* ---- axes ------------------------------------------------------------------------------------------------- */

static size_t copy_sets(const struct item_set *from, size_t count, struct label_set *to)
{
	for (size_t i = 0; i < count; i++)
		to[i] = (struct label_set){.name = from[i].name,
		                           .label = (const char *const *)from[i].labels.text,
		                           .count = from[i].labels.count};
	return count;
}

const struct axis *values_item_axis(const struct figure *f, struct scratch *scratch)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	const char **label = scratch_new(scratch, f->items, sizeof *label);
	struct label_set *sets = scratch_new(scratch, f->set_count + f->paper->set_count + 1, sizeof *sets);
	for (size_t i = 0; i < f->items; i++)
		label[i] = f->item[i].label;
	size_t n = copy_sets(f->sets, f->set_count, sets);
	n += copy_sets(f->paper->sets, f->paper->set_count, sets + n);
	sets[n++] = (struct label_set){.name = "all", .label = label, .count = f->items};
	*axis = (struct axis){.name = "workload",
	                      .label = label,
	                      .count = f->items,
	                      .known = (const char *const *)f->known_items.text,
	                      .known_count = f->known_items.count,
	                      .sets = sets,
	                      .set_count = n};
	return axis;
}

static const struct axis *series_axis(const struct figure *f, struct scratch *scratch)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	const char **label = scratch_new(scratch, f->series_count, sizeof *label);
	for (size_t i = 0; i < f->series_count; i++)
		label[i] = f->series[i].label;
	*axis = (struct axis){.name = "series", .label = label, .count = f->series_count};
	return axis;
}

static const struct axis *variable_axis(const struct variable *v, struct scratch *scratch)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	*axis = (struct axis){.name = v->name,
	                      .label = (const char *const *)v->values.text,
	                      .count = v->values.count,
	                      .known = (const char *const *)v->known.text,
	                      .known_count = v->known.count};
	return axis;
}

/* Make an array of series by variables by workloads, the order of cells. */
static struct array figure_array(const struct figure *f, struct scratch *scratch)
{
	const struct axis *axes[ARRAY_AXES];
	size_t n = 0;
	axes[n++] = series_axis(f, scratch);
	for (size_t i = 0; i < f->variables; i++)
		axes[n++] = variable_axis(&f->variable[i], scratch);
	axes[n++] = values_item_axis(f, scratch);
	return array_new(scratch, axes, n);
}

/* ---- cells ------------------------------------------------------------------------------------------------ */

bool values_of_run(const struct formula *formula, const struct run_values *run, double *number,
                   struct error *err)
{
	const struct formula_scope scope = run_scope(run);
	return formula_number(formula, &scope, number, err);
}

/* Return a run without values that checks names. */
static struct run_values dry_run(const struct figure *f, size_t series)
{
	const char *own = f->series[series].look;
	return (struct run_values){.dry = true, .look = own ? own : f->look};
}

static void remember_missing(struct value_scope *scope, const char *message)
{
	if (!scope->missing && message)
		scope->missing = memory_text(message);
}

static bool fill_cell(struct value_scope *scope, const struct figure *f, const struct formula *formula,
                      size_t series, size_t point, size_t item, double *value, struct error *err)
{
	struct run_values run = {0};
	const char *message = NULL;
	*value = NAN;
	if (f->series[series].left_out && f->series[series].left_out[item])
		return true;
	if (!scope->cells->run(scope->cells->user, f, series, point, item, run_needs_detail(formula), &run,
	                       &message)) {
		remember_missing(scope, message);
		return true;
	}
	return values_of_run(formula, &run, value, err);
}

/* Return whether the observers of a series record what the formula names; otherwise it has no value. */
static bool series_can(const struct figure *f, size_t series, const struct formula *formula,
                       struct error *why)
{
	const struct run_values dry = dry_run(f, series);
	double ignored;
	return values_of_run(formula, &dry, &ignored, why);
}

static bool fill_array(struct value_scope *scope, const struct figure *f, const struct formula *formula,
                       struct scratch *scratch, struct array *out, struct error *err)
{
	size_t points = figure_points(f), able = 0;
	*out = figure_array(f, scratch);
	for (size_t s = 0; s < f->series_count; s++) {
		if (!series_can(f, s, formula, err))
			continue;
		able++;
		for (size_t p = 0; scope->cells && p < points; p++)
			for (size_t i = 0; i < f->items; i++)
				if (!fill_cell(scope, f, formula, s, p, i,
				               &out->data[(s * points + p) * f->items + i], err))
					return false;
	}
	return able > 0; /* err is of the last series */
}

/* ---- names ------------------------------------------------------------------------------------------------ */

static const struct formula *find_formula(const struct metric_def *defs, size_t count, const char *name)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(defs[i].name, name))
			return defs[i].formula;
	return NULL;
}

static bool evaluate_derived(struct value_scope *scope, const struct figure *f, const struct formula *formula,
                             struct scratch *scratch, struct array *out, struct error *err)
{
	struct value_scope inner = *scope;
	inner.figure = f;
	inner.paper = f->paper;
	inner.missing = NULL;
	if (++inner.depth > DERIVED_DEPTH)
		return error_set(err, "derived values refer to each other in a circle");
	bool ok = values_evaluate(&inner, formula, scratch, out, err);
	remember_missing(scope, inner.missing);
	free(inner.missing);
	return ok;
}

/* Evaluate a name that is no formula of the file: a counter, a metric, energy.l1, found.n. */
static bool evaluate_plain(struct value_scope *scope, const struct figure *f, const char *name,
                           struct scratch *scratch, struct array *out, struct error *err)
{
	struct error why = {{0}};
	struct formula *formula = formula_parse(name, "", 0, 0, err);
	if (!formula)
		return false;
	bool ok = fill_array(scope, f, formula, scratch, out, &why);
	formula_free(formula);
	if (ok)
		return true;
	const char **own = scratch_new(scratch, f->metrics + f->deriveds, sizeof *own);
	size_t n = 0;
	for (size_t i = 0; i < f->metrics; i++)
		own[n++] = f->metric[i].name;
	for (size_t i = 0; i < f->deriveds; i++)
		own[n++] = f->derived[i].name;
	return strstr(why.text, "unknown metric") ? run_fail_unknown(name, own, n, err)
	                                          : error_set(err, "%s", why.text);
}

static bool evaluate_metric(struct value_scope *scope, const struct figure *f, const char *name,
                            struct scratch *scratch, struct array *out, struct error *err)
{
	const struct formula *formula = find_formula(f->derived, f->deriveds, name);
	if (formula)
		return evaluate_derived(scope, f, formula, scratch, out, err);
	formula = find_formula(f->metric, f->metrics, name);
	return formula ? fill_array(scope, f, formula, scratch, out, err)
	               : evaluate_plain(scope, f, name, scratch, out, err);
}

static const struct paper *find_paper(const struct papers *papers, const char *name, size_t length)
{
	for (size_t i = 0; i < papers->count; i++)
		if (strlen(papers->paper[i].name) == length && !strncmp(papers->paper[i].name, name, length))
			return &papers->paper[i];
	return NULL;
}

/* Find the figure of [PAPER.][FIGURE.]METRIC; NULL if the name has no figure. */
static const struct figure *find_figure(const struct papers *papers, const struct paper *paper,
                                        const char *name, const char **metric)
{
	size_t length = strcspn(name, ".");
	const struct paper *other = name[length] ? find_paper(papers, name, length) : NULL;
	char id[128];
	if (other && *other->name) {
		paper = other;
		name += length + 1;
		length = strcspn(name, ".");
	}
	if (!paper || !name[length])
		return NULL;
	snprintf(id, sizeof id, "%.*s", (int)length, name);
	*metric = name + length + 1;
	return figure_find(paper, id);
}

static bool fail_figure(const struct value_scope *scope, const char *name, struct error *err)
{
	char word[128], clip[CLIP_SIZE];
	snprintf(word, sizeof word, "%.*s", (int)strcspn(name, "."), name);
	char question[SUGGEST_SIZE];
	struct suggest near = suggest_start(word);
	for (size_t i = 0; scope->paper && i < scope->paper->figures; i++)
		suggest_offer(&near, scope->paper->figure[i].id);
	return error_set(err, "no figure '%s'%s", clip_text(clip, word), suggest_question(&near, question));
}

static bool resolve(void *user, const char *name, struct scratch *scratch, struct array *out,
                    struct error *err)
{
	struct value_scope *scope = user;
	const char *metric = NULL;
	const struct figure *f = find_figure(scope->papers, scope->paper, name, &metric);
	if (f)
		return evaluate_metric(scope, f, metric, scratch, out, err);
	if (scope->figure)
		return evaluate_metric(scope, scope->figure, name, scratch, out, err);
	return fail_figure(scope, name, err);
}

bool values_evaluate(struct value_scope *scope, const struct formula *formula, struct scratch *scratch,
                     struct array *out, struct error *err)
{
	const struct formula_scope names = {.name = resolve, .user = scope};
	return formula_evaluate(formula, &names, scratch, out, err);
}

bool values_number(struct value_scope *scope, const struct formula *formula, double *number,
                   struct error *err)
{
	const struct formula_scope names = {.name = resolve, .user = scope};
	return formula_number(formula, &names, number, err);
}

/* ---- figures of a formula --------------------------------------------------------------------------------- */

struct visitor {
	const struct papers *papers;
	const struct paper *paper;
	const struct figure *own;
	void (*visit)(void *user, const struct figure *figure);
	void *user;
	int depth;
};

static void visit_name(void *user, const char *name)
{
	struct visitor *v = user;
	const char *metric = name;
	const struct figure *f = find_figure(v->papers, v->paper, name, &metric);
	if (!f)
		f = v->own;
	if (!f)
		return;
	v->visit(v->user, f);
	const struct formula *derived = find_formula(f->derived, f->deriveds, metric);
	if (!derived || v->depth >= DERIVED_DEPTH)
		return;
	struct visitor inner = *v;
	inner.own = f;
	inner.paper = f->paper;
	inner.depth++;
	formula_names(derived, visit_name, &inner);
}

void values_figures(const struct papers *papers, const struct paper *paper, const struct figure *own,
                    const struct formula *formula, void (*visit)(void *user, const struct figure *figure),
                    void *user)
{
	struct visitor v = {.papers = papers, .paper = paper, .own = own, .visit = visit, .user = user};
	formula_names(formula, visit_name, &v);
}
