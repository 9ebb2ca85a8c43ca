/* What is read from results. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "api/api.h"
#include "base/memory.h"
#include "run/look.h"

/* ---- filling ----------------------------------------------------------------------------------------------------- */

static void make_room(struct sluice_result *result, size_t launches)
{
	result->launches = launches;
	result->launch = memory_zeroed(launches + 1, sizeof *result->launch);
	result->counters = memory_zeroed(launches + 1, sizeof *result->counters);
	result->metrics = memory_zeroed((launches + 1) * METRIC_COUNT, sizeof *result->metrics);
}

static void derive_metrics(struct sluice_result *result)
{
	for (size_t i = 0; i <= result->launches; i++)
		for (size_t m = 0; m < METRIC_COUNT; m++)
			result->metrics[i * METRIC_COUNT + m] =
			    metric_value((enum metric)m, &result->counters[i], result->machine->machine);
}

static void set_dim(uint32_t to[3], const struct trace_dim *dim)
{
	to[0] = dim->x;
	to[1] = dim->y;
	to[2] = dim->z;
}

void result_from_run(struct sluice_result *result)
{
	const struct run_result *run = &result->run;
	make_room(result, run->count);
	for (size_t i = 0; i < run->count; i++) {
		const struct run_launch *from = &run->launch[i];
		struct sluice_launch *to = &result->launch[i];
		*to = (struct sluice_launch){.index = from->number - 1,
		                             .kernel = from->kernel->name,
		                             .status = run_status_name(from->result.status),
		                             .report = from->result.report};
		set_dim(to->grid, &from->kernel->grid);
		set_dim(to->block, &from->kernel->block);
		result->counters[i] = from->result.counters;
	}
	result->counters[run->count] = run->total;
	result->status = run_status_name(run->status);
	result->policy = result->config.chain->text;
	derive_metrics(result);
}

static bool read_counters(const json_t *object, struct counters *counters)
{
	for (int i = 0; i < COUNTER_COUNT; i++) {
		const json_t *value = json_object_get(object, counter_infos[i].name);
		if (!json_is_integer(value))
			return false;
		counters->value[i] = (uint64_t)json_integer_value(value);
	}
	return true;
}

static void read_dim(const json_t *array, uint32_t to[3])
{
	for (size_t i = 0; i < 3; i++)
		to[i] = (uint32_t)json_integer_value(json_array_get(array, i));
}

static bool read_launch(const json_t *from, struct sluice_launch *to, struct counters *counters)
{
	const json_t *kernel = json_object_get(from, "kernel");
	*to =
	    (struct sluice_launch){.index = (uint32_t)json_integer_value(json_object_get(from, "launch")) - 1,
	                           .kernel = json_string_value(json_object_get(kernel, "name")),
	                           .status = json_string_value(json_object_get(from, "status")),
	                           .report = json_string_value(json_object_get(from, "report"))};
	read_dim(json_object_get(kernel, "grid"), to->grid);
	read_dim(json_object_get(kernel, "block"), to->block);
	return to->kernel && to->status && read_counters(json_object_get(from, "counters"), counters);
}

bool result_from_document(struct sluice_result *result)
{
	const json_t *launches = json_object_get(result->document, "launches");
	const json_t *total = json_object_get(result->document, "total");
	result->status = json_string_value(json_object_get(result->document, "status"));
	result->policy =
	    json_string_value(json_object_get(json_object_get(result->document, "run"), "policy"));
	make_room(result, json_array_size(launches));
	for (size_t i = 0; i < result->launches; i++)
		if (!read_launch(json_array_get(launches, i), &result->launch[i], &result->counters[i]))
			return false;
	if (!result->status || !result->policy ||
	    !read_counters(json_object_get(total, "counters"), &result->counters[result->launches]))
		return false;
	derive_metrics(result);
	return true;
}

void sluice_result_free(struct sluice_result *result)
{
	if (!result)
		return;
	run_result_free(&result->run);
	if (result->config.chain)
		chain_free(result->config.chain);
	look_free(result->look);
	json_decref(result->document);
	while (result->series) {
		struct series *next = result->series->next;
		free(result->series->name);
		free(result->series->value);
		free(result->series);
		result->series = next;
	}
	free(result->json);
	free(result->launch);
	free(result->counters);
	free(result->metrics);
	sluice_trace_close(result->trace);
	sluice_machine_close(result->machine);
	free(result);
}

/* ---- reading ----------------------------------------------------------------------------------------------------- */

const char *sluice_result_status(const struct sluice_result *result)
{
	return result ? result->status : NULL;
}

