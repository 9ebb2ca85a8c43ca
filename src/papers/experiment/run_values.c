/* Names of a run's values, and functions of what observers recorded. */
#include "papers/experiment/run_values.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "machine/catalog.h"
#include "run/look_reports.h"

const char *const trace_fact_names[TRACE_FACTS_COUNT] = {
#define X(name) #name,
    TRACE_FACTS(X)
#undef X
};

static const char *const energy_extras[] = {"total", "power"};
/* Values of `sluice compare`. */
static const char *const compared[] = {"mpki", "active_warps", "dram_bytes", "wall_s"};
enum { COMPARED = sizeof compared / sizeof *compared };

static const struct look_kind {
	const char *name;
	const struct look_field *fields;
} look_kinds[] = {
    {"series", look_series_fields},     {"matrix", look_matrix_fields}, {"locality", look_locality_fields},
    {"failures", look_failures_fields}, {"reuse", look_reuse_fields},   {"shared", look_shared_fields},
    {"bypass", look_bypass_fields},     {"sms", look_sms_fields},       {"distance", look_distance_fields},
};
enum { LOOK_KINDS = sizeof look_kinds / sizeof *look_kinds };

/* ---- totals ----------------------------------------------------------------------------------------------- */

static double number_at(const json_t *object, const char *name)
{
	const json_t *number = json_object_get(object, name);
	return json_is_number(number) ? json_number_value(number) : NAN;
}

void run_totals_read(struct run_totals *totals, const json_t *result)
{
	const json_t *total = json_object_get(result, "total");
	const json_t *counters = json_object_get(total, "counters"),
	             *metrics = json_object_get(total, "metrics"), *energy = json_object_get(total, "energy");
	for (int i = 0; i < COUNTER_COUNT; i++)
		totals->counter[i] = number_at(counters, counter_infos[i].name);
	for (int i = 0; i < METRIC_COUNT; i++)
		totals->metric[i] = number_at(metrics, metric_infos[i].name);
	for (int i = 0; i < RUN_ENERGY_COUNT; i++)
		totals->energy[i] = number_at(energy, i < ENERGY_COUNT ? energy_parts[i].name
		                                                       : energy_extras[i - ENERGY_COUNT]);
	totals->wall_s = NAN;
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

static double compared_value(const struct run_totals *t, size_t which)
{
	const double *c = t->counter;
	switch (which) {
	case 0:
		return 1000 * ratio(c[COUNT_l1_misses] + c[COUNT_l1_bypasses], c[COUNT_thread_insns]);
	case 1:
		return ratio(c[COUNT_warp_cycles], c[COUNT_sm_cycles] - c[COUNT_stall_idle]);
	case 2:
		return c[COUNT_dram_read_bytes] + c[COUNT_dram_write_bytes];
	default:
		return t->wall_s;
	}
}

/* Find a total by name; return false if there is none. */
static bool find_total(const struct run_totals *t, const char *name, double *value)
{
	*value = NAN;
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strcmp(counter_infos[i].name, name)) {
			*value = t ? t->counter[i] : NAN;
			return true;
		}
	for (int i = 0; i < METRIC_COUNT; i++)
		if (!strcmp(metric_infos[i].name, name)) {
			*value = t ? t->metric[i] : NAN;
			return true;
		}
	for (size_t i = 0; i < COMPARED; i++)
		if (!strcmp(compared[i], name)) {
			*value = t ? compared_value(t, i) : NAN;
			return true;
		}
	for (int i = 0; !strncmp(name, "energy.", 7) && i < RUN_ENERGY_COUNT; i++)
		if (!strcmp(i < ENERGY_COUNT ? energy_parts[i].name : energy_extras[i - ENERGY_COUNT],
		            name + 7)) {
			*value = t ? t->energy[i] : NAN;
			return true;
		}
	return false;
}

