/* sluice run: simulates a trace, or a program, which it records first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/memory.h"
#include "base/progress.h"
#include "cli/command.h"
#include "cmd/cmd.h"
#include "report/formats.h"
#include "report/run_json.h"
#include "report/run_page.h"
#include "report/summary.h"
#include "run/look.h"
#include "run/run.h"

enum { MAX_QUANTUM = 1024 };

static const struct command command = {
    .name = "run",
    .operand = "program or trace",
    .usage =
        "usage: sluice run PROGRAM [--size tiny|small|paper] [WORD...] [OPTION...]\n"
        "       sluice run TRACE [OPTION...]\n"
        "\n"
        "Simulates every launch of PROGRAM or TRACE. PROGRAM is an executable made by 'sluice cc', a .cu file, a\n"
        ".ptx file (docs/ptx.md), or a name from 'sluice workload list' (only those take --size). It is run and\n"
        "recorded, unless a recording exists. TRACE is a .sluice file, an Accel-Sim folder, its kernelslist.g, or one\n"
        ".traceg[.xz] or .tracez file. It is imported once and kept in the cache.\n"
        "\n"
        "    sluice run atax --size tiny --policy ciao-c\n",
    .footer =
        "The options above belong to sluice, also after PROGRAM. All other words after PROGRAM are passed to the\n"
        "program. After -- every word belongs to the program: sluice run --policy lrr -- ./app --threads 4.\n"
        "The output of the program comes first, then a line of dashes, then the summary. With --json -, the JSON\n"
        "replaces the summary, and the output of the program goes to standard error.\n"
        "A trace is never executed. A file that does not link the runtime of sluice is executed only with --program.\n"
        "Exit status: 0 done, 2 bad input, 3 no progress (a report says what every warp waits for), 4 the program\n"
        "itself failed or one of its launches ended early (the recording was simulated nevertheless).\n",
};

struct request {
	const char *machine, *policy, *json, *html, *csv, *perfetto, *stats, *kernel, *look;
	uint64_t memory, threads, quantum, max_insns;
	bool cold_l2, nsight, help;
	struct arg_texts changes;
	struct kernels kernels;
	struct input input;
};

/* Files that a run may write. */
struct output {
	const char *option, *path;
};
#define OUTPUTS(r)                                                                                           \
	{                                                                                                    \
		{"--json", (r)->json}, {"--html", (r)->html}, {"--csv", (r)->csv},                           \
		    {"--perfetto", (r)->perfetto},                                                           \
		{                                                                                            \
			"--stats", (r)->stats                                                                \
		}                                                                                            \
	}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    CONFIG_ARGS(r->machine, r->policy),
	    THREADS_ARG(r->threads),
	    MEMORY_ARG(r->memory),
	    {"--kernel", "LIST", "launches to simulate, numbered from 1: 2 or 1,3,5-7 (all)",
	     .text = &r->kernel},
	    {"--max-insns", "N",
	     "stop after N warp instructions, e.g. 500K, 20M; a program is recorded so far (no limit)",
	     .number = &r->max_insns, .min = 1, .max = INT64_MAX},
	    {"--json", "FILE", "write everything to FILE as JSON; - for standard output", .text = &r->json},
	    {"--html", "FILE",
	     "write a page with charts that opens without a network (docs/looking-inside.md)",
	     .text = &r->html},
	    {"--csv", "FILE", "write a row of counters and metrics per launch as CSV", .text = &r->csv},
	    {"--nsight", NULL, "--csv has the counters and column names of Nsight Compute",
	     .flag = &r->nsight},
	    {"--perfetto", "FILE",
	     "write SMs, CTAs, stalls and DRAM over time as a trace for ui.perfetto.dev",
	     .text = &r->perfetto},
	    {"--stats", "FILE", "write statistics in the form of GPGPU-Sim", .text = &r->stats},
	    {"--look", "LOOKS",
	     "add observations to the JSON: all, or series,matrix,... (docs/looking-inside.md)",
	     .text = &r->look},
	    {"--quantum", "Q",
	     "cycles between two exchanges of requests between SMs and memory (from the machine)",
	     .number = &r->quantum, .min = 1, .max = MAX_QUANTUM},
	    {"--cold-l2", NULL, "empty L2 before every launch, not only the first", .flag = &r->cold_l2},
	    {"--set", "KEY=VALUE", "change a value of the machine, e.g. l1d.ways=8; may be repeated",
	     .texts = &r->changes},
	    RECORDING_ARGS(&r->input.program),
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	struct error err;
	if (!input_parse(&r->input, &command, argc, argv, args, sizeof args / sizeof *args, &r->help, rc))
		return false;
	*rc = 2;
	if (r->look && !r->json)
		return command_refuse(&command, "--look is written to the JSON: add --json FILE");
	const struct output outputs[] = OUTPUTS(r);
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		for (size_t k = 0; k < i; k++)
			if (outputs[i].path && outputs[k].path && !strcmp(outputs[i].path, outputs[k].path)) {
				char text[96];
				snprintf(text, sizeof text, "%s and %s name the same file", outputs[k].option,
				         outputs[i].option);
				return command_refuse(&command, text);
			}
	if (r->nsight && !r->csv)
		return command_refuse(&command, "--nsight is about --csv: add --csv FILE");
	if (r->kernel && !kernels_parse(&r->kernels, "--kernel", r->kernel, &err)) {
		command_fail(command.name, &err);
		return false;
	}
	return input_check_window(&r->input, r->kernel, r->max_insns, &err) ||
	       command_refuse(&command, err.text);
}

