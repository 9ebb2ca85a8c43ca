/* The simulations that a workload's published characteristics need. */
#include "study/workload/measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "record/program.h"
#include "study/batch.h"
#include "study/tune/tune.h"

enum { CHANGE_SIZE = 48, LIMITS_MAX = 24 };
/* Sets of an L2 slice that nothing outgrows. */
static const char UNBOUNDED_L2[] = "l2.sets=16384";

struct measure {
	const struct measure_task *task;
	const struct measure_options *options;
	const struct workload_paper_info *paper;
	uint32_t wanted;
	struct machine *machine;
	struct trace *trace;
	FILE *silence; /* discards progress lines: several processes simulate at once */
	struct run_options run_options;
	struct batch batch;
	struct batch_run run[RULE_RUNS];
	struct batch_run limit[LIMITS_MAX]; /* swl, by point */
	uint32_t limit_n[LIMITS_MAX];
	size_t limits;
	struct measure_result *result;
};

static bool wants(const struct measure *m, enum workload_fact fact)
{
	return m->wanted >> fact & 1;
}

uint32_t measure_wanted(const struct measure_task *task, const struct measure_options *options)
{
	uint32_t wanted = 0;
	for (int i = 0; i < FACT_COUNT; i++)
		if (i == FACT_CLASS ? task->published->class != NULL : !isnan(task->published->value[i]))
			wanted |= 1u << i;
	return wanted & options->facts;
}

/* ---- recording ----------------------------------------------------------------------------------------------- */

/* Find the program with "--size S", and with the arguments of the paper at size paper. */
static bool find_program(const struct measure *m, struct target *target, struct error *err)
{
	const char *more = m->options->size == WORKLOAD_PAPER ? m->task->published->arguments : NULL;
	size_t bytes = (more ? strlen(more) : 0) + sizeof "--size paper ", count = 0;
	char *text = memory_zeroed(bytes, 1), *rest = text, *word,
	     **words = memory_zeroed(bytes, sizeof *words);
	snprintf(text, bytes, "--size %s %s", workload_sizes[m->options->size], more ? more : "");
	while ((word = strsep(&rest, " ")))
		if (*word)
			words[count++] = word;
	bool ok =
	    target_find_workload(target, m->task->workloads, m->task->workload->name, words, count, err);
	free(words);
	free(text);
	return ok;
}

static bool check_program(const struct program_run *run, const char *path, struct error *err)
{
	if (run->fault[0])
		return error_set(err, "%s: a launch ended early: %.200s", path, run->fault);
	return !run->exit_status ||
	       error_set(err, "%s: the program failed with status %d", path, run->exit_status);
}

static bool record(struct measure *m, struct error *err)
{
	struct target target;
	struct program_run run;
	char path[PATH_MAX];
	if (!find_program(m, &target, err))
		return false;
	struct program_request request = {.path = target.path,
	                                  .args = target.args,
	                                  .arg_count = target.arg_count,
	                                  .machine = m->paper->machine,
	                                  .again = m->options->again};
	bool ok = program_record(&request, &run, err);
	m->trace = ok ? trace_open(program_file(&run, "trace.sluice", path), err) : NULL;
	if (ok && !m->trace && !run.executed) {
		/* The entry was damaged: make it again. */
		request.again = true;
		ok = program_record(&request, &run, err);
		m->trace = ok ? trace_open(program_file(&run, "trace.sluice", path), err) : NULL;
	}
	if (!m->trace)
		program_drop(&run);
	ok = m->trace && check_program(&run, target.path, err);
	target_free(&target);
	return ok;
}

/* ---- numbers of a simulation --------------------------------------------------------------------------------- */

static double counter(const struct batch_run *run, const char *name)
{
	return batch_counter(run->result, name);
}

static double ratio(double part, double whole)
{
	return whole > 0 ? part / whole : NAN;
}

/* A run that made no progress has an IPC of 0. */
static double ipc_of(const struct batch_run *run)
{
	if (batch_is_stuck(run->result))
		return 0;
	return ratio(counter(run, "warp_insns"), counter(run, "cycles"));
}

