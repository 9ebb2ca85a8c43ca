/* The result of a check of workloads: a row per published characteristic, as text and as JSON. */
#ifndef SLUICE_STUDY_WORKLOAD_REPORT_H
#define SLUICE_STUDY_WORKLOAD_REPORT_H

#include <stdio.h>

#include "study/workload/measure.h"

enum { REPORT_TEXT = 32 };

struct report_row {
	const struct measure_task *task;
	const struct measure_result *result;
	enum workload_fact fact; /* FACT_COUNT: the whole task failed */
	const char *class;       /* measured; NULL: none */
	char published[REPORT_TEXT], measured[REPORT_TEXT];
	double ratio; /* NaN: of words, or of a published 0 */
	enum verdict verdict;
};

struct report {
	struct report_row *row;
	size_t count;
	size_t verdicts[VERDICT_COUNT];
	size_t failed;    /* tasks; they count as off, too */
	size_t truncated; /* tasks whose simulations stopped before the program's end */
};

/* The rows of all tasks, in their order; tasks and results must outlive the report. */
struct report report_make(const struct measure_task *tasks, const struct measure_result *results,
                          size_t count, const struct measure_options *options);
void report_free(struct report *report);
void report_print(FILE *out, const struct report *report, const struct measure_options *options);
/* The caller frees the text. */
char *report_write_json(const struct report *report, const struct measure_options *options);

#endif
