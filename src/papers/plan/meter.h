/* Progress of a batch of runs: a line on a terminal that is rewritten, or a line per minute in a log. */
#ifndef SLUICE_PAPERS_PLAN_METER_H
#define SLUICE_PAPERS_PLAN_METER_H

#include <stdbool.h>
#include <stdio.h>

struct meter {
	FILE *out;
	const char *what;
	bool terminal, shown;
	int program_fd; /* as in struct progress */
	double start_s, last_s;
	size_t total, done, failed;
	double work, work_done; /* instructions */
};

/* Start a meter of `total` runs; `out` NULL: silent. */
struct meter meter_start(FILE *out, const char *what, size_t total, double work);
void meter_show(struct meter *meter, size_t running);
void meter_end(struct meter *meter);

#endif
