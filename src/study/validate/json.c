/* JSON of a validation. */
#include "study/validate/report.h"

#include "report/run_json.h"

enum { JSON_VERSION = 1 };

static const char *kind_name(enum measure_kind kind)
{
	static const char *const names[] = {
	    [MEASURE_EXACT] = "exact", [MEASURE_PERCENT] = "percent", [MEASURE_POINTS] = "points"};
	return names[kind];
}

static json_t *dim_json(const struct trace_dim *dim)
{
	return json_pack("[I, I, I]", (json_int_t)dim->x, (json_int_t)dim->y, (json_int_t)dim->z);
}

/* Whole numbers stay whole. */
static json_t *value_json(const struct measure *measure, double value)
{
	if (measure->counter >= 0 && value >= 0)
		return json_integer((json_int_t)value);
	return json_number(value);
}

static json_t *comparison_json(const struct validation *v, size_t launch)
{
	json_t *object = json_object();
	for (size_t m = 0; m < v->measures; m++) {
		const struct measure *measure = &v->measure[m];
		if (measure->over > 0)
			continue;
		json_object_set_new(object, measure->info->name,
		                    json_pack("{s:o, s:o, s:o}", "simulated",
		                              value_json(measure, v->launch[launch].sim[m]), "hardware",
		                              value_json(measure, v->launch[launch].hw[m]), "error",
		                              json_number(validate_error(v, launch, m))));
	}
	return object;
}

static json_t *launch_json(const struct validation *v, size_t i, const struct machine *machine)
{
	const struct validate_launch *launch = &v->launch[i];
	json_t *object = json_object();
	json_object_set_new(object, "program", json_text(v->programs.program[launch->program].name));
	json_object_set_new(object, "group", json_string(validate_group_name(launch->group)));
	json_object_set_new(object, "launch", json_integer(launch->launch));
	json_object_set_new(object, "kernel", json_text(launch->kernel));
	json_object_set_new(object, "grid", dim_json(&launch->grid));
	json_object_set_new(object, "block", dim_json(&launch->block));
	json_object_set_new(object, "status", json_string(run_status_name(launch->status)));
	json_object_set_new(object, "comparison", launch->compared ? comparison_json(v, i) : json_null());
	json_object_set_new(object, "counters", json_counters(&launch->counters));
	json_object_set_new(object, "metrics", json_metrics(&launch->counters, machine));
	return object;
}

static json_t *worst_json(const struct validation *v, const struct agreement *a)
{
	if (!a->n)
		return json_null();
	const struct validate_launch *launch = &v->launch[a->worst_launch];
	return json_pack("{s:o, s:o, s:I}", "error", json_number(a->worst), "program",
	                 json_text(v->programs.program[launch->program].name), "launch",
	                 (json_int_t)launch->launch);
}

static json_t *agreement_json(const struct validation *v, const struct measure *measure,
                              const struct agreement *a)
{
	json_t *object = json_object();
	json_object_set_new(object, "counter", json_string(measure->info->name));
	json_object_set_new(object, "error_in", json_string(kind_name(measure->kind)));
	json_object_set_new(object, "hardware_over",
	                    measure->over > 0 ? json_number(measure->over) : json_null());
	json_object_set_new(object, "launches", json_integer((json_int_t)a->n));
	json_object_set_new(object, "left_out", json_integer((json_int_t)a->left_out));
	json_object_set_new(object, "equal", json_integer((json_int_t)a->equal));
	json_object_set_new(object, "mean_absolute_error", json_number(a->mean));
	json_object_set_new(object, "median_absolute_error", json_number(a->median));
	json_object_set_new(object, "p90_absolute_error", json_number(a->p90));
	json_object_set_new(object, "worst", worst_json(v, a));
	json_object_set_new(object, "bias", json_number(a->bias));
	json_object_set_new(object, "error_of_sum_percent", json_number(a->total));
	json_object_set_new(object, "pearson", json_number(a->pearson));
	json_object_set_new(object, "log_pearson", json_number(a->log_pearson));
	return object;
}

static json_t *group_json(const struct validation *v, enum validate_group group)
{
	json_t *array = json_array();
	for (size_t m = 0; m < v->measures; m++) {
		struct agreement a = validate_agree(v, group, m);
		json_array_append_new(array, agreement_json(v, &v->measure[m], &a));
	}
	return array;
}

static json_t *programs_json(const struct validation *v)
{
	int cycles = validate_find_counter(v, COUNT_cycles);
	json_t *array = json_array();
	for (size_t i = 0; i < v->programs.count; i++) {
		struct agreement a = validate_agree_program(v, i, (size_t)cycles);
		json_array_append_new(array, json_pack("{s:o, s:o}", "program",
		                                       json_text(v->programs.program[i].name), "cycles",
		                                       agreement_json(v, &v->measure[cycles], &a)));
	}
	return array;
}

char *json_write_validation(const struct validate_facts *facts, const struct validation *v)
{
	const struct machine *machine = facts->config->machine;
	json_t *root = json_object(), *launches = json_array(), *changes = json_array(),
	       *summary = json_object();
	for (size_t i = 0; i < facts->change_count; i++)
		json_array_append_new(changes, json_text(facts->changes[i]));
	for (size_t i = 0; i < v->launches; i++)
		json_array_append_new(launches, launch_json(v, i, machine));
	for (int group = 0; group < GROUP_COUNT; group++)
		json_object_set_new(summary, validate_group_name((enum validate_group)group),
		                    group_json(v, (enum validate_group)group));
	json_object_set_new(root, "format", json_string("sluice validate"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "machine", json_text(machine->name));
	json_object_set_new(root, "machine_title", json_text(machine->title));
	json_object_set_new(root, "machine_changes", changes);
	json_object_set_new(root, "policy", json_text(facts->config->chain->text));
	json_object_set_new(root, "status", json_string(v->report ? "deadlocked" : "done"));
	json_object_set_new(root, "launches_compared", json_integer((json_int_t)v->compared));
	json_t *mismatches = json_array();
	for (size_t i = 0; i < v->mismatches; i++)
		json_array_append_new(mismatches, json_text(v->mismatch[i]));
	json_object_set_new(root, "left_out", mismatches);
	json_object_set_new(root, "rows_without_trace", json_integer((json_int_t)v->rows_without_trace));
	json_object_set_new(root, "definitions", json_definitions());
	json_object_set_new(root, "summary", summary);
	json_object_set_new(root, "programs", programs_json(v));
	json_object_set_new(root, "launches", launches);
	return json_finish(root);
}
