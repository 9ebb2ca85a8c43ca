/* sluice workload check: what papers publish of the workloads, beside what is measured on the papers' machines. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/memory.h"
#include "base/output.h"
#include "base/suggest.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "study/workload/check_report.h"

enum {
	MAX_JOBS = 1024,
	DEFAULT_MAX_INSNS = 20 * 1000 * 1000,
	OUT_OF_LINE = 1 /* exit status: some row is off */
};

static const struct command command = {
    .name = "workload check",
    .summary = "measure what papers publish about workloads",
    .usage =
        "usage: sluice workload check [WORKLOAD...] [OPTION...]\n"
        "\n"
        "Measures, for every paper's row of the workloads named (all of them), each characteristic that the\n"
        "paper publishes, on the machine of that paper, and prints it beside the published one with a verdict:\n"
        "ok, off, explained (off, and the index says why), info (for information only). docs/workloads.md\n"
        "defines them. Simulations stop after --max-insns warp instructions. Results that exist already are\n"
        "reused.\n",
    .footer = "Exit status: 0 nothing is off, 1 something is or could not be measured, 2 bad input.\n",
};

struct request {
	const char *size, *json, *only, *paper;
	uint64_t jobs, max_insns;
	bool again, help;
	char **names; /* point into argv */
	size_t name_count;
	struct workloads workloads;
	struct measure_options options;
	struct measure_task *tasks;
	struct measure_result *results;
	size_t count, ended;
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice workload check: %s\n", err->text);
	return 2;
}

/* ---- what is asked for --------------------------------------------------------------------------------------- */

/* Whether the word is an option whose value is the word behind it. */
static bool takes_next(const char *word, const struct arg *args, size_t count)
{
	for (size_t i = 0; i < count; i++)
		if (!strcmp(args[i].name, word))
			return !args[i].flag;
	return false;
}

/* Names are the words that are neither options nor their values; the others go to `ours`, for args_parse(). */
static int take_names(struct request *r, int argc, char **argv, const struct arg *args, size_t arg_count,
                      char **ours)
{
	int count = 1; /* args_parse() begins behind the command's own name */
	for (int i = 0; i < argc; i++) {
		if (argv[i][0] != '-') {
			r->names[r->name_count++] = argv[i];
			continue;
		}
		ours[count++] = argv[i];
		if (takes_next(argv[i], args, arg_count) && i + 1 < argc)
			ours[count++] = argv[++i];
	}
	return count;
}

static bool read_facts(const char *list, uint32_t *facts, struct error *err)
{
	*facts = 0;
	for (const char *word = list; *word;) {
		size_t length = strcspn(word, ",");
		int found = -1;
		for (int i = 0; i < FACT_COUNT; i++)
			if (!strncmp(workload_facts[i].name, word, length) && !workload_facts[i].name[length])
				found = i;
		if (found < 0)
			return error_set(
			    err,
			    "--only: '%.*s' is not a characteristic; 'sluice workload show lud' names some",
			    length > 40 ? 40 : (int)length, word);
		*facts |= 1u << found;
		word += length + (word[length] == ',');
	}
	return true;
}

static bool check_paper(const char *name, struct error *err)
{
	char clip[CLIP_SIZE];
	for (int i = 0; i < PAPER_COUNT; i++)
		if (!strcmp(workload_papers[i].name, name))
			return true;
	return error_set(err, "--paper: no paper '%s'; expected ciao, osm, lcm, tian or khairy",
	                 clip_text(clip, name));
}

static bool prepare(struct request *r, struct error *err)
{
	r->options = (struct measure_options){
	    .max_insns = r->max_insns, .facts = UINT32_MAX, .jobs = (size_t)r->jobs, .again = r->again};
	return workload_size_read(r->size, &r->options.size, err) &&
	       (!r->only || read_facts(r->only, &r->options.facts, err)) &&
	       (!r->paper || check_paper(r->paper, err)) &&
	       (!r->json || !strcmp(r->json, "-") || output_check(r->json, err));
}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--size", "tiny|small|paper", "inputs (paper)", .text = &r->size},
	    {"--max-insns", "N", "stop each simulation after N warp instructions (20M)",
	     .number = &r->max_insns, .min = 1, .max = INT64_MAX},
	    {"--paper", "PAPER", "rows of one paper: ciao, osm, tian or khairy (all)", .text = &r->paper},
	    {"--only", "FACTS", "some characteristics: class,apki,n_warp,... (all)", .text = &r->only},
	    {"--jobs", "N", "processes at once (one per processor)", .number = &r->jobs, .min = 1,
	     .max = MAX_JOBS},
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output", .text = &r->json},
	    {"--again", NULL, "record and simulate again even if results exist", .flag = &r->again},
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct error err = {{0}};
	char **ours = memory_zeroed((size_t)argc + 2, sizeof *ours);
	r->names = memory_zeroed((size_t)argc + 1, sizeof *r->names);
	int words = take_names(r, argc, argv, args, count, ours);
	bool ok = command_parse(&command, words, ours, args, count, &r->help, NULL, rc);
	free(ours);
	if (!ok)
		return false;
	*rc = 2;
	if (prepare(r, &err))
		return true;
	fail(&err);
	return false;
}

