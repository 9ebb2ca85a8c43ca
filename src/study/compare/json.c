/* A comparison as JSON. */
#include "study/compare/compare.h"

enum { JSON_VERSION = 1 };

static const char *better_name(enum better better)
{
	return better == BETTER_MORE ? "more" : better == BETTER_LESS ? "less" : "neither";
}

json_t *compare_values_json(const struct compare_row *row, bool with_energy)
{
	json_t *object = json_object();
	for (int i = 0; i < COMPARE_COUNT; i++)
		if (i != COMPARE_energy || with_energy)
			json_object_set_new(object, compare_infos[i].name, json_number(row->value[i]));
	return object;
}

json_t *compare_definitions(bool with_energy)
{
	json_t *definitions = json_definitions(), *values = json_object();
	for (int i = 0; i < COMPARE_COUNT; i++)
		if (i != COMPARE_energy || with_energy)
			json_object_set_new(values, compare_infos[i].name,
			                    json_pack("{s:s, s:s, s:s, s:s}", "title", compare_infos[i].title,
			                              "unit", compare_infos[i].unit, "better",
			                              better_name(compare_infos[i].better), "definition",
			                              compare_infos[i].doc));
	json_object_set_new(definitions, "values", values);
	return definitions;
}

static json_t *program_json(const struct run_program *program)
{
	json_t *args = json_array();
	for (size_t i = 0; i < program->arg_count; i++)
		json_array_append_new(args, json_text(program->args[i]));
	return json_pack("{s:o, s:i}", "arguments", args, "exit_status", program->exit_status);
}

json_t *compare_facts_json(const struct compare_facts *facts)
{
	const struct run_options *options = facts->options;
	json_t *changes = json_array(), *object = json_object();
	for (size_t i = 0; i < facts->change_count; i++)
		json_array_append_new(changes, json_text(facts->changes[i]));
	json_object_set_new(object, "trace", json_text(facts->trace_name));
	if (facts->program)
		json_object_set_new(object, "program", program_json(facts->program));
	json_object_set_new(object, "machine", json_text(facts->machine->name));
	json_object_set_new(object, "machine_title", json_text(facts->machine->title));
	json_object_set_new(object, "machine_changes", changes);
	json_object_set_new(object, "cold_l2", json_boolean(options->cold_l2));
	json_object_set_new(object, "max_insns",
	                    options->max_insns ? json_integer((json_int_t)options->max_insns) : json_null());
	return object;
}

static json_t *policy_json(const struct compare_row *row, const struct batch_run *run, bool with_energy)
{
	json_t *object = json_object();
	json_object_set_new(object, "policy", json_text(row->label));
	json_object_set_new(object, "chain", json_text(row->chain));
	json_object_set_new(object, "values", compare_values_json(row, with_energy));
	json_object_update(object, run->result);
	return object;
}

char *compare_write_json(const struct compare_facts *facts, const struct compare_row *rows,
                         const struct batch_run *runs, size_t count)
{
	bool with_energy = compare_has(rows, count, COMPARE_energy);
	json_t *root = json_object(), *policies = json_array();
	for (size_t i = 0; i < count; i++)
		json_array_append_new(policies, policy_json(&rows[i], &runs[i], with_energy));
	json_object_set_new(root, "format", json_string("sluice compare"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "run", compare_facts_json(facts));
	json_object_set_new(root, "definitions", compare_definitions(with_energy));
	json_object_set_new(root, "policies", policies);
	return json_finish(root);
}
