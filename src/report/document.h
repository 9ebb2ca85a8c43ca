/* Reading members of JSON documents that may lack them. */
#ifndef SLUICE_REPORT_DOCUMENT_H
#define SLUICE_REPORT_DOCUMENT_H

#include <jansson.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>

/* Return the text of a member, or "". */
static inline const char *text_at(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));
	return text ? text : "";
}

/* Return element i of an array, or NAN if it is no number. */
static inline double number_at(const json_t *array, size_t i)
{
	const json_t *number = json_array_get(array, i);
	return json_is_number(number) ? json_number_value(number) : NAN;
}

/* Write the label of a column, a number or a text, and return it. */
static inline const char *x_text(const json_t *x, char *text, size_t size)
{
	if (json_is_number(x))
		snprintf(text, size, "%g", json_number_value(x));
	else
		snprintf(text, size, "%s", json_string_value(x) ? json_string_value(x) : "");
	return text;
}

/* Return whether a series of a chart has at least one published value. */
static inline bool has_published(const json_t *series)
{
	const json_t *value;
	size_t i;
	json_array_foreach(json_object_get(series, "published"), i,
	                   value) if (json_is_number(value)) return true;
	return false;
}

#endif
