#include "base/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/safe_text.h"
#include "base/trap.h"

bool error_set(struct error *err, const char *fmt, ...)
{
	if (!err)
		return false;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->text, sizeof err->text, fmt, ap);
	va_end(ap);
	safe_text(err->text, strlen(err->text), "\n\t");
	return false;
}

bool error_at(struct error *err, const char *file, uint64_t line, uint64_t column, const char *fmt, ...)
{
	if (!err)
		return false;
	int n;
	if (!line)
		n = snprintf(err->text, sizeof err->text, "%s: ", file);
	else if (!column)
		n = snprintf(err->text, sizeof err->text, "%s:%llu: ", file, (unsigned long long)line);
	else
		n = snprintf(err->text, sizeof err->text, "%s:%llu:%llu: ", file, (unsigned long long)line,
		             (unsigned long long)column);
	if (n < 0 || (size_t)n >= sizeof err->text)
		return false;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(err->text + n, sizeof err->text - (size_t)n, fmt, ap);
	va_end(ap);
	safe_text(err->text, strlen(err->text), "\n\t");
	return false;
}

static void (*warning_taker)(const char *text); /* set once, when the process starts */

void warning_take(void (*take)(const char *text))
{
	warning_taker = take;
}

void warning(const char *fmt, ...)
{
	struct error text;
	va_list ap;
	if (!warning_taker)
		return;
	va_start(ap, fmt);
	vsnprintf(text.text, sizeof text.text, fmt, ap);
	va_end(ap);
	safe_text(text.text, strlen(text.text), "\n\t");
	warning_taker(text.text);
}

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...)
{
	struct error what, text;
	va_list ap;
	va_start(ap, fmt);
	vsnprintf(what.text, sizeof what.text, fmt, ap);
	va_end(ap);
	snprintf(text.text, sizeof text.text, "internal error at %s:%d: %.900s", file, line, what.text);
	trap_spring(TRAP_BUG, text.text);
	fprintf(stderr, "sluice: %s\n", text.text);
	abort();
}
