/*
 * Running programs and collecting what to compare: traces, or the workloads that workloads.tsv names, which are recorded at
 * size small and of which the launches that have a row are simulated.
 */
#include "study/validate/validate.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "accelsim/accelsim.h"
#include "base/memory.h"
#include "base/suggest.h"
#include "record/program.h"
#include "run/pool.h"
#include "workload/target.h"

/* Counters that the trace and the coalescing rules decide, whatever the timing. */
static const enum counter exact_counters[] = {
    COUNT_warp_insns,        COUNT_insns_global_load,  COUNT_insns_global_store,
    COUNT_insns_shared_load, COUNT_insns_shared_store, COUNT_l1_load_requests,
    COUNT_l1_load_sectors,   COUNT_l1_store_requests,  COUNT_l1_store_sectors,
};

/* In small launches, instruction and parameter fetches outweigh the traffic of the kernel: larger ones are summed apart. */
static const double LARGE_SECTORS = 20000, SECTOR_BYTES = 32;

static bool is_exact(int counter)
{
	for (size_t i = 0; i < sizeof exact_counters / sizeof *exact_counters; i++)
		if (exact_counters[i] == (enum counter)counter)
			return true;
	return false;
}

/* Return the value above which a launch counts as large; 0: no distinction. */
static double large_from(int counter)
{
	if (!strncmp(counter_infos[counter].name, "l2_", 3))
		return LARGE_SECTORS;
	return strncmp(counter_infos[counter].name, "dram_", 5) ? 0 : LARGE_SECTORS * SECTOR_BYTES;
}

/* Rates come from two columns of counters, or from a column of their own. */
static bool has_metric(const struct hardware *hardware, enum metric metric)
{
	const bool *has = hardware->has_counter;
	switch (metric) {
	case METRIC_l1_load_hit_rate:
		return has[COUNT_l1_load_hit_sectors] && has[COUNT_l1_load_sectors];
	case METRIC_l2_read_hit_rate:
		return has[COUNT_l2_read_hit_sectors] && has[COUNT_l2_read_sectors];
	default:
		return hardware->has_metric[metric];
	}
}

static void add_counter(struct validation *v, int counter)
{
	struct measure measure = {.info = &counter_infos[counter],
	                          .kind = is_exact(counter) && !v->recorded ? MEASURE_EXACT : MEASURE_PERCENT,
	                          .counter = counter,
	                          .metric = -1};
	v->measure[v->measures++] = measure;
	measure.over = large_from(counter);
	if (measure.over > 0)
		v->measure[v->measures++] = measure;
}

static void choose_measures(struct validation *v)
{
	v->left_out = memory_zeroed(v->hardware.count + 1, sizeof *v->left_out);
	for (int i = 0; i < COUNTER_COUNT; i++)
		if (v->hardware.has_counter[i])
			add_counter(v, i);
	for (int i = 0; i < METRIC_COUNT; i++)
		if (has_metric(&v->hardware, (enum metric)i))
			v->measure[v->measures++] = (struct measure){
			    .info = &metric_infos[i],
			    .kind = strcmp(metric_infos[i].unit, "%") ? MEASURE_PERCENT : MEASURE_POINTS,
			    .counter = -1,
			    .metric = i};
}

/* ---- opening ------------------------------------------------------------------------------------------ */

static bool has_workloads(const char *dir, char path[PATH_MAX])
{
	struct stat st;
	return (size_t)snprintf(path, PATH_MAX, "%s/workloads.tsv", dir) < PATH_MAX && !stat(path, &st);
}

static bool list_workloads(struct validation *v, const char *only, struct error *err)
{
	struct programs all = {0};
	v->recorded = true;
	for (size_t i = 0; i < v->hardware.count; i++)
		programs_add(&all, v->hardware.row[i].program, "");
	if (!programs_finish(&all, v->hardware.path, only, err))
		return false;
	v->programs = all;
	return true;
}

static bool check_overlap(const struct validation *v, const char *dir, struct error *err)
{
	for (size_t i = 0; i < v->programs.count; i++)
		for (size_t k = 0; k < v->hardware.count; k++)
			if (!strcmp(v->programs.program[i].name, v->hardware.row[k].program))
				return true;
	return error_set(err, "%s: no row is about a program of %s/traces", v->hardware.path, dir);
}

