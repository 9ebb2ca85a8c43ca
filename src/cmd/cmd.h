/*
 * Subcommands. Each gets its name as argv[0] and returns the exit status: 0 done, 2 bad input, 3 no progress, 4 the
 * simulated program failed.
 */
#ifndef SLUICE_CMD_CMD_H
#define SLUICE_CMD_CMD_H

#include "cli/help.h"

/* The commands that `sluice --help` lists; main.c has them. */
const struct subcommand *subcommands(size_t *count);

#define COMMAND(name, help) int cmd_##name(int argc, char **argv);
#include "cli/commands.def"
#undef COMMAND

/* Commands that sluice itself and the shells call. */
int cmd_complete(int argc, char **argv);
int cmd_library_run(int argc, char **argv);
int cmd_slurm_task(int argc, char **argv);
int cmd_chart(int argc, char **argv);

/*
 * policy_guard.c: between these two calls, a crash or an exit() of the process is reported together with the chain's text, if
 * that names shared objects.
 */
void policy_guard_begin(const char *command, const char *policies);
void policy_guard_end(void);

#endif
