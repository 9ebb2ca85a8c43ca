/* sluice reproduce: the figures and claims of papers. */
#include <stdio.h>

#include "cmd/cmd.h"
#include "lab/program/args.h"
#include "lab/reproduce/figure.h"

static const char USAGE[] = "usage: sluice reproduce [PAPER | PAPER/FIGURE | CLAIM ...] [OPTION...]\n";

static void print_list(const struct papers *papers)
{
	for (size_t p = 0; p < papers->count; p++) {
		const struct paper *paper = &papers->paper[p];
		printf("%s  %s: %zu figures and tables, %zu claims\n", paper->name, paper->title, paper->figures,
		       paper->claims);
		for (size_t i = 0; i < paper->figures; i++)
			printf("  %s/%s  %s (%s)\n", paper->name, paper->figure[i].id, paper->figure[i].title,
			       paper->figure[i].where);
	}
}

int cmd_reproduce(int argc, char **argv)
{
	bool list = false, quick = false, help = false;
	const char *operand = NULL, *folder = NULL;
	char place[PATH_MAX];
	struct error err;
	const struct arg args[] = {
	    {"--list", NULL, "check all files and list papers, figures and claims", .flag = &list},
	    {"--quick", NULL, "cut runs", .flag = &quick},
	    {"--papers", "DIR", "folder of the papers", .text = &folder},
	    {"--help", NULL, "this text", .flag = &help},
	};
	struct papers papers;
	if (!args_parse(argc - 1, argv + 1, args, sizeof args / sizeof *args, &operand, &err) ||
	    (!folder && !papers_folder(place, &err)) ||
	    !papers_load(&papers, folder ? folder : place, quick, &err)) {
		fprintf(stderr, "sluice reproduce: %s\n", err.text);
		return 2;
	}
	(void)USAGE;
	print_list(&papers);
	papers_free(&papers);
	return 0;
}