/* ---- tasks --------------------------------------------------------------------------------------------------- */

static bool is_named(const struct request *r, const char *name)
{
	for (size_t i = 0; i < r->name_count; i++)
		if (!strcmp(r->names[i], name))
			return true;
	return !r->name_count;
}

static bool check_names(const struct request *r, struct error *err)
{
	for (size_t i = 0; i < r->name_count; i++)
		if (!workloads_find(&r->workloads, r->names[i]))
			return workloads_fail_unknown(&r->workloads, r->names[i], err);
	return true;
}

static void add_tasks(struct request *r, const struct workload *workload)
{
	for (size_t i = 0; i < workload->published_count; i++) {
		const struct workload_published *published = &workload->published[i];
		const struct measure_task task = {&r->workloads, workload, published};
		if (r->paper && strcmp(r->paper, workload_papers[published->paper].name))
			continue;
		if (!measure_wanted(&task, &r->options))
			continue; /* lcm publishes names only */
		r->tasks = memory_grow(r->tasks, r->count + 1, sizeof *r->tasks);
		r->tasks[r->count++] = task;
	}
}

/* ---- work ---------------------------------------------------------------------------------------------------- */

static void show_end(void *user, size_t task)
{
	struct request *r = user;
	const struct measure_result *result = &r->results[task];
	fprintf(stderr, "%zu of %zu: %s, %s: ", ++r->ended, r->count, r->tasks[task].workload->name,
	        workload_papers[r->tasks[task].published->paper].name);
	if (result->failed)
		fprintf(stderr, "%s\n", result->error.text);
	else
		fprintf(stderr, "%zu runs, %zu of them simulated now, %.1f s\n", result->runs,
		        result->simulated, result->seconds);
}

static bool write_report(const struct request *r, const struct report *report, struct error *err)
{
	bool to_stdout = r->json && !strcmp(r->json, "-"), ok = true;
	if (!to_stdout)
		report_print(stdout, report, &r->options);
	if (r->json) {
		char *json = report_write_json(report, &r->options);
		if (to_stdout)
			fputs(json, stdout);
		else
			ok = output_write(r->json, json, strlen(json), err);
		free(json);
	}
	if (fflush(stdout) || ferror(stdout))
		return error_set(err, "cannot write to standard output: %s", strerror(errno));
	return ok;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	if (!check_names(r, &err))
		return fail(&err);
	for (size_t i = 0; i < r->workloads.count; i++)
		if (is_named(r, r->workloads.list[i].name))
			add_tasks(r, &r->workloads.list[i]);
	r->results = memory_zeroed(r->count + 1, sizeof *r->results);
	fprintf(stderr, "%zu rows of papers at --size %s, at most %llu warp instructions per simulation\n",
	        r->count, workload_sizes[r->options.size], (unsigned long long)r->options.max_insns);
	if (!measure_all(r->tasks, r->count, &r->options, r->results, show_end, r, &err))
		return fail(&err);
	struct report report = report_make(r->tasks, r->results, r->count, &r->options);
	bool ok = write_report(r, &report, &err);
	int rc = !ok ? fail(&err) : report.verdicts[VERDICT_OFF] ? OUT_OF_LINE : 0;
	report_free(&report);
	return rc;
}

int cmd_workload_check(int argc, char **argv)
{
	long processors = sysconf(_SC_NPROCESSORS_ONLN);
	struct request r = {.size = "paper",
	                    .jobs = processors > 0 ? (uint64_t)processors : 1,
	                    .max_insns = DEFAULT_MAX_INSNS};
	struct error err = {{0}};
	int rc;
	if (parse(&r, argc, argv, &rc)) {
		if (workloads_load(&r.workloads, &err)) {
			rc = carry_out(&r);
			workloads_free(&r.workloads);
		} else {
			rc = fail(&err);
		}
	}
	free(r.names);
	free(r.tasks);
	free(r.results);
	return rc;
}
