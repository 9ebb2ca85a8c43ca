/*
 * The report: what came of figures and claims. report.c judges, chart_values.c
 * computes charts, and what is written (JSON, text, Markdown, HTML, CSV, SVG) is made
 * from the JSON document of docs/experiments.md alone.
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

/* The document. The caller owns it. NULL: err says which formula failed. */
json_t *reproduction_make(const struct reproduction_request *request, struct error *err);

/* Scoreboard, figures as tables, claims. */
void reproduction_print(FILE *out, const json_t *report, bool verbose);
/* The caller frees these texts. */
char *reproduction_markdown(const json_t *report);
/* One page that holds all it shows. */
char *reproduction_html(const json_t *report);
/* One table for all charts: paper, figure, chart, series, x, value, published. */
char *reproduction_csv(const json_t *report);
/* One file per chart into a folder, which is made. */
bool reproduction_svg(const json_t *report, const char *folder, struct error *err);
/* One chart; NULL: this kind is not drawn. */
char *reproduction_chart_svg(const json_t *chart);
/* "+54%", "58 %", "12" */
void reproduction_format(char *text, size_t size, const char *type, double value);

#endif
