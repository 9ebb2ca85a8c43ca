/*
 * PTX that the runtime will not take, found when a program is compiled: a
 * warning for each instruction, at the line of the source. The program is
 * built all the same; kernels without such an instruction run.
 */
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cc/cc.h"
#include "ptx/ptx.h"

enum { WARNINGS_MAX = 8 };

/* The start of a line, counted from 1. */
static char *line_start(char *text, unsigned long line)
{
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text;
}

/* ".file N "name"", anywhere in the text: the name, or NULL. */
static const char *file_name(const char *ptx, unsigned long number, size_t *length)
{
	for (const char *at = ptx; (at = strstr(at, ".file")); at++) {
		char *end;
		if (strtoul(at + 5, &end, 10) != number)
			continue;
		const char *name = strchr(end, '"');
		if (!name)
			return NULL;
		*length = strcspn(name + 1, "\"");
		return name + 1;
	}
	return NULL;
}

/* The last ".loc FILE LINE" before a place. */
static const char *last_loc(const char *ptx, const char *before)
{
	const char *found = NULL;
	for (const char *at = ptx; (at = strstr(at, ".loc")) && at < before; at++)
		found = at;
	return found;
}

static void warn(FILE *out, const char *ptx, const char *source, const char *at, const char *message)
{
	const char *loc = last_loc(ptx, at), *name = NULL;
	size_t length = 0;
	char *end;
	unsigned long line = 0;
	if (loc) {
		name = file_name(ptx, strtoul(loc + 4, &end, 10), &length);
		line = strtoul(end, NULL, 10);
	}
	if (name)
		fprintf(out, "%.*s:%lu: ", (int)length, name, line);
	else
		fprintf(out, "%s: ", source);
	fprintf(out, "warning: %s; a kernel with it will fail when it is launched\n", message);
}

/* "ptx:LINE:COLUMN: message": where, and the message; NULL: something else is wrong. */
static const char *place_of(const char *error, unsigned long *line)
{
	char *end;
	if (strncmp(error, "ptx:", 4) != 0)
		return NULL;
	*line = strtoul(error + 4, &end, 10);
	if (*end != ':')
		return NULL;
	strtoul(end + 1, &end, 10);
	return *line && end[0] == ':' && end[1] == ' ' ? end + 2 : NULL;
}

/* Takes the statement out, so that what follows can be read; its lines stay. */
static void blank_statement(char *at)
{
	for (; *at && *at != ';'; at++)
		if (*at != '\n')
			*at = ' ';
}

void cc_warn_unsupported(FILE *out, const char *ptx, const char *source)
{
	char *text = memory_text(ptx);
	for (int i = 0; i < WARNINGS_MAX; i++) {
		struct error err = {0};
		unsigned long line;
		struct ptx_module *module = ptx_parse("ptx", text, strlen(text), &err);
		if (module) {
			ptx_module_free(module);
			break;
		}
		const char *message = place_of(err.text, &line);
		char *at = message ? line_start(text, line) : NULL;
		if (!at) {
			warn(out, text, source, text, err.text);
			break;
		}
		warn(out, text, source, at, message);
		blank_statement(at);
	}
	free(text);
}
