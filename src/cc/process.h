/* Running a compiler: no shell, one at a time. */
#ifndef SLUICE_CC_PROCESS_H
#define SLUICE_CC_PROCESS_H

#include "cc/command_line.h"

enum { CC_CANNOT_RUN = 127 };

/*
 * Run a command and wait. It inherits standard output; each line that it writes to standard error goes to `messages` and
 * then to take(). Return its exit code, 128 + the signal that ended it, or CC_CANNOT_RUN.
 */
int cc_run(const struct words *command, FILE *messages, void (*take)(void *context, const char *line),
           void *context);
/* Get the first line that the command writes to standard output; false if it fails or writes none. */
bool cc_run_line(const struct words *command, char *line, size_t size);

#endif
