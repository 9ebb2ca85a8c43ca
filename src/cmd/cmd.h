/*
 * Subcommands: each gets its own name as argv[0] and returns the exit code (0 done, 2 bad input, 3 no progress,
 * 4 the simulated program failed).
 */
#ifndef SLUICE_CMD_CMD_H
#define SLUICE_CMD_CMD_H

#include <stddef.h>

/* The commands that `sluice --help` lists; main.c has them. */
struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help; /* one line */
};
const struct subcommand *subcommands(size_t *count);

int cmd_trace(int argc, char **argv);
int cmd_machine(int argc, char **argv);
/* Part of it; argv holds the words behind "diff". */
int cmd_machine_diff(int argc, char **argv);
int cmd_run(int argc, char **argv);
int cmd_record(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_advise(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_counters(int argc, char **argv);
int cmd_cc(int argc, char **argv);
int cmd_toolkit(int argc, char **argv);
/* Part of it; argv holds the words behind "--dump-ptx". */
int cmd_toolkit_dump(int argc, char **argv);
int cmd_policy(int argc, char **argv);
/* Part of it; argv holds the words behind "new". */
int cmd_policy_new(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_workload(int argc, char **argv);
int cmd_cache(int argc, char **argv);
int cmd_reproduce(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_slurm_task(int argc, char **argv);
int cmd_results(int argc, char **argv);
int cmd_doctor(int argc, char **argv);
/* For the shells: what may stand at the end of a command line. */
int cmd_complete(int argc, char **argv);
/* Part of it; argv holds the words behind "check". */
int cmd_workload_check(int argc, char **argv);

#endif
