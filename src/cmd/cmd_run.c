/* sluice run: simulate a trace, or a program that is recorded first; print what happened. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "cmd/cmd.h"
#include "cmd/recording.h"
#include "lab/experiment/run.h"
#include "lab/program/args.h"
#include "lab/program/program.h"
#include "lab/report/json.h"
#include "lab/report/look.h"
#include "lab/report/output.h"
#include "lab/report/progress.h"
#include "lab/report/summary.h"
#include "trace/cache.h"

enum { MAX_THREADS = 256, MAX_QUANTUM = 1024, WARNINGS_SHOWN = 8 };

struct request {
	const char *trace, *machine, *policy, *json, *kernel, *look;
	uint64_t threads, quantum, max_insns;
	bool cold_l2, help;
	struct arg_texts changes;
	struct kernels kernels;
	struct args_split words;
	struct target target;
	struct program_request program;
	struct program_run recording; /* folder empty: a trace is run */
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice run: %s\n", err->text);
	return 2;
}

static void print_help(const struct arg *args, size_t count)
{
	puts("usage: sluice run PROGRAM [WORD...] [OPTION...]\n"
	     "       sluice run TRACE [OPTION...]\n"
	     "\n"
	     "Simulates every launch of PROGRAM, an executable of 'sluice cc', a .cu file or a name of\n"
	     "'sluice workload list' (with --size tiny|small|paper), which is run and recorded unless it\n"
	     "was before; or of TRACE: a .sluice file, an Accel-Sim folder, its kernelslist.g, or one\n"
	     ".traceg[.xz] file, which is imported once and kept in a cache.\n");
	args_print(stdout, args, count);
	puts(
	    "\nBehind PROGRAM these options are ours wherever they stand, all other words are the program's;\n"
	    "-- ends ours: sluice run --policy lrr -- ./app --threads 4.\n"
	    "What the program printed comes first, then a line of dashes, then the summary; with --json -\n"
	    "the JSON takes the summary's place and the program's output goes to standard error.\n"
	    "Exit status: 0 done, 2 bad input, 3 no progress (a report names what every warp waits for),\n"
	    "4 the program itself failed (its recording was simulated all the same).");
}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"--machine", "M", "machine: a name of 'sluice machine list' or a file (h200)",
	     .text = &r->machine},
	    {"--policy", "P", "policies, in order, name[:param=value]...[,...] (gto)", .text = &r->policy},
	    {"--threads", "N", "worker threads; results do not depend on them (1)", .number = &r->threads,
	     .min = 1, .max = MAX_THREADS},
	    {"--kernel", "LIST", "launches to simulate, numbered from 1: 2 or 1,3,5-7 (all)",
	     .text = &r->kernel},
	    {"--max-insns", "N", "stop after N warp instructions, e.g. 500K, 20M (no limit)",
	     .number = &r->max_insns, .min = 1, .max = INT64_MAX},
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output", .text = &r->json},
	    {"--look", "LIST", "see inside, in the JSON: all, or series,matrix,... (docs/looking-inside.md)",
	     .text = &r->look},
	    {"--quantum", "Q", "cycles between two exchanges of SMs and memory (the machine's)",
	     .number = &r->quantum, .min = 1, .max = MAX_QUANTUM},
	    {"--cold-l2", NULL, "empty L2 before every launch, not only the first", .flag = &r->cold_l2},
	    {"--set", "KEY=VALUE", "change a value of the machine, e.g. l1d.ways=8; may be repeated",
	     .texts = &r->changes},
	    RECORDING_ARGS(&r->program),
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct error err;
	*rc = 2;
	args_divide(argc, argv, args, count, recording_is_program, &r->words);
	if (!args_parse(r->words.our_count, r->words.ours, args, count, &r->trace, &err)) {
		fprintf(stderr, "sluice run: %s\nsee 'sluice run --help'\n", err.text);
		return false;
	}
	if (r->help) {
		print_help(args, count);
		*rc = 0;
		return false;
	}
	if (!r->trace) {
		fputs("sluice run: no program and no trace given; see 'sluice run --help'\n", stderr);
		return false;
	}
	if (r->look && !r->json) {
		fputs("sluice run: --look is written to the JSON: give --json FILE, too\n", stderr);
		return false;
	}
	if ((r->kernel && !kernels_parse(&r->kernels, r->kernel, &err)) ||
	    !target_find(&r->target, r->trace, r->words.theirs, r->words.their_count, &err)) {
		fail(&err);
		return false;
	}
	r->trace = r->target.path;
	return true;
}