static bool show_run(void *user, unsigned launch, uint64_t warp_insns)
{
	char detail[96];
	snprintf(detail, sizeof detail, "launch %u, %.1f M warp instructions", launch + 1,
	         (double)warp_insns * 1e-6);
	progress_show(user, "simulating", warp_insns, detail);
	return true;
}

/* ---- the run --------------------------------------------------------------------------------------------
 */

static FILE *program_output(const struct request *r)
{
	const struct output outputs[] = OUTPUTS(r);
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		if (command_is_stdout(outputs[i].path))
			return stderr;
	return stdout;
}

/* Run programs that measure the time of kernels again with the simulated times, and show what they print then. */
static bool show_timed_output(const struct request *r, const struct run_facts *facts,
                              const struct run_result *result, struct error *err)
{
	if (!facts->program || !r->input.recording.reads_times)
		return true;
	if (result->status != LAUNCH_DONE || result->count != r->input.recording.launches ||
	    r->input.recording.ended)
		return recording_show(&r->input.recording, "", program_output(r), err);
	double *seconds = memory_zeroed(result->count + 1, sizeof *seconds);
	for (size_t i = 0; i < result->count; i++)
		seconds[i] = (double)result->launch[i].result.counters.value[COUNT_cycles] /
		             (facts->config->machine->clock_core_mhz * 1e6);
	char stem[64];
	bool ok =
	    program_run_timed(&r->input.program, &r->input.recording, seconds, result->count, stem, err) &&
	    recording_show(&r->input.recording, stem, program_output(r), err);
	free(seconds);
	return ok;
}

static bool write_page(const struct request *r, const struct run_facts *facts,
                       const struct run_result *result, struct error *err)
{
	char report[PATH_MAX];
	struct sources *sources = sources_open(program_file(&r->input.recording, "report", report));
	json_t *own = json_result(facts->config->machine, result);
	const struct run_page_run run = {
	    .label = facts->config->chain->text, .chain = facts->config->chain->text, .result = own};
	const struct run_page page = {.format = "sluice run",
	                              .machine = facts->config->machine,
	                              .facts = json_run_facts(facts),
	                              .definitions = json_definitions(),
	                              .sources = sources,
	                              .program = facts->program ? r->input.target.path : NULL,
	                              .run = &run,
	                              .count = 1};
	char *text = run_page_write(&page);
	bool ok = command_write(r->html, text, err);
	free(text);
	json_decref(own);
	sources_free(sources);
	return ok;
}

/* Write a text, if its file was asked for, and free it. */
static bool write_text(const char *path, char *text, struct error *err)
{
	bool ok = command_write(path, text, err);
	free(text);
	return ok;
}

static bool write_formats(const struct request *r, const struct machine *machine,
                          const struct run_result *result, struct error *err)
{
	return (!r->csv || write_text(r->csv, format_csv(machine, result, r->nsight), err)) &&
	       (!r->perfetto || write_text(r->perfetto, format_perfetto(machine, result), err)) &&
	       (!r->stats || write_text(r->stats, format_stats(machine, result), err));
}

static bool write_results(const struct request *r, const struct run_facts *facts,
                          const struct run_result *result, struct error *err)
{
	bool to_stdout = program_output(r) != stdout, ok = true;
	if (!show_timed_output(r, facts, result, err))
		return false;
	if (facts->program && !to_stdout)
		recording_print_line(stdout, &r->input.recording);
	if (!to_stdout)
		summary_print(stdout, facts->config, facts->trace_name, result);
	if (r->json) {
		char *text = json_write_run(facts, result);
		ok = command_write(r->json, text, err);
		free(text);
	}
	if (ok && r->html)
		ok = write_page(r, facts, result, err);
	return ok && write_formats(r, facts->config->machine, result, err) && command_flush(err);
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
		return command_fail(command.name, &err);
	if (result->status != LAUNCH_DEADLOCKED)
		return facts->program ? recording_status(&r->input.program, &r->input.recording) : 0;
	fprintf(stderr, "sluice run: %s", last->result.report);
	return 3;
}