bool validate_open(struct validation *v, const char *dir, const char *only, struct error *err)
{
	char path[PATH_MAX];
	memset(v, 0, sizeof *v);
	if (has_workloads(dir, path)) {
		if (hardware_load(&v->hardware, path, err) && list_workloads(v, only, err)) {
			choose_measures(v);
			return true;
		}
		validate_free(v);
		return false;
	}
	snprintf(path, sizeof path, "%s/traces", dir);
	if (!programs_list(&v->programs, path, only, err))
		return false;
	snprintf(path, sizeof path, "%s/counters.tsv", dir);
	if (hardware_load(&v->hardware, path, err) && check_overlap(v, dir, err)) {
		choose_measures(v);
		return true;
	}
	validate_free(v);
	return false;
}

void validate_free(struct validation *v)
{
	for (size_t i = 0; i < v->launches; i++)
		free(v->launch[i].kernel);
	for (size_t i = 0; i < v->mismatches; i++)
		free(v->mismatch[i]);
	free(v->mismatch);
	free(v->left_out);
	free(v->launch);
	free(v->report);
	programs_free(&v->programs);
	hardware_free(&v->hardware);
	memset(v, 0, sizeof *v);
}

/* ---- recording workloads ---------------------------------------------------------------------------------- */

/* Record the workload at size small, unless a recording exists. */
static bool record(struct program *program, const struct workloads *workloads, const char *machine,
                   struct error *err)
{
	struct target target;
	struct program_run run;
	char path[PATH_MAX], *words[] = {"--size", "small"};
	if (!target_find_workload(&target, workloads, program->name, words, 2, err))
		return false;
	const struct program_request request = {
	    .path = target.path, .args = target.args, .arg_count = target.arg_count, .machine = machine};
	bool ok = program_record(&request, &run, err);
	if (ok && run.exit_status)
		ok = error_set(err, "workload %s ended with status %d", program->name, run.exit_status);
	else if (ok && run.fault[0])
		ok = error_set(err, "workload %s: a launch ended early: %s", program->name, run.fault);
	if (ok) {
		free(program->path);
		program->path = memory_text(program_file(&run, "trace.sluice", path));
	}
	target_free(&target);
	return ok;
}

bool validate_record(struct validation *v, const char *machine,
                     void (*progress)(void *user, const char *program), void *user, struct error *err)
{
	struct workloads workloads;
	if (!v->recorded)
		return true;
	if (!workloads_load(&workloads, err))
		return false;
	bool ok = true;
	for (size_t i = 0; ok && i < v->programs.count; i++) {
		if (progress)
			progress(user, v->programs.program[i].name);
		ok = record(&v->programs.program[i], &workloads, machine, err);
	}
	workloads_free(&workloads);
	return ok;
}

/* ---- rows and launches that belong together -------------------------------------------------------------- */

/* Return the launch of a traced kernel, from 0: by its number, because folders may have gaps. */
static uint32_t launch_of(const struct trace_kernel *kernel)
{
	return kernel->id - 1;
}

/* Return the row of a kernel, or NULL if there is none or it is left out. */
static const struct hardware_row *row_of(const struct validation *v, size_t program,
                                         const struct trace_kernel *kernel)
{
	const struct hardware_row *row =
	    hardware_find(&v->hardware, v->programs.program[program].name, launch_of(kernel));
	return row && !v->left_out[row - v->hardware.row] ? row : NULL;
}

/* Return the places of the launches that have a row; a few more if there are too many gaps. *any: whether there are some. */
static struct kernels launches_of(const struct validation *v, size_t program, const struct trace *trace,
                                  bool *any)
{
	struct kernels kernels = {0};
	for (unsigned k = 0; k < trace_kernel_count(trace); k++) {
		uint64_t number = k + UINT64_C(1);
		if (!row_of(v, program, trace_kernel_at(trace, k)))
			continue;
		size_t last = kernels.count - 1;
		if (kernels.count &&
		    (kernels.range[last].last + 1 == number || kernels.count == KERNELS_MAX_RANGES)) {
			kernels.range[last].last = number;
			continue;
		}
		kernels.range[kernels.count].first = kernels.range[kernels.count].last = number;
		kernels.count++;
	}
	*any = kernels.count > 0;
	return kernels;
}

