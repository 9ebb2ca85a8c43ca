/* Running a trace. */
#include "run/run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/suggest.h"
#include "run/look.h"

static bool apply_change(struct machine *machine, const char *change, struct error *err)
{
	char key[128], clip[CLIP_SIZE];
	const char *equals = strchr(change, '=');
	if (!equals || equals == change || (size_t)(equals - change) >= sizeof key)
		return error_set(err, "--set: '%s' is not section.key=value", clip_text(clip, change));
	snprintf(key, sizeof key, "%.*s", (int)(equals - change), change);
	/* It has its effect before anything is simulated. */
	if (!strcmp(key, "sm.code_scheduled"))
		return error_set(
		    err,
		    "--set: %s decides how programs are recorded; give it in a machine file that extends this one",
		    key);
	return machine_set(machine, key, equals + 1, "--set", err);
}

bool config_change(struct machine *machine, const char *const *changes, size_t count, struct error *err)
{
	for (size_t i = 0; i < count; i++)
		if (!apply_change(machine, changes[i], err))
			return false;
	return !count || machine_check(machine, err);
}

bool config_load(struct config *config, const char *machine, const char *policy, const char *const *changes,
                 size_t change_count, struct error *err)
{
	memset(config, 0, sizeof *config);
	config->machine = machine_load(machine, err);
	if (config->machine && config_change(config->machine, changes, change_count, err))
		config->chain = chain_new(policy, config->machine, err);
	if (config->chain)
		return true;
	config_free(config);
	return false;
}

void config_free(struct config *config)
{
	if (config->chain)
		chain_free(config->chain);
	if (config->machine)
		machine_free(config->machine);
	memset(config, 0, sizeof *config);
}

uint64_t run_count_insns(const struct trace *trace, const struct kernels *kernels)
{
	uint64_t sum = 0;
	for (unsigned k = 0; k < trace_kernel_count(trace); k++)
		if (!kernels || kernels_has(kernels, k + 1))
			sum += trace_kernel_at(trace, k)->warp_insns;
	return sum;
}

uint64_t run_count_chosen(const struct trace *trace, const struct run_options *options)
{
	struct error ignored;
	bool *chosen = run_choose(trace, options->kernels, options->window, &ignored);
	uint64_t sum = 0;
	for (unsigned k = 0; chosen && k < trace_kernel_count(trace); k++)
		sum += chosen[k] ? trace_kernel_at(trace, k)->warp_insns : 0;
	free(chosen);
	return sum;
}

/* ---- the launches -------------------------------------------------------------------------------------- */

static bool is_in(struct window *window, const struct trace *trace, unsigned k)
{
	const struct window_launch launch = {.number = k + UINT64_C(1),
	                                     .name = trace_kernel_at(trace, k)->name};
	bool wanted = window_wants(window, &launch);
	window_count(window, &launch);
	return wanted;
}

static bool mark_window(const struct trace *trace, const char *text, bool *chosen, struct error *err)
{
	uint64_t left = 0;
	struct window *window = window_new(text, err);
	bool ok = window && window_check(window, "the trace has", trace_kernel_count(trace), err);
	if (ok && window_needs_program(window))
		ok = error_set(err, "%s: a trace does not say which launches these are; record the program",
		               window_words(window));
	for (unsigned k = 0; ok && k < trace_kernel_count(trace); k++) {
		bool wanted = is_in(window, trace, k);
		chosen[k] = chosen[k] && wanted;
		left += chosen[k];
	}
	if (ok && !left)
		ok = error_set(err, "%s: none of the %u launches of the trace; the first is of %.200s",
		               window_words(window), trace_kernel_count(trace),
		               trace_kernel_at(trace, 0)->name);
	window_free(window);
	return ok;
}

bool *run_choose(const struct trace *trace, const struct kernels *kernels, const char *window,
                 struct error *err)
{
	unsigned count = trace_kernel_count(trace);
	if (kernels && !kernels_check(kernels, "--kernel", "the trace has", count, err))
		return NULL;
	bool *chosen = memory_zeroed(count + 1, sizeof *chosen);
	for (unsigned k = 0; k < count; k++)
		chosen[k] = !kernels || kernels_has(kernels, k + UINT64_C(1));
	if (!window || !*window || !count || mark_window(trace, window, chosen, err))
		return chosen;
	free(chosen);
	return NULL;
}

