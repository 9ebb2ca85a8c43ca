/* sluice run: simulate a trace, print what happened. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cmd/cmd.h"
#include "lab/args.h"
#include "lab/json.h"
#include "lab/output.h"
#include "lab/progress.h"
#include "lab/run.h"
#include "lab/summary.h"
#include "trace/cache.h"

enum { MAX_THREADS = 256, MAX_QUANTUM = 1024, WARNINGS_SHOWN = 8 };

struct request {
	const char *trace, *machine, *policy, *json, *kernel;
	uint64_t threads, quantum, max_insns;
	bool cold_l2, help;
	struct arg_texts changes;
	struct kernels kernels;
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice run: %s\n", err->text);
	return 2;
}

static void print_help(const struct arg *args, size_t count)
{
	puts("usage: sluice run TRACE [OPTION...]\n"
	     "\n"
	     "Simulates every launch of TRACE: a .sluice file, an Accel-Sim folder, its kernelslist.g, or "
	     "one\n"
	     ".traceg[.xz] file. Accel-Sim input is imported once and kept in a cache.\n");
	args_print(stdout, args, count);
	puts("\nThe summary goes to standard output; with --json - the JSON takes its place.\n"
	     "Exit status: 0 done, 2 bad input, 3 no progress (a report names what every warp waits for).");
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
	    {"--quantum", "Q", "cycles between two exchanges of SMs and memory (the machine's)",
	     .number = &r->quantum, .min = 1, .max = MAX_QUANTUM},
	    {"--cold-l2", NULL, "empty L2 before every launch, not only the first", .flag = &r->cold_l2},
	    {"--set", "KEY=VALUE", "change a value of the machine, e.g. l1d.ways=8; may be repeated",
	     .texts = &r->changes},
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct error err;
	*rc = 2;
	if (!args_parse(argc, argv, args, count, &r->trace, &err)) {
		fprintf(stderr, "sluice run: %s\nsee 'sluice run --help'\n", err.text);
		return false;
	}
	if (r->help) {
		print_help(args, count);
		*rc = 0;
		return false;
	}
	if (!r->trace) {
		fputs("sluice run: no trace given; see 'sluice run --help'\n", stderr);
		return false;
	}
	if (r->kernel && !kernels_parse(&r->kernels, r->kernel, &err)) {
		fail(&err);
		return false;
	}
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

static struct trace *open_trace(const struct request *r, struct error *err)
{
	struct progress progress = progress_start(stderr, 0);
	struct trace *trace = trace_open_any(r->trace, show_import, &progress, err);
	progress_end(&progress);
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

static bool write_results(const struct request *r, const struct run_facts *facts,
                          const struct run_result *result, struct error *err)
{
	bool to_stdout = r->json && !strcmp(r->json, "-"), ok = true;
	if (!to_stdout)
		summary_print(stdout, facts->rig, facts->trace_name, result);
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
	if (result->status != LAUNCH_WEDGED)
		return 0;
	fprintf(stderr, "sluice run: %s", last->result.report);
	return 3;
}

static int simulate(const struct request *r, const struct rig *rig, const struct trace *trace)
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
	    .progress = progress.enabled ? show_run : NULL,
	    .user = &progress,
	};
	char name[256];
	const struct run_facts facts = {.trace_name = base_name(r->trace, name, sizeof name),
	                                .rig = rig,
	                                .options = &options,
	                                .changes = r->changes.text,
	                                .change_count = r->changes.count};
	struct run_result result;
	struct error err = {{0}};
	bool ok = run_trace(rig, trace, &options, &result, &err);
	progress_end(&progress);
	if (ok)
		print_speed(&result, progress_clock() - progress.start_s);
	int rc = ok ? finish(r, &facts, &result) : fail(&err);
	run_result_free(&result);
	return rc;
}

int cmd_run(int argc, char **argv)
{
	struct request r = {.machine = "h200", .policy = "gto", .threads = 1};
	struct error err = {{0}};
	struct rig rig;
	int rc;
	if (!parse(&r, argc, argv, &rc))
		return rc;
	if (r.json && strcmp(r.json, "-") && !output_check(r.json, &err))
		return fail(&err);
	if (!rig_load(&rig, r.machine, r.policy, r.changes.text, r.changes.count, &err))
		return fail(&err);
	struct trace *trace = open_trace(&r, &err);
	if (trace) {
		print_warnings(rig.machine, trace);
		rc = simulate(&r, &rig, trace);
		trace_close(trace);
	} else {
		rc = fail(&err);
	}
	rig_free(&rig);
	return rc;
}
