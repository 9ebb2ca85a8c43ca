/* JSON of a run, and what JSON documents share. */
#include "report/run_json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/hotspots.h"
#include "run/look.h"
#include "stats/energy.h"

enum { JSON_VERSION = 1, TOP_PCS = 100 };

static void define(json_t *object, const struct counter_info *info)
{
	json_t *entry = json_pack("{s:s, s:s}", "unit", info->unit, "definition", info->doc);
	if (*info->ncu)
		json_object_set_new(entry, "nsight_compute", json_string(info->ncu));
	json_object_set_new(object, info->name, entry);
}

json_t *json_definitions(void)
{
	json_t *counters = json_object(), *metrics = json_object();
	for (int i = 0; i < COUNTER_COUNT; i++)
		define(counters, &counter_infos[i]);
	for (int i = 0; i < METRIC_COUNT; i++)
		define(metrics, &metric_infos[i]);
	return json_pack("{s:o, s:o}", "counters", counters, "metrics", metrics);
}

json_t *json_counters(const struct counters *counters)
{
	json_t *object = json_object();
	for (int i = 0; i < COUNTER_COUNT; i++)
		json_object_set_new(object, counter_infos[i].name,
		                    json_integer((json_int_t)counters->value[i]));
	return object;
}

json_t *json_metrics(const struct counters *counters, const struct machine *machine)
{
	json_t *object = json_object();
	for (int i = 0; i < METRIC_COUNT; i++)
		json_object_set_new(object, metric_infos[i].name,
		                    json_number(metric_value((enum metric)i, counters, machine)));
	return object;
}

static json_t *dim_json(const struct trace_dim *dim)
{
	return json_pack("[I, I, I]", (json_int_t)dim->x, (json_int_t)dim->y, (json_int_t)dim->z);
}

static json_t *kernel_json(const struct trace_kernel *k)
{
	json_t *object = json_object();
	json_object_set_new(object, "name", json_text(k->name));
	json_object_set_new(object, "id", json_integer(k->id));
	json_object_set_new(object, "stream", json_integer(k->stream));
	json_object_set_new(object, "grid", dim_json(&k->grid));
	json_object_set_new(object, "block", dim_json(&k->block));
	json_object_set_new(object, "ctas", json_integer((json_int_t)k->cta_count));
	json_object_set_new(object, "warps_per_cta", json_integer(k->warps_per_cta));
	json_object_set_new(object, "registers_per_thread", json_integer(k->registers_per_thread));
	json_object_set_new(object, "shared_bytes", json_integer(k->shared_bytes));
	json_object_set_new(object, "binary_version", json_integer(k->binary_version));
	json_object_set_new(object, "warp_insns", json_integer((json_int_t)k->warp_insns));
	return object;
}

static json_t *hotspots_json(const struct run_launch *launch)
{
	size_t count;
	uint64_t total;
	struct hotspot *spots = hotspots_find(launch, 1, TOP_PCS, &count, &total);
	json_t *array = json_array();
	for (size_t i = 0; i < count; i++) {
		char pc[32];
		snprintf(pc, sizeof pc, "0x%04llx", (unsigned long long)spots[i].insn->pc);
		json_t *entry = json_pack("{s:s, s:o, s:I}", "pc", pc, "opcode",
		                          json_text(trace_mnemonic(spots[i].kernel, spots[i].insn)),
		                          "l1_missed_sectors", (json_int_t)spots[i].missed_sectors);
		if (spots[i].insn->source_line)
			json_object_set_new(entry, "source_line", json_integer(spots[i].insn->source_line));
		json_array_append_new(array, entry);
	}
	free(spots);
	return array;
}

/* What the policies of the chain counted themselves: {"policy": {"name": value}}. */
static json_t *json_policy_counters(const struct launch_result *result)
{
	json_t *all = json_object();
	for (uint32_t i = 0; i < result->stat_count; i++) {
		const struct policy_stat *stat = &result->stats[i];
		json_t *own = json_object_get(all, stat->policy);
		if (!own) {
			own = json_object();
			json_object_set_new(all, stat->policy, own);
		}
		json_object_set_new(own, stat->name, json_integer((json_int_t)stat->value));
	}
	return all;
}

static json_t *energy_json(const struct counters *counters, const struct machine *machine,
                           struct energy_extra extra)
{
	struct energy energy = energy_of(counters, machine, extra);
	json_t *object = json_object();
	for (int i = 0; i < ENERGY_COUNT; i++)
		json_object_set_new(object, energy_parts[i].name, json_number(energy.joules[i]));
	json_object_set_new(object, "total", json_number(energy.total));
	json_object_set_new(object, "power",
	                    json_number(energy.seconds > 0 ? energy.total / energy.seconds : NAN));
	return object;
}

