/* Evaluating formulas. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "papers/formula/formula.h"

/* "a ~ b" */
static const double NEAR_SHARE = 0.05;

/* ---- operators -------------------------------------------------------------------------------------------- */

/* A comparison with a missing value is missing; so are "and" and "or", unless the other side decides. */
static double truth(bool is, double a, double b)
{
	return isnan(a) || isnan(b) ? NAN : is;
}

static double op_or(double a, double b)
{
	return (!isnan(a) && a != 0) || (!isnan(b) && b != 0) ? 1 : truth(false, a, b);
}

static double op_and(double a, double b)
{
	return a == 0 || b == 0 ? 0 : truth(true, a, b);
}

static double op_less(double a, double b)
{
	return truth(a < b, a, b);
}

static double op_less_equal(double a, double b)
{
	return truth(a <= b, a, b);
}

static double op_more(double a, double b)
{
	return truth(a > b, a, b);
}

static double op_more_equal(double a, double b)
{
	return truth(a >= b, a, b);
}

static double op_equal(double a, double b)
{
	return truth(a == b, a, b);
}

static double op_unequal(double a, double b)
{
	return truth(a != b, a, b);
}

static double op_near(double a, double b)
{
	return truth(fabs(a - b) <= NEAR_SHARE * fabs(b), a, b);
}

static double op_add(double a, double b)
{
	return a + b;
}

static double op_subtract(double a, double b)
{
	return a - b;
}

static double op_multiply(double a, double b)
{
	return a * b;
}

static double op_divide(double a, double b)
{
	return b == 0 ? NAN : a / b;
}

static double op_power(double a, double b)
{
	return pow(a, b);
}

static double op_not(double a)
{
	return isnan(a) ? NAN : a == 0;
}

static double op_negate(double a)
{
	return -a;
}

static double (*const binary[])(double, double) = {
    [OPERATOR_OR] = op_or,
    [OPERATOR_AND] = op_and,
    [OPERATOR_LESS] = op_less,
    [OPERATOR_LESS_EQUAL] = op_less_equal,
    [OPERATOR_MORE] = op_more,
    [OPERATOR_MORE_EQUAL] = op_more_equal,
    [OPERATOR_EQUAL] = op_equal,
    [OPERATOR_UNEQUAL] = op_unequal,
    [OPERATOR_NEAR] = op_near,
    [OPERATOR_ADD] = op_add,
    [OPERATOR_SUBTRACT] = op_subtract,
    [OPERATOR_MULTIPLY] = op_multiply,
    [OPERATOR_DIVIDE] = op_divide,
    [OPERATOR_POWER] = op_power,
};

/* Texts are only compared. */
static bool compare_texts(const struct formula *f, const struct formula_node *node, const struct array *a,
                          const struct array *b, struct scratch *scratch, struct array *out,
                          struct error *err)
{
	if (node->op != OPERATOR_EQUAL && node->op != OPERATOR_UNEQUAL)
		return formula_fail(f, node, err, "a text can only be compared by == and !=");
	if (!a->text || !b->text) {
		/* Where a label was asked for and values were missing, there is a number that is missing. */
		const struct array *number = a->text ? b : a;
		if (number->count != 1 || !isnan(number->data[0]))
			return formula_fail(f, node, err, "a text is compared with a number");
		*out = array_number(scratch, NAN);
		return true;
	}
	*out = array_number(scratch, !strcmp(a->text, b->text) == (node->op == OPERATOR_EQUAL));
	return true;
}

static bool evaluate_operator(const struct formula *f, const struct formula_node *node,
                              const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                              struct error *err)
{
	struct array a, b;
	struct error why = {{0}};
	if (!formula_evaluate_node(f, node->first, scope, scratch, &a, err))
		return false;
	if (node->op == OPERATOR_NOT || node->op == OPERATOR_NEGATE) {
		if (a.text)
			return formula_fail(f, node, err, "a text where a number is expected");
		array_map(scratch, node->op == OPERATOR_NOT ? op_not : op_negate, &a, out);
		return true;
	}
	if (!formula_evaluate_node(f, node->first->next, scope, scratch, &b, err))
		return false;
	if (a.text || b.text)
		return compare_texts(f, node, &a, &b, scratch, out, err);
	return array_combine(scratch, binary[node->op], &a, &b, out, &why) ||
	       formula_fail(f, node, err, "%s", why.text);
}

/* ---- picking ---------------------------------------------------------------------------------------------- */

static bool has_label(const char *const *label, size_t count, const char *text)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(label[i], text))
			return true;
	return false;
}

static const struct label_set *find_set(const struct axis *axis, const char *name)
{
	for (size_t i = 0; i < axis->set_count; i++)
		if (!strcmp(axis->sets[i].name, name))
			return &axis->sets[i];
	return NULL;
}

static bool is_known(const struct axis *axis, const char *text)
{
	return axis->label &&
	       (has_label(axis->label, axis->count, text) || has_label(axis->known, axis->known_count, text));
}

static bool fail_label(const struct formula *f, const struct formula_node *node, const struct array *from,
                       struct error *err)
{
	char clip[CLIP_SIZE];
	struct suggest near = suggest_start(node->text);
	for (size_t a = 0; a < from->axes; a++) {
		const struct axis *axis = from->axis[a];
		for (size_t i = 0; axis->label && i < axis->count; i++)
			suggest_offer(&near, axis->label[i]);
		for (size_t i = 0; i < axis->known_count; i++)
			suggest_offer(&near, axis->known[i]);
		for (size_t i = 0; i < axis->set_count; i++)
			suggest_offer(&near, axis->sets[i].name);
	}
	return formula_fail(f, node, err, "no series, workload or set '%s' here%s%s%s",
	                    clip_text(clip, node->text), near.best ? "; did you mean '" : "",
	                    near.best ? near.best : "", near.best ? "'?" : "");
}

