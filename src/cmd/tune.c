/* sluice tune: finds the best values of policy parameters for a program. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/study.h"
#include "cmd/cmd.h"
#include "report/formats.h"
#include "study/tune/tune.h"

static const struct command command = {
    .name = "tune",
    .operand = "program or trace",
    .usage =
        "usage: sluice tune PROGRAM [--size tiny|small|paper] [WORD...] --param POLICY.PARAMETER=FROM..TO [OPTION...]\n"
        "       sluice tune TRACE --param POLICY.PARAMETER=FROM..TO [OPTION...]\n"
        "\n"
        "Simulates a program or trace with every value of a parameter. Prints the curve and the best value; of equal\n"
        "values, the larger is the best. With several --param, every combination is tried. A golden-section search\n"
        "measures few values of one parameter, and finds the best if the curve has a single peak. PROGRAM and TRACE\n"
        "are the same as for 'sluice run'. Results of earlier simulations are reused unless --again is given.\n"
        "\n"
        "    sluice tune atax --size tiny --machine gtx480-ciao --param swl.n=1..4\n"
        "\n"
        "Exit status: 0 done, 2 bad input, 3 every run made no progress, 4 the program itself failed.\n",
};

struct request {
	struct study study;
	struct arg_texts params;
	const char *policy, *csv, *goal_text, *search_text;
	enum tune_goal goal;
	enum tune_search search;
	struct tune_space space;
	struct batch_run *runs; /* by point */
};

/* Read one of two words. */
static bool read_choice(const char *option, const char *text, const char *first, const char *second,
                        int *which, struct error *err)
{
	*which = !strcmp(text, second);
	return *which || !strcmp(text, first) ||
	       error_set(err, "%s: '%s' is neither %s nor %s", option, text, first, second);
}

static bool check(struct request *r, struct error *err)
{
	int goal, search;
	if (!read_choice("--goal", r->goal_text, "ipc", "cycles", &goal, err) ||
	    !read_choice("--search", r->search_text, "exhaustive", "golden", &search, err))
		return false;
	r->goal = goal ? TUNE_CYCLES : TUNE_IPC;
	r->search = search ? TUNE_GOLDEN : TUNE_EXHAUSTIVE;
	if (!r->params.count)
		return error_set(err, "no parameter given: --param swl.n=1..24 tries those values");
	if (r->search == TUNE_GOLDEN && r->params.count > 1)
		return error_set(err, "--search golden takes one --param; several need --search exhaustive");
	return tune_space_make(&r->space, r->params.text, r->params.count, r->policy, err);
}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--param", "P.X=A..B", "parameter X of policy P, from A to B; may be repeated",
	     .texts = &r->params},
	    {"--policy", "P", "the whole chain of policies (those that --param names)", .text = &r->policy},
	    {"--goal", "ipc|cycles", "the most instructions per cycle, or the fewest cycles (ipc)",
	     .text = &r->goal_text},
	    {"--search", "exhaustive|golden", "every value, or a golden-section search (exhaustive)",
	     .text = &r->search_text},
	    {"--csv", "FILE", "write a row per value as CSV: the score, counters, metrics", .text = &r->csv},
	    STUDY_ARGS(&r->study),
	};
	struct error err = {{0}};
	if (!study_parse(&r->study, argc, argv, args, sizeof args / sizeof *args, rc))
		return false;
	*rc = 2;
	r->study.other_output = r->csv;
	if (check(r, &err) && input_check_output(&r->study.input, r->study.machine, r->csv, &err))
		return true;
	study_fail(&r->study, &err);
	return false;
}

/* Load every chain before any runs, so that a value out of range is refused at once. */
static bool load(struct request *r, struct error *err)
{
	bool ok = true;
	r->runs = memory_zeroed(r->space.points, sizeof *r->runs);
	for (size_t i = 0; ok && i < r->space.points; i++) {
		char *chain = tune_chain(&r->space, i);
		ok = study_load(&r->study, &r->runs[i].config, chain, err);
		free(chain);
	}
	return ok;
}

static bool measure(void *user, const size_t *points, size_t count, struct error *err)
{
	struct request *r = user;
	return batch_simulate(&r->study.batch, r->runs, points, count, err);
}

static double score(void *user, size_t point)
{
	const struct request *r = user;
	return tune_score(&r->runs[point], r->goal);
}

/* A row per point that was measured. */
static bool write_csv(const struct request *r, struct error *err)
{
	size_t points = r->space.points, params = r->space.params;
	const char *titles[TUNE_PARAMS_MAX + 2];
	char names[TUNE_PARAMS_MAX][sizeof r->space.param[0].policy + sizeof r->space.param[0].name + 1];
	const json_t **keys = memory_zeroed(points, sizeof *keys),
	             **results = memory_zeroed(points, sizeof *results);
	for (size_t k = 0; k < params; k++) {
		snprintf(names[k], sizeof names[k], "%s.%s", r->space.param[k].policy,
		         r->space.param[k].name);
		titles[k] = names[k];
	}
	titles[params] = "chain";
	titles[params + 1] = "score";
	for (size_t i = 0; i < points; i++) {
		uint64_t values[TUNE_PARAMS_MAX];
		char *chain = tune_chain(&r->space, i);
		json_t *own = json_array();
		tune_values(&r->space, i, values);
		for (size_t k = 0; k < params; k++)
			json_array_append_new(own, json_integer((json_int_t)values[k]));
		json_array_append_new(own, json_text(chain));
		json_array_append_new(own, r->runs[i].result ? json_number(tune_score(&r->runs[i], r->goal))
		                                             : json_null());
		keys[i] = own;
		results[i] = r->runs[i].result;
		free(chain);
	}
	char *text = format_csv_rows(titles, params + 2, keys, results, points);
	bool ok = command_write(r->csv, text, err);
	free(text);
	for (size_t i = 0; i < points; i++)
		json_decref((json_t *)(uintptr_t)keys[i]);
	free(keys);
	free(results);
	return ok;
}

static bool report(struct request *r, size_t best, struct error *err)
{
	size_t measured = 0;
	const struct tune_result result = {.facts = &r->study.facts,
	                                   .space = &r->space,
	                                   .goal = r->goal,
	                                   .search = r->search,
	                                   .runs = r->runs,
	                                   .best = best};
	for (size_t i = 0; i < r->space.points; i++)
		measured += r->runs[i].result != NULL;
	if (study_output(&r->study) == stdout)
		tune_print(stdout, &result);
	char *json = r->study.json ? tune_write_json(&result) : NULL;
	bool ok = command_write(r->study.json, json, err) && (!r->csv || write_csv(r, err)) &&
	          study_finish(&r->study, measured, err);
	free(json);
	return ok;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	const struct tune_measure how = {.measure = measure, .score = score, .user = r};
	size_t best;
	if (!load(r, &err) || !study_open(&r->study, r->runs[0].config.machine, &err) ||
	    !tune_search(&how, r->space.points, r->search, &best, &err) || !report(r, best, &err))
		return study_fail(&r->study, &err);
	if (!strcmp(json_string_value(json_object_get(r->runs[best].result, "status")),
	            run_status_name(LAUNCH_DEADLOCKED)))
		return 3;
	return r->study.facts.program ? recording_status(&r->study.input.program, &r->study.input.recording)
	                              : 0;
}

int cmd_tune(int argc, char **argv)
{
	struct request r = {.study = study_new(&command), .goal_text = "ipc", .search_text = "exhaustive"};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	if (r.runs)
		batch_runs_free(r.runs, r.space.points);
	tune_space_free(&r.space);
	study_free(&r.study);
	return rc;
}