static json_t *energy_definitions(void)
{
	json_t *object = json_object(), *coefficients = json_object();
	for (int i = 0; i < ENERGY_COUNT; i++)
		json_object_set_new(object, energy_parts[i].name,
		                    json_pack("{s:s, s:s}", "unit", "J", "definition", energy_parts[i].doc));
	json_object_set_new(object, "total",
	                    json_pack("{s:s, s:s}", "unit", "J", "definition", "all of the above"));
	json_object_set_new(
	    object, "power",
	    json_pack("{s:s, s:s}", "unit", "W", "definition", "total per time at the core clock"));
	for (const struct energy_coefficient *k = energy_coefficients; k->name; k++)
		json_object_set_new(
		    coefficients, k->name,
		    json_pack("{s:f, s:s, s:s}", "value", k->value, "unit", k->unit, "source", k->source));
	json_object_set_new(object, "coefficients", coefficients);
	return object;
}

static json_t *launch_json(const struct run_launch *launch, const struct machine *machine,
                           struct energy_extra extra)
{
	const struct launch_result *result = &launch->result;
	json_t *object = json_object();
	json_object_set_new(object, "launch", json_integer(launch->number));
	json_object_set_new(object, "status", json_string(run_status_name(result->status)));
	json_object_set_new(object, "kernel", kernel_json(launch->kernel));
	json_object_set_new(object, "occupancy_limit",
	                    json_pack("{s:I, s:I}", "ctas_per_sm", (json_int_t)result->ctas_per_sm,
	                              "warps_per_sm", (json_int_t)result->warps_per_sm));
	json_object_set_new(object, "counters", json_counters(&result->counters));
	json_object_set_new(object, "metrics", json_metrics(&result->counters, machine));
	json_object_set_new(object, "energy", energy_json(&result->counters, machine, extra));
	json_object_set_new(object, "top_pcs", hotspots_json(launch));
	if (result->stat_count)
		json_object_set_new(object, "policy_counters", json_policy_counters(result));
	if (launch->look)
		json_object_set(object, "look", launch->look);
	if (result->report)
		json_object_set_new(object, "report", json_text(result->report));
	return object;
}

static json_t *program_json(const struct run_program *program)
{
	json_t *args = json_array(), *object = json_object();
	for (size_t i = 0; i < program->arg_count; i++)
		json_array_append_new(args, json_text(program->args[i]));
	json_object_set_new(object, "arguments", args);
	json_object_set_new(object, "exit_status", json_integer(program->exit_status));
	json_object_set_new(object, "signal", program->signal ? json_integer(program->signal) : json_null());
	json_object_set_new(object, "fault", program->fault[0] ? json_text(program->fault) : json_null());
	return object;
}

json_t *json_run_facts(const struct run_facts *facts)
{
	const struct run_options *options = facts->options;
	const struct machine *machine = facts->config->machine;
	json_t *changes = json_array(), *object = json_object();
	for (size_t i = 0; i < facts->change_count; i++)
		json_array_append_new(changes, json_text(facts->changes[i]));
	json_object_set_new(object, "trace", json_text(facts->trace_name));
	if (facts->program)
		json_object_set_new(object, "program", program_json(facts->program));
	json_object_set_new(object, "machine", json_text(machine->name));
	json_object_set_new(object, "machine_changes", changes);
	json_object_set_new(object, "policy", json_text(facts->config->chain->text));
	json_object_set_new(object, "quantum",
	                    json_integer(options->quantum ? options->quantum : machine->sim_quantum));
	json_object_set_new(object, "cold_l2", json_boolean(options->cold_l2));
	json_object_set_new(object, "max_insns",
	                    options->max_insns ? json_integer((json_int_t)options->max_insns) : json_null());
	if (options->window && *options->window)
		json_object_set_new(object, "window", json_text(options->window));
	return object;
}

json_t *json_result(const struct machine *machine, const struct run_result *result)
{
	json_t *launches = json_array();
	for (size_t i = 0; i < result->count; i++)
		json_array_append_new(launches,
		                      launch_json(&result->launch[i], machine, result->extra_energy));
	json_t *total = json_pack("{s:o, s:o, s:o}", "counters", json_counters(&result->total), "metrics",
	                          json_metrics(&result->total, machine), "energy",
	                          energy_json(&result->total, machine, result->extra_energy));
	return json_pack("{s:s, s:o, s:o}", "status", run_status_name(result->status), "total", total,
	                 "launches", launches);
}

char *json_write_run(const struct run_facts *facts, const struct run_result *result)
{
	json_t *root = json_object(), *own = json_result(facts->config->machine, result);
	json_object_set_new(root, "format", json_string("sluice run"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "run", json_run_facts(facts));
	json_object_set(root, "status", json_object_get(own, "status"));
	json_t *definitions = json_definitions();
	json_object_set_new(definitions, "energy", energy_definitions());
	if (facts->options->look)
		json_object_set_new(definitions, "look", look_definitions(facts->options->look));
	json_object_set_new(root, "definitions", definitions);
	json_object_set(root, "total", json_object_get(own, "total"));
	json_object_set(root, "launches", json_object_get(own, "launches"));
	json_decref(own);
	return json_finish(root);
}
