/* Bar charts of plain characters that fill the width of the terminal. */
#ifndef SLUICE_REPORT_BARS_H
#define SLUICE_REPORT_BARS_H

#include <stddef.h>
#include <stdio.h>

struct bar {
	const char *label;
	double value;     /* NaN: none */
	char text[24];    /* how the value is shown */
	const char *mark; /* after the bar; may be NULL */
};

/* Return the columns of the terminal, or 80 if the stream is none. */
int bars_columns(FILE *out);
/* Print a line per bar, labels and values aligned. */
void bars_print(FILE *out, const struct bar *bars, size_t count);

#endif