/* Turns a launch's progress into the run's. */
struct relay {
	const struct run_options *options;
	unsigned launch;
	uint64_t before; /* warp instructions of earlier launches */
};

static bool relay_progress(void *user, uint64_t warp_insns, cycle_t cycle)
{
	const struct relay *relay = user;
	(void)cycle;
	return relay->options->progress(relay->options->user, relay->launch, relay->before + warp_insns);
}

static bool run_launch(struct gpu *gpu, const struct trace *trace, unsigned index,
                       const struct run_options *options, struct run_result *result, struct error *err)
{
	uint64_t done = result->total.value[COUNT_warp_insns];
	struct relay relay = {.options = options, .launch = index, .before = done};
	struct launch_options launch_options = {
	    .flush_l2 = options->cold_l2 || !result->count,
	    .max_insns = options->max_insns ? options->max_insns - done : 0,
	    .progress = options->progress ? relay_progress : NULL,
	    .user = &relay,
	};
	result->launch = memory_grow(result->launch, result->count + 1, sizeof *result->launch);
	struct run_launch *launch = &result->launch[result->count++];
	*launch =
	    (struct run_launch){.index = index, .number = index + 1, .kernel = trace_kernel_at(trace, index)};
	if (options->is_part)
		launch->number = launch->kernel->id;
	bool ok = gpu_run(gpu, trace, index, &launch_options, &launch->result, err);
	result->status = launch->result.status;
	if (ok && options->look)
		launch->look = look_report(options->look, gpu, launch->kernel, &launch->result);
	counters_add(&result->total, &launch->result.counters);
	return ok;
}

/* The instructions asked for are used up, though the last launch may have ended by itself. */
static bool is_spent(const struct run_options *options, const struct run_result *result)
{
	return options->max_insns && result->total.value[COUNT_warp_insns] >= options->max_insns;
}

static struct energy_extra extra_energy(const struct chain *chain)
{
	struct energy_extra sum = {0};
	for (uint32_t i = 0; i < chain->count; i++) {
		const struct policy *policy = &chain->link[i].policy;
		sum.access_pj += policy->l1_access_pj;
		sum.fill_pj += policy->l1_fill_pj;
		sum.static_mw += policy->l1_static_mw;
	}
	return sum;
}

bool run_trace(const struct config *config, const struct trace *trace, const struct run_options *options,
               struct run_result *result, struct error *err)
{
	uint32_t sms = config->machine->sm_count;
	memset(result, 0, sizeof *result);
	result->extra_energy = extra_energy(config->chain);
	bool *chosen = run_choose(trace, options->kernels, options->window, err);
	if (!chosen)
		return false;
	struct gpu *gpu = gpu_new(config->machine, config->chain,
	                          options->threads < sms ? options->threads : sms, options->quantum, err);
	bool ok = gpu;
	for (unsigned k = 0; ok && k < trace_kernel_count(trace); k++) {
		if (!chosen[k])
			continue;
		if (is_spent(options, result)) {
			result->status = LAUNCH_TRUNCATED;
			break;
		}
		ok = run_launch(gpu, trace, k, options, result, err);
		if (result->status != LAUNCH_DONE)
			break;
	}
	/* What was not recorded any more would have been the next launch. */
	if (ok && options->is_part && result->status == LAUNCH_DONE && is_spent(options, result))
		result->status = LAUNCH_TRUNCATED;
	gpu_free(gpu);
	free(chosen);
	return ok;
}

void run_result_free(struct run_result *result)
{
	for (size_t i = 0; i < result->count; i++) {
		free(result->launch[i].result.pc_misses);
		free(result->launch[i].result.profile);
		free(result->launch[i].result.stats);
		free(result->launch[i].result.report);
		json_decref(result->launch[i].look);
	}
	free(result->launch);
	memset(result, 0, sizeof *result);
}

const char *run_status_name(enum launch_status status)
{
	static const char *const names[] = {
	    [LAUNCH_DONE] = "done",
	    [LAUNCH_TRUNCATED] = "truncated",
	    [LAUNCH_DEADLOCKED] = "deadlocked",
	    [LAUNCH_FAILED] = "failed",
	};
	return names[status];
}
