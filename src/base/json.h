/* JSON values and documents. */
#ifndef SLUICE_BASE_JSON_H
#define SLUICE_BASE_JSON_H

#include <jansson.h>

/* A number; null for NaN and infinities. */
json_t *json_number(double number);
/* A string; if it is not UTF-8, its bytes above 127 become '?'. */
json_t *json_text(const char *text);
/* Consume `root` and return its text with a newline at the end, for the caller to free. */
char *json_finish(json_t *root);

#endif