static void take_numbers(struct measure *m, enum rule_run which, const struct batch_run *run)
{
	double cycles = counter(run, "sm_cycles") - counter(run, "stall_idle");
	m->result->measured.run[which] = (struct rule_numbers){
	    .ipc = ipc_of(run),
	    .l1_miss_rate =
	        ratio(counter(run, "l1_misses"), counter(run, "l1_accesses") - counter(run, "l1_bypasses")),
	    .l2_hit_rate = ratio(counter(run, "l2_read_hit_sectors"), counter(run, "l2_read_sectors")),
	    .mpki = 1000 * ratio(counter(run, "l1_misses"), counter(run, "thread_insns")),
	    .line_fails = 1000 * ratio(counter(run, "l1_fail_line_alloc"), cycles),
	    .mshr_fails = 1000 * ratio(counter(run, "l1_fail_mshr_entry"), cycles),
	};
}

/* Return the CTAs of the SM that gets the most of them. */
static double ctas_for_sm(const json_t *launch, double sms)
{
	const json_t *grid = json_object_get(json_object_get(launch, "kernel"), "grid"), *size;
	double ctas = 1;
	size_t i;
	json_array_foreach(grid, i, size) ctas *= json_number_value(size);
	return ceil(ctas / sms);
}

/* Return the most warps resident in an SM during the launch with the most instructions. */
static double resident_warps(const struct batch_run *run, double sms)
{
	const json_t *launches = json_object_get(run->result, "launches"), *launch;
	double most = -1, warps = NAN;
	size_t i;
	json_array_foreach(launches, i, launch)
	{
		double insns =
		    json_number_value(json_object_get(json_object_get(launch, "counters"), "warp_insns"));
		if (insns <= most)
			continue;
		most = insns;
		const json_t *limit = json_object_get(launch, "occupancy_limit");
		double fit = json_number_value(json_object_get(limit, "ctas_per_sm"));
		warps = json_number_value(json_object_get(limit, "warps_per_sm"));
		warps *= fmin(1, ratio(ctas_for_sm(launch, sms), fit));
	}
	return warps;
}

static void take_base(struct measure *m)
{
	const struct batch_run *run = &m->run[RULE_GTO];
	struct workload_measured *to = &m->result->measured;
	double accesses = counter(run, "l1_accesses") + counter(run, "l1_stores");
	double global = counter(run, "insns_global_load") + counter(run, "insns_global_store") +
	                counter(run, "insns_atomic");
	to->simulated_insns = counter(run, "warp_insns");
	to->value[FACT_APKI] = 1000 * ratio(accesses, counter(run, "thread_insns"));
	to->value[FACT_MEMORY_INTENSITY] = 1000 * ratio(global, counter(run, "warp_insns"));
	to->resident_warps = resident_warps(run, m->machine->sm_count);
}

/* ---- simulating ---------------------------------------------------------------------------------------------- */

/* Add to L1 the ways that the unused shared memory is worth. */
static void make_larger_l1(const struct measure *m, char change[CHANGE_SIZE])
{
	const struct workload_measured *known = &m->result->measured;
	double used = known->smem_cta_bytes > 0 ? known->ctas_per_sm * known->smem_cta_bytes : 0;
	double way = (double)m->machine->l1d_sets * m->machine->l1d_line_bytes;
	double more = floor(fmax(0, m->machine->smem_bytes - used) / way);
	snprintf(change, CHANGE_SIZE, "l1d.ways=%.0f", fmin(256, m->machine->l1d_ways + more));
}

static bool load_run(struct measure *m, enum rule_run which, struct error *err)
{
	static const char *const policies[RULE_RUNS] = {
	    [RULE_GTO] = "gto",
	    [RULE_CIAO_T] = "ciao-t",
	    [RULE_CIAO_P] = "ciao-p",
	    [RULE_LARGE_L1] = "gto",
	    [RULE_UNBOUNDED_L1] = "unbounded",
	    [RULE_BYPASS] = "bypass-all",
	    [RULE_BYPASS_L1] = "bypass-all:l2=0",
	    [RULE_UNBOUNDED] = "unbounded",
	    [RULE_PRIC] = "pric",
	    [RULE_WHOLE_L1] = "osm-96+128",
	};
	char larger[CHANGE_SIZE];
	const char *change = which == RULE_UNBOUNDED ? UNBOUNDED_L2 : larger;
	if (which == RULE_LARGE_L1)
		make_larger_l1(m, larger);
	return config_load(&m->run[which].config, m->paper->machine, policies[which], &change,
	                   which == RULE_UNBOUNDED || which == RULE_LARGE_L1, err);
}

