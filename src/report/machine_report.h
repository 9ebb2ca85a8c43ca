/* Machines and their differences, as tables and as JSON. */
#ifndef SLUICE_REPORT_MACHINE_REPORT_H
#define SLUICE_REPORT_MACHINE_REPORT_H

#include <stdio.h>

#include "machine/diff.h"

/* Print every value with its unit, the line it comes from and what it means. */
void machine_report_print(FILE *out, const struct machine *machine);
/* Return the same as JSON; the caller frees it. */
char *machine_report_json(const struct machine *machine);

struct machine_comparison {
	const struct machine *machine[2];
	const char *const *changes; /* to the second, "section.key=value" */
	size_t change_count;
	const struct machine_difference *found;
	size_t count;
};
void machine_comparison_print(FILE *out, const struct machine_comparison *comparison);
char *machine_comparison_json(const struct machine_comparison *comparison);

#endif