/* The axis that a label or set belongs to; -1: err has the place. */
static int find_axis(const struct formula *f, const struct formula_node *node, const struct array *from,
                     struct error *err)
{
	int found = -1;
	for (size_t i = 0; i < from->axes; i++) {
		const struct axis *axis = from->axis[i];
		if (!is_known(axis, node->text) && !find_set(axis, node->text))
			continue;
		if (found >= 0) {
			formula_fail(f, node, err, "'%s' is a %s and a %s; rename one", node->text,
			             from->axis[found]->name, axis->name);
			return -1;
		}
		found = (int)i;
	}
	if (found < 0)
		fail_label(f, node, from, err);
	return found;
}

static bool pick_variable(const struct formula *f, const struct formula_node *node, const struct array *from,
                          struct scratch *scratch, struct array *out, struct error *err)
{
	int a = array_axis(from, node->name);
	if (a < 0)
		return formula_fail(f, node, err, "nothing here varies by '%s'", node->name);
	const struct axis *axis = from->axis[a];
	if (!is_known(axis, node->text))
		return formula_fail(f, node, err, "%s is never %s", node->name, node->text);
	bool *mask = scratch_new(scratch, axis->count, sizeof *mask);
	for (size_t i = 0; i < axis->count; i++)
		mask[i] = !strcmp(axis->label[i], node->text);
	array_select(scratch, from, a, mask, true, out);
	return true;
}

static bool evaluate_pick(const struct formula *f, const struct formula_node *node,
                          const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                          struct error *err)
{
	struct array from;
	if (!formula_evaluate_node(f, node->first, scope, scratch, &from, err))
		return false;
	if (node->name)
		return pick_variable(f, node, &from, scratch, out, err);
	int a = find_axis(f, node, &from, err);
	if (a < 0)
		return false;
	const struct axis *axis = from.axis[a];
	bool single = is_known(axis, node->text);
	const struct label_set *set = single ? NULL : find_set(axis, node->text);
	bool *mask = scratch_new(scratch, axis->count, sizeof *mask);
	for (size_t i = 0; i < axis->count; i++)
		mask[i] = single ? !strcmp(axis->label[i], node->text)
		                 : has_label(set->label, set->count, axis->label[i]);
	array_select(scratch, &from, a, mask, single, out);
	return true;
}

/* ---- the rest --------------------------------------------------------------------------------------------- */

static bool evaluate_call(const struct formula *f, const struct formula_node *node,
                          const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                          struct error *err)
{
	bool known = false;
	if (scope->call) {
		bool ok = scope->call(f, node, scope, scratch, out, &known, err);
		if (known)
			return ok;
	}
	bool ok = formula_call(f, node, scope, scratch, out, &known, err);
	if (!known)
		ok = formula_call_model(f, node, scope, scratch, out, &known, err);
	if (known)
		return ok;
	char clip[CLIP_SIZE];
	const char *near = formula_suggest_function(node->text);
	if (near && !strcmp(near, node->text))
		return formula_fail(f, node, err, "%s is of a run: it stands in 'metrics'", node->text);
	return formula_fail(f, node, err, "unknown function '%s'%s%s%s", clip_text(clip, node->text),
	                    near ? "; did you mean '" : "", near ? near : "", near ? "'?" : "");
}

bool formula_evaluate_node(const struct formula *formula, const struct formula_node *node,
                           const struct formula_scope *scope, struct scratch *scratch, struct array *out,
                           struct error *err)
{
	struct error why = {{0}};
	switch (node->kind) {
	case FORMULA_NUMBER:
		*out = array_number(scratch, node->number);
		return true;
	case FORMULA_TEXT:
		*out = array_text(scratch, node->text);
		return true;
	case FORMULA_NAME:
		return scope->name(scope->user, node->text, scratch, out, &why) ||
		       formula_fail(formula, node, err, "%s", why.text);
	case FORMULA_CALL:
		return evaluate_call(formula, node, scope, scratch, out, err);
	case FORMULA_PICK:
		return evaluate_pick(formula, node, scope, scratch, out, err);
	case FORMULA_OPERATOR:
		return evaluate_operator(formula, node, scope, scratch, out, err);
	}
	BUG("a formula's node of kind %d", (int)node->kind);
}

bool formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct scratch *scratch, struct array *out, struct error *err)
{
	return formula_evaluate_node(formula, formula->root, scope, scratch, out, err);
}

bool formula_number(const struct formula *formula, const struct formula_scope *scope, double *number,
                    struct error *err)
{
	struct scratch scratch = {0};
	struct array value;
	bool ok = formula_evaluate(formula, scope, &scratch, &value, err);
	if (ok && value.text)
		ok = formula_fail(formula, formula->root, err, "a text where a number is expected");
	if (ok && value.axes) {
		char axes[160] = "";
		for (size_t i = 0; i < value.axes; i++) {
			size_t used = strlen(axes);
			snprintf(axes + used, sizeof axes - used, "%s%s", i ? " and " : "",
			         value.axis[i]->name);
		}
		ok = formula_fail(formula, formula->root, err,
		                  "many values, by %s, where one is expected: take a mean, max or all", axes);
	}
	if (ok)
		*number = value.data[0];
	scratch_free(&scratch);
	return ok;
}
