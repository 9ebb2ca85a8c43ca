/* Recordings on the command line. */
#include "cli/recording.h"

#include <string.h>

bool recording_is_program(const char *word)
{
	enum target_kind kind;
	struct error ignored;
	if (!target_kind_of(word, &kind, &ignored) || kind != TARGET_PATH)
		return true;
	return program_kind_of(word) != PROGRAM_NONE;
}

void recording_note_target(const char *command, const struct target *target)
{
	if (target->hides_file)
		fprintf(stderr, "sluice %s: note: '%s' is the workload; the file of that name is ./%s\n",
		        command, target->name, target->name);
}

bool recording_show(const struct program_run *run, const char *stem, FILE *out, struct error *err)
{
	char name[80];
	snprintf(name, sizeof name, "%s%sstderr", stem, *stem ? "." : "");
	if (!program_forward(run, name, stderr, err))
		return false;
	snprintf(name, sizeof name, "%s%sstdout", stem, *stem ? "." : "");
	return program_forward(run, name, out, err);
}

void recording_print_line(FILE *out, const struct program_run *run)
{
	fputs("---------------------------------------------------------------- sluice\n", out);
	if (run->signal)
		fprintf(out, "the program was killed by signal %d (%s)\n", run->signal,
		        strsignal(run->signal));
	else if (run->exit_status)
		fprintf(out, "the program ended with status %d\n", run->exit_status);
	if (run->ended)
		fprintf(out, "the program was ended after launch %llu: %s; --then-run lets it go on\n",
		        (unsigned long long)run->ended, run->ended_why);
	if (run->fault[0])
		fprintf(out, "a launch ended early: %s\n", run->fault);
	if (run->races)
		fprintf(out, "races in shared memory: %llu\n", (unsigned long long)run->races);
}

int recording_status(const struct program_request *request, const struct program_run *run)
{
	if (run->fault[0] && request->fault_status)
		return (int)request->fault_status;
	return program_failed(run) ? RECORDING_FAILED : 0;
}

struct trace *recording_open(const struct program_request *request, struct program_run *run, FILE *out,
                             struct error *err)
{
	struct trace *trace = program_open(request, run, err);
	struct error ignored;
	bool shown = (trace && run->reads_times) || recording_show(run, "", out, trace ? err : &ignored);
	if (!trace)
		program_drop(run);
	if (trace && !shown) {
		trace_close(trace);
		return NULL;
	}
	return trace;
}
