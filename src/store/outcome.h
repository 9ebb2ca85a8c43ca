/*
 * The outcome of a simulation: the totals of the run, and everything else (its
 * launches, series of observers) compressed. Children send it to their parent; it
 * is stored in the database and travels in files between hosts.
 */
#ifndef SLUICE_STORE_OUTCOME_H
#define SLUICE_STORE_OUTCOME_H

#include <jansson.h>
#include <stdio.h>

#include "run/run.h"

struct outcome {
	/* {"status", "message" (of one that failed), "total": {...}, "policy_counters", "series"} */
	json_t *summary;
	unsigned char *detail; /* the whole result as JSON, compressed by Zstandard; NULL: it failed */
	size_t detail_bytes;
	double wall_s;
};

/* Simulate. A run that fails is an outcome, too. `look`: the observers, or NULL. */
struct outcome outcome_simulate(const struct config *config, const struct trace *trace,
                                const struct run_options *options, const char *look);
/* Make the outcome of a run without a result: status "failed" or "killed". */
struct outcome outcome_failed(const char *status, const char *message);
void outcome_free(struct outcome *outcome);

/* Return whether it has a result: it is done, truncated or deadlocked. */
bool outcome_has_result(const struct outcome *outcome);
/* Return the result as in json_write_run(), less what is the same for all runs, for the caller to free; NULL: none. */
json_t *outcome_result(const struct outcome *outcome);
/* The same from compressed bytes. */
json_t *outcome_unpack(const void *detail, size_t bytes);

/* Write it as bytes with a checksum; false if that failed. */
bool outcome_write(const struct outcome *outcome, FILE *out);
/* Read it from [data, data + bytes); *used: its bytes. False: damaged or cut off. */
bool outcome_read(struct outcome *outcome, const char *data, size_t bytes, size_t *used);

#endif