static bool same_dim(const struct trace_dim *a, const struct trace_dim *b)
{
	return a->x == b->x && a->y == b->y && a->z == b->z;
}

/* The profiler's name without namespace, template arguments and parameters is part of the mangled one. */
static bool same_kernel(const char *traced, const char *profiled)
{
	char name[256];
	snprintf(name, sizeof name, "%.*s", (int)strcspn(profiled, "<("), profiled);
	const char *last = strrchr(name, ':');
	return strstr(traced, last ? last + 1 : name);
}

static bool check_row(const struct validation *v, const struct hardware_row *row,
                      const struct trace_kernel *kernel, struct error *err)
{
	char here[CLIP_SIZE], there[CLIP_SIZE];
	const char *path = v->hardware.path;
	if (!same_kernel(kernel->name, row->kernel))
		return error_at(err, path, row->line, 0, "launch %u of %s is '%s' here and '%s' in the trace",
		                row->launch, row->program, clip_text(here, row->kernel),
		                clip_text(there, kernel->name));
	if (row->has_dims && (!same_dim(&row->grid, &kernel->grid) || !same_dim(&row->block, &kernel->block)))
		return error_at(err, path, row->line, 0,
		                "launch %u of %s has another grid or block here than in the trace",
		                row->launch, row->program);
	return true;
}

/* Refuse a kernel whose number is 0 or occurs twice: its launch is ambiguous. */
static bool check_number(const char *path, const struct trace *trace, unsigned k, struct error *err)
{
	uint32_t id = trace_kernel_at(trace, k)->id;
	if (!id)
		return error_set(err, "%s: kernel %u of the list has number 0; launches are numbered from 1",
		                 path, k + 1);
	for (unsigned i = 0; i < k; i++)
		if (trace_kernel_at(trace, i)->id == id)
			return error_set(
			    err,
			    "%s: kernels %u and %u of the list both have number %u: which of them is "
			    "launch %u of the counters?",
			    path, i + 1, k + 1, id, id - 1);
	return true;
}

static bool check_trace(struct validation *v, const struct program *program, const struct trace *trace,
                        struct error *err)
{
	for (unsigned k = 0; k < trace_kernel_count(trace); k++) {
		const struct trace_kernel *kernel = trace_kernel_at(trace, k);
		if (!check_number(program->path, trace, k, err))
			return false;
		const struct hardware_row *row =
		    hardware_find(&v->hardware, program->name, launch_of(kernel));
		if (!row || check_row(v, row, kernel, err))
			continue;
		if (!v->skips_mismatch)
			return false;
		v->left_out[row - v->hardware.row] = true;
		v->mismatch = memory_grow(v->mismatch, v->mismatches + 1, sizeof *v->mismatch);
		v->mismatch[v->mismatches++] = memory_text(err->text);
	}
	return accelsim_numbers_agree(program->path, trace, err);
}

bool validate_prepare(struct validation *v, const char *window, accelsim_progress progress, void *user,
                      uint64_t *warp_insns, struct error *err)
{
	*warp_insns = 0;
	for (size_t i = 0; i < v->programs.count; i++) {
		const struct program *program = &v->programs.program[i];
		struct trace *trace = trace_open_any(program->path, progress, user, err);
		if (!trace)
			return false;
		bool any, ok = check_trace(v, program, trace, err);
		struct kernels kernels = launches_of(v, i, trace, &any);
		if (ok && any)
			*warp_insns += run_count_chosen(
			    trace, &(struct run_options){.kernels = &kernels, .window = window});
		trace_close(trace);
		if (!ok)
			return false;
	}
	return true;
}

