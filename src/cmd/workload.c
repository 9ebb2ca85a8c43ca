/* sluice workload: the programs that come with sluice: what there is, where it comes from, running and checking it. */
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/help.h"
#include "cmd/cmd.h"
#include "workload/target.h"

enum { PAPERS_TEXT = 256 };

static const struct command_action actions[] = {
    {"list", "", "every workload: its suite, the papers that use it with their names and classes for it"},
    {"show", "WORKLOAD", "what papers publish about one, and where its source is"},
    {"run", "WORKLOAD [--size tiny|small|paper] [WORD...] [OPTION...]",
     "simulates one, like 'sluice run WORKLOAD'; record, compare and tune take a WORKLOAD as well"},
    {"check", "[WORKLOAD...] [OPTION...]", "measures what papers publish, on their machines"},
    {NULL, NULL, NULL},
};
static const struct command command = {
    .name = "workload",
    .actions = actions,
    .footer = "Workloads are looked for in $SLUICE_WORKLOADS, or in those that come with sluice.\n"
              "'sluice run --help' has the options of run, 'sluice workload check --help' those of check;\n"
              "docs/workloads.md defines what is measured.\n",
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice workload: %s\n", err->text);
	return 2;
}

static int refuse(const char *what, const char *word)
{
	fprintf(stderr, "sluice workload: %s%s%s%s; see 'sluice workload --help'\n", what, word ? " '" : "",
	        word ? word : "", word ? "'" : "");
	return 2;
}

static int finish(void)
{
	if (!fflush(stdout) && !ferror(stdout))
		return 0;
	fprintf(stderr, "sluice workload: cannot write to standard output: %s\n", strerror(errno));
	return 2;
}

static bool has_file(const struct workloads *workloads, const struct workload *workload, const char *file,
                     char path[PATH_MAX])
{
	return workload_path(workloads, workload, file, path, NULL) && !access(path, R_OK);
}

/* ---- list ---------------------------------------------------------------------------------------------------- */

/* "ciao MVT LWS, osm mvt 1" */
static const char *describe_papers(const struct workload *workload, char text[PAPERS_TEXT])
{
	size_t used = 0;
	text[0] = '\0';
	for (size_t i = 0; i < workload->published_count && used < PAPERS_TEXT; i++) {
		const struct workload_published *row = &workload->published[i];
		used += (size_t)snprintf(text + used, PAPERS_TEXT - used, "%s%s %s%s%s", i ? ", " : "",
		                         workload_papers[row->paper].name, row->as, row->class ? " " : "",
		                         row->class ? row->class : "");
	}
	return text;
}

static int wider(int width, const char *text)
{
	return (int)strlen(text) > width ? (int)strlen(text) : width;
}

static void print_list(const struct workloads *workloads)
{
	char papers[PAPERS_TEXT], path[PATH_MAX];
	int name = 0, suite = 0, paper = 0;
	for (size_t i = 0; i < workloads->count; i++) {
		name = wider(name, workloads->list[i].name);
		suite = wider(suite, workloads->list[i].suite);
		paper = wider(paper, describe_papers(&workloads->list[i], papers));
	}
	for (size_t i = 0; i < workloads->count; i++) {
		const struct workload *w = &workloads->list[i];
		if (!i || strcmp(w->group, workloads->list[i - 1].group))
			printf("%s%s\n", i ? "\n" : "", w->group);
		printf("  %-*s  %-*s  %-*s  %s%s\n", name, w->name, suite, w->suite, paper,
		       describe_papers(w, papers), w->about,
		       has_file(workloads, w, NULL, path) ? "" : " (its source is missing)");
	}
	printf("\n%zu workloads in %s\n", workloads->count, workloads->folder);
}

/* ---- show ---------------------------------------------------------------------------------------------------- */

static void print_fact(const struct workload_published *row, int fact)
{
	if (fact == FACT_CLASS ? !row->class : isnan(row->value[fact]))
		return;
	printf("    %-18s", workload_facts[fact].name);
	if (fact == FACT_CLASS)
		printf("%-10s", row->class);
	else if (fact == FACT_BARRIERS)
		printf("%-10s", row->value[fact] > 0 ? "yes" : "no");
	else
		printf("%-10g", row->value[fact]);
	printf("  %s\n", workload_facts[fact].doc);
	if (row->reason[fact])
		printf("    %-18s%s\n", "", row->reason[fact]);
}

