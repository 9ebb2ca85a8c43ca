/* Counters and metrics, described. */
#ifndef SLUICE_REPORT_REFERENCE_H
#define SLUICE_REPORT_REFERENCE_H

#include <stdio.h>

/* A table for the terminal. */
void reference_print_counters(FILE *out);
/* docs/counters.md */
void reference_write_counters(FILE *out);

#endif