static double hardware_value(const struct hardware *hardware, const struct hardware_row *row,
                             const struct measure *measure, const struct machine *machine)
{
	if (measure->counter >= 0)
		return (double)row->counters.value[measure->counter];
	if (hardware->has_metric[measure->metric])
		return row->metric[measure->metric];
	return metric_value((enum metric)measure->metric, &row->counters, machine);
}

static void fill_values(const struct validation *v, struct validate_launch *launch,
                        const struct counters *counters, const struct hardware_row *row,
                        const struct machine *machine)
{
	for (size_t m = 0; m < v->measures; m++) {
		const struct measure *measure = &v->measure[m];
		launch->sim[m] = measure->counter >= 0
		                     ? (double)counters->value[measure->counter]
		                     : metric_value((enum metric)measure->metric, counters, machine);
		launch->hw[m] = row ? hardware_value(&v->hardware, row, measure, machine) : NAN;
	}
}

/* What a launch leaves, also to another process: two texts follow. */
struct ended_launch {
	uint32_t launch; /* from 0 */
	struct trace_dim grid, block;
	enum launch_status status;
	struct counters counters;
	size_t name_bytes, report_bytes; /* with their NULs; report_bytes 0: none */
};

static struct ended_launch end_of(const struct run_launch *run)
{
	return (struct ended_launch){.launch = launch_of(run->kernel),
	                             .grid = run->kernel->grid,
	                             .block = run->kernel->block,
	                             .status = run->result.status,
	                             .counters = run->result.counters,
	                             .name_bytes = strlen(run->kernel->name) + 1,
	                             .report_bytes = run->result.report ? strlen(run->result.report) + 1 : 0};
}

static void add_launch(struct validation *v, size_t program, const struct ended_launch *end,
                       const char *kernel, const char *report, const struct machine *machine)
{
	const char *name = v->programs.program[program].name;
	const struct hardware_row *row = hardware_find(&v->hardware, name, end->launch);
	if (row && v->left_out[row - v->hardware.row])
		row = NULL;
	v->launch = memory_grow(v->launch, v->launches + 1, sizeof *v->launch);
	struct validate_launch *launch = &v->launch[v->launches++];
	*launch = (struct validate_launch){
	    .program = program,
	    .group = strncmp(name, "probe.", 6) ? GROUP_APPLICATIONS : GROUP_PROBE,
	    .launch = end->launch,
	    .kernel = memory_text(row ? row->kernel : kernel),
	    .grid = end->grid,
	    .block = end->block,
	    .status = end->status,
	    .compared = row && end->status == LAUNCH_DONE,
	    .counters = end->counters,
	};
	v->compared += launch->compared;
	v->rows_without_trace -= row != NULL;
	fill_values(v, launch, &end->counters, row, machine);
	if (report && !v->report)
		v->report = memory_text(report);
}

/* ---- running ---------------------------------------------------------------------------------------------- */

struct running {
	struct validation *v;
	const struct config *config;
	const struct validate_options *options;
	size_t next;
	uint64_t before; /* warp instructions of the programs that ended */
	struct {
		char *bytes;
		size_t count;
	} * output; /* of each program, when processes share the work */
};

/* Turns the progress of one program into that of all. */
struct relay {
	const struct running *running;
	const char *program;
};

static bool relay_progress(void *user, unsigned launch, uint64_t warp_insns)
{
	const struct relay *relay = user;
	const struct validate_options *options = relay->running->options;
	(void)launch;
	options->progress(options->user, relay->program, relay->running->before + warp_insns);
	return true;
}

/* Simulate the launches of a program that have a row. */
static bool run_program(const struct running *r, size_t program, struct trace **trace,
                        struct run_result *result, struct error *err)
{
	const struct validate_options *options = r->options;
	struct relay relay = {.running = r, .program = r->v->programs.program[program].name};
	bool any;
	*trace = trace_open_any(r->v->programs.program[program].path, NULL, NULL, err);
	if (!*trace)
		return false;
	struct kernels kernels = launches_of(r->v, program, *trace, &any);
	const struct run_options run_options = {
	    .threads = options->threads,
	    .kernels = &kernels,
	    .window = options->window,
	    .cold_l2 = true,
	    .progress = options->progress ? relay_progress : NULL,
	    .user = &relay,
	};
	return !any || run_trace(r->config, *trace, &run_options, result, err);
}

