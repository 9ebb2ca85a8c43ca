/* Reading the document of the report. Private to src/papers/report. */
#ifndef SLUICE_PAPERS_REPORT_REPORT_PARTS_H
#define SLUICE_PAPERS_REPORT_REPORT_PARTS_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* "" where there is none. */
static inline const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* NAN where there is none. */
static inline double number_at(const json_t *array, size_t i)
{
	const json_t *number = json_array_get(array, i);
	return json_is_number(number) ? json_number_value(number) : NAN;
}

/* The label of a column. */
static inline const char *x_text(const json_t *x, char *text, size_t size)
{
	if (json_is_number(x))
		snprintf(text, size, "%g", json_number_value(x));
	else
		snprintf(text, size, "%s", json_string_value(x) ? json_string_value(x) : "");
	return text;
}

/* report_write.c: whether a series of a chart has published values. */
bool report_has_published(const json_t *series);
/* "at least +54% or +60%"; parts of a claim one behind the other. */
void report_claim_texts(const json_t *claim, char *published, char *measured, size_t size);
/* The charts of one figure, with a line of titles. The caller frees it. */
char *report_figure_csv(const char *paper, const json_t *figure);

/* report_svg.c: text with <, & and " written out. */
void report_put_escaped(FILE *out, const char *text);

#endif
