/* JSON values and documents. */
#ifndef SLUICE_BASE_JSON_H
#define SLUICE_BASE_JSON_H

#include <jansson.h>

/* Null for a NaN. */
json_t *json_number(double number);
/* A string from anywhere: what is not UTF-8 becomes '?'. */
json_t *json_text(const char *text);
/* Consumes `root`; the text ends with a newline, the caller frees it. */
char *json_finish(json_t *root);

#endif