static bool run_here(struct running *r, size_t program, struct error *err)
{
	struct run_result result = {0};
	struct trace *trace = NULL;
	bool ok = run_program(r, program, &trace, &result, err);
	for (size_t i = 0; ok && i < result.count; i++) {
		const struct ended_launch end = end_of(&result.launch[i]);
		add_launch(r->v, program, &end, result.launch[i].kernel->name, result.launch[i].result.report,
		           r->config->machine);
	}
	r->before += result.total.value[COUNT_warp_insns];
	run_result_free(&result);
	if (trace)
		trace_close(trace);
	return ok;
}

/* ---- in several processes --------------------------------------------------------------------------------- */

static bool next_program(void *user, size_t *program)
{
	struct running *r = user;
	*program = r->next;
	return r->next++ < r->v->programs.count;
}

static bool run_apart(void *user, size_t program, FILE *out)
{
	struct running r = *(struct running *)user;
	struct validate_options silent = *r.options;
	struct run_result result = {0};
	struct trace *trace = NULL;
	struct error err = {{0}};
	silent.progress = NULL;
	r.options = &silent;
	if (!run_program(&r, program, &trace, &result, &err)) {
		fputs(err.text, out);
		return false;
	}
	for (size_t i = 0; i < result.count; i++) {
		const struct ended_launch end = end_of(&result.launch[i]);
		fwrite(&end, sizeof end, 1, out);
		fwrite(result.launch[i].kernel->name, 1, end.name_bytes, out);
		fwrite(result.launch[i].result.report, 1, end.report_bytes, out);
	}
	run_result_free(&result);
	trace_close(trace);
	return true;
}

static bool keep_output(void *user, size_t program, const struct pool_end *end, struct error *err)
{
	struct running *r = user;
	char text[1024];
	const char *name = r->v->programs.program[program].name;
	if (!end->ok)
		return error_set(err, "%s: %.900s", name, pool_describe(end, text, sizeof text));
	r->output[program].bytes = memory_grow(NULL, end->bytes + 1, 1);
	memcpy(r->output[program].bytes, end->output, end->bytes);
	r->output[program].count = end->bytes;
	if (!r->options->progress)
		return true;
	struct ended_launch launch;
	for (size_t at = 0; at < end->bytes; at += sizeof launch + launch.name_bytes + launch.report_bytes) {
		memcpy(&launch, end->output + at, sizeof launch);
		r->before += launch.counters.value[COUNT_warp_insns];
	}
	r->options->progress(r->options->user, name, r->before);
	return true;
}

/* Add what a process left, in the order of programs, so that results do not depend on how many there were. */
static void take_output(struct running *r, size_t program)
{
	const char *bytes = r->output[program].bytes;
	struct ended_launch end;
	for (size_t at = 0; at < r->output[program].count; at += end.name_bytes + end.report_bytes) {
		memcpy(&end, bytes + at, sizeof end);
		at += sizeof end;
		add_launch(r->v, program, &end, bytes + at,
		           end.report_bytes ? bytes + at + end.name_bytes : NULL, r->config->machine);
	}
}

static bool run_all_apart(struct running *r, struct error *err)
{
	struct pool pool = {.jobs = r->options->jobs,
	                    .next = next_program,
	                    .work = run_apart,
	                    .done = keep_output,
	                    .user = r};
	r->output = memory_zeroed(r->v->programs.count + 1, sizeof *r->output);
	bool ok = pool_run(&pool, err);
	for (size_t i = 0; i < r->v->programs.count; i++) {
		if (ok)
			take_output(r, i);
		free(r->output[i].bytes);
	}
	free(r->output);
	return ok;
}

bool validate_run(struct validation *v, const struct config *config, const struct validate_options *options,
                  struct error *err)
{
	struct running r = {.v = v, .config = config, .options = options};
	v->rows_without_trace = v->hardware.count;
	if (options->jobs > 1)
		return run_all_apart(&r, err);
	for (size_t i = 0; i < v->programs.count; i++)
		if (!run_here(&r, i, err))
			return false;
	return true;
}
