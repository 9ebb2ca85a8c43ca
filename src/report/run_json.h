/* Results as JSON. The bytes depend on the inputs alone, not on times, threads or the host. */
#ifndef SLUICE_REPORT_RUN_JSON_H
#define SLUICE_REPORT_RUN_JSON_H

#include <jansson.h>

#include "base/json.h"
#include "run/run.h"
#include "stats/metrics.h"

/* The program whose recording was run. */
struct run_program {
	char *const *args;
	size_t arg_count;
	int exit_status; /* 128 + signal if one killed it */
	int signal;
	const char *fault; /* what ended a launch early, or empty */
};

/* The inputs of a run. */
struct run_facts {
	const char *trace_name; /* without its folder */
	const struct config *config;
	const struct run_options *options;
	const char *const *changes; /* to the machine, "section.key=value" */
	size_t change_count;
	const struct run_program *program; /* NULL: a trace */
};

/* Return the document of a run, which the caller frees. */
char *json_write_run(const struct run_facts *facts, const struct run_result *result);

/* Pieces that other documents share. */
/* Return the results of a run: {"status", "total", "launches"}. */
json_t *json_result(const struct machine *machine, const struct run_result *result);
/* Return the inputs of a run. */
json_t *json_run_facts(const struct run_facts *facts);
/* Return unit, definition and Nsight Compute name of every counter and metric. */
json_t *json_definitions(void);
json_t *json_counters(const struct counters *counters);
json_t *json_metrics(const struct counters *counters, const struct machine *machine);

#endif
