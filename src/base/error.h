/*
 * Errors of three kinds.
 *
 * Bad input and failed I/O fill a `struct error` and return false (or NULL): the front ends (src/cmd, src/cli, src/cc,
 * src/cudart) print them and choose the exit status. Internal errors end in BUG(), which prints the place and what was
 * found, and aborts. A host without memory ends the process, too (memory.h). These two are the only places below the front
 * ends that print or end the process; inside trap_run() they end the work alone (trap.h). A forked child that cannot
 * go on leaves with _exit().
 */
#ifndef SLUICE_BASE_ERROR_H
#define SLUICE_BASE_ERROR_H

#include <stdbool.h>
#include <stdint.h>

struct error {
	char text[1024];
};

/*
 * Both always return false, so that callers can write `return error_set(...)`. err may be NULL. Control characters
 * other than tabs and newlines are replaced, because names in messages come from files.
 */
bool error_set(struct error *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
/* "file:line:column: text"; column 0 leaves the column out, line 0 leaves both out. */
bool error_at(struct error *err, const char *file, uint64_t line, uint64_t column, const char *fmt, ...)
    __attribute__((format(printf, 5, 6)));

/*
 * Report something that does not stop the work. The text goes to the function that the front end gave to warning_take()
 * when the process started; without one it is dropped.
 */
void warning(const char *fmt, ...) __attribute__((format(printf, 1, 2)));
void warning_take(void (*take)(const char *text));

_Noreturn void bug_at(const char *file, int line, const char *fmt, ...) __attribute__((format(printf, 3, 4)));
#define BUG(...) bug_at(__FILE__, __LINE__, __VA_ARGS__)

#endif
