/* sluice advise: what bounds a program, and what would help. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cli/study.h"
#include "cmd/cmd.h"
#include "study/advise/advise.h"
#include "study/tune/tune.h"

enum { QUICK_INSNS = 2000000 };

static const struct command command = {
    .name = "advise",
    .operand = "program or trace",
    .usage =
        "usage: sluice advise PROGRAM [--size tiny|small|paper] [WORD...] [OPTION...]\n"
        "       sluice advise TRACE [OPTION...]\n"
        "\n"
        "Simulates a program or trace, as 'sluice run' takes it, with limits of L1, on the machine with one resource\n"
        "relaxed at a time, and under the mechanisms of the papers, and says what bounds it, which family of\n"
        "mechanisms helps, how much of the possible gain that is, and which source lines are to blame, with the tables\n"
        "behind it. docs/advise.md has the rules. Results that exist already are reused, unless --again is given.\n"
        "Exit status: 0 done, 2 bad input, 3 the baseline made no progress, 4 the program itself failed.\n",
};

struct request {
	struct study study;
	bool quick;
	struct advise_run *plan;
	struct batch_run *runs; /* by run of the plan */
	size_t count;
	struct batch_run *swl; /* by limit - 1 */
	size_t swl_limits, swl_runs;
};

static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--quick", NULL, "one mechanism of each family or two, and runs of 2M warp instructions at most",
	     .flag = &r->quick},
	    STUDY_ARGS(&r->study),
	};
	if (!study_parse(&r->study, argc, argv, args, sizeof args / sizeof *args, rc))
		return false;
	if (r->quick && !r->study.max_insns)
		r->study.max_insns = QUICK_INSNS;
	return true;
}

/* ---- the plan --------------------------------------------------------------------------------------------- */

/* The study's machine with what a run changes of it, under the run's policies. */
static bool load_run(const struct request *r, size_t i, struct error *err)
{
	const struct study *s = &r->study;
	struct batch_run *run = &r->runs[i];
	char own[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE];
	const char *changes[ARG_TEXTS_MAX + ADVISE_CHANGES_MAX];
	size_t count = s->changes.count;
	memcpy(changes, s->changes.text, count * sizeof *changes);
	size_t relaxed = i ? advise_relax(r->plan[i].entry, r->runs[0].config.machine, own) : 0;
	for (size_t k = 0; k < relaxed; k++)
		changes[count++] = own[k];
	if (!config_load(&run->config, s->machine, r->plan[i].chain, changes, count, err))
		return false;
	if (!relaxed)
		return true;
	size_t bytes;
	FILE *text = memory_stream_open(&run->changes, &bytes);
	for (size_t k = 0; k < count; k++)
		fprintf(text, "%s%s", k ? " " : "", changes[k]);
	memory_stream_close(text);
	return true;
}

/* What cannot run on the machine is left out, with the reason; the baseline must. */
static bool plan(struct request *r, struct error *err)
{
	r->plan = memory_zeroed(advise_entry_count, sizeof *r->plan);
	r->runs = memory_zeroed(advise_entry_count, sizeof *r->runs);
	for (size_t i = 0; i < advise_entry_count; i++) {
		const struct advise_entry *entry = &advise_entries[i];
		if (r->quick && !entry->quick)
			continue;
		struct advise_run *run = &r->plan[r->count];
		*run = (struct advise_run){.entry = entry, .chain = memory_text(entry->chain)};
		if (load_run(r, r->count++, err))
			continue;
		if (r->count == 1)
			return false;
		snprintf(run->left_out, sizeof run->left_out, "%.*s", ADVISE_REASON_SIZE - 1, err->text);
	}
	return true;
}

/* Launches without shared memory need no mechanisms for it. */
static void leave_out_shared(struct request *r)
{
	bool used = false;
	for (unsigned k = 0; k < trace_kernel_count(r->study.trace); k++)
		used = used || trace_kernel_at(r->study.trace, k)->shared_bytes;
	for (size_t i = 0; i < r->count; i++)
		if (r->plan[i].entry->shared && !used && !r->plan[i].left_out[0])
			snprintf(r->plan[i].left_out, sizeof r->plan[i].left_out,
			         "no launch uses shared memory");
}

/* ---- the runs --------------------------------------------------------------------------------------------- */

static size_t find(const struct request *r, const char *name)
{
	for (size_t i = 0; i < r->count; i++)
		if (!strcmp(r->plan[i].entry->name, name))
			return i;
	return r->count;
}

/* All but those that wait for the limit of Best-SWL. */
static bool run_plain(struct request *r, struct error *err)
{
	size_t *which = memory_zeroed(r->count, sizeof *which), count = 0;
	for (size_t i = 0; i < r->count; i++)
		if (!r->plan[i].left_out[0] && i != find(r, "swl") && i != find(r, "statpcal"))
			which[count++] = i;
	bool ok = batch_simulate(&r->study.batch, r->runs, which, count, err);
	free(which);
	return ok;
}

