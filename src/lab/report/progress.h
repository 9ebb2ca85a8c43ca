/* A line that is rewritten while work goes on, with the time it still takes; silent unless the stream is a
 * terminal. */
#ifndef SLUICE_LAB_PROGRESS_H
#define SLUICE_LAB_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *out;
	bool enabled, shown;
	double start_s, last_s;
	uint64_t total; /* of the work; 0: unknown */
};

struct progress progress_start(FILE *out, uint64_t total);
/* `done` of the total; `label` and `detail` are shown before and after the share and the time left. */
void progress_show(struct progress *p, const char *label, uint64_t done, const char *detail);
/* Wipes the line. */
void progress_end(struct progress *p);
/* Seconds since an arbitrary moment. */
double progress_clock(void);

#endif
