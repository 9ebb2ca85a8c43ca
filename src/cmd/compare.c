/* sluice compare: simulates a program under several policies and compares the results. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/output.h"
#include "cli/study.h"
#include "cmd/cmd.h"
#include "papers/experiment/baseline.h"
#include "report/formats.h"
#include "report/run_page.h"

static const struct command command = {
    .name = "compare",
    .operand = "program or trace",
    .usage =
        "usage: sluice compare PROGRAM [--size tiny|small|paper] [WORD...] --policy A --policy B ... [OPTION...]\n"
        "       sluice compare TRACE --policy A --policy B ... [OPTION...]\n"
        "       sluice compare --paper PAPER PROGRAM [--policy A ...] [OPTION...]\n"
        "\n"
        "Simulates a program or trace under each policy, in one process per policy, and prints a table that compares\n"
        "them. Speedups are over the first policy. PROGRAM and TRACE are the same as for 'sluice run'. A program is\n"
        "recorded once. Results of earlier simulations are reused unless --again is given.\n"
        "\n"
        "    sluice compare atax --size tiny --policy gto --policy lrr --policy ciao-c\n"
        "\n"
        "Exit status: 0 done, 2 bad input, 3 some run made no progress, 4 the program itself failed.\n",
};

struct request {
	struct study study;
	struct arg_texts policies;
	const char *html, *csv, *paper;
	struct compare_paper from_paper;
};

/* Take the machine of the paper unless one was given, and put its baseline before the policies. */
static bool use_paper(struct request *r, const char *default_machine, struct error *err)
{
	if (!compare_paper_load(&r->from_paper, r->paper, &r->policies, err))
		return false;
	r->policies = r->from_paper.policies;
	if (r->study.machine == default_machine)
		r->study.machine = r->from_paper.machine;
	return true;
}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--policy", "P",
	     "policies of one run, in order: name[:param=value]...[,...]; LABEL=... names it; give it once for each run",
	     .texts = &r->policies},
	    {"--paper", "PAPER",
	     "compare on the machine of a paper, with its baseline: ciao, osm, lcm, tian, khairy",
	     .text = &r->paper},
	    {"--html", "FILE", "write a page with charts that opens without a network", .text = &r->html},
	    {"--csv", "FILE", "write a row per policy as CSV: compared values, counters, metrics",
	     .text = &r->csv},
	    STUDY_ARGS(&r->study),
	};
	struct error err;
	const char *default_machine = r->study.machine;
	if (!study_parse(&r->study, argc, argv, args, sizeof args / sizeof *args, rc))
		return false;
	*rc = 2;
	r->study.other_output = r->csv;
	if (r->paper && !use_paper(r, default_machine, &err))
		;
	else if (!r->policies.count)
		error_set(
		    &err,
		    "no policy given: --policy gto --policy lrr compares two, --paper tian those of a paper");
	else if (r->html && r->study.json && !strcmp(r->html, r->study.json))
		error_set(&err, "%s: --json and --html name the same file", r->html);
	else if (input_check_output(&r->study.input, r->study.machine, r->html, &err) &&
	         input_check_output(&r->study.input, r->study.machine, r->csv, &err))
		return true;
	study_fail(&r->study, &err);
	return false;
}

/* What stands before the policies in LABEL=CHAIN: no policy's name holds a '=', and parameters follow a ':'. */
static size_t label_length(const char *text)
{
	size_t length = strcspn(text, "=:,/");
	return text[length] == '=' ? length : 0;
}

static const char *chain_of(const char *text)
{
	size_t length = label_length(text);
	return length ? text + length + 1 : text;
}

/* The label that was given, or the policies; of a policy in a file, its name alone. The caller frees it. */
static char *label_of(const char *text)
{
	size_t length = label_length(text);
	char *label = memory_text(text), *to = label;
	if (length) {
		label[length] = '\0';
		return label;
	}
	for (const char *at = text; *at;) {
		size_t policy = strcspn(at, ","), path = strcspn(at, ":,"), name = 0;
		for (size_t i = 0; i < path; i++)
			name = at[i] == '/' ? i + 1 : name;
		size_t end = path;
		if (name && end - name > 3 && !strncmp(at + end - 3, ".so", 3))
			end -= 3;
		memmove(to, at + name, end - name);
		to += end - name;
		memmove(to, at + path, policy - path);
		to += policy - path;
		at += policy;
		if (*at)
			*to++ = *at++;
	}
	*to = '\0';
	return label;
}

static bool load(const struct request *r, struct batch_run *runs, struct error *err)
{
	for (size_t i = 0; i < r->policies.count; i++) {
		if (!r->policies.text[i][0])
			return error_set(err, "--policy: its value is empty");
		if (!study_load(&r->study, &runs[i].config, chain_of(r->policies.text[i]), err))
			return false;
	}
	return true;
}

