/* The functions of formulas that need nothing but their arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/suggest.h"
#include "papers/formula/formula.h"

/* ---- along an axis ---------------------------------------------------------------------------------------- */

static double sum(const double *v, size_t n)
{
	double s = 0;
	for (size_t i = 0; i < n; i++)
		s += v[i];
	return n ? s : NAN;
}

static double mean(const double *v, size_t n)
{
	return sum(v, n) / (double)n;
}

static double geomean(const double *v, size_t n)
{
	double s = 0;
	for (size_t i = 0; i < n; i++)
		s += v[i] > 0 ? log(v[i]) : NAN;
	return n ? exp(s / (double)n) : NAN;
}

static double hmean(const double *v, size_t n)
{
	double s = 0;
	for (size_t i = 0; i < n; i++)
		s += v[i] > 0 ? 1 / v[i] : NAN;
	return n ? (double)n / s : NAN;
}

static int compare_numbers(const void *a, const void *b)
{
	const double *x = a, *y = b;
	return (*x > *y) - (*x < *y);
}

static double median(const double *v, size_t n)
{
	if (!n || isnan(sum(v, n)))
		return NAN;
	double *copy = malloc(n * sizeof *copy), middle;
	if (!copy)
		BUG("no memory for %zu numbers", n);
	memcpy(copy, v, n * sizeof *copy);
	qsort(copy, n, sizeof *copy, compare_numbers);
	middle = n % 2 ? copy[n / 2] : (copy[n / 2 - 1] + copy[n / 2]) / 2;
	free(copy);
	return middle;
}

static double stddev(const double *v, size_t n)
{
	double m = mean(v, n), s = 0;
	for (size_t i = 0; i < n; i++)
		s += (v[i] - m) * (v[i] - m);
	return n ? sqrt(s / (double)n) : NAN;
}

static double most(const double *v, size_t n)
{
	double best = n ? v[0] : NAN;
	for (size_t i = 1; i < n; i++)
		best = isnan(v[i]) || isnan(best) ? NAN : fmax(best, v[i]);
	return best;
}

static double least(const double *v, size_t n)
{
	double best = n ? v[0] : NAN;
	for (size_t i = 1; i < n; i++)
		best = isnan(v[i]) || isnan(best) ? NAN : fmin(best, v[i]);
	return best;
}

static double count_true(const double *v, size_t n)
{
	double s = 0;
	for (size_t i = 0; i < n; i++)
		s += isnan(v[i]) ? NAN : v[i] != 0;
	return s;
}

/* One false decides "all", one true decides "any", whatever is missing. */
static double all_true(const double *v, size_t n)
{
	double answer = 1;
	for (size_t i = 0; i < n; i++) {
		if (v[i] == 0)
			return 0;
		answer = isnan(v[i]) ? NAN : answer;
	}
	return n ? answer : NAN;
}

static double any_true(const double *v, size_t n)
{
	double answer = 0;
	for (size_t i = 0; i < n; i++) {
		if (!isnan(v[i]) && v[i] != 0)
			return 1;
		answer = isnan(v[i]) ? NAN : answer;
	}
	return n ? answer : NAN;
}

/* Steps the other way of less than a hundredth are noise. */
static double monotone(const double *v, size_t n, double sign)
{
	double answer = 1;
	for (size_t i = 1; i < n; i++) {
		if (isnan(v[i]) || isnan(v[i - 1]))
			answer = NAN;
		else if (sign * (v[i] - v[i - 1]) < -0.01 * fabs(v[i - 1]))
			return 0;
	}
	return n ? answer : NAN;
}

static double rising(const double *v, size_t n)
{
	return monotone(v, n, 1);
}

static double falling(const double *v, size_t n)
{
	return monotone(v, n, -1);
}

static double place_of(const double *v, size_t n, double best)
{
	for (size_t i = 0; i < n; i++)
		if (v[i] == best)
			return (double)i;
	return NAN;
}

static double place_of_most(const double *v, size_t n)
{
	return place_of(v, n, most(v, n));
}

static double place_of_least(const double *v, size_t n)
{
	return place_of(v, n, least(v, n));
}

/* ---- of one value ----------------------------------------------------------------------------------------- */

static double missing(double a)
{
	return isnan(a);
}

static double logarithm(double a)
{
	return a > 0 ? log(a) : NAN;
}

static double root(double a)
{
	return a >= 0 ? sqrt(a) : NAN;
}

static double larger(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmax(a, b);
}

static double smaller(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : fmin(a, b);
}

