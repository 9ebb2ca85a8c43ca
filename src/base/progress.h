/*
 * A line that is rewritten while work goes on, with the time it still takes; silent unless the stream is a
 * terminal. A program that started us gets its own line for every news, "LABEL<tab>DONE<tab>TOTAL<tab>DETAIL"
 * (TOTAL 0: unknown), through the descriptor that $SLUICE_PROGRESS_FD names.
 */
#ifndef SLUICE_BASE_PROGRESS_H
#define SLUICE_BASE_PROGRESS_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

struct progress {
	FILE *out;
	int program_fd; /* -1: nobody wants lines of their own */
	bool enabled, shown;
	double start_s, last_s;
	uint64_t total; /* of the work; 0: unknown */
};

struct progress progress_start(FILE *out, uint64_t total);
/* `done` of the total; `label` and `detail` are shown before and after the share and the time left. */
void progress_show(struct progress *p, const char *label, uint64_t done, const char *detail);
/* Wipes the line. */
void progress_end(struct progress *p);
/* The descriptor of $SLUICE_PROGRESS_FD, which programs that we start do not get; -1: none. */
int progress_program_fd(void);
/* Seconds since an arbitrary moment. */
double progress_clock(void);

#endif
