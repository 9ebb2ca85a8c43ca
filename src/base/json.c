/* JSON values and documents, whole texts of them. */
#include "base/json.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/error.h"
#include "base/memory.h"

enum { DIGITS = 12 };

json_t *json_number(double number)
{
	return isfinite(number) ? json_real(number) : json_null();
}

json_t *json_text(const char *text)
{
	json_t *string = json_string(text);
	if (string)
		return string;
	char *copy = memory_text(text);
	for (char *at = copy; *at; at++)
		if ((unsigned char)*at >= 0x80)
			*at = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

char *json_finish(json_t *root)
{
	char *text = json_dumps(root, JSON_INDENT(1) | JSON_REAL_PRECISION(DIGITS));
	json_decref(root);
	if (!text)
		BUG("a result that JSON cannot hold");
	size_t length = strlen(text);
	char *line = memory_grow(NULL, length + 2, 1);
	memcpy(line, text, length);
	memcpy(line + length, "\n", 2);
	free(text);
	return line;
}
