/* sluice sweep: simulates the experiment that a file describes. */
#include <stdio.h>
#include <stdlib.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cli/experiment_run.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "sweep",
    .operand = "file",
    .usage =
        "usage: sluice sweep FILE.yaml [OPTION...]\n"
        "\n"
        "Simulates every combination of machines, workloads (or programs, or traces), policies and values that the\n"
        "file describes, each one once, and reports like 'sluice reproduce'. docs/experiments.md has the format.\n"
        "Exit status: 0 done, 2 bad input, 128 + signal interrupted.\n",
};

static int run(const struct experiment_options *options, const char *path)
{
	struct papers papers;
	struct error err = {{0}};
	if (!experiment_check(options, &err) || !papers_load_sweep(&papers, path, options->quick, &err))
		return experiment_fail(options, &err);
	papers.trust = experiment_trust(options);
	const struct paper *own = papers.paper;
	const struct figure *figures[] = {own->figure};
	const struct claim **claims = memory_zeroed(own->claims + 1, sizeof *claims);
	for (size_t i = 0; i < own->claims; i++)
		claims[i] = &own->claim[i];
	const struct experiment_choice choice = {.papers = &papers,
	                                         .figure = figures,
	                                         .figures = 1,
	                                         .shown = 1,
	                                         .claim = claims,
	                                         .claims = own->claims};
	int rc = experiment_run(options, &choice);
	free(claims);
	papers_free(&papers);
	return rc;
}

int cmd_sweep(int argc, char **argv)
{
	struct experiment_options options = experiment_options_new("sweep", argc, argv);
	const struct arg args[] = {EXPERIMENT_ARGS(&options)};
	const char *path = NULL;
	int rc;
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &options.help, &path, &rc))
		return rc;
	if (!path) {
		command_refuse(&command, "no file given");
		return 2;
	}
	return run(&options, path);
}
