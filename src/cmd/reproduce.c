/* sluice reproduce: simulates the figures and claims of papers. */
#include <stdio.h>
#include <stdlib.h>

#include "base/environment.h"
#include "cli/command.h"
#include "cli/experiment_run.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "reproduce",
    .usage =
        "usage: sluice reproduce [PAPER | PAPER/FIGURE | CLAIM ...] [OPTION...]\n"
        "       sluice reproduce --list\n"
        "\n"
        "Simulates what the named papers, figures and claims need (ciao, ciao/8a, ciao-07; by default everything),\n"
        "each run once. Prints the figures next to the published values, and a verdict for each claim. Runs are\n"
        "stored in a database as they end: when a call is interrupted, the next call continues where it stopped.\n"
        "docs/experiments.md has the format of the files.\n"
        "\n"
        "    sluice reproduce ciao/8a --dry-run\n"
        "\n"
        "Exit status: 0 done, 2 bad input, 128 + signal interrupted.\n",
};

struct request {
	struct experiment_options options;
	const char *folder;
	bool list;
	struct papers papers;
};

static void print_list(const struct papers *papers)
{
	for (size_t p = 0; p < papers->count; p++) {
		const struct paper *paper = &papers->paper[p];
		printf("%s  %s: %zu figures and tables, %zu claims\n", paper->name, paper->title,
		       paper->figures, paper->claims);
		for (size_t i = 0; i < paper->figures; i++)
			printf("  %s/%-10s %s (%s)\n", paper->name, paper->figure[i].id,
			       paper->figure[i].title, paper->figure[i].where);
	}
}

/* Check all policies, machines and looks of all files, too. */
static int list(const struct request *r, const struct experiment_choice *all)
{
	struct error err;
	struct plan plan;
	bool ok = plan_make(&plan, &r->papers, all->figure, all->figures, &err);
	plan_free(&plan);
	if (!ok)
		return experiment_fail(&r->options, &err);
	print_list(&r->papers);
	return 0;
}

static int run(struct request *r, char *const *word, size_t words)
{
	char place[PATH_MAX];
	struct error err = {{0}};
	if (!experiment_check(&r->options, &err) || (!r->folder && !papers_folder(place, &err)) ||
	    !papers_load(&r->papers, r->folder ? r->folder : place, r->options.quick, &err))
		return experiment_fail(&r->options, &err);
	/* The papers that come with sluice are part of it, like its policies; a folder that is named is not. */
	bool are_ours = !r->folder && !getenv(ENV_PAPERS);
	r->papers.trust = r->list ? PAPERS_UNTOUCHED : experiment_trust(&r->options);
	if (r->papers.trust == PAPERS_REFUSED && are_ours)
		r->papers.trust = PAPERS_ALLOWED;
	struct experiment_choice choice;
	int rc = !choice_make(&choice, &r->papers, word, r->list ? 0 : words, &err)
	             ? experiment_fail(&r->options, &err)
	         : r->list ? list(r, &choice)
	                   : experiment_run(&r->options, &choice);
	choice_free(&choice);
	papers_free(&r->papers);
	return rc;
}

int cmd_reproduce(int argc, char **argv)
{
	struct request r = {.options = experiment_options_new("reproduce", argc, argv)};
	const struct arg args[] = {
	    {"--list", NULL, "check all files; list papers, figures and the number of claims",
	     .flag = &r.list},
	    {"--papers", "DIR", "folder of the papers ($SLUICE_PAPERS, or those that come with sluice)",
	     .text = &r.folder},
	    EXPERIMENT_ARGS(&r.options),
	};
	const size_t count = sizeof args / sizeof *args;
	struct args_split split;
	int rc;
	command_split(argc, argv, args, count, &split);
	if (command_parse(&command, split.our_count, split.ours, args, count, &r.options.help, NULL, &rc))
		rc = run(&r, split.theirs, split.their_count);
	args_split_free(&split);
	return rc;
}
