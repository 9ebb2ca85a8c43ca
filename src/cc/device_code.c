#include "cc/device_code.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "ptx/ptx.h"

/* Whether the runtime provides the function. */
static bool is_provided(const char *name, size_t length)
{
	static const char *const whole[] = {"vprintf", "malloc", "free", "__assertfail"};
	static const char *const prefixes[] = {"__nv_", "__cxa_", "__sluice_"};
	for (size_t i = 0; i < sizeof whole / sizeof *whole; i++)
		if (strlen(whole[i]) == length && !strncmp(name, whole[i], length))
			return true;
	for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++)
		if (!strncmp(name, prefixes[i], strlen(prefixes[i])))
			return true;
	return false;
}

/* Skip to the name of ".extern .func (.param .b32 func_retval0) name" or ".extern .func name". */
static const char *function_name(const char *at)
{
	at += strspn(at, " \t");
	if (*at == '(') {
		at += strcspn(at, ")");
		at += *at == ')';
	}
	return at + strspn(at, " \t\n");
}

bool cc_check_ptx(const char *ptx, const char *source, struct error *err)
{
	static const char func[] = ".extern .func";
	for (const char *at = ptx; (at = strstr(at, ".extern .")); at++) {
		if (at != ptx && at[-1] != '\n')
			continue;
		if (!strncmp(at, func, sizeof func - 1)) {
			const char *name = function_name(at + sizeof func - 1);
			size_t length = strcspn(name, " (\n;");
			if (!is_provided(name, length))
				return error_set(
				    err,
				    "%s: device function '%.*s' is defined in another file: compile the "
				    "program with -rdc=true, or include its definition",
				    source, (int)length, name);
		} else if (!strncmp(at, ".extern .global", 15) || !strncmp(at, ".extern .const", 14)) {
			int line = (int)strcspn(at, ";\n");
			return error_set(
			    err,
			    "%s: device variable of another file (%.*s): compile the program with "
			    "-rdc=true, or define it here",
			    source, line, at);
		}
	}
	return true;
}

/* Whether a kernel has launch bounds of its own, which it keeps, as with nvcc. */
static bool has_bounds(const char *from, const char *to)
{
	const char *bound = strstr(from, ".maxntid");
	const char *other = strstr(from, ".maxnreg");
	return (bound && bound < to) || (other && other < to);
}

char *cc_limit_registers(const char *ptx, unsigned registers)
{
	static const char entry[] = ".entry ";
	enum { ROOM = 24 };
	size_t count = 0;
	for (const char *at = ptx; (at = strstr(at, entry)); at++)
		count++;
	char *limited = memory_zeroed(strlen(ptx) + count * ROOM + 1, 1), *to = limited;
	const char *from = ptx;
	for (const char *at = ptx; (at = strstr(at, entry)); at++) {
		const char *body = strchr(at, '{');
		if (!body || has_bounds(at, body))
			continue;
		memcpy(to, from, (size_t)(body - from));
		to += body - from;
		to += snprintf(to, ROOM, ".maxnreg %u\n", registers);
		from = body;
	}
	memcpy(to, from, strlen(from) + 1);
	return limited;
}

/* ---- instructions that the runtime does not support ----------------------------------------------------- */

enum { WARNINGS_MAX = 8 };

/* Find the start of a line, counted from 1. */
static char *line_start(char *text, unsigned long line)
{
	for (; line > 1 && text; line--) {
		text = strchr(text, '\n');
		text += text != NULL;
	}
	return text;
}

/* Find the name of ".file N "name"" anywhere in the text, or NULL. */
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

/* Find the last ".loc FILE LINE" before a place. */
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

/* error = "ptx:" line ":" column ": " message; returns the message, or NULL for another error */
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

/* Blank a statement, so that the parser can go on behind it; its lines stay. */
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

/* ---- bodies that vanished ---------------------------------------------------------------------------------- */

static bool does_nothing(const struct ptx_module *m, const struct ptx_function *f)
{
	bool nothing = f->is_entry;
	for (uint32_t i = 0; i < f->insn_count; i++)
		nothing &= m->insns[f->first_insn + i].op == PTX_ret;
	return nothing;
}

void cc_warn_empty(FILE *out, const char *ptx, const char *source, unsigned made_for, unsigned asked_for)
{
	struct error err;
	struct ptx_module *m = ptx_parse_tolerant(source, ptx, strlen(ptx), &err);
	for (uint32_t i = 0; m && i < m->function_count; i++) {
		const struct ptx_function *f = &m->functions[i];
		if (does_nothing(m, f))
			fprintf(
			    out,
			    "%s: warning: kernel '%s' does nothing in code for sm_%u, the newest that this clang "
			    "makes; what is for sm_%u alone is left out\n",
			    source, f->name, made_for, asked_for);
	}
	ptx_module_free(m);
}