static const struct {
	const char *name;
	double (*reduce)(const double *v, size_t n);
	double (*each)(double a, double b); /* what it is of several arguments; NULL: nothing */
} reductions[] = {
    {"sum", sum, NULL},
    {"mean", mean, NULL},
    {"geomean", geomean, NULL},
    {"hmean", hmean, NULL},
    {"median", median, NULL},
    {"stddev", stddev, NULL},
    {"max", most, larger},
    {"min", least, smaller},
    {"count", count_true, NULL},
    {"all", all_true, NULL},
    {"any", any_true, NULL},
    {"rising", rising, NULL},
    {"falling", falling, NULL},
    {"argmax", place_of_most, NULL},
    {"argmin", place_of_least, NULL},
};
static const struct {
	const char *name;
	double (*map)(double a);
} maps[] = {
    {"abs", fabs},    {"log", logarithm}, {"sqrt", root},       {"round", round},
    {"floor", floor}, {"ceil", ceil},     {"missing", missing},
};
static const char *const others[] = {
    "near",      "if",     "best", "machine", "param",  "storage_bits", "storage_gpu_bits",
    "sets_used", "set_of", "cell", "row",     "column", "offdiag",      "rows",
    "columns",   "policy", "at",   "each",    "wmean",  "correlation"};

const char *formula_suggest_function(const char *name)
{
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
		suggest_offer(&near, reductions[i].name);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		suggest_offer(&near, maps[i].name);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		suggest_offer(&near, others[i]);
	return near.best;
}

/* ---- arguments -------------------------------------------------------------------------------------------- */

size_t formula_count_arguments(const struct formula_node *node)
{
	size_t n = 0;
	for (const struct formula_node *argument = node->first; argument; argument = argument->next)
		n++;
	return n;
}

static const struct formula_node *argument_at(const struct formula_node *node, size_t i)
{
	const struct formula_node *argument = node->first;
	while (argument && i--)
		argument = argument->next;
	return argument;
}

bool formula_text_argument(const struct formula *f, const struct formula_node *node, size_t i,
                           const char **text, struct error *err)
{
	const struct formula_node *argument = argument_at(node, i);
	if (!argument || argument->kind != FORMULA_TEXT)
		return formula_fail(f, argument ? argument : node, err,
		                    "%s: argument %zu must be a text in quotes", node->text, i + 1);
	*text = argument->text;
	return true;
}