/* ---- progress -------------------------------------------------------------------------------------------
 */

static void show_import(void *user, uint64_t text_bytes, uint64_t warp_insns)
{
	char detail[96];
	snprintf(detail, sizeof detail, "%.0f MB of text, %.1f M warp instructions",
	         (double)text_bytes * 1e-6, (double)warp_insns * 1e-6);
	progress_show(user, "importing", 0, detail);
}

static void show_run(void *user, unsigned launch, uint64_t warp_insns)
{
	char detail[96];
	snprintf(detail, sizeof detail, "launch %u, %.1f M warp instructions", launch + 1,
	         (double)warp_insns * 1e-6);
	progress_show(user, "simulating", warp_insns, detail);
}

/* ---- the run --------------------------------------------------------------------------------------------
 */

static bool is_to_stdout(const struct request *r)
{
	return r->json && !strcmp(r->json, "-");
}

static FILE *program_output(const struct request *r)
{
	return is_to_stdout(r) ? stderr : stdout;
}

static struct trace *open_recording(struct request *r, struct error *err)
{
	r->program.path = r->trace;
	r->program.machine = r->machine;
	r->program.args = r->target.args;
	r->program.arg_count = r->target.arg_count;
	return recording_open(&r->program, &r->recording, program_output(r), err);
}

static struct trace *open_any(struct request *r, struct error *err)
{
	if (recording_is_program(r->trace))
		return open_recording(r, err);
	struct progress progress = progress_start(stderr, 0);
	struct trace *trace = trace_open_any(r->trace, show_import, &progress, err);
	progress_end(&progress);
	return trace;
}

static struct trace *open_trace(struct request *r, struct error *err)
{
	struct trace *trace = open_any(r, err);
	if (trace && !kernels_check(&r->kernels, trace_kernel_count(trace), err)) {
		trace_close(trace);
		return NULL;
	}
	return trace;
}

static void print_warnings(const struct machine *machine, const struct trace *trace)
{
	struct error texts[WARNINGS_SHOWN];
	size_t count = machine_warn(machine, texts, WARNINGS_SHOWN);
	for (size_t i = 0; i < count && i < WARNINGS_SHOWN; i++)
		fprintf(stderr, "sluice run: warning: %s\n", texts[i].text);
	const char *text;
	for (unsigned i = 0; (text = trace_warning(trace, i)); i++)
		if (i < WARNINGS_SHOWN)
			fprintf(stderr, "sluice run: warning: %s\n", text);
}

/* The last part of the path, which is what the results call the trace. */
static const char *base_name(const char *path, char *buf, size_t size)
{
	size_t end = strlen(path);
	while (end > 1 && path[end - 1] == '/')
		end--;
	size_t start = end;
	while (start && path[start - 1] != '/')
		start--;
	snprintf(buf, size, "%.*s", (int)(end - start), path + start);
	return buf;
}

/* Programs that ask how long kernels took are told, now that it is known; what they print then is shown. */
static bool show_timed_output(const struct request *r, const struct run_facts *facts,
                              const struct run_result *result, struct error *err)
{
	if (!facts->program || !r->recording.reads_times)
		return true;
	if (result->status != LAUNCH_DONE || result->count != r->recording.launches)
		return recording_show(&r->recording, "", program_output(r), err);
	double *seconds = memory_zeroed(result->count + 1, sizeof *seconds);
	for (size_t i = 0; i < result->count; i++)
		seconds[i] = (double)result->launch[i].result.counters.value[COUNT_cycles] /
		             (facts->config->machine->clock_core_mhz * 1e6);
	char stem[64];
	bool ok = program_run_timed(&r->program, &r->recording, seconds, result->count, stem, err) &&
	          recording_show(&r->recording, stem, program_output(r), err);
	free(seconds);
	return ok;
}

