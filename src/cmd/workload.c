/* sluice workload: lists, shows, runs and checks the programs that come with sluice. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "study/workload/report.h"

enum { PAPERS_TEXT = 256 };

static const char NAME[] = "workload";

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

static void print_list(const struct workloads *workloads)
{
	char papers[PAPERS_TEXT], path[PATH_MAX];
	int name = 0, suite = 0, paper = 0;
	for (size_t i = 0; i < workloads->count; i++) {
		name = command_wider(name, workloads->list[i].name);
		suite = command_wider(suite, workloads->list[i].suite);
		paper = command_wider(paper, describe_papers(&workloads->list[i], papers));
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

static int fail_text(const char *text)
{
	fprintf(stderr, "sluice workload: %s; see 'sluice workload --help'\n", text);
	return 2;
}

static int list_workloads(int argc, char **argv)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (argc > 1)
		return command_reject(NAME, "unexpected argument", argv[1]);
	if (!workloads_load(&workloads, &err))
		return command_fail(NAME, &err);
	print_list(&workloads);
	workloads_free(&workloads);
	return 0;
}

static int show_workload(int argc, char **argv)
{
	struct workloads workloads;
	struct error err = {{0}};
	if (argc < 2)
		return fail_text("show: no workload given");
	if (argc > 2)
		return command_reject(NAME, "unexpected argument", argv[2]);
	if (!workloads_load(&workloads, &err))
		return command_fail(NAME, &err);
	const struct workload *workload = workloads_find(&workloads, argv[1]);
	if (workload)
		print_workload(&workloads, workload);
	else
		workloads_fail_unknown(&workloads, argv[1], &err);
	workloads_free(&workloads);
	return workload ? 0 : command_fail(NAME, &err);
}

/* cmd_run() divides the words behind NAME between sluice and the program. */
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
	if (argc < 2)
		return fail_text("run: no workload given");
	if (help_asked(argv[1])) {
		char run[] = "run", *words[] = {run, argv[1], NULL};
		return cmd_run(2, words);
	}
	if (argv[1][0] == '-')
		return command_reject(NAME, "run: the workload's name comes first, not", argv[1]);
	if (!workloads_load(&workloads, &err))
		return command_fail(NAME, &err);
	bool ok = target_find_workload(&target, &workloads, argv[1], argv + 2, (size_t)argc - 2, &err);
	workloads_free(&workloads);
	if (!ok)
		return command_fail(NAME, &err);
	int rc = run_source(&target);
	target_free(&target);
	return rc;
}

/* ---- check -------------------------------------------------------------------------------------------------- */

enum {
	MAX_JOBS = 1024,
	DEFAULT_MAX_INSNS = 20 * 1000 * 1000,
	OUT_OF_LINE = 1 /* exit status: some row is off */
};

static const struct command command_check = {
    .name = "workload check",
    .summary = "measure what papers publish about workloads",
    .usage =
        "usage: sluice workload check [WORKLOAD...] [OPTION...]\n"
        "\n"
        "Measures each characteristic that the papers publish about the named workloads (by default all), on\n"
        "the machine of each paper, and prints it next to the published value with a verdict: ok, off,\n"
        "explained (off, and the index says why) or info (not judged). docs/workloads.md defines the\n"
        "characteristics. Simulations stop after --max-insns warp instructions. Results of earlier simulations\n"
        "are reused.\n"
        "\n"
        "    sluice workload check atax --size tiny --paper ciao --only apki\n",
    .footer = "Exit status: 0 nothing is off, 1 something is off or could not be measured, 2 bad input.\n",
};

struct check {
	const char *size, *json;
	struct measure_choice choice;
	struct measure_options options;
	uint64_t jobs;
	bool help;
	struct measure_task *tasks;
	struct measure_result *results;
	size_t count, ended;
};

static bool check_request(struct check *c, const struct workloads *workloads, struct error *err)
{
	c->options.jobs = (size_t)c->jobs;
	if (!workload_size_read(c->size, &c->options.size, err) ||
	    !measure_read_choice(&c->choice, &c->options, err) || !command_check_output(c->json, err))
		return false;
	for (size_t i = 0; i < c->choice.name_count; i++)
		if (!workloads_find(workloads, c->choice.names[i]))
			return workloads_fail_unknown(workloads, c->choice.names[i], err);
	return true;
}

