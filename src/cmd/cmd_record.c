/* sluice record: run a program and keep its trace. */
#include <inttypes.h>
#include <stdio.h>

#include "cmd/cmd.h"
#include "cmd/recording.h"
#include "lab/report/output.h"

struct request {
	const char *program, *output, *machine;
	bool help;
	struct args_split words;
	struct target target;
	struct program_request recording;
};

static int fail(const struct error *err)
{
	fprintf(stderr, "sluice record: %s\n", err->text);
	return 2;
}

static void print_help(const struct arg *args, size_t count)
{
	puts("usage: sluice record PROGRAM [WORD...] -o FILE [OPTION...]\n"
	     "\n"
	     "Runs PROGRAM, an executable of 'sluice cc', a .cu file or a name of 'sluice workload list'\n"
	     "(with --size tiny|small|paper), and writes the trace of its launches to FILE. If the same\n"
	     "program was recorded before, with the same words and input files, that recording is taken\n"
	     "and nothing is run.\n");
	args_print(stdout, args, count);
	puts("\nBehind PROGRAM these options are ours wherever they stand, all other words are the "
	     "program's;\n"
	     "-- ends ours. What the program prints goes where it would have gone.\n"
	     "Exit status: 0 done, 2 bad input, 4 the program itself failed (FILE holds what it did until "
	     "then).");
}

/* False: *rc is the exit status. */
static bool parse(struct request *r, int argc, char **argv, int *rc)
{
	const struct arg args[] = {
	    {"-o", "FILE", "the trace to write", .text = &r->output},
	    {"--machine", "M", "machine the program is told it runs on (h200)", .text = &r->machine},
	    RECORDING_ARGS(&r->recording),
	    {"--help", NULL, "this text", .flag = &r->help},
	};
	const size_t count = sizeof args / sizeof *args;
	struct error err;
	*rc = 2;
	args_divide(argc, argv, args, count, recording_is_program, &r->words);
	if (!args_parse(r->words.our_count, r->words.ours, args, count, &r->program, &err)) {
		fprintf(stderr, "sluice record: %s\nsee 'sluice record --help'\n", err.text);
		return false;
	}
	if (r->help) {
		print_help(args, count);
		*rc = 0;
		return false;
	}
	if (!r->program || !r->output) {
		fprintf(stderr, "sluice record: no %s given; see 'sluice record --help'\n",
		        r->program ? "output (-o FILE)" : "program");
		return false;
	}
	if (!target_find(&r->target, r->program, r->words.theirs, r->words.their_count, &err)) {
		fail(&err);
		return false;
	}
	return true;
}

static int carry_out(struct request *r)
{
	struct error err = {{0}};
	struct program_run run;
	char path[PATH_MAX];
	if (!output_check(r->output, &err))
		return fail(&err);
	r->recording.path = r->target.path;
	r->recording.machine = r->machine;
	r->recording.args = r->target.args;
	r->recording.arg_count = r->target.arg_count;
	struct trace *trace = recording_open(&r->recording, &run, stdout, &err);
	if (!trace)
		return fail(&err);
	bool ok = output_copy(r->output, program_file(&run, "trace.sluice", path), &err);
	/* Times are not simulated here: what the program printed is what there is. */
	ok = ok && (!run.reads_times || recording_show(&run, "", stdout, &err));
	uint64_t insns = 0;
	for (unsigned i = 0; i < trace_kernel_count(trace); i++)
		insns += trace_kernel_at(trace, i)->warp_insns;
	if (ok)
		fprintf(stderr, "%s: %u launches, %" PRIu64 " warp instructions, %" PRIu64 " bytes%s\n",
		        r->output, trace_kernel_count(trace), insns, trace_file_bytes(trace),
		        run.executed ? "" : " (recorded before)");
	trace_close(trace);
	if (!ok)
		return fail(&err);
	if (run.exit_status)
		recording_print_line(stderr, &run);
	return run.exit_status ? RECORDING_FAILED : 0;
}

int cmd_record(int argc, char **argv)
{
	struct request r = {.machine = "h200"};
	int rc;
	if (parse(&r, argc, argv, &rc))
		rc = carry_out(&r);
	args_split_free(&r.words);
	target_free(&r.target);
	return rc;
}
