/* The runs behind advice: what is simulated, and in which order. */
#include "study/advise/measure.h"

#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "study/tune/tune.h"
#include "trace/trace.h"

/* Load the configuration of a run: the machine, changed as the run asks, under the policies of the run. */
static bool load_run(const struct advise_measurement *a, size_t i, struct error *err)
{
	struct batch_run *run = &a->runs[i];
	char own[ADVISE_CHANGES_MAX][ADVISE_CHANGE_SIZE];
	const char *changes[ARG_TEXTS_MAX + ADVISE_CHANGES_MAX];
	size_t count = a->changes->count;
	memcpy(changes, a->changes->text, count * sizeof *changes);
	size_t relaxed = i ? advise_relax(a->plan[i].entry, a->runs[0].config.machine, own) : 0;
	for (size_t k = 0; k < relaxed; k++)
		changes[count++] = own[k];
	if (!config_load(&run->config, a->machine, a->plan[i].chain, changes, count, err))
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

bool advise_plan(struct advise_measurement *a, struct error *err)
{
	a->plan = memory_zeroed(advise_entry_count, sizeof *a->plan);
	a->runs = memory_zeroed(advise_entry_count, sizeof *a->runs);
	for (size_t i = 0; i < advise_entry_count; i++) {
		const struct advise_entry *entry = &advise_entries[i];
		if (a->quick && !entry->quick)
			continue;
		struct advise_run *run = &a->plan[a->count];
		*run = (struct advise_run){.entry = entry, .chain = memory_text(entry->chain)};
		if (load_run(a, a->count++, err))
			continue;
		if (a->count == 1)
			return false;
		snprintf(run->left_out, sizeof run->left_out, "%.*s", ADVISE_REASON_SIZE - 1, err->text);
	}
	return true;
}

/* Launches without shared memory need no mechanisms that manage it. */
static void leave_out_shared(struct advise_measurement *a)
{
	bool used = false;
	for (unsigned k = 0; k < trace_kernel_count(a->batch->trace); k++)
		used = used || trace_kernel_at(a->batch->trace, k)->shared_bytes;
	for (size_t i = 0; i < a->count; i++)
		if (a->plan[i].entry->shared && !used && !a->plan[i].left_out[0])
			snprintf(a->plan[i].left_out, sizeof a->plan[i].left_out,
			         "no launch uses shared memory");
}

static size_t find(const struct advise_measurement *a, const char *name)
{
	for (size_t i = 0; i < a->count; i++)
		if (!strcmp(a->plan[i].entry->name, name))
			return i;
	return a->count;
}

/* Run all but those that need the limit of Best-SWL. */
static bool run_plain(struct advise_measurement *a, struct error *err)
{
	size_t *which = memory_zeroed(a->count, sizeof *which), count = 0;
	for (size_t i = 0; i < a->count; i++)
		if (!a->plan[i].left_out[0] && i != find(a, "swl") && i != find(a, "statpcal"))
			which[count++] = i;
	bool ok = batch_simulate(a->batch, a->runs, which, count, err);
	free(which);
	return ok;
}

static bool measure_swl(void *user, const size_t *points, size_t count, struct error *err)
{
	struct advise_measurement *a = user;
	a->swl_runs += count;
	return batch_simulate(a->batch, a->swl, points, count, err);
}

static double score_swl(void *user, size_t point)
{
	const struct advise_measurement *a = user;
	return tune_score(&a->swl[point], TUNE_IPC);
}

/* Return the most warps that are ever resident in a scheduler: larger limits change nothing. */
static size_t most_warps(const struct advise_measurement *a)
{
	const struct machine *m = a->runs[0].config.machine;
	const json_t *launches = json_object_get(a->runs[0].result, "launches"), *launch;
	json_int_t most = 1;
	for (size_t i = 0; i < json_array_size(launches); i++) {
		launch = json_array_get(launches, i);
		json_int_t warps = json_integer_value(
		    json_object_get(json_object_get(launch, "occupancy_limit"), "warps_per_sm"));
		most = warps > most ? warps : most;
	}
	return ((size_t)most + m->sm_schedulers - 1) / m->sm_schedulers;
}

/* Replace a run of the plan by one with the parameter that was found. */
static bool give_parameter(struct advise_measurement *a, const char *name, const char *parameter,
                           size_t value, struct error *err)
{
	size_t i = find(a, name);
	if (i == a->count)
		return true;
	char chain[128];
	snprintf(chain, sizeof chain, "%s:%s=%zu", a->plan[i].entry->chain, parameter, value);
	free(a->plan[i].chain);
	a->plan[i].chain = memory_text(chain);
	config_free(&a->runs[i].config);
	return load_run(a, i, err) && batch_simulate(a->batch, a->runs, &i, 1, err);
}

static bool run_swl(struct advise_measurement *a, struct error *err)
{
	const struct tune_measure how = {.measure = measure_swl, .score = score_swl, .user = a};
	size_t best;
	bool ok = true;
	a->swl_limits = most_warps(a);
	a->swl = memory_zeroed(a->swl_limits, sizeof *a->swl);
	for (size_t i = 0; ok && i < a->swl_limits; i++) {
		char chain[32];
		snprintf(chain, sizeof chain, "swl:n=%zu", i + 1);
		ok = config_load(&a->swl[i].config, a->machine, chain, a->changes->text, a->changes->count,
		                 err);
	}
	return ok && tune_search(&how, a->swl_limits, TUNE_GOLDEN, &best, err) &&
	       give_parameter(a, "swl", "n", best + 1, err) &&
	       give_parameter(a, "statpcal", "tokens", best + 1, err);
}

bool advise_measure(struct advise_measurement *a, struct error *err)
{
	size_t first = 0;
	leave_out_shared(a);
	if (!batch_simulate(a->batch, a->runs, &first, 1, err))
		return false;
	a->stuck = batch_is_stuck(a->runs[0].result);
	if (a->stuck)
		return error_set(
		    err,
		    "the program makes no progress under gto; 'sluice run' shows what its warps wait for");
	return run_plain(a, err) && run_swl(a, err);
}

size_t advise_measured(const struct advise_measurement *a)
{
	size_t runs = a->swl_runs;
	for (size_t i = 0; i < a->count; i++)
		runs += a->runs[i].result && i != find(a, "swl");
	return runs;
}

void advise_measurement_free(struct advise_measurement *a)
{
	if (a->runs)
		batch_runs_free(a->runs, a->count);
	if (a->swl)
		batch_runs_free(a->swl, a->swl_limits);
	for (size_t i = 0; i < a->count; i++)
		free(a->plan[i].chain);
	free(a->plan);
}