bool formula_number_argument(const struct formula *f, const struct formula_node *node,
                             const struct formula_scope *scope, struct scratch *scratch, size_t i,
                             double *number, struct error *err)
{
	const struct formula_node *argument = argument_at(node, i);
	struct array value;
	if (!argument)
		return formula_fail(f, node, err, "%s: argument %zu is missing", node->text, i + 1);
	if (!formula_evaluate_node(f, argument, scope, scratch, &value, err))
		return false;
	if (value.axes || value.text)
		return formula_fail(f, argument, err, "%s: argument %zu must be a number", node->text, i + 1);
	*number = value.data[0];
	return true;
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

static bool is_text(const struct formula_node *node)
{
	return node && node->kind == FORMULA_TEXT;
}

/* The axis to go along: the one named, the only one, else that of workloads. */
static int choose_axis(const struct formula *f, const struct formula_node *node, const struct array *value,
                       struct error *err)
{
	const struct formula_node *named = node->first->next;
	if (is_text(named)) {
		int axis = array_axis(value, named->text);
		if (axis < 0)
			formula_fail(f, named, err, "%s: there is no axis '%s' left", node->text,
			             named->text);
		return axis;
	}
	int axis = value->axes == 1 ? 0 : array_axis(value, "workload");
	if (axis < 0)
		formula_fail(f, node, err,
		             value->axes ? "%s: along which axis? %s(x, \"series\")"
		                         : "%s of a single number: %s needs many",
		             node->text, node->text);
	return axis;
}

/* argmax and argmin answer with a label: a number where labels are numbers. */
static bool name_place(const struct formula *f, const struct formula_node *node, const struct axis *axis,
                       struct scratch *scratch, struct array *out, struct error *err)
{
	if (out->axes)
		return formula_fail(f, node, err, "%s: pick until one axis is left", node->text);
	double place = out->data[0];
	if (isnan(place))
		return true;
	const char *label = axis->label ? axis->label[(size_t)place] : NULL;
	char *end = NULL;
	double number = label ? strtod(label, &end) : place + 1;
	*out = !label || (end != label && !*end) ? array_number(scratch, number) : array_text(scratch, label);
	return true;
}

static bool call_reduction(const struct formula *f, const struct formula_node *node,
                           const struct formula_scope *scope, size_t which, struct scratch *scratch,
                           struct array *out, struct error *err)
{
	struct array value;
	if (!node->first)
		return formula_fail(f, node, err, "%s of nothing", node->text);
	if (!formula_evaluate_node(f, node->first, scope, scratch, &value, err))
		return false;
	if (node->first->next && !is_text(node->first->next) && reductions[which].each) {
		*out = value;
		for (const struct formula_node *more = node->first->next; more; more = more->next) {
			struct array next, so_far = *out;
			struct error why = {{0}};
			if (!formula_evaluate_node(f, more, scope, scratch, &next, err))
				return false;
			if (!array_combine(scratch, reductions[which].each, &so_far, &next, out, &why))
				return formula_fail(f, more, err, "%s", why.text);
		}
		return true;
	}
	int axis = value.text ? -1 : choose_axis(f, node, &value, err);
	if (value.text)
		return formula_fail(f, node, err, "%s of a text", node->text);
	if (axis < 0)
		return false;
	array_reduce(scratch, reductions[which].reduce, &value, axis, out);
	bool places = !strncmp(node->text, "arg", 3);
	return !places || name_place(f, node, value.axis[axis], scratch, out, err);
}

static double off_by(double a, double b)
{
	return a == b ? 0 : b == 0 ? INFINITY : fabs(a - b) / fabs(b);
}

static double not_above(double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : a <= b;
}

static double keep_if(double condition, double value)
{
	return isnan(condition) ? NAN : condition != 0 ? value : 0;
}

static double add(double a, double b)
{
	return a + b;
}

static double is_false(double a)
{
	return isnan(a) ? NAN : a == 0;
}

static bool evaluate_three(const struct formula *f, const struct formula_node *node,
                           const struct formula_scope *scope, struct scratch *scratch, struct array value[3],
                           struct error *err)
{
	const struct formula_node *argument = node->first;
	if (formula_count_arguments(node) != 3)
		return formula_fail(f, node, err, "%s takes three arguments", node->text);
	for (int i = 0; i < 3; i++, argument = argument->next)
		if (!formula_evaluate_node(f, argument, scope, scratch, &value[i], err))
			return false;
	return true;
}

static bool call_near(const struct formula *f, const struct formula_node *node,
                      const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                      struct error *err)
{
	struct array value[3], off;
	struct error why = {{0}};
	if (!evaluate_three(f, node, scope, scratch, value, err))
		return false;
	return (array_combine(scratch, off_by, &value[0], &value[1], &off, &why) &&
	        array_combine(scratch, not_above, &off, &value[2], out, &why)) ||
	       formula_fail(f, node, err, "%s", why.text);
}

/* A single condition chooses one side, which may then be a text, and the other may be missing. */
static bool call_if(const struct formula *f, const struct formula_node *node,
                    const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                    struct error *err)
{
	struct array value[3], otherwise, yes, no;
	struct error why = {{0}};
	if (!evaluate_three(f, node, scope, scratch, value, err))
		return false;
	if (!value[0].axes) {
		double condition = value[0].data[0];
		*out = isnan(condition) ? array_number(scratch, NAN) : condition != 0 ? value[1] : value[2];
		return true;
	}
	if (value[1].text || value[2].text)
		return formula_fail(f, node, err, "if: texts need a single condition");
	array_map(scratch, is_false, &value[0], &otherwise);
	return (array_combine(scratch, keep_if, &value[0], &value[1], &yes, &why) &&
	        array_combine(scratch, keep_if, &otherwise, &value[2], &no, &why) &&
	        array_combine(scratch, add, &yes, &no, out, &why)) ||
	       formula_fail(f, node, err, "%s", why.text);
}

/* best(x, "A", "B"): the most over the series named. */
static bool call_best(const struct formula *f, const struct formula_node *node,
                      const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                      struct error *err)
{
	struct array value, chosen;
	if (!node->first || !formula_evaluate_node(f, node->first, scope, scratch, &value, err))
		return node->first ? false : formula_fail(f, node, err, "best of nothing");
	int axis = array_axis(&value, "series");
	if (axis < 0)
		return formula_fail(f, node, err, "best: there are no series to choose from");
	bool *mask = scratch_new(scratch, value.axis[axis]->count, sizeof *mask);
	for (size_t i = 1; i < formula_count_arguments(node); i++) {
		const char *label;
		size_t at = 0;
		if (!formula_text_argument(f, node, i, &label, err))
			return false;
		while (at < value.axis[axis]->count && strcmp(value.axis[axis]->label[at], label))
			at++;
		if (at == value.axis[axis]->count)
			return formula_fail(f, node, err, "best: no series '%s'", label);
		mask[at] = true;
	}
	array_select(scratch, &value, axis, mask, false, &chosen);
	array_reduce(scratch, most, &chosen, axis, out);
	return true;
}

static bool call_map(const struct formula *f, const struct formula_node *node,
                     const struct formula_scope *scope, size_t which, struct scratch *scratch,
                     struct array *out, struct error *err)
{
	struct array value;
	if (formula_count_arguments(node) != 1)
		return formula_fail(f, node, err, "%s takes one argument", node->text);
	if (!formula_evaluate_node(f, node->first, scope, scratch, &value, err))
		return false;
	if (value.text)
		return formula_fail(f, node, err, "%s of a text", node->text);
	array_map(scratch, maps[which].map, &value, out);
	return true;
}

bool formula_call(const struct formula *formula, const struct formula_node *node,
                  const struct formula_scope *scope, struct scratch *scratch, struct array *out, bool *known,
                  struct error *err)
{
	*known = true;
	for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
		if (!strcmp(node->text, reductions[i].name))
			return call_reduction(formula, node, scope, i, scratch, out, err);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		if (!strcmp(node->text, maps[i].name))
			return call_map(formula, node, scope, i, scratch, out, err);
	if (!strcmp(node->text, "near"))
		return call_near(formula, node, scope, scratch, out, err);
	if (!strcmp(node->text, "if"))
		return call_if(formula, node, scope, scratch, out, err);
	if (!strcmp(node->text, "best"))
		return call_best(formula, node, scope, scratch, out, err);
	*known = false;
	return false;
}
