/*
 * What a simulation leaves: the totals of the run, and everything else (its
 * launches, what observers saw) compressed. It goes from a child to its parent,
 * into the database, and through files from other hosts.
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

/* Simulates. A run that fails is an outcome, too. `look`: what to look at, or NULL. */
struct outcome outcome_simulate(const struct config *config, const struct trace *trace,
                                const struct run_options *options, const char *look);
/* One that ended without a result: status "failed" or "killed". */
struct outcome outcome_failed(const char *status, const char *message);
void outcome_free(struct outcome *outcome);

/* It has numbers: it is done, truncated or deadlocked. */
bool outcome_has_result(const struct outcome *outcome);
/* The result as json_write_run() has it, less what is the same for all runs; NULL: none. The caller owns it. */
json_t *outcome_result(const struct outcome *outcome);
/* From compressed bytes. */
json_t *outcome_unpack(const void *detail, size_t bytes);

/* Bytes with a checksum; false: they could not be written. */
bool outcome_write(const struct outcome *outcome, FILE *out);
/* From [data, data + bytes); *used: how many it took. False: damaged or cut off. */
bool outcome_read(struct outcome *outcome, const char *data, size_t bytes, size_t *used);

#endif