static void show_end(void *user, size_t task)
{
	struct check *c = user;
	const struct measure_result *result = &c->results[task];
	fprintf(stderr, "%zu of %zu: %s, %s: ", ++c->ended, c->count, c->tasks[task].workload->name,
	        workload_papers[c->tasks[task].published->paper].name);
	if (result->failed)
		fprintf(stderr, "%s\n", result->error.text);
	else
		fprintf(stderr, "%zu runs, %zu of them simulated now, %.1f s\n", result->runs,
		        result->simulated, result->seconds);
}

static bool write_report(const struct check *c, const struct report *report, struct error *err)
{
	if (!command_is_stdout(c->json))
		report_print(stdout, report, &c->options);
	char *json = c->json ? report_write_json(report, &c->options) : NULL;
	bool ok = command_write(c->json, json, err);
	free(json);
	return ok;
}

static int carry_out(struct check *c, const struct workloads *workloads)
{
	struct error err = {{0}};
	if (!check_request(c, workloads, &err))
		return command_fail(command_check.name, &err);
	c->count = measure_choose(&c->choice, workloads, &c->options, &c->tasks);
	c->results = memory_zeroed(c->count + 1, sizeof *c->results);
	fprintf(stderr, "%zu rows of papers at --size %s, at most %llu warp instructions per simulation\n",
	        c->count, workload_sizes[c->options.size], (unsigned long long)c->options.max_insns);
	if (!measure_all(c->tasks, c->count, &c->options, c->results, show_end, c, &err))
		return command_fail(command_check.name, &err);
	struct report report = report_make(c->tasks, c->results, c->count, &c->options);
	bool ok = write_report(c, &report, &err);
	int rc = !ok                            ? command_fail(command_check.name, &err)
	         : report.verdicts[VERDICT_OFF] ? OUT_OF_LINE
	                                        : 0;
	report_free(&report);
	return rc;
}

static int check_workloads(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct check c = {.size = "paper",
	                  .jobs = processors > 0 ? (uint64_t)processors : 1,
	                  .options = {.max_insns = DEFAULT_MAX_INSNS}};
	const struct arg args[] = {
	    {"--size", "tiny|small|paper", "inputs (paper)", .text = &c.size},
	    {"--max-insns", "N", "stop each simulation after N warp instructions (20M)",
	     .number = &c.options.max_insns, .min = 1, .max = INT64_MAX},
	    {"--paper", "PAPER", "rows of one paper: ciao, osm, tian or khairy (all)",
	     .text = &c.choice.paper},
	    {"--only", "FACTS", "some characteristics: class,apki,n_warp,... (all)", .text = &c.choice.only},
	    {"--jobs", "N", "processes at once (one per processor)", .number = &c.jobs, .min = 1,
	     .max = MAX_JOBS},
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output", .text = &c.json},
	    {"--again", NULL, "record and simulate again even if results exist", .flag = &c.options.again},
	    {"--help", NULL, "this text", .flag = &c.help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct workloads workloads;
	struct error err = {{0}};
	struct args_split split;
	int rc;
	command_split(argc, argv, args, count, &split);
	c.choice.names = split.theirs;
	c.choice.name_count = split.their_count;
	if (!command_parse(&command_check, split.our_count, split.ours, args, count, &c.help, NULL, &rc)) {
		;
	} else if (workloads_load(&workloads, &err)) {
		rc = carry_out(&c, &workloads);
		workloads_free(&workloads);
	} else {
		rc = command_fail(command_check.name, &err);
	}
	args_split_free(&split);
	free(c.tasks);
	free(c.results);
	return rc;
}

/* ---- the command ------------------------------------------------------------------------------------------ */

static const struct command_action actions[] = {
    {"list", "", "list the workloads with their suites, and the papers that use them", list_workloads},
    {"show", "WORKLOAD", "show what papers publish about a workload, and where its source is", show_workload},
    {"run", "WORKLOAD [--size tiny|small|paper] [WORD...] [OPTION...]",
     "simulate a workload, like 'sluice run'; record, compare and tune take a WORKLOAD, too", run_workload},
    {"check", "[WORKLOAD...] [OPTION...]", "measure what papers publish, on their machines", check_workloads},
    {NULL, NULL, NULL, NULL},
};
static const struct command command = {
    .name = NAME,
    .actions = actions,
    .footer = "Workloads come from $SLUICE_WORKLOADS, or else from this installation of sluice.\n"
              "'sluice run --help' has the options of run, 'sluice workload check --help' those of check.\n"
              "docs/workloads.md defines what is measured.\n",
};

int cmd_workload(int argc, char **argv)
{
	return command_act(&command, argc, argv);
}