static void print_published(const struct workload_published *row)
{
	const struct workload_paper_info *paper = &workload_papers[row->paper];
	printf("\n  %s in %s, on %s\n", row->as, paper->title, paper->machine);
	if (row->input)
		printf("    %-18s%s\n", "input", row->input);
	if (!isnan(row->stops_after_m))
		printf("    %-18s%-10g  million thread instructions, after which the paper stopped\n",
		       "stops_after_m", row->stops_after_m);
	if (row->arguments)
		printf("    %-18s%-10s  after --size paper, for this paper's input\n", "arguments",
		       row->arguments);
	for (int i = 0; i < FACT_COUNT; i++)
		print_fact(row, i);
}

static void print_file(const struct workloads *workloads, const struct workload *w, const char *what,
                       const char *file)
{
	char path[PATH_MAX];
	bool there = has_file(workloads, w, file, path);
	printf("  %-8s%s%s\n", what, path, there ? "" : " (missing)");
}

static void print_workload(const struct workloads *workloads, const struct workload *w)
{
	printf("%s: %s\n", w->name, w->about);
	printf("  %-8s%s\n  %-8s%s\n", "group", w->group, "suite", w->suite);
	print_file(workloads, w, "source", NULL);
	print_file(workloads, w, "readme", "README.md");
	for (size_t i = 0; i < w->published_count; i++)
		print_published(&w->published[i]);
}

/* ---- the subcommands ----------------------------------------------------------------------------------------- */

static int list_workloads(int argc, char **argv)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (argc > 0)
		return refuse("unexpected argument", argv[0]);
	if (!workloads_load(&workloads, &err))
		return fail(&err);
	print_list(&workloads);
	workloads_free(&workloads);
	return finish();
}

static int show_workload(int argc, char **argv)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (argc < 1)
		return refuse("show: no workload given", NULL);
	if (argc > 1)
		return refuse("unexpected argument", argv[1]);
	if (!workloads_load(&workloads, &err))
		return fail(&err);
	const struct workload *workload = workloads_find(&workloads, argv[0]);
	if (workload)
		print_workload(&workloads, workload);
	else
		workloads_fail_unknown(&workloads, argv[0], &err);
	workloads_free(&workloads);
	return workload ? finish() : fail(&err);
}

/* The words behind NAME may be anybody's: cmd_run() knows which are options of its own. */
static int run_source(struct target *target)
{
	char **words = memory_zeroed(target->arg_count + 3, sizeof *words), run[] = "run";
	words[0] = run;
	words[1] = target->path;
	memcpy(words + 2, target->args, target->arg_count * sizeof *words);
	int rc = cmd_run((int)target->arg_count + 2, words);
	free(words);
	return rc;
}

static int run_workload(int argc, char **argv)
{
	struct workloads workloads;
	struct target target;
	struct error err = {{0}};
	if (argc < 1)
		return refuse("run: no workload given", NULL);
	if (help_asked(argv[0])) {
		char run[] = "run", *words[] = {run, argv[0], NULL};
		return cmd_run(2, words);
	}
	if (argv[0][0] == '-')
		return refuse("run: the workload's name comes first, not", argv[0]);
	if (!workloads_load(&workloads, &err))
		return fail(&err);
	bool ok = target_find_workload(&target, &workloads, argv[0], argv + 1, (size_t)argc - 1, &err);
	workloads_free(&workloads);
	if (!ok)
		return fail(&err);
	int rc = run_source(&target);
	target_free(&target);
	return rc;
}

int cmd_workload(int argc, char **argv)
{
	static const struct {
		const char *name;
		int (*run)(int argc, char **argv);
	} parts[] = {{"list", list_workloads},
	             {"show", show_workload},
	             {"run", run_workload},
	             {"check", cmd_workload_check}};
	if (argc < 2 || help_asked(argv[1]))
		return help_show(&command, argc < 2 ? HELP_NONE : help_asked(argv[1]));
	for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
		if (!strcmp(argv[1], parts[i].name))
			return parts[i].run(argc - 2, argv + 2);
	return refuse("unknown subcommand", argv[1]);
}