/* Simulate the runs of the set at once. */
static bool simulate(struct measure *m, const enum rule_run *set, size_t count, struct error *err)
{
	size_t which[RULE_RUNS] = {0};
	for (size_t i = 0; i < count; i++) {
		which[i] = set[i];
		if (!load_run(m, set[i], err))
			return false;
	}
	if (!batch_simulate(&m->batch, m->run, which, count, err))
		return false;
	for (size_t i = 0; i < count; i++)
		take_numbers(m, set[i], &m->run[set[i]]);
	m->result->runs += count;
	return true;
}

/* ---- the best static limit of warps -------------------------------------------------------------------------- */

static bool measure_limits(void *user, const size_t *points, size_t count, struct error *err)
{
	struct measure *m = user;
	m->result->runs += count;
	return batch_simulate(&m->batch, m->limit, points, count, err);
}

static double score_limit(void *user, size_t point)
{
	const struct measure *m = user;
	return ipc_of(&m->limit[point]);
}

/*
 * Load every small limit, and larger ones a third apart: finer than the factor that rules allow. Where a paper finds
 * conflicts in addition to thrashing, a set index removes them first: with conflicts, one warp thrashes as all do.
 */
static bool load_limits(struct measure *m, struct error *err)
{
	const char *class = m->task->published->class;
	const char *index = class && strstr(class, "+conflict") ? "pric," : "";
	uint32_t most = m->machine->sm_warps / m->machine->sm_schedulers;
	for (uint32_t n = 1, last = 0; last < most && m->limits < LIMITS_MAX; m->limits++) {
		char policy[32];
		last = n < most ? n : most;
		m->limit_n[m->limits] = last;
		snprintf(policy, sizeof policy, "%sswl:n=%u", index, last);
		if (!config_load(&m->limit[m->limits].config, m->paper->machine, policy, NULL, 0, err))
			return false;
		n += n / 3 > 1 ? n / 3 : 1;
	}
	return true;
}

static bool find_limit(struct measure *m, struct error *err)
{
	const struct tune_measure how = {.measure = measure_limits, .score = score_limit, .user = m};
	struct workload_measured *to = &m->result->measured;
	size_t best;
	if (!load_limits(m, err) || !tune_search(&how, m->limits, TUNE_EXHAUSTIVE, &best, err))
		return false;
	for (size_t i = 0; i < m->limits; i++)
		to->swl_ipc[m->limit_n[i]] = ipc_of(&m->limit[i]);
	take_numbers(m, RULE_SWL, &m->limit[best]);
	to->schedulers = m->machine->sm_schedulers;
	to->value[FACT_N_WARP] = fmin(m->limit_n[best] * to->schedulers, to->resident_warps);
	return true;
}

/* ---- what is needed for what --------------------------------------------------------------------------------- */

/* Simulate step by step until the class is clear. */
static bool simulate_class(struct measure *m, struct error *err)
{
	static const struct {
		enum workload_paper paper;
		size_t count;
		enum rule_run run[4];
	} steps[] = {
	    {PAPER_CIAO, 4, {RULE_CIAO_T, RULE_CIAO_P, RULE_LARGE_L1, RULE_UNBOUNDED_L1}},
	    {PAPER_KHAIRY, 3, {RULE_BYPASS, RULE_BYPASS_L1, RULE_UNBOUNDED}},
	    {PAPER_KHAIRY, 1, {RULE_PRIC}},
	};
	enum workload_paper paper = m->task->published->paper;
	for (size_t i = 0; i < sizeof steps / sizeof *steps; i++)
		if (steps[i].paper == paper && !rule_class(paper, &m->result->measured) &&
		    !simulate(m, steps[i].run, steps[i].count, err))
			return false;
	return true;
}

