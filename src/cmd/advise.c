/* sluice advise: says what limits the performance of a program, and what would help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/study.h"
#include "cmd/cmd.h"
#include "study/advise/measure.h"

enum { QUICK_INSNS = 2000000 };

static const struct command command = {
    .name = "advise",
    .operand = "program or trace",
    .usage =
        "usage: sluice advise PROGRAM [--size tiny|small|paper] [WORD...] [OPTION...]\n"
        "       sluice advise TRACE [OPTION...]\n"
        "\n"
        "Says what limits the performance of a program or trace, which family of mechanisms helps, how much of the\n"
        "possible gain that is, and which source lines cause it. PROGRAM and TRACE are the same as for 'sluice run'.\n"
        "The tables behind the answer come from simulations with limits of L1, on the machine with one resource\n"
        "relaxed at a time, and under the mechanisms of the papers. docs/advise.md has the rules. Results of earlier\n"
        "simulations are reused unless --again is given.\n"
        "\n"
        "    sluice advise atax --size tiny --quick\n"
        "\n"
        "Exit status: 0 done, 2 bad input, 3 the baseline made no progress, 4 the program itself failed.\n",
};

struct request {
	struct study study;
	struct advise_measurement runs;
	const char *html;
};

static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--quick", NULL,
	     "one or two mechanisms of each family, and at most 2M warp instructions per run",
	     .flag = &r->runs.quick},
	    {"--html", "FILE", "write the advice as a page, to show or print", .text = &r->html},
	    STUDY_ARGS(&r->study),
	};
	if (!study_parse(&r->study, argc, argv, args, sizeof args / sizeof *args, rc))
		return false;
	struct error err = {{0}};
	r->study.other_output = r->html;
	if (!input_check_output(&r->study.input, r->study.machine, r->html, &err)) {
		*rc = study_fail(&r->study, &err);
		return false;
	}
	if (r->runs.quick && !r->study.max_insns)
		r->study.max_insns = QUICK_INSNS;
	return true;
}

static bool ends_in_cu(const char *path)
{
	size_t length = strlen(path);
	return length > 3 && !strcmp(path + length - 3, ".cu");
}

static bool report(struct request *r, struct error *err)
{
	struct study *s = &r->study;
	const char *path = s->input.target.path;
	char operand[2048];
	snprintf(operand, sizeof operand, "%s%s%s", s->input.word, *s->words_text ? " " : "", s->words_text);
	struct advise_report report = {.facts = &s->facts,
	                               .operand = operand,
	                               .source = ends_in_cu(path) ? path : NULL,
	                               .runs = r->runs.runs,
	                               .count = r->runs.count,
	                               .swl_runs = r->runs.swl_runs};
	advise_conclude(&report, r->runs.plan);
	if (study_output(s) == stdout)
		advise_print(stdout, &report);
	char *json = s->json ? advise_write_json(&report) : NULL;
	char *page = r->html ? advise_write_page(&report) : NULL;
	bool ok = command_write(s->json, json, err) && command_write(r->html, page, err) &&
	          study_finish(s, advise_measured(&r->runs), err);
	free(json);
	free(page);
	return ok;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	struct study *s = &r->study;
	r->runs.batch = &s->batch;
	r->runs.machine = s->machine;
	r->runs.changes = &s->changes;
	if (!advise_plan(&r->runs, &err) || !study_open(s, r->runs.runs[0].config.machine, &err) ||
	    !advise_measure(&r->runs, &err) || !report(r, &err)) {
		study_fail(s, &err);
		return r->runs.stuck ? 3 : 2;
	}
	return s->facts.program ? recording_status(&s->input.program, &s->input.recording) : 0;
}

int cmd_advise(int argc, char **argv)
{
	struct request r = {.study = study_new(&command)};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	advise_measurement_free(&r.runs);
	study_free(&r.study);
	return rc;
}
