/* sluice record: runs a program and writes its trace. */
#include <inttypes.h>
#include <stdio.h>

#include "base/output.h"
#include "cli/command.h"
#include "cmd/cmd.h"

static const struct command command = {
    .name = "record",
    .operand = "program",
    .usage =
        "usage: sluice record PROGRAM [--size tiny|small|paper] [WORD...] -o FILE [OPTION...]\n"
        "\n"
        "Runs PROGRAM and writes the trace of its launches to FILE. PROGRAM is an executable made by 'sluice cc', a\n"
        ".cu file, or a name from 'sluice workload list' (only those take --size). If a recording of the same program\n"
        "with the same arguments and input files exists, it is copied and nothing is run.\n"
        "\n"
        "    sluice record atax --size tiny -o /tmp/atax.sluice\n",
    .footer =
        "The options above belong to sluice, also after PROGRAM. All other words after PROGRAM are passed to\n"
        "the program, and so is every word after --. The program prints to standard output and standard error.\n"
        "Exit status: 0 done, 2 bad input, 4 the program itself failed (FILE holds what it did until then).\n",
};

struct request {
	const char *output, *machine;
	uint64_t max_insns;
	bool help;
	struct input input;
};

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"-o", "FILE", "trace to write", .text = &r->output},
	    {"--machine", "M", "machine whose properties the program sees (h200)", .text = &r->machine},
	    {"--max-insns", "N",
	     "end with the launch that passes N warp instructions, e.g. 500K, 20M (no limit)",
	     .number = &r->max_insns, .min = 1, .max = INT64_MAX},
	    RECORDING_ARGS(&r->input.program),
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	struct error err;
	if (!input_parse(&r->input, &command, argc, argv, args, sizeof args / sizeof *args, &r->help, rc))
		return false;
	*rc = 2;
	if (!r->output)
		return command_refuse(&command, "no output given (-o FILE)");
	if (!input_check_window(&r->input, NULL, r->max_insns, &err))
		return command_refuse(&command, err.text);
	if (input_check_output(&r->input, r->machine, r->output, &err))
		return true;
	command_fail(command.name, &err);
	return false;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	const struct program_run *run = &r->input.recording;
	char path[PATH_MAX];
	struct trace *trace = input_record(&r->input, r->machine, stdout, &err);
	if (!trace)
		return command_fail(command.name, &err);
	bool ok = output_copy(r->output, program_file(run, "trace.sluice", path), &err);
	/* Times are not simulated here: what the program printed is what there is. */
	ok = ok && (!run->reads_times || recording_show(run, "", stdout, &err));
	uint64_t insns = 0;
	for (unsigned i = 0; i < trace_kernel_count(trace); i++)
		insns += trace_kernel_at(trace, i)->warp_insns;
	if (ok)
		fprintf(stderr, "%s: %u launches, %" PRIu64 " warp instructions, %" PRIu64 " bytes%s\n",
		        r->output, trace_kernel_count(trace), insns, trace_file_bytes(trace),
		        run->executed ? "" : " (recorded before)");
	trace_close(trace);
	if (!ok)
		return command_fail(command.name, &err);
	if (program_failed(run) || run->ended)
		recording_print_line(stderr, run);
	return recording_status(&r->input.program, run);
}

int cmd_record(int argc, char **argv)
{
	struct request r = {.machine = "h200"};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	input_free(&r.input);
	return rc;
}
