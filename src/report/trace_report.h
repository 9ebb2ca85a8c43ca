/* What a trace holds, as tables and as JSON. */
#ifndef SLUICE_REPORT_TRACE_REPORT_H
#define SLUICE_REPORT_TRACE_REPORT_H

#include <stdio.h>

#include "trace/trace.h"

/* Executed instructions of each class, and the waits of each launch: polls that say what they wait for. */
struct trace_counts {
	uint64_t warp_insns[OP_COUNT], lane_insns[OP_COUNT];
	uint64_t *waits;
};
/* Count the whole trace into `counts`, which are zeroed. The caller frees counts->waits, also after a failure. */
bool trace_count(const struct trace *trace, struct trace_counts *counts, struct error *err);

void trace_report_print(FILE *out, const struct trace *trace, const struct trace_counts *counts);
/* Return the same as JSON; the caller frees it. */
char *trace_report_json(const struct trace *trace, const struct trace_counts *counts);

#endif
