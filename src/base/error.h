/*
 * Errors of three kinds.
 *
 * Bad input and failed I/O fill a `struct error` and return false (or NULL);
 * nobody below src/cmd/ prints or exits. Our own mistakes end in BUG(), which
 * aborts with the place and what was found.
 */
#ifndef SLUICE_BASE_ERROR_H
#define SLUICE_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct error {
	char text[1024];
};

/*
 * Both always return false, so that callers can write `return error_set(...)`. A NULL err is allowed. Control
 * characters but tabs and newlines are replaced: names in messages come from files.
 */
bool error_set(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "file:line:column: text"; column 0 leaves the column out, line 0 leaves both out. */
bool error_at(struct error *err, const char *file, uint64_t line, uint64_t column, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Something is worth saying though the work goes on. The command line takes it (src/cmd/main.c); without a taker it is
 * dropped.
 */
void warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warning_take(void (*take)(const char *text));

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
