/*
 * Hardware counters: a table of tab-separated values, one row per launch,
 * columns by their Nsight Compute names. Columns `program`, `launch` (from 0)
 * and `kernel` are required, `grid` and `block` are read if they are there;
 * columns that no counter or metric goes by are skipped.
 */
#ifndef SLUICE_STUDY_VALIDATE_HARDWARE_H
#define SLUICE_STUDY_VALIDATE_HARDWARE_H

#include "base/error.h"
#include "stats/metrics.h"
#include "trace/trace.h"

struct hardware_row {
	const char *program, *kernel;
	uint32_t launch; /* from 0 */
	uint64_t line;   /* in the file */
	bool has_dims;
	struct trace_dim grid, block;
	struct counters counters;
	double metric[METRIC_COUNT];
};

struct hardware {
	char *path;
	char *text; /* the rows point into it */
	struct hardware_row *row;
	size_t count;
	bool has_counter[COUNTER_COUNT], has_metric[METRIC_COUNT];
};

bool hardware_load(struct hardware *hardware, const char *path, struct error *err);
/* The same from memory; the caller's `text` belongs to the result from then on; messages call the file `path`. */
bool hardware_parse(struct hardware *hardware, const char *path, char *text, size_t size, struct error *err);
void hardware_free(struct hardware *hardware);
/* NULL: no such row. */
const struct hardware_row *hardware_find(const struct hardware *hardware, const char *program,
                                         uint32_t launch);

#endif