static bool write_results(const struct request *r, const struct run_facts *facts,
                          const struct run_result *result, struct error *err)
{
	bool to_stdout = is_to_stdout(r), ok = true;
	if (!show_timed_output(r, facts, result, err))
		return false;
	if (facts->program && !to_stdout)
		recording_print_line(stdout, &r->recording);
	if (!to_stdout)
		summary_print(stdout, facts->config, facts->trace_name, result);
	if (r->json) {
		char *text = json_write_run(facts, result);
		if (to_stdout)
			fputs(text, stdout);
		else
			ok = output_write(r->json, text, strlen(text), err);
		free(text);
	}
	if (fflush(stdout) || ferror(stdout))
		return error_set(err, "cannot write to standard output: %s", strerror(errno));
	return ok;
}

static void print_speed(const struct run_result *result, double seconds)
{
	double insns = (double)result->total.value[COUNT_warp_insns];
	fprintf(stderr, "simulated %.0f warp instructions in %.3f s: %.2f million per second\n", insns,
	        seconds, insns / seconds * 1e-6);
}

static int finish(const struct request *r, const struct run_facts *facts, const struct run_result *result)
{
	struct error err;
	const struct run_launch *last = result->count ? &result->launch[result->count - 1] : NULL;
	if (!write_results(r, facts, result, &err))
		return fail(&err);
	if (result->status != LAUNCH_DEADLOCKED)
		return facts->program && r->recording.exit_status ? RECORDING_FAILED : 0;
	fprintf(stderr, "sluice run: %s", last->result.report);
	return 3;
}

static int simulate(const struct request *r, const struct config *config, const struct look *look,
                    const struct trace *trace)
{
	struct progress progress = progress_start(stderr, run_count_insns(trace, &r->kernels));
	if (r->max_insns && r->max_insns < progress.total)
		progress.total = r->max_insns;
	const struct run_options options = {
	    .threads = (uint32_t)r->threads,
	    .quantum = (uint32_t)r->quantum,
	    .cold_l2 = r->cold_l2,
	    .max_insns = r->max_insns,
	    .kernels = &r->kernels,
	    .look = look,
	    .progress = progress.enabled ? show_run : NULL,
	    .user = &progress,
	};
	char name[256];
	const struct run_program program = {.args = r->program.args,
	                                    .arg_count = r->program.arg_count,
	                                    .exit_status = r->recording.exit_status,
	                                    .signal = r->recording.signal,
	                                    .fault = r->recording.fault};
	const struct run_facts facts = {.trace_name = base_name(r->trace, name, sizeof name),
	                                .config = config,
	                                .options = &options,
	                                .changes = r->changes.text,
	                                .change_count = r->changes.count,
	                                .program = r->recording.folder[0] ? &program : NULL};
	struct run_result result;
	struct error err = {{0}};
	bool ok = run_trace(config, trace, &options, &result, &err);
	progress_end(&progress);
	if (ok)
		print_speed(&result, progress_clock() - progress.start_s);
	int rc = ok ? finish(r, &facts, &result) : fail(&err);
	run_result_free(&result);
	return rc;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	struct config config;
	if (r->json && strcmp(r->json, "-") && !output_check(r->json, &err))
		return fail(&err);
	if (!config_load(&config, r->machine, r->policy, r->changes.text, r->changes.count, &err))
		return fail(&err);
	struct look *look = NULL;
	if (r->look && !(look = look_new(r->look, config.chain, &err))) {
		config_free(&config);
		return fail(&err);
	}
	struct trace *trace = open_trace(r, &err);
	int rc;
	if (trace) {
		print_warnings(config.machine, trace);
		rc = simulate(r, &config, look, trace);
		trace_close(trace);
	} else {
		rc = fail(&err);
	}
	config_free(&config);
	look_free(look);
	return rc;
}

int cmd_run(int argc, char **argv)
{
	struct request r = {.machine = "h200", .policy = "gto", .threads = 1};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	args_split_free(&r.words);
	target_free(&r.target);
	return rc;
}
