/* What a search found: the curve for the terminal, everything as JSON. */
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "report/bars.h"
#include "study/tune/tune.h"

enum { JSON_VERSION = 1, LABEL_SIZE = 96 };

static const char *goal_name(enum tune_goal goal)
{
	return goal == TUNE_IPC ? "ipc" : "cycles";
}

static const json_t *total_of(const struct batch_run *run, const char *part, const char *name)
{
	return json_object_get(json_object_get(json_object_get(run->result, "total"), part), name);
}

double tune_score(const struct batch_run *run, enum tune_goal goal)
{
	const char *status = json_string_value(json_object_get(run->result, "status"));
	if (!strcmp(status, run_status_name(LAUNCH_DEADLOCKED)))
		return -INFINITY;
	if (goal == TUNE_CYCLES)
		return -json_number_value(total_of(run, "counters", "cycles"));
	return json_number_value(total_of(run, "metrics", "ipc"));
}

static void write_label(const struct tune_space *space, size_t point, char label[LABEL_SIZE])
{
	uint64_t values[TUNE_PARAMS_MAX];
	size_t n = 0;
	tune_values(space, point, values);
	for (size_t i = 0; i < space->params && n < LABEL_SIZE; i++)
		n += (size_t)snprintf(label + n, LABEL_SIZE - n, "%s%s=%" PRIu64, i ? " " : "",
		                      space->param[i].name, values[i]);
}

static void print_curve(FILE *out, const struct tune_result *r)
{
	struct bar *bars = memory_zeroed(r->space->points, sizeof *bars);
	char(*labels)[LABEL_SIZE] = memory_zeroed(r->space->points, sizeof *labels);
	size_t n = 0;
	for (size_t i = 0; i < r->space->points; i++) {
		if (!r->runs[i].result)
			continue;
		double score = tune_score(&r->runs[i], r->goal);
		double value = r->goal == TUNE_CYCLES ? -score : score;
		write_label(r->space, i, labels[n]);
		bars[n] = (struct bar){.label = labels[n],
		                       .value = isfinite(score) ? value : NAN,
		                       .mark = i == r->best ? "best" : NULL};
		snprintf(bars[n].text, sizeof bars[n].text, isfinite(score) ? "%.*f" : "deadlocked",
		         r->goal == TUNE_IPC ? 3 : 0, value);
		n++;
	}
	bars_print(out, bars, n);
	free(labels);
	free(bars);
}

static void print_head(FILE *out, const struct tune_result *r)
{
	const struct tune_space *space = r->space;
	fprintf(out, "%s on %s under %s: %s for", r->facts->trace_name, r->facts->machine->name, space->chain,
	        r->goal == TUNE_IPC ? "IPC" : "cycles");
	for (size_t i = 0; i < space->params; i++)
		fprintf(out, "%s %s.%s = %" PRIu64 "..%" PRIu64, i ? "," : "", space->param[i].policy,
		        space->param[i].name, space->param[i].from, space->param[i].to);
	fputs("\n\n", out);
}

void tune_print(FILE *out, const struct tune_result *r)
{
	char *chain = tune_chain(r->space, r->best);
	print_head(out, r);
	print_curve(out, r);
	fprintf(out, "\nbest: %s\n", chain);
	free(chain);
}

/* ---- JSON ------------------------------------------------------------------------------------------------- */

static json_t *params_json(const struct tune_space *space)
{
	json_t *params = json_array();
	for (size_t i = 0; i < space->params; i++) {
		const struct tune_param *param = &space->param[i];
		json_t *object = json_object();
		json_object_set_new(object, "policy", json_text(param->policy));
		json_object_set_new(object, "parameter", json_text(param->name));
		json_object_set_new(object, "from", json_integer((json_int_t)param->from));
		json_object_set_new(object, "to", json_integer((json_int_t)param->to));
		json_array_append_new(params, object);
	}
	return params;
}

static json_t *values_json(const struct tune_space *space, size_t point)
{
	uint64_t values[TUNE_PARAMS_MAX];
	json_t *object = json_object();
	tune_values(space, point, values);
	for (size_t i = 0; i < space->params; i++) {
		char name[sizeof space->param->policy + sizeof space->param->name + 1];
		snprintf(name, sizeof name, "%s.%s", space->param[i].policy, space->param[i].name);
		json_object_set_new(object, name, json_integer((json_int_t)values[i]));
	}
	return object;
}

static json_t *point_json(const struct tune_result *r, size_t point)
{
	const struct batch_run *run = &r->runs[point];
	char *chain = tune_chain(r->space, point);
	json_t *object = json_object();
	json_object_set_new(object, "values", values_json(r->space, point));
	json_object_set_new(object, "policy", json_text(chain));
	json_object_set_new(object, "chain", json_text(run->config.chain->text));
	json_object_set(object, "status", json_object_get(run->result, "status"));
	json_object_set(object, "total", json_object_get(run->result, "total"));
	free(chain);
	return object;
}

char *tune_write_json(const struct tune_result *r)
{
	json_t *root = json_object(), *points = json_array();
	for (size_t i = 0; i < r->space->points; i++)
		if (r->runs[i].result)
			json_array_append_new(points, point_json(r, i));
	json_object_set_new(root, "format", json_string("sluice tune"));
	json_object_set_new(root, "version", json_integer(JSON_VERSION));
	json_object_set_new(root, "run", compare_facts_json(r->facts));
	json_object_set_new(root, "policy", json_text(r->space->chain));
	json_object_set_new(root, "parameters", params_json(r->space));
	json_object_set_new(root, "goal", json_string(goal_name(r->goal)));
	json_object_set_new(root, "search", json_string(r->search == TUNE_GOLDEN ? "golden" : "exhaustive"));
	json_object_set_new(root, "definitions", json_definitions());
	json_object_set_new(root, "best", point_json(r, r->best));
	json_object_set_new(root, "points", points);
	return json_finish(root);
}
