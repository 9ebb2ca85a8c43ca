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
	*launch = (struct run_launch){.index = index, .kernel = trace_kernel_at(trace, index)};
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
	if (options->kernels && !kernels_check(options->kernels, trace_kernel_count(trace), err))
		return false;
	struct gpu *gpu = gpu_new(config->machine, config->chain,
	                          options->threads < sms ? options->threads : sms, options->quantum, err);
	bool ok = gpu;
	for (unsigned k = 0; ok && k < trace_kernel_count(trace); k++) {
		if (options->kernels && !kernels_has(options->kernels, k + 1))
			continue;
		if (is_spent(options, result)) {
			result->status = LAUNCH_TRUNCATED;
			break;
		}
		ok = run_launch(gpu, trace, k, options, result, err);
		if (result->status != LAUNCH_DONE)
			break;
	}
	gpu_free(gpu);
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