static bool write_page(const struct request *r, const struct compare_row *rows, const struct batch_run *runs,
                       struct error *err)
{
	size_t count = r->policies.count;
	bool with_energy = compare_has(rows, count, COMPARE_energy);
	char report[PATH_MAX];
	struct sources *sources = sources_open(program_file(&r->study.input.recording, "report", report));
	struct run_page_run *list = memory_zeroed(count, sizeof *list);
	for (size_t i = 0; i < count; i++)
		list[i] = (struct run_page_run){.label = rows[i].label,
		                                .chain = rows[i].chain,
		                                .values = compare_values_json(&rows[i], with_energy),
		                                .result = runs[i].result};
	const struct run_page page = {.format = "sluice compare",
	                              .machine = runs[0].config.machine,
	                              .facts = compare_facts_json(&r->study.facts),
	                              .definitions = compare_definitions(with_energy),
	                              .sources = sources,
	                              .program = r->study.input.target.path,
	                              .run = list,
	                              .count = count};
	char *text = run_page_write(&page);
	bool ok = output_write(r->html, text, strlen(text), err);
	free(text);
	free(list);
	sources_free(sources);
	return ok;
}

static bool write_csv(const struct request *r, const struct compare_row *rows, const struct batch_run *runs,
                      struct error *err)
{
	size_t count = r->policies.count;
	const char *titles[COMPARE_COUNT + 3] = {"policy", "chain", "status"};
	const json_t **keys = memory_zeroed(count, sizeof *keys),
	             **results = memory_zeroed(count, sizeof *results);
	for (int v = 0; v < COMPARE_COUNT; v++)
		titles[v + 3] = compare_infos[v].name;
	for (size_t i = 0; i < count; i++) {
		json_t *own = json_pack("[o, o, s]", json_text(rows[i].label), json_text(rows[i].chain),
		                        rows[i].status);
		for (int v = 0; v < COMPARE_COUNT; v++)
			json_array_append_new(own, json_number(rows[i].value[v]));
		keys[i] = own;
		results[i] = runs[i].result;
	}
	char *text = format_csv_rows(titles, COMPARE_COUNT + 3, keys, results, count);
	bool ok = command_write(r->csv, text, err);
	free(text);
	for (size_t i = 0; i < count; i++)
		json_decref((json_t *)(uintptr_t)keys[i]);
	free(keys);
	free(results);
	return ok;
}

static bool write_files(const struct request *r, const struct compare_row *rows, const struct batch_run *runs,
                        struct error *err)
{
	bool ok = true;
	if (r->study.json) {
		char *json = compare_write_json(&r->study.facts, rows, runs, r->policies.count);
		ok = command_write(r->study.json, json, err);
		free(json);
	}
	return ok && (!r->csv || write_csv(r, rows, runs, err)) &&
	       (!r->html || write_page(r, rows, runs, err));
}

static bool report(struct request *r, const struct batch_run *runs, struct error *err)
{
	size_t count = r->policies.count;
	struct compare_row *rows = memory_zeroed(count, sizeof *rows);
	char **labels = memory_zeroed(count, sizeof *labels);
	for (size_t i = 0; i < count; i++) {
		rows[i].label = labels[i] = label_of(r->policies.text[i]);
		compare_fill(&rows[i], &runs[i], &runs[0]);
	}
	if (study_output(&r->study) == stdout)
		compare_print(stdout, &r->study.facts, rows, count);
	bool ok = write_files(r, rows, runs, err) && study_finish(&r->study, count, err);
	for (size_t i = 0; i < count; i++)
		free(labels[i]);
	free(labels);
	free(rows);
	return ok;
}

/* Print the reports of runs that made no progress; return the exit status. */
static int status_of(const struct request *r, const struct batch_run *runs)
{
	int rc =
	    r->study.facts.program ? recording_status(&r->study.input.program, &r->study.input.recording) : 0;
	for (size_t i = 0; i < r->policies.count; i++) {
		if (!batch_is_stuck(runs[i].result))
			continue;
		const json_t *launches = json_object_get(runs[i].result, "launches");
		const json_t *last = json_array_get(launches, json_array_size(launches) - 1);
		const char *text = json_string_value(json_object_get(last, "report"));
		fprintf(stderr, "sluice compare: %s: %s", r->policies.text[i], text ? text : "no progress\n");
		rc = 3;
	}
	return rc;
}

static int carry_out(struct request *r, struct batch_run *runs)
{
	struct error err = {{0}};
	size_t which[ARG_TEXTS_MAX];
	for (size_t i = 0; i < r->policies.count; i++)
		which[i] = i;
	if (!load(r, runs, &err) || !study_open(&r->study, runs[0].config.machine, &err) ||
	    !command_check_output(r->html, &err) || !command_check_output(r->csv, &err))
		return study_fail(&r->study, &err);
	if (r->html) {
		command_note_observers(command.name);
		r->study.batch.look = RUN_PAGE_LOOKS;
	}
	if (!batch_simulate(&r->study.batch, runs, which, r->policies.count, &err) || !report(r, runs, &err))
		return study_fail(&r->study, &err);
	return status_of(r, runs);
}

int cmd_compare(int argc, char **argv)
{
	struct request r = {.study = study_new(&command)};
	int rc;
	if (parse(&r, argc, argv, &rc)) {
		struct batch_run *runs = memory_zeroed(r.policies.count, sizeof *runs);
		rc = carry_out(&r, runs);
		batch_runs_free(runs, r.policies.count);
	}
	study_free(&r.study);
	compare_paper_free(&r.from_paper);
	return rc;
}
