/* Evaluation of formulas: operators, labels in brackets, names and calls. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "papers/formula/formula.h"

/* "a ~ b" */
static const double NEAR_SHARE = 0.05;

/* ---- operators -------------------------------------------------------------------------------------------- */

/* A comparison with a missing value is missing; "and" and "or" too, unless the other side decides. */
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

/* Compare two texts; no other operator takes texts. */
static bool compare_texts(const struct evaluation *e, const struct formula_node *node, const struct array *a,
                          const struct array *b, struct array *out)
{
	if (node->op != OPERATOR_EQUAL && node->op != OPERATOR_UNEQUAL)
		return evaluation_fail(e, node, "a text can only be compared by == and !=");
	if (!a->text || !b->text) {
		/* argmax of missing values is a missing number, not a label. */
		const struct array *number = a->text ? b : a;
		if (number->count != 1 || !isnan(number->data[0]))
			return evaluation_fail(e, node, "a text is compared with a number");
		*out = array_number(e->scratch, NAN);
		return true;
	}
	*out = array_number(e->scratch, !strcmp(a->text, b->text) == (node->op == OPERATOR_EQUAL));
	return true;
}

static bool evaluate_operator(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array a, b;
	struct error why = {{0}};
	if (!evaluate_node(e, node->first, &a))
		return false;
	if (node->op == OPERATOR_NOT || node->op == OPERATOR_NEGATE) {
		if (a.text)
			return evaluation_fail(e, node, "a text where a number is expected");
		array_map(e->scratch, node->op == OPERATOR_NOT ? op_not : op_negate, &a, out);
		return true;
	}
	if (!evaluate_node(e, node->first->next, &b))
		return false;
	if (a.text || b.text)
		return compare_texts(e, node, &a, &b, out);
	return array_combine(e->scratch, binary[node->op], &a, &b, out, &why) ||
	       evaluation_fail(e, node, "%s", why.text);
}

/* ---- picking ---------------------------------------------------------------------------------------------- */

static bool is_known(const struct axis *axis, const char *text)
{
	return axis->label && (label_index(axis->label, axis->count, text) < axis->count ||
	                       label_index(axis->known, axis->known_count, text) < axis->known_count);
}

static bool fail_label(const struct evaluation *e, const struct formula_node *node, const struct array *from)
{
	char clip[CLIP_SIZE], question[SUGGEST_SIZE];
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
	return evaluation_fail(e, node, "no series, workload or set '%s' here%s", clip_text(clip, node->text),
	                       suggest_question(&near, question));
}

/* Return the axis of a label or set; -1: err has the place. */
static int find_axis(const struct evaluation *e, const struct formula_node *node, const struct array *from)
{
	int found = -1;
	for (size_t i = 0; i < from->axes; i++) {
		const struct axis *axis = from->axis[i];
		if (!is_known(axis, node->text) && !axis_set(axis, node->text))
			continue;
		if (found >= 0) {
			evaluation_fail(e, node, "'%s' is a %s and a %s; rename one", node->text,
			                from->axis[found]->name, axis->name);
			return -1;
		}
		found = (int)i;
	}
	if (found < 0)
		fail_label(e, node, from);
	return found;
}

static bool pick_variable(const struct evaluation *e, const struct formula_node *node,
                          const struct array *from, struct array *out)
{
	int a = array_axis(from, node->name);
	if (a < 0)
		return evaluation_fail(e, node, "nothing here varies by '%s'", node->name);
	const struct axis *axis = from->axis[a];
	if (!is_known(axis, node->text))
		return evaluation_fail(e, node, "%s is never %s", node->name, node->text);
	bool *mask = scratch_new(e->scratch, axis->count, sizeof *mask);
	for (size_t i = 0; i < axis->count; i++)
		mask[i] = !strcmp(axis->label[i], node->text);
	array_select(e->scratch, from, a, mask, true, out);
	return true;
}

static bool evaluate_pick(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct array from;
	if (!evaluate_node(e, node->first, &from))
		return false;
	if (node->name)
		return pick_variable(e, node, &from, out);
	int a = find_axis(e, node, &from);
	if (a < 0)
		return false;
	const struct axis *axis = from.axis[a];
	bool single = is_known(axis, node->text);
	const struct label_set *set = single ? NULL : axis_set(axis, node->text);
	bool *mask = scratch_new(e->scratch, axis->count, sizeof *mask);
	for (size_t i = 0; i < axis->count; i++)
		mask[i] = single ? !strcmp(axis->label[i], node->text) : label_set_has(set, axis->label[i]);
	array_select(e->scratch, &from, a, mask, single, out);
	return true;
}

/* ---- the rest --------------------------------------------------------------------------------------------- */

static bool evaluate_call(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	bool known = false;
	if (e->scope->call) {
		bool ok = e->scope->call(e, node, out, &known);
		if (known)
			return ok;
	}
	bool ok = formula_call(e, node, out, &known);
	if (!known)
		ok = formula_call_model(e, node, out, &known);
	if (known)
		return ok;
	char clip[CLIP_SIZE], question[SUGGEST_SIZE];
	struct suggest near = formula_suggest_function(node->text);
	if (near.best && !strcmp(near.best, node->text))
		return evaluation_fail(e, node, "%s is a function of one run: use it in 'metrics'",
		                       node->text);
	return evaluation_fail(e, node, "unknown function '%s'%s", clip_text(clip, node->text),
	                       suggest_question(&near, question));
}

bool evaluate_node(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	struct error why = {{0}};
	switch (node->kind) {
	case FORMULA_NUMBER:
		*out = array_number(e->scratch, node->number);
		return true;
	case FORMULA_TEXT:
		*out = array_text(e->scratch, node->text);
		return true;
	case FORMULA_NAME:
		return e->scope->name(e->scope->user, node->text, e->scratch, out, &why) ||
		       evaluation_fail(e, node, "%s", why.text);
	case FORMULA_CALL:
		return evaluate_call(e, node, out);
	case FORMULA_PICK:
		return evaluate_pick(e, node, out);
	case FORMULA_OPERATOR:
		return evaluate_operator(e, node, out);
	}
	BUG("a formula's node of kind %d", (int)node->kind);
}

bool formula_evaluate(const struct formula *formula, const struct formula_scope *scope,
                      struct scratch *scratch, struct array *out, struct error *err)
{
	const struct evaluation e = {formula, scope, scratch, err};
	return evaluate_node(&e, formula->root, out);
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
