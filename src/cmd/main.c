/* The command line: finds the subcommand and hands over. */
#include <stdio.h>
#include <string.h>

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

int main(int argc, char **argv)
{
	if (argc < 2) {
		print_help(stderr);
		return 2;
	}
	if (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h") || !strcmp(argv[1], "help")) {
		print_help(stdout);
		return 0;
	}
	if (!strcmp(argv[1], "--version")) {
		puts("sluice " SLUICE_VERSION);
		return 0;
	}
	if (!strcmp(argv[1], "slurm-task"))
		return cmd_slurm_task(argc - 1, argv + 1);
	for (int i = 0; i < COMMAND_COUNT; i++)
		if (!strcmp(argv[1], commands[i].name))
			return commands[i].run(argc - 1, argv + 1);
	fprintf(stderr, "sluice: unknown command '%s'; see 'sluice --help'\n", argv[1]);
	return 2;
}
