/*
 * Results kept on disk: CACHE/results, one file per run. A run is found again
 * while its trace, the machine's values, the policies and their parameters, the
 * options and this program itself are the same, whatever their names and times.
 */
#ifndef SLUICE_LAB_RESULTS_H
#define SLUICE_LAB_RESULTS_H

#include <jansson.h>
#include <limits.h>

#include "lab/experiment/run.h"

/* What all runs of a batch share in their keys. */
struct results_ground {
	uint64_t trace[2], program[2];
};

/* Reads the trace's file and our own. */
bool results_prepare(struct results_ground *ground, const struct trace *trace, struct error *err);
/* Where the result of a run belongs; its folder is made. */
bool results_place(const struct results_ground *ground, const struct config *config,
                   const struct run_options *options, char path[PATH_MAX], struct error *err);
/* NULL: none, or a damaged one. The caller owns the reference. */
json_t *results_find(const char *path);
bool results_keep(const char *path, const json_t *result, struct error *err);

#endif
