/* The command line: finds the subcommand and hands over. */
#include <errno.h>
#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/error.h"
#include "base/memory.h"
#include "cmd/cmd.h"

static const struct subcommand {
	const char *name;
	int (*run)(int argc, char **argv);
	const char *help;
} commands[] = {
    {"cc", cmd_cc, "compile a CUDA program, with the options of nvcc"},
    {"toolkit", cmd_toolkit, "make a folder that build systems take for a CUDA toolkit"},
    {"run", cmd_run, "simulate a program or a trace"},
    {"record", cmd_record, "run a program and write its trace"},
    {"compare", cmd_compare, "simulate a program under several policies, side by side"},
    {"tune", cmd_tune, "find the best value of a policy's parameter for a program"},
    {"reproduce", cmd_reproduce, "reproduce the figures and claims of papers"},
    {"sweep", cmd_sweep, "simulate an experiment of your own"},
    {"results", cmd_results, "ask the database of results"},
    {"validate", cmd_validate, "compare simulated counters with those of a real GPU"},
    {"trace", cmd_trace, "inspect, import and export traces"},
    {"workload", cmd_workload, "list, run and check the workloads that come with sluice"},
    {"machine", cmd_machine, "list and show the machines that can be simulated"},
    {"counters", cmd_counters, "describe what is counted"},
    {"policy", cmd_policy, "list and show policies"},
    {"cache", cmd_cache, "show what is kept between runs, and make room"},
    {"explain", cmd_explain, "show which policy of a chain answers what"},
};

enum { COMMAND_COUNT = sizeof commands / sizeof *commands };

static void print_help(FILE *out)
{
	fputs("usage: sluice COMMAND [ARGUMENT...]\n\ncommands:\n", out);
	for (int i = 0; i < COMMAND_COUNT; i++)
		fprintf(out, "  %-10s %s\n", commands[i].name, commands[i].help);
	fputs("\n'sluice COMMAND --help' describes a command.\n", out);
}

/* What was printed must have arrived: a full disk behind standard output is an error, whatever the command. */
static int end(const char *command, int status)
{
	if (!fflush(stdout) && !ferror(stdout))
		return status;
	if (!status)
		fprintf(stderr, "sluice %s: cannot write to standard output: %s\n", command, strerror(errno));
	return status ? status : 2;
}

/* Without it, JSON that finds no memory would lack fields and look complete. */
static void *json_memory(size_t bytes)
{
	return memory_grow(NULL, bytes, 1);
}

static void print_warning(const char *text)
{
	fprintf(stderr, "sluice: warning: %s\n", text);
}

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return end(argv[1], 0);
	}
	if (!strcmp(argv[1], "--version")) {
		puts("sluice " SLUICE_VERSION);
		return 0;
	}
	cleanup_on_signals();
	warning_take(print_warning);
	json_set_alloc_funcs(json_memory, free);
	if (!strcmp(argv[1], "slurm-task"))
		return cmd_slurm_task(argc - 1, argv + 1);
	if (!strcmp(argv[1], "library-run"))
		return cmd_library_run(argc - 1, argv + 1);
	for (int i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(argv[1], commands[i].name))
			return end(commands[i].name, commands[i].run(argc - 1, argv + 1));
	fprintf(stderr, "sluice: unknown command '%s'; see 'sluice --help'\n", argv[1]);
	return 2;
}