bool run_fail_unknown(const char *name, const char *const *more, size_t count, struct error *err)
{
	char clip[CLIP_SIZE], full[3 * LOOK_KINDS + TRACE_FACTS_COUNT + RUN_ENERGY_COUNT][64];
	char question[SUGGEST_SIZE];
	struct suggest near = suggest_start(name);
	size_t n = 0;
	for (size_t i = 0; i < count; i++)
		suggest_offer(&near, more[i]);
	for (int i = 0; i < COUNTER_COUNT; i++)
		suggest_offer(&near, counter_infos[i].name);
	for (int i = 0; i < METRIC_COUNT; i++)
		suggest_offer(&near, metric_infos[i].name);
	for (size_t i = 0; i < COMPARED; i++)
		suggest_offer(&near, compared[i]);
	for (int i = 0; i < RUN_ENERGY_COUNT; i++)
		snprintf(full[n++], sizeof full[0], "energy.%s",
		         i < ENERGY_COUNT ? energy_parts[i].name : energy_extras[i - ENERGY_COUNT]);
	for (int i = 0; i < TRACE_FACTS_COUNT; i++)
		snprintf(full[n++], sizeof full[0], "trace.%s", trace_fact_names[i]);
	for (size_t i = 0; i < n; i++)
		suggest_offer(&near, full[i]);
	return error_set(err, "unknown metric '%s'%s", clip_text(clip, name),
	                 suggest_question(&near, question));
}

const char *run_unit(const char *name)
{
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (!strcmp(counter_infos[i].name, name))
			return counter_infos[i].unit;
	for (int i = 0; i < METRIC_COUNT; i++)
		if (!strcmp(metric_infos[i].name, name))
			return metric_infos[i].unit;
	return strncmp(name, "energy.", 7) ? "" : "J";
}

/* ---- looks ------------------------------------------------------------------------------------------------ */

static const struct axis *item_axis(struct scratch *scratch, const char *name, size_t count)
{
	struct axis *axis = scratch_new(scratch, 1, sizeof *axis);
	*axis = (struct axis){.name = name, .count = count};
	return axis;
}

static const json_t *walk(const json_t *object, const char *path)
{
	char *copy = memory_text(path), *save;
	for (char *name = strtok_r(copy, ".", &save); object && name; name = strtok_r(NULL, ".", &save))
		object = json_object_get(object, name);
	free(copy);
	return object;
}

static size_t flat_count(const json_t *value)
{
	return json_is_array(value) ? json_array_size(value) : value != NULL;
}

/* Return a vector of a value per launch, or of the arrays of all launches one after another. */
static struct array look_vector(struct scratch *scratch, const json_t *launches, const char *path)
{
	size_t count = 0, at = 0, i, k;
	const json_t *launch, *number;
	json_array_foreach(launches, i, launch) count += flat_count(walk(launch, path));
	const struct axis *axis = item_axis(scratch, "item", count);
	struct array out = array_new(scratch, &axis, 1);
	json_array_foreach(launches, i, launch)
	{
		const json_t *value = walk(launch, path);
		if (!json_is_array(value)) {
			if (value)
				out.data[at++] = json_is_number(value)    ? json_number_value(value)
				                 : json_is_boolean(value) ? json_is_true(value)
				                                          : NAN;
			continue;
		}
		json_array_foreach(value, k, number) out.data[at++] =
		    json_is_number(number) ? json_number_value(number) : NAN;
	}
	return out;
}

/* Return a matrix, summed over launches. */
static struct array look_matrix(struct scratch *scratch, const json_t *launches, const char *path)
{
	const json_t *launch, *row, *number;
	size_t i, r, c;
	size_t rows = json_array_size(walk(json_array_get(launches, 0), path));
	const struct axis *axes[] = {item_axis(scratch, "row", rows), item_axis(scratch, "column", rows)};
	struct array out = array_new(scratch, axes, 2);
	for (i = 0; i < out.count; i++)
		out.data[i] = 0;
	json_array_foreach(launches, i, launch)
	{
		const json_t *matrix = walk(launch, path);
		json_array_foreach(matrix, r, row)
		    json_array_foreach(row, c, number) if (r < rows && c < rows)
		        out.data[r * rows + c] += json_number_value(number);
	}
	return out;
}

