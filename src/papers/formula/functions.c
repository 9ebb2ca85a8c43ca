/* Functions of formulas that need only their arguments. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

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

/* One false decides "all" and one true decides "any", even if values are missing. */
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

/* A step in the other direction of less than 1 % is noise. */
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
	double (*each)(double a, double b); /* for several arguments; NULL: takes one */
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

struct suggest formula_suggest_function(const char *name)
{
	struct suggest near = suggest_start(name);
	for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
		suggest_offer(&near, reductions[i].name);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		suggest_offer(&near, maps[i].name);
	for (size_t i = 0; i < sizeof others / sizeof *others; i++)
		suggest_offer(&near, others[i]);
	return near;
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

bool formula_text_argument(const struct evaluation *e, const struct formula_node *node, size_t i,
                           const char **text)
{
	const struct formula_node *argument = argument_at(node, i);
	if (!argument || argument->kind != FORMULA_TEXT)
		return evaluation_fail(e, argument ? argument : node,
		                       "%s: argument %zu must be a text in quotes", node->text, i + 1);
	*text = argument->text;
	return true;
}

bool formula_number_argument(const struct evaluation *e, const struct formula_node *node, size_t i,
                             double *number)
{
	const struct formula_node *argument = argument_at(node, i);
	struct array value;
	if (!argument)
		return evaluation_fail(e, node, "%s: argument %zu is missing", node->text, i + 1);
	if (!evaluate_node(e, argument, &value))
		return false;
	if (value.axes || value.text)
		return evaluation_fail(e, argument, "%s: argument %zu must be a number", node->text, i + 1);
	*number = value.data[0];
	return true;
}

/* ---- calls ------------------------------------------------------------------------------------------------ */

static bool is_text(const struct formula_node *node)
{
	return node && node->kind == FORMULA_TEXT;
}

/* Return the axis to reduce: the named one, the only one, or that of workloads; -1: err has the place. */
static int choose_axis(const struct evaluation *e, const struct formula_node *node, const struct array *value)
{
	const struct formula_node *named = node->first->next;
	if (is_text(named)) {
		int axis = array_axis(value, named->text);
		if (axis < 0)
			evaluation_fail(e, named, "%s: there is no axis '%s' left", node->text, named->text);
		return axis;
	}
	int axis = value->axes == 1 ? 0 : array_axis(value, "workload");
	if (axis < 0)
		evaluation_fail(e, node,
		                value->axes ? "%s: along which axis? %s(x, \"series\")"
		                            : "%s of a single number: %s needs many",
		                node->text, node->text);
	return axis;
}

/* argmax and argmin return a label, as a number if it is one. */
static bool name_place(const struct evaluation *e, const struct formula_node *node, const struct axis *axis,
                       struct array *out)
{
	if (out->axes)
		return evaluation_fail(e, node, "%s: pick until one axis is left", node->text);
	double place = out->data[0];
	if (isnan(place))
		return true;
	const char *label = axis->label ? axis->label[(size_t)place] : NULL;
	char *end = NULL;
	double number = label ? strtod(label, &end) : place + 1;
	*out = !label || (end != label && !*end) ? array_number(e->scratch, number)
	                                         : array_text(e->scratch, label);
	return true;
}

static bool call_reduction(const struct evaluation *e, const struct formula_node *node, size_t which,
                           struct array *out)
{
	struct array value;
	if (!node->first)
		return evaluation_fail(e, node, "%s of nothing", node->text);
	if (!evaluate_node(e, node->first, &value))
		return false;
	if (node->first->next && !is_text(node->first->next) && reductions[which].each) {
		*out = value;
		for (const struct formula_node *more = node->first->next; more; more = more->next) {
			struct array next, so_far = *out;
			struct error why = {{0}};
			if (!evaluate_node(e, more, &next))
				return false;
			if (!array_combine(e->scratch, reductions[which].each, &so_far, &next, out, &why))
				return evaluation_fail(e, more, "%s", why.text);
		}
		return true;
	}
	int axis = value.text ? -1 : choose_axis(e, node, &value);
	if (value.text)
		return evaluation_fail(e, node, "%s of a text", node->text);
	if (axis < 0)
		return false;
	array_reduce(e->scratch, reductions[which].reduce, &value, axis, out);
	bool places = !strncmp(node->text, "arg", 3);
	return !places || name_place(e, node, value.axis[axis], out);
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

static bool evaluate_three(const struct evaluation *e, const struct formula_node *node, struct array value[3])
{
	const struct formula_node *argument = node->first;
	if (formula_count_arguments(node) != 3)
		return evaluation_fail(e, node, "%s takes three arguments", node->text);
	for (int i = 0; i < 3; i++, argument = argument->next)
		if (!evaluate_node(e, argument, &value[i]))
			return false;
	return true;
}

static bool call_near(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array value[3], off;
	struct error why = {{0}};
	if (!evaluate_three(e, node, value))
		return false;
	return (array_combine(e->scratch, off_by, &value[0], &value[1], &off, &why) &&
	        array_combine(e->scratch, not_above, &off, &value[2], out, &why)) ||
	       evaluation_fail(e, node, "%s", why.text);
}

/* A single condition chooses a side, which may be a text. */
static bool call_if(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array value[3], otherwise, yes, no;
	struct error why = {{0}};
	if (!evaluate_three(e, node, value))
		return false;
	if (!value[0].axes) {
		double condition = value[0].data[0];
		*out = isnan(condition) ? array_number(e->scratch, NAN)
		       : condition != 0 ? value[1]
		                        : value[2];
		return true;
	}
	if (value[1].text || value[2].text)
		return evaluation_fail(e, node, "if: texts need a single condition");
	array_map(e->scratch, is_false, &value[0], &otherwise);
	return (array_combine(e->scratch, keep_if, &value[0], &value[1], &yes, &why) &&
	        array_combine(e->scratch, keep_if, &otherwise, &value[2], &no, &why) &&
	        array_combine(e->scratch, add, &yes, &no, out, &why)) ||
	       evaluation_fail(e, node, "%s", why.text);
}

/* best(x, "A", "B"): the largest value of the named series. */
static bool call_best(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array value, chosen;
	if (!node->first || !evaluate_node(e, node->first, &value))
		return node->first ? false : evaluation_fail(e, node, "best of nothing");
	int axis = array_axis(&value, "series");
	if (axis < 0)
		return evaluation_fail(e, node, "best: there are no series to choose from");
	bool *mask = scratch_new(e->scratch, value.axis[axis]->count, sizeof *mask);
	for (size_t i = 1; i < formula_count_arguments(node); i++) {
		const char *label;
		size_t at = 0;
		if (!formula_text_argument(e, node, i, &label))
			return false;
		while (at < value.axis[axis]->count && strcmp(value.axis[axis]->label[at], label))
			at++;
		if (at == value.axis[axis]->count)
			return evaluation_fail(e, node, "best: no series '%s'", label);
		mask[at] = true;
	}
	array_select(e->scratch, &value, axis, mask, false, &chosen);
	array_reduce(e->scratch, most, &chosen, axis, out);
	return true;
}

static bool call_map(const struct evaluation *e, const struct formula_node *node, size_t which,
                     struct array *out)
{
	struct array value;
	if (formula_count_arguments(node) != 1)
		return evaluation_fail(e, node, "%s takes one argument", node->text);
	if (!evaluate_node(e, node->first, &value))
		return false;
	if (value.text)
		return evaluation_fail(e, node, "%s of a text", node->text);
	array_map(e->scratch, maps[which].map, &value, out);
	return true;
}

bool formula_call(const struct evaluation *e, const struct formula_node *node, struct array *out, bool *known)
{
	*known = true;
	for (size_t i = 0; i < sizeof reductions / sizeof *reductions; i++)
		if (!strcmp(node->text, reductions[i].name))
			return call_reduction(e, node, i, out);
	for (size_t i = 0; i < sizeof maps / sizeof *maps; i++)
		if (!strcmp(node->text, maps[i].name))
			return call_map(e, node, i, out);
	if (!strcmp(node->text, "near"))
		return call_near(e, node, out);
	if (!strcmp(node->text, "if"))
		return call_if(e, node, out);
	if (!strcmp(node->text, "best"))
		return call_best(e, node, out);
	*known = false;
	return false;
}
