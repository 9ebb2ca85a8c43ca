/*
 * Results as JSON. The bytes depend on the inputs alone: no times, thread
 * counts or facts of the host.
 */
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
	const char *fault; /* what ended a launch early; empty: nothing */
};

/* What a run was made of. */
struct run_facts {
	const char *trace_name; /* without its folder, which is the host's business */
	const struct config *config;
	const struct run_options *options;
	const char *const *changes; /* to the machine, "section.key=value" */
	size_t change_count;
	const struct run_program *program; /* NULL: a trace */
};

/* The run as text ended by a newline; the caller frees it. */
char *json_write_run(const struct run_facts *facts, const struct run_result *result);

/* Pieces that other documents share. */
/* {"status", "total", "launches"}: what came of a run, without what it was made of. */
json_t *json_result(const struct machine *machine, const struct run_result *result);
/* What the run was made of. */
json_t *json_run_facts(const struct run_facts *facts);
/* Unit, definition and Nsight Compute name of every counter and metric. */
json_t *json_definitions(void);
json_t *json_counters(const struct counters *counters);
json_t *json_metrics(const struct counters *counters, const struct machine *machine);

#endif
