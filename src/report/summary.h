/* What `sluice run` prints: launches, where the cycles went, which instructions miss. */
#ifndef SLUICE_REPORT_SUMMARY_H
#define SLUICE_REPORT_SUMMARY_H

#include <stdio.h>

#include "run/run.h"

/* Depends on nothing but the result: the same bytes for any thread count, host and hour. */
void summary_print(FILE *out, const struct config *config, const char *trace_name,
                   const struct run_result *result);

#endif