const char *sluice_result_policy(const struct sluice_result *result)
{
	return result ? result->policy : NULL;
}

size_t sluice_result_launches(const struct sluice_result *result)
{
	return result ? result->launches : 0;
}

bool sluice_result_launch(const struct sluice_result *result, size_t launch, struct sluice_launch *facts)
{
	if (!result || !facts || launch >= result->launches)
		return false;
	*facts = result->launch[launch];
	return true;
}

/* The place in `counters` and `metrics`; false: there is no such launch. */
static bool place_of(const struct sluice_result *result, size_t launch, size_t *place)
{
	if (!result)
		return false;
	*place = launch == SLUICE_TOTAL ? result->launches : launch;
	return launch == SLUICE_TOTAL || launch < result->launches;
}

const uint64_t *sluice_result_counters(const struct sluice_result *result, size_t launch)
{
	size_t place;
	return place_of(result, launch, &place) ? result->counters[place].value : NULL;
}

const double *sluice_result_metrics(const struct sluice_result *result, size_t launch)
{
	size_t place;
	return place_of(result, launch, &place) ? result->metrics + place * METRIC_COUNT : NULL;
}

uint64_t sluice_result_counter(const struct sluice_result *result, size_t launch, const char *name)
{
	const uint64_t *values = sluice_result_counters(result, launch);
	ptrdiff_t i = sluice_counter_find(name);
	return values && i >= 0 ? values[i] : 0;
}

double sluice_result_metric(const struct sluice_result *result, size_t launch, const char *name)
{
	const double *values = sluice_result_metrics(result, launch);
	ptrdiff_t i = sluice_metric_find(name);
	return values && i >= 0 ? values[i] : NAN;
}

/* ---- time series and JSON ---------------------------------------------------------------------------------------- */

static const json_t *look_of(const struct sluice_result *result, size_t launch)
{
	if (launch >= result->launches)
		return NULL;
	if (!result->document)
		return result->run.launch[launch].look;
	const json_t *launches = json_object_get(result->document, "launches");
	return json_object_get(json_array_get(launches, launch), "look");
}

struct series_request {
	struct sluice_result *result;
	size_t launch;
	const char *name;
	const json_t *values;
};

static bool keep_series(void *argument, struct error *err)
{
	const struct series_request *r = argument;
	struct series *series = memory_zeroed(1, sizeof *series);
	(void)err;
	*series = (struct series){.launch = r->launch,
	                          .count = json_array_size(r->values),
	                          .name = memory_text(r->name),
	                          .next = r->result->series};
	series->value = memory_zeroed(series->count + 1, sizeof *series->value);
	for (size_t i = 0; i < series->count; i++) {
		const json_t *value = json_array_get(r->values, i);
		series->value[i] = json_is_number(value) ? json_number_value(value) : NAN;
	}
	r->result->series = series;
	return true;
}

const double *sluice_result_series(struct sluice_result *result, size_t launch, const char *name,
                                   size_t *count)
{
	size_t ignored;
	count = count ? count : &ignored;
	*count = 0;
	if (!result || !name)
		return NULL;
	for (const struct series *s = result->series; s; s = s->next)
		if (s->launch == launch && !strcmp(s->name, name)) {
			*count = s->count;
			return s->value;
		}
	struct series_request request = {.result = result, .launch = launch, .name = name};
	request.values = json_object_get(json_object_get(look_of(result, launch), "series"), name);
	if (!json_is_array(request.values) || !guard(keep_series, &request, NULL, NULL))
		return NULL;
	*count = result->series->count;
	return result->series->value;
}

static bool write_json(void *argument, struct error *err)
{
	struct sluice_result *result = argument;
	const struct sluice_trace *trace = result->trace;
	const struct run_program program = {.args = trace->target.args,
	                                    .arg_count = trace->target.arg_count,
	                                    .exit_status = trace->recording.exit_status,
	                                    .signal = trace->recording.signal,
	                                    .fault = trace->recording.fault};
	const struct run_facts facts = {.trace_name = trace->name,
	                                .config = &result->config,
	                                .options = &result->options,
	                                .changes = (const char *const *)result->machine->changes,
	                                .change_count = result->machine->change_count,
	                                .program = trace->is_program ? &program : NULL};
	(void)err;
	result->json = json_write_run(&facts, &result->run);
	return true;
}

const char *sluice_result_json(struct sluice_result *result, struct sluice_error *error)
{
	if (!result) {
		fail(error, SLUICE_BAD_INPUT, "no result given");
		return NULL;
	}
	if (!result->json)
		guard(write_json, result, NULL, error);
	return result->json;
}