/* Say what is about to be simulated: every word of the command line that names a machine or policy has been understood. */
static void print_start(const struct request *r, const struct config *config, const struct trace *trace)
{
	size_t launches = 0;
	for (unsigned i = 0; i < trace_kernel_count(trace); i++)
		launches += kernels_has(&r->kernels, i + 1);
	fprintf(stderr, "sluice run: %s on %s under %s, %zu launch%s, %llu thread%s\n", r->input.name,
	        config->machine->name, config->chain->text, launches, launches == 1 ? "" : "es",
	        (unsigned long long)r->threads, r->threads == 1 ? "" : "s");
}

static int simulate(const struct request *r, const struct config *config, const struct look *look,
                    const struct trace *trace)
{
	command_limit_memory(r->memory);
	print_start(r, config, trace);
	struct progress progress = progress_start(stderr, 0);
	const struct run_options options = {
	    .threads = (uint32_t)r->threads,
	    .quantum = (uint32_t)r->quantum,
	    .cold_l2 = r->cold_l2,
	    .max_insns = r->max_insns,
	    .kernels = &r->kernels,
	    .window = input_window(&r->input),
	    .is_part = r->input.recording.is_part,
	    .look = look,
	    .progress = progress.enabled ? show_run : NULL,
	    .user = &progress,
	};
	progress.total = run_count_chosen(trace, &options);
	if (r->max_insns && r->max_insns < progress.total)
		progress.total = r->max_insns;
	const struct run_program program = {.args = r->input.program.args,
	                                    .arg_count = r->input.program.arg_count,
	                                    .exit_status = r->input.recording.exit_status,
	                                    .signal = r->input.recording.signal,
	                                    .fault = r->input.recording.fault};
	const struct run_facts facts = {.trace_name = r->input.name,
	                                .config = config,
	                                .options = &options,
	                                .changes = r->changes.text,
	                                .change_count = r->changes.count,
	                                .program = r->input.recording.folder[0] ? &program : NULL};
	struct run_result result;
	struct error err = {{0}};
	policy_guard_begin(command.name, r->policy);
	bool ok = run_trace(config, trace, &options, &result, &err);
	policy_guard_end();
	progress_end(&progress);
	if (ok)
		print_speed(&result, progress_clock() - progress.start_s);
	int rc = ok ? finish(r, &facts, &result) : command_fail(command.name, &err);
	run_result_free(&result);
	return rc;
}

/* Attach the observers of --look and those that the page needs. */
static struct look *start_look(const struct request *r, struct chain *chain, struct error *err)
{
	const char *asked = r->look ? r->look : "";
	if (!r->html && !r->perfetto)
		return look_new(asked, chain, err);
	size_t bytes = sizeof RUN_PAGE_LOOKS + sizeof FORMAT_PERFETTO_LOOKS + strlen(asked) + 2;
	char *looks = memory_zeroed(bytes, 1);
	snprintf(looks, bytes, "%s%s%s%s%s", r->html ? RUN_PAGE_LOOKS : "", r->html && r->perfetto ? "," : "",
	         r->perfetto ? FORMAT_PERFETTO_LOOKS : "", r->look ? "," : "", asked);
	if (r->html)
		command_note_observers(command.name);
	struct look *look = look_new(looks, chain, err);
	free(looks);
	return look;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	struct config config;
	const struct output outputs[] = OUTPUTS(r);
	for (size_t i = 0; i < sizeof outputs / sizeof *outputs; i++)
		if (!input_check_output(&r->input, r->machine, outputs[i].path, &err))
			return command_fail(command.name, &err);
	if (!config_load(&config, r->machine, r->policy, r->changes.text, r->changes.count, &err))
		return command_fail(command.name, &err);
	struct look *look = NULL;
	if ((r->look || r->html || r->perfetto) && !(look = start_look(r, config.chain, &err))) {
		config_free(&config);
		return command_fail(command.name, &err);
	}
	bool records = r->input.program.is_program || recording_is_program(r->input.target.path);
	command_limit_memory(records ? 0 : r->memory);
	struct trace *trace = input_open(&r->input, r->machine, &r->kernels, program_output(r), &err);
	int rc;
	/* Again: now the files of the trace and of the program are known. */
	for (size_t i = 0; trace && i < sizeof outputs / sizeof *outputs; i++)
		if (!command_check_output(outputs[i].path, &err)) {
			trace_close(trace);
			trace = NULL;
		}
	if (trace) {
		command_warn(command.name, config.machine, trace);
		rc = simulate(r, &config, look, trace);
		trace_close(trace);
	} else {
		rc = command_fail(command.name, &err);
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
	input_free(&r.input);
	return rc;
}