/* look.KIND.FIELD... */
static bool look_value(const struct run_values *v, const char *name, struct scratch *scratch,
                       struct array *out, struct error *err)
{
	char kind[32] = "", field[48] = "";
	sscanf(name, "look.%31[^.].%47[^.]", kind, field);
	const struct look_kind *found = NULL;
	bool has_field = false;
	for (size_t i = 0; i < LOOK_KINDS; i++)
		if (!strcmp(look_kinds[i].name, kind))
			found = &look_kinds[i];
	if (!found)
		return error_set(err, "there is no look '%s'; docs/looking-inside.md has them", kind);
	for (const struct look_field *f = found->fields; f->name; f++)
		has_field |= !strcmp(f->name, field);
	if (!has_field)
		return error_set(err, "look.%s has no field '%s'; docs/looking-inside.md has them", kind,
		                 field);
	if (!v->look || (!strstr(v->look, kind) && strcmp(v->look, "all")))
		return error_set(err, "look.%s needs 'look: %s' in the figure or series", kind, kind);
	bool matrix = !strcmp(name, "look.matrix.lost") || !strcmp(name, "look.matrix.evictions");
	if (v->dry || !v->detail) {
		const struct axis *axes[] = {item_axis(scratch, matrix ? "row" : "item", 1),
		                             item_axis(scratch, "column", 1)};
		*out = array_new(scratch, axes, matrix ? 2 : 1);
		return true;
	}
	const json_t *launches = json_object_get(v->detail, "launches");
	*out = matrix ? look_matrix(scratch, launches, name) : look_vector(scratch, launches, name);
	return true;
}

/* ---- names ------------------------------------------------------------------------------------------------ */

static bool resolve(void *user, const char *name, struct scratch *scratch, struct array *out,
                    struct error *err)
{
	const struct run_values *v = user;
	double value;
	if (find_total(v->totals, name, &value)) {
		*out = array_number(scratch, value);
		return true;
	}
	for (int i = 0; !strncmp(name, "trace.", 6) && i < TRACE_FACTS_COUNT; i++)
		if (!strcmp(trace_fact_names[i], name + 6)) {
			*out = array_number(scratch, v->facts ? v->facts[i] : NAN);
			return true;
		}
	if (!strncmp(name, "look.", 5))
		return look_value(v, name, scratch, out, err);
	for (size_t i = 0; !strncmp(name, "found.", 6) && i < v->founds; i++)
		if (!strcmp(v->found_name[i], name + 6)) {
			*out = array_number(scratch, v->found[i]);
			return true;
		}
	if (!strncmp(name, "found.", 6)) {
		/* Another series of the figure searches it. */
		*out = array_number(scratch, NAN);
		return true;
	}
	return run_fail_unknown(name, NULL, 0, err);
}

/* ---- functions -------------------------------------------------------------------------------------------- */

static bool call_policy(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const struct run_values *v = e->scope->user;
	const char *policy, *name;
	double sum = v->detail ? 0 : NAN;
	size_t i;
	const json_t *launch;
	if (!formula_text_argument(e, node, 0, &policy) || !formula_text_argument(e, node, 1, &name))
		return false;
	json_array_foreach(json_object_get(v->detail, "launches"), i, launch)
	{
		const json_t *own = json_object_get(json_object_get(launch, "policy_counters"), policy);
		if (json_is_number(json_object_get(own, name)))
			sum += json_number_value(json_object_get(own, name));
	}
	*out = array_number(e->scratch, sum);
	return true;
}

/* Evaluate an expression for one launch, counted from 0; after the last one, values are missing. */
static bool evaluate_launch(const struct evaluation *e, const struct formula_node *expression,
                            const struct run_values *v, size_t k, struct array *out)
{
	struct run_totals *totals = scratch_new(e->scratch, 1, sizeof *totals);
	struct run_values one = *v; /* with one launch */
	json_t *launch = json_array_get(json_object_get(v->detail, "launches"), k), *total = json_object(),
	       *launches = json_array();
	json_object_set(total, "total", launch);
	json_array_append(launches, launch);
	json_object_set_new(total, "launches", launches);
	run_totals_read(totals, total);
	one.totals = launch ? totals : NULL;
	one.detail = launch ? total : NULL;
	const struct formula_scope inner = run_scope(&one);
	const struct evaluation inside = {e->formula, &inner, e->scratch, e->err};
	bool ok = evaluate_node(&inside, expression, out);
	json_decref(total);
	return ok;
}

static bool call_at(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	double k = 0;
	if (formula_count_arguments(node) != 2)
		return evaluation_fail(e, node, "at(LAUNCH, expression)");
	return formula_number_argument(e, node, 0, &k) &&
	       evaluate_launch(e, node->first->next, e->scope->user, (size_t)(k >= 1 ? k - 1 : 1e9), out);
}

