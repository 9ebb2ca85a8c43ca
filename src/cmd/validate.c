/* sluice validate: compares simulated counters with those of a real GPU. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/output.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/page.h"
#include "study/validate/report.h"
#include "study/validate/validate.h"

static const struct command command = {
    .name = "validate",
    .operand = "folder",
    .usage =
        "usage: sluice validate DIR [OPTION...]\n"
        "\n"
        "Simulates every program in DIR/traces (Accel-Sim folders or .sluice files), each launch with cold caches, and\n"
        "compares the counters with those in DIR/counters.tsv. That file is tab-separated and has one row per launch:\n"
        "the program, the launch counted from 0, the kernel, then Nsight Compute counters by name. If DIR holds\n"
        "workloads.tsv, the programs are workloads ('sluice workload list'), which are recorded at size small. Only\n"
        "launches that have a row are simulated. The first table has the error of each program in cycles: the mean\n"
        "over its launches, the 90th percentile (P90) and the worst; below it are the same over all programs.\n",
    .footer = "The tables go to standard output. With --json -, the JSON replaces them.\n"
              "Exit status: 0 done, 2 bad input, 3 some launch made no progress.\n",
};

enum { MAX_JOBS = 1024 };

struct request {
	const char *dir, *machine, *policy, *json, *html, *programs;
	uint64_t threads, jobs, memory;
	bool help, skips_mismatch;
	struct arg_texts changes;
	struct window_options launches;
	char *window;
};

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    CONFIG_ARGS(r->machine, r->policy),
	    THREADS_ARG(r->threads),
	    MEMORY_ARG(r->memory),
	    {"--jobs", "N", "programs at once, each in a process of its own (1)", .number = &r->jobs,
	     .min = 1, .max = MAX_JOBS},
	    {"--skip-mismatch", NULL, "list and leave out rows whose launch is another kernel in the trace",
	     .flag = &r->skips_mismatch},
	    {"--programs", "A,B", "only these programs", .text = &r->programs},
	    {"--launches", "LIST", "only these launches of each program, counted from 1: 5-8 or 1,3,7- (all)",
	     .text = &r->launches.launches},
	    {"--launch-skip", "N", "leave out the first N launches of each program that match (0)",
	     .number = &r->launches.skip, .min = 0, .max = UINT32_MAX},
	    {"--launch-count", "N", "at most N launches of each program that match (no limit)",
	     .number = &r->launches.count, .min = 1, .max = UINT32_MAX},
	    {"--kernel-name", "REGEX", "only kernels whose name, demangled or mangled, matches (all)",
	     .text = &r->launches.kernel_name},
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output", .text = &r->json},
	    {"--html", "FILE", "write a page with charts that opens without a network", .text = &r->html},
	    {"--set", "KEY=VALUE", "change a value of the machine, e.g. l1d.ways=8; may be repeated",
	     .texts = &r->changes},
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	if (!command_parse(&command, argc, argv, args, sizeof args / sizeof *args, &r->help, &r->dir, rc))
		return false;
	*rc = 2;
	struct error err;
	if (!(r->window = window_text(&r->launches, &err)))
		return command_refuse(&command, err.text);
	return r->dir || command_refuse(&command, "no folder given");
}

static void show_recording(void *user, const char *program)
{
	progress_show(user, "recording", 0, program);
}

static void show_run(void *user, const char *program, uint64_t warp_insns)
{
	progress_show(user, "simulating", warp_insns, program);
}

/* ---- the work -------------------------------------------------------------------------------------------
 */

static bool write_page(const char *path, const char *json, struct error *err)
{
	char *page = page_write(PAGE_VALIDATE, json);
	bool ok = output_write(path, page, strlen(page), err);
	free(page);
	return ok;
}

static bool write_results(const struct request *r, const struct config *config,
                          const struct validation *validation, struct error *err)
{
	const struct validate_facts facts = {
	    .config = config, .changes = r->changes.text, .change_count = r->changes.count};
	char *json = r->json || r->html ? json_write_validation(&facts, validation) : NULL;
	if (!command_is_stdout(r->json))
		validate_print(stdout, config, validation);
	bool ok = (!r->html || write_page(r->html, json, err)) && command_write(r->json, json, err) &&
	          command_flush(err);
	free(json);
	return ok;
}

/* Before the work, and again when all inputs are open. */
static bool check_outputs(const struct request *r, struct error *err)
{
	return command_check_output(r->json, err) && (!r->html || output_check(r->html, err));
}

static int simulate(const struct request *r, const struct config *config, struct validation *validation)
{
	struct error err = {{0}};
	uint64_t warp_insns;
	validation->skips_mismatch = r->skips_mismatch;
	struct progress importing = progress_start(stderr, 0);
	bool ok =
	    validate_record(validation, r->machine, show_recording, &importing, &err) &&
	    validate_prepare(validation, r->window, command_show_import, &importing, &warp_insns, &err) &&
	    check_outputs(r, &err);
	progress_end(&importing);
	if (!ok)
		return command_fail(command.name, &err);
	command_limit_memory(r->memory);
	struct progress progress = progress_start(stderr, warp_insns);
	const struct validate_options options = {
	    .threads = (uint32_t)r->threads,
	    .jobs = (size_t)r->jobs,
	    .window = r->window,
	    .progress = progress.enabled ? show_run : NULL,
	    .user = &progress,
	};
	ok = validate_run(validation, config, &options, &err);
	progress_end(&progress);
	if (ok && !validation->launches)
		ok = error_set(&err, "%s: no row of the table names a launch that is made here", r->dir);
	if (!ok || !write_results(r, config, validation, &err))
		return command_fail(command.name, &err);
	fprintf(stderr, "simulated %zu launches in %.1f s\n", validation->launches,
	        progress_clock() - progress.start_s);
	if (!validation->report)
		return 0;
	fprintf(stderr, "sluice validate: %s", validation->report);
	return 3;
}

int cmd_validate(int argc, char **argv)
{
	struct request r = {.machine = "h200", .policy = "gto", .threads = 1, .jobs = 1};
	struct error err = {{0}};
	struct config config;
	struct validation validation;
	int rc;
	if (!parse(&r, argc, argv, &rc)) {
		free(r.window);
		return rc;
	}
	bool same = r.json && r.html && !strcmp(r.json, r.html);
	if (same)
		error_set(&err, "%s: --json and --html name the same file", r.json);
	if (same || !check_outputs(&r, &err) ||
	    !config_load(&config, r.machine, r.policy, r.changes.text, r.changes.count, &err)) {
		free(r.window);
		return command_fail(command.name, &err);
	}
	if (validate_open(&validation, r.dir, r.programs, &err)) {
		rc = simulate(&r, &config, &validation);
		validate_free(&validation);
	} else {
		rc = command_fail(command.name, &err);
	}
	config_free(&config);
	free(r.window);
	return rc;
}
