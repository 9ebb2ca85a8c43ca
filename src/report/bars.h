/* Bars of plain characters, as long as the terminal is wide. */
#ifndef SLUICE_REPORT_BARS_H
#define SLUICE_REPORT_BARS_H

#include <stddef.h>
#include <stdio.h>

struct bar {
	const char *label;
	double value;     /* NaN: none */
	char text[24];    /* the value as it is shown */
	const char *mark; /* behind the bar; NULL: nothing */
};

/* Columns of the terminal; 80 if the stream is none. */
int bars_columns(FILE *out);
/* One line per bar, labels and values aligned; the longest bar fills the line. */
void bars_print(FILE *out, const struct bar *bars, size_t count);

#endif