/* each(expression): a vector with a number per launch. */
static bool call_each(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const struct run_values *v = e->scope->user;
	struct array one = {0};
	size_t launches = json_array_size(json_object_get(v->detail, "launches"));
	const struct axis *axis = item_axis(e->scratch, "item", launches + !launches);
	*out = array_new(e->scratch, &axis, 1);
	for (size_t k = 0; k < axis->count; k++) {
		if (node->first && !evaluate_launch(e, node->first, v, k, &one))
			return false;
		if (formula_count_arguments(node) != 1 || one.axes || one.text)
			return evaluation_fail(e, node, "each(expression): a number per launch");
		out->data[k] = one.data[0];
	}
	return true;
}

/* wmean(vector): a mean weighted by the launches' warp instructions. */
static bool call_wmean(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const struct run_values *v = e->scope->user;
	struct array a;
	if (formula_count_arguments(node) != 1 || !evaluate_node(e, node->first, &a))
		return formula_count_arguments(node) == 1 ? false : evaluation_fail(e, node, "wmean(vector)");
	const json_t *launches = json_object_get(v->detail, "launches");
	double sum = 0, weight = 0;
	if (a.axes != 1)
		return evaluation_fail(e, node, "wmean needs a vector over launches");
	for (size_t i = 0; i < a.count && a.count == json_array_size(launches); i++) {
		double w = number_at(json_object_get(json_array_get(launches, i), "counters"), "warp_insns");
		if (isnan(a.data[i]))
			continue; /* nothing to count in this launch */
		sum += w * a.data[i];
		weight += w;
	}
	*out = array_number(e->scratch, ratio(sum, weight));
	return true;
}

/* machine("l1d.ways"): a value of the run's machine. With two arguments it is the common function. */
static bool call_machine(const struct evaluation *e, const struct formula_node *node, struct array *out)
{
	const struct run_values *v = e->scope->user;
	const char *name;
	size_t count;
	char full[96];
	const struct machine_key *keys = machine_keys(&count);
	if (!formula_text_argument(e, node, 0, &name))
		return false;
	for (size_t i = 0; i < count; i++) {
		snprintf(full, sizeof full, "%s.%s", keys[i].section, keys[i].key);
		if (strcmp(full, name))
			continue;
		*out = v->machine ? formula_machine_value(e->scratch, v->machine, &keys[i])
		                  : array_number(e->scratch, NAN);
		return true;
	}
	return evaluation_fail(e, node, "no key '%s' of a machine", name);
}

static bool call(const struct evaluation *e, const struct formula_node *node, struct array *out, bool *known)
{
	static const struct {
		const char *name;
		bool (*call)(const struct evaluation *e, const struct formula_node *node, struct array *out);
	} functions[] = {
	    {"at", call_at}, {"each", call_each}, {"policy", call_policy}, {"wmean", call_wmean}};
	bool ok = run_call_matrix(e, node, out, known);
	if (*known)
		return ok;
	*known = true;
	for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
		if (!strcmp(node->text, functions[i].name))
			return functions[i].call(e, node, out);
	if (!strcmp(node->text, "machine") && formula_count_arguments(node) == 1)
		return call_machine(e, node, out);
	*known = false;
	return false;
}

struct formula_scope run_scope(const struct run_values *values)
{
	return (struct formula_scope){.name = resolve, .call = call, .user = (void *)(uintptr_t)values};
}

bool run_needs_detail(const struct formula *formula)
{
	for (const struct formula_node *node = formula->newest; node; node = node->older) {
		if (node->kind == FORMULA_NAME && !strncmp(node->text, "look.", 5))
			return true;
		if (node->kind == FORMULA_CALL && (!strcmp(node->text, "at") || !strcmp(node->text, "each") ||
		                                   !strcmp(node->text, "policy")))
			return true;
	}
	return false;
}

bool run_needs_facts(const struct formula *formula)
{
	for (const struct formula_node *node = formula->newest; node; node = node->older)
		if (node->kind == FORMULA_NAME && !strncmp(node->text, "trace.", 6))
			return true;
	return false;
}
