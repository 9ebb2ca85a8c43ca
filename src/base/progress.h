/*
 * A progress line that is rewritten while work goes on, with the time left; silent unless the stream is a terminal. A
 * program that starts sluice can read lines "LABEL<tab>DONE<tab>TOTAL<tab>DETAIL" (TOTAL 0: unknown) from the
 * descriptor that $SLUICE_PROGRESS_FD names.
 */
#ifndef SLUICE_BASE_PROGRESS_H
#define SLUICE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *out;
	int program_fd; /* for lines to a program; -1: none */
	bool enabled, shown;
	double start_s, last_s;
	uint64_t total; /* of the work; 0: unknown */
};

struct progress progress_start(FILE *out, uint64_t total);
/* Show `done` of the total; `label` stands before the share and the time left, `detail` after them. */
void progress_show(struct progress *p, const char *label, uint64_t done, const char *detail);
/* Clear the line. */
void progress_end(struct progress *p);
/* Return the descriptor of $SLUICE_PROGRESS_FD, which is closed in child processes; -1: none. */
int progress_program_fd(void);
/* Return seconds since an arbitrary moment. */
double progress_clock(void);

#endif
