/*
 * The report on figures and claims. report.c makes the JSON document of docs/experiments.md; text, Markdown, CSV,
 * drawings and the page are made from the document alone.
 */
#ifndef SLUICE_PAPERS_REPORT_REPORT_H
#define SLUICE_PAPERS_REPORT_REPORT_H

#include <jansson.h>

#include "papers/experiment/chart_values.h"
#include "papers/plan/execute.h"
#include "papers/report/verdict.h"

struct reproduction_request {
	const struct papers *papers;
	struct execution *execution;
	const struct figure *const *figures; /* to show */
	size_t figure_count;
	const struct claim *const *claims; /* to judge */
	size_t claim_count;
	const char *command; /* as it was called */
	const char *version; /* of sluice */
};

/* Return the document, owned by the caller; NULL: err says which formula failed. */
json_t *reproduction_make(const struct reproduction_request *request, struct error *err);

/* Print figures as tables (only if verbose), claims and scoreboard. */
void reproduction_print(FILE *out, const json_t *report, bool verbose);
/* Return the report in a form that the caller owns; CSV has columns paper, figure, chart, series, x, value, published. */
char *reproduction_markdown(const json_t *report);
char *reproduction_html(const json_t *report);
char *reproduction_csv(const json_t *report);
/* Write a file per chart into a folder, which is made; as wide as asked for, in mm, if not 0. */
bool reproduction_svg(const json_t *report, const char *folder, double width_mm, struct error *err);
/* Write a measured value as papers print it: "+54%", "58 %", "12". */
void reproduction_format(char *text, size_t size, const char *type, double value);

#endif