/* Measure what L1 gains from the part of the array that shared memory takes. */
static bool simulate_whole_l1(struct measure *m, struct error *err)
{
	static const enum rule_run whole[] = {RULE_WHOLE_L1};
	struct workload_measured *to = &m->result->measured;
	if (!simulate(m, whole, 1, err))
		return false;
	to->value[FACT_L1_GAIN_PERCENT] = 100 * (to->run[RULE_WHOLE_L1].ipc / to->run[RULE_GTO].ipc - 1);
	return true;
}

static bool simulate_all(struct measure *m, struct error *err)
{
	static const enum rule_run base[] = {RULE_GTO};
	uint32_t simulated =
	    1u << FACT_APKI | 1u << FACT_MEMORY_INTENSITY | 1u << FACT_N_WARP | 1u << FACT_L1_GAIN_PERCENT;
	if (m->task->published->paper != PAPER_OSM) /* whose classes are the trace's */
		simulated |= 1u << FACT_CLASS;
	if (!(m->wanted & simulated))
		return true;
	if (!simulate(m, base, 1, err))
		return false;
	take_base(m);
	if (m->result->measured.run[RULE_GTO].ipc <= 0)
		return error_set(err, "no progress on %s under gto", m->paper->machine);
	return (!wants(m, FACT_N_WARP) || find_limit(m, err)) &&
	       (!wants(m, FACT_L1_GAIN_PERCENT) || simulate_whole_l1(m, err)) &&
	       (!wants(m, FACT_CLASS) || simulate_class(m, err));
}

/* Stop where the user wants, or where the paper stopped, which counts thread instructions. */
static uint64_t most_insns(const struct measure *m)
{
	double paper = m->task->published->stops_after_m * 1e6 / m->machine->sm_warp_size;
	bool sooner =
	    m->options->size == WORKLOAD_PAPER && paper >= 1 && paper < (double)m->options->max_insns;
	return sooner ? (uint64_t)paper : m->options->max_insns;
}

static bool measure(struct measure *m, struct error *err)
{
	m->machine = machine_load(m->paper->machine, err);
	if (!m->machine || !record(m, err) || !measure_trace(m->trace, m->machine, &m->result->measured, err))
		return false;
	m->silence = fopen("/dev/null", "we");
	if (!m->silence)
		return error_set(err, "/dev/null cannot be opened");
	m->run_options = (struct run_options){.threads = 1, .max_insns = most_insns(m)};
	m->batch = (struct batch){.trace = m->trace,
	                          .name = m->task->workload->name,
	                          .options = &m->run_options,
	                          .jobs = m->options->jobs,
	                          .again = m->options->again,
	                          .progress = m->silence};
	return simulate_all(m, err);
}

static void free_runs(struct batch_run *runs, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		config_free(&runs[i].config);
		json_decref(runs[i].result);
	}
}

bool measure_workload(const struct measure_task *task, const struct measure_options *options,
                      struct measure_result *result)
{
	struct measure *m = memory_zeroed(1, sizeof *m);
	double start = progress_clock();
	*m = (struct measure){.task = task,
	                      .options = options,
	                      .paper = &workload_papers[task->published->paper],
	                      .wanted = measure_wanted(task, options),
	                      .result = result};
	*result = (struct measure_result){.runs = 0};
	measured_clear(&result->measured);
	result->failed = !measure(m, &result->error);
	struct error lost;
	if (!batch_close(&m->batch, &lost) && !result->failed) {
		result->failed = true;
		result->error = lost;
	}
	result->simulated = m->batch.simulated;
	result->seconds = progress_clock() - start;
	free_runs(m->run, RULE_RUNS);
	free_runs(m->limit, LIMITS_MAX);
	if (m->silence)
		fclose(m->silence);
	if (m->trace)
		trace_close(m->trace);
	if (m->machine)
		machine_free(m->machine);
	free(m);
	return !result->failed;
}