static bool measure_swl(void *user, const size_t *points, size_t count, struct error *err)
{
	struct request *r = user;
	r->swl_runs += count;
	return batch_simulate(&r->study.batch, r->swl, points, count, err);
}

static double score_swl(void *user, size_t point)
{
	const struct request *r = user;
	return tune_score(&r->swl[point], TUNE_IPC);
}

/* Warps of a scheduler that are ever resident: larger limits change nothing. */
static size_t most_warps(const struct request *r)
{
	const struct machine *m = r->runs[0].config.machine;
	const json_t *launches = json_object_get(r->runs[0].result, "launches"), *launch;
	json_int_t most = 1;
	for (size_t i = 0; i < json_array_size(launches); i++) {
		launch = json_array_get(launches, i);
		json_int_t warps = json_integer_value(
		    json_object_get(json_object_get(launch, "occupancy_limit"), "warps_per_sm"));
		most = warps > most ? warps : most;
	}
	return ((size_t)most + m->sm_schedulers - 1) / m->sm_schedulers;
}

/* Replaces a run of the plan by one with the parameter that was found. */
static bool give_parameter(struct request *r, const char *name, const char *parameter, size_t value,
                           struct error *err)
{
	size_t i = find(r, name);
	if (i == r->count)
		return true;
	char chain[128];
	snprintf(chain, sizeof chain, "%s:%s=%zu", r->plan[i].entry->chain, parameter, value);
	free(r->plan[i].chain);
	r->plan[i].chain = memory_text(chain);
	config_free(&r->runs[i].config);
	return load_run(r, i, err) && batch_simulate(&r->study.batch, r->runs, &i, 1, err);
}

static bool run_swl(struct request *r, struct error *err)
{
	const struct tune_measure how = {.measure = measure_swl, .score = score_swl, .user = r};
	size_t best;
	bool ok = true;
	r->swl_limits = most_warps(r);
	r->swl = memory_zeroed(r->swl_limits, sizeof *r->swl);
	for (size_t i = 0; ok && i < r->swl_limits; i++) {
		char chain[32];
		snprintf(chain, sizeof chain, "swl:n=%zu", i + 1);
		ok = study_load(&r->study, &r->swl[i].config, chain, err);
	}
	return ok && tune_search(&how, r->swl_limits, TUNE_GOLDEN, &best, err) &&
	       give_parameter(r, "swl", "n", best + 1, err) &&
	       give_parameter(r, "statpcal", "tokens", best + 1, err);
}

/* ---- the report ------------------------------------------------------------------------------------------- */

static bool ends_in_cu(const char *path)
{
	size_t length = strlen(path);
	return length > 3 && !strcmp(path + length - 3, ".cu");
}

static bool report(struct request *r, struct error *err)
{
	struct study *s = &r->study;
	const char *path = s->input.target.path;
	size_t runs = r->swl_runs;
	struct advise_report report = {.facts = &s->facts,
	                               .source = ends_in_cu(path) ? path : NULL,
	                               .runs = r->runs,
	                               .count = r->count,
	                               .swl_runs = r->swl_runs};
	advise_conclude(&report, r->plan);
	for (size_t i = 0; i < r->count; i++)
		runs += r->runs[i].result && i != find(r, "swl");
	if (study_output(s) == stdout)
		advise_print(stdout, &report);
	char *json = s->json ? advise_write_json(&report) : NULL;
	bool ok = command_write(s->json, json, err) && study_finish(s, runs, err);
	free(json);
	return ok;
}

static bool is_stuck(const struct batch_run *run)
{
	const char *status = json_string_value(json_object_get(run->result, "status"));
	return !strcmp(status, run_status_name(LAUNCH_DEADLOCKED));
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	struct study *s = &r->study;
	size_t first = 0;
	if (!plan(r, &err) || !study_open(s, r->runs[0].config.machine, &err))
		return study_fail(s, &err);
	leave_out_shared(r);
	if (!batch_simulate(&s->batch, r->runs, &first, 1, &err))
		return study_fail(s, &err);
	if (is_stuck(&r->runs[0])) {
		error_set(
		    &err,
		    "the program makes no progress under gto; 'sluice run' shows what its warps wait for");
		study_fail(s, &err);
		return 3;
	}
	if (!run_plain(r, &err) || !run_swl(r, &err) || !report(r, &err))
		return study_fail(s, &err);
	return s->facts.program && program_failed(&s->input.recording) ? RECORDING_FAILED : 0;
}

int cmd_advise(int argc, char **argv)
{
	struct request r = {.study = study_new(&command)};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	if (r.runs)
		batch_runs_free(r.runs, r.count);
	if (r.swl)
		batch_runs_free(r.swl, r.swl_limits);
	for (size_t i = 0; i < r.count; i++)
		free(r.plan[i].chain);
	free(r.plan);
	study_free(&r.study);
	return rc;
}
